//! Words that mean one thing, as data.

use crate::calendar::Unit;
use crate::cursor::day_part;
use crate::piece::{Current, Edge, Measure, Part, Piece};

const FROM_NOW: [Piece; 2] = [Piece::Now, Piece::Onward];
const TONIGHT: [Piece; 2] = day_part(0, Part::AnyNight);
const EARLY_TONIGHT: [Piece; 2] = day_part(0, Part::EarlyEvening);
const LATE_TONIGHT: [Piece; 2] = day_part(0, Part::LateEvening);
const LATE_LAST_NIGHT: [Piece; 2] = day_part(-1, Part::LateEvening);
const THIS_MORNING: [Piece; 2] = day_part(0, Part::AnyMorning);
const TOMORROW_NIGHT: [Piece; 2] = day_part(1, Part::AnyNight);
const NIGHT_BEFORE_LAST: [Piece; 2] = day_part(-2, Part::AnyNight);
const DURING_THE_NIGHT: [Piece; 2] = day_part(-1, Part::WholeNight);
const YESTERDAY_NIGHT: [Piece; 2] = day_part(-1, Part::AnyNight);

#[rustfmt::skip]
pub(super) const FIXED: &[(&str, &[Piece])] = &[
    ("now", &[Piece::Now]), ("rn", &[Piece::Now]), ("right now", &[Piece::Now]), ("just now", &[Piece::Now]), ("atm", &[Piece::Now]), ("at the moment", &[Piece::Now]), ("at this moment", &[Piece::Now]),
    ("at present", &[Piece::Now]), ("at the present time", &[Piece::Now]), ("at this time", &[Piece::Now]), ("at the minute", &[Piece::Now]), ("immediately", &[Piece::Now]), ("asap", &FROM_NOW), ("as soon as possible", &FROM_NOW),
    ("today", &[Piece::DayRel(0)]), ("current date", &[Piece::DayRel(0)]), ("the current date", &[Piece::DayRel(0)]), ("today's date", &[Piece::DayRel(0)]), ("the day", &[Piece::DayRel(0)]), ("at this day", &[Piece::DayRel(0)]), ("otd", &[Piece::DayRel(0)]), ("of the day", &[Piece::DayRel(0)]),
    ("tomorrow", &[Piece::DayRel(1)]), ("tomorrows", &[Piece::DayRel(1)]), ("tmrw", &[Piece::DayRel(1)]), ("tmr", &[Piece::DayRel(1)]), ("tmw", &[Piece::DayRel(1)]), ("tomoz", &[Piece::DayRel(1)]), ("tomm", &[Piece::DayRel(1)]), ("2moro", &[Piece::DayRel(1)]), ("2morrow", &[Piece::DayRel(1)]), ("2mrw", &[Piece::DayRel(1)]), ("tomorow", &[Piece::DayRel(1)]), ("tommorow", &[Piece::DayRel(1)]), ("tommorrow", &[Piece::DayRel(1)]), ("the next day", &[Piece::DayNext]), ("the day after", &[Piece::DayRel(1)]), ("the following day", &[Piece::DayNext]),
    ("yesterday", &[Piece::DayRel(-1)]), ("yest", &[Piece::DayRel(-1)]), ("yday", &[Piece::DayRel(-1)]), ("yesterdays", &[Piece::DayRel(-1)]), ("the day before", &[Piece::DayPrevious]), ("the previous day", &[Piece::DayPrevious]), ("the other day", &[Piece::DayRel(-2)]),
    ("day after tmrw", &[Piece::DayRel(2)]), ("the day after tmrw", &[Piece::DayRel(2)]), ("the day before yest", &[Piece::DayRel(-2)]), ("day after tomorrow", &[Piece::DayRel(2)]), ("the day after tomorrow", &[Piece::DayRel(2)]), ("day before yesterday", &[Piece::DayRel(-2)]), ("the day before yesterday", &[Piece::DayRel(-2)]),
    ("tonight", &TONIGHT), ("tonite", &TONIGHT), ("2nite", &TONIGHT), ("last nite", &YESTERDAY_NIGHT), ("late tonight", &LATE_TONIGHT), ("early tonight", &EARLY_TONIGHT), ("tomorrow night", &TOMORROW_NIGHT), ("yesterday night", &YESTERDAY_NIGHT), ("last night", &YESTERDAY_NIGHT), ("late last night", &LATE_LAST_NIGHT), ("the night before last", &NIGHT_BEFORE_LAST), ("night before last", &NIGHT_BEFORE_LAST), ("earlier today", &[Piece::Current(Current::SoFar, Unit::Day)]), ("earlier this morning", &THIS_MORNING),
    ("week before last", &[Piece::WeekRel(-2)]), ("the week before last", &[Piece::WeekRel(-2)]), ("week after next", &[Piece::WeekRel(2)]), ("the week after next", &[Piece::WeekRel(2)]),
    ("month before last", &[Piece::MonthRel(-2)]), ("the month before last", &[Piece::MonthRel(-2)]), ("year before last", &[Piece::YearRel(-2)]), ("the year before last", &[Piece::YearRel(-2)]),
    ("the month after the next", &[Piece::MonthRel(2)]), ("the week after the next", &[Piece::WeekRel(2)]), ("the year after the next", &[Piece::YearRel(2)]), ("month after next", &[Piece::MonthRel(2)]), ("the month after next", &[Piece::MonthRel(2)]), ("year after next", &[Piece::YearRel(2)]), ("the year after next", &[Piece::YearRel(2)]), ("today week", &[Piece::DayRel(7)]), ("tomorrow week", &[Piece::DayRel(8)]), ("today fortnight", &[Piece::DayRel(14)]), ("tomorrow fortnight", &[Piece::DayRel(15)]), ("all week", &[Piece::WeekRel(0)]), ("all day", &[Piece::DayRel(0)]), ("all day long", &[Piece::DayRel(0)]), ("overnight", &DURING_THE_NIGHT), ("all night", &DURING_THE_NIGHT), ("during the night", &DURING_THE_NIGHT), ("in the night", &DURING_THE_NIGHT), ("in the middle of the night", &DURING_THE_NIGHT), ("year to date", &[Piece::Current(Current::SoFar, Unit::Year)]), ("ytd", &[Piece::Current(Current::SoFar, Unit::Year)]), ("quarter to date", &[Piece::Current(Current::SoFar, Unit::Quarter)]), ("qtd", &[Piece::Current(Current::SoFar, Unit::Quarter)]), ("month to date", &[Piece::Current(Current::SoFar, Unit::Month)]), ("mtd", &[Piece::Current(Current::SoFar, Unit::Month)]), ("week to date", &[Piece::Current(Current::SoFar, Unit::Week)]), ("wtd", &[Piece::Current(Current::SoFar, Unit::Week)]), ("within the hour", &[Piece::Span { count: 1, unit: Unit::Hour, half: false, coming: true, measure: Measure::Moment }]), ("so far today", &[Piece::Current(Current::SoFar, Unit::Day)]),
    ("same month", &[Piece::MonthRel(0)]), ("same year", &[Piece::YearRel(0)]), ("same week", &[Piece::WeekRel(0)]), ("same day", &[Piece::DayRel(0)]), ("the same day", &[Piece::DayRel(0)]), ("my day", &[Piece::DayRel(0)]), ("my week", &[Piece::WeekRel(0)]), ("the twenty tens", &[Piece::Years(2010, 10)]), ("the two thousands", &[Piece::Years(2000, 10)]),
    ("eom", &[Piece::MonthRel(0), Piece::Edge(Edge::End)]), ("the eom", &[Piece::MonthRel(0), Piece::Edge(Edge::End)]), ("at the eom", &[Piece::MonthRel(0), Piece::Edge(Edge::End)]),
    ("bom", &[Piece::MonthRel(0), Piece::Edge(Edge::Begin)]), ("the bom", &[Piece::MonthRel(0), Piece::Edge(Edge::Begin)]), ("at the bom", &[Piece::MonthRel(0), Piece::Edge(Edge::Begin)]),
    ("eoy", &[Piece::YearRel(0), Piece::Edge(Edge::End)]), ("the eoy", &[Piece::YearRel(0), Piece::Edge(Edge::End)]), ("at the eoy", &[Piece::YearRel(0), Piece::Edge(Edge::End)]),
    ("boy", &[Piece::YearRel(0), Piece::Edge(Edge::Begin)]), ("the boy", &[Piece::YearRel(0), Piece::Edge(Edge::Begin)]), ("at the boy", &[Piece::YearRel(0), Piece::Edge(Edge::Begin)]),
    ("year end", &[Piece::YearRel(0), Piece::Edge(Edge::End)]), ("month end", &[Piece::MonthRel(0), Piece::Edge(Edge::End)]), ("midweek", &[Piece::WeekRel(0), Piece::Edge(Edge::Mid)]), ("eod", &[Piece::DayRel(0), Piece::Edge(Edge::End)]), ("the eod", &[Piece::DayRel(0), Piece::Edge(Edge::End)]),
    ("spring", &[Piece::Season(1)]), ("summer", &[Piece::Season(2)]), ("autumn", &[Piece::Season(3)]), ("fall", &[Piece::Season(3)]), ("winter", &[Piece::Season(4)]),
    ("the month", &[Piece::MonthRel(0)]), ("the week", &[Piece::WeekRel(0)]), ("the year", &[Piece::YearRel(0)]), ("the quarter", &[Piece::QuarterRel(0)]), ("the fortnight", &[Piece::WeekRel(0), Piece::Few { last: false, count: 2, unit: Unit::Week }]), ("later today", &[Piece::Current(Current::Rest, Unit::Day)]),
];

#[rustfmt::skip]
pub(super) const PARTS: &[(&str, Part)] = &[
    ("nite", Part::AnyNight), ("eve", Part::Evening), ("arvo", Part::Afternoon), ("aft", Part::Afternoon), ("morn", Part::AnyMorning), ("dinnertime", Part::EarlyEvening), ("dinner time", Part::EarlyEvening), ("lunch time", Part::Lunch),
    ("early morning", Part::SmallHours), ("early hours", Part::SmallHours), ("early in the morning", Part::SmallHours), ("late in the morning", Part::LateMorning), ("mid morning", Part::MidMorning), ("mid afternoon", Part::MidAfternoon), ("early in the afternoon", Part::EarlyAfternoon), ("late in the afternoon", Part::LateAfternoon), ("early in the evening", Part::EarlyEvening), ("late in the evening", Part::LateEvening), ("late in the night", Part::LateNight), ("early hours of the morning", Part::SmallHours), ("dawn", Part::Dawn), ("morning", Part::AnyMorning), ("mornings", Part::AnyMorning), ("late morning", Part::LateMorning),
    ("lunch", Part::Lunch), ("lunchtime", Part::Lunch), ("after lunch", Part::AfterLunch), ("after school", Part::AfterSchool), ("after work", Part::AfterWork), ("afternoon", Part::Afternoon), ("early afternoon", Part::EarlyAfternoon), ("late afternoon", Part::LateAfternoon), ("early evening", Part::EarlyEvening), ("late evening", Part::LateEvening), ("afternoons", Part::Afternoon), ("evening", Part::Evening), ("evenings", Part::Evening),
    ("night", Part::AnyNight), ("nights", Part::AnyNight), ("late night", Part::LateNight), ("early night", Part::EarlyNight), ("late at night", Part::LateNight), ("am", Part::AnyMorning), ("pm", Part::Afternoon),
];

/// What joins times.
#[derive(Clone, Copy)]
pub(super) enum Connector {
    Glue,
    To,
    From,
    Before,
    After,
    Since,
    By,
}

#[rustfmt::skip]
pub(super) const CONNECTORS: &[(&str, Connector)] = &[
    ("of", Connector::Glue), ("on", Connector::Glue), ("at", Connector::Glue), ("in", Connector::Glue), ("the", Connector::Glue), (",", Connector::Glue), ("for", Connector::Glue), ("around", Connector::Glue), ("about", Connector::Glue), ("during", Connector::Glue), ("approximately", Connector::Glue), ("exactly", Connector::Glue),
    ("to", Connector::To), ("till", Connector::To), ("until", Connector::To), ("untill", Connector::To), ("through", Connector::To), ("thru", Connector::To), ("and", Connector::To), ("up to", Connector::To), ("up until", Connector::To), ("up to and including", Connector::To), ("to the", Connector::To),
    ("from", Connector::From), ("between", Connector::From), ("starting", Connector::From), ("from the", Connector::From), ("between the", Connector::From),
    ("before", Connector::Before), ("b4", Connector::Before), ("prior to", Connector::Before), ("not before", Connector::Since), ("no earlier than", Connector::Since), ("not earlier than", Connector::Since), ("on or after", Connector::Since), ("no later than", Connector::By), ("not later than", Connector::By), ("on or before", Connector::By), ("after", Connector::After), ("later than", Connector::After), ("since", Connector::Since), ("onwards", Connector::Since), ("onward", Connector::Since), ("and onwards", Connector::Since),
    ("by", Connector::By),
];

/// The days of the week from Monday on.
pub(super) const WEEKDAYS: [&[&str]; 7] = [
    &["monday", "mondays", "mon", "mon."],
    &["tuesday", "tuesdays", "tue", "tues", "tue.", "tues."],
    &["wednesday", "wednesdays", "wed", "weds", "wed."],
    &["thursday", "thursdays", "thu", "thur", "thurs", "thu.", "thurs."],
    &["friday", "fridays", "fri", "fri."],
    &["saturday", "saturdays", "sat", "sat."],
    &["sunday", "sundays", "sun", "sun."],
];

pub(super) const MONTHS: [&[&str]; 12] = [
    &["january", "jan"],
    &["february", "feb"],
    &["march", "mar"],
    &["april", "apr"],
    &["may"],
    &["june", "jun"],
    &["july", "jul"],
    &["august", "aug"],
    &["september", "sept", "sep"],
    &["october", "oct"],
    &["november", "nov"],
    &["december", "dec"],
];

pub(super) const UNITS: [(Unit, &[&str]); 10] = [
    (Unit::Second, &["seconds", "second", "secs", "sec", "s"]),
    (Unit::Minute, &["minutes", "minute", "mins", "min", "m"]),
    (Unit::Hour, &["hours", "hour", "hrs", "hr", "h"]),
    (Unit::Day, &["days", "day", "nights", "d"]),
    (Unit::Week, &["weeks", "week", "wks", "wk", "w"]),
    (Unit::Fortnight, &["fortnights", "fortnight"]),
    (Unit::Month, &["months", "month", "mths", "mth", "mos", "mo"]),
    (Unit::Quarter, &["quarters", "quarter", "qtrs", "qtr"]),
    (Unit::Year, &["years", "year", "yrs", "yr"]),
    (Unit::Decade, &["decades", "decade"]),
];

/// How words move a unit.
pub(super) const DIRECTIONS: [(i32, &[&str]); 3] = [
    (0, &["this", "current", "the current", "the present", "this current"]),
    (
        -1,
        &[
            "last",
            "past",
            "previous",
            "prior",
            "this past",
            "this last",
            "the last",
            "the past",
            "the previous",
            "preceding",
        ],
    ),
    (
        1,
        &[
            "next",
            "nxt",
            "coming",
            "upcoming",
            "following",
            "the next",
            "the coming",
            "the following",
            "the upcoming",
            "subsequent",
        ],
    ),
];

pub(super) const EDGES: [(&str, Edge); 17] = [
    ("the beginning of", Edge::Begin),
    ("beginning of", Edge::Begin),
    ("the start of", Edge::Begin),
    ("start of", Edge::Begin),
    ("early in", Edge::Begin),
    ("early", Edge::Begin),
    ("the middle of", Edge::Mid),
    ("middle of", Edge::Mid),
    ("mid", Edge::Mid),
    ("the end of", Edge::End),
    ("end of", Edge::End),
    ("late in", Edge::End),
    ("late", Edge::End),
    ("at the end of", Edge::End),
    ("at the beginning of", Edge::Begin),
    ("at the start of", Edge::Begin),
    ("in the middle of", Edge::Mid),
];

pub(super) const DECADES: [(&str, i16); 8] = [
    ("twenties", 20),
    ("thirties", 30),
    ("forties", 40),
    ("fifties", 50),
    ("sixties", 60),
    ("seventies", 70),
    ("eighties", 80),
    ("nineties", 90),
];
