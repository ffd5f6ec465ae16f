//! Which summaries tell of a stretch of days.

use jiff::civil::Date;
use memoir_model::Period;

/// How many periods a stretch is told in; of a longer one the newest count.
pub(crate) const MOST: usize = 40;

/// The coarsest periods that lie in the stretch whole, the oldest first. A month or week that goes on is told by its days.
pub(crate) fn cover(first: Date, last: Date, today: Date) -> Vec<Period> {
    let last = last.min(today);
    let mut periods = Vec::new();
    let mut next = first;
    while next <= last {
        let candidates = [Some(Period::month_of(next)), Period::week_of(next).ok(), Some(Period::Day(next))];
        let fits = |period: &Period| {
            period.days().is_some_and(|(begins, ends)| {
                begins == next && ends <= last && (begins == ends || ends < today)
            })
        };
        let Some(period) = candidates.into_iter().flatten().find(fits) else { break };
        let ends = period.days().map_or(next, |(_, ends)| ends);
        periods.push(period);
        if periods.len() > MOST * 4 {
            periods.drain(..MOST);
        }
        let Ok(after) = ends.tomorrow() else { break };
        next = after;
    }
    let over = periods.len().saturating_sub(MOST);
    periods.drain(..over);
    periods
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use proptest::prelude::*;

    fn told(first: Date, last: Date) -> Vec<String> {
        let periods = cover(first, last, date(2026, 1, 7));
        periods.iter().map(|period| format!("{} {}", period.level().as_str(), period.key())).collect()
    }

    #[test]
    fn a_stretch_is_told_by_the_coarsest_that_fit() {
        assert_eq!(told(date(2026, 1, 6), date(2026, 1, 6)), ["day 2026-01-06"]);
        assert_eq!(told(date(2025, 12, 29), date(2026, 1, 4)), ["week 2025-12-29"]);
        assert_eq!(told(date(2025, 12, 1), date(2025, 12, 31)), ["month 2025-12-01"]);
        assert_eq!(
            told(date(2026, 1, 5), date(2026, 1, 11)),
            ["day 2026-01-05", "day 2026-01-06", "day 2026-01-07"]
        );
        assert_eq!(
            told(date(2025, 11, 29), date(2026, 1, 6)),
            [
                "day 2025-11-29",
                "day 2025-11-30",
                "month 2025-12-01",
                "day 2026-01-01",
                "day 2026-01-02",
                "day 2026-01-03",
                "day 2026-01-04",
                "day 2026-01-05",
                "day 2026-01-06"
            ]
        );
        assert!(told(date(2026, 2, 1), date(2026, 2, 3)).is_empty(), "nothing was said tomorrow");
        assert_eq!(told(date(1900, 1, 1), date(2026, 1, 6)).len(), MOST);
    }

    proptest! {
        #[test]
        fn what_is_told_has_no_gap_and_no_overlap(from in 0..4_000i32, days in 0..400i32) {
            let first = date(2018, 1, 1).saturating_add(jiff::Span::new().days(from));
            let last = first.saturating_add(jiff::Span::new().days(days));
            let today = date(2026, 1, 7);
            let periods = cover(first, last, today);
            for pair in periods.windows(2) {
                prop_assert_eq!(pair[0].days().unwrap().1.tomorrow().unwrap(), pair[1].days().unwrap().0);
            }
            if let Some(end) = periods.last() {
                prop_assert_eq!(end.days().unwrap().1, last.min(today));
            }
            if periods.len() < MOST && first <= today {
                prop_assert_eq!(periods[0].days().unwrap().0, first);
            }
        }
    }
}
