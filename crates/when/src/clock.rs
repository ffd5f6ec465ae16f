//! Parts of the day and times on the clock.

use jiff::ToSpan;
use jiff::civil::{Date, DateTime};

use crate::piece::{Clock, Part};
use crate::reading::Reading;

impl Part {
    /// From which hour to which.
    fn hours(self) -> (i8, i8) {
        match self {
            Part::Dawn => (4, 7),
            Part::EarlyMorning => (0, 6),
            Part::Morning => (4, 12),
            Part::AnyMorning => (0, 12),
            Part::SmallHours => (0, 9),
            Part::Lunch => (12, 14),
            Part::AfterLunch => (13, 17),
            Part::AfterSchool => (15, 21),
            Part::AfterWork => (17, 21),
            Part::AfterDinner => (19, 22),
            Part::Early => (8, 12),
            Part::Forenoon => (7, 12),
            Part::LateMorning => (10, 12),
            Part::MidMorning => (9, 11),
            Part::MidAfternoon => (14, 16),
            Part::Noon => (11, 13),
            Part::Afternoon => (12, 18),
            Part::EarlyAfternoon => (12, 15),
            Part::LateAfternoon => (15, 18),
            Part::Evening => (18, 24),
            Part::EarlyEvening => (18, 21),
            Part::LateEvening => (21, 24),
            Part::Night => (20, 24),
            Part::AnyNight => (18, 24),
            Part::EarlyNight => (20, 22),
            Part::LateNight => (22, 24),
            Part::AfterMidnight => (24, 30),
            Part::Daytime => (8, 18),
            Part::WholeNight => (22, 30),
        }
    }

    /// The part of a day.
    pub(crate) fn of(self, day: Date) -> Option<Reading> {
        let (from, until) = self.hours();
        let start = day.at(0, 0, 0, 0);
        let after = |hours: i8| start.checked_add(i64::from(hours).hours()).ok();
        Some(Reading::new(after(from)?, after(until)?))
    }

    /// Whether it begins before midnight, so that the small hours that follow it are of the next day.
    pub(crate) fn is_night(self) -> bool {
        matches!(
            self,
            Part::Evening
                | Part::LateEvening
                | Part::Night
                | Part::AnyNight
                | Part::LateNight
                | Part::AfterMidnight
        )
    }

    /// Whether a bare hour said with it is in the afternoon.
    fn is_late(self, hour: i8) -> Option<bool> {
        match self {
            Part::Dawn
            | Part::AnyMorning
            | Part::SmallHours
            | Part::EarlyMorning
            | Part::Morning
            | Part::Early
            | Part::Forenoon
            | Part::LateMorning
            | Part::MidMorning
            | Part::AfterMidnight => Some(false),
            Part::Daytime => Some(hour < 8),
            Part::Noon => Some(hour < 11 || hour == 12),
            Part::Afternoon
            | Part::EarlyAfternoon
            | Part::LateAfternoon
            | Part::MidAfternoon
            | Part::Lunch
            | Part::AfterLunch
            | Part::AfterSchool
            | Part::AfterWork
            | Part::AfterDinner
            | Part::Evening
            | Part::EarlyEvening
            | Part::LateEvening => Some(true),
            Part::Night | Part::AnyNight | Part::EarlyNight | Part::LateNight | Part::WholeNight => {
                Some((5..=12).contains(&hour))
            }
        }
    }
}

impl Clock {
    /// The hour of 24, if it is known which half of the day is meant.
    fn settled(self, part: Option<Part>) -> Option<i8> {
        let late = self.pm.or_else(|| part.and_then(|part| part.is_late(self.hour)));
        match (self.hour, late) {
            (12, Some(false)) => Some(0),
            (1..=11, Some(true)) => Some(self.hour + 12),
            (_, Some(_)) | (0 | 13..=24, None) => Some(self.hour),
            (12, None) => Some(12),
            _ => None,
        }
    }

    /// The hours that it may mean: one, or morning and afternoon.
    pub(crate) fn hours(self, part: Option<Part>) -> Vec<i8> {
        match self.settled(part) {
            Some(hour) => {
                // Midnight at the end of the evening belongs to the next day.
                let ends_the_day = hour == 12 && part.is_some_and(Part::is_night);
                vec![if ends_the_day { 24 } else { hour }]
            }
            None => vec![self.hour, self.hour + 12],
        }
    }

    /// Whether it is an hour after midnight that people count to the night before: 昨晚两点, 1am on Saturday night.
    pub(crate) fn is_small(self) -> bool {
        (1..=4).contains(&self.hour) && self.pm != Some(true)
    }

    /// The stretch on a day, if its hour is this one.
    pub(crate) fn on(self, day: Date, hour: i8) -> Option<Reading> {
        let start: DateTime = day.at(0, 0, 0, 0).checked_add(i64::from(hour).hours()).ok()?;
        let start = start.checked_add(i64::from(self.minute.unwrap_or(0)).minutes()).ok()?;
        let start = start.checked_add(i64::from(self.second.unwrap_or(0)).seconds()).ok()?;
        let length = match (self.minute, self.second) {
            (_, Some(_)) => 1.second(),
            (Some(_), None) => 1.minute(),
            (None, None) => 1.hour(),
        };
        Some(Reading::new(start, start.checked_add(length).ok()?))
    }
}
