use jiff::Timestamp;
use memoir_model::{SessionId, SpaceNo};
use parking_lot::Mutex;
use std::collections::HashMap;

/// Until when sessions that go on are not summed up again, as far as this process knows. Who does not know does the work and
/// finds out; so this may forget.
#[derive(Default)]
pub(crate) struct Rests {
    until: Mutex<HashMap<(SpaceNo, SessionId), Timestamp>>,
}

/// Of how many sessions at most this is known.
const MOST: usize = 4_096;

impl Rests {
    pub(crate) fn note(&self, space: SpaceNo, session: &SessionId, until: Timestamp, now: Timestamp) {
        let mut known = self.until.lock();
        if known.len() >= MOST {
            known.retain(|_, until| *until > now);
        }
        if known.len() < MOST {
            known.insert((space, session.clone()), until);
        }
    }

    /// Forgets the sessions of a space.
    pub(crate) fn forget(&self, space: SpaceNo) {
        self.until.lock().retain(|(known, _), _| *known != space);
    }

    /// When a session that has grown is to be summed up: now, or when its rest is over.
    pub(crate) fn over(&self, space: SpaceNo, session: &SessionId, now: Timestamp) -> Timestamp {
        let known = self.until.lock();
        known.get(&(space, session.clone())).map_or(now, |until| now.max(*until))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::ToSpan;

    #[test]
    fn what_is_known_is_bounded_and_what_is_over_goes_first() {
        let rests = Rests::default();
        let (space, now) = (SpaceNo::from_low_bits(7), Timestamp::UNIX_EPOCH);
        let session = |nth: usize| SessionId::new(format!("s{nth}")).unwrap();
        for nth in 0..MOST + 10 {
            rests.note(space, &session(nth), now + 5.minutes(), now);
        }
        assert_eq!(rests.until.lock().len(), MOST);
        assert_eq!(rests.over(space, &session(0), now), now + 5.minutes());
        assert_eq!(rests.over(space, &session(MOST + 1), now), now, "not known");
        let later = now + 6.minutes();
        assert_eq!(rests.over(space, &session(0), later), later);
        rests.note(space, &session(MOST + 1), later + 5.minutes(), later);
        assert_eq!(rests.until.lock().len(), 1);
        rests.forget(space);
        assert_eq!(rests.until.lock().len(), 0);
    }
}
