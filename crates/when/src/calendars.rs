//! Days of other calendars that people name.

mod indian;
mod islamic;
mod jewish;
mod sun;

use jiff::ToSpan;
use jiff::civil::Date;

pub(crate) use indian::{Tithi, indian};
pub(crate) use islamic::islamic;
pub(crate) use jewish::jewish;
pub(crate) use sun::solar_term;

/// The day of a count of days; 1 January of the year 1 is day 1.
fn from_count(days: i64) -> Option<Date> {
    Date::constant(1, 1, 1).checked_add(days.checked_sub(1)?.days()).ok()
}
