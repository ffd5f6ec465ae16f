//! What this process has used so far, as Linux counts it. All nought elsewhere.

use std::time::{Duration, Instant};

/// How long one tick of `/proc/self/stat` is: USER_HZ is 100 on every Linux that we run on.
const TICK_MICROS: u64 = 10_000;
/// How the store calls the thread that writes.
const WRITER: &str = "(memoir-writer)";

/// Counters of the whole process, all threads.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Usage {
    /// Microseconds of processor time.
    pub(crate) cpu_micros: u64,
    /// Those of them that the store's writer threads used.
    pub(crate) writer_micros: u64,
    /// Calls of `read` and its kin: for SQLite, one per page that its cache did not have.
    pub(crate) reads: u64,
    /// Bytes given to `write` and its kin, sockets included.
    pub(crate) written: u64,
}

impl Usage {
    /// As of now. Asking costs a few reads itself; [`Usage::since`] leaves them in.
    pub(crate) fn now() -> Self {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let io = read("/proc/self/io");
        let counter = |name: &str| {
            let line = io.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|value| value.trim().parse().ok()).unwrap_or_default()
        };
        let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
        let stats = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("stat")).ok());
        Usage {
            cpu_micros: cpu_micros(&read("/proc/self/stat")),
            writer_micros: stats.filter(|stat| stat.contains(WRITER)).map(|stat| cpu_micros(&stat)).sum(),
            reads: counter("syscr:"),
            written: counter("wchar:"),
        }
    }

    /// What was used between then and now.
    pub(crate) fn since(self, then: Usage) -> Self {
        Usage {
            cpu_micros: self.cpu_micros.saturating_sub(then.cpu_micros),
            writer_micros: self.writer_micros.saturating_sub(then.writer_micros),
            reads: self.reads.saturating_sub(then.reads),
            written: self.written.saturating_sub(then.written),
        }
    }
}

/// The processor time in a line of `stat`. The name of the program stands in parentheses and may hold spaces; utime and
/// stime are fields 14 and 15.
fn cpu_micros(stat: &str) -> u64 {
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum::<u64>() * TICK_MICROS
}

/// Runs `work` and says how long it took and what the process used meanwhile.
pub(crate) fn measured<T>(work: impl FnOnce() -> T) -> (T, Duration, Usage) {
    let (before, start) = (Usage::now(), Instant::now());
    let result = work();
    let elapsed = start.elapsed();
    (result, elapsed, Usage::now().since(before))
}

/// How busy the machine is, in a sentence.
pub(crate) fn machine() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().next().unwrap_or("unknown").to_owned();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    format!("{cores} cores, load {load} before the run, SQLite {}", rusqlite::version())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_found_behind_a_name_with_spaces() {
        assert_eq!(cpu_micros("1 (a b) S 1 1 1 0 -1 4194560 10 0 0 0 7 5 0 0 20 0 1 0 100"), 120_000);
    }
}
