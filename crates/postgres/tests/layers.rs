//! Summaries on PostgreSQL: two nodes share the work of the night, and what is erased on one is gone for the other.

#![expect(clippy::unwrap_used, reason = "these are tests")]

use jiff::civil::date;
use memoir_engine::{ContextRequest, Engine, HistoryFound, NewMessage};
use memoir_model::{BlockKind, EndReason, Period, Summary};
use memoir_testkit::{
    FakeClock, TestDatabase, at, caller, message, message_id, remember, session_id, space, until,
};

const ROOM: &str = "user:a";

fn said(id: &str, time: &str, words: &str) -> NewMessage {
    NewMessage { session: Some(session_id("tuesday")), ..at(message(ROOM, id, words), time) }
}

async fn summary(engine: &Engine, period: Period) -> Option<Summary> {
    let key = engine.space(&caller(), &space(ROOM)).await.unwrap().key();
    engine.store().summary(&key, &period).await.unwrap()
}

#[tokio::test]
async fn two_nodes_keep_the_layers_of_one_database() {
    let database = TestDatabase::new().await;
    let clock = FakeClock::at("2026-01-06T20:00:00+08:00");
    let (one, other) = (database.engine(&clock).await, database.engine(&clock).await);
    let talk = vec![
        said("knee", "2026-01-06T09:00:00+08:00", "我昨晚一直睡不好，膝盖也有点疼，医生给我开了布洛芬。"),
        said("run", "2026-01-06T09:02:00+08:00", "我每天跑步五公里，是不是该停一停？"),
        said(
            "trip",
            "2026-01-06T09:05:00+08:00",
            "我决定下个月带女儿小雨去厦门旅游，住在鼓浪屿，预算五千元。",
        ),
    ];
    remember(&one, talk).await;
    one.end_session(&caller(), &space(ROOM), &session_id("tuesday"), EndReason::Call).await.unwrap();
    let _workers = [one.start_workers(), other.start_workers()];
    clock.set("2026-01-07T00:31:00+08:00");
    let tuesday = Period::Day(date(2026, 1, 6));
    let day = until("the day is summed up", async || summary(&other, tuesday.clone()).await).await;
    assert_eq!((day.sessions, day.messages), (1, 3));
    until("the background follows", async || summary(&other, Period::Background).await).await;

    let request = ContextRequest {
        space: Some(space(ROOM)),
        message: "昨天我们聊了什么？".into(),
        ..ContextRequest::default()
    };
    let reply = other.context(&caller(), request).await.unwrap();
    assert_eq!(reply.history.unwrap().found, HistoryFound::Ready);
    assert!(reply.context.blocks.iter().any(|block| block.kind == BlockKind::Summaries));

    one.erase_message(&caller(), &space(ROOM), &message_id("knee")).await.unwrap();
    for period in [tuesday, Period::Background, Period::Session(session_id("tuesday"))] {
        let left = summary(&other, period.clone()).await;
        assert!(!format!("{left:?}").contains("膝盖"), "{period:?}: {left:?}");
    }
}
