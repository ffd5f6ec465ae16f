use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// Work that takes no longer is over in a moment: others may wait for its place.
const MOMENT: Duration = Duration::from_millis(50);
/// How many may wait for the place of one that is over in a moment.
const WAITING: usize = 2;

/// What runs in this process, and what is known of how long such work takes.
#[derive(Default)]
pub(super) struct Runs {
    runs: HashMap<u64, Run>,
    begun: u64,
    /// The kinds of work of which the last one was over in a moment.
    brief: HashSet<&'static str>,
}

struct Run {
    kind: &'static str,
    since: Instant,
}

impl Runs {
    /// Takes note of a run; returns the number by which it is known.
    pub(super) fn begin(&mut self, kind: &'static str, now: Instant) -> u64 {
        self.begun += 1;
        self.runs.insert(self.begun, Run { kind, since: now });
        self.begun
    }

    pub(super) fn end(&mut self, number: u64, now: Instant) {
        let Some(run) = self.runs.remove(&number) else { return };
        if now.duration_since(run.since) <= MOMENT {
            self.brief.insert(run.kind);
        } else {
            self.brief.remove(run.kind);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.runs.len()
    }

    pub(super) fn of_kind(&self, kind: &str) -> usize {
        self.runs.values().filter(|run| run.kind == kind).count()
    }

    /// How many jobs may wait for those that run now.
    pub(super) fn may_wait(&self, now: Instant) -> usize {
        WAITING * self.runs.values().filter(|run| self.is_brief(run, now)).count()
    }

    /// How many jobs of a kind may wait for those of it that run now.
    pub(super) fn may_wait_of_kind(&self, kind: &str, now: Instant) -> usize {
        WAITING * self.runs.values().filter(|run| run.kind == kind && self.is_brief(run, now)).count()
    }

    /// Whether a run will be over in a moment, as far as can be told.
    fn is_brief(&self, run: &Run, now: Instant) -> bool {
        self.brief.contains(run.kind) && now.duration_since(run.since) <= MOMENT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_wait_only_for_work_that_is_over_in_a_moment() {
        let (start, mut runs) = (Instant::now(), Runs::default());
        let later = |milliseconds| start + Duration::from_millis(milliseconds);
        let first = runs.begin("quick", start);
        assert_eq!(runs.may_wait(start), 0, "nothing is known of it yet");
        runs.end(first, later(3));
        runs.begin("quick", later(4));
        runs.begin("quick", later(4));
        runs.begin("slow", later(4));
        assert_eq!((runs.len(), runs.of_kind("quick")), (3, 2));
        assert_eq!((runs.may_wait(later(5)), runs.may_wait_of_kind("slow", later(5))), (4, 0));
        assert_eq!(runs.may_wait(later(60)), 0, "they take longer than the last one did");
    }

    #[test]
    fn work_that_took_long_is_not_waited_for_the_next_time() {
        let (start, mut runs) = (Instant::now(), Runs::default());
        let later = |milliseconds| start + Duration::from_millis(milliseconds);
        let quick = runs.begin("errand", start);
        runs.end(quick, later(1));
        let slow = runs.begin("errand", later(2));
        runs.end(slow, later(1_000));
        runs.begin("errand", later(1_001));
        assert_eq!(runs.may_wait(later(1_002)), 0);
    }
}
