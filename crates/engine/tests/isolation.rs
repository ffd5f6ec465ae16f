//! Another tenant, and a caller bound to one space, see nothing that is not theirs, on every call.

#![expect(clippy::unwrap_used, reason = "these are tests")]

use futures::StreamExt;
use memoir_engine::{
    Caller, Edit, Engine, MessageQuery, NewKey, NewMessage, NewSession, SearchRequest, SpacePatch, SpaceRange,
};
use memoir_model::{EndReason, Error, ErrorCode, GeneratedId, Preset, Role, SessionId};
use memoir_testkit::{
    TestEngine, caller, found, message, message_id, messages, say, session_id, space, tenant,
};

const ROOM: &str = "user:a";

fn as_role(role: Role, bound_to: Option<&str>) -> Caller {
    Caller {
        tenant: memoir_model::TenantId::default_tenant(),
        role,
        space: bound_to.map(space),
        actor: "somebody".into(),
    }
}

fn search(query: &str) -> SearchRequest {
    SearchRequest { query: query.into(), limit: 10, ..SearchRequest::default() }
}

/// The error of every call that reads a space.
async fn reads(
    engine: &Engine,
    who: &Caller,
    place: &str,
    session: &SessionId,
) -> Vec<(&'static str, Option<Error>)> {
    let place = space(place);
    let in_session = Some(session);
    let everything = || MessageQuery::all(10);
    vec![
        ("space", engine.space(who, &place).await.err()),
        ("messages", engine.messages(who, &place, None, everything()).await.err()),
        ("messages of a session", engine.messages(who, &place, in_session, everything()).await.err()),
        ("message", engine.message(who, &place, &message_id("m1")).await.err()),
        ("sessions", engine.sessions(who, &place, None, 10).await.err()),
        ("session", engine.session(who, &place, session).await.err()),
        ("window", engine.window(who, &place, session, None).await.err()),
        ("search", engine.search_messages(who, &place, search("secret")).await.err()),
        ("export", engine.export(who, &place).await.err()),
    ]
}

/// The error of every call that changes what is in a space.
async fn writes(
    engine: &Engine,
    who: &Caller,
    place: &str,
    session: &SessionId,
) -> Vec<(&'static str, Option<Error>)> {
    let place = space(place);
    let edit = || Edit { content: Some("mine now".into()), ..Edit::default() };
    vec![
        ("edit", engine.edit_message(who, &place, &message_id("m1"), edit()).await.err()),
        ("recall", engine.recall_message(who, &place, &message_id("m1")).await.err()),
        ("erase", engine.erase_message(who, &place, &message_id("m1")).await.err()),
        ("end", engine.end_session(who, &place, session, EndReason::Call).await.err()),
        ("end at", engine.end_session_at(who, &place, session, engine.now(), EndReason::Call).await.err()),
        ("erase the space", engine.erase_space(who, &place).await.err()),
    ]
}

/// The error of every call that would make something in a space.
async fn makes(engine: &Engine, who: &Caller, place: &str) -> Vec<(&'static str, Option<Error>)> {
    let patch = SpacePatch { preset: Some(Preset::Coach), ..SpacePatch::default() };
    vec![
        ("remember", engine.remember(who, vec![Ok(message(place, "new", "x"))]).await.err()),
        ("open", engine.open_session(who, &space(place), NewSession::default()).await.err()),
        ("put", engine.put_space(who, &space(place), patch).await.err()),
    ]
}

/// The error of every call that manages a tenant.
async fn manages(engine: &Engine, who: &Caller, job: GeneratedId) -> Vec<(&'static str, Option<Error>)> {
    let new = NewKey { tenant: None, role: Role::Read, space: None, label: String::new() };
    let key = memoir_model::KeyId::new("k").unwrap();
    vec![
        ("jobs", engine.jobs(who, None, None, None, 10).await.err()),
        ("job", engine.job(who, job).await.err()),
        ("retry", engine.retry_job(who, job).await.err()),
        ("audit", engine.audit_log(who, None, 10).await.err()),
        ("keys", engine.keys(who, None).await.err()),
        ("create key", engine.create_key(who, new).await.err()),
        ("revoke key", engine.revoke_key(who, &key).await.err()),
        ("tenants", engine.tenants(who).await.err()),
        ("put tenant", engine.put_tenant(who, tenant("acme"), String::new()).await.err()),
    ]
}

fn all_are(code: ErrorCode, errors: Vec<(&'static str, Option<Error>)>) {
    for (call, error) in errors {
        assert_eq!(error.map(|error| error.code()), Some(code), "{call}");
    }
}

/// A room with a secret in it, and the job that will close its session.
async fn furnished(memoir: &TestEngine) -> (SessionId, GeneratedId) {
    let session = say(&memoir.engine, message(ROOM, "m1", "a secret")).await.session.unwrap();
    let jobs = memoir.engine.jobs(&caller(), None, None, None, 10).await.unwrap();
    (session, jobs[0].id)
}

/// Nothing was changed by anybody.
async fn untouched(engine: &Engine) {
    let stored = messages(engine, &space(ROOM)).await;
    assert_eq!((stored.len(), stored[0].content.as_str(), stored[0].version), (1, "a secret", 1));
    let known = engine.space(&caller(), &space(ROOM)).await.unwrap();
    assert_eq!((known.preset, known.last_session), (Preset::General, 1));
    let session = engine.session(&caller(), &space(ROOM), &stored[0].session).await.unwrap();
    assert!(session.is_open());
}

#[tokio::test]
async fn another_tenant_sees_nothing_on_every_call() {
    let memoir = TestEngine::new();
    let (session, job) = furnished(&memoir).await;
    let engine = &memoir.engine;
    // Once what is asked for is in memory, and once it is not.
    found(engine, &space(ROOM), "secret").await;
    engine.window(&caller(), &space(ROOM), &session, None).await.unwrap();
    let stranger = Caller::local(tenant("acme"), "stranger");
    let cold = memoir.neighbour();
    for engine in [engine, &cold] {
        all_are(ErrorCode::NotFound, reads(engine, &stranger, ROOM, &session).await);
        all_are(ErrorCode::NotFound, writes(engine, &stranger, ROOM, &session).await);
        for (call, error) in manages(engine, &stranger, job).await {
            if ["job", "retry", "revoke key", "create key"].contains(&call) {
                assert_eq!(error.map(|error| error.code()), Some(ErrorCode::NotFound), "{call}");
            }
        }
        assert!(engine.spaces(&stranger, SpaceRange { after: None, limit: 10 }).await.unwrap().is_empty());
        assert!(engine.jobs(&stranger, None, None, None, 10).await.unwrap().is_empty());
        assert!(engine.audit_log(&stranger, None, 10).await.unwrap().is_empty());
        assert!(engine.keys(&stranger, None).await.unwrap().is_empty());
        let error = engine.jobs(&stranger, Some(&space(ROOM)), None, None, 10).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::NotFound);
        let stats = engine.stats(&stranger).await.unwrap();
        assert_eq!((stats.spaces, stats.messages, stats.sessions, stats.jobs_open), (0, 0, 0, 0));
    }
    untouched(engine).await;
}

#[tokio::test]
async fn two_tenants_with_a_space_of_the_same_name_have_two_spaces() {
    let memoir = TestEngine::new();
    let (session, _) = furnished(&memoir).await;
    let stranger = Caller::local(tenant("acme"), "stranger");
    let engine = &memoir.engine;
    let receipts = engine.remember(&stranger, vec![Ok(message(ROOM, "m1", "another secret"))]).await.unwrap();
    assert_eq!((receipts[0].seq, receipts[0].status.as_str()), (Some(1), "created"));
    let page = engine.search_messages(&stranger, &space(ROOM), search("secret")).await.unwrap();
    assert_eq!(page.hits.len(), 1);
    assert_eq!(page.hits[0].message.content, "another secret");
    assert_eq!(
        engine.window(&stranger, &space(ROOM), &session, None).await.unwrap_err().code(),
        ErrorCode::NotFound
    );
    let patch = SpacePatch { preset: Some(Preset::Coach), ..SpacePatch::default() };
    engine.put_space(&stranger, &space(ROOM), patch).await.unwrap();
    untouched(engine).await;
    // The one's end is not the other's.
    engine.erase_space(&stranger, &space(ROOM)).await.unwrap();
    untouched(engine).await;
    assert_eq!(found(engine, &space(ROOM), "secret").await, ["m1"]);
    let log = engine.audit_log(&caller(), None, 10).await.unwrap();
    assert!(log.is_empty(), "{log:?}");
}

#[tokio::test]
async fn a_bound_caller_reads_its_own_space_and_changes_nothing() {
    let memoir = TestEngine::new();
    let (session, job) = furnished(&memoir).await;
    let own = as_role(Role::Own, Some(ROOM));
    let engine = &memoir.engine;
    for (call, error) in reads(engine, &own, ROOM, &session).await {
        assert!(error.is_none(), "{call}: {error:?}");
    }
    all_are(ErrorCode::Forbidden, writes(engine, &own, ROOM, &session).await);
    all_are(ErrorCode::Forbidden, makes(engine, &own, ROOM).await);
    all_are(ErrorCode::Forbidden, manages(engine, &own, job).await);
    assert_eq!(engine.stats(&own).await.unwrap_err().code(), ErrorCode::Forbidden);
    untouched(engine).await;
}

#[tokio::test]
async fn a_bound_caller_learns_nothing_of_other_spaces_not_even_whether_they_exist() {
    let memoir = TestEngine::new();
    let (session, _) = furnished(&memoir).await;
    say(&memoir.engine, message("user:b", "m1", "words of b")).await;
    let own = as_role(Role::Own, Some("user:b"));
    let engine = &memoir.engine;
    let of = |errors: Vec<(&'static str, Option<Error>)>| {
        errors.into_iter().map(|(call, error)| (call, error.unwrap())).collect::<Vec<_>>()
    };
    let there = of(reads(engine, &own, ROOM, &session).await);
    let nowhere = of(reads(engine, &own, "user:nobody", &session).await);
    assert_eq!(there, nowhere);
    assert!(there.iter().all(|(_, error)| error.code() == ErrorCode::Forbidden));
    all_are(ErrorCode::Forbidden, writes(engine, &own, ROOM, &session).await);
    let listed = engine.spaces(&own, SpaceRange { after: None, limit: 10 }).await.unwrap();
    assert_eq!(listed.iter().map(|space| space.id.to_string()).collect::<Vec<_>>(), ["user:b"]);
    let after = SpaceRange { after: Some(space("user:b")), limit: 10 };
    assert!(engine.spaces(&own, after).await.unwrap().is_empty());
    let unborn = as_role(Role::Own, Some("user:unborn"));
    assert!(engine.spaces(&unborn, SpaceRange { after: None, limit: 10 }).await.unwrap().is_empty());
    untouched(engine).await;
}

#[tokio::test]
async fn roles_can_do_what_they_say_and_no_more() {
    let memoir = TestEngine::new();
    let (session, job) = furnished(&memoir).await;
    let engine = &memoir.engine;
    let reader = as_role(Role::Read, None);
    for (call, error) in reads(engine, &reader, ROOM, &session).await {
        assert!(error.is_none(), "{call}: {error:?}");
    }
    assert!(engine.stats(&reader).await.is_ok());
    all_are(ErrorCode::Forbidden, writes(engine, &reader, ROOM, &session).await);
    all_are(ErrorCode::Forbidden, makes(engine, &reader, ROOM).await);
    all_are(ErrorCode::Forbidden, manages(engine, &reader, job).await);
    untouched(engine).await;

    let writer = as_role(Role::Write, None);
    all_are(ErrorCode::Forbidden, manages(engine, &writer, job).await);
    let error = engine.erase_space(&writer, &space(ROOM)).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Forbidden, "a whole space is the administrator's to erase");
    untouched(engine).await;
    for (call, error) in makes(engine, &writer, "user:new").await {
        assert!(error.is_none(), "{call}: {error:?}");
    }
    for (call, error) in writes(engine, &writer, ROOM, &session).await {
        assert_eq!(error.is_some(), call == "erase the space", "{call}: {error:?}");
    }
}

#[tokio::test]
async fn words_never_pass_from_one_space_to_another() {
    let memoir = TestEngine::new();
    let engine = &memoir.engine;
    for n in 0..20 {
        let place = format!("user:{n}");
        let reply = NewMessage {
            reply_to: Some(message_id("m1")),
            session: Some(session_id("s")),
            ..message(&place, "m2", &format!("word{} of {place}", (b'a' + n) as char))
        };
        say(engine, message(&place, "m1", &format!("the secret of {place}"))).await;
        say(engine, reply).await;
    }
    for n in 0..20 {
        let place = space(&format!("user:{n}"));
        let everything = [
            format!("{:?}", engine.messages(&caller(), &place, None, MessageQuery::all(100)).await.unwrap()),
            format!(
                "{:?}",
                engine.search_messages(&caller(), &place, search("secret word of user")).await.unwrap()
            ),
            format!("{:?}", engine.window(&caller(), &place, &session_id("s"), None).await.unwrap()),
            format!("{:?}", engine.message(&caller(), &place, &message_id("m2")).await.unwrap()),
            format!("{:?}", engine.export(&caller(), &place).await.unwrap().collect::<Vec<_>>().await),
        ];
        for text in everything {
            for other in (0..20).filter(|other| *other != n) {
                assert!(!text.contains(&format!("of user:{other}\"")), "user:{n} shows user:{other}: {text}");
            }
        }
    }
}
