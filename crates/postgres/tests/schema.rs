//! The rules that let the schema be distributed by space, read from the catalogs; and how a database gets its schema.

#![expect(clippy::unwrap_used, reason = "these are tests")]

use jiff::Timestamp;
use memoir_model::ErrorCode;
use memoir_postgres::{Options, PostgresStore, SCHEMA_VERSION};
use memoir_testkit::TestDatabase;
use std::collections::BTreeSet;
use tokio_postgres::Client;

/// Tables of a space.
const SPACE_TABLES: [&str; 11] = [
    "space_heads",
    "messages",
    "message_versions",
    "changes",
    "pieces",
    "sessions",
    "summaries",
    "memories",
    "jobs",
    "generations",
    "vectors",
];
/// Tables that belong to a tenant, or are dealt out otherwise.
const OTHER_TABLES: [&str; 6] = ["tenants", "keys", "audit", "taxonomies", "spaces", "job_hints"];

/// The first column of each row, as text.
async fn column(client: &Client, sql: &str) -> Vec<String> {
    client.query(sql, &[]).await.unwrap().iter().map(|row| row.get(0)).collect()
}

#[tokio::test]
async fn every_table_is_known_to_these_rules() {
    let database = TestDatabase::new().await;
    let found = column(
        &database.connect().await,
        "SELECT relname::text FROM pg_class WHERE relnamespace = 'memoir'::regnamespace AND relkind IN ('r', 'p')",
    )
    .await;
    let known = SPACE_TABLES.iter().chain(&OTHER_TABLES).chain(&["schema_versions"]);
    assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), known.map(|name| (*name).to_owned()).collect());
}

#[tokio::test]
async fn every_key_and_index_of_a_space_table_leads_with_the_space() {
    let database = TestDatabase::new().await;
    let client = database.connect().await;
    let rows = client
        .query(
            "SELECT c.relname::text, i.indexrelid::regclass::text, a.attname::text, i.indisunique FROM pg_index i \
             JOIN pg_class c ON c.oid = i.indrelid LEFT JOIN pg_attribute a ON a.attrelid = c.oid \
             AND a.attnum = i.indkey[0] WHERE c.relnamespace = 'memoir'::regnamespace",
            &[],
        )
        .await
        .unwrap();
    let mut seen = BTreeSet::new();
    for row in rows {
        let (table, index, first): (String, String, Option<String>) = (row.get(0), row.get(1), row.get(2));
        if SPACE_TABLES.contains(&table.as_str()) {
            assert_eq!(first.as_deref(), Some("space"), "{index} of {table}");
            seen.insert(table);
        }
    }
    assert_eq!(seen.len(), SPACE_TABLES.len(), "every one of them has a key: {seen:?}");
}

#[tokio::test]
async fn nothing_refers_fires_counts_or_looks_at_a_clock() {
    let database = TestDatabase::new().await;
    let client = database.connect().await;
    for (what, sql) in [
        ("foreign key", "SELECT conname::text FROM pg_constraint WHERE contype = 'f'"),
        ("trigger", "SELECT tgname::text FROM pg_trigger WHERE NOT tgisinternal"),
        ("sequence", "SELECT relname::text FROM pg_class WHERE relkind = 'S'"),
        ("identity column", "SELECT attname::text FROM pg_attribute WHERE attidentity <> ''"),
        (
            "default",
            "SELECT adrelid::regclass::text FROM pg_attrdef d JOIN pg_class c ON c.oid = d.adrelid \
             WHERE c.relnamespace = 'memoir'::regnamespace",
        ),
        ("function", "SELECT proname::text FROM pg_proc WHERE pronamespace = 'memoir'::regnamespace"),
        (
            "view",
            "SELECT relname::text FROM pg_class WHERE relnamespace = 'memoir'::regnamespace \
             AND relkind IN ('v', 'm')",
        ),
    ] {
        assert_eq!(column(&client, sql).await, [""; 0], "there is a {what}");
    }
}

#[tokio::test]
async fn text_is_compared_by_bytes() {
    let database = TestDatabase::new().await;
    let other = "SELECT a.attrelid::regclass::text || '.' || a.attname FROM pg_attribute a JOIN pg_class c \
         ON c.oid = a.attrelid WHERE c.relnamespace = 'memoir'::regnamespace AND a.atttypid = 'text'::regtype \
         AND a.attnum > 0 AND a.attcollation <> '\"C\"'::regcollation";
    assert_eq!(column(&database.connect().await, other).await, [""; 0]);
}

#[tokio::test]
async fn every_table_with_rows_of_somebody_is_under_row_security_for_its_owner_too() {
    let database = TestDatabase::new().await;
    let open = "SELECT relname::text FROM pg_class WHERE relnamespace = 'memoir'::regnamespace AND relkind = 'r' \
         AND NOT (relrowsecurity AND relforcerowsecurity)";
    assert_eq!(column(&database.connect().await, open).await, ["schema_versions"]);
}

/// Every statement of this crate, as its source has it.
fn statements() -> Vec<String> {
    let mut sources = Vec::new();
    let mut folders = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().unwrap().map(Result::unwrap) {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else {
                sources.push(std::fs::read_to_string(entry.path()).unwrap());
            }
        }
    }
    let strings = sources.iter().flat_map(|source| source.split('"').skip(1).step_by(2));
    let words = ["SELECT ", "INSERT ", "UPDATE ", "DELETE "];
    strings.filter(|text| words.iter().any(|word| text.contains(word))).map(str::to_owned).collect()
}

#[test]
fn conflicts_are_settled_without_a_query_and_no_statement_looks_at_a_clock() {
    let statements = statements();
    let settled: Vec<&String> = statements.iter().filter(|text| text.contains("ON CONFLICT")).collect();
    assert!(statements.len() > 40 && settled.len() > 5, "{} and {}", statements.len(), settled.len());
    for text in settled {
        // The one statement that takes many rows at once reads them from its parameters.
        let asks = text.contains("SELECT") && !text.contains("unnest(");
        assert!(!asks, "{text}");
    }
    for text in statements {
        let lower = text.to_lowercase();
        for volatile in
            ["now()", "current_timestamp", "clock_timestamp", "localtimestamp", "random()", "nextval"]
        {
            assert!(!lower.contains(volatile), "{volatile} in {text}");
        }
    }
}

#[tokio::test]
async fn many_nodes_may_start_at_once_on_an_empty_database() {
    let database = TestDatabase::empty().await;
    let nodes: Vec<_> = (0..8)
        .map(|_| {
            let options = Options { connections: 2, ..Options::at(database.url()) };
            tokio::spawn(async move { PostgresStore::open(&options, Timestamp::UNIX_EPOCH).await.map(drop) })
        })
        .collect();
    for node in nodes {
        node.await.unwrap().unwrap();
    }
    let versions = column(
        &database.connect().await,
        "SELECT version::text FROM memoir.schema_versions ORDER BY version",
    )
    .await;
    assert_eq!(versions, (1..=SCHEMA_VERSION).map(|version| version.to_string()).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_schema_of_the_future_is_left_alone() {
    let database = TestDatabase::new().await;
    let client = database.connect().await;
    client.execute("INSERT INTO memoir.schema_versions VALUES (99, to_timestamp(0))", &[]).await.unwrap();
    let refused = PostgresStore::open(&Options::at(database.url()), Timestamp::UNIX_EPOCH).await.map(drop);
    let error = refused.unwrap_err();
    assert_eq!(error.code(), ErrorCode::StorageUnavailable);
    assert!(error.to_string().contains("use a newer memoir"), "{error}");
}

#[tokio::test]
async fn a_user_who_owns_nothing_can_run_a_node_once_it_may_act_as_our_roles() {
    let database = TestDatabase::new().await;
    let owner = database.connect().await;
    let user = format!("node_{}", std::process::id());
    owner.batch_execute(&format!("DROP ROLE IF EXISTS {user}; CREATE ROLE {user} LOGIN")).await.unwrap();
    let url = database.url().replace("postgres@", &format!("{user}@"));
    let open = async || {
        let options = Options { patience: std::time::Duration::from_millis(200), ..Options::at(&url) };
        PostgresStore::open(&options, Timestamp::UNIX_EPOCH).await
    };
    owner.batch_execute(&format!("GRANT USAGE ON SCHEMA memoir TO {user}")).await.unwrap();
    owner.batch_execute(&format!("GRANT SELECT ON memoir.schema_versions TO {user}")).await.unwrap();
    let error = open().await.map(drop).unwrap_err();
    assert!(error.to_string().contains("GRANT memoir_app"), "{error}");
    owner.batch_execute(&format!("GRANT memoir_app, memoir_worker TO {user}")).await.unwrap();
    let store = open().await.unwrap();
    memoir_store::conformance::messages::a_message_is_read_back_as_it_was_written(std::sync::Arc::new(store))
        .await;
    drop(
        owner
            .batch_execute(&format!(
                "REASSIGN OWNED BY {user} TO postgres; DROP OWNED BY {user}; DROP ROLE {user}"
            ))
            .await,
    );
}

#[tokio::test]
async fn a_database_that_is_not_there_is_named() {
    for (url, says) in [
        ("postgres://postgres@127.0.0.1:1/memoir", "refused"),
        ("postgres://postgres@127.0.0.1:1", "must name a database"),
        ("postgres://postgres@127.0.0.1:port/memoir", "no PostgreSQL URL"),
    ] {
        let options = Options { patience: std::time::Duration::from_millis(50), ..Options::at(url) };
        let error = PostgresStore::open(&options, Timestamp::UNIX_EPOCH).await.map(drop).unwrap_err();
        assert!(error.to_string().contains(says), "{url}: {error}");
    }
}
