//! A store written by any released version opens in this one (X10). Each released schema has a small file in
//! tests/fixtures, made with that release: `memoir import`, then `memoir backup store-schema-N.db`.

use memoir_testkit::Binary;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A store of a released schema, and what was put into it.
struct Released {
    schema: u32,
    messages: usize,
    sessions: usize,
    summaries: usize,
}

const RELEASED: &[Released] = &[
    Released { schema: 1, messages: 6, sessions: 3, summaries: 0 },
    // With vectors of 8 numbers.
    Released { schema: 2, messages: 6, sessions: 3, summaries: 0 },
    // With what its days and weeks came to.
    Released { schema: 3, messages: 6, sessions: 3, summaries: 10 },
];

fn fixture(schema: u32) -> PathBuf {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures");
    Path::new(folder).join(format!("store-schema-{schema}.db"))
}

#[test]
fn every_released_store_opens_and_has_everything() {
    for released in RELEASED {
        let folder = tempfile::tempdir().unwrap();
        let memoir = Binary::new(env!("CARGO_BIN_EXE_memoir"), folder.path());
        std::fs::copy(fixture(released.schema), memoir.store()).unwrap();
        let findings = memoir.json(&["doctor"]);
        let broken: Vec<_> =
            findings.as_array().unwrap().iter().filter(|f| f["severity"] == "broken").collect();
        assert!(broken.is_empty(), "schema {}: {broken:?}", released.schema);
        let export = memoir.succeed(&["export", "user:alice"]);
        let lines: Vec<Value> = export.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let count = |kind: &str| lines.iter().filter(|line| line["type"] == kind).count();
        let counts = (count("message"), count("session"), count("summary"));
        assert_eq!(counts, (released.messages, released.sessions, released.summaries));
        let edited = lines.iter().find(|line| line["id"] == "u2").expect("the edited message");
        assert_eq!(edited["version"], 2);
        assert_eq!(edited["versions"][0]["content"], "I run on Mondays.");
    }
}

#[test]
fn every_schema_has_its_fixture() {
    let highest = RELEASED.iter().map(|released| released.schema).max();
    assert_eq!(
        highest,
        Some(memoir_sqlite::SCHEMA_VERSION),
        "a new schema needs a fixture made with its release"
    );
}
