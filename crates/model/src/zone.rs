use jiff::civil::Date;
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp, Zoned};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

use crate::{Error, Result};

/// Whose clock a day is counted on: an IANA zone, or a fixed offset that is never guessed into a city.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Zone(TimeZone);

impl Zone {
    /// A zone that is always `minutes` east of UTC.
    pub fn from_minutes_east(minutes: i32) -> Result<Self> {
        if !(-24 * 60 < minutes && minutes < 24 * 60) {
            return Err(Error::invalid("utc_offset_minutes", "must lie between -1439 and 1439"));
        }
        Offset::from_seconds(minutes * 60)
            .map(|offset| Zone(TimeZone::fixed(offset)))
            .map_err(|e| Error::invalid("utc_offset_minutes", e.to_string()))
    }

    /// A zone from what JavaScript's `getTimezoneOffset` returned, whose sign is reversed (China: -480).
    pub fn from_js_offset(minutes: i32) -> Result<Self> {
        Zone::from_minutes_east(minutes.saturating_neg()).map_err(|e| e.at("js_timezone_offset"))
    }

    /// UTC.
    pub fn utc() -> Self {
        Zone(TimeZone::UTC)
    }

    /// The zone as jiff knows it.
    pub fn time_zone(&self) -> &TimeZone {
        &self.0
    }

    /// What the clock on the wall shows at that moment.
    pub fn at(&self, moment: Timestamp) -> Zoned {
        moment.to_zoned(self.0.clone())
    }
}

impl FromStr for Zone {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if let Some(minutes) = parse_offset(text) {
            return Zone::from_minutes_east(minutes).map_err(|e| e.at("zone"));
        }
        TimeZone::get(text).map(Zone).map_err(|_| {
            Error::invalid("zone", "must be an IANA name such as Asia/Shanghai, or an offset such as +08:00")
        })
    }
}

/// Reads `+08:00` and `-0330`; the sign is required so that a bare number is never taken for a zone.
fn parse_offset(text: &str) -> Option<i32> {
    let (sign, rest) = match text.split_at_checked(1)? {
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let digits: String = rest.chars().filter(|c| *c != ':').collect();
    if digits.len() != 4 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let (hours, minutes): (i32, i32) = (digits[..2].parse().ok()?, digits[2..].parse().ok()?);
    (minutes < 60).then_some(sign * (hours * 60 + minutes))
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.0.iana_name() {
            return f.write_str(name);
        }
        let seconds = self.0.to_offset(Timestamp::UNIX_EPOCH).seconds();
        let (sign, minutes) = (if seconds < 0 { '-' } else { '+' }, seconds.abs() / 60);
        write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

impl TryFrom<String> for Zone {
    type Error = Error;
    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<Zone> for String {
    fn from(zone: Zone) -> String {
        zone.to_string()
    }
}

/// A moment on somebody's wall clock, fixed when it was written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalMoment {
    /// The local calendar day.
    pub date: Date,
    /// How far the wall clock was ahead of UTC.
    pub offset_seconds: i32,
}

/// The zones a space has lived in. A change counts from its moment on and rewrites no earlier day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZoneHistory {
    first: Zone,
    changes: Vec<(Timestamp, Zone)>,
}

impl ZoneHistory {
    /// How many changes are kept; the oldest ones are folded into the first zone.
    const LONGEST: usize = 512;

    /// A space that has always been in this zone.
    pub fn new(zone: Zone) -> Self {
        ZoneHistory { first: zone, changes: Vec::new() }
    }

    /// The zone in force now.
    pub fn current(&self) -> &Zone {
        self.changes.last().map_or(&self.first, |(_, zone)| zone)
    }

    /// The zone that was in force at that moment.
    pub fn at(&self, moment: Timestamp) -> &Zone {
        let after = self.changes.partition_point(|(since, _)| *since <= moment);
        after.checked_sub(1).and_then(|i| self.changes.get(i)).map_or(&self.first, |(_, zone)| zone)
    }

    /// From `since` on the space is in another zone. A clock that went back never reorders the history.
    pub fn change(&mut self, since: Timestamp, zone: Zone) {
        if *self.current() == zone {
            return;
        }
        let since = self.changes.last().map_or(since, |(last, _)| since.max(*last));
        self.changes.push((since, zone));
        if self.changes.len() > Self::LONGEST {
            self.first = self.changes.remove(0).1;
        }
    }

    /// Between which moments everything lies that was said on these days, whatever zone they were counted in.
    pub fn around(&self, first: Date, last: Date) -> (Timestamp, Timestamp) {
        const REACH: SignedDuration = SignedDuration::from_hours(48);
        let midnight =
            |day: Date, zone: &Zone| day.to_zoned(zone.0.clone()).map(|midnight| midnight.timestamp()).ok();
        let after = last.tomorrow().unwrap_or(Date::MAX);
        let utc = Zone::utc();
        let from = midnight(first, &utc).unwrap_or(Timestamp::MIN);
        let until = midnight(after, &utc).unwrap_or(Timestamp::MAX);
        let early = from.saturating_sub(REACH).unwrap_or(Timestamp::MIN);
        let late = until.saturating_add(REACH).unwrap_or(Timestamp::MAX);
        let changed = self.changes.iter().filter(|(since, _)| early < *since && *since <= late);
        let zones = std::iter::once(self.at(early)).chain(changed.map(|(_, zone)| zone));
        let (mut begins, mut ends) = (Timestamp::MAX, Timestamp::MIN);
        for zone in zones {
            begins = begins.min(midnight(first, zone).unwrap_or(Timestamp::MIN));
            ends = ends.max(midnight(after, zone).unwrap_or(Timestamp::MAX));
        }
        (begins, ends)
    }

    /// The local day and offset of a moment, in the zone that was in force then.
    pub fn local(&self, moment: Timestamp) -> LocalMoment {
        let zoned = self.at(moment).at(moment);
        LocalMoment { date: zoned.date(), offset_seconds: zoned.offset().seconds() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn zones_are_read_and_written_alike() {
        for text in ["Asia/Shanghai", "America/New_York", "UTC", "+08:00", "-03:30", "+00:00"] {
            let zone: Zone = text.parse().unwrap();
            assert_eq!(zone.to_string().parse::<Zone>().unwrap(), zone, "{text}");
        }
        for bad in ["", "8", "480", "Mars/Olympus", "+8", "+24:00", "+08:60", "北京"] {
            assert!(bad.parse::<Zone>().is_err(), "{bad}");
        }
    }

    #[test]
    fn javascript_counts_minutes_the_other_way() {
        assert_eq!(Zone::from_js_offset(-480).unwrap().to_string(), "+08:00");
        assert_eq!(Zone::from_minutes_east(480).unwrap().to_string(), "+08:00");
        assert!(Zone::from_js_offset(i32::MIN).is_err());
    }

    #[test]
    fn travel_does_not_rewrite_old_days() {
        let mut zones = ZoneHistory::new("Asia/Shanghai".parse().unwrap());
        zones.change(moment("2026-03-01T00:00:00Z"), "America/New_York".parse().unwrap());
        // 20:00 UTC is the next day in Shanghai and the same day in New York.
        assert_eq!(zones.local(moment("2026-02-10T20:00:00Z")).date, jiff::civil::date(2026, 2, 11));
        assert_eq!(zones.local(moment("2026-03-10T20:00:00Z")).date, jiff::civil::date(2026, 3, 10));
        assert_eq!(zones.local(moment("2026-03-10T20:00:00Z")).offset_seconds, -4 * 3600);
    }

    #[test]
    fn a_day_lies_between_the_midnights_of_every_zone_it_was_counted_in() {
        let mut zones = ZoneHistory::new("Asia/Shanghai".parse().unwrap());
        let day = jiff::civil::date(2026, 2, 11);
        let around = |zones: &ZoneHistory| {
            let (from, until) = zones.around(day, day);
            (from.to_string(), until.to_string())
        };
        assert_eq!(around(&zones), ("2026-02-10T16:00:00Z".into(), "2026-02-11T16:00:00Z".into()));
        zones.change(moment("2026-02-11T10:00:00Z"), "America/New_York".parse().unwrap());
        assert_eq!(around(&zones), ("2026-02-10T16:00:00Z".into(), "2026-02-12T05:00:00Z".into()));
        zones.change(moment("2026-07-01T00:00:00Z"), "Pacific/Apia".parse().unwrap());
        assert_eq!(around(&zones), ("2026-02-10T16:00:00Z".into(), "2026-02-12T05:00:00Z".into()));
        // The short day of spring in New York.
        let spring = jiff::civil::date(2027, 3, 14);
        let zones = ZoneHistory::new("America/New_York".parse().unwrap());
        let (from, until) = zones.around(spring, spring);
        assert_eq!(from.duration_until(until), SignedDuration::from_hours(23));
    }

    #[test]
    fn a_clock_that_goes_back_keeps_the_history_in_order() {
        let mut zones = ZoneHistory::new(Zone::utc());
        zones.change(moment("2026-03-01T00:00:00Z"), "+08:00".parse().unwrap());
        zones.change(moment("2026-02-01T00:00:00Z"), "+09:00".parse().unwrap());
        assert_eq!(zones.current().to_string(), "+09:00");
        assert_eq!(zones.at(moment("2026-02-15T00:00:00Z")), &Zone::utc());
    }
}
