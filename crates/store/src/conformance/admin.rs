use memoir_model::{
    AuditAction, AuditEntry, ErrorCode, GeneratedId, KeyId, MemoryStatus, Role, TaxonomyName, Tenant,
};

use super::fixtures::{
    AWKWARD, Empty, api_key, at, audit, claim_one, memory, memory_row, refusal, session, set, space_id,
    taxonomy, tenant, to_tenant,
};
use super::room::{Contents, Room};
use crate::{Commit, JobChange, Row, Severity, Stats};

fn key_id(text: &str) -> KeyId {
    KeyId::new(text).unwrap()
}

pub async fn tenants_are_listed_and_called_otherwise(store: Empty) {
    let new = |id: &str, label: &str| Tenant { id: tenant(id), label: label.into(), created_at: at(1) };
    assert_eq!(store.tenants().await.unwrap(), []);
    for (id, label) in [("globex", "Globex"), ("acme", "Acme 公司"), ("globex", "Globex; DROP TABLE tenants")]
    {
        to_tenant(&store, id, vec![Row::Tenant(new(id, label))]).await.unwrap();
    }
    let mut tenants = store.tenants().await.unwrap();
    tenants.sort_by(|a, b| a.id.cmp(&b.id));
    assert_eq!(tenants, [new("acme", "Acme 公司"), new("globex", "Globex; DROP TABLE tenants")]);
}

pub async fn a_key_is_found_by_its_public_part(store: Empty) {
    let mut own = api_key("k1", "acme");
    own.role = Role::Own;
    own.space = Some(space_id("user:张三"));
    own.secret_sha256 = std::array::from_fn(|i| i as u8 ^ 0xff);
    to_tenant(&store, "acme", vec![Row::Key(Box::new(own.clone()))]).await.unwrap();
    assert_eq!(store.key(&own.id).await.unwrap(), Some(own));
    assert_eq!(store.key(&key_id("K1")).await.unwrap(), None);
    for (n, role) in Role::ALL.into_iter().enumerate() {
        let key = memoir_model::ApiKey { role, ..api_key(AWKWARD[n], "acme") };
        to_tenant(&store, "acme", vec![Row::Key(Box::new(key.clone()))]).await.unwrap();
        assert_eq!(store.key(&key.id).await.unwrap(), Some(key));
    }
}

pub async fn keys_of_a_tenant_are_listed_the_oldest_first(store: Empty) {
    for (id, owner, seconds) in [("c", "acme", 1), ("a", "acme", 3), ("b", "acme", 2), ("d", "globex", 0)] {
        let mut key = api_key(id, owner);
        key.created_at = at(seconds);
        to_tenant(&store, owner, vec![Row::Key(Box::new(key))]).await.unwrap();
    }
    let keys = store.keys(&tenant("acme")).await.unwrap();
    assert_eq!(keys.iter().map(|key| key.id.as_str()).collect::<Vec<_>>(), ["c", "b", "a"]);
    assert_eq!(store.keys(&tenant("nobody")).await.unwrap(), []);
}

pub async fn a_revoked_key_is_kept_and_counts_no_more(store: Empty) {
    assert!(!store.has_keys().await.unwrap());
    let (mut one, two) = (api_key("one", "acme"), api_key("two", "globex"));
    to_tenant(&store, "acme", vec![Row::Key(Box::new(one.clone()))]).await.unwrap();
    assert!(store.has_keys().await.unwrap());
    one.revoked_at = Some(at(60));
    one.label = "no longer used".into();
    to_tenant(&store, "acme", vec![Row::Key(Box::new(one.clone()))]).await.unwrap();
    assert!(!store.has_keys().await.unwrap());
    assert_eq!(store.key(&one.id).await.unwrap(), Some(one.clone()));
    assert_eq!(store.keys(&tenant("acme")).await.unwrap(), [one]);
    to_tenant(&store, "globex", vec![Row::Key(Box::new(two))]).await.unwrap();
    assert!(store.has_keys().await.unwrap(), "one key of any tenant is enough");
}

pub async fn a_key_never_moves_to_another_tenant(store: Empty) {
    let key = api_key("k1", "acme");
    to_tenant(&store, "acme", vec![Row::Key(Box::new(key.clone()))]).await.unwrap();
    let mut stolen = api_key("k1", "globex");
    (stolen.label, stolen.secret_sha256, stolen.revoked_at) = ("mine now".into(), [1; 32], Some(at(1)));
    // Refusing it and leaving it out are both safe.
    drop(to_tenant(&store, "globex", vec![Row::Key(Box::new(stolen))]).await);
    assert_eq!(store.key(&key.id).await.unwrap(), Some(key.clone()));
    assert_eq!(store.keys(&tenant("acme")).await.unwrap(), [key]);
    assert_eq!(store.keys(&tenant("globex")).await.unwrap(), []);
}

pub async fn the_audit_log_is_read_the_newest_first_below_an_id(store: Empty) {
    let room = Room::simple(&store).await;
    for n in [3, 1, 5] {
        to_tenant(&store, "acme", vec![Row::Audit(Box::new(audit("acme", n)))]).await.unwrap();
    }
    room.put(vec![Row::Audit(Box::new(audit("acme", 2))), Row::Audit(Box::new(audit("acme", 4)))])
        .await
        .unwrap();
    to_tenant(&store, "globex", vec![Row::Audit(Box::new(audit("globex", 9)))]).await.unwrap();
    let log =
        async |below: Option<GeneratedId>, limit| store.audit(&tenant("acme"), below, limit).await.unwrap();
    assert_eq!(log(None, 100).await, [5, 4, 3, 2, 1].map(|n| audit("acme", n)));
    assert_eq!(log(None, 2).await, [5, 4].map(|n| audit("acme", n)));
    assert_eq!(log(Some(audit("acme", 4).id), 2).await, [3, 2].map(|n| audit("acme", n)));
    assert_eq!(log(Some(audit("acme", 1).id), 2).await, []);
}

pub async fn every_audited_action_is_kept(store: Empty) {
    let actions = [
        AuditAction::SpaceChanged,
        AuditAction::SpaceErased,
        AuditAction::MessageEdited,
        AuditAction::MessageRecalled,
        AuditAction::MessageErased,
        AuditAction::SessionEnded,
        AuditAction::KeyCreated,
        AuditAction::KeyRevoked,
        AuditAction::TenantCreated,
        AuditAction::JobRetried,
        AuditAction::SpaceExported,
    ];
    let mut expected = Vec::new();
    for (n, action) in (0..).zip(actions) {
        let target = AWKWARD.get(usize::from(n)).map(|text| (*text).to_owned());
        let space = target.as_ref().map(|text| space_id(&format!("group:{text}")));
        let entry = AuditEntry { action, target, space, ..audit("acme", n) };
        to_tenant(&store, "acme", vec![Row::Audit(Box::new(entry.clone()))]).await.unwrap();
        expected.insert(0, entry);
    }
    assert_eq!(store.audit(&tenant("acme"), None, 100).await.unwrap(), expected);
}

pub async fn the_newest_taxonomy_is_read_and_no_version_is_replaced(store: Empty) {
    let name = TaxonomyName::new("coach").unwrap();
    for version in [2, 10, 9] {
        let row = Row::Taxonomy(Box::new(taxonomy("coach", version, "as it was")));
        to_tenant(&store, "acme", vec![row]).await.unwrap();
    }
    assert_eq!(
        store.taxonomy(&tenant("acme"), &name).await.unwrap(),
        Some(taxonomy("coach", 10, "as it was"))
    );
    // Refusing it and leaving it out are both safe.
    drop(to_tenant(&store, "acme", vec![Row::Taxonomy(Box::new(taxonomy("coach", 10, "other")))]).await);
    assert_eq!(
        store.taxonomy(&tenant("acme"), &name).await.unwrap(),
        Some(taxonomy("coach", 10, "as it was"))
    );
    assert_eq!(store.taxonomy(&tenant("globex"), &name).await.unwrap(), None);
    assert_eq!(store.taxonomy(&tenant("acme"), &TaxonomyName::new("Coach").unwrap()).await.unwrap(), None);
}

pub async fn stats_count_what_a_tenant_has(store: Empty) {
    let nothing = store.stats(&tenant("acme")).await.unwrap();
    assert_eq!(Stats { store_bytes: 0, ..nothing }, Stats::default());
    let mut one = Room::open(&store, "acme", "user:one", 1).await;
    let two = Room::open(&store, "acme", "user:two", 2).await;
    let mut foreign = Room::open(&store, "globex", "user:one", 3).await;
    foreign.fill_to(7).await;
    foreign.ask(foreign.job(1, "embed", "x", at(900))).await;
    one.fill_to(5).await;
    one.put_session(session(2, "aside")).await.unwrap();
    for n in 1..=3 {
        two.ask(two.job(n, "embed", &n.to_string(), at(i64::from(n) * 100))).await;
    }
    let job = claim_one(&store, at(100)).await;
    two.settle(&job, JobChange::Fail { retry_at: None, error: "no".into() }).await.unwrap();
    claim_one(&store, at(200)).await;

    let stats = store.stats(&tenant("acme")).await.unwrap();
    assert!(stats.store_bytes > 0);
    let counted = Stats { spaces: 2, messages: 5, sessions: 3, jobs_open: 2, jobs_dead: 1, store_bytes: 0 };
    assert_eq!(Stats { store_bytes: 0, ..stats }, counted);

    one.put(vec![Row::EraseSpace]).await.unwrap();
    let stats = store.stats(&tenant("acme")).await.unwrap();
    assert_eq!((stats.spaces, stats.messages, stats.sessions), (1, 0, 1));
}

pub async fn a_row_sent_to_the_wrong_place_is_refused(store: Empty) {
    let room = Room::simple(&store).await;
    let before = Contents::of(&store, room.key()).await;
    let of_a_tenant = [
        Row::Tenant(Tenant { id: tenant("acme"), label: String::new(), created_at: at(0) }),
        Row::Key(Box::new(api_key("k1", "acme"))),
        Row::Taxonomy(Box::new(taxonomy("coach", 1, "words"))),
    ];
    for row in of_a_tenant {
        room.put(vec![Row::Audit(Box::new(audit("acme", 1))), row]).await.unwrap_err();
    }
    let of_a_space = [
        Row::Message(Box::new(room.draft("m1", "tea"))),
        Row::Session(Box::new(session(2, "aside"))),
        memory_row(memory("m", "PREF", MemoryStatus::Active)),
        Row::EraseSpace,
    ];
    for row in of_a_space {
        to_tenant(&store, "acme", vec![Row::Audit(Box::new(audit("acme", 1))), row]).await.unwrap_err();
    }
    assert_eq!(Contents::of(&store, room.key()).await, before);
    assert_eq!(
        (store.tenants().await.unwrap(), store.keys(&tenant("acme")).await.unwrap()),
        (vec![], vec![])
    );
}

pub async fn a_tenants_commit_is_all_or_nothing(store: Empty) {
    let name = TaxonomyName::new("coach").unwrap();
    to_tenant(&store, "acme", vec![Row::Audit(Box::new(audit("acme", 1)))]).await.unwrap();
    let rows = vec![
        Row::Key(Box::new(api_key("k1", "acme"))),
        Row::Taxonomy(Box::new(taxonomy("coach", 1, "words"))),
        Row::Audit(Box::new(audit("acme", 1))),
    ];
    let refused = store.commit(Commit::to_tenant(tenant("acme"), set(rows))).await;
    assert_eq!(refusal(refused), ErrorCode::IdConflict, "no line of the log is ever replaced");
    assert_eq!(store.key(&key_id("k1")).await.unwrap(), None);
    assert_eq!(store.taxonomy(&tenant("acme"), &name).await.unwrap(), None);
}

pub async fn a_store_answers_and_finds_no_fault_in_itself(store: Empty) {
    store.ping().await.unwrap();
    let mut room = Room::simple(&store).await;
    room.furnish().await;
    let findings = store.check().await.unwrap();
    assert!(!findings.is_empty(), "an examination says what it looked at");
    assert!(findings.iter().all(|finding| finding.severity == Severity::Fine), "{findings:?}");
    let job = claim_one(&store, at(1000)).await;
    room.settle(&job, JobChange::Fail { retry_at: None, error: "no".into() }).await.unwrap();
    let findings = store.check().await.unwrap();
    let warnings = findings.iter().filter(|finding| finding.severity == Severity::Warning).count();
    assert_eq!(warnings, 1, "a dead job is worth a look: {findings:?}");
}
