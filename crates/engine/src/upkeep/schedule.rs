use jiff::Timestamp;
use jiff::civil::Time;
use memoir_model::Zone;

/// Work that is due at a time of day on each space's own clock. A space is scheduled when something happens in it
/// that needs the work, so a space in which nothing happens costs nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    at: Time,
}

impl Schedule {
    /// Every day at that time.
    pub const fn daily(at: Time) -> Self {
        Schedule { at }
    }

    /// The next time it is due after `now`. On the day on which the clock jumps over the time it is due right after
    /// the jump; on the day that has the time twice it is due the first time only.
    pub fn next_after(&self, zone: &Zone, now: Timestamp) -> Timestamp {
        let today = zone.at(now).date();
        let days = [Ok(today), today.tomorrow(), today.tomorrow().and_then(jiff::civil::Date::tomorrow)];
        days.into_iter()
            .flatten()
            .filter_map(|day| day.to_datetime(self.at).to_zoned(zone.time_zone().clone()).ok())
            .map(|due| due.timestamp())
            .find(|due| *due > now)
            .unwrap_or(Timestamp::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::time;

    fn next(at: Time, zone: &str, now: &str) -> String {
        let due = Schedule::daily(at).next_after(&zone.parse().unwrap(), now.parse().unwrap());
        due.to_string()
    }

    #[test]
    fn it_is_due_on_the_spaces_own_clock() {
        let night = time(3, 0, 0, 0);
        assert_eq!(next(night, "Asia/Shanghai", "2026-01-07T12:00:00Z"), "2026-01-07T19:00:00Z");
        assert_eq!(next(night, "America/New_York", "2026-01-07T12:00:00Z"), "2026-01-08T08:00:00Z");
        assert_eq!(next(night, "Asia/Kolkata", "2026-01-07T12:00:00Z"), "2026-01-07T21:30:00Z");
        assert_eq!(next(night, "+05:45", "2026-01-07T12:00:00Z"), "2026-01-07T21:15:00Z");
    }

    #[test]
    fn on_the_moment_itself_the_next_day_is_meant() {
        assert_eq!(next(time(3, 0, 0, 0), "UTC", "2026-01-07T03:00:00Z"), "2026-01-08T03:00:00Z");
    }

    #[test]
    fn a_time_that_the_clock_jumps_over_is_due_after_the_jump() {
        // New York, 8 March 2026: 02:00 becomes 03:00.
        assert_eq!(
            next(time(2, 30, 0, 0), "America/New_York", "2026-03-08T05:00:00Z"),
            "2026-03-08T07:30:00Z"
        );
    }

    #[test]
    fn a_time_that_comes_twice_is_due_once() {
        // New York, 1 November 2026: 01:30 comes at 05:30Z and again at 06:30Z.
        let half_past_one = time(1, 30, 0, 0);
        assert_eq!(next(half_past_one, "America/New_York", "2026-11-01T04:00:00Z"), "2026-11-01T05:30:00Z");
        assert_eq!(next(half_past_one, "America/New_York", "2026-11-01T05:30:00Z"), "2026-11-02T06:30:00Z");
    }
}
