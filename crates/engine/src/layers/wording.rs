//! How layers are put to people, in Chinese and English.

use jiff::civil::Date;

use crate::recall::{Tongue, weekday};

/// A day with its weekday.
pub(crate) fn day(day: Date, tongue: Tongue) -> String {
    format!("{day} {}", weekday(day, tongue))
}

/// Days from the first to the last.
pub(crate) fn days(days: Option<(Date, Date)>, tongue: Tongue) -> String {
    match (days, tongue) {
        (Some((first, last)), Tongue::Zh) => format!("{first} 至 {last}"),
        (Some((first, last)), Tongue::En) => format!("{first} to {last}"),
        (None, _) => String::new(),
    }
}

/// That a line stands for a whole talk.
pub(crate) const fn session(tongue: Tongue) -> &'static str {
    match tongue {
        Tongue::Zh => "那次对话",
        Tongue::En => "that conversation",
    }
}

/// That a line stands for everything.
pub(crate) const fn so_far(tongue: Tongue) -> &'static str {
    match tongue {
        Tongue::Zh => "至今为止",
        Tongue::En => "so far",
    }
}

/// That nothing was said then.
pub(crate) fn did_not_talk(first: Date, last: Date, tongue: Tongue) -> String {
    match (tongue, first == last) {
        (Tongue::Zh, true) => format!("{}那天我们没有聊过天。", day(first, tongue)),
        (Tongue::Zh, false) => format!("{first} 至 {last} 之间我们没有聊过天。"),
        (Tongue::En, true) => format!("We did not talk on {}.", day(first, tongue)),
        (Tongue::En, false) => format!("We did not talk between {first} and {last}."),
    }
}

/// That nothing was said ever.
pub(crate) const fn never_talked(tongue: Tongue) -> &'static str {
    match tongue {
        Tongue::Zh => "在这之前我们还没有聊过天。",
        Tongue::En => "We have not talked before.",
    }
}
