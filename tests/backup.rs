//! `memoir backup`, `memoir restore` and `memoir doctor`: copies that are whole, damage that is found, and a store that is
//! never worse off for a command that failed.
#![expect(clippy::unwrap_used, clippy::panic, reason = "these are tests")]

use jiff::Timestamp;
use memoir_model::{GeneratedId, JobState, Lane, NewJob, TenantId};
use memoir_sqlite::{Options, SqliteStore};
use memoir_store::{Claim, Commit, JobChange, Store, WriteSet};
use memoir_testkit::{Binary, Process, until};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;

struct Setup {
    folder: TempDir,
    memoir: Binary,
}

impl Setup {
    /// A store with a few hundred messages in two spaces.
    fn new() -> Self {
        let setup = Setup::empty();
        let line = |n: usize| {
            let space = ["user:a", "group:g"][n % 2];
            json!({ "space": space, "id": format!("m{n}"), "content": format!("第{n}句 words {}", "说".repeat(200)) }).to_string()
        };
        let file = setup.path("in.ndjson");
        std::fs::write(&file, (0..400).map(|n| line(n) + "\n").collect::<String>()).unwrap();
        setup.memoir.succeed(&["import", file.to_str().unwrap()]);
        setup
    }

    fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let memoir = Binary::new(env!("CARGO_BIN_EXE_memoir"), folder.path().join("data"));
        Setup { folder, memoir }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn backup(&self, name: &str) -> PathBuf {
        self.memoir.succeed(&["backup", self.path(name).to_str().unwrap()]);
        self.path(name)
    }

    /// Another data folder.
    fn elsewhere(&self, name: &str) -> Binary {
        Binary::new(env!("CARGO_BIN_EXE_memoir"), self.path(name))
    }
}

/// The exit code of the doctor and what it found.
fn examine(memoir: &Binary) -> (i32, Vec<Value>) {
    let output = memoir.run(&["doctor", "--json"]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let findings =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("not JSON ({e}): {errors}"));
    (output.status.code().unwrap(), findings)
}

fn everything(memoir: &Binary) -> Vec<Value> {
    ["user:a", "group:g"].iter().flat_map(|space| memoir.export(space)).collect()
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

#[test]
fn a_backup_is_restored_into_an_empty_folder() {
    let setup = Setup::new();
    let copy = setup.backup("copy.db");
    let other = setup.elsewhere("other");
    let told = other.json(&["restore", copy.to_str().unwrap()]);
    assert_eq!(
        (&told["copy"]["messages"], &told["copy"]["spaces"], &told["kept"]),
        (&json!(400), &json!(2), &Value::Null)
    );
    assert_eq!(everything(&other), everything(&setup.memoir));
    assert_eq!(examine(&other).0, 0);
    assert_eq!(
        files(setup.folder.path()),
        ["copy.db", "data", "in.ndjson", "other"],
        "nothing is left beside the backup"
    );
    let text = setup.elsewhere("third").succeed(&["restore", copy.to_str().unwrap()]);
    assert!(text.contains("400 messages in 2 spaces"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_of_a_server_that_is_being_written_to_has_all_that_was_acknowledged_before_it() {
    let setup = Setup::empty();
    let server = setup.memoir.serve(&[]);
    let acknowledged = Arc::new(AtomicU64::new(0));
    let (url, count) = (server.url("/v1/messages"), acknowledged.clone());
    let writer = tokio::spawn(async move {
        let http = reqwest::Client::new();
        for n in 0.. {
            let body = json!({ "space": "user:a", "id": format!("m{n}"), "content": format!("message {n}") });
            let Ok(reply) = http.post(&url).json(&body).send().await else { return };
            assert_eq!(reply.status(), 201);
            count.store(n + 1, Ordering::SeqCst);
        }
    });
    for round in 0..3 {
        let target = acknowledged.load(Ordering::SeqCst) + 20;
        until("more was written", async || (acknowledged.load(Ordering::SeqCst) > target).then_some(()))
            .await;
        let before = acknowledged.load(Ordering::SeqCst);
        let copy = setup.path(&format!("copy{round}.db"));
        let told = tokio::task::block_in_place(|| setup.memoir.json(&["backup", copy.to_str().unwrap()]));
        let other = setup.elsewhere(&format!("other{round}"));
        other.succeed(&["restore", copy.to_str().unwrap()]);
        assert_eq!(examine(&other).0, 0);
        let messages = other.export("user:a").into_iter().filter(|line| line["type"] == "message");
        let ids: Vec<String> = messages.map(|line| line["id"].as_str().unwrap().to_owned()).collect();
        assert!(ids.len() as u64 >= before, "{} of {before}", ids.len());
        assert_eq!(told["copy"]["messages"], ids.len());
        assert!(ids.iter().enumerate().all(|(n, id)| *id == format!("m{n}")), "a beginning without a gap");
    }
    assert!(!writer.is_finished(), "the server goes on working");
    server.kill();
    writer.await.unwrap();
}

#[test]
fn a_backup_overwrites_nothing() {
    let setup = Setup::new();
    let copy = setup.backup("copy.db");
    let before = std::fs::read(&copy).unwrap();
    let (code, errors) = setup.memoir.fail(&["backup", copy.to_str().unwrap()]);
    assert_eq!(code, 1);
    assert!(errors.contains("exists already; choose another name"), "{errors}");
    assert_eq!(std::fs::read(&copy).unwrap(), before);
    let store = setup.memoir.store();
    setup.memoir.fail(&["backup", store.to_str().unwrap()]);
    let (code, errors) = setup.memoir.fail(&["backup", "/nowhere/copy.db"]);
    assert_eq!(code, 1, "{errors}");
    assert_eq!(examine(&setup.memoir).0, 0);
}

#[test]
fn what_is_no_whole_backup_is_not_restored_and_the_store_stays() {
    let setup = Setup::new();
    let copy = setup.backup("copy.db");
    let whole = std::fs::read(&copy).unwrap();
    let middle = whole.len() / 2 / 4096 * 4096;
    let mut damaged = whole.clone();
    damaged[middle..middle + 4096].fill(0xa5);
    let mut newer = whole.clone();
    newer[60..64].copy_from_slice(&99u32.to_be_bytes()); // user_version
    let bad: [(&str, &[u8]); 6] = [
        ("damaged.db", &damaged),
        ("cut.db", &whole[..middle]),
        ("newer.db", &newer),
        ("empty.db", b""),
        (
            "text.db",
            b"This is a text that somebody took for a backup of a database, and it is rather long for that.",
        ),
        ("head.db", &whole[..100]),
    ];
    let before = everything(&setup.memoir);
    let held = files(setup.memoir.data());
    for (name, bytes) in bad {
        let path = setup.path(name);
        std::fs::write(&path, bytes).unwrap();
        let (code, errors) = setup.memoir.fail(&["restore", path.to_str().unwrap(), "--replace"]);
        assert_eq!(code, 1);
        assert!(errors.contains(&format!("{} was not restored", path.display())), "{name}: {errors}");
        let other = setup.elsewhere("other");
        other.fail(&["restore", path.to_str().unwrap()]);
        assert!(!other.store().exists(), "{name} is in place");
    }
    assert_eq!(files(setup.memoir.data()), held, "nothing is left behind");
    assert_eq!(everything(&setup.memoir), before);
}

#[test]
fn a_store_is_replaced_only_when_asked_and_is_kept() {
    let setup = Setup::new();
    let copy = setup.backup("copy.db");
    let before = everything(&setup.memoir);
    let later = setup.path("later.ndjson");
    std::fs::write(&later, "{\"space\":\"user:a\",\"id\":\"later\",\"content\":\"after the backup\"}\n")
        .unwrap();
    setup.memoir.succeed(&["import", later.to_str().unwrap()]);
    let (code, errors) = setup.memoir.fail(&["restore", copy.to_str().unwrap()]);
    assert_eq!(code, 1);
    assert!(errors.contains("repeat with --replace"), "{errors}");
    assert!(setup.memoir.succeed(&["export", "user:a"]).contains("after the backup"));
    let told = setup.memoir.json(&["restore", copy.to_str().unwrap(), "--replace"]);
    assert_eq!(everything(&setup.memoir), before);
    let kept = Path::new(told["kept"].as_str().unwrap());
    assert!(kept.starts_with(setup.memoir.data()) && kept.is_file(), "{told}");
    // What was kept is whole, and can be put back like a backup.
    setup.memoir.succeed(&["restore", kept.to_str().unwrap(), "--replace"]);
    assert!(setup.memoir.succeed(&["export", "user:a"]).contains("after the backup"));
    // Its own file is no less of a backup once nobody uses it.
    let store = setup.memoir.store();
    setup.memoir.succeed(&["restore", store.to_str().unwrap(), "--replace"]);
    assert!(setup.memoir.succeed(&["export", "user:a"]).contains("after the backup"));
}

/// Sends a message, which is then in the store's log, unless the server has just emptied it.
async fn say(server: &Process, id: u64) {
    let body = json!({ "space": "user:a", "id": format!("late-{id}"), "content": "in the log only" });
    let reply = reqwest::Client::new().post(server.url("/v1/messages")).json(&body).send().await.unwrap();
    assert_eq!(reply.status(), 201);
}

fn bytes(path: PathBuf) -> u64 {
    path.metadata().map_or(0, |file| file.len())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_in_use_is_neither_replaced_nor_taken_for_a_backup() {
    let setup = Setup::new();
    let copy = setup.backup("copy.db");
    let server = setup.memoir.serve(&[]);
    let (code, errors) = setup.memoir.fail(&["restore", copy.to_str().unwrap(), "--replace"]);
    assert_eq!(code, 1);
    assert!(errors.contains("in use by a server") && errors.contains("stop it first"), "{errors}");
    // Somebody copies the file of the store and its log instead of making a backup.
    let (mut id, live) = (0, setup.path("live.db"));
    until("part of the store is in the log", async || {
        id += 1;
        say(&server, id).await;
        std::fs::copy(setup.memoir.store(), &live).unwrap();
        std::fs::copy(setup.memoir.data().join("memoir.db-wal"), setup.path("live.db-wal")).unwrap();
        (bytes(setup.path("live.db-wal")) > 0).then_some(())
    })
    .await;
    let (code, errors) = setup.elsewhere("other").fail(&["restore", live.to_str().unwrap()]);
    assert_eq!(code, 1);
    assert!(errors.contains("use `memoir backup`"), "{errors}");
    server.kill();
    setup.memoir.succeed(&["restore", copy.to_str().unwrap(), "--replace"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_without_its_store_does_not_get_into_the_one_that_is_restored() {
    let setup = Setup::new();
    let copy = setup.backup("copy.db");
    let before = everything(&setup.memoir);
    let mut id = 0;
    until("part of the store is in the log", async || {
        id += 1;
        let server = setup.memoir.serve(&[]);
        say(&server, id).await;
        server.kill();
        (bytes(setup.memoir.data().join("memoir.db-wal")) > 0).then_some(())
    })
    .await;
    std::fs::remove_file(setup.memoir.store()).unwrap();
    setup.memoir.succeed(&["restore", copy.to_str().unwrap()]);
    assert_eq!(examine(&setup.memoir).0, 0);
    assert_eq!(everything(&setup.memoir), before);
}

#[test]
fn after_a_restore_an_interrupted_import_starts_again() {
    let setup = Setup::new();
    let copy = setup.backup("copy.db");
    let file = setup.path("more.ndjson");
    let line = |n: usize| {
        json!({ "space": "user:c", "id": format!("m{n}"), "content": format!("line {n}") }).to_string() + "\n"
    };
    std::fs::write(&file, (0..4_000).map(line).collect::<String>()).unwrap();
    let (_, errors) =
        setup.memoir.fail(&["import", file.to_str().unwrap(), "--set", "store.max_bytes=1400KiB"]);
    assert!(errors.contains("store.max_bytes"), "{errors}");
    let stored = setup.memoir.export("user:c").len();
    assert!(stored > 500, "{stored}");
    setup.memoir.succeed(&["restore", copy.to_str().unwrap(), "--replace"]);
    let told = setup.memoir.json(&["import", file.to_str().unwrap()]);
    assert_eq!((&told["created"], &told["resumed_at_entry"]), (&json!(4_000), &json!(0)), "{told}");
}

/// Runs a command that may write no file larger than that many KiB, as on a disk that fills up.
fn run_in_little_room(memoir: &Binary, kib: u32, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = std::process::Command::new("bash");
    let script = format!("trap '' XFSZ; ulimit -f {kib}; exec \"$0\" \"$@\"");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_memoir")]).args(arguments);
    let output = command.env("MEMOIR_DATA_DIR", memoir.data()).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn when_the_disk_fills_the_store_stays_and_nothing_half_written_is_left() {
    let setup = Setup::new();
    let copy = setup.backup("copy.db");
    let (before, held) = (everything(&setup.memoir), files(setup.memoir.data()));
    let arguments = ["restore", copy.to_str().unwrap(), "--replace"];
    let (code, errors) = run_in_little_room(&setup.memoir, 64, &arguments);
    assert_eq!(code, Some(1), "{errors}");
    assert_eq!(files(setup.memoir.data()), held);
    assert_eq!(everything(&setup.memoir), before);
    let target = setup.path("never.db");
    let (code, errors) = run_in_little_room(&setup.memoir, 64, &["backup", target.to_str().unwrap()]);
    assert_eq!(code, Some(1), "{errors}");
    assert!(!target.exists(), "half a backup is no backup");
}

#[test]
fn the_doctor_finds_nothing_wrong_with_a_good_store() {
    let setup = Setup::new();
    let (code, findings) = examine(&setup.memoir);
    assert_eq!(code, 0, "{findings:?}");
    for finding in &findings {
        let keys: Vec<&String> = finding.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["finding", "remedy", "severity", "subject"]);
        assert_eq!((&finding["severity"], &finding["remedy"]), (&json!("fine"), &json!("")), "{finding}");
    }
    let subjects: Vec<&str> = findings.iter().map(|finding| finding["subject"].as_str().unwrap()).collect();
    for subject in ["configuration", "disk", "access", "file", "schema", "message numbers", "jobs", "index"] {
        assert!(subjects.contains(&subject), "{subject} is not in {subjects:?}");
    }
    let index = findings.iter().find(|finding| finding["subject"] == "index").unwrap();
    assert_eq!(index["finding"], "400 messages in 2 spaces agree with it");
    let text = setup.memoir.succeed(&["doctor"]);
    assert!(text.lines().all(|line| line.starts_with("ok ")), "{text}");
}

#[test]
fn the_doctor_finds_damage_wherever_it_is() {
    let setup = Setup::new();
    let whole = std::fs::read(setup.memoir.store()).unwrap();
    let pages = whole.len() / 4096;
    // Every part of the file, in steps; each page that is hit has something in it.
    for page in (0..pages).step_by((pages / 24).max(1)) {
        let mut damaged = whole.clone();
        damaged[page * 4096..(page + 1) * 4096].fill(0x5a);
        std::fs::write(setup.memoir.store(), &damaged).unwrap();
        let (code, findings) = examine(&setup.memoir);
        let broken: Vec<&Value> = findings.iter().filter(|finding| finding["severity"] == "broken").collect();
        assert!(code == 1 && !broken.is_empty(), "page {page} of {pages}: {code} {findings:?}");
        assert!(broken.iter().all(|finding| !finding["remedy"].as_str().unwrap().is_empty()), "{broken:?}");
        let remedies = broken.iter().map(|finding| finding["remedy"].to_string()).collect::<String>();
        assert!(remedies.contains("backup"), "page {page}: {remedies}");
    }
}

#[test]
fn the_doctor_notices_words_that_the_index_does_not_know() {
    let setup = Setup::new();
    let mut bytes = std::fs::read(setup.memoir.store()).unwrap();
    let word = "第42句 words".as_bytes();
    let at = bytes.windows(word.len()).position(|window| window == word).expect("the message");
    bytes[at + word.len() - 5..at + word.len()].copy_from_slice(b"sword");
    std::fs::write(setup.memoir.store(), bytes).unwrap();
    let (code, findings) = examine(&setup.memoir);
    let broken: Vec<&Value> = findings.iter().filter(|finding| finding["severity"] == "broken").collect();
    assert_eq!((code, broken.len()), (1, 1), "{findings:?}");
    assert_eq!(broken[0]["finding"], "1 messages do not agree with it (first in user:a)");
    let output = setup.memoir.run(&["doctor"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("BROKEN   index: ") && text.contains("remedy: restore the last good backup"),
        "{text}"
    );
}

#[test]
fn a_text_in_the_place_of_the_store_is_named_by_every_command() {
    let setup = Setup::empty();
    std::fs::create_dir_all(setup.memoir.data()).unwrap();
    let text = "not a database ".repeat(1_000);
    std::fs::write(setup.memoir.store(), &text).unwrap();
    for arguments in
        [&["serve", "--listen", "127.0.0.1:0"] as &[&str], &["export", "user:a"], &["keys", "list"]]
    {
        let (code, errors) = setup.memoir.fail(arguments);
        assert_eq!(code, 1);
        assert!(
            errors.contains("file is not a database") && errors.contains("memoir doctor"),
            "{arguments:?}: {errors}"
        );
    }
    let (code, findings) = examine(&setup.memoir);
    let store = findings.iter().find(|finding| finding["subject"] == "store").unwrap();
    assert_eq!((code, &store["severity"]), (1, &json!("broken")));
    assert!(store["remedy"].as_str().unwrap().contains("backup"), "{store}");
    assert_eq!(std::fs::read_to_string(setup.memoir.store()).unwrap(), text, "nobody writes into it");
}

#[tokio::test]
async fn the_doctor_warns_of_jobs_that_have_failed_for_good() {
    let setup = Setup::new();
    kill_a_job(&setup.memoir.store()).await;
    let (code, findings) = examine(&setup.memoir);
    let jobs = findings.iter().find(|finding| finding["subject"] == "jobs").unwrap();
    assert_eq!((code, &jobs["severity"]), (0, &json!("warning")), "a warning is no failure: {findings:?}");
    assert_eq!(jobs["finding"], "1 have failed for good");
    assert!(jobs["remedy"].as_str().unwrap().contains("/v1/jobs?state=dead"), "{jobs}");
    assert!(setup.memoir.succeed(&["doctor"]).contains("warning  jobs: 1 have failed for good"));
}

/// Leaves a job behind that has been given up.
async fn kill_a_job(path: &Path) {
    let store = SqliteStore::open(&Options::at(path)).unwrap();
    let tenant = TenantId::default_tenant();
    let space = store.space(&tenant, &"user:a".parse().unwrap()).await.unwrap().unwrap();
    let now = Timestamp::now();
    let id = GeneratedId::compose(now.as_millisecond(), space.no, 7, 7);
    let job = NewJob {
        id,
        kind: "test".into(),
        key: "k".into(),
        payload: Value::Null,
        lane: Lane::Free,
        run_at: now,
    };
    let change = |change| WriteSet { jobs: vec![change], ..WriteSet::default() };
    store.commit(Commit::to_space(space.key(), change(JobChange::Enqueue(job)))).await.unwrap();
    let claim = Claim { now, lease_until: now, limit: 1, room: vec![("test".into(), 1)] };
    let claimed = store.claim_jobs(claim).await.unwrap();
    let fail = JobChange::Fail { retry_at: None, error: "it never works".into() };
    store.commit(Commit::to_space(space.key(), change(fail)).under(claimed[0].lease())).await.unwrap();
    assert_eq!(store.job(&tenant, id).await.unwrap().unwrap().state, JobState::Dead);
}
