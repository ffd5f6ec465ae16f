use crate::calendar::Unit;
use crate::holiday;
use crate::piece::{Clock, Counted, Current, Edge, Measure, Part, Piece};

/// The year that is meant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Year {
    /// The one after the one that is spoken of.
    Next,
    Is(i16),
    Rel(i32),
    Many(i16, i16),
    DecadeRel(i32),
}

/// A part of a year.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Within {
    Month(u8),
    MonthRel(i32),
    MonthNth(i64),
    Quarter(u8),
    QuarterRel(i32),
    Half(u8),
    HalfRel(i32),
    Season(u8),
    SeasonRel(i32),
    Vacation(bool),
    Holiday(usize),
    LunarEve,
}

/// A week or a part of one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Week {
    Rel(i32),
    Work(i32),
    Nth(i64),
    Weekend(i32),
    WeekendBare,
    WeekendNth(i64),
    Half(u8),
}

/// A day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Day {
    /// The one after the one that is spoken of, and the one before it.
    Next,
    Previous,
    Of(u8),
    Rel(i32),
    Nth(i64),
    WeekdayNth(i64, i8),
    /// Counted from today; negative before it.
    WeekdayAway(i64, i8),
}

/// The last or the next so many units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Span {
    pub(crate) count: i64,
    pub(crate) unit: Unit,
    pub(crate) half: bool,
    pub(crate) coming: bool,
    pub(crate) measure: Measure,
}

/// The pieces of one time put together, in whatever order they were said.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Frame {
    pub(crate) year: Option<Year>,
    pub(crate) within: Option<Within>,
    pub(crate) lunar: bool,
    pub(crate) week: Option<Week>,
    pub(crate) day: Option<Day>,
    pub(crate) weekday: Option<i8>,
    pub(crate) edge: Option<Edge>,
    pub(crate) few: Option<(bool, i64, Unit)>,
    pub(crate) part: Option<Part>,
    pub(crate) clock: Option<Clock>,
    pub(crate) until: Option<Clock>,
    pub(crate) current: Option<(Current, Unit)>,
    pub(crate) reach: bool,
    /// The very day that lies so far away and not its month or year, or its very month: ten years ago this month.
    pub(crate) to_the: Option<Unit>,
    pub(crate) counted: Option<Counted>,
    pub(crate) toward: Option<i32>,
    /// Amounts before (negative) or after now.
    pub(crate) offsets: Vec<(i64, Unit, bool)>,
    pub(crate) later: bool,
    pub(crate) span: Option<Span>,
    pub(crate) now: bool,
    pub(crate) same_time: bool,
    pub(crate) onward: bool,
    pub(crate) roughly: bool,
    /// By how many the amount may be larger.
    pub(crate) or_more: i64,
    /// The words were English, whose bare days look ahead or back; Chinese ones stay in the current year and month.
    pub(crate) english: bool,
}

impl Frame {
    /// Takes in a piece; false when it says something else than what is there.
    pub(crate) fn put(&mut self, piece: Piece) -> bool {
        fn set<T: PartialEq>(place: &mut Option<T>, value: T) -> bool {
            match place {
                Some(there) => *there == value,
                None => {
                    *place = Some(value);
                    true
                }
            }
        }
        if let Some(by) = self.years_away(piece) {
            self.offsets.clear();
            self.onward = false;
            return set(&mut self.year, Year::Rel(by))
                && (matches!(piece, Piece::Offset { .. }) || self.put(piece));
        }
        if (!self.offsets.is_empty() || self.span.is_some() || self.now)
            && !matches!(
                piece,
                Piece::Clock(_)
                    | Piece::Hours(..)
                    | Piece::Part(_)
                    | Piece::Offset { .. }
                    | Piece::Reach
                    | Piece::Weekday(_)
                    | Piece::DayRel(-1..=1)
                    | Piece::WeekRel(0)
                    | Piece::MonthRel(0)
                    | Piece::Onward
                    | Piece::Roughly
                    | Piece::OrMore(_)
            )
        {
            return false;
        }
        match piece {
            // A week ago yesterday, 三个月前的今天.
            Piece::DayRel(by) if !self.offsets.is_empty() => {
                let days = i64::from(if self.later { by } else { -by });
                self.offsets.extend((days != 0).then_some((days, Unit::Day, false)));
                set(&mut self.to_the, Unit::Day)
            }
            Piece::WeekRel(0) if !self.offsets.is_empty() => set(&mut self.to_the, Unit::Week),
            Piece::MonthRel(0) if !self.offsets.is_empty() => set(&mut self.to_the, Unit::Month),
            Piece::Year(year) => set(&mut self.year, Year::Is(year)),
            Piece::YearNext => set(&mut self.year, Year::Next),
            Piece::DayNext => set(&mut self.day, Day::Next),
            Piece::DayPrevious => set(&mut self.day, Day::Previous),
            Piece::YearRel(by) => set(&mut self.year, Year::Rel(by)),
            // 19世纪60年代.
            Piece::Years(first, 10) if matches!(self.year, Some(Year::Many(century, 100)) if (0..100).contains(&(first - century))) =>
            {
                self.year = Some(Year::Many(first, 10));
                true
            }
            Piece::Years(first, count) => set(&mut self.year, Year::Many(first, count)),
            Piece::Month(month) => set(&mut self.within, Within::Month(month)),
            Piece::MonthRel(by) => set(&mut self.within, Within::MonthRel(by)),
            Piece::MonthNth(number) => set(&mut self.within, Within::MonthNth(number)),
            Piece::Quarter(quarter) => set(&mut self.within, Within::Quarter(quarter)),
            Piece::QuarterRel(by) => set(&mut self.within, Within::QuarterRel(by)),
            Piece::Half(half) => set(&mut self.within, Within::Half(half)),
            Piece::HalfRel(by) => set(&mut self.within, Within::HalfRel(by)),
            Piece::Season(season) => set(&mut self.within, Within::Season(season)),
            Piece::SeasonRel(by) => set(&mut self.within, Within::SeasonRel(by)),
            Piece::Vacation(summer) => set(&mut self.within, Within::Vacation(summer)),
            Piece::Holiday(holiday) => set(&mut self.within, Within::Holiday(holiday)),
            Piece::LunarEve => set(&mut self.within, Within::LunarEve),
            // 2023年10月1日（农历八月十七） has said its day already.
            Piece::LunarMark => {
                let fits = self.lunar || self.day.is_none();
                self.lunar |= fits;
                fits
            }
            Piece::LunarMonth(month) => {
                self.lunar = true;
                set(&mut self.within, Within::Month(month))
            }
            Piece::LunarDay(day) => {
                self.lunar = true;
                set(&mut self.day, Day::Of(day))
            }
            Piece::WeekRel(by) => set(&mut self.week, Week::Rel(by)),
            Piece::WorkWeek(by) => set(&mut self.week, Week::Work(by)),
            Piece::WeekNth(number) => set(&mut self.week, Week::Nth(number)),
            Piece::Weekend(by) => set(&mut self.week, Week::Weekend(by)),
            Piece::WeekendBare => set(&mut self.week, Week::WeekendBare),
            Piece::WeekendNth(number) => set(&mut self.week, Week::WeekendNth(number)),
            Piece::HalfWeek(half) => set(&mut self.week, Week::Half(half)),
            Piece::Weekday(weekday) => set(&mut self.weekday, weekday),
            Piece::WeekdayNth(number, weekday) => set(&mut self.day, Day::WeekdayNth(number, weekday)),
            Piece::Day(day) => set(&mut self.day, Day::Of(day)),
            Piece::DayRel(by) => set(&mut self.day, Day::Rel(by)),
            Piece::DayNth(number) => set(&mut self.day, Day::Nth(number)),
            Piece::Edge(edge) => set(&mut self.edge, edge),
            Piece::Few { last, count, unit } => set(&mut self.few, (last, count, unit)),
            Piece::Part(part) => match (self.part, part) {
                (Some(there), part) => there == part,
                (None, part) => set(&mut self.part, part),
            },
            Piece::Clock(clock) => self.until.is_none() && set(&mut self.clock, clock),
            Piece::Hours(from, until) => {
                self.clock.is_none() && set(&mut self.clock, from) && set(&mut self.until, until)
            }
            Piece::Current(share, unit) => self.is_empty() && set(&mut self.current, (share, unit)),
            Piece::Reach => {
                self.reach = true;
                !self.offsets.is_empty()
            }
            // June 14, 11 days before the exam is June 14.
            Piece::Counted(Counted::Away { .. } | Counted::Beside { .. })
                if self.day.is_some()
                    || self.clock.is_some()
                    || matches!(self.within, Some(Within::Month(_))) =>
            {
                false
            }
            Piece::Counted(counted) => set(&mut self.counted, counted),
            Piece::Toward(by) => set(&mut self.toward, by),
            Piece::DecadeRel(by) => set(&mut self.year, Year::DecadeRel(by)),
            Piece::WeekdayAway(number, weekday) => set(&mut self.day, Day::WeekdayAway(number, weekday)),
            Piece::Offset { count, unit, half, later } => {
                if self.span.is_some() || self.now || (!self.offsets.is_empty() && self.later != later) {
                    return false;
                }
                self.later = later;
                self.offsets.push((count, unit, half));
                true
            }
            Piece::Span { count, unit, half, coming, measure } => {
                self.is_empty() && set(&mut self.span, Span { count, unit, half, coming, measure })
            }
            Piece::Onward => {
                self.onward = true;
                !self.offsets.is_empty() || self.now
            }
            Piece::OrMore(more) => {
                self.or_more = more;
                self.offsets.len() == 1
            }
            Piece::Roughly => {
                self.roughly = true;
                !self.offsets.is_empty()
            }
            Piece::SameTime => {
                let fits = self.is_dated() || self.year.is_some() || self.is_empty();
                self.same_time = true;
                fits
            }
            Piece::Now => {
                let fits = self.is_empty();
                self.now = true;
                fits
            }
        }
    }

    /// How many years away a month or a holiday is, if years are counted beside it: 三年前的春节, March two years ago.
    fn years_away(&self, piece: Piece) -> Option<i32> {
        let yearly = |within: Option<Within>| {
            matches!(
                within,
                Some(
                    Within::Month(_)
                        | Within::Season(_)
                        | Within::Vacation(_)
                        | Within::Holiday(_)
                        | Within::LunarEve
                )
            )
        };
        let (count, later) = match piece {
            Piece::Offset { count, unit: Unit::Year, half: false, later }
                if self.year.is_none() && self.offsets.is_empty() && yearly(self.within) =>
            {
                (count, later)
            }
            Piece::Month(_) | Piece::Season(_) | Piece::Vacation(_) | Piece::Holiday(_) | Piece::LunarEve => {
                match self.offsets.as_slice() {
                    [(count, Unit::Year, false)] if !self.reach => (*count, self.later),
                    _ => return None,
                }
            }
            _ => return None,
        };
        i32::try_from(if later { count } else { -count }).ok()
    }

    /// Whether it says where in a year it lies: a month, a week, a day.
    pub(crate) fn is_dated(&self) -> bool {
        self.day.is_some() || self.weekday.is_some() || self.within.is_some() || self.week.is_some()
    }

    /// Whether it is the Chinese new year or the day before it.
    pub(crate) fn is_new_year(&self) -> bool {
        matches!(self.within, Some(Within::LunarEve))
            || matches!(self.within, Some(Within::Holiday(number)) if holiday::is_new_year(number))
    }

    /// Whether it says a weekday and nothing else.
    pub(crate) fn is_only_weekday(&self, weekday: i8) -> bool {
        *self == Frame { weekday: Some(weekday), english: self.english, ..Frame::default() }
    }

    fn is_empty(&self) -> bool {
        *self == Frame { english: self.english, ..Frame::default() }
    }

    /// Whether it says anything that can be found in a calendar.
    pub(crate) fn says_something(&self) -> bool {
        let anchor = Frame { lunar: false, counted: None, ..self.clone() };
        !anchor.is_empty()
    }

    /// Takes from another what it does not say itself: 下午 in 下午1点到3点, July in 13th to 15th July.
    pub(crate) fn inherit(&mut self, other: &Frame) {
        if !self.offsets.is_empty() || self.span.is_some() || self.now {
            return;
        }
        let coarse = self.year.is_some()
            || self.within.is_some()
            || self.week.is_some()
            || self.day.is_some()
            || self.weekday.is_some();
        if !coarse {
            (self.year, self.within, self.week, self.day, self.weekday, self.lunar) =
                (other.year, other.within, other.week, other.day, other.weekday, other.lunar);
            (self.offsets, self.later) = (other.offsets.clone(), other.later);
        } else if self.year.is_none()
            && self.within.is_none()
            && self.week.is_none()
            && matches!(self.day, Some(Day::Of(_)))
        {
            (self.year, self.within, self.lunar) = (other.year, other.within, other.lunar);
        } else if self.year.is_none()
            && self.toward.is_none()
            && matches!(
                self.within,
                Some(
                    Within::Month(_)
                        | Within::Quarter(_)
                        | Within::Half(_)
                        | Within::Season(_)
                        | Within::Holiday(_)
                )
            )
        {
            self.year = other.year;
        } else if self.weekday.is_some()
            && self.week.is_none()
            && self.within.is_none()
            && self.year.is_none()
            && self.day.is_none()
        {
            self.week = other.week;
        }
        if self.clock.is_some() && self.part.is_none() && !coarse {
            self.part = other.part;
        }
    }
}
