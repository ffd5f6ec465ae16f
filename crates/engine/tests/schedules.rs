//! Work that is due at a time of day on each space's own clock, daylight saving included.

#![expect(clippy::unwrap_used, reason = "these are tests")]

use jiff::civil::time;
use jiff::{SignedDuration, Timestamp};
use memoir_engine::{Edit, EngineSettings, Schedule, SpacePatch};
use memoir_model::{Job, Zone};
use memoir_testkit::{TestEngine, caller, message, message_id, say, space};
use proptest::prelude::*;

const ROOM: &str = "user:a";

fn moment(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// The next `count` times at which it is due after `now`.
fn due(at: jiff::civil::Time, zone: &str, now: &str, count: usize) -> Vec<String> {
    let (schedule, zone) = (Schedule::daily(at), zone.parse::<Zone>().unwrap());
    let mut next = moment(now);
    (0..count)
        .map(|_| {
            next = schedule.next_after(&zone, next);
            next.to_string()
        })
        .collect()
}

#[test]
fn a_night_in_spring_is_an_hour_shorter_and_one_in_autumn_an_hour_longer() {
    let at = time(3, 0, 0, 0);
    let spring = due(at, "Europe/Berlin", "2026-03-28T00:00:00Z", 3);
    assert_eq!(spring, ["2026-03-28T02:00:00Z", "2026-03-29T01:00:00Z", "2026-03-30T01:00:00Z"]);
    let autumn = due(at, "Europe/Berlin", "2026-10-24T00:00:00Z", 3);
    assert_eq!(autumn, ["2026-10-24T01:00:00Z", "2026-10-25T02:00:00Z", "2026-10-26T02:00:00Z"]);
}

#[test]
fn a_time_that_the_clock_jumps_over_is_due_once_after_the_jump() {
    // Berlin, 29 March 2026: 02:00 becomes 03:00, so that 02:30 never comes.
    let spring = due(time(2, 30, 0, 0), "Europe/Berlin", "2026-03-28T12:00:00Z", 2);
    assert_eq!(spring, ["2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z"]);
    // Lord Howe Island moves by half an hour only.
    let island = due(time(2, 15, 0, 0), "Australia/Lord_Howe", "2026-10-03T00:00:00Z", 2);
    assert_eq!(island, ["2026-10-03T15:45:00Z", "2026-10-04T15:15:00Z"]);
    // A zone whose midnight does not exist on one day.
    let midnight = due(time(0, 30, 0, 0), "Africa/Cairo", "2026-04-23T12:00:00Z", 2);
    assert_eq!(midnight, ["2026-04-23T22:30:00Z", "2026-04-24T21:30:00Z"]);
}

#[test]
fn a_time_that_comes_twice_is_due_the_first_time_only() {
    let autumn = due(time(2, 30, 0, 0), "Europe/Berlin", "2026-10-24T12:00:00Z", 2);
    assert_eq!(autumn, ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]);
    // Who asks between the two is told of the next day.
    let between = due(time(2, 30, 0, 0), "Europe/Berlin", "2026-10-25T01:00:00Z", 1);
    assert_eq!(between, ["2026-10-26T01:30:00Z"]);
}

#[test]
fn a_day_that_was_left_out_of_the_calendar_does_not_stop_it() {
    // Samoa went from 29 December 2011 straight to the 31st.
    let samoa = due(time(3, 0, 0, 0), "Pacific/Apia", "2011-12-29T00:00:00Z", 3);
    assert_eq!(samoa, ["2011-12-29T13:00:00Z", "2011-12-30T13:00:00Z", "2011-12-31T13:00:00Z"]);
}

proptest! {
    #[test]
    fn it_is_always_due_within_about_a_day_and_at_its_time_on_the_wall(
        seconds in 0i64..4_000_000_000,
        hour in 0i8..24,
        minute in 0i8..60,
        zone in prop::sample::select(vec![
            "Asia/Shanghai", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata",
            "America/St_Johns", "Pacific/Apia", "Africa/Casablanca", "UTC", "+05:45", "-11:00",
        ]),
    ) {
        let (zone, now): (Zone, _) = (zone.parse().unwrap(), Timestamp::from_second(seconds).unwrap());
        let due = Schedule::daily(time(hour, minute, 0, 0)).next_after(&zone, now);
        let wait = now.duration_until(due);
        prop_assert!(wait > SignedDuration::ZERO && wait <= SignedDuration::from_hours(50), "{wait:?}");
        let wall = zone.at(due);
        // Unless the clock jumped over it, the wall shows the very time.
        let jumped = zone.at(due - SignedDuration::from_hours(26)).offset() != wall.offset()
            || zone.at(due - SignedDuration::from_hours(1)).offset() != wall.offset();
        prop_assert!(jumped || (wall.hour(), wall.minute()) == (hour, minute), "{wall}");
    }
}

async fn seal_job(memoir: &TestEngine) -> Option<Job> {
    let jobs = memoir.engine.jobs(&caller(), Some(&space(ROOM)), None, None, 10).await.unwrap();
    jobs.into_iter().find(|job| job.kind == "seal")
}

async fn edited(memoir: &TestEngine, words: &str) {
    let edit = Edit { content: Some(words.into()), ..Edit::default() };
    memoir.engine.edit_message(&caller(), &space(ROOM), &message_id("m1"), edit).await.unwrap();
}

#[tokio::test]
async fn the_nights_work_of_a_space_is_due_on_its_own_clock() {
    for (zone, now, night) in [
        ("Asia/Shanghai", "2026-01-07T04:00:00Z", "2026-01-07T19:00:00Z"),
        ("America/New_York", "2026-03-07T12:00:00Z", "2026-03-08T07:00:00Z"),
        ("America/New_York", "2026-10-31T12:00:00Z", "2026-11-01T08:00:00Z"),
        ("-09:30", "2026-01-07T12:00:00Z", "2026-01-07T12:30:00Z"),
    ] {
        let memoir = TestEngine::new();
        memoir.clock.set(now);
        let patch = SpacePatch { zone: Some(zone.parse().unwrap()), ..SpacePatch::default() };
        memoir.engine.put_space(&caller(), &space(ROOM), patch).await.unwrap();
        say(&memoir.engine, message(ROOM, "m1", "one")).await;
        assert!(seal_job(&memoir).await.is_none(), "a space in which nothing happens costs nothing");
        edited(&memoir, "two").await;
        assert_eq!(seal_job(&memoir).await.unwrap().run_at, moment(night), "{zone}");
        edited(&memoir, "three").await;
        assert_eq!(
            seal_job(&memoir).await.unwrap().run_at,
            moment(night),
            "a day's edits cost one night's work"
        );
    }
}

#[tokio::test]
async fn who_travels_has_the_night_of_the_new_place() {
    let memoir = TestEngine::new();
    say(&memoir.engine, message(ROOM, "m1", "one")).await;
    let patch = SpacePatch { zone: Some("Europe/London".parse().unwrap()), ..SpacePatch::default() };
    memoir.engine.put_space(&caller(), &space(ROOM), patch).await.unwrap();
    edited(&memoir, "two").await;
    assert_eq!(seal_job(&memoir).await.unwrap().run_at, moment("2026-01-08T03:00:00Z"));
}

#[tokio::test]
async fn when_the_night_begins_is_a_setting() {
    let settings = EngineSettings { upkeep_night: time(0, 30, 0, 0), ..EngineSettings::default() };
    let memoir = TestEngine::with(settings, |_| {});
    say(&memoir.engine, message(ROOM, "m1", "one")).await;
    edited(&memoir, "two").await;
    assert_eq!(seal_job(&memoir).await.unwrap().run_at, moment("2026-01-07T16:30:00Z"));
}
