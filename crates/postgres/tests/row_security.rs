//! What the database itself lets a connection see, whatever the code above it asks for.

#![expect(clippy::unwrap_used, reason = "these are tests")]

use memoir_store::Store;
use memoir_store::conformance::fixtures::{api_key, audit, taxonomy, tenant, to_tenant};
use memoir_store::conformance::room::Room;
use memoir_store::{Row, conformance::fixtures};
use memoir_testkit::TestDatabase;
use std::sync::Arc;
use tokio_postgres::{Client, error::SqlState};

/// Every table that has rows of somebody.
const TABLES: [&str; 17] = [
    "tenants",
    "keys",
    "audit",
    "taxonomies",
    "spaces",
    "space_heads",
    "messages",
    "message_versions",
    "changes",
    "pieces",
    "sessions",
    "summaries",
    "memories",
    "jobs",
    "job_hints",
    "generations",
    "vectors",
];
/// Those of a space.
const OF_A_SPACE: &[&str] = TABLES.split_at(4).1;

/// Two tenants with two spaces each, and rows in every table.
async fn furnished() -> (TestDatabase, Client) {
    let database = TestDatabase::new().await;
    let store: Arc<dyn Store> = Arc::new(database.store().await);
    for (owner, bits) in [("acme", 1), ("globex", 3)] {
        let rows = vec![
            Row::Tenant(memoir_model::Tenant {
                id: tenant(owner),
                label: owner.into(),
                created_at: fixtures::at(0),
            }),
            Row::Key(Box::new(api_key(&format!("key-{owner}"), owner))),
            Row::Audit(Box::new(audit(owner, 1))),
            Row::Taxonomy(Box::new(taxonomy("coach", 1, "words"))),
        ];
        to_tenant(&store, owner, rows).await.unwrap();
        for no in [bits, bits + 1] {
            let mut room = Room::open(&store, owner, &format!("user:{no}"), no).await;
            room.furnish().await;
            room.put(vec![Row::Piece { no: 0, built_version: u64::MAX >> 1, bytes: vec![1] }]).await.unwrap();
        }
    }
    let client = database.connect().await;
    client.batch_execute("SET search_path = memoir").await.unwrap();
    (database, client)
}

async fn count(client: &Client, table: &str) -> i64 {
    client.query_one(&format!("SELECT count(*) FROM {table}"), &[]).await.unwrap().get(0)
}

/// Begins a transaction as the application, for this tenant and space.
async fn enter(client: &Client, tenant: &str, space: &str) {
    client.batch_execute("ROLLBACK; BEGIN; SET LOCAL ROLE memoir_app").await.unwrap();
    for (name, value) in [("memoir.tenant", tenant), ("memoir.space", space)] {
        client.execute("SELECT set_config($1, $2, true)", &[&name, &value]).await.unwrap();
    }
}

#[tokio::test]
async fn there_is_something_to_see_in_every_table() {
    let (_database, client) = furnished().await;
    for table in TABLES {
        assert!(count(&client, table).await >= 2, "{table}");
    }
}

#[tokio::test]
async fn a_connection_that_forgot_to_say_for_whom_sees_nothing() {
    let (_database, client) = furnished().await;
    for forgot in ["", "SET LOCAL memoir.space = 'any'", "SET LOCAL memoir.tenant = ''"] {
        client.batch_execute(&format!("BEGIN; SET LOCAL ROLE memoir_app; {forgot}")).await.unwrap();
        for table in TABLES {
            assert_eq!(count(&client, table).await, 0, "{table} after {forgot:?}");
        }
        client.batch_execute("ROLLBACK").await.unwrap();
    }
    // What one transaction said does not last into the next.
    enter(&client, "acme", "any").await;
    assert!(count(&client, "messages").await > 0);
    client.batch_execute("COMMIT; BEGIN; SET LOCAL ROLE memoir_app").await.unwrap();
    for table in TABLES {
        assert_eq!(count(&client, table).await, 0, "{table}");
    }
}

#[tokio::test]
async fn a_tenant_sees_its_own_and_a_space_its_own() {
    let (_database, client) = furnished().await;
    let everything: Vec<i64> = {
        let mut counts = Vec::new();
        for table in TABLES {
            counts.push(count(&client, table).await);
        }
        counts
    };
    enter(&client, "acme", "any").await;
    for (table, all) in TABLES.iter().zip(&everything) {
        assert_eq!(count(&client, table).await * 2, *all, "{table}");
        if *table != "tenants" {
            let foreign = format!("SELECT count(*) FROM {table} WHERE tenant <> 'acme'");
            assert_eq!(client.query_one(&foreign, &[]).await.unwrap().get::<_, i64>(0), 0, "{table}");
        }
    }
    enter(&client, "acme", "1").await;
    for table in OF_A_SPACE {
        let spaces = client.query(&format!("SELECT DISTINCT space FROM {table}"), &[]).await.unwrap();
        assert_eq!(spaces.iter().map(|row| row.get(0)).collect::<Vec<i64>>(), [1], "{table}");
    }
    // A space of another tenant, and things that are no space.
    for space in ["3", "", "0", "1 OR true", "'; DROP TABLE messages; --"] {
        enter(&client, "acme", space).await;
        for table in OF_A_SPACE {
            assert_eq!(count(&client, table).await, 0, "{table} for {space:?}");
        }
    }
}

#[tokio::test]
async fn nothing_is_written_into_what_is_not_to_be_seen() {
    let (_database, client) = furnished().await;
    let insert = "INSERT INTO changes (space, version, seq, tenant) VALUES";
    for (tenant, space, values) in [
        ("acme", "any", "(3, 1, 1, 'globex')"),
        ("acme", "1", "(2, 9, 9, 'acme')"),
        ("acme", "", "(1, 9, 9, 'acme')"),
    ] {
        enter(&client, tenant, space).await;
        let error = client.execute(&format!("{insert} {values}"), &[]).await.unwrap_err();
        assert_eq!(error.code(), Some(&SqlState::INSUFFICIENT_PRIVILEGE), "{values}");
    }
    for (table, change) in [
        ("messages", "content = 'mine now'"),
        ("space_heads", "tenant = 'acme'"),
        ("jobs", "state = 2"),
        ("keys", "tenant = 'acme'"),
        ("job_hints", "run_at = to_timestamp(0)"),
    ] {
        enter(&client, "acme", "any").await;
        let sql = format!("UPDATE {table} SET {change} WHERE tenant = 'globex'");
        assert_eq!(client.execute(&sql, &[]).await.unwrap(), 0, "{table}");
        let sql = format!("DELETE FROM {table} WHERE tenant = 'globex'");
        assert_eq!(client.execute(&sql, &[]).await.unwrap(), 0, "{table}");
    }
    // Nor is anything given away.
    enter(&client, "acme", "1").await;
    for sql in ["UPDATE messages SET tenant = 'globex'", "UPDATE messages SET space = 2, seq = seq + 100"] {
        enter(&client, "acme", "1").await;
        let error = client.execute(sql, &[]).await.unwrap_err();
        assert_eq!(error.code(), Some(&SqlState::INSUFFICIENT_PRIVILEGE), "{sql}");
    }
}

#[tokio::test]
async fn a_key_shows_itself_to_who_presents_it_and_no_other() {
    let (_database, client) = furnished().await;
    client
        .batch_execute("BEGIN; SET LOCAL ROLE memoir_app; SET LOCAL memoir.key = 'key-acme'")
        .await
        .unwrap();
    let rows = client.query("SELECT id FROM keys", &[]).await.unwrap();
    assert_eq!(rows.iter().map(|row| row.get(0)).collect::<Vec<String>>(), ["key-acme"]);
    for table in TABLES.iter().filter(|table| **table != "keys") {
        assert_eq!(count(&client, table).await, 0, "{table}");
    }
    assert_eq!(client.execute("UPDATE keys SET role = 'admin'", &[]).await.unwrap(), 0);
}

#[tokio::test]
async fn a_worker_finds_jobs_and_reads_no_word_and_no_secret() {
    let (_database, client) = furnished().await;
    let readable = ["jobs", "job_hints", "space_heads", "spaces", "tenants"];
    client.batch_execute("BEGIN; SET LOCAL ROLE memoir_worker").await.unwrap();
    for table in readable {
        assert!(count(&client, table).await >= 2, "{table}");
    }
    let hidden = TABLES.iter().filter(|table| !readable.contains(table));
    let statements = hidden.map(|table| format!("SELECT * FROM {table}")).chain(
        [
            "SELECT secret FROM keys",
            "SELECT metadata FROM space_heads",
            "UPDATE jobs SET state = 2",
            "DELETE FROM space_heads",
        ]
        .map(str::to_owned),
    );
    for sql in statements {
        client.batch_execute("ROLLBACK; BEGIN; SET LOCAL ROLE memoir_worker").await.unwrap();
        let error = client.query(&sql, &[]).await.unwrap_err();
        assert_eq!(error.code(), Some(&SqlState::INSUFFICIENT_PRIVILEGE), "{sql}");
    }
}

#[tokio::test]
async fn the_owner_of_the_tables_is_held_to_the_rules_like_everybody() {
    let (_database, client) = furnished().await;
    let owner = format!("owner_{}", std::process::id());
    client.batch_execute(&format!("DROP ROLE IF EXISTS {owner}; CREATE ROLE {owner}")).await.unwrap();
    client.batch_execute(&format!("GRANT USAGE ON SCHEMA memoir TO {owner}")).await.unwrap();
    for table in TABLES {
        client.batch_execute(&format!("ALTER TABLE {table} OWNER TO {owner}")).await.unwrap();
    }
    client
        .batch_execute(&format!("BEGIN; SET LOCAL ROLE {owner}; SET LOCAL memoir.tenant = 'acme'"))
        .await
        .unwrap();
    for table in TABLES {
        assert_eq!(count(&client, table).await, 0, "{table}");
    }
    client
        .batch_execute(&format!(
            "ROLLBACK; REASSIGN OWNED BY {owner} TO postgres; DROP OWNED BY {owner}; DROP ROLE {owner}"
        ))
        .await
        .unwrap();
}

#[tokio::test]
async fn the_application_can_change_neither_tables_nor_rules() {
    let (_database, client) = furnished().await;
    for sql in [
        "ALTER TABLE messages DISABLE ROW LEVEL SECURITY",
        "DROP POLICY of_space ON messages",
        "CREATE POLICY all_of_it ON messages USING (true)",
        "TRUNCATE messages",
        "DROP TABLE messages",
        "SELECT * FROM schema_versions",
        "CREATE TABLE memoir.mine (x int)",
        "ALTER ROLE memoir_app BYPASSRLS",
    ] {
        enter(&client, "acme", "any").await;
        let error = client.batch_execute(sql).await.unwrap_err();
        assert_eq!(error.code(), Some(&SqlState::INSUFFICIENT_PRIVILEGE), "{sql}");
    }
    let row = client.query_one(
        "SELECT rolsuper, rolbypassrls, rolcanlogin FROM pg_roles WHERE rolname = 'memoir_app'",
        &[],
    );
    enter(&client, "acme", "any").await;
    let row = row.await.unwrap();
    assert_eq!((row.get(0), row.get(1), row.get(2)), (false, false, false));
}
