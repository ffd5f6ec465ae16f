//! When a period is over, on the clock of its space.

use jiff::Timestamp;
use jiff::civil::{Date, Time};
use memoir_model::{Period, Space};

/// After the key of every day, week and month in a store.
pub(crate) const LAST_KEY: &str = "\u{10ffff}";

/// The local day it is.
pub(crate) fn today(space: &Space, now: Timestamp) -> Date {
    space.zones.at(now).at(now).date()
}

/// Whether a local day lies behind.
pub(crate) fn is_over(space: &Space, day: Date, now: Timestamp) -> bool {
    day < today(space, now)
}

/// When a period is summed up: that night after its last day, at this time on the space's clock. What has no last day
/// is due at once.
pub(crate) fn due(space: &Space, period: &Period, night: Time) -> Timestamp {
    let Some((_, last)) = period.days() else { return Timestamp::MIN };
    let next = last.tomorrow().unwrap_or(Date::MAX);
    let zone = space.zones.current().time_zone().clone();
    next.to_datetime(night).to_zoned(zone).map_or(Timestamp::MAX, |due| due.timestamp())
}

/// A space that has always been in a zone.
#[cfg(test)]
pub(super) fn living_in(zone: &str) -> Space {
    Space {
        no: memoir_model::SpaceNo::from_low_bits(1),
        tenant: memoir_model::TenantId::default_tenant(),
        id: "user:a".parse().unwrap(),
        zones: memoir_model::ZoneHistory::new(zone.parse().unwrap()),
        preset: memoir_model::Preset::General,
        metadata: memoir_model::Metadata::new(),
        created_at: Timestamp::UNIX_EPOCH,
        version: 0,
        last_seq: 0,
        last_session: 0,
        vectors: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::{date, time};

    #[test]
    fn a_period_is_due_the_night_after_its_last_day() {
        let night = time(0, 30, 0, 0);
        let due = |zone: &str, period: Period| due(&living_in(zone), &period, night).to_string();
        assert_eq!(due("Asia/Shanghai", Period::Day(date(2026, 1, 7))), "2026-01-07T16:30:00Z");
        assert_eq!(due("Asia/Kolkata", Period::Day(date(2026, 1, 7))), "2026-01-07T19:00:00Z");
        assert_eq!(due("Asia/Shanghai", Period::Week(date(2026, 1, 5))), "2026-01-11T16:30:00Z");
        assert_eq!(due("Asia/Shanghai", Period::Month(date(2026, 2, 1))), "2026-02-28T16:30:00Z");
        // Cairo, 24 April 2026: the clock goes from 00:00 to 01:00, so that 00:30 never comes.
        assert_eq!(due("Africa/Cairo", Period::Day(date(2026, 4, 23))), "2026-04-23T22:30:00Z");
    }
}
