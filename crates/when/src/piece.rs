use crate::calendar::Unit;

/// One part of a time, as far as one word says it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Piece {
    /// The year itself.
    Year(i16),
    /// The year after the one that is spoken of: 次年.
    YearNext,
    /// The day after the one that is spoken of: 次日, the next day.
    DayNext,
    /// The day before the one that is spoken of: 前一天, the day before.
    DayPrevious,
    /// So many years from this one.
    YearRel(i32),
    /// A decade or a century: its first year and its length.
    Years(i16, i16),
    Month(u8),
    MonthRel(i32),
    /// Quarter 1 to 4.
    Quarter(u8),
    QuarterRel(i32),
    /// First or second half of a year.
    Half(u8),
    HalfRel(i32),
    /// Spring, summer, autumn, winter: 1 to 4.
    Season(u8),
    SeasonRel(i32),
    /// July and August, or the weeks about the Chinese new year.
    Vacation(bool),
    Holiday(usize),
    /// The words that follow count by the moon.
    LunarMark,
    LunarMonth(u8),
    /// A day that only the moon's calendar calls so (初一, 廿九).
    LunarDay(u8),
    /// The last day of the Chinese year.
    LunarEve,
    WeekRel(i32),
    /// Monday to Friday of a week.
    WorkWeek(i32),
    /// The week of that number in what was named before or after; negative from the end.
    WeekNth(i64),
    Weekend(i32),
    WeekendBare,
    /// The weekend of that number in what was named; -1 is the last.
    WeekendNth(i64),
    /// The half of a week.
    HalfWeek(u8),
    /// Monday is 0.
    Weekday(i8),
    /// The weekday of that number in a month or year; -1 is the last.
    WeekdayNth(i64, i8),
    Day(u8),
    DayRel(i32),
    /// The day of that number in what was named; negative from the end.
    DayNth(i64),
    MonthNth(i64),
    /// The beginning, the middle or the end of what was named.
    Edge(Edge),
    /// The first or last few of something in what was named.
    Few {
        last: bool,
        count: i64,
        unit: Unit,
    },
    Part(Part),
    Clock(Clock),
    /// From one time on the clock to another.
    Hours(Clock, Clock),
    /// A share of the current unit.
    Current(Current, Unit),
    /// From now as far as the amounts named beside it reach.
    Reach,
    /// Something that is counted from the time that is named beside it.
    Counted(Counted),
    /// The last (-1), current (0) or next (1) such time.
    Toward(i32),
    /// So many decades from this one.
    DecadeRel(i32),
    /// The so-manieth such weekday before or after now.
    WeekdayAway(i64, i8),
    /// So many units before or after now; the amounts of several units add up.
    Offset {
        count: i64,
        unit: Unit,
        half: bool,
        later: bool,
    },
    /// The last or the next so many units.
    Span {
        count: i64,
        unit: Unit,
        half: bool,
        coming: bool,
        measure: Measure,
    },
    Now,
    /// The same day or hour in another year, month, week or day: 去年这个时候, this time yesterday.
    SameTime,
    /// Not the time itself but all that lies beyond it: 两天以后, as soon as possible.
    Onward,
    /// So many, or up to that many more: 三四天前, 十几天前.
    OrMore(i64),
    /// The amount was guessed at: a couple of hours.
    Roughly,
}

/// Which share of the current unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Current {
    /// What is left of it.
    Rest,
    /// Its second half, as far as it is not over.
    Later,
    /// What has passed of it.
    SoFar,
}

/// What is counted from another time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    /// So long before or after it. What is counted from lies `ahead` if its words leave that open: two weeks from Friday.
    Away { count: i64, unit: Unit, later: bool, ahead: bool },
    /// So long from there on.
    Lasting { count: i64, unit: Unit },
    /// So long up to its end: the week ending 29 June.
    Ending { count: i64, unit: Unit },
    /// The so-manieth such weekday after it, or before it if negative.
    Weekday(i64, i8),
    /// The so-manieth nearest such day.
    Closest(i64, Near),
    /// The week that holds it.
    Week,
    /// The weekend of the week that holds it (0), the one before it (-1) or after it (1).
    Weekend(i32),
    /// So long up to it, or from its end on: the two weeks before Christmas.
    Beside { count: i64, unit: Unit, later: bool },
}

/// A day that comes again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Near {
    Weekday(i8),
    Holiday(usize),
}

/// How the last or the next so many units are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    /// As units of the calendar, without the current one: the last two weeks.
    Units,
    /// As days, up to today or from tomorrow on: the five past years.
    Days,
    /// From this moment or up to it: 近三个月, within an hour.
    Moment,
}

/// A part of a stretch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edge {
    /// The very beginning: 伊始.
    Outset,
    Begin,
    Mid,
    End,
    /// The three parts of a month.
    Third(u8),
    /// The first two of them (上中旬) or the last two (中下旬).
    TwoThirds(u8),
    /// The first half (early next year) or the second (late last month).
    Half(u8),
}

/// A part of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Dawn,
    EarlyMorning,
    Morning,
    /// A morning that begins at midnight, as English counts it.
    AnyMorning,
    /// The first hours, up to the beginning of work.
    SmallHours,
    Lunch,
    AfterLunch,
    AfterSchool,
    AfterWork,
    AfterDinner,
    /// 早间: when the day's business begins.
    Early,
    Forenoon,
    LateMorning,
    MidMorning,
    MidAfternoon,
    Noon,
    Afternoon,
    EarlyAfternoon,
    LateAfternoon,
    Evening,
    EarlyEvening,
    LateEvening,
    Night,
    /// A night that begins with the evening, as English counts it.
    AnyNight,
    EarlyNight,
    LateNight,
    /// While it is light: 白天.
    Daytime,
    /// From late in the evening until the morning.
    WholeNight,
    /// The hours after midnight of a night that began the day before: 后半夜.
    AfterMidnight,
}

/// A time on the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Clock {
    pub(crate) hour: i8,
    pub(crate) minute: Option<i8>,
    pub(crate) second: Option<i8>,
    /// Morning (`false`) or afternoon (`true`), when that was said.
    pub(crate) pm: Option<bool>,
}
