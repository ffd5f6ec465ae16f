use deadpool_postgres::Object;
use jiff::Timestamp;
use memoir_model::{Error, ErrorCode, Result};
use tokio_postgres::error::SqlState;

use crate::error::Fault;
use crate::pool::Pool;

/// Every step from an empty database to the present, in order. A released step is never changed (X10).
const STEPS: &[&str] =
    &[include_str!("../migrations/0001_foundation.sql"), include_str!("../migrations/0002_vectors.sql")];

/// The schema that this program writes; kept in the table `schema_versions`.
pub const SCHEMA_VERSION: u32 = STEPS.len() as u32;

/// Held by whoever migrates, so that of many nodes which start at once one works and the others wait.
const LOCK: i64 = 0x6d65_6d6f_6972;

/// The roles under which everything is done. They belong to all databases of the server.
const ROLES: [&str; 2] = ["memoir_app", "memoir_worker"];

/// Brings the database to [`SCHEMA_VERSION`], one transaction per step. Touches nothing when it is there already, so
/// that a node needs no more rights than its work takes.
pub(crate) async fn run(pool: &Pool, now: Timestamp) -> Result<()> {
    let mut patience = pool.patience();
    loop {
        match attempt(pool, now).await {
            Ok(()) => return Ok(()),
            Err(fault) => patience.after(fault).await?,
        }
    }
}

async fn attempt(pool: &Pool, now: Timestamp) -> Result<(), Fault> {
    let client = pool.get().await?;
    check_database(&client).await?;
    if version(&client).await? == Some(SCHEMA_VERSION) {
        return check_roles(&client).await;
    }
    // It has waited for a lock and changed its settings: it is not used for anything else.
    let client = Object::take(client);
    client.batch_execute("SET statement_timeout = 0; SET lock_timeout = 0").await?;
    client.execute("SELECT pg_advisory_lock($1)", &[&LOCK]).await?;
    make_roles(&client).await?;
    make_extension(&client).await?;
    client
        .batch_execute(
            "CREATE SCHEMA IF NOT EXISTS memoir; CREATE TABLE IF NOT EXISTS memoir.schema_versions \
             (version bigint NOT NULL PRIMARY KEY, applied_at timestamptz NOT NULL)",
        )
        .await?;
    let have = version(&client).await?.unwrap_or_default();
    for (step, number) in STEPS.iter().zip(1u32..).skip(have as usize) {
        client.batch_execute("BEGIN").await?;
        client.batch_execute(step).await?;
        client.execute("INSERT INTO schema_versions VALUES ($1, $2)", &[&i64::from(number), &now]).await?;
        client.batch_execute("COMMIT").await?;
        tracing::info!(version = number, "the database was brought to schema {number}");
    }
    check_roles(&client).await
}

/// The version of the schema that the database has now.
pub(crate) async fn current(pool: &Pool) -> Result<u32> {
    let asked = async { version(&*pool.get().await?).await };
    asked.await.map(Option::unwrap_or_default).map_err(|fault| fault.error)
}

async fn check_database(client: &tokio_postgres::Client) -> Result<(), Fault> {
    let row = client.query_one("SELECT current_setting('server_encoding'), current_database()", &[]).await?;
    let (encoding, name): (String, String) = (row.try_get(0)?, row.try_get(1)?);
    if encoding == "UTF8" {
        return Ok(());
    }
    let why = format!("the database {name} has the encoding {encoding}; create one with ENCODING 'UTF8'");
    Err(Error::new(ErrorCode::StorageUnavailable, why).into())
}

/// The version of the schema; `None` where there is none. Fails on one that only a newer program knows.
async fn version(client: &tokio_postgres::Client) -> Result<Option<u32>, Fault> {
    let known = client.query_one("SELECT to_regclass('memoir.schema_versions') IS NOT NULL", &[]).await?;
    if !known.try_get::<_, bool>(0)? {
        return Ok(None);
    }
    let row = client.query_one("SELECT coalesce(max(version), 0) FROM memoir.schema_versions", &[]).await?;
    let version = u32::try_from(row.try_get::<_, i64>(0)?).unwrap_or(u32::MAX);
    if version > SCHEMA_VERSION {
        let why = format!(
            "the database has schema {version} and this program knows {SCHEMA_VERSION}; use a newer memoir"
        );
        return Err(Error::new(ErrorCode::StorageUnavailable, why).into());
    }
    Ok(Some(version))
}

async fn make_roles(client: &tokio_postgres::Client) -> Result<(), Fault> {
    for role in ROLES {
        let made = client.batch_execute(&format!("CREATE ROLE {role} NOLOGIN")).await;
        let known = [SqlState::DUPLICATE_OBJECT, SqlState::UNIQUE_VIOLATION];
        if let Err(error) = made
            && !error.code().is_some_and(|code| known.contains(code))
        {
            return Err(error.into());
        }
        if !may_become(client, role).await? {
            client.batch_execute(&format!("GRANT {role} TO CURRENT_USER")).await.map_err(shared)?;
        }
    }
    Ok(())
}

/// Vectors are kept by pgvector, in the schema where everybody finds it.
async fn make_extension(client: &tokio_postgres::Client) -> Result<(), Fault> {
    let made = client.batch_execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public").await;
    let lacking = match &made {
        Ok(()) => client.query_one("SELECT to_regtype('public.vector') IS NULL", &[]).await?.try_get(0)?,
        // Nodes of other databases may be making theirs at the same moment.
        Err(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => {
            return made.map_err(shared);
        }
        Err(error) => error.as_db_error().is_some(),
    };
    if lacking {
        let why = "the database has no extension vector in its schema public; install pgvector on its server, then \
             have an owner run CREATE EXTENSION vector SCHEMA public";
        return Err(Error::new(ErrorCode::StorageUnavailable, why).into());
    }
    Ok(made?)
}

/// Roles belong to the whole server: a node of another database may be granting one at the same moment.
fn shared(error: tokio_postgres::Error) -> Fault {
    let concurrent = error.code() == Some(&SqlState::INTERNAL_ERROR);
    let mut fault = Fault::from(error);
    fault.may_pass |= concurrent;
    fault
}

async fn may_become(client: &tokio_postgres::Client, role: &str) -> Result<bool, Fault> {
    let row = client.query_one("SELECT pg_has_role(current_user, $1, 'MEMBER')", &[&role]).await?;
    Ok(row.try_get(0)?)
}

async fn check_roles(client: &tokio_postgres::Client) -> Result<(), Fault> {
    for role in ROLES {
        if !may_become(client, role).await? {
            let why =
                format!("the user of store.url may not act as {role}; an owner has to GRANT {role} to it");
            return Err(Error::new(ErrorCode::StorageUnavailable, why).into());
        }
    }
    Ok(())
}
