//! The Chinese calendar, as a table.

use jiff::ToSpan;
use jiff::civil::Date;

/// The first year of the table.
const FIRST: i16 = 1900;

/// One number for each year: the leap month (4 bits, 0 for none), which of up to 13 months have 30 days (13 bits, the first
/// month lowest), and how many days after 1 January the year begins (6 bits).
#[rustfmt::skip]
const YEARS: [u32; 199] = [
    0x3d6d28, 0x627520, 0x4cea50, 0x3964a5, 0x5c64b0, 0x44a9b0, 0x315564, 0x5656a0, 0x40b590, 0x2b7522,
    0x507520, 0x3bb256, 0x60b250, 0x48a4b0, 0x334ab5, 0x582ad0, 0x4256b0, 0x2cb692, 0x52da90, 0x3fd927,
    0x64e920, 0x4cd250, 0x37a4d5, 0x5ca560, 0x462b60, 0x2f5b54, 0x566d40, 0x40ea90, 0x2de922, 0x50e920,
    0x3ad266, 0x5e52b0, 0x48a570, 0x332d65, 0x58b5a0, 0x446d40, 0x2eec93, 0x527490, 0x3d6937, 0x62a930,
    0x4c52b0, 0x34a5b6, 0x5aaad0, 0x4656a0, 0x31b554, 0x56ba40, 0x40b490, 0x2ba932, 0x50a950, 0x3952d7,
    0x5e5360, 0x48aad0, 0x355aa5, 0x585b20, 0x42ba50, 0x2fd4a3, 0x54d4a0, 0x3ca958, 0x60a970, 0x4c5560,
    0x36ab56, 0x5aad50, 0x466d20, 0x30ea54, 0x56ea50, 0x4064a0, 0x28c973, 0x4ea9b0, 0x3b55a7, 0x5e56a0,
    0x48b690, 0x357525, 0x5ab520, 0x42b250, 0x2d64b4, 0x52a4b0, 0x3d4ab8, 0x602ad0, 0x4a5ad0, 0x36b696,
    0x5cda90, 0x46d920, 0x31d254, 0x56d250, 0x41a4da, 0x64a560, 0x4e2b60, 0x385b56, 0x5e6d50, 0x48ea90,
    0x35e925, 0x5ae920, 0x44d260, 0x2ca563, 0x50a570, 0x3d4d68, 0x6235a0, 0x4a6d50, 0x376c95, 0x5c7490,
    0x466930, 0x2f52b4, 0x5452b0, 0x3ea5b0, 0x2b55a2, 0x4e56a0, 0x39b557, 0x60ba40, 0x4ab490, 0x33a935,
    0x58a950, 0x4252d0, 0x2caad4, 0x50ab50, 0x3d5aa9, 0x625d20, 0x4cda50, 0x37d4a6, 0x5cd4a0, 0x46c950,
    0x3152e4, 0x545560, 0x3eab50, 0x2b5b22, 0x506d20, 0x38ea56, 0x5e7250, 0x4864b0, 0x32c975, 0x56cab0,
    0x4255a0, 0x2cad63, 0x52b690, 0x3d752b, 0x62b520, 0x4cb250, 0x37a4b6, 0x5aa4b0, 0x444ab0, 0x2e55b5,
    0x545ad0, 0x3eb6a0, 0x2bb522, 0x50d920, 0x3bd257, 0x5ed250, 0x48a550, 0x334ad5, 0x584b60, 0x405b50,
    0x2cdaa3, 0x52ec90, 0x3fe928, 0x62e920, 0x4cd260, 0x36a566, 0x5aa570, 0x445560, 0x2e6d54, 0x547550,
    0x407490, 0x28e933, 0x4e6930, 0x3952b7, 0x5e52b0, 0x46a5b0, 0x3355a5, 0x5856a0, 0x42b650, 0x2d74a4,
    0x52b4a0, 0x3da958, 0x62a950, 0x4a52d0, 0x34aad6, 0x5aab50, 0x465aa0, 0x2eba54, 0x54da50, 0x40d4a0,
    0x2bc953, 0x4ec960, 0x3994e7, 0x5e5560, 0x48ab50, 0x335b25, 0x586d20, 0x42ea50, 0x2ee4a4, 0x5068b0,
    0x3ac978, 0x604ab0, 0x4a55b0, 0x34ad66, 0x5ab6a0, 0x467520, 0x317254, 0x54b450, 0x3ea8b0,
];

/// The day on which a day of a Chinese year falls; `None` for a day that the year does not have.
pub(crate) fn solar(year: i16, month: u8, day: u8) -> Option<Date> {
    let entry = entry(year)?;
    let leap = entry & 0xf;
    if !(1..=12).contains(&month) || day == 0 {
        return None;
    }
    let mut days = i64::from(entry >> 17);
    // A leap month follows the month of its number.
    let place = u32::from(month) - 1 + u32::from(leap != 0 && u32::from(month) > leap);
    for earlier in 0..place {
        days += length(entry, earlier);
    }
    if i64::from(day) > length(entry, place) {
        return None;
    }
    Date::new(year, 1, 1).ok()?.checked_add((days + i64::from(day) - 1).days()).ok()
}

/// The last day of a Chinese year.
pub(crate) fn eve(year: i16) -> Option<Date> {
    solar(year.checked_add(1)?, 1, 1)?.yesterday().ok()
}

fn entry(year: i16) -> Option<u32> {
    YEARS.get(usize::try_from(year.checked_sub(FIRST)?).ok()?).copied()
}

fn length(entry: u32, place: u32) -> i64 {
    29 + i64::from(entry >> (4 + place) & 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn well_known_days() {
        for (year, month, day, solar_day) in [
            (2021, 1, 1, date(2021, 2, 12)),
            (2021, 8, 15, date(2021, 9, 21)),
            (2020, 5, 5, date(2020, 6, 25)),
            (2023, 1, 1, date(2023, 1, 22)),
            (2023, 3, 1, date(2023, 4, 20)),
            (1991, 8, 23, date(1991, 9, 30)),
            (2012, 1, 15, date(2012, 2, 6)),
        ] {
            assert_eq!(solar(year, month, day), Some(solar_day));
        }
        assert_eq!(eve(2021), Some(date(2022, 1, 31)));
        assert_eq!(solar(2021, 13, 1), None);
        assert_eq!(solar(1800, 1, 1), None);
        assert_eq!(solar(2021, 1, 31), None);
    }
}
