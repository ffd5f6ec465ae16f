//! The queue: asking, leasing, finishing. Jobs lie with their space; the table of hints says in which spaces to look.

use jiff::{SignedDuration, Timestamp};
use memoir_model::{Error, ErrorCode, Job, Lane, Lease, Result, SpaceKey, SpaceNo, TenantId};
use memoir_store::columns::json;
use memoir_store::{Claim, JobChange};
use parking_lot::Mutex;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::codec::{self, JOB_COLUMNS, get, limit, number_column, space_column};
use crate::error::Fault;
use crate::pool::{Given, Pool};
use crate::scope::Scope;
use crate::transaction::{End, Mode, Transaction};

/// How many heaps the hints are dealt out to.
const BUCKETS: u64 = 64;
/// How often one claim looks when others are quicker.
const LOOKS: usize = 16;
/// How long a process waits before it sweeps another bucket.
const SWEEP: SignedDuration = SignedDuration::from_secs(30);

fn bucket(space: SpaceNo) -> i16 {
    (space.get() % BUCKETS) as i16
}

/// Fails unless the lease is the newest of its job, and the job one of this space.
pub(crate) async fn check_lease(
    transaction: &Transaction,
    key: &SpaceKey,
    lease: Lease,
) -> Result<(), Fault> {
    let sql = "SELECT token FROM jobs WHERE space = $1 AND id = $2 AND state = 1";
    let rows = transaction.query(sql, &[&space_column(lease.space), &lease.job.to_string()]).await?;
    let token = rows.first().map(|row| codec::number(row, 0)).transpose()?;
    if token == Some(lease.token) && lease.space == key.no {
        Ok(())
    } else {
        Err(Error::new(ErrorCode::LeaseLost, "somebody else holds this job now").into())
    }
}

/// Changes the queue of a space that is locked.
pub(crate) async fn change(
    transaction: &Transaction,
    key: &SpaceKey,
    lease: Option<Lease>,
    change: &JobChange,
) -> Result<(), Fault> {
    if let JobChange::Enqueue(job) = change {
        let sql = "INSERT INTO jobs (space, id, tenant, kind, key, payload, lane, run_at, again_at, attempts, state, \
             token, last_error, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, NULL, 0, 0, 0, NULL, $9) \
             ON CONFLICT (space, kind, key) DO UPDATE SET \
             run_at = CASE jobs.state WHEN 0 THEN least(jobs.run_at, excluded.run_at) WHEN 1 THEN jobs.run_at \
                      ELSE excluded.run_at END, \
             again_at = CASE jobs.state WHEN 1 THEN least(jobs.again_at, excluded.run_at) END, \
             attempts = CASE jobs.state WHEN 2 THEN 0 ELSE jobs.attempts END, \
             payload = excluded.payload, \
             state = CASE jobs.state WHEN 2 THEN 0 ELSE jobs.state END";
        let made = Timestamp::from_millisecond(job.id.unix_millis()).unwrap_or_default();
        let given: [Given<'_>; 9] = [
            &space_column(key.no),
            &job.id.to_string(),
            &key.tenant.as_str(),
            &job.kind.as_ref(),
            &job.key,
            &json(&job.payload)?,
            &i16::from(job.lane.code()),
            &job.run_at,
            &made,
        ];
        transaction.execute(sql, &given).await?;
        return hint(transaction, key, &job.kind, job.run_at).await;
    }
    let (space, id) = match change {
        JobChange::Revive { job, .. } => (key.no, *job),
        _ => {
            let lease = lease.ok_or_else(|| Error::internal("a job is finished only under its lease"))?;
            (lease.space, lease.job)
        }
    };
    let (space, id) = (space_column(space), id.to_string());
    let sql = match change {
        JobChange::Enqueue(_) => return Ok(()),
        JobChange::Finish => {
            "UPDATE jobs SET state = 0, run_at = again_at, again_at = NULL, attempts = 0, last_error = NULL \
             WHERE space = $1 AND id = $2 AND state = 1 AND again_at IS NOT NULL RETURNING kind"
        }
        JobChange::Postpone(_) => {
            "UPDATE jobs SET state = 0, run_at = least($3, again_at), again_at = NULL, attempts = 0, \
             last_error = NULL WHERE space = $1 AND id = $2 RETURNING kind"
        }
        JobChange::Return(_) => {
            "UPDATE jobs SET state = 0, run_at = least($3, again_at), again_at = NULL, attempts = attempts - 1 \
             WHERE space = $1 AND id = $2 RETURNING kind"
        }
        JobChange::Extend(_) => "UPDATE jobs SET run_at = $3 WHERE space = $1 AND id = $2 RETURNING kind",
        JobChange::Fail { retry_at: Some(_), .. } => {
            "UPDATE jobs SET state = 0, run_at = $3, again_at = NULL, last_error = $4 \
             WHERE space = $1 AND id = $2 RETURNING kind"
        }
        JobChange::Fail { retry_at: None, .. } => {
            "UPDATE jobs SET state = CASE WHEN again_at IS NULL THEN 2 ELSE 0 END, \
             attempts = CASE WHEN again_at IS NULL THEN attempts ELSE 0 END, \
             run_at = coalesce(again_at, run_at), again_at = NULL, last_error = $3 \
             WHERE space = $1 AND id = $2 RETURNING kind"
        }
        JobChange::Revive { .. } => {
            "UPDATE jobs SET state = 0, attempts = 0, run_at = $3 WHERE space = $1 AND id = $2 AND state = 2 \
             RETURNING kind"
        }
    };
    let mut given: Vec<Given<'_>> = vec![&space, &id];
    match change {
        JobChange::Enqueue(_) | JobChange::Finish => {}
        JobChange::Postpone(at)
        | JobChange::Return(at)
        | JobChange::Extend(at)
        | JobChange::Revive { run_at: at, .. } => {
            given.push(at);
        }
        JobChange::Fail { retry_at, error } => {
            if let Some(at) = retry_at {
                given.push(at);
            }
            given.push(error);
        }
    }
    let mut changed = transaction.query(sql, &given).await?;
    if changed.is_empty() && matches!(change, JobChange::Finish) {
        let sql = "DELETE FROM jobs WHERE space = $1 AND id = $2 AND state = 1 RETURNING kind";
        changed = transaction.query(sql, &[&space, &id]).await?;
    }
    match changed.first() {
        Some(row) => set_hint_right(transaction, key, get(row, 0)?).await,
        None if matches!(change, JobChange::Revive { .. }) => {
            Err(Error::new(ErrorCode::Conflict, "only a dead job can be retried").into())
        }
        None => Ok(()),
    }
}

/// Notes that there may be work at that time. What is noted already stays if it is earlier.
async fn hint(transaction: &Transaction, key: &SpaceKey, kind: &str, run_at: Timestamp) -> Result<(), Fault> {
    let sql = "INSERT INTO job_hints (bucket, space, kind, tenant, run_at) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (bucket, space, kind) DO UPDATE SET run_at = least(job_hints.run_at, excluded.run_at)";
    let given: [Given<'_>; 5] =
        [&bucket(key.no), &space_column(key.no), &kind, &key.tenant.as_str(), &run_at];
    transaction.execute(sql, &given).await.map(drop)
}

/// Makes the hint say what is so. The space is locked, so nobody asks for work in between.
async fn set_hint_right(transaction: &Transaction, key: &SpaceKey, kind: &str) -> Result<(), Fault> {
    let (bucket, space) = (bucket(key.no), space_column(key.no));
    let sql = "SELECT min(run_at) FROM jobs WHERE space = $1 AND kind = $2 AND state < 2";
    let rows = transaction.query(sql, &[&space, &kind]).await?;
    let earliest: Option<Timestamp> = rows.first().map(|row| get(row, 0)).transpose()?.flatten();
    let Some(earliest) = earliest else {
        let sql = "DELETE FROM job_hints WHERE bucket = $1 AND space = $2 AND kind = $3";
        return transaction.execute(sql, &[&bucket, &space, &kind]).await.map(drop);
    };
    let sql = "INSERT INTO job_hints (bucket, space, kind, tenant, run_at) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (bucket, space, kind) DO UPDATE SET run_at = excluded.run_at";
    let given: [Given<'_>; 5] = [&bucket, &space, &kind, &key.tenant.as_str(), &earliest];
    transaction.execute(sql, &given).await.map(drop)
}

/// Leases due jobs, the longest due first. Who finds that others were quicker looks again, for there may be more.
pub(crate) async fn claim(pool: &Pool, claim: &Claim) -> Result<Vec<Job>> {
    for _ in 0..LOOKS {
        let look = look(pool, claim).await?;
        if !look.leased.is_empty() || !look.others_were_quicker {
            return Ok(look.leased);
        }
    }
    Ok(Vec::new())
}

/// What a look at the queue came to.
struct Look {
    leased: Vec<Job>,
    others_were_quicker: bool,
}

/// Looks at the hints, then into the spaces that they name, and leases in each space by itself under that space's lock:
/// nothing is locked across spaces.
async fn look(pool: &Pool, claim: &Claim) -> Result<Look> {
    let hinted = hinted(pool, claim).await?;
    let due = if hinted.is_empty() { Vec::new() } else { due(pool, claim, &hinted).await? };
    let mut spaces: BTreeMap<SpaceNo, Visit> = BTreeMap::new();
    for Hint { space, tenant, kind } in hinted {
        let visit = spaces.entry(space).or_insert_with(|| Visit::new(tenant));
        if !due.iter().any(|job| job.space == space && job.kind == kind) {
            // It says that something is due, and nothing is.
            visit.kinds.insert(kind);
        }
    }
    let chosen = chosen(claim, due);
    let wanted = chosen.len();
    for job in chosen {
        if let Some(visit) = spaces.get_mut(&job.space) {
            visit.kinds.insert(job.kind.to_string());
            visit.jobs.push(job);
        }
    }
    let mut leased = Vec::new();
    for (no, visit) in spaces.into_iter().filter(|(_, visit)| !visit.kinds.is_empty()) {
        let key = SpaceKey { tenant: visit.tenant, no };
        match lease(pool, claim, &key, &visit.kinds, &visit.jobs).await {
            Ok(jobs) => leased.extend(jobs),
            // What is leased already must reach its worker; the rest is found again.
            Err(fault) if !leased.is_empty() => {
                tracing::warn!(
                    code = fault.error.code().as_str(),
                    "a due job could not be leased: {}",
                    fault.error
                );
                break;
            }
            Err(fault) => return Err(fault.error),
        }
    }
    leased.sort_by_key(|(due_at, job): &(Timestamp, Job)| (*due_at, job.id));
    let others_were_quicker = leased.len() < wanted;
    Ok(Look { leased: leased.into_iter().map(|(_, job)| job).collect(), others_were_quicker })
}

/// Where work of a kind may be due.
struct Hint {
    space: SpaceNo,
    tenant: TenantId,
    kind: String,
}

/// What there is to do in one space.
struct Visit {
    tenant: TenantId,
    /// The kinds whose hints are to be set right afterwards.
    kinds: BTreeSet<String>,
    jobs: Vec<Job>,
}

impl Visit {
    fn new(tenant: TenantId) -> Self {
        Visit { tenant, kinds: BTreeSet::new(), jobs: Vec::new() }
    }
}

/// The kinds that a worker has room for, and how many candidates of each to look at. Some may share a lane, so that more
/// are looked at than are taken.
fn wanted(claim: &Claim) -> (Vec<&str>, Vec<i64>) {
    let room = claim.room.iter().filter(|(_, n)| *n > 0);
    room.map(|(kind, n)| (kind.as_ref(), limit(claim.limit.min(*n).saturating_mul(8)))).unzip()
}

async fn hinted(pool: &Pool, claim: &Claim) -> Result<Vec<Hint>> {
    // Each kind is asked for by itself: a backlog of one must not hide another.
    let sql = "SELECT h.space, h.tenant, h.kind FROM unnest($1::text[], $2::bigint[]) AS k (kind, most) \
         CROSS JOIN LATERAL (SELECT space, tenant, kind FROM job_hints WHERE kind = k.kind AND run_at <= $3 \
         ORDER BY run_at LIMIT k.most) AS h";
    let (kinds, most) = wanted(claim);
    let rows = pool.read(Scope::Worker, sql, &[&kinds, &most, &claim.now]).await?;
    let hint = |row| {
        let (space, tenant) = (codec::space_no(row, 0)?, TenantId::new(get::<String>(row, 1)?)?);
        Ok(Hint { space, tenant, kind: get(row, 2)? })
    };
    rows.iter().map(hint).collect()
}

/// Due jobs of the hinted spaces whose lane is free, the longest due first.
async fn due(pool: &Pool, claim: &Claim, hinted: &[Hint]) -> Result<Vec<Job>> {
    let sql = format!(
        "SELECT {JOB_COLUMNS} FROM unnest($1::text[], $2::bigint[]) AS k (wanted, most) CROSS JOIN LATERAL \
         (SELECT * FROM jobs AS j WHERE j.space = ANY ($3) AND j.kind = k.wanted AND j.state < 2 AND j.run_at <= $4 \
         AND (j.lane = 0 OR NOT EXISTS (SELECT 1 FROM jobs AS b WHERE b.space = j.space AND b.lane = j.lane \
         AND b.state = 1 AND b.run_at > $4 AND b.id <> j.id)) ORDER BY j.run_at, j.id LIMIT k.most) AS due \
         ORDER BY run_at, id"
    );
    let (kinds, most) = wanted(claim);
    let spaces: Vec<i64> =
        hinted.iter().map(|hint| space_column(hint.space)).collect::<BTreeSet<_>>().into_iter().collect();
    let rows = pool.read(Scope::Worker, &sql, &[&kinds, &most, &spaces, &claim.now]).await?;
    rows.iter().map(codec::job).collect()
}

/// Which of the due jobs there is room for: no more of a kind than the worker can take, one of a lane in each space.
fn chosen(claim: &Claim, due: Vec<Job>) -> Vec<Job> {
    let mut room: HashMap<&str, usize> = claim.room.iter().map(|(kind, n)| (kind.as_ref(), *n)).collect();
    let mut chosen: Vec<Job> = Vec::new();
    for job in due {
        if chosen.len() >= claim.limit {
            break;
        }
        let same_lane = |other: &Job| other.space == job.space && other.lane == job.lane;
        if job.lane != Lane::Free && chosen.iter().any(same_lane) {
            continue;
        }
        if let Some(left) = room.get_mut(job.kind.as_ref()).filter(|left| **left > 0) {
            *left -= 1;
            chosen.push(job);
        }
    }
    chosen
}

/// Leases jobs of one space, as far as nobody else was quicker, and sets its hints right. Returns them with the time at
/// which they were due.
async fn lease(
    pool: &Pool,
    claim: &Claim,
    key: &SpaceKey,
    kinds: &BTreeSet<String>,
    jobs: &[Job],
) -> Result<Vec<(Timestamp, Job)>, Fault> {
    let sql = "SELECT 1 FROM space_heads WHERE space = $1 FOR NO KEY UPDATE";
    let space = space_column(key.no);
    let (transaction, _) = Transaction::begin(pool, Mode::Write, Scope::Space(key), sql, &[&space]).await?;
    let mut leased = Vec::new();
    for job in jobs {
        let id = job.id.to_string();
        if job.lane != Lane::Free {
            // Whoever held a lease of the lane too long must not write beside its new holder.
            let sql = "UPDATE jobs SET state = 0 WHERE space = $1 AND lane = $2 AND state = 1 AND run_at <= $3 \
                 AND id <> $4";
            let lane = i16::from(job.lane.code());
            transaction.execute(sql, &[&space, &lane, &claim.now, &id]).await?;
        }
        let sql = format!(
            "UPDATE jobs AS j SET state = 1, run_at = $4, attempts = j.attempts + 1, token = j.token + 1 \
             WHERE j.space = $1 AND j.id = $2 AND j.state < 2 AND j.run_at <= $3 AND (j.lane = 0 OR NOT EXISTS \
             (SELECT 1 FROM jobs AS b WHERE b.space = j.space AND b.lane = j.lane AND b.state = 1 \
             AND b.run_at > $3 AND b.id <> j.id)) RETURNING {JOB_COLUMNS}"
        );
        let rows = transaction.query(&sql, &[&space, &id, &claim.now, &claim.lease_until]).await?;
        if let Some(row) = rows.first() {
            leased.push((job.run_at, codec::job(row)?));
        }
    }
    for kind in kinds {
        set_hint_right(&transaction, key, kind).await?;
    }
    match transaction.commit().await {
        End::Durable => Ok(leased),
        // A lease whose answer was lost runs out by itself.
        End::Refused(fault) | End::Unknown(fault) => Err(fault),
    }
}

/// Puts back hints that should be missing, one bucket at a time. Every commit keeps them right; this is for what no
/// commit did, such as a table restored without them.
#[derive(Default)]
pub(crate) struct Sweep {
    next: Mutex<(Option<Timestamp>, u64)>,
}

impl Sweep {
    /// Sweeps a bucket if it is time.
    pub(crate) async fn run_if_due(&self, pool: &Pool, now: Timestamp) -> Result<()> {
        let bucket = {
            let mut next = self.next.lock();
            let (due, bucket) = &mut *next;
            if due.is_some_and(|due| now < due) {
                return Ok(());
            }
            *due = now.checked_add(SWEEP).ok();
            let this = *bucket;
            *bucket = (this + 1) % BUCKETS;
            this
        };
        sweep(pool, bucket).await
    }
}

/// Puts back the hints of one bucket.
async fn sweep(pool: &Pool, bucket: u64) -> Result<()> {
    let sql = "SELECT j.space, j.tenant, j.kind, min(j.run_at) FROM jobs AS j WHERE j.state < 2 AND j.space % $1 = $2 \
         AND NOT EXISTS (SELECT 1 FROM job_hints AS h WHERE h.bucket = $3 AND h.space = j.space AND h.kind = j.kind \
         AND h.run_at <= j.run_at) GROUP BY j.space, j.tenant, j.kind";
    let given: [Given<'_>; 3] = [&number_column(BUCKETS), &number_column(bucket), &(bucket as i16)];
    for row in pool.read(Scope::Worker, sql, &given).await? {
        let key = SpaceKey { tenant: TenantId::new(get::<String>(&row, 1)?)?, no: codec::space_no(&row, 0)? };
        let (kind, run_at): (&str, Timestamp) = (get(&row, 2)?, get(&row, 3)?);
        let lock = "SELECT 1 FROM space_heads WHERE space = $1 FOR NO KEY UPDATE";
        let put_back = async {
            let (transaction, _) =
                Transaction::begin(pool, Mode::Write, Scope::Space(&key), lock, &[&space_column(key.no)])
                    .await?;
            hint(&transaction, &key, kind, run_at).await?;
            match transaction.commit().await {
                End::Durable => Ok(()),
                End::Refused(fault) | End::Unknown(fault) => Err(fault),
            }
        };
        put_back.await.map_err(|fault: Fault| fault.error)?;
    }
    Ok(())
}
