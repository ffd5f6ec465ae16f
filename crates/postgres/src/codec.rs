//! Between columns and types.

use jiff::Timestamp;
use jiff::civil::Date;
use memoir_model::{
    Author, EndReason, GeneratedId, Job, JobState, Lane, LocalMoment, Message, MessageId, MessageState,
    Result, Session, SessionId, Space, SpaceNo, Speaker, TenantId, Thread,
};
use memoir_store::columns::{Extra, from_json, metadata, unreadable};
use tokio_postgres::Row;
use tokio_postgres::types::FromSql;

/// The space as a column.
pub(crate) fn space_column(no: SpaceNo) -> i64 {
    no.get() as i64
}

/// A number that a caller made up, as large as a column can hold: what is larger exists nowhere.
pub(crate) fn number_column(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// How many rows; `LIMIT` takes no more than this.
pub(crate) fn limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

/// One column of a row.
pub(crate) fn get<'a, T: FromSql<'a>>(row: &'a Row, column: usize) -> Result<T> {
    row.try_get(column).map_err(|_| unreadable("column"))
}

/// A column that counts something.
pub(crate) fn number(row: &Row, column: usize) -> Result<u64> {
    Ok(get::<i64>(row, column)? as u64)
}

/// A column that stands for one of a few values.
fn coded<T>(row: &Row, column: usize, what: &str, value: impl Fn(u8) -> Option<T>) -> Result<T> {
    let code = u8::try_from(get::<i16>(row, column)?).ok();
    code.and_then(value).ok_or_else(|| unreadable(what))
}

/// Columns of a message, for [`message`]; `s` is its session.
pub(crate) const MESSAGE_COLUMNS: &str = "m.seq, m.id, m.author, m.role, m.state, m.version, m.said_at, \
     m.recorded_at, m.local_date, m.utc_offset, m.reply_to, m.extra, m.content, s.id, s.thread";
/// Where those columns come from.
pub(crate) const MESSAGE_TABLES: &str =
    "messages m LEFT JOIN sessions s ON s.space = m.space AND s.no = m.session";

pub(crate) fn message(row: &Row) -> Result<Message> {
    let extra = Extra::read(get(row, 11)?)?;
    Ok(Message {
        seq: number(row, 0)?,
        id: MessageId::new(get::<String>(row, 1)?)?,
        author: Author::new(get::<String>(row, 2)?)?,
        role: coded(row, 3, "role", Speaker::from_code)?,
        state: coded(row, 4, "state", MessageState::from_code)?,
        version: number(row, 5)? as u32,
        said_at: get(row, 6)?,
        recorded_at: get(row, 7)?,
        local: LocalMoment { date: get::<Date>(row, 8)?, offset_seconds: get(row, 9)? },
        reply_to: get::<Option<String>>(row, 10)?.map(MessageId::new).transpose()?,
        content: get(row, 12)?,
        session: SessionId::new(get::<String>(row, 13)?)?,
        thread: thread(get(row, 14)?)?,
        mentions: extra.mentions,
        attachments: extra.attachments,
        metadata: extra.metadata,
    })
}

fn thread(column: &str) -> Result<Thread> {
    if column.is_empty() { Ok(Thread::default()) } else { Thread::new(column) }
}

/// Columns of a session, for [`session`].
pub(crate) const SESSION_COLUMNS: &str = "no, id, thread, explicit, task, first_said_at, last_said_at, active_at, \
     ended_at, end_reason, messages, stale, metadata";

pub(crate) fn session(row: &Row) -> Result<Session> {
    let ended = match get::<Option<Timestamp>>(row, 8)? {
        None => None,
        Some(at) => Some((at, coded(row, 9, "session", EndReason::from_code)?)),
    };
    Ok(Session {
        no: number(row, 0)?,
        id: SessionId::new(get::<String>(row, 1)?)?,
        thread: thread(get(row, 2)?)?,
        explicit: get(row, 3)?,
        task: get(row, 4)?,
        first_said_at: get(row, 5)?,
        last_said_at: get(row, 6)?,
        active_at: get(row, 7)?,
        ended,
        messages: number(row, 10)?,
        stale: get(row, 11)?,
        metadata: metadata(get(row, 12)?)?,
    })
}

/// Columns of a space, for [`space`]; `h` is its head.
pub(crate) const SPACE_COLUMNS: &str = "h.space, h.tenant, h.id, h.zones, h.preset, h.metadata, h.created_at, \
     h.version, h.last_seq, h.last_session, h.vectors";

pub(crate) fn space(row: &Row) -> Result<Space> {
    Ok(Space {
        no: space_no(row, 0)?,
        tenant: TenantId::new(get::<String>(row, 1)?)?,
        id: get::<&str>(row, 2)?.parse()?,
        zones: from_json(get(row, 3)?, "zone history")?,
        preset: get::<&str>(row, 4)?.parse()?,
        metadata: metadata(get(row, 5)?)?,
        created_at: get(row, 6)?,
        version: number(row, 7)?,
        last_seq: number(row, 8)?,
        last_session: number(row, 9)?,
        vectors: number(row, 10)?,
    })
}

pub(crate) fn space_no(row: &Row, column: usize) -> Result<SpaceNo> {
    Ok(SpaceNo::from_low_bits(number(row, column)?))
}

/// Columns of a job, for [`job`].
pub(crate) const JOB_COLUMNS: &str =
    "id, space, kind, key, payload, lane, run_at, attempts, state, token, last_error, created_at";

pub(crate) fn job(row: &Row) -> Result<Job> {
    Ok(Job {
        id: get::<&str>(row, 0)?.parse::<GeneratedId>()?,
        space: space_no(row, 1)?,
        kind: get::<String>(row, 2)?.into(),
        key: get(row, 3)?,
        payload: from_json(get(row, 4)?, "job")?,
        lane: coded(row, 5, "lane", Lane::from_code)?,
        run_at: get(row, 6)?,
        attempts: number(row, 7)? as u32,
        state: coded(row, 8, "job state", JobState::from_code)?,
        token: number(row, 9)?,
        last_error: get(row, 10)?,
        created_at: get(row, 11)?,
    })
}
