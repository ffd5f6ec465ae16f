//! Everything in a space, line by line, and back again (X2).

#![expect(clippy::unwrap_used, reason = "these are tests")]

use futures::TryStreamExt;
use memoir_engine::{Caller, Edit, Engine, EngineSettings, ExportLine, NewMessage, NewSession, SpacePatch};
use memoir_model::{
    Attachment, AuditAction, Confidence, EndReason, ErrorCode, Importance, KindName, Memory, MemoryId,
    MemoryStatus, Message, MessageState, Metadata, Period, Preset, Role, Summary, TaxonomyName, TenantId,
    Zone,
};
use memoir_sqlite::Durability;
use memoir_store::{Commit, Row, WriteSet};
use memoir_testkit::{
    TestEngine, at, author, caller, found, message, message_id, messages, remember, say, session_id,
    sessions, space, thread,
};

const ROOM: &str = "user:a";

async fn exported(engine: &Engine, who: &Caller) -> Vec<ExportLine> {
    engine.export(who, &space(ROOM)).await.unwrap().try_collect().await.unwrap()
}

fn reader() -> Caller {
    Caller { tenant: TenantId::default_tenant(), role: Role::Read, space: None, actor: "reader".into() }
}

fn messages_of(lines: &[ExportLine]) -> Vec<&Message> {
    lines
        .iter()
        .filter_map(|line| match line {
            ExportLine::Message { message, .. } => Some(message),
            _ => None,
        })
        .collect()
}

/// A space in which a bit of everything has happened.
async fn lived_in(memoir: &TestEngine) {
    let engine = &memoir.engine;
    let metadata: Metadata = serde_json::from_value(serde_json::json!({"plan": "gold"})).unwrap();
    let patch = SpacePatch {
        zone: Some("Europe/Paris".parse().unwrap()),
        preset: Some(Preset::Reading),
        metadata: Some(metadata.clone()),
    };
    engine.put_space(&caller(), &space(ROOM), patch).await.unwrap();
    let task = Some("read more".into());
    let new =
        NewSession { id: Some(session_id("s1")), task, thread: thread("books"), metadata: metadata.clone() };
    engine.open_session(&caller(), &space(ROOM), new).await.unwrap();
    let attachment =
        Attachment {
            reference: "img".into(), media_type: "image/png".into(), caption: Some("封面".into())
        };
    let full = NewMessage {
        session: Some(session_id("s1")),
        author: Some(author("小王")),
        mentions: vec![author("bob")],
        attachments: vec![attachment],
        reply_to: Some(message_id("m0")),
        metadata,
        ..at(message(ROOM, "m1", "我在读《三体》\nand I like it"), "2025-12-31T23:30:00.000001Z")
    };
    remember(
        engine,
        vec![
            full,
            message(ROOM, "edited", "first words"),
            message(ROOM, "recalled", "withdrawn words"),
            message(ROOM, "erased", "forgotten words"),
            message(ROOM, "last", "good night"),
        ],
    )
    .await;
    for words in ["second words", "third words"] {
        let edit = Edit { content: Some(words.into()), ..Edit::default() };
        engine.edit_message(&caller(), &space(ROOM), &message_id("edited"), edit).await.unwrap();
    }
    engine.recall_message(&caller(), &space(ROOM), &message_id("recalled")).await.unwrap();
    engine.erase_message(&caller(), &space(ROOM), &message_id("erased")).await.unwrap();
    memoir.clock.advance(jiff::SignedDuration::from_mins(7));
    engine.end_session(&caller(), &space(ROOM), &session_id("s1"), EndReason::Call).await.unwrap();
}

#[tokio::test]
async fn an_export_has_everything_from_the_space_to_the_end() {
    let memoir = TestEngine::new();
    lived_in(&memoir).await;
    let lines = exported(&memoir.engine, &caller()).await;
    let ExportLine::Space(known) = &lines[0] else { panic!("{:?}", lines[0]) };
    assert_eq!(*known, memoir.engine.space(&caller(), &space(ROOM)).await.unwrap());
    assert_eq!(lines.last(), Some(&ExportLine::End { messages: 5 }));
    let told: Vec<_> = lines
        .iter()
        .filter_map(|line| match line {
            ExportLine::Session(session) => Some(session.clone()),
            _ => None,
        })
        .collect();
    let mut stored = sessions(&memoir.engine, &space(ROOM)).await;
    stored.reverse();
    assert_eq!(told, stored);
    let full = messages_of(&lines)[0];
    assert_eq!(
        *full,
        memoir.engine.message(&caller(), &space(ROOM), &message_id("m1")).await.unwrap().message
    );
    let versions = lines.iter().find_map(|line| match line {
        ExportLine::Message { message, versions } if message.id == message_id("edited") => Some(versions),
        _ => None,
    });
    let versions: Vec<_> = versions.unwrap().iter().map(|version| version.content.as_str()).collect();
    assert_eq!(versions, ["first words", "second words"]);
}

#[tokio::test]
async fn every_line_survives_being_written_as_json() {
    let memoir = TestEngine::new();
    lived_in(&memoir).await;
    for line in exported(&memoir.engine, &caller()).await {
        let text = serde_json::to_string(&line).unwrap();
        assert!(!text.contains('\n'), "one line is one line");
        assert_eq!(serde_json::from_str::<ExportLine>(&text).unwrap(), line);
    }
}

#[tokio::test]
async fn the_withdrawn_is_the_administrators_and_the_erased_is_nobodys() {
    let memoir = TestEngine::new();
    lived_in(&memoir).await;
    let text = |lines: &[ExportLine]| serde_json::to_string(lines).unwrap();
    let whole = text(&exported(&memoir.engine, &caller()).await);
    assert!(whole.contains("withdrawn words") && !whole.contains("forgotten words"));
    let shown = text(&exported(&memoir.engine, &reader()).await);
    assert!(!shown.contains("withdrawn words") && !shown.contains("forgotten words"));
    assert!(shown.contains("first words") && shown.contains("third words"));
    let own = Caller { role: Role::Own, space: Some(space(ROOM)), ..reader() };
    assert_eq!(text(&exported(&memoir.engine, &own).await), shown);
    let states: Vec<_> =
        messages_of(&exported(&memoir.engine, &reader()).await).iter().map(|message| message.state).collect();
    assert!(
        states.contains(&MessageState::Recalled) && states.contains(&MessageState::Erased),
        "that they were stays"
    );
}

#[tokio::test]
async fn what_was_derived_is_in_the_export() {
    let memoir = TestEngine::new();
    lived_in(&memoir).await;
    let now = memoir.engine.now();
    let summary = |period: Period| Summary {
        text: "they read".into(),
        topics: vec!["books".into()],
        sources: Some((1, 5)),
        ..Summary::blank(period, Zone::utc(), now)
    };
    let day = jiff::civil::date(2026, 1, 7);
    let periods = [
        Period::Session(session_id("s1")),
        Period::Day(day),
        Period::week_of(day).unwrap(),
        Period::month_of(day),
        Period::Background,
    ];
    let memory = Memory {
        id: MemoryId::new("mem1").unwrap(),
        content: "likes science fiction".into(),
        kind: KindName::new("PREF").unwrap(),
        taxonomy: (TaxonomyName::new("general").unwrap(), 1),
        subject: None,
        slot: None,
        confidence: Confidence::new(0.9).unwrap(),
        importance: Importance::new(0.7).unwrap(),
        task: None,
        valid_from: None,
        valid_to: None,
        sources: vec![1],
        merged_from: Vec::new(),
        superseded_by: None,
        version: 1,
        status: MemoryStatus::Active,
        pinned: false,
        access_count: 0,
        accessed_at: None,
        expires_at: None,
        metadata: Metadata::new(),
        created_at: now,
        updated_at: now,
    };
    let mut rows: Vec<Row> = periods
        .iter()
        .map(|period| Row::Summary { summary: Box::new(summary(period.clone())), terms: Vec::new() })
        .collect();
    rows.push(Row::Memory { memory: Box::new(memory.clone()), terms: Vec::new() });
    let key = memoir.engine.space(&caller(), &space(ROOM)).await.unwrap().key();
    memoir
        .engine
        .store()
        .commit(Commit::to_space(key, WriteSet { rows, ..WriteSet::default() }))
        .await
        .unwrap();
    let lines = exported(&memoir.engine, &caller()).await;
    for period in periods {
        assert!(lines.contains(&ExportLine::Summary(summary(period))));
    }
    assert!(lines.contains(&ExportLine::Memory(memory)));
    let text = serde_json::to_string(&lines).unwrap();
    assert_eq!(serde_json::from_str::<Vec<ExportLine>>(&text).unwrap(), lines);
}

#[tokio::test]
async fn a_large_space_is_exported_whole_and_each_message_once() {
    let memoir =
        TestEngine::with(EngineSettings::default(), |options| options.durability = Durability::Normal);
    // Many at the same moment, so that pages end in the middle of one.
    for start in [0, 800] {
        let batch = (start..start + 800).map(|n| {
            let named =
                NewMessage { session: Some(session_id(&format!("s{}", n % 700))), ..message(ROOM, "", "x") };
            NewMessage {
                id: Some(message_id(&format!("m{n}"))),
                ..at(named, &format!("2026-01-0{}T00:00:00Z", n % 3 + 1))
            }
        });
        remember(&memoir.engine, batch.collect()).await;
    }
    let lines = exported(&memoir.engine, &caller()).await;
    let mut ids: Vec<_> = messages_of(&lines).iter().map(|message| message.id.to_string()).collect();
    assert_eq!(ids.len(), 1600);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 1600);
    assert_eq!(lines.iter().filter(|line| matches!(line, ExportLine::Session(_))).count(), 700);
    assert_eq!(lines.last(), Some(&ExportLine::End { messages: 1600 }));
}

#[tokio::test]
async fn an_exported_space_can_be_brought_in_elsewhere() {
    let memoir = TestEngine::new();
    lived_in(&memoir).await;
    let lines = exported(&memoir.engine, &caller()).await;
    let other = TestEngine::new();
    other.clock.set("2026-02-01T00:00:00Z");
    let home = space(ROOM);
    // Twice, because an import that broke off is begun again.
    for _ in 0..2 {
        let mut ended = Vec::new();
        for line in &lines {
            match line.clone() {
                ExportLine::Space(known) => {
                    other.engine.adopt_space(&caller(), &home, known).await.unwrap();
                }
                ExportLine::Session(known) => {
                    let (id, thread) = (Some(known.id.clone()), known.thread.clone());
                    let new =
                        NewSession { id, thread, task: known.task.clone(), metadata: known.metadata.clone() };
                    other.engine.open_session(&caller(), &home, new).await.unwrap();
                    ended.push(known);
                }
                ExportLine::Message { message, .. } if message.state == MessageState::Active => {
                    let renewed = NewMessage {
                        space: home.clone(),
                        id: Some(message.id),
                        session: Some(message.session),
                        thread: message.thread,
                        author: Some(message.author),
                        role: message.role,
                        content: message.content,
                        said_at: Some(message.said_at),
                        reply_to: message.reply_to,
                        mentions: message.mentions,
                        attachments: message.attachments,
                        metadata: message.metadata,
                    };
                    remember(&other.engine, vec![renewed]).await;
                }
                _ => {}
            }
        }
        for session in ended {
            if let Some((at, reason)) = session.ended {
                other.engine.end_session_at(&caller(), &home, &session.id, at, reason).await.unwrap();
            }
        }
    }
    let plain = |message: &Message| {
        let mut plain = message.clone();
        (plain.seq, plain.recorded_at, plain.version) = (0, jiff::Timestamp::UNIX_EPOCH, 1);
        plain
    };
    let there: Vec<_> = messages(&other.engine, &home).await.iter().map(plain).collect();
    let here: Vec<_> =
        messages_of(&lines).into_iter().filter(|m| m.state == MessageState::Active).map(plain).collect();
    assert_eq!(there, here);
    let (before, after) = (sessions(&memoir.engine, &home).await, sessions(&other.engine, &home).await);
    let s1 = |sessions: &[memoir_model::Session]| {
        let known = sessions.iter().find(|session| session.id == session_id("s1")).unwrap().clone();
        (known.ended, known.messages, known.task, known.thread, known.first_said_at, known.last_said_at)
    };
    assert_eq!(s1(&after), s1(&before));
    let (known, original) = (
        other.engine.space(&caller(), &home).await.unwrap(),
        memoir.engine.space(&caller(), &home).await.unwrap(),
    );
    assert_eq!(
        (known.zones, known.preset, known.metadata),
        (original.zones, original.preset, original.metadata)
    );
    assert_eq!(found(&other.engine, &home, "三体").await, found(&memoir.engine, &home, "三体").await);
}

#[tokio::test]
async fn an_export_is_noted_and_of_nothing_there_is_none() {
    let memoir = TestEngine::new();
    let error = memoir.engine.export(&caller(), &space(ROOM)).await.err().unwrap();
    assert_eq!(error.code(), ErrorCode::NotFound);
    assert!(memoir.engine.audit_log(&caller(), None, 10).await.unwrap().is_empty());
    say(&memoir.engine, message(ROOM, "m1", "words")).await;
    exported(&memoir.engine, &reader()).await;
    let log = memoir.engine.audit_log(&caller(), None, 10).await.unwrap();
    assert_eq!((log[0].action, log[0].actor.as_str()), (AuditAction::SpaceExported, "reader"));
    assert_eq!(log[0].space, Some(space(ROOM)));
}

#[tokio::test]
async fn a_space_that_grows_while_it_is_exported_loses_nothing_it_had() {
    let memoir = TestEngine::new();
    remember(&memoir.engine, (0..900).map(|n| message(ROOM, &format!("m{n}"), "words")).collect()).await;
    let mut stream = memoir.engine.export(&caller(), &space(ROOM)).await.unwrap();
    let mut lines = Vec::new();
    while let Some(line) = stream.try_next().await.unwrap() {
        lines.push(line);
        if lines.len() % 200 == 0 {
            memoir.clock.advance(jiff::SignedDuration::from_secs(1));
            say(&memoir.engine, message(ROOM, &format!("new{}", lines.len()), "words")).await;
        }
    }
    let ids: Vec<_> = messages_of(&lines).iter().map(|message| message.id.to_string()).collect();
    assert!((0..900).all(|n| ids.contains(&format!("m{n}"))));
    assert_eq!(lines.last(), Some(&ExportLine::End { messages: ids.len() as u64 }));
}

#[tokio::test]
async fn an_export_of_a_space_that_is_erased_meanwhile_shows_that_it_was_cut() {
    let memoir = TestEngine::new();
    remember(&memoir.engine, (0..900).map(|n| message(ROOM, &format!("m{n}"), "words")).collect()).await;
    let mut stream = memoir.engine.export(&caller(), &space(ROOM)).await.unwrap();
    for _ in 0..100 {
        stream.try_next().await.unwrap().unwrap();
    }
    memoir.engine.erase_space(&caller(), &space(ROOM)).await.unwrap();
    let rest: Result<Vec<ExportLine>, _> = stream.try_collect().await;
    let cut = rest.map(|lines| lines.len()).unwrap_err();
    assert_eq!(cut.code(), ErrorCode::NotFound, "it must not end as if it were whole");
}
