use jiff::Timestamp;

use crate::corpus::Corpus;

/// 2026-01-05 in UTC: everything in the stores was said from then on.
const FIRST_SECOND: i64 = 1_767_571_200;
/// How many messages a talk has.
const TALK: i64 = 40;
/// How many seconds lie between two messages of a talk.
const PACE: i64 = 20;
/// How many seconds lie between two talks.
const PAUSE: i64 = 7_200;
/// In how many parts the searched space is written, with others in between, as it would be in life.
const PARTS: usize = 5;

/// Who talks in a store, and how much.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Population {
    pub(crate) corpus: Corpus,
    /// Messages of the space that is searched.
    pub(crate) messages: usize,
    /// Other spaces.
    pub(crate) spaces: usize,
    /// Messages of each of them.
    pub(crate) others: usize,
}

/// Messages that are written together: of the searched space (0) or of another one.
#[derive(Debug, Clone)]
pub(crate) struct Share {
    pub(crate) space: usize,
    pub(crate) messages: Vec<(Timestamp, String)>,
}

impl Population {
    /// Messages of all spaces.
    pub(crate) fn total(&self) -> usize {
        self.messages + self.spaces * self.others
    }

    /// Everything, in the order in which it is written: a part of the searched space, some others, the next part.
    pub(crate) fn stretches(self) -> impl Iterator<Item = (Vec<Share>, Vec<usize>)> {
        (0..PARTS).map(move |part| {
            let cut = |whole: usize| (whole * part / PARTS)..(whole * (part + 1) / PARTS);
            let own: Vec<usize> = cut(self.messages).collect();
            let shares = own.chunks(1_000).map(|numbers| self.share(0, numbers.iter().copied()));
            (shares.collect(), cut(self.spaces).map(|space| space + 1).collect())
        })
    }

    /// Everything that one of the other spaces says.
    pub(crate) fn other(self, space: usize) -> Share {
        self.share(space, 0..self.others)
    }

    fn share(self, space: usize, numbers: impl Iterator<Item = usize>) -> Share {
        // Every space has numbers of its own, so that no two say the same.
        let base = space as u64 * 1_000_000;
        let message = |number: usize| (said_at(number as i64), self.corpus.message(base + number as u64));
        Share { space, messages: numbers.map(message).collect() }
    }
}

fn said_at(number: i64) -> Timestamp {
    let second = FIRST_SECOND + number * PACE + number / TALK * PAUSE;
    Timestamp::from_second(second).unwrap_or(Timestamp::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_is_written_once_and_in_order() {
        let population = Population { corpus: Corpus::new(1), messages: 23, spaces: 7, others: 3 };
        let (mut own, mut others) = (0, Vec::new());
        for (shares, spaces) in population.stretches() {
            own += shares.iter().map(|share| share.messages.len()).sum::<usize>();
            others.extend(spaces);
        }
        assert_eq!((own, others), (23, (1..=7).collect()));
        assert_eq!(population.other(3).messages.len(), 3);
        assert_eq!(population.total(), 44);
    }
}
