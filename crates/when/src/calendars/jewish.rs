use jiff::civil::Date;

use super::from_count;

/// A day of the Jewish calendar in the year in which it falls. Nisan is month 1, Tishri month 7.
pub(crate) fn jewish(year: i16, month: i64, day: i64) -> Option<Date> {
    let about = i64::from(year) + 3_760;
    (about..=about + 1).find_map(|jewish_year| {
        let months_of_year = if is_leap(jewish_year) { 13 } else { 12 };
        // Adar of a leap year is the second one.
        let month = if month == 12 { months_of_year } else { month };
        let mut days = new_year(jewish_year) + day - 1;
        let mut passed = 7;
        while passed != month {
            days += month_length(jewish_year, passed);
            passed = if passed == months_of_year { 1 } else { passed + 1 };
        }
        from_count(days).filter(|date| date.year() == year)
    })
}

fn is_leap(year: i64) -> bool {
    (7 * year + 1).rem_euclid(19) < 7
}

/// Days from the beginning of the calendar to the new year, before it is put off.
fn elapsed(year: i64) -> i64 {
    let months = (235 * year - 234).div_euclid(19);
    let parts = 12_084 + 13_753 * months;
    let day = 29 * months + parts.div_euclid(25_920);
    if (3 * (day + 1)).rem_euclid(7) < 3 { day + 1 } else { day }
}

fn new_year(year: i64) -> i64 {
    let (last, this, next) = (elapsed(year - 1), elapsed(year), elapsed(year + 1));
    let put_off = if next - this == 356 {
        2
    } else if this - last == 382 {
        1
    } else {
        0
    };
    this + put_off - 1_373_427
}

fn month_length(year: i64, month: i64) -> i64 {
    let length = new_year(year + 1) - new_year(year);
    match month {
        2 | 4 | 6 | 10 | 13 => 29,
        12 if !is_leap(year) => 29,
        8 if length % 10 != 5 => 29,
        9 if length % 10 == 3 => 29,
        _ => 30,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn well_known_days() {
        assert_eq!(jewish(2018, 1, 15), Some(date(2018, 3, 31)), "Passover");
        assert_eq!(jewish(2013, 7, 10), Some(date(2013, 9, 14)), "Yom Kippur");
        assert_eq!(jewish(2018, 9, 25), Some(date(2018, 12, 3)), "Hanukkah");
        assert_eq!(jewish(2014, 11, 15), Some(date(2014, 1, 16)), "Tu BiShvat");
    }
}
