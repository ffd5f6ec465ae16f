use memoir_model::Result;
use memoir_store::Finding;
use rusqlite::Connection;

use crate::error::storage;
use crate::migrate::{SCHEMA_VERSION, schema_version};

/// One thing that must hold for every row: a query that counts the rows for which it does not.
struct Invariant {
    subject: &'static str,
    broken: &'static str,
    count: &'static str,
}

const RESTORE: &str = "restore the last good backup with `memoir restore`, then import what came after it";

const INVARIANTS: &[Invariant] = &[
    Invariant {
        subject: "message numbers",
        broken: "spaces whose messages are not numbered 1 to last without a gap",
        count: "SELECT count(*) FROM (SELECT s.last_seq AS last, count(m.key) AS n, \
                coalesce(max(m.key & 0xffffff), 0) AS top FROM spaces s LEFT JOIN messages m \
                ON m.key >> 24 = s.space GROUP BY s.space) WHERE n <> last OR top <> last",
    },
    Invariant {
        subject: "orphaned messages",
        broken: "messages whose space does not exist",
        count: "SELECT count(*) FROM messages WHERE key >> 24 NOT IN (SELECT space FROM spaces)",
    },
    Invariant {
        subject: "sessions of messages",
        broken: "messages whose session does not exist",
        count: "SELECT count(*) FROM messages m LEFT JOIN sessions s ON s.space = m.key >> 24 \
                AND s.no = m.session WHERE s.no IS NULL",
    },
    Invariant {
        subject: "session counts",
        broken: "sessions whose count of messages is wrong",
        count: "SELECT count(*) FROM (SELECT s.messages AS told, count(m.key) AS n FROM sessions s \
                LEFT JOIN messages m ON m.key >> 24 = s.space AND m.session = s.no GROUP BY s.space, s.no) \
                WHERE told <> n",
    },
    Invariant {
        subject: "session times",
        broken: "sessions that do not cover their own messages",
        count: "SELECT count(*) FROM messages m JOIN sessions s ON s.space = m.key >> 24 AND s.no = m.session \
                WHERE m.said_at < s.first_said_at OR m.said_at > s.last_said_at",
    },
    Invariant {
        subject: "vectors",
        broken: "vectors of a generation that is gone, of a message that is not active, beyond their generation's cursor \
                 or of another dimension",
        count: "SELECT count(*) FROM (SELECT key, vector, 0 AS parity FROM vectors_even \
                UNION ALL SELECT key, vector, 1 FROM vectors_odd) v LEFT JOIN generations g \
                ON g.space = v.key >> 24 AND g.no & 1 = v.parity LEFT JOIN messages m ON m.key = v.key \
                WHERE g.no IS NULL OR m.key IS NULL OR m.state <> 0 OR v.key & 0xffffff > g.cursor \
                OR length(v.vector) <> g.dimension * 4",
    },
    Invariant {
        subject: "generations",
        broken: "spaces in which two generations of vectors serve",
        count: "SELECT count(*) FROM (SELECT space FROM generations WHERE serves GROUP BY space HAVING count(*) > 1)",
    },
    Invariant {
        subject: "orphaned jobs",
        broken: "jobs whose space does not exist",
        count: "SELECT count(*) FROM jobs WHERE space NOT IN (SELECT space FROM spaces)",
    },
];

pub(crate) fn run(connection: &mut Connection) -> Result<Vec<Finding>> {
    let snapshot = connection.transaction().map_err(storage)?;
    let mut findings = vec![integrity(&snapshot)?, schema(&snapshot)?];
    for invariant in INVARIANTS {
        let broken: i64 = snapshot.query_row(invariant.count, [], |row| row.get(0)).map_err(storage)?;
        findings.push(Finding::of_invariant(invariant.subject, broken, invariant.broken, RESTORE));
    }
    let dead: i64 = snapshot
        .query_row("SELECT count(*) FROM jobs WHERE state = 2", [], |row| row.get(0))
        .map_err(storage)?;
    findings.push(Finding::of_dead_jobs(dead));
    Ok(findings)
}

fn integrity(connection: &Connection) -> Result<Finding> {
    let mut statement = connection.prepare("PRAGMA integrity_check(10)").map_err(storage)?;
    let lines: Vec<String> =
        statement.query_map([], |row| row.get(0)).and_then(Iterator::collect).map_err(storage)?;
    Ok(if lines == ["ok"] {
        Finding::fine("file", "SQLite's integrity check passed")
    } else {
        Finding::broken("file", lines.join("; "), RESTORE)
    })
}

fn schema(connection: &Connection) -> Result<Finding> {
    let version = schema_version(connection)?;
    Ok(Finding::fine("schema", format!("version {version} of {SCHEMA_VERSION}")))
}
