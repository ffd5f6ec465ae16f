//! Days with names.

mod list;

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use std::collections::HashMap;
use std::sync::LazyLock;

use crate::calendar::{months, nth_weekday};
use crate::calendars::{self, Tithi};
use crate::lunar;
use crate::reading::Reading;
use list::HOLIDAYS;

/// When a holiday is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rule {
    /// Month and day.
    Fixed(i8, i8),
    /// Month, number (negative from the end), weekday (Monday is 0).
    Nth(i8, i64, i8),
    /// The same, and so many days later.
    NthPlus(i8, i64, i8, i64),
    /// The same, in leap years only.
    NthOfLeapYear(i8, i64, i8),
    /// Month and day, or the working day nearest to it.
    Worked(i8, i8),
    /// Month and day, or the day before if that is a Sunday.
    NotSunday(i8, i8),
    /// The middle of April, or the first day after it on which the capital works.
    TaxDay,
    /// Days after Easter Sunday.
    Easter(i64),
    /// Days after the Easter of the orthodox churches.
    Orthodox(i64),
    /// Month and day of the moon's calendar.
    Lunar(u8, u8),
    /// The last day of the Chinese year, which ends in the next.
    LunarEve,
    /// Month and day of the Islamic calendar.
    Islamic(i64, i64),
    /// Month (Nisan is 1) and day of the Jewish calendar. Its days begin on the evening before.
    Jewish(i64, i64),
    /// A day of the Indian lunar calendar, and so many days later.
    Indian(Tithi, i64),
    /// The new year of a calendar without leap years, which comes a day earlier every four years.
    Parsi,
    /// One of the 24 parts into which the sun cuts the Chinese year, from 小寒 in January on.
    SolarTerm(u8),
}

/// A name that people use, simplified and lower case, and the day.
pub(crate) struct Holiday {
    pub(crate) names: &'static [&'static str],
    pub(crate) rule: Rule,
    /// How many days it lasts.
    pub(crate) days: i64,
}

const fn on(names: &'static [&'static str], rule: Rule) -> Holiday {
    Holiday { names, rule, days: 1 }
}

const fn lasting(days: i64, names: &'static [&'static str], rule: Rule) -> Holiday {
    Holiday { names, rule, days }
}

/// The names of holidays by their first character, each with its place in the list.
static BY_FIRST: LazyLock<HashMap<char, Vec<(usize, &'static str)>>> = LazyLock::new(|| {
    let mut names: HashMap<char, Vec<(usize, &'static str)>> = HashMap::new();
    for (number, holiday) in HOLIDAYS.iter().enumerate() {
        for name in holiday.names {
            names.entry(name.chars().next().unwrap_or(' ')).or_default().push((number, name));
        }
    }
    names
});

/// Every name of a holiday.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    HOLIDAYS.iter().flat_map(|holiday| holiday.names.iter().copied())
}

/// The names of holidays that begin with this character.
pub(crate) fn named(first: char) -> &'static [(usize, &'static str)] {
    BY_FIRST.get(&first).map_or(&[], Vec::as_slice)
}

/// Whether it is the Chinese new year or the day before it.
pub(crate) fn is_new_year(holiday: usize) -> bool {
    HOLIDAYS.get(holiday).is_some_and(|holiday| matches!(holiday.rule, Rule::LunarEve | Rule::Lunar(1, 1)))
}

/// For how many days people in China are off work at a holiday.
pub(crate) fn days_off(holiday: usize) -> i64 {
    let Some(Holiday { names, days, .. }) = HOLIDAYS.get(holiday) else { return 1 };
    let off = |of: &[&str]| names.iter().any(|name| of.contains(name));
    if off(&["国庆节", "春节"]) {
        7
    } else if off(&["劳动节"]) {
        5
    } else if off(&["元旦", "清明节", "端午节", "中秋节"]) {
        3
    } else {
        *days
    }
}

/// The days of a holiday in a year, and the day after them. A Jewish one begins on the evening before its first day.
pub(crate) fn days(holiday: usize, year: i16) -> Option<Reading> {
    let Holiday { rule, days, .. } = HOLIDAYS.get(holiday)?;
    let first = first_day(*rule, year)?;
    let start = if matches!(rule, Rule::Jewish(..)) { first.yesterday().ok()? } else { first };
    Some(Reading::days(start, first.checked_add(days.days()).ok()?))
}

fn first_day(rule: Rule, year: i16) -> Option<Date> {
    let fixed = |month, day| Date::new(year, month, day).ok();
    let nth = |month, number, weekday| {
        let whole = months(year, month, 1)?;
        nth_weekday(whole.start?.date(), whole.end?.date(), number, weekday)
    };
    match rule {
        Rule::Fixed(month, day) => fixed(month, day),
        Rule::Nth(month, number, weekday) => nth(month, number, weekday),
        Rule::NthPlus(month, number, weekday, more) => {
            nth(month, number, weekday)?.checked_add(more.days()).ok()
        }
        Rule::NthOfLeapYear(month, number, weekday) if Date::new(year, 2, 29).is_ok() => {
            nth(month, number, weekday)
        }
        Rule::NthOfLeapYear(..) => None,
        Rule::Worked(month, day) => worked(fixed(month, day)?),
        Rule::NotSunday(month, day) => {
            let day = fixed(month, day)?;
            if day.weekday() == Weekday::Sunday { day.yesterday().ok() } else { Some(day) }
        }
        Rule::TaxDay => tax_day(year),
        Rule::Indian(tithi, more) => calendars::indian(year, tithi)?.checked_add(more.days()).ok(),
        Rule::Parsi => fixed(8, i8::try_from(17 - (year - 2016).div_euclid(4)).ok()?),
        Rule::Easter(more) => easter(year)?.checked_add(more.days()).ok(),
        Rule::Orthodox(more) => orthodox_easter(year)?.checked_add(more.days()).ok(),
        Rule::Lunar(month, day) => lunar::solar(year, month, day),
        Rule::LunarEve => lunar::eve(year),
        Rule::Islamic(month, day) => calendars::islamic(year, month, day),
        Rule::Jewish(month, day) => calendars::jewish(year, month, day),
        Rule::SolarTerm(number) => calendars::solar_term(year, number),
    }
}

/// The working day nearest to a day.
fn worked(day: Date) -> Option<Date> {
    match day.weekday() {
        Weekday::Saturday => day.yesterday().ok(),
        Weekday::Sunday => day.tomorrow().ok(),
        _ => Some(day),
    }
}

/// Taxes are due on 15 April, not on a weekend and not on the day on which Washington remembers the end of slavery.
fn tax_day(year: i16) -> Option<Date> {
    let free = worked(Date::new(year, 4, 16).ok()?)?;
    let mut day = Date::new(year, 4, 15).ok()?;
    while day == free || matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday) {
        day = day.tomorrow().ok()?;
    }
    Some(day)
}

/// Easter Sunday of the western churches.
fn easter(year: i16) -> Option<Date> {
    let y = i32::from(year);
    let (a, b, c) = (y.rem_euclid(19), y.div_euclid(100), y.rem_euclid(100));
    let (d, e) = (b / 4, b % 4);
    let g = (8 * b + 13) / 25;
    let h = (19 * a + b - d - g + 15) % 30;
    let (i, k) = (c / 4, c % 4);
    let l = (32 + 2 * e + 2 * i - h - k) % 7;
    let m = (a + 11 * h + 22 * l) / 451;
    let month = (h + l - 7 * m + 114) / 31;
    let day = (h + l - 7 * m + 114) % 31 + 1;
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

/// Easter Sunday of the eastern churches: by the Julian calendar, which is 13 days behind in our time.
fn orthodox_easter(year: i16) -> Option<Date> {
    let y = i32::from(year);
    let (a, b, c) = (y.rem_euclid(4), y.rem_euclid(7), y.rem_euclid(19));
    let d = (19 * c + 15) % 30;
    let e = (2 * a + 4 * b - d + 34) % 7;
    let month = (d + e + 114) / 31;
    let day = (d + e + 114) % 31 + 1;
    let julian = Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    julian.checked_add(13.days()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn on_day(name: &str, year: i16) -> Date {
        let holiday = HOLIDAYS.iter().position(|holiday| holiday.names.contains(&name)).unwrap();
        first_day(HOLIDAYS[holiday].rule, year).unwrap()
    }

    #[test]
    fn movable_days() {
        assert_eq!(on_day("easter", 2013), date(2013, 3, 31));
        assert_eq!(on_day("easter", 2026), date(2026, 4, 5));
        assert_eq!(on_day("orthodox easter", 2013), date(2013, 5, 5));
        assert_eq!(on_day("thanksgiving", 2016), date(2016, 11, 24));
        assert_eq!(on_day("母亲节", 2017), date(2017, 5, 14));
        assert_eq!(on_day("中秋", 2021), date(2021, 9, 21));
        assert_eq!(on_day("除夕", 2021), date(2022, 1, 31));
        assert_eq!(on_day("清明", 2021), date(2021, 4, 4));
        assert_eq!(on_day("清明", 2023), date(2023, 4, 5));
        assert_eq!(on_day("冬至", 2021), date(2021, 12, 21));
        assert_eq!(on_day("tax day", 2018), date(2018, 4, 17));
        assert_eq!(on_day("tax day", 2023), date(2023, 4, 18));
        assert_eq!(on_day("tax day", 2024), date(2024, 4, 15));
        assert_eq!(on_day("boss's day", 2022), date(2022, 10, 17));
        assert_eq!(on_day("king's day", 2025), date(2025, 4, 26));
        assert_eq!(on_day("super tuesday", 2024), date(2024, 3, 5));
        assert_eq!(on_day("diwali", 2024), date(2024, 10, 31));
        assert_eq!(on_day("holi", 2025), date(2025, 3, 14));
        assert_eq!(on_day("parsi new year", 2023), date(2023, 8, 16));
    }

    #[test]
    fn no_name_is_given_twice() {
        let mut names: Vec<&str> = HOLIDAYS.iter().flat_map(|holiday| holiday.names).copied().collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
