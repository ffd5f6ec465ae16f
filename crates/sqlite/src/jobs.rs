//! The queue: asking, leasing, finishing.

use memoir_model::{Error, ErrorCode, Job, Lane, Lease, Result, SpaceKey};
use memoir_store::columns::json;
use memoir_store::{Claim, JobChange};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::HashMap;

use crate::codec::{self, JOB_COLUMNS, space_column, time_column};
use crate::error::storage;

/// Fails unless the lease is the newest of its job, and the job one of this space.
pub(crate) fn check_lease(connection: &Connection, key: &SpaceKey, lease: Lease) -> Result<()> {
    let token: Option<i64> = connection
        .prepare_cached("SELECT token FROM jobs WHERE space = ?1 AND id = ?2 AND state = 1")
        .and_then(|mut s| {
            s.query_row(params![space_column(lease.space), lease.job.to_string()], |row| row.get(0))
                .optional()
        })
        .map_err(storage)?;
    if token == Some(lease.token as i64) && lease.space == key.no {
        Ok(())
    } else {
        Err(Error::new(ErrorCode::LeaseLost, "somebody else holds this job now"))
    }
}

pub(crate) fn change(
    connection: &Connection,
    key: &SpaceKey,
    lease: Option<Lease>,
    change: &JobChange,
) -> Result<()> {
    let leased = || lease.ok_or_else(|| Error::internal("a job is finished only under its lease"));
    let on_leased = |sql: &str, at: Option<i64>, text: Option<&str>| -> Result<()> {
        let lease = leased()?;
        connection
            .prepare_cached(sql)
            .and_then(|mut s| s.execute(params![space_column(lease.space), lease.job.to_string(), at, text]))
            .map(drop)
            .map_err(storage)
    };
    match change {
        JobChange::Enqueue(job) => {
            let payload = json(&job.payload)?;
            connection
                .prepare_cached(
                    "INSERT INTO jobs VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, NULL, 0, 0, 0, NULL, ?9) \
                     ON CONFLICT (space, kind, key) DO UPDATE SET \
                     run_at = CASE state WHEN 0 THEN min(run_at, excluded.run_at) WHEN 1 THEN run_at \
                              ELSE excluded.run_at END, \
                     again_at = CASE state WHEN 1 THEN min(coalesce(again_at, excluded.run_at), excluded.run_at) END, \
                     attempts = CASE state WHEN 2 THEN 0 ELSE attempts END, \
                     payload = excluded.payload, \
                     state = CASE state WHEN 2 THEN 0 ELSE state END",
                )
                .and_then(|mut s| {
                    s.execute(params![
                        space_column(key.no),
                        job.id.to_string(),
                        key.tenant.as_str(),
                        job.kind,
                        job.key,
                        payload,
                        job.lane.code(),
                        time_column(job.run_at),
                        job.id.unix_millis() * 1000,
                    ])
                })
                .map(drop)
                .map_err(storage)
        }
        JobChange::Finish => {
            on_leased(
                "UPDATE jobs SET state = 0, run_at = again_at, again_at = NULL, attempts = 0, last_error = NULL \
                 WHERE space = ?1 AND id = ?2 AND state = 1 AND again_at IS NOT NULL AND ?3 IS NULL AND ?4 IS NULL",
                None,
                None,
            )?;
            on_leased(
                "DELETE FROM jobs WHERE space = ?1 AND id = ?2 AND state = 1 AND ?3 IS NULL AND ?4 IS NULL",
                None,
                None,
            )
        }
        JobChange::Postpone(until) => on_leased(
            "UPDATE jobs SET state = 0, run_at = min(?3, coalesce(again_at, ?3)), again_at = NULL, attempts = 0, \
             last_error = NULL WHERE space = ?1 AND id = ?2 AND ?4 IS NULL",
            Some(time_column(*until)),
            None,
        ),
        JobChange::Return(due) => on_leased(
            "UPDATE jobs SET state = 0, run_at = min(?3, coalesce(again_at, ?3)), again_at = NULL, \
             attempts = attempts - 1 WHERE space = ?1 AND id = ?2 AND ?4 IS NULL",
            Some(time_column(*due)),
            None,
        ),
        JobChange::Extend(until) => on_leased(
            "UPDATE jobs SET run_at = ?3 WHERE space = ?1 AND id = ?2 AND ?4 IS NULL",
            Some(time_column(*until)),
            None,
        ),
        JobChange::Fail { retry_at, error } => on_leased(
            "UPDATE jobs SET state = CASE WHEN ?3 IS NULL AND again_at IS NULL THEN 2 ELSE 0 END, \
             attempts = CASE WHEN ?3 IS NULL AND again_at IS NOT NULL THEN 0 ELSE attempts END, \
             run_at = coalesce(?3, again_at, run_at), again_at = NULL, last_error = ?4 WHERE space = ?1 AND id = ?2",
            retry_at.map(time_column),
            Some(error),
        ),
        JobChange::Revive { job, run_at } => {
            let revived = connection
                .execute(
                    "UPDATE jobs SET state = 0, attempts = 0, run_at = ?3 WHERE space = ?1 AND id = ?2 AND state = 2",
                    params![space_column(key.no), job.to_string(), time_column(*run_at)],
                )
                .map_err(storage)?;
            if revived == 1 {
                Ok(())
            } else {
                Err(Error::new(ErrorCode::Conflict, "only a dead job can be retried"))
            }
        }
    }
}

/// Leases due jobs, the longest due first. A leased job's `run_at` is the end of its lease, so an abandoned one
/// comes due again through the same index.
pub(crate) fn claim(connection: &Connection, claim: &Claim) -> Result<Vec<Job>> {
    let mut room: HashMap<&str, usize> = claim.room.iter().map(|(kind, n)| (kind.as_ref(), *n)).collect();
    let now = time_column(claim.now);
    let mut due = Vec::new();
    // Each kind is asked for by itself: a backlog of one must not hide another.
    for (kind, n) in &room {
        let mut statement = connection
            .prepare_cached(&format!(
                "SELECT {JOB_COLUMNS} FROM jobs AS j WHERE state < 2 AND run_at <= ?1 \
                 AND kind = ?2 \
                 AND (lane = 0 OR NOT EXISTS (SELECT 1 FROM jobs AS b WHERE b.space = j.space AND b.lane = j.lane \
                      AND b.state = 1 AND b.run_at > ?1 AND b.id <> j.id)) \
                 ORDER BY run_at LIMIT ?3"
            ))
            .map_err(storage)?;
        // Some of them may share a lane, so that more are looked at than are taken.
        let candidates = claim.limit.min(*n).saturating_mul(8);
        let mut rows = statement.query(params![now, kind, candidates as i64]).map_err(storage)?;
        while let Some(row) = rows.next().map_err(storage)? {
            due.push(codec::job(row)?);
        }
    }
    due.sort_by_key(|job| (job.run_at, job.id));
    let mut taken: Vec<Job> = Vec::new();
    for mut job in due {
        if taken.len() >= claim.limit {
            break;
        }
        let Some(left) = room.get_mut(job.kind.as_ref()).filter(|left| **left > 0) else { continue };
        if job.lane != Lane::Free
            && taken.iter().any(|other| other.space == job.space && other.lane == job.lane)
        {
            continue;
        }
        *left -= 1;
        if job.lane != Lane::Free {
            take_back(connection, &job, now)?;
        }
        (job.attempts, job.token) = (job.attempts + 1, job.token + 1);
        (job.state, job.run_at) = (memoir_model::JobState::Leased, claim.lease_until);
        connection
            .prepare_cached(
                "UPDATE jobs SET state = 1, run_at = ?3, attempts = ?4, token = ?5 WHERE space = ?1 AND id = ?2",
            )
            .and_then(|mut s| {
                s.execute(params![
                    space_column(job.space),
                    job.id.to_string(),
                    time_column(claim.lease_until),
                    job.attempts,
                    job.token as i64
                ])
            })
            .map_err(storage)?;
        taken.push(job);
    }
    Ok(taken)
}

/// Takes back the leases that ran out in the lane of a job that is about to be handed out: whoever held one too long
/// must not write beside the new holder of the lane.
fn take_back(connection: &Connection, job: &Job, now: i64) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE jobs SET state = 0 WHERE space = ?1 AND lane = ?2 AND state = 1 AND run_at <= ?3 AND id <> ?4",
        )
        .and_then(|mut s| s.execute(params![space_column(job.space), job.lane.code(), now, job.id.to_string()]))
        .map(drop)
        .map_err(storage)
}
