//! Who a token belongs to and what it may do.

#![expect(clippy::unwrap_used, reason = "these are tests")]

use jiff::SignedDuration;
use memoir_engine::{Caller, Engine, IssuedKey, NewKey};
use memoir_model::{AuditAction, ErrorCode, Role, TenantId};
use memoir_testkit::{TestEngine, caller, space, tenant};

fn new(role: Role) -> NewKey {
    let space = (role == Role::Own).then(|| space("user:a"));
    NewKey { tenant: None, role, space, label: "a label".into() }
}

async fn issue(engine: &Engine, who: &Caller, new: NewKey) -> IssuedKey {
    engine.create_key(who, new).await.unwrap()
}

async fn refused(engine: &Engine, token: &str) -> bool {
    match engine.authenticate(token).await {
        Ok(_) => false,
        Err(error) => {
            assert_eq!(error.code(), ErrorCode::Unauthenticated);
            assert_eq!(error.message(), "the key is not valid", "the answer is the same whatever is wrong");
            true
        }
    }
}

/// An administrator of a tenant that is not the operator's.
async fn other_admin(engine: &Engine, name: &str) -> Caller {
    engine.put_tenant(&caller(), tenant(name), "Somebody".into()).await.unwrap();
    let key = NewKey { tenant: Some(tenant(name)), ..new(Role::Admin) };
    engine.authenticate(&issue(engine, &caller(), key).await.token).await.unwrap()
}

#[tokio::test]
async fn a_key_is_who_it_was_made_for() {
    let memoir = TestEngine::new();
    assert!(!memoir.engine.has_keys().await.unwrap());
    for role in Role::ALL {
        let issued = issue(&memoir.engine, &caller(), new(role)).await;
        let known = memoir.engine.authenticate(&issued.token).await.unwrap();
        assert_eq!((known.role, known.tenant), (role, TenantId::default_tenant()));
        assert_eq!(known.space, (role == Role::Own).then(|| space("user:a")));
        assert_eq!(known.actor, issued.key.id.to_string());
        assert_eq!(memoir.neighbour().authenticate(&issued.token).await.unwrap().role, role);
    }
    assert!(memoir.engine.has_keys().await.unwrap());
    let listed = memoir.engine.keys(&caller(), None).await.unwrap();
    assert_eq!(listed.len(), 4);
    assert!(listed.iter().all(|key| key.label == "a label" && key.revoked_at.is_none()));
}

#[tokio::test]
async fn a_wrong_token_is_refused_whatever_is_wrong_with_it() {
    let memoir = TestEngine::new();
    let (one, two) = (
        issue(&memoir.engine, &caller(), new(Role::Admin)).await,
        issue(&memoir.engine, &caller(), new(Role::Read)).await,
    );
    memoir.engine.authenticate(&one.token).await.unwrap();
    let (id, secret) = one.token.strip_prefix("mk_").unwrap().split_once('_').unwrap();
    let (_, other_secret) = two.token.strip_prefix("mk_").unwrap().split_once('_').unwrap();
    let wrong = [
        String::new(),
        "mk_".into(),
        "mk__".into(),
        secret.into(),
        format!("mk_{id}"),
        format!("mk_{id}_"),
        format!("mk_{id}_{secret}x"),
        format!("mk_{id}_{}", &secret[1..]),
        format!("mk_{id}_{}", secret.to_uppercase()),
        format!("mk_{id}_{other_secret}"),
        format!("mk_nobody_{secret}"),
        format!(" mk_{id}_{secret}"),
        format!("MK_{id}_{secret}"),
        format!("mk_{id}\0_{secret}"),
        format!("mk_{}_{secret}", "x".repeat(5000)),
        format!("mk_' OR 1=1 --_{secret}"),
    ];
    for token in &wrong {
        assert!(refused(&memoir.engine, token).await, "{token:?}");
    }
    // Nor does a wrong try spoil the right one.
    memoir.engine.authenticate(&one.token).await.unwrap();
    memoir.engine.authenticate(&two.token).await.unwrap();
}

#[tokio::test]
async fn a_revoked_key_works_no_more() {
    let memoir = TestEngine::new();
    let neighbour = memoir.neighbour();
    let issued = issue(&memoir.engine, &caller(), new(Role::Write)).await;
    memoir.engine.authenticate(&issued.token).await.unwrap();
    neighbour.authenticate(&issued.token).await.unwrap();
    let revoked = memoir.engine.revoke_key(&caller(), &issued.key.id).await.unwrap();
    assert_eq!(revoked.revoked_at, Some(memoir.engine.now()));
    assert!(refused(&memoir.engine, &issued.token).await, "here at once");
    memoir.clock.advance(SignedDuration::from_secs(6));
    assert!(refused(&neighbour, &issued.token).await, "elsewhere within seconds");
    let again = memoir.engine.revoke_key(&caller(), &issued.key.id).await.unwrap();
    assert_eq!(again.revoked_at, revoked.revoked_at);
    assert_eq!(memoir.engine.keys(&caller(), None).await.unwrap(), [again]);
    assert!(!memoir.engine.has_keys().await.unwrap());
}

#[tokio::test]
async fn a_clock_that_goes_back_does_not_keep_a_revoked_key_alive() {
    let memoir = TestEngine::new();
    let neighbour = memoir.neighbour();
    let issued = issue(&memoir.engine, &caller(), new(Role::Write)).await;
    neighbour.authenticate(&issued.token).await.unwrap();
    memoir.engine.revoke_key(&caller(), &issued.key.id).await.unwrap();
    memoir.clock.advance(SignedDuration::from_hours(-5));
    assert!(refused(&neighbour, &issued.token).await);
}

#[tokio::test]
async fn the_secret_is_stored_nowhere() {
    let memoir = TestEngine::new();
    let issued = issue(&memoir.engine, &caller(), new(Role::Admin)).await;
    let (_, secret) = issued.token.strip_prefix("mk_").unwrap().split_once('_').unwrap();
    for entry in std::fs::read_dir(memoir.folder()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        assert!(!bytes.windows(secret.len()).any(|part| part == secret.as_bytes()));
    }
    assert!(!format!("{:?}", issued.key).contains(secret));
}

#[tokio::test]
async fn only_an_administrator_makes_lists_and_revokes_keys() {
    let memoir = TestEngine::new();
    let target = issue(&memoir.engine, &caller(), new(Role::Read)).await.key.id;
    for role in [Role::Own, Role::Read, Role::Write] {
        let token = issue(&memoir.engine, &caller(), new(role)).await.token;
        let who = memoir.engine.authenticate(&token).await.unwrap();
        let errors = [
            memoir.engine.create_key(&who, new(Role::Read)).await.err(),
            memoir.engine.keys(&who, None).await.err(),
            memoir.engine.revoke_key(&who, &target).await.err(),
            memoir.engine.tenants(&who).await.err(),
            memoir.engine.put_tenant(&who, tenant("acme"), String::new()).await.err(),
            memoir.engine.audit_log(&who, None, 10).await.err(),
        ];
        for error in errors {
            assert_eq!(error.unwrap().code(), ErrorCode::Forbidden, "{role:?}");
        }
    }
}

#[tokio::test]
async fn an_administrator_of_another_tenant_sees_and_touches_its_own_only() {
    let memoir = TestEngine::new();
    let engine = &memoir.engine;
    let acme = other_admin(engine, "acme").await;
    let globex = other_admin(engine, "globex").await;
    let ours = issue(engine, &caller(), new(Role::Read)).await;
    let theirs = issue(engine, &globex, new(Role::Read)).await;
    assert_eq!(theirs.key.tenant, tenant("globex"));
    for id in [&ours.key.id, &theirs.key.id] {
        assert_eq!(engine.revoke_key(&acme, id).await.unwrap_err().code(), ErrorCode::NotFound);
    }
    let foreign = NewKey { tenant: Some(tenant("globex")), ..new(Role::Admin) };
    assert_eq!(engine.create_key(&acme, foreign).await.unwrap_err().code(), ErrorCode::Forbidden);
    assert_eq!(engine.keys(&acme, Some(&tenant("globex"))).await.unwrap_err().code(), ErrorCode::Forbidden);
    assert_eq!(engine.keys(&acme, None).await.unwrap().len(), 1);
    let tenants = engine.tenants(&acme).await.unwrap();
    assert_eq!(tenants.iter().map(|t| t.id.as_str()).collect::<Vec<_>>(), ["acme"]);
    let error = engine.put_tenant(&acme, tenant("initech"), String::new()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Forbidden);
    let error = engine.put_tenant(&acme, tenant("acme"), "Renamed".into()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Forbidden);
}

#[tokio::test]
async fn an_operator_manages_the_keys_of_every_tenant_and_their_logs_say_so() {
    let memoir = TestEngine::new();
    let engine = &memoir.engine;
    let acme = other_admin(engine, "acme").await;
    let key = issue(engine, &caller(), NewKey { tenant: Some(tenant("acme")), ..new(Role::Write) }).await;
    assert_eq!(engine.authenticate(&key.token).await.unwrap().tenant, tenant("acme"));
    assert_eq!(engine.keys(&caller(), Some(&tenant("acme"))).await.unwrap().len(), 2);
    engine.revoke_key(&caller(), &key.key.id).await.unwrap();
    assert!(refused(engine, &key.token).await);
    let log = engine.audit_log(&acme, None, 10).await.unwrap();
    let mut actions: Vec<_> =
        log.iter().map(|entry| (format!("{:?}", entry.action), entry.actor.as_str())).collect();
    actions.sort();
    let expected = ["KeyCreated", "KeyCreated", "KeyRevoked", "TenantCreated"];
    assert_eq!(actions, expected.map(|action| (action.to_owned(), "test")));
    let own = engine.audit_log(&caller(), None, 10).await.unwrap();
    assert!(own.iter().all(|entry| entry.action != AuditAction::KeyRevoked));
}

#[tokio::test]
async fn a_key_is_for_a_tenant_that_exists() {
    let memoir = TestEngine::new();
    let nobody = NewKey { tenant: Some(tenant("nobody")), ..new(Role::Read) };
    let error = memoir.engine.create_key(&caller(), nobody).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::NotFound);
    issue(&memoir.engine, &caller(), new(Role::Read)).await;
    let tenants = memoir.engine.tenants(&caller()).await.unwrap();
    assert_eq!(tenants[0].id, TenantId::default_tenant(), "the default one is there when it is needed");
}

#[tokio::test]
async fn only_a_self_key_is_bound_to_a_space_and_it_must_be() {
    let memoir = TestEngine::new();
    for role in [Role::Read, Role::Write, Role::Admin] {
        let bound = NewKey { space: Some(space("user:a")), ..new(role) };
        let error = memoir.engine.create_key(&caller(), bound).await.unwrap_err();
        assert_eq!((error.code(), error.field()), (ErrorCode::Invalid, Some("space")));
    }
    let unbound = NewKey { space: None, ..new(Role::Own) };
    let error = memoir.engine.create_key(&caller(), unbound).await.unwrap_err();
    assert_eq!((error.code(), error.field()), (ErrorCode::Invalid, Some("space")));
    let long = NewKey { label: "x".repeat(201), ..new(Role::Read) };
    assert_eq!(memoir.engine.create_key(&caller(), long).await.unwrap_err().field(), Some("label"));
}

#[tokio::test]
async fn a_tenant_keeps_its_birthday_when_its_label_changes() {
    let memoir = TestEngine::new();
    let made = memoir.engine.put_tenant(&caller(), tenant("acme"), "Acme".into()).await.unwrap();
    memoir.clock.advance(SignedDuration::from_hours(1));
    let renamed = memoir.engine.put_tenant(&caller(), tenant("acme"), "Acme Inc.".into()).await.unwrap();
    assert_eq!((renamed.created_at, renamed.label.as_str()), (made.created_at, "Acme Inc."));
    let known = memoir.neighbour().tenants(&caller()).await.unwrap();
    assert!(known.contains(&renamed));
    let error = memoir.engine.put_tenant(&caller(), tenant("acme"), "x".repeat(201)).await.unwrap_err();
    assert_eq!(error.field(), Some("label"));
}
