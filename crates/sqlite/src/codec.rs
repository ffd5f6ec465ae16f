//! Between columns and types.

use jiff::Timestamp;
use jiff::civil::Date;
use memoir_model::{
    Author, EndReason, GeneratedId, Job, JobState, Lane, LocalMoment, Message, MessageId, MessageState,
    Result, Session, SessionId, Space, SpaceNo, Speaker, TenantId, Thread,
};
use memoir_store::columns::{Extra, from_json, metadata, unreadable};
use rusqlite::Row;

use crate::error::storage;

/// The space as a signed integer; its 40 bits sign-extended, as `key >> 24` gives them back.
pub(crate) fn space_column(no: SpaceNo) -> i64 {
    ((no.get() << 24) as i64) >> 24
}

/// The space behind a column.
pub(crate) fn space_no(column: i64) -> SpaceNo {
    SpaceNo::from_low_bits(column as u64)
}

/// The key of a message.
pub(crate) fn message_key(no: SpaceNo, seq: u64) -> i64 {
    ((no.get() << 24) | seq) as i64
}

/// The number of the message behind a key.
pub(crate) fn message_seq(key: i64) -> u64 {
    key as u64 & 0xff_ffff
}

/// Times are microseconds: fine enough for people, wide enough for every year that RFC 3339 can write.
pub(crate) fn time_column(time: Timestamp) -> i64 {
    time.as_microsecond()
}

pub(crate) fn time(column: i64) -> Result<Timestamp> {
    Timestamp::from_microsecond(column).map_err(|_| unreadable("time"))
}

/// Columns of a message, for [`message`]; `s` is its session.
pub(crate) const MESSAGE_COLUMNS: &str = "m.key, m.id, m.author, m.role, m.state, m.version, m.said_at, \
     m.recorded_at, m.local_date, m.utc_offset, m.reply_to, m.extra, m.content, s.id, s.thread";
/// Where those columns come from.
pub(crate) const MESSAGE_TABLES: &str =
    "messages m LEFT JOIN sessions s ON s.space = (m.key >> 24) AND s.no = m.session";

pub(crate) fn message(row: &Row<'_>) -> Result<Message> {
    let get_text = |i: usize| row.get::<_, String>(i).map_err(storage);
    let extra = Extra::read(row.get::<_, Option<String>>(11).map_err(storage)?.as_deref())?;
    let reply_to: Option<String> = row.get(10).map_err(storage)?;
    Ok(Message {
        id: MessageId::new(get_text(1)?)?,
        seq: message_seq(row.get(0).map_err(storage)?),
        session: SessionId::new(get_text(13)?)?,
        thread: thread(&get_text(14)?)?,
        author: Author::new(get_text(2)?)?,
        role: Speaker::from_code(row.get(3).map_err(storage)?).ok_or_else(|| unreadable("role"))?,
        content: get_text(12)?,
        said_at: time(row.get(6).map_err(storage)?)?,
        recorded_at: time(row.get(7).map_err(storage)?)?,
        local: LocalMoment {
            date: get_text(8)?.parse::<Date>().map_err(|_| unreadable("date"))?,
            offset_seconds: row.get(9).map_err(storage)?,
        },
        reply_to: reply_to.map(MessageId::new).transpose()?,
        mentions: extra.mentions,
        attachments: extra.attachments,
        metadata: extra.metadata,
        version: row.get(5).map_err(storage)?,
        state: MessageState::from_code(row.get(4).map_err(storage)?).ok_or_else(|| unreadable("state"))?,
    })
}

pub(crate) fn thread(column: &str) -> Result<Thread> {
    if column.is_empty() { Ok(Thread::default()) } else { Thread::new(column) }
}

/// Columns of a session, for [`session`].
pub(crate) const SESSION_COLUMNS: &str = "no, id, thread, explicit, task, first_said_at, last_said_at, active_at, \
     ended_at, end_reason, messages, stale, metadata";

pub(crate) fn session(row: &Row<'_>) -> Result<Session> {
    let ended_at: Option<i64> = row.get(8).map_err(storage)?;
    let reason: Option<u8> = row.get(9).map_err(storage)?;
    let ended = match (ended_at, reason.map(EndReason::from_code)) {
        (None, _) => None,
        (Some(at), Some(Some(reason))) => Some((time(at)?, reason)),
        _ => return Err(unreadable("session")),
    };
    Ok(Session {
        no: row.get::<_, i64>(0).map_err(storage)? as u64,
        id: SessionId::new(row.get::<_, String>(1).map_err(storage)?)?,
        thread: thread(&row.get::<_, String>(2).map_err(storage)?)?,
        explicit: row.get(3).map_err(storage)?,
        task: row.get(4).map_err(storage)?,
        first_said_at: time(row.get(5).map_err(storage)?)?,
        last_said_at: time(row.get(6).map_err(storage)?)?,
        active_at: time(row.get(7).map_err(storage)?)?,
        ended,
        messages: row.get::<_, i64>(10).map_err(storage)? as u64,
        stale: row.get(11).map_err(storage)?,
        metadata: metadata(row.get::<_, Option<String>>(12).map_err(storage)?.as_deref())?,
    })
}

/// Columns of a space, for [`space`].
pub(crate) const SPACE_COLUMNS: &str =
    "space, tenant, id, zones, preset, metadata, created_at, version, last_seq, last_session, vectors";

pub(crate) fn space(row: &Row<'_>) -> Result<Space> {
    let get_text = |i: usize| row.get::<_, String>(i).map_err(storage);
    let number = |i: usize| row.get::<_, i64>(i).map(|n| n as u64).map_err(storage);
    Ok(Space {
        no: space_no(row.get(0).map_err(storage)?),
        tenant: TenantId::new(get_text(1)?)?,
        id: get_text(2)?.parse()?,
        zones: from_json(&get_text(3)?, "zone history")?,
        preset: get_text(4)?.parse()?,
        metadata: metadata(row.get::<_, Option<String>>(5).map_err(storage)?.as_deref())?,
        created_at: time(row.get(6).map_err(storage)?)?,
        version: number(7)?,
        last_seq: number(8)?,
        last_session: number(9)?,
        vectors: number(10)?,
    })
}

/// Columns of a job, for [`job`].
pub(crate) const JOB_COLUMNS: &str =
    "id, space, kind, key, payload, lane, run_at, attempts, state, token, last_error, created_at";

pub(crate) fn job(row: &Row<'_>) -> Result<Job> {
    let get_text = |i: usize| row.get::<_, String>(i).map_err(storage);
    Ok(Job {
        id: get_text(0)?.parse::<GeneratedId>()?,
        space: space_no(row.get(1).map_err(storage)?),
        kind: get_text(2)?.into(),
        key: get_text(3)?,
        payload: from_json(&get_text(4)?, "job")?,
        lane: Lane::from_code(row.get(5).map_err(storage)?).ok_or_else(|| unreadable("lane"))?,
        run_at: time(row.get(6).map_err(storage)?)?,
        attempts: row.get(7).map_err(storage)?,
        state: JobState::from_code(row.get(8).map_err(storage)?).ok_or_else(|| unreadable("job state"))?,
        token: row.get::<_, i64>(9).map_err(storage)? as u64,
        last_error: row.get(10).map_err(storage)?,
        created_at: time(row.get(11).map_err(storage)?)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_space_and_number_apart_for_every_bit_pattern() {
        for bits in [0, 1, 0x7f_ffff_ffff, 0x80_0000_0000, 0xff_ffff_ffff] {
            let no = SpaceNo::from_low_bits(bits);
            assert_eq!(space_no(space_column(no)), no);
            for seq in [1, 4096, Space::MOST_MESSAGES] {
                let key = message_key(no, seq);
                assert_eq!(key >> 24, space_column(no));
                assert_eq!(message_seq(key), seq);
            }
        }
    }
}
