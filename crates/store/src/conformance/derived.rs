use jiff::civil::date;
use memoir_model::{KindName, Memory, MemoryId, MemoryStatus, Period, Summary, SummaryLevel};

use super::fixtures::{AWKWARD, Empty, at, memory, memory_row, session_id, summary, summary_row};
use super::room::Room;
use crate::{MemoryQuery, Row};

fn ids(memories: &[Memory]) -> Vec<&str> {
    memories.iter().map(|memory| memory.id.as_str()).collect()
}

pub async fn a_memory_is_read_back_and_changed_in_place(store: Empty) {
    let room = Room::simple(&store).await;
    let mut tea = memory("tea", "PREF", MemoryStatus::Active);
    tea.content = "likes 绿茶; it's \"good\"".into();
    room.put(vec![memory_row(tea.clone())]).await.unwrap();
    assert_eq!(store.memory(room.key(), &tea.id).await.unwrap(), Some(tea.clone()));
    assert_eq!(store.memory(room.key(), &MemoryId::new("TEA").unwrap()).await.unwrap(), None);

    tea.version = 2;
    tea.kind = KindName::new("FACT").unwrap();
    tea.status = MemoryStatus::Superseded;
    tea.superseded_by = Some(MemoryId::new("coffee").unwrap());
    (tea.subject, tea.slot, tea.valid_to) = (None, None, Some(at(9)));
    tea.metadata.clear();
    room.put(vec![memory_row(tea.clone())]).await.unwrap();
    assert_eq!(store.memory(room.key(), &tea.id).await.unwrap(), Some(tea.clone()));
    let all = MemoryQuery { limit: 10, ..MemoryQuery::default() };
    assert_eq!(store.memories(room.key(), &all).await.unwrap(), [tea]);
}

pub async fn memories_are_filtered_by_kind_and_status_and_paged(store: Empty) {
    let room = Room::simple(&store).await;
    let statuses =
        [MemoryStatus::Active, MemoryStatus::Superseded, MemoryStatus::Compressed, MemoryStatus::Deleted];
    for (n, status) in statuses.into_iter().enumerate() {
        let rows = ["PREF", "FACT"].map(|kind| memory_row(memory(&format!("{kind} {n}"), kind, status)));
        room.put(rows.into()).await.unwrap();
    }
    let list = async |query: MemoryQuery| store.memories(room.key(), &query).await.unwrap();
    let all = MemoryQuery { limit: 100, ..MemoryQuery::default() };
    let expected = ["FACT 0", "FACT 1", "FACT 2", "FACT 3", "PREF 0", "PREF 1", "PREF 2", "PREF 3"];
    assert_eq!(ids(&list(all.clone()).await), expected);
    let kind = Some(KindName::new("PREF").unwrap());
    assert_eq!(ids(&list(MemoryQuery { kind: kind.clone(), ..all.clone() }).await), expected[4..]);
    for (n, status) in statuses.into_iter().enumerate() {
        let query = MemoryQuery { status: Some(status), ..all.clone() };
        assert_eq!(ids(&list(query.clone()).await), [expected[n], expected[n + 4]]);
        assert_eq!(ids(&list(MemoryQuery { kind: kind.clone(), ..query }).await), [expected[n + 4]]);
    }
    let mut after = None;
    let mut pages = Vec::new();
    loop {
        let page = list(MemoryQuery { after, limit: 3, ..MemoryQuery::default() }).await;
        after = page.last().map(|memory| memory.id.clone());
        if after.is_none() {
            break;
        }
        pages.extend(ids(&page).into_iter().map(str::to_owned));
        assert!(pages.len() <= expected.len(), "{pages:?}");
    }
    assert_eq!(pages, expected);
}

pub async fn awkward_memory_ids_are_kept_as_they_came(store: Empty) {
    let room = Room::simple(&store).await;
    for text in AWKWARD {
        room.put(vec![memory_row(memory(text, "PREF", MemoryStatus::Active))]).await.unwrap();
    }
    for text in AWKWARD {
        let found = store.memory(room.key(), &MemoryId::new(text).unwrap()).await.unwrap().unwrap();
        assert_eq!(found, memory(text, "PREF", MemoryStatus::Active));
    }
    let mut expected = AWKWARD;
    expected.sort_unstable();
    let all = MemoryQuery { limit: 100, ..MemoryQuery::default() };
    assert_eq!(ids(&store.memories(room.key(), &all).await.unwrap()), expected);
}

pub async fn a_period_has_one_summary(store: Empty) {
    let room = Room::simple(&store).await;
    // The same first day on three levels, and a session that is called like it.
    let day = date(2026, 6, 1);
    let periods =
        [Period::Session(session_id("2026-06-01")), Period::Day(day), Period::Week(day), Period::Month(day)];
    for period in &periods {
        room.put(vec![summary_row(summary(period.clone(), "first"))]).await.unwrap();
        let mut second = summary(period.clone(), &format!("{period:?} again"));
        (second.stale, second.sources) = (true, None);
        room.put(vec![summary_row(second)]).await.unwrap();
    }
    for period in &periods {
        let found = store.summary(room.key(), period).await.unwrap().unwrap();
        assert_eq!((found.text, found.stale, found.sources), (format!("{period:?} again"), true, None));
        let of_level = store.summaries(room.key(), period.level(), "", "\u{10ffff}", 10).await.unwrap();
        assert_eq!(of_level.len(), 1);
    }
    assert_eq!(store.summary(room.key(), &Period::Day(date(2026, 6, 2))).await.unwrap(), None);
}

pub async fn a_summary_that_goes_leaves_the_others(store: Empty) {
    let room = Room::simple(&store).await;
    let other = Room::open(&store, "default", "user:other", 77).await;
    let day = Period::Day(date(2026, 6, 1));
    let kept = [Period::Day(date(2026, 6, 2)), Period::Week(date(2026, 6, 1)), Period::Background];
    for period in kept.iter().chain([&day]) {
        room.put(vec![summary_row(summary(period.clone(), "tea"))]).await.unwrap();
        other.put(vec![summary_row(summary(period.clone(), "tea"))]).await.unwrap();
    }
    // What is not there need not go.
    for _ in 0..2 {
        room.put(vec![Row::DropSummary(day.clone())]).await.unwrap();
    }
    assert_eq!(store.summary(room.key(), &day).await.unwrap(), None);
    for period in &kept {
        assert!(store.summary(room.key(), period).await.unwrap().is_some(), "{period:?}");
    }
    assert!(store.summary(other.key(), &day).await.unwrap().is_some(), "another space keeps its own");
}

pub async fn summaries_of_a_level_are_listed_in_their_range(store: Empty) {
    let room = Room::simple(&store).await;
    for day in [9, 3, 5, 7, 1] {
        let rows = vec![
            summary_row(summary(Period::Day(date(2026, 6, day)), &format!("day {day}"))),
            summary_row(summary(Period::Week(date(2026, 6, day)), "a week")),
        ];
        room.put(rows).await.unwrap();
    }
    let days = async |from: &str, until: &str, limit: usize| {
        let found = store.summaries(room.key(), SummaryLevel::Day, from, until, limit).await.unwrap();
        found.into_iter().map(|summary: Summary| summary.text).collect::<Vec<_>>()
    };
    assert_eq!(
        days("2026-06-03", "2026-06-07", 10).await,
        ["day 3", "day 5", "day 7"],
        "both ends belong to it"
    );
    assert_eq!(days("2026-06-04", "2026-06-06", 10).await, ["day 5"]);
    assert_eq!(days("2026-06-01", "2026-06-30", 2).await, ["day 1", "day 3"]);
    assert_eq!(days("2026-06-07", "2026-06-03", 10).await, [""; 0]);
    assert_eq!(days("2027-01-01", "2027-12-31", 10).await, [""; 0]);
}

pub async fn summaries_of_several_periods_come_in_the_order_asked(store: Empty) {
    let room = Room::simple(&store).await;
    let other = Room::open(&store, "default", "user:other", 77).await;
    let (day, week) = (Period::Day(date(2026, 6, 1)), Period::Week(date(2026, 6, 1)));
    let session = Period::Session(session_id("2026-06-01"));
    for (period, text) in [(&day, "a day"), (&week, "a week"), (&session, "a talk")] {
        room.put(vec![summary_row(summary(period.clone(), text))]).await.unwrap();
        other.put(vec![summary_row(summary(period.clone(), "of another"))]).await.unwrap();
    }
    let asked = [session, Period::Background, day, Period::Month(date(2026, 6, 1)), week];
    let found = store.summaries_at(room.key(), &asked).await.unwrap();
    let texts: Vec<&str> = found.iter().map(|summary| summary.text.as_str()).collect();
    assert_eq!(texts, ["a talk", "a day", "a week"]);
    assert_eq!(store.summaries_at(room.key(), &[]).await.unwrap(), []);
}
