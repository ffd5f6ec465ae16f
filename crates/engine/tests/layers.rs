//! Sessions, days, weeks and months, and what is said when somebody asks about them (A2, A3, A5, A7 to A12, D3).

#![expect(clippy::unwrap_used, reason = "these are tests")]

use jiff::SignedDuration;
use jiff::civil::{Date, date};
use memoir_engine::{
    BackfillRequest, ContextReply, ContextRequest, DetailReason, Edit, Engine, HistoryFound, Made,
    NewMessage, SpacePatch, TimelineRequest, Workers,
};
use memoir_model::{BlockKind, EndReason, Job, JobState, Period, Speaker, Summary, SummaryLevel};
use memoir_testkit::{
    TestEngine, at, author, caller, message, message_id, remember, say, session_id, space, until,
};
use std::time::Duration;

const ROOM: &str = "user:a";

fn said(id: &str, session: &str, time: &str, words: &str) -> NewMessage {
    let mut said = at(message(ROOM, id, words), time);
    said.session = Some(session_id(session));
    if id.starts_with("bot") {
        said.role = Speaker::Assistant;
        said.author = Some(author("assistant"));
    }
    said
}

/// Two talks on Tuesday, one on Monday, on the clock of Shanghai.
async fn consultation(engine: &Engine) {
    let talk = vec![
        said("m1", "monday", "2026-01-05T10:00:00+08:00", "我想了解一下双眼皮手术，预算大概两到三万元。"),
        said("bot1", "monday", "2026-01-05T10:01:00+08:00", "好的，全切和埋线都可以考虑，恢复期不一样。"),
        said("m2", "monday", "2026-01-05T10:02:00+08:00", "我对麻药过敏，比较担心手术风险。"),
        said(
            "t1",
            "tuesday",
            "2026-01-06T09:00:00+08:00",
            "我昨晚一直睡不好，膝盖也有点疼，医生给我开了布洛芬。",
        ),
        said("bot2", "tuesday", "2026-01-06T09:01:00+08:00", "布洛芬饭后吃，连续不要超过五天。"),
        said("t2", "tuesday", "2026-01-06T09:02:00+08:00", "我每天跑步五公里，是不是该停一停？"),
        said("bot3", "tuesday", "2026-01-06T09:03:00+08:00", "建议先停一周，改成游泳。"),
        said("e1", "evening", "2026-01-06T20:00:00+08:00", "我决定下个月带女儿小雨去厦门旅游，住在鼓浪屿。"),
        said("bot4", "evening", "2026-01-06T20:01:00+08:00", "鼓浪屿的民宿要提前订，周末很贵。"),
        said("e2", "evening", "2026-01-06T20:02:00+08:00", "预算五千元，机票已经买好了。"),
    ];
    remember(engine, talk).await;
    for session in ["monday", "tuesday", "evening"] {
        engine.end_session(&caller(), &space(ROOM), &session_id(session), EndReason::Call).await.unwrap();
    }
}

async fn summary(engine: &Engine, period: Period) -> Option<Summary> {
    let key = engine.space(&caller(), &space(ROOM)).await.unwrap().key();
    engine.store().summary(&key, &period).await.unwrap()
}

/// Waits until nothing is due.
async fn settled(memoir: &TestEngine) {
    until("nothing is due", async || {
        let jobs = memoir.engine.jobs(&caller(), None, None, None, 1_000).await.unwrap();
        let now = memoir.engine.now();
        let is_due = |job: &Job| job.run_at <= now || job.state == JobState::Leased;
        (!jobs.iter().any(is_due)).then_some(())
    })
    .await;
}

fn asking(text: &str) -> ContextRequest {
    ContextRequest { space: Some(space(ROOM)), message: text.into(), ..ContextRequest::default() }
}

async fn ask(engine: &Engine, text: &str) -> ContextReply {
    engine.context(&caller(), asking(text)).await.unwrap()
}

fn lines(reply: &ContextReply, kind: BlockKind) -> Vec<String> {
    let blocks = reply.context.blocks.iter().filter(|block| block.kind == kind);
    blocks.flat_map(|block| block.lines.iter().map(|line| line.text.clone())).collect()
}

fn sources(reply: &ContextReply, kind: BlockKind) -> Vec<String> {
    let blocks = reply.context.blocks.iter().filter(|block| block.kind == kind);
    blocks.flat_map(|block| block.lines.iter().flat_map(|line| line.sources.clone())).collect()
}

const MONDAY: Date = date(2026, 1, 5);
const TUESDAY: Date = date(2026, 1, 6);

/// The consultation, all of it summed up.
async fn summed_up() -> (TestEngine, Workers) {
    let memoir = TestEngine::restless();
    consultation(&memoir.engine).await;
    let workers = memoir.engine.start_workers();
    // The night's work waits for those who were active just now.
    memoir.clock.advance(SignedDuration::from_mins(11));
    settled(&memoir).await;
    (memoir, workers)
}

#[tokio::test]
async fn a_session_that_ends_is_summed_up_with_its_topics_and_what_it_rests_on() {
    let (memoir, _workers) = summed_up().await;
    let summary = summary(&memoir.engine, Period::Session(session_id("tuesday"))).await.unwrap();
    assert_eq!((summary.sessions, summary.messages, summary.sources), (1, 4, Some((4, 7))));
    assert!(summary.text.contains("布洛芬") && summary.text.contains("用户"), "{}", summary.text);
    assert!(summary.text.chars().count() <= 200);
    assert!((3..=5).contains(&summary.topics.len()), "{:?}", summary.topics);
    assert!(!summary.headline.is_empty() && !summary.stale && summary.is_by_rules());
    for line in &summary.lines {
        assert!(summary.text.contains(&line.text), "{line:?}");
        assert!(line.sources.iter().all(|seq| (4..=7).contains(seq)) && !line.sources.is_empty(), "{line:?}");
    }
}

#[tokio::test]
async fn summing_up_twice_gives_the_same_until_something_is_said() {
    let memoir = TestEngine::new();
    consultation(&memoir.engine).await;
    let sum_up = async || {
        let made = memoir.engine.summarise_session(&caller(), &space(ROOM), &session_id("evening")).await;
        made.unwrap()
    };
    let Made::New(first) = sum_up().await else { panic!("it is the first") };
    memoir.clock.advance(SignedDuration::from_mins(5));
    assert_eq!(sum_up().await, Made::Same(first.clone()));
    say(&memoir.engine, said("e3", "evening", "2026-01-06T20:05:00+08:00", "对了，我晕船，不想坐渡轮。"))
        .await;
    let known = memoir.engine.session_summary(&caller(), &space(ROOM), &session_id("evening")).await.unwrap();
    assert!(known.unwrap().stale, "a message came after it was made");
    let Made::New(second) = sum_up().await else { panic!("something was said") };
    assert_eq!((first.messages, second.messages), (3, 4));
    let session = memoir.engine.session(&caller(), &space(ROOM), &session_id("evening")).await.unwrap();
    assert!(!session.stale, "it fits again");
}

#[tokio::test]
async fn too_little_talk_gives_none() {
    let memoir = TestEngine::new();
    let short = vec![
        said("a", "short", "2026-01-06T09:00:00+08:00", "你好"),
        said("bot", "short", "2026-01-06T09:00:10+08:00", "你好！"),
        said("b", "short", "2026-01-06T09:00:20+08:00", "再见"),
        NewMessage {
            role: Speaker::System,
            ..said("s", "short", "2026-01-06T09:00:30+08:00", &"系统提示。".repeat(50))
        },
    ];
    remember(&memoir.engine, short).await;
    let made = memoir.engine.summarise_session(&caller(), &space(ROOM), &session_id("short")).await.unwrap();
    assert_eq!(made, Made::TooLittle, "what the system says is no talk");
    let missing = memoir.engine.summarise_session(&caller(), &space(ROOM), &session_id("none")).await;
    assert_eq!(missing.unwrap_err().code(), memoir_model::ErrorCode::NotFound);
    let day = memoir.engine.day(&caller(), &space(ROOM), TUESDAY).await.unwrap();
    assert!(day.spoken && day.summary.is_none());
}

#[tokio::test]
async fn a_day_is_summed_up_at_night_on_the_clock_of_its_space() {
    let memoir = TestEngine::restless();
    memoir.clock.set("2026-01-06T20:30:00+08:00");
    consultation(&memoir.engine).await;
    let workers = memoir.engine.start_workers();
    settled(&memoir).await;
    assert!(summary(&memoir.engine, Period::Day(TUESDAY)).await.is_none(), "the day goes on");
    memoir.clock.set("2026-01-07T00:29:00+08:00");
    settled(&memoir).await;
    assert!(summary(&memoir.engine, Period::Day(TUESDAY)).await.is_none(), "it is not half past twelve");
    memoir.clock.set("2026-01-07T00:30:00+08:00");
    let day =
        until("the day is summed up", async || summary(&memoir.engine, Period::Day(TUESDAY)).await).await;
    assert_eq!((day.sessions, day.messages, day.sources), (2, 7, Some((4, 10))));
    assert!(day.text.contains("布洛芬") || day.text.contains("厦门"), "{}", day.text);
    let talks: Vec<(&str, u32)> =
        day.talks.iter().map(|talk| (talk.session.as_str(), talk.messages)).collect();
    assert_eq!(talks, [("tuesday", 4), ("evening", 3)]);
    assert_eq!(day.zone.to_string(), "Asia/Shanghai");
    drop(workers);
}

#[tokio::test]
async fn one_session_is_a_day_as_it_is() {
    let (memoir, _workers) = summed_up().await;
    let day = summary(&memoir.engine, Period::Day(MONDAY)).await.unwrap();
    let session = summary(&memoir.engine, Period::Session(session_id("monday"))).await.unwrap();
    assert_eq!((day.text, day.sessions), (session.text, 1));
    assert!((3..=5).contains(&day.topics.len()));
}

#[tokio::test]
async fn weeks_months_and_the_background_follow_from_days() {
    let (memoir, _workers) = summed_up().await;
    assert!(summary(&memoir.engine, Period::Week(MONDAY)).await.is_none(), "the week goes on");
    let background = summary(&memoir.engine, Period::Background).await.unwrap();
    assert_eq!((background.messages, background.through), (10, Some(TUESDAY)));
    memoir.clock.set("2026-01-12T00:31:00+08:00");
    let week =
        until("the week is summed up", async || summary(&memoir.engine, Period::Week(MONDAY)).await).await;
    assert_eq!((week.sessions, week.messages, week.sources), (3, 10, Some((1, 10))));
    memoir.clock.set("2026-02-01T00:31:00+08:00");
    let month = Period::Month(date(2026, 1, 1));
    let month = until("the month is summed up", async || summary(&memoir.engine, month.clone()).await).await;
    assert_eq!(month.messages, 10);
    let portrait = memoir.engine.portrait(&caller(), &space(ROOM)).await.unwrap();
    let dates: Vec<Date> = portrait.situation.iter().filter_map(|line| line.date).collect();
    assert_eq!(dates, [TUESDAY, TUESDAY, MONDAY], "the newest first");
    assert!(portrait.background.iter().all(|line| !line.sources.is_empty() && line.date.is_some()));
}

#[tokio::test]
async fn a_talk_that_grows_is_summed_up_now_and_then() {
    let memoir = TestEngine::restless();
    let _workers = memoir.engine.start_workers();
    let session = Period::Session(session_id("long"));
    let speak = async |from: usize, to: usize| {
        for n in from..to {
            let words = format!("第{n}件事：我今天读了《三体》的第{n}章，觉得很有意思。");
            let told =
                NewMessage { session: Some(session_id("long")), ..message(ROOM, &format!("m{n}"), &words) };
            say(&memoir.engine, told).await;
        }
        settled(&memoir).await;
    };
    speak(1, 10).await;
    assert!(summary(&memoir.engine, session.clone()).await.is_none());
    speak(10, 11).await;
    let first = summary(&memoir.engine, session.clone()).await.unwrap();
    assert_eq!(first.messages, 10);
    speak(11, 21).await;
    let soon = summary(&memoir.engine, session.clone()).await.unwrap();
    assert_eq!(soon.messages, 10, "five minutes have not passed");
    speak(21, 31).await;
    let jobs = memoir.engine.jobs(&caller(), None, None, None, 1_000).await.unwrap();
    let waiting: Vec<_> = jobs.iter().filter(|job| job.kind == "summarise_session").collect();
    let next = first.made_at + SignedDuration::from_mins(5);
    assert_eq!(waiting.iter().map(|job| job.run_at).collect::<Vec<_>>(), [next], "nobody looks before");
    memoir.clock.advance(SignedDuration::from_mins(5));
    settled(&memoir).await;
    assert_eq!(summary(&memoir.engine, session).await.unwrap().messages, 30);
}

#[tokio::test]
async fn whoever_was_active_just_now_is_left_for_later() {
    let memoir = TestEngine::restless();
    memoir.clock.set("2026-01-07T00:29:30+08:00");
    consultation(&memoir.engine).await;
    let _workers = memoir.engine.start_workers();
    memoir.clock.set("2026-01-07T00:35:00+08:00");
    settled(&memoir).await;
    assert!(summary(&memoir.engine, Period::Day(TUESDAY)).await.is_none());
    memoir.clock.set("2026-01-07T00:39:31+08:00");
    until("it is summed up once it is quiet", async || summary(&memoir.engine, Period::Day(TUESDAY)).await)
        .await;
}

/// The sessions of the timeline, page by page.
async fn listed_sessions(engine: &Engine, limit: usize) -> Vec<String> {
    let (mut after, mut listed) = (None, Vec::new());
    loop {
        let request = TimelineRequest { grain: SummaryLevel::Session, from: None, to: None, after, limit };
        let page = engine.timeline(&caller(), &space(ROOM), request).await.unwrap();
        listed.extend(page.summaries.iter().map(|summary| summary.period.key()));
        after = page.next;
        if after.is_none() {
            return listed;
        }
    }
}

#[tokio::test]
async fn every_session_is_listed_once_on_whatever_pages_its_days_fall() {
    let memoir = TestEngine::restless();
    let lines = [
        "我打算下个月带女儿小雨去厦门旅游，住在鼓浪屿。",
        "预算五千元，机票已经买好了。",
        "回来以后再去看牙医，医生说智齿要拔掉。",
    ];
    let talk = |session: &str, times: [&str; 3]| -> Vec<NewMessage> {
        let said = |(nth, at): (usize, &str)| said(&format!("{session}-{nth}"), session, at, lines[nth]);
        times.into_iter().enumerate().map(said).collect()
    };
    // One that the day before tells too little of to have a summary, one over midnight, and one of a day alone.
    for (session, days) in [
        (
            "begun-late",
            ["2026-01-03T23:59:00+08:00", "2026-01-04T00:10:00+08:00", "2026-01-04T00:11:00+08:00"],
        ),
        ("morning", ["2026-01-04T09:00:00+08:00", "2026-01-04T09:01:00+08:00", "2026-01-04T09:02:00+08:00"]),
        ("midnight", ["2026-01-04T23:50:00+08:00", "2026-01-04T23:58:00+08:00", "2026-01-05T00:02:00+08:00"]),
        ("alone", ["2026-01-05T08:00:00+08:00", "2026-01-05T08:01:00+08:00", "2026-01-05T08:02:00+08:00"]),
    ] {
        remember(&memoir.engine, talk(session, days)).await;
        memoir
            .engine
            .end_session(&caller(), &space(ROOM), &session_id(session), EndReason::Call)
            .await
            .unwrap();
    }
    let workers = memoir.engine.start_workers();
    memoir.clock.advance(SignedDuration::from_mins(11));
    settled(&memoir).await;
    workers.drain(Duration::from_secs(20)).await;
    assert_eq!(summary(&memoir.engine, Period::Day(date(2026, 1, 3))).await, None);
    // Said late: no day tells of it yet.
    let late = ["2026-01-04T12:00:00+08:00", "2026-01-04T12:01:00+08:00", "2026-01-04T12:02:00+08:00"];
    remember(&memoir.engine, talk("late", late)).await;
    memoir.engine.summarise_session(&caller(), &space(ROOM), &session_id("late")).await.unwrap();
    for limit in [1, 2, 3, 10] {
        let mut listed = listed_sessions(&memoir.engine, limit).await;
        listed.sort();
        let expected: &[&str] = match limit {
            // The late one waits for its day where later days fill a page of their own.
            1 | 2 => &["alone", "begun-late", "midnight", "morning"],
            _ => &["alone", "begun-late", "late", "midnight", "morning"],
        };
        assert_eq!(listed, expected, "{limit}");
    }
}

#[tokio::test]
async fn a_session_over_midnight_gives_each_day_its_own_messages() {
    let memoir = TestEngine::restless();
    memoir.clock.set("2026-01-07T00:20:00+08:00");
    let night = vec![
        said(
            "a",
            "night",
            "2026-01-06T23:50:00+08:00",
            "我睡不着，一直在想明天的面试，公司叫星河科技，岗位是产品经理。",
        ),
        said("bot1", "night", "2026-01-06T23:52:00+08:00", "可以先把自我介绍写下来，练两遍再睡。"),
        said("b", "night", "2026-01-06T23:55:00+08:00", "好，我打算先说在上海做过的三个项目。"),
        said("c", "night", "2026-01-07T00:05:00+08:00", "我写好了，还是紧张，手心一直出汗。"),
        said("bot2", "night", "2026-01-07T00:08:00+08:00", "做十次深呼吸，吸气四秒，呼气六秒。"),
        said("d", "night", "2026-01-07T00:12:00+08:00", "现在好多了，面试安排在上午十点，我定了七点的闹钟。"),
    ];
    remember(&memoir.engine, night).await;
    let _workers = memoir.engine.start_workers();
    memoir.clock.set("2026-01-07T00:31:00+08:00");
    let tuesday =
        until("the day is summed up", async || summary(&memoir.engine, Period::Day(TUESDAY)).await).await;
    assert_eq!((tuesday.messages, tuesday.sources), (3, Some((1, 3))), "the session is still open");
    memoir.clock.set("2026-01-08T00:31:00+08:00");
    let wednesday = Period::Day(date(2026, 1, 7));
    let wednesday = until("the next too", async || summary(&memoir.engine, wednesday.clone()).await).await;
    assert_eq!((wednesday.messages, wednesday.sources), (3, Some((4, 6))));
    let whole = Period::Session(session_id("night"));
    let whole = until("and the whole of it", async || summary(&memoir.engine, whole.clone()).await).await;
    assert_eq!(whole.messages, 6);
}

#[tokio::test]
async fn what_comes_late_makes_the_day_stale_and_it_is_made_again() {
    let (memoir, workers) = summed_up().await;
    workers.drain(std::time::Duration::from_secs(5)).await;
    let late =
        said("late", "tuesday", "2026-01-06T09:10:00+08:00", "忘了说，我还对青霉素过敏，吃过一次起了疹子。");
    say(&memoir.engine, late).await;
    let day = summary(&memoir.engine, Period::Day(TUESDAY)).await.unwrap();
    assert!(day.stale && day.messages == 7);
    assert!(!summary(&memoir.engine, Period::Day(MONDAY)).await.unwrap().stale);
    let _workers = memoir.engine.start_workers();
    memoir.clock.advance(SignedDuration::from_mins(11));
    let fits = async || summary(&memoir.engine, Period::Day(TUESDAY)).await.filter(|day| !day.stale);
    assert_eq!(until("the day is made again", fits).await.messages, 8);
    settled(&memoir).await;
    let background = summary(&memoir.engine, Period::Background).await.unwrap();
    assert_eq!((background.messages, background.stale), (11, false), "it counts nothing twice");
}

#[tokio::test]
async fn what_is_erased_is_gone_from_every_layer_at_once() {
    let (memoir, workers) = summed_up().await;
    workers.drain(std::time::Duration::from_secs(5)).await;
    memoir.engine.erase_message(&caller(), &space(ROOM), &message_id("t1")).await.unwrap();
    let tuesday = Period::Session(session_id("tuesday"));
    for period in [tuesday.clone(), Period::Day(TUESDAY), Period::Background] {
        assert!(summary(&memoir.engine, period.clone()).await.is_none(), "{period:?}");
    }
    assert!(summary(&memoir.engine, Period::Day(MONDAY)).await.is_some());
    let _workers = memoir.engine.start_workers();
    memoir.clock.advance(SignedDuration::from_mins(11));
    settled(&memoir).await;
    for period in [tuesday, Period::Day(TUESDAY), Period::Background] {
        let made = summary(&memoir.engine, period.clone()).await;
        let text = made.map(|made| format!("{made:?}")).unwrap_or_default();
        assert!(!text.contains("膝盖"), "{period:?}: {text}");
    }
    assert_eq!(summary(&memoir.engine, Period::Day(TUESDAY)).await.unwrap().messages, 6);
}

#[tokio::test]
async fn an_edit_shows_in_the_next_summary() {
    let (memoir, _workers) = summed_up().await;
    let edit =
        Edit { content: Some("预算一万元，火车票已经买好了。".into()), ..Edit::default() };
    memoir.engine.edit_message(&caller(), &space(ROOM), &message_id("e2"), edit).await.unwrap();
    memoir.clock.advance(SignedDuration::from_mins(11));
    settled(&memoir).await;
    let evening = summary(&memoir.engine, Period::Session(session_id("evening"))).await.unwrap();
    assert!(!evening.stale && !evening.text.contains("五千"), "{}", evening.text);
    let day = summary(&memoir.engine, Period::Day(TUESDAY)).await.unwrap();
    assert!(!day.stale && !day.text.contains("五千"), "{}", day.text);
}

#[tokio::test]
async fn a_summary_made_while_a_message_is_erased_does_not_keep_its_words() {
    let memoir = TestEngine::new();
    consultation(&memoir.engine).await;
    let (engine, doors) = memoir.with_doors();
    let mut held = doors.shut(memoir_testkit::Door::BeforeCommit);
    let making = tokio::spawn(async move {
        engine.summarise_session(&caller(), &space(ROOM), &session_id("tuesday")).await.unwrap()
    });
    held.came().await;
    memoir.engine.erase_message(&caller(), &space(ROOM), &message_id("t1")).await.unwrap();
    held.release();
    let made = making.await.unwrap().into_summary();
    assert!(!format!("{made:?}").contains("膝盖"), "{made:?}");
    let kept = summary(&memoir.engine, Period::Session(session_id("tuesday"))).await;
    assert!(!format!("{kept:?}").contains("膝盖"), "{kept:?}");
}

#[tokio::test]
async fn a_session_that_goes_on_while_it_is_summed_up_has_a_summary_of_what_was_said_before() {
    let memoir = TestEngine::new();
    consultation(&memoir.engine).await;
    let (engine, doors) = memoir.with_doors();
    let mut held = doors.shut(memoir_testkit::Door::BeforeCommit);
    let sum_up = async |engine: Engine| {
        engine.summarise_session(&caller(), &space(ROOM), &session_id("tuesday")).await.unwrap()
    };
    let making = tokio::spawn({
        let engine = engine.clone();
        async move { sum_up(engine).await.into_summary().unwrap() }
    });
    held.came().await;
    let words = "对了，我还对青霉素过敏，请记下来。";
    remember(&memoir.engine, vec![said("more", "tuesday", "2026-01-06T10:09:00+08:00", words)]).await;
    held.release();
    let before = making.await.unwrap();
    let kept = summary(&memoir.engine, Period::Session(session_id("tuesday"))).await.unwrap();
    assert_eq!((before.messages, &kept), (kept.messages, &before));
    assert!(!kept.text.contains("青霉素"), "{}", kept.text);
    let after = sum_up(engine).await.into_summary().unwrap();
    assert_eq!(after.messages, before.messages + 1);
}

#[tokio::test]
async fn a_day_and_the_background_that_takes_it_in_are_one_write() {
    let memoir = TestEngine::restless();
    consultation(&memoir.engine).await;
    let workers = memoir.engine.start_workers();
    let session = Period::Session(session_id("evening"));
    until("the sessions are summed up", async || summary(&memoir.engine, session.clone()).await).await;
    let version = async || memoir.engine.space(&caller(), &space(ROOM)).await.unwrap().version;
    let before = version().await;
    memoir.clock.advance(SignedDuration::from_mins(11));
    settled(&memoir).await;
    assert_eq!(version().await - before, 2, "two days");
    let background = summary(&memoir.engine, Period::Background).await.unwrap();
    assert_eq!((background.through, background.messages, background.stale), (Some(TUESDAY), 10, false));
    workers.drain(Duration::from_secs(20)).await;
}

#[tokio::test]
async fn what_is_said_while_a_day_is_being_kept_is_in_it_and_in_the_background() {
    let memoir = TestEngine::restless();
    consultation(&memoir.engine).await;
    let workers = memoir.engine.start_workers();
    let session = Period::Session(session_id("evening"));
    until("the sessions are summed up", async || summary(&memoir.engine, session.clone()).await).await;
    workers.drain(Duration::from_secs(20)).await;
    memoir.clock.advance(SignedDuration::from_mins(11));
    let (other, doors) = memoir.with_doors();
    let mut held = doors.shut(memoir_testkit::Door::BeforeCommit);
    let workers = other.start_workers();
    held.came().await;
    for (id, at) in [("late1", "2026-01-05T12:00:00+08:00"), ("late2", "2026-01-06T12:00:00+08:00")] {
        remember(&memoir.engine, vec![said(id, "noon", at, "对了，我还对青霉素过敏。")]).await;
    }
    held.release();
    until("both days are made with it", async || {
        memoir.clock.advance(SignedDuration::from_mins(11));
        settled(&memoir).await;
        let (monday, tuesday) = (Period::Day(MONDAY), Period::Day(TUESDAY));
        let days = [summary(&memoir.engine, monday).await?, summary(&memoir.engine, tuesday).await?];
        days.iter().all(|day| !day.stale).then_some(())
    })
    .await;
    let messages = async |period| summary(&memoir.engine, period).await.map(|summary| summary.messages);
    assert_eq!(messages(Period::Day(MONDAY)).await, Some(4));
    assert_eq!(messages(Period::Day(TUESDAY)).await, Some(8));
    assert_eq!(messages(Period::Background).await, Some(12));
    workers.drain(Duration::from_secs(20)).await;
}

#[tokio::test]
async fn yesterday_is_read_from_the_layer_that_is_ready() {
    let (memoir, _workers) = summed_up().await;
    let reply = ask(&memoir.engine, "昨天我们聊了什么？").await;
    let history = reply.history.clone().unwrap();
    assert_eq!((history.found, history.needs_detail), (HistoryFound::Ready, None));
    assert_eq!((history.days, history.words.as_deref()), (Some((TUESDAY, TUESDAY)), Some("昨天")));
    assert_eq!(sources(&reply, BlockKind::Summaries), ["day:2026-01-06"]);
    assert!(lines(&reply, BlockKind::Summaries)[0].starts_with("[2026-01-06 周二] "));
    assert!(lines(&reply, BlockKind::Messages).is_empty(), "the summary is what was asked for");
    assert!(!reply.context.nothing_relevant);

    let english = ask(&memoir.engine, "What did we talk about on Monday?").await;
    assert_eq!(sources(&english, BlockKind::Summaries), ["day:2026-01-05"]);
}

#[tokio::test]
async fn a_week_that_is_over_is_read_as_a_week() {
    let (memoir, _workers) = summed_up().await;
    memoir.clock.set("2026-01-14T12:00:00+08:00");
    settled(&memoir).await;
    let reply = ask(&memoir.engine, "上周我们都聊了些什么？").await;
    assert_eq!(sources(&reply, BlockKind::Summaries), ["week:2026-01-05"]);
    let stretch = ask(&memoir.engine, "5号到7号我们聊了什么？").await;
    assert_eq!(sources(&stretch, BlockKind::Summaries), ["day:2026-01-05", "day:2026-01-06"]);
}

#[tokio::test]
async fn a_missing_day_is_made_at_once_and_asked_for() {
    let memoir = TestEngine::new();
    consultation(&memoir.engine).await;
    let reply = ask(&memoir.engine, "昨天我们聊了什么？").await;
    assert_eq!(reply.history.unwrap().found, HistoryFound::Made);
    let jobs = until("it is asked for", async || {
        let jobs = memoir.engine.jobs(&caller(), None, None, None, 100).await.unwrap();
        let asked = jobs.iter().any(|job| job.key == "day:2026-01-06" && job.run_at <= memoir.engine.now());
        asked.then_some(())
    });
    jobs.await;
    let today = vec![
        said("n1", "now", "2026-01-07T11:00:00+08:00", "我今天中午和老王吃了火锅，聊了聊开咖啡店的计划。"),
        said("n2", "now", "2026-01-07T11:01:00+08:00", "我们打算先租一个三十平米的小店。"),
        said("n3", "now", "2026-01-07T11:02:00+08:00", "启动资金各出十万元，明年三月开业。"),
    ];
    remember(&memoir.engine, today).await;
    let reply = ask(&memoir.engine, "今天我们聊了什么？").await;
    assert!(
        lines(&reply, BlockKind::Summaries)[0].contains("店"),
        "a day that goes on is told as far as it went"
    );
}

#[tokio::test]
async fn a_day_without_talk_is_said_to_be_one() {
    let (memoir, _workers) = summed_up().await;
    let reply = ask(&memoir.engine, "大前天我们聊了什么？").await;
    assert_eq!(reply.history.unwrap().found, HistoryFound::Nothing);
    assert_eq!(
        lines_of(&memoir.engine, "大前天我们聊了什么？").await,
        ["2026-01-04 周日那天我们没有聊过天。"]
    );
    let english = lines_of(&memoir.engine, "What did we talk about last Friday?").await;
    assert_eq!(english, ["We did not talk on 2026-01-02 Fri."]);
}

async fn lines_of(engine: &Engine, text: &str) -> Vec<String> {
    lines(&ask(engine, text).await, BlockKind::Summaries)
}

#[tokio::test]
async fn particulars_come_with_the_messages_of_their_day() {
    let (memoir, _workers) = summed_up().await;
    let reply = ask(&memoir.engine, "昨天你说的那个药具体叫什么名字？").await;
    assert_eq!(reply.history.clone().unwrap().needs_detail, Some(DetailReason::Particulars));
    assert_eq!(sources(&reply, BlockKind::Summaries), ["day:2026-01-06"]);
    let messages = sources(&reply, BlockKind::Messages);
    assert!(messages.contains(&"t1".to_owned()) && !messages.contains(&"m1".to_owned()), "{messages:?}");

    let afternoon = ask(&memoir.engine, "昨天晚上我们聊了什么？").await;
    assert_eq!(afternoon.history.clone().unwrap().needs_detail, Some(DetailReason::PartOfDay));
    let mut messages = sources(&afternoon, BlockKind::Messages);
    messages.sort();
    assert_eq!(messages, ["bot4", "e1", "e2"]);

    let missing = ask(&memoir.engine, "昨天我们聊过渡轮吗？").await;
    assert_eq!(missing.history.unwrap().needs_detail, Some(DetailReason::NotInSummary));
}

#[tokio::test]
async fn last_time_is_the_talk_that_ended_last() {
    let (memoir, _workers) = summed_up().await;
    let reply = ask(&memoir.engine, "上次我们聊了什么？").await;
    assert_eq!(sources(&reply, BlockKind::Summaries), ["session:evening"]);
    let nobody = ContextRequest { space: Some(space("user:new")), ..asking("上次我们聊了什么？") };
    memoir.engine.put_space(&caller(), &space("user:new"), SpacePatch::default()).await.unwrap();
    let reply = memoir.engine.context(&caller(), nobody).await.unwrap();
    assert_eq!(lines(&reply, BlockKind::Summaries), ["在这之前我们还没有聊过天。"]);
}

#[tokio::test]
async fn before_without_a_date_is_the_background_and_what_is_found() {
    let (memoir, _workers) = summed_up().await;
    let reply = ask(&memoir.engine, "我之前跟你说过我对什么过敏吗？").await;
    assert!(sources(&reply, BlockKind::Summaries).contains(&"background:all".to_owned()));
    assert!(sources(&reply, BlockKind::Messages).contains(&"m2".to_owned()));
}

#[tokio::test]
async fn the_next_talk_begins_with_what_the_last_one_came_to() {
    let (memoir, _workers) = summed_up().await;
    say(&memoir.engine, message(ROOM, "hi", "你好，我又来了")).await;
    let reply = ask(&memoir.engine, "帮我看看行程").await;
    assert!(reply.history.is_none());
    assert!(sources(&reply, BlockKind::Summaries).contains(&"session:evening".to_owned()));
}

#[tokio::test]
async fn as_it_was_shows_no_later_summary() {
    let (memoir, _workers) = summed_up().await;
    let request = ContextRequest {
        as_of: Some("2026-01-06T12:00:00+08:00".parse().unwrap()),
        ..asking("今天我们聊了什么？")
    };
    let reply = memoir.engine.context(&caller(), request).await.unwrap();
    let told = lines(&reply, BlockKind::Summaries).join("");
    assert!(told.contains("布洛芬") && !told.contains("厦门"), "{told}");
    let unknown = ContextRequest {
        known_at: Some("2026-01-07T11:59:00+08:00".parse().unwrap()),
        ..asking("昨天我们聊了什么？")
    };
    let reply = memoir.engine.context(&caller(), unknown).await.unwrap();
    assert_eq!(reply.history.unwrap().found, HistoryFound::Nothing, "nothing had reached us then");
}

#[tokio::test]
async fn travel_moves_future_days_and_leaves_old_ones() {
    let (memoir, _workers) = summed_up().await;
    let before = summary(&memoir.engine, Period::Day(TUESDAY)).await.unwrap();
    let patch = SpacePatch { zone: Some("America/New_York".parse().unwrap()), ..SpacePatch::default() };
    memoir.engine.put_space(&caller(), &space(ROOM), patch).await.unwrap();
    // 12:11 in Shanghai is still the evening of the 6th in New York: that day has two parts now.
    let evening = [
        "我到纽约了，时差好严重，现在是晚上十一点，一点也不困。",
        "明天要去大都会博物馆，门票三十美元，已经在网上买好了。",
        "晚饭吃了一碗兰州拉面，花了十八美元，味道还可以。",
    ];
    for (n, words) in evening.iter().enumerate() {
        say(&memoir.engine, message(ROOM, &format!("ny{n}"), words)).await;
    }
    let day = summary(&memoir.engine, Period::Day(TUESDAY)).await.unwrap();
    assert_eq!(day.messages, before.messages, "it is not over again");
    memoir.clock.set("2026-01-07T00:29:00-05:00");
    settled(&memoir).await;
    assert_eq!(summary(&memoir.engine, Period::Day(TUESDAY)).await.unwrap().messages, 7);
    memoir.clock.set("2026-01-07T00:31:00-05:00");
    let both = async || summary(&memoir.engine, Period::Day(TUESDAY)).await.filter(|day| day.messages == 10);
    let day = until("the day has both its parts", both).await;
    assert_eq!(day.zone.to_string(), "America/New_York");
    assert_eq!(summary(&memoir.engine, Period::Day(MONDAY)).await.unwrap().zone.to_string(), "Asia/Shanghai");
}

#[tokio::test]
async fn a_backfill_makes_what_is_missing_and_nothing_twice() {
    let memoir = TestEngine::new();
    consultation(&memoir.engine).await;
    memoir.clock.set("2026-02-03T12:00:00+08:00");
    let fill = async |request: BackfillRequest| {
        let mut steps = 0;
        let done =
            memoir.engine.backfill(&caller(), &space(ROOM), request, &mut |_| steps += 1).await.unwrap();
        assert_eq!(steps, done.seen);
        (done.made, done.kept, done.too_little)
    };
    // Three sessions, two days, a week, a month, the background.
    let dry = BackfillRequest { dry_run: true, ..BackfillRequest::default() };
    let (would, kept, none) = fill(dry).await;
    assert_eq!((would, kept, none), (8, 0, 0));
    assert!(summary(&memoir.engine, Period::Day(TUESDAY)).await.is_none(), "nothing is written");
    let since = BackfillRequest { since: Some(TUESDAY), ..BackfillRequest::default() };
    assert_eq!(fill(since).await, (6, 0, 0));
    assert_eq!(fill(BackfillRequest::default()).await.0, 5, "a session, its day, and what is above it");
    assert_eq!(fill(BackfillRequest::default()).await, (0, 8, 0));
    let timeline = TimelineRequest { grain: SummaryLevel::Day, from: None, to: None, after: None, limit: 10 };
    let days = memoir.engine.timeline(&caller(), &space(ROOM), timeline).await.unwrap().summaries;
    assert_eq!(days.iter().map(|day| day.period.key()).collect::<Vec<_>>(), ["2026-01-05", "2026-01-06"]);
    let sessions = TimelineRequest { grain: SummaryLevel::Session, ..timeline };
    let sessions = memoir.engine.timeline(&caller(), &space(ROOM), sessions).await.unwrap().summaries;
    let ids: Vec<String> = sessions.iter().map(|session| session.period.key()).collect();
    assert_eq!(ids, ["monday", "tuesday", "evening"]);
}

#[tokio::test]
async fn a_session_that_is_still_open_does_not_hold_up_its_day() {
    let memoir = TestEngine::restless();
    for day in 1..=5 {
        let talk = (0..24).map(|n| {
            let words = format!("第{n}件事：我今天读了《三体》的第{n}章，觉得很有意思，想推荐给朋友。");
            let time = format!("2026-01-0{day}T{:02}:{:02}:00+08:00", 9 + n / 12, n % 12);
            said(&format!("m{day}-{n}"), &format!("s{day}-{}", n / 12), &time, &words)
        });
        remember(&memoir.engine, talk.collect()).await;
    }
    let _workers = memoir.engine.start_workers();
    memoir.clock.advance(SignedDuration::from_mins(11));
    settled(&memoir).await;
    for day in 1..=5 {
        let made = summary(&memoir.engine, Period::Day(date(2026, 1, day))).await;
        let jobs = memoir.engine.jobs(&caller(), None, None, None, 100).await.unwrap();
        let errors: Vec<_> = jobs.iter().map(|job| (&job.key, &job.last_error)).collect();
        assert_eq!(made.map(|made| (made.sessions, made.messages)), Some((2, 24)), "{day}: {errors:?}");
    }
}
