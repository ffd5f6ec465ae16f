use memoir_model::{Result, TenantId};
use memoir_store::Finding;

use crate::codec::get;
use crate::migrate::{self, SCHEMA_VERSION};
use crate::pool::Pool;
use crate::scope::Scope;

/// One thing that must hold for every row: a query that counts the rows of a tenant for which it does not.
struct Invariant {
    subject: &'static str,
    broken: &'static str,
    count: &'static str,
}

const RESTORE: &str = "restore the database's last good backup, then import what came after it";

const INVARIANTS: &[Invariant] = &[
    Invariant {
        subject: "space names",
        broken: "spaces whose name leads nowhere, or which no name leads to",
        count: "SELECT count(*) FROM spaces AS s FULL JOIN space_heads AS h ON h.space = s.space \
                WHERE s.space IS NULL OR h.space IS NULL OR s.id <> h.id",
    },
    Invariant {
        subject: "message numbers",
        broken: "spaces whose messages are not numbered 1 to last without a gap",
        count: "SELECT count(*) FROM (SELECT h.last_seq AS last, count(m.seq) AS n, coalesce(max(m.seq), 0) AS top, \
                coalesce(min(m.seq), 1) AS low FROM space_heads AS h LEFT JOIN messages AS m ON m.space = h.space \
                GROUP BY h.space, h.last_seq) AS c WHERE n <> last OR top <> last OR low <> 1",
    },
    Invariant {
        subject: "orphaned messages",
        broken: "messages whose space does not exist",
        count: "SELECT count(*) FROM messages AS m WHERE NOT EXISTS \
                (SELECT 1 FROM space_heads AS h WHERE h.space = m.space)",
    },
    Invariant {
        subject: "sessions of messages",
        broken: "messages whose session does not exist",
        count: "SELECT count(*) FROM messages AS m WHERE NOT EXISTS \
                (SELECT 1 FROM sessions AS s WHERE s.space = m.space AND s.no = m.session)",
    },
    Invariant {
        subject: "session counts",
        broken: "sessions whose count of messages is wrong",
        count: "SELECT count(*) FROM (SELECT s.messages AS told, count(m.seq) AS n FROM sessions AS s \
                LEFT JOIN messages AS m ON m.space = s.space AND m.session = s.no \
                GROUP BY s.space, s.no, s.messages) AS c WHERE told <> n",
    },
    Invariant {
        subject: "session times",
        broken: "sessions that do not cover their own messages",
        count: "SELECT count(*) FROM messages AS m JOIN sessions AS s ON s.space = m.space AND s.no = m.session \
                WHERE m.said_at < s.first_said_at OR m.said_at > s.last_said_at",
    },
    Invariant {
        subject: "vectors",
        broken: "vectors of a generation that is gone, of a message that is not active, beyond their generation's cursor \
                 or of another dimension",
        count: "SELECT count(*) FROM vectors AS v LEFT JOIN generations AS g ON g.space = v.space AND g.no = v.generation \
                LEFT JOIN messages AS m ON m.space = v.space AND m.seq = v.seq WHERE g.no IS NULL OR m.seq IS NULL \
                OR m.state <> 0 OR v.seq > g.cursor OR public.vector_dims(v.vector) <> g.dimension",
    },
    Invariant {
        subject: "generations",
        broken: "spaces in which two generations of vectors serve",
        count: "SELECT count(*) FROM (SELECT space FROM generations WHERE serves GROUP BY space \
                HAVING count(*) > 1) AS g",
    },
    Invariant {
        subject: "orphaned jobs",
        broken: "jobs whose space does not exist",
        count: "SELECT count(*) FROM jobs AS j WHERE NOT EXISTS \
                (SELECT 1 FROM space_heads AS h WHERE h.space = j.space)",
    },
    Invariant {
        subject: "job hints",
        broken: "jobs that no hint leads to in time",
        count: "SELECT count(*) FROM jobs AS j WHERE j.state < 2 AND NOT EXISTS (SELECT 1 FROM job_hints AS h \
                WHERE h.bucket = j.space % 64 AND h.space = j.space AND h.kind = j.kind AND h.run_at <= j.run_at)",
    },
];

/// Looks at every tenant's rows as that tenant.
pub(crate) async fn run(pool: &Pool) -> Result<Vec<Finding>> {
    let version = migrate::current(pool).await?;
    let mut findings = vec![Finding::fine("schema", format!("version {version} of {SCHEMA_VERSION}"))];
    let sql = "SELECT tenant FROM spaces UNION SELECT tenant FROM space_heads UNION SELECT tenant FROM jobs";
    let mut tenants = Vec::new();
    for row in pool.read(Scope::Worker, sql, &[]).await? {
        tenants.push(TenantId::new(get::<String>(&row, 0)?)?);
    }
    for invariant in INVARIANTS {
        let mut broken = 0;
        for tenant in &tenants {
            broken += count(pool, tenant, invariant.count).await?;
        }
        findings.push(Finding::of_invariant(invariant.subject, broken, invariant.broken, RESTORE));
    }
    let mut dead = 0;
    for tenant in &tenants {
        dead += count(pool, tenant, "SELECT count(*) FROM jobs WHERE state = 2").await?;
    }
    findings.push(Finding::of_dead_jobs(dead));
    Ok(findings)
}

async fn count(pool: &Pool, tenant: &TenantId, sql: &str) -> Result<i64> {
    let row = pool.first(Scope::Tenant(tenant), sql, &[]).await?;
    row.as_ref().map_or(Ok(0), |row| get(row, 0))
}
