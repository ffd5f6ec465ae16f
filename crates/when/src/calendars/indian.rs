use jiff::ToSpan;
use jiff::civil::Date;

use super::sun::{date_of, days_since, sine, sun, sun_anomaly};

/// A day of the Indian lunar calendar, in which a month begins with the new moon and is named by where the sun stands among
/// the stars (Chaitra, in spring, is month 1), and a day is named by how far the moon has left the sun behind: 1 to 15 while
/// it grows, 16 to 30 while it wanes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tithi {
    pub(crate) month: u8,
    pub(crate) number: u8,
    /// At which hour of India's day it has to reign.
    pub(crate) at: f64,
}

/// India's clock is ahead of Greenwich, in days.
const AHEAD: f64 = 5.5 / 24.0;
/// From one new moon to the next.
const LUNATION: f64 = 29.530_588_9;
/// Years of the sun among the stars.
const SIDEREAL_YEAR: f64 = 365.256_363;
/// When the sun stood where the year of the stars begins.
const FIRST_SIGN: f64 = 103.4;

/// The day of a year on which a lunar day falls.
pub(crate) fn indian(year: i16, day: Tithi) -> Option<Date> {
    let since = f64::from(year) - 2000.0;
    [since - 1.0, since]
        .into_iter()
        .find_map(|since| day_after(since, day).filter(|date| date.year() == year))
}

/// The day in the twelve months that follow the beginning of that year of the stars.
fn day_after(years: f64, day: Tithi) -> Option<Date> {
    let sign = (i32::from(day.month) + 10) % 12;
    // Chaitra begins while the sun is in the last sign of the year before.
    let turn = if day.month == 1 { years - 1.0 } else { years };
    let entry = FIRST_SIGN + (turn + f64::from(sign) / 12.0) * SIDEREAL_YEAR;
    let mut moon = new_moon(entry);
    while sun_sign(moon) != sign && moon < entry + 40.0 {
        moon = new_moon(moon + LUNATION);
    }
    // Of two new moons in one sign the first begins a leap month.
    let next = new_moon(moon + LUNATION);
    if sun_sign(next) == sign {
        moon = next;
    }
    let middle = (f64::from(day.number) - 0.5) * 12.0;
    let about = when_apart(middle, moon + middle * LUNATION / 360.0);
    let first = date_of(about + AHEAD)?;
    let reigns = |date: &Date| {
        let moment = days_since(*date) + day.at / 24.0 - AHEAD;
        // On the last evening of the month the moon has not yet caught up with the sun.
        (elongation(moment) / 12.0) as u8 + 1 == day.number
    };
    let near = [-1, 0, 1].into_iter().filter_map(|by: i64| first.checked_add(by.days()).ok());
    near.into_iter().find(reigns).or(Some(first))
}

/// The new moon nearest to a moment.
fn new_moon(about: f64) -> f64 {
    when_apart(0.0, about)
}

/// When the moon is so far ahead of the sun, nearest to a moment.
fn when_apart(degrees: f64, about: f64) -> f64 {
    let mut moment = about;
    for _ in 0..5 {
        let off = (elongation(moment) - degrees + 180.0).rem_euclid(360.0) - 180.0;
        moment -= off * LUNATION / 360.0;
    }
    moment
}

/// In which twelfth of the stars the sun stands; 0 in mid April.
fn sun_sign(moment: f64) -> i32 {
    // The stars drift against the seasons.
    let drift = 23.853 + 1.397 * moment / 36_525.0;
    ((sun(moment) - drift).rem_euclid(360.0) / 30.0) as i32
}

/// How far the moon is ahead of the sun, in degrees.
fn elongation(moment: f64) -> f64 {
    (moon(moment) - sun(moment)).rem_euclid(360.0)
}

/// Where the moon stands, in degrees: the terms that move it by more than a hundredth of one.
fn moon(moment: f64) -> f64 {
    let (sun, moon) = (sun_anomaly(moment), 134.963_4 + 13.064_992_95 * moment);
    let (apart, node) = (297.850_2 + 12.190_749_12 * moment, 93.272_1 + 13.229_350_24 * moment);
    let double = 2.0 * apart;
    218.316_45
        + 13.176_396_47 * moment
        + 6.2888 * sine(moon)
        + 1.2740 * sine(double - moon)
        + 0.6583 * sine(double)
        + 0.2136 * sine(2.0 * moon)
        - 0.1851 * sine(sun)
        - 0.1143 * sine(2.0 * node)
        + 0.0588 * sine(double - 2.0 * moon)
        + 0.0571 * sine(double - sun - moon)
        + 0.0533 * sine(double + moon)
        + 0.0458 * sine(double - sun)
        - 0.0409 * sine(sun - moon)
        - 0.0347 * sine(apart)
        - 0.0304 * sine(sun + moon)
        + 0.0153 * sine(double - 2.0 * node)
        - 0.0125 * sine(moon + 2.0 * node)
        + 0.0110 * sine(moon - 2.0 * node)
        + 0.0107 * sine(2.0 * double - moon)
        + 0.0100 * sine(3.0 * moon)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn well_known_days() {
        let diwali = Tithi { month: 7, number: 30, at: 18.0 };
        for day in [
            date(2015, 11, 11),
            date(2017, 10, 19),
            date(2020, 11, 14),
            date(2022, 10, 24),
            date(2023, 11, 12),
        ] {
            assert_eq!(indian(day.year(), diwali), Some(day), "Diwali");
        }
        let new_year = Tithi { month: 1, number: 1, at: 6.5 };
        for day in
            [date(2015, 3, 21), date(2017, 3, 28), date(2021, 4, 13), date(2022, 4, 2), date(2024, 4, 9)]
        {
            assert_eq!(indian(day.year(), new_year), Some(day), "Ugadi");
        }
        let bonfire = Tithi { month: 12, number: 15, at: 18.0 };
        for day in
            [date(2017, 3, 12), date(2020, 3, 9), date(2021, 3, 28), date(2022, 3, 17), date(2024, 3, 24)]
        {
            assert_eq!(indian(day.year(), bonfire), Some(day), "Holika");
        }
        let ganesh = Tithi { month: 6, number: 4, at: 12.0 };
        for day in
            [date(2017, 8, 25), date(2018, 9, 13), date(2020, 8, 22), date(2022, 8, 31), date(2023, 9, 19)]
        {
            assert_eq!(indian(day.year(), ganesh), Some(day), "Ganesh Chaturthi");
        }
    }
}
