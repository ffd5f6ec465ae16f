//! Where the sun stands, and the days that are named by it.

use jiff::ToSpan;
use jiff::civil::{Date, DateTime};

/// Noon of 1 January 2000, from which moments are counted in days.
const ORIGIN: DateTime = Date::constant(2000, 1, 1).at(12, 0, 0, 0);
/// China's clock is ahead of Greenwich, in days.
const AHEAD: f64 = 8.0 / 24.0;
/// From one spring to the next.
const YEAR: f64 = 365.242_19;

pub(super) fn days_since(date: Date) -> f64 {
    ORIGIN.duration_until(date.at(0, 0, 0, 0)).as_secs() as f64 / 86_400.0
}

/// The day of a moment, by the clock that counts the moments.
pub(super) fn date_of(moment: f64) -> Option<Date> {
    Some(ORIGIN.checked_add(((moment * 1_440.0).round() as i64).minutes()).ok()?.date())
}

/// The day on which one of the 24 solar terms begins in China. The first (小寒) is in early January, when the sun stands at
/// 285 degrees, and each is 15 degrees after the one before it.
pub(crate) fn solar_term(year: i16, number: u8) -> Option<Date> {
    let degrees = (285.0 + 15.0 * f64::from(number)).rem_euclid(360.0);
    let mut moment = days_since(Date::new(year, 1, 5).ok()?) + f64::from(number) * YEAR / 24.0;
    for _ in 0..5 {
        let off = (sun(moment) - degrees + 180.0).rem_euclid(360.0) - 180.0;
        moment -= off * YEAR / 360.0;
    }
    date_of(moment + AHEAD)
}

pub(super) fn sine(degrees: f64) -> f64 {
    degrees.to_radians().sin()
}

/// How far the sun and the earth are along their ways, in degrees.
pub(super) fn sun_anomaly(moment: f64) -> f64 {
    357.529_11 + 0.985_600_28 * moment
}

/// Where the sun stands, in degrees.
pub(super) fn sun(moment: f64) -> f64 {
    let anomaly = sun_anomaly(moment);
    280.460_77 + 0.985_647_36 * moment + 1.9146 * sine(anomaly) + 0.02 * sine(2.0 * anomaly)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn well_known_days() {
        for (number, day) in [
            (0, date(2024, 1, 6)),
            (2, date(2021, 2, 3)),
            (2, date(2024, 2, 4)),
            (5, date(2023, 3, 21)),
            (6, date(2021, 4, 4)),
            (6, date(2023, 4, 5)),
            (11, date(2021, 6, 21)),
            (14, date(2025, 8, 7)),
            (17, date(2024, 9, 22)),
            (19, date(2022, 10, 23)),
            (20, date(2023, 11, 8)),
            (23, date(2021, 12, 21)),
            (23, date(2023, 12, 22)),
            (23, date(1985, 12, 22)),
        ] {
            assert_eq!(solar_term(day.year(), number), Some(day));
        }
    }
}
