use jiff::Timestamp;
use memoir_model::{Period, Result, Session, SessionId, SpaceKey, Thread};
use memoir_store::{LatestTalk, MessageQuery, SessionTalk};
use rusqlite::{Connection, params};

use super::{all, derived, first, messages};
use crate::codec::{self, SESSION_COLUMNS, space_column, time_column};

pub(crate) fn by_id(connection: &Connection, key: &SpaceKey, id: &SessionId) -> Result<Option<Session>> {
    let sql = format!("SELECT {SESSION_COLUMNS} FROM sessions WHERE space = ?1 AND id = ?2");
    first(connection, &sql, params![space_column(key.no), id.as_str()], codec::session)
}

pub(crate) fn talk(
    connection: &Connection,
    key: &SpaceKey,
    id: &SessionId,
    query: &MessageQuery,
) -> Result<Option<SessionTalk>> {
    let Some(session) = by_id(connection, key, id)? else { return Ok(None) };
    let query = MessageQuery { session_no: Some(session.no), ..query.clone() };
    let messages = messages::list(connection, key, &query)?;
    let summary = derived::summary(connection, key, &Period::Session(id.clone()))?;
    Ok(Some(SessionTalk { session, summary, messages }))
}

pub(crate) fn by_no(connection: &Connection, key: &SpaceKey, no: u64) -> Result<Option<Session>> {
    let sql = format!("SELECT {SESSION_COLUMNS} FROM sessions WHERE space = ?1 AND no = ?2");
    first(connection, &sql, params![space_column(key.no), no as i64], codec::session)
}

pub(crate) fn list(
    connection: &Connection,
    key: &SpaceKey,
    below: Option<u64>,
    limit: usize,
) -> Result<Vec<Session>> {
    let below = below.map_or(i64::MAX, |no| i64::try_from(no).unwrap_or(i64::MAX));
    let sql = format!(
        "SELECT {SESSION_COLUMNS} FROM sessions WHERE space = ?1 AND no < ?2 ORDER BY no DESC LIMIT ?3"
    );
    all(connection, &sql, params![space_column(key.no), below, limit as i64], codec::session)
}

pub(crate) fn latest(connection: &Connection, key: &SpaceKey, limit: usize) -> Result<LatestTalk> {
    let open = open_implicit(connection, key, &Thread::default())?;
    let sessions = list(connection, key, None, limit)?;
    let summaries = derived::summaries_at(connection, key, &LatestTalk::told(&sessions))?;
    Ok(LatestTalk { open, sessions, summaries })
}

pub(crate) fn implicit_between(
    connection: &Connection,
    key: &SpaceKey,
    thread: &Thread,
    from: Timestamp,
    until: Timestamp,
) -> Result<Vec<Session>> {
    // Sessions of a thread hardly overlap: those that began last before the range ended are the ones to look at,
    // however many came later.
    let sql = format!(
        "SELECT {SESSION_COLUMNS} FROM (SELECT * FROM sessions WHERE space = ?1 AND thread = ?2 AND explicit = 0 \
         AND first_said_at <= ?4 ORDER BY first_said_at DESC LIMIT 64) \
         WHERE last_said_at >= ?3 ORDER BY last_said_at DESC LIMIT 8"
    );
    let times = (time_column(from), time_column(until));
    all(connection, &sql, params![space_column(key.no), thread.as_str(), times.0, times.1], codec::session)
}

pub(crate) fn open_implicit(
    connection: &Connection,
    key: &SpaceKey,
    thread: &Thread,
) -> Result<Option<Session>> {
    let sql = format!(
        "SELECT {SESSION_COLUMNS} FROM sessions WHERE space = ?1 AND thread = ?2 AND explicit = 0 \
         AND ended_at IS NULL"
    );
    first(connection, &sql, params![space_column(key.no), thread.as_str()], codec::session)
}
