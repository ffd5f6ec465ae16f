//! Which session a message belongs to. Pure: takes the candidates and the clock, returns the decision.

use jiff::{SignedDuration, Timestamp};
use memoir_model::{EndReason, Session};

/// Where a message goes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Placement {
    /// Into this session, which stays as it is.
    Join(u64),
    /// Into this session, which had ended and goes on.
    Reopen(u64),
    /// Into a new session. What was open in the thread ends first, at that time.
    Open { ending: Option<(u64, Timestamp)> },
    /// Into a new session that lies before the open one and is over already.
    OpenEnded,
}

/// A session that the caller named.
pub(crate) fn explicit(session: &Session, said_at: Timestamp, live: bool) -> Placement {
    match session.ended {
        // Somebody came back to it. A late message only fills a gap and leaves it ended.
        Some((ended_at, _)) if live && said_at > ended_at => Placement::Reopen(session.no),
        _ => Placement::Join(session.no),
    }
}

/// The moment at which a session that nobody ended is over.
pub(crate) fn idle_end(session: &Session, idle: SignedDuration) -> Timestamp {
    session.last_said_at.saturating_add(idle).unwrap_or(Timestamp::MAX)
}

/// A session of the flow of talk: `open` is the thread's open one, `near` are sessions that a message said at
/// `said_at` could belong to.
pub(crate) fn implicit(
    open: Option<&Session>,
    near: &[Session],
    said_at: Timestamp,
    now: Timestamp,
    idle: SignedDuration,
) -> Placement {
    let live = is_live(said_at, now, idle);
    let within = |session: &Session| {
        session.first_said_at.duration_until(said_at) >= -idle
            && session.last_said_at.duration_until(said_at) <= idle
    };
    // Live idleness is the server's to judge; a talk that was imported just now is not live however fresh its arrival,
    // so the gap between the words counts as well.
    let awake = |open: &Session| !live || open.active_at.duration_until(now) <= idle;
    let going_on = open.filter(|open| within(open) && awake(open));
    if let Some(open) = going_on.filter(|open| goes_on(open, said_at)) {
        return Placement::Join(open.no);
    }
    // A message that was said before its session ended, but comes only now, fills the gap and reopens nothing.
    let belongs = |session: &Session| match session.ended {
        None => false,
        Some((_, EndReason::Idle)) => !live || said_at <= session.last_said_at,
        Some((ended_at, EndReason::Call | EndReason::Disconnect)) => said_at <= ended_at,
    };
    let late = near.iter().filter(|session| within(session) && belongs(session));
    if let Some(session) =
        late.chain(going_on).min_by_key(|s| (distance(s, said_at), std::cmp::Reverse(s.no)))
    {
        return Placement::Join(session.no);
    }
    match open {
        // What is live cannot lie before the talk; the talk then lies in the future, because a clock was wrong.
        Some(open) if said_at < open.first_said_at && !live => Placement::OpenEnded,
        Some(open) => Placement::Open { ending: Some((open.no, idle_end(open, idle).min(now))) },
        None => Placement::Open { ending: None },
    }
}

/// Whether a message carries a session on, so that no other session can be nearer to it.
pub(crate) fn goes_on(session: &Session, said_at: Timestamp) -> bool {
    said_at >= session.first_said_at
}

/// Whether a message is part of what is going on, rather than brought in later.
pub(crate) fn is_live(said_at: Timestamp, now: Timestamp, idle: SignedDuration) -> bool {
    said_at.duration_until(now) <= idle
}

fn distance(session: &Session, said_at: Timestamp) -> SignedDuration {
    let before = said_at.duration_until(session.first_said_at);
    let after = session.last_said_at.duration_until(said_at);
    before.max(after).max(SignedDuration::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use memoir_model::{Metadata, SessionId, Thread};

    const IDLE: SignedDuration = SignedDuration::from_mins(30);

    fn at(minute: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + minute * 60).unwrap()
    }

    fn session(no: u64, first: i64, last: i64, ended: Option<(i64, EndReason)>) -> Session {
        Session {
            no,
            id: SessionId::new(format!("s{no}")).unwrap(),
            thread: Thread::default(),
            explicit: false,
            task: None,
            first_said_at: at(first),
            last_said_at: at(last),
            active_at: at(last),
            ended: ended.map(|(minute, reason)| (at(minute), reason)),
            messages: 1,
            stale: false,
            metadata: Metadata::new(),
        }
    }

    #[test]
    fn a_live_message_joins_the_open_session() {
        let open = session(1, 0, 10, None);
        assert_eq!(implicit(Some(&open), &[], at(39), at(40), IDLE), Placement::Join(1));
    }

    #[test]
    fn after_half_an_hour_of_silence_a_new_session_begins_where_the_old_one_ended() {
        let open = session(1, 0, 10, None);
        let placement = implicit(Some(&open), &[], at(41), at(41), IDLE);
        assert_eq!(placement, Placement::Open { ending: Some((1, at(40))) });
    }

    #[test]
    fn live_idleness_is_by_the_servers_clock() {
        // The product's clock is slow: the words seem close together, but they reached us 40 minutes apart.
        let open = session(1, 0, 10, None);
        let placement = implicit(Some(&open), &[], at(35), at(50), IDLE);
        assert!(matches!(placement, Placement::Open { ending: Some((1, _)) }));
    }

    #[test]
    fn old_messages_are_split_by_the_gaps_between_them() {
        let far = at(100_000);
        let mut open = session(1, 0, 10, None);
        open.active_at = far;
        assert_eq!(implicit(Some(&open), &[], at(40), far, IDLE), Placement::Join(1));
        assert!(matches!(implicit(Some(&open), &[], at(41), far, IDLE), Placement::Open { .. }));
    }

    #[test]
    fn todays_talk_does_not_join_a_talk_that_was_imported_a_minute_ago() {
        let now = at(100_000);
        let mut imported = session(1, 0, 10, None);
        imported.active_at = at(99_999);
        assert!(matches!(
            implicit(Some(&imported), &[], now, now, IDLE),
            Placement::Open { ending: Some((1, _)) }
        ));
    }

    #[test]
    fn a_late_message_joins_its_session_without_reopening_it() {
        let old = session(1, 0, 10, Some((40, EndReason::Idle)));
        let open = session(2, 500, 510, None);
        assert_eq!(implicit(Some(&open), &[old], at(5), at(511), IDLE), Placement::Join(1));
    }

    #[test]
    fn a_late_message_goes_to_the_talk_it_was_part_of_and_not_to_the_one_that_followed() {
        let ended = session(1, 0, 10, Some((11, EndReason::Call)));
        let open = session(2, 12, 12, None);
        assert_eq!(implicit(Some(&open), &[ended], at(9), at(13), IDLE), Placement::Join(1));
        assert_eq!(implicit(Some(&open), &[], at(9), at(13), IDLE), Placement::Join(2));
    }

    #[test]
    fn a_talk_that_lies_in_the_future_makes_room_for_what_is_said_now() {
        let open = session(1, 500, 510, None);
        let placement = implicit(Some(&open), &[], at(300), at(300), IDLE);
        assert_eq!(placement, Placement::Open { ending: Some((1, at(300))) });
    }

    #[test]
    fn a_message_older_than_everything_gets_a_session_that_is_over() {
        let open = session(2, 500, 510, None);
        assert_eq!(implicit(Some(&open), &[], at(5), at(511), IDLE), Placement::OpenEnded);
    }

    #[test]
    fn who_ended_the_talk_and_speaks_again_begins_a_new_one() {
        let ended = session(1, 0, 10, Some((11, EndReason::Call)));
        let near = [ended];
        assert_eq!(implicit(None, &near, at(12), at(12), IDLE), Placement::Open { ending: None });
        assert_eq!(implicit(None, &near, at(11), at(12), IDLE), Placement::Join(1));
    }

    #[test]
    fn a_named_session_goes_on_when_somebody_comes_back_to_it() {
        let ended = session(1, 0, 10, Some((40, EndReason::Idle)));
        assert_eq!(explicit(&ended, at(90), true), Placement::Reopen(1));
        assert_eq!(explicit(&ended, at(20), true), Placement::Join(1));
        assert_eq!(explicit(&ended, at(90), false), Placement::Join(1));
    }
}
