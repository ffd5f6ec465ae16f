use jiff::ToSpan;
use jiff::civil::Date;

use super::from_count;

/// The first year of the table, and its first day.
const FIRST: (i64, Date) = (1420, Date::constant(1999, 4, 17));

/// Which months have 30 days, the first month lowest, as Mecca's civil calendar (Umm al-Qura) fixes them.
#[rustfmt::skip]
const YEARS: [u16; 81] = [
    0xbd2, 0xbc4, 0xb89, 0xa95, 0x52d, 0x5ad, 0xb6a, 0x6d4, 0xdc9, 0xd92, 0xaa6, 0x956, 0x2ae, 0x56d, 0x36a, 0xb55,
    0xaaa, 0x94d, 0x49d, 0x95d, 0x2ba, 0x5b5, 0x5aa, 0xd55, 0xa9a, 0x92e, 0x26e, 0x55d, 0xada, 0x6d4, 0x6a5, 0xb27,
    0xa4d, 0x4ad, 0x56d, 0xb5a, 0x754, 0xf49, 0xe92, 0xd26, 0xa56, 0x356, 0x6b5, 0xbaa, 0xb92, 0xb25, 0x68b, 0xa9b,
    0x55a, 0xada, 0x5b4, 0xda9, 0xb52, 0xa9a, 0x536, 0x276, 0x575, 0xaf2, 0x6d4, 0x6a9, 0x555, 0x2ad, 0x4bd, 0x9ba,
    0x574, 0xb69, 0xb52, 0xa95, 0x52d, 0xa5d, 0x4da, 0xad9, 0x6b2, 0xe95, 0xe2a, 0xc96, 0x92e, 0xaad, 0x56a, 0xd65,
    0xd4a,
];

/// A day of the Islamic calendar in the year in which it falls. The sighting of the moon may move it by a day.
pub(crate) fn islamic(year: i16, month: i64, day: i64) -> Option<Date> {
    let about = (i64::from(year) - 622) * 33 / 32;
    (about - 1..=about + 2).find_map(|islamic_year| {
        let date = fixed(islamic_year, month, day).or_else(|| counted(islamic_year, month, day))?;
        (date.year() == year).then_some(date)
    })
}

/// By the table.
fn fixed(year: i64, month: i64, day: i64) -> Option<Date> {
    let last = usize::try_from(year.checked_sub(FIRST.0)?).ok().filter(|last| *last < YEARS.len())?;
    let long = |months: u16| i64::from(months.count_ones());
    let whole: i64 = YEARS[..last].iter().map(|months| 12 * 29 + long(*months)).sum();
    let earlier = u16::try_from((1i64 << (month - 1).clamp(0, 12)) - 1).ok()?;
    let days = whole + (month - 1) * 29 + long(YEARS[last] & earlier) + day - 1;
    FIRST.1.checked_add(days.days()).ok()
}

/// By the rule that long tables follow: 11 leap years in 30.
fn counted(year: i64, month: i64, day: i64) -> Option<Date> {
    let months = (59 * (month - 1) + 1).div_euclid(2);
    from_count(day + months + (year - 1) * 354 + (3 + 11 * year).div_euclid(30) + 227_014)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn well_known_days() {
        assert_eq!(islamic(2013, 10, 1), Some(date(2013, 8, 8)), "Eid al-Fitr");
        assert_eq!(islamic(2013, 12, 10), Some(date(2013, 10, 15)), "Eid al-Adha");
        assert_eq!(islamic(2013, 1, 1), Some(date(2013, 11, 4)), "new year");
        assert_eq!(islamic(2018, 9, 1), Some(date(2018, 5, 16)), "Ramadan");
        assert_eq!(islamic(2025, 10, 1), Some(date(2025, 3, 30)), "Eid al-Fitr");
        assert_eq!(islamic(1966, 12, 10), Some(date(1966, 4, 1)), "Eid al-Adha");
    }
}
