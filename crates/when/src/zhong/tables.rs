//! Words that mean one thing, as data.

use crate::calendar::Unit;
use crate::cursor::day_part;
use crate::piece::{Counted, Measure, Part, Piece};

/// The last so many days or months, for words that leave the number open.
const fn about(count: i64, unit: Unit) -> [Piece; 1] {
    [Piece::Span { count, unit, half: false, coming: false, measure: Measure::Moment }]
}

const A_MOMENT_AGO: [Piece; 1] = about(30, Unit::Minute);
const LATELY: [Piece; 1] = about(7, Unit::Day);
const RECENTLY: [Piece; 1] = about(14, Unit::Day);
const OF_LATE: [Piece; 1] = about(1, Unit::Month);
const A_WHILE_AGO: [Piece; 1] = about(2, Unit::Month);
/// Two days, from so many days from now on.
const fn two_days(by: i32) -> [Piece; 2] {
    [Piece::DayRel(by), Piece::Counted(Counted::Lasting { count: 2, unit: Unit::Day })]
}

const YESTERDAY_AND_BEFORE: [Piece; 2] = two_days(-2);
const YESTERDAY_AND_TODAY: [Piece; 2] = two_days(-1);
const TODAY_AND_TOMORROW: [Piece; 2] = two_days(0);
const TOMORROW_AND_AFTER: [Piece; 2] = two_days(1);
const YESTERDAY_EVENING: [Piece; 2] = day_part(-1, Part::Evening);
const THIS_EVENING: [Piece; 2] = day_part(0, Part::Evening);
const TOMORROW_EVENING: [Piece; 2] = day_part(1, Part::Evening);
const BEFORE_EVENING: [Piece; 2] = day_part(-2, Part::Evening);
const AFTER_EVENING: [Piece; 2] = day_part(2, Part::Evening);
const YESTERDAY_MORNING: [Piece; 2] = day_part(-1, Part::Morning);
const THIS_MORNING: [Piece; 2] = day_part(0, Part::Morning);
const TOMORROW_MORNING: [Piece; 2] = day_part(1, Part::Morning);

#[rustfmt::skip]
pub(super) const FIXED: &[(&str, &[Piece])] = &[
    ("现在", &[Piece::Now]), ("此时", &[Piece::Now]), ("此刻", &[Piece::Now]), ("此时此刻", &[Piece::Now]), ("当前", &[Piece::Now]),
    ("目前", &[Piece::Now]), ("而家", &[Piece::Now]), ("宜家", &[Piece::Now]), ("家下", &[Piece::Now]), ("马上", &[Piece::Now]),
    ("立刻", &[Piece::Now]), ("立即", &[Piece::Now]), ("这会儿", &[Piece::Now]), ("刚刚", &A_MOMENT_AGO), ("刚才", &A_MOMENT_AGO), ("方才", &A_MOMENT_AGO),
    ("今天", &[Piece::DayRel(0)]), ("今日", &[Piece::DayRel(0)]), ("今儿", &[Piece::DayRel(0)]), ("今个", &[Piece::DayRel(0)]), ("今个儿", &[Piece::DayRel(0)]), ("即日", &[Piece::DayRel(0)]), ("本日", &[Piece::DayRel(0)]),
    ("当天", &[Piece::DayRel(0)]), ("当日", &[Piece::DayRel(0)]), ("全天", &[Piece::DayRel(0)]),
    ("明天", &[Piece::DayRel(1)]), ("明日", &[Piece::DayRel(1)]), ("明儿", &[Piece::DayRel(1)]), ("明个", &[Piece::DayRel(1)]), ("明个儿", &[Piece::DayRel(1)]), ("听日", &[Piece::DayRel(1)]), ("次日", &[Piece::DayNext]),
    ("再前一天", &[Piece::DayPrevious]), ("前一日", &[Piece::DayPrevious]), ("翌日", &[Piece::DayNext]), ("隔天", &[Piece::DayNext]), ("第二天", &[Piece::DayNext]),
    ("后天", &[Piece::DayRel(2)]), ("后日", &[Piece::DayRel(2)]), ("后儿", &[Piece::DayRel(2)]), ("大后儿", &[Piece::DayRel(3)]), ("大后天", &[Piece::DayRel(3)]), ("大后日", &[Piece::DayRel(3)]),
    ("昨天", &[Piece::DayRel(-1)]), ("昨日", &[Piece::DayRel(-1)]), ("昨儿", &[Piece::DayRel(-1)]), ("昨个", &[Piece::DayRel(-1)]), ("昨个儿", &[Piece::DayRel(-1)]), ("琴日", &[Piece::DayRel(-1)]), ("寻日", &[Piece::DayRel(-1)]), ("尋日", &[Piece::DayRel(-1)]),
    ("前天", &[Piece::DayRel(-2)]), ("前日", &[Piece::DayRel(-2)]), ("前儿", &[Piece::DayRel(-2)]), ("大前儿", &[Piece::DayRel(-3)]), ("大前天", &[Piece::DayRel(-3)]), ("大前日", &[Piece::DayRel(-3)]),
    ("今明", &TODAY_AND_TOMORROW), ("今明两天", &TODAY_AND_TOMORROW), ("明后天", &TOMORROW_AND_AFTER), ("明后两天", &TOMORROW_AND_AFTER), ("昨今", &YESTERDAY_AND_TODAY), ("昨今两天", &YESTERDAY_AND_TODAY), ("昨前天", &YESTERDAY_AND_BEFORE), ("昨前两天", &YESTERDAY_AND_BEFORE),
    ("今晚", &THIS_EVENING), ("今夜", &THIS_EVENING), ("今儿晚上", &THIS_EVENING), ("昨晚", &YESTERDAY_EVENING), ("昨夜", &YESTERDAY_EVENING),
    ("明晚", &TOMORROW_EVENING), ("明夜", &TOMORROW_EVENING), ("前晚", &BEFORE_EVENING), ("后晚", &AFTER_EVENING), ("当晚", &THIS_EVENING),
    ("今早", &THIS_MORNING), ("今晨", &THIS_MORNING), ("今儿早上", &THIS_MORNING), ("明早", &TOMORROW_MORNING), ("明晨", &TOMORROW_MORNING), ("昨早", &YESTERDAY_MORNING), ("昨晨", &YESTERDAY_MORNING),
    ("今年", &[Piece::YearRel(0)]), ("本年", &[Piece::YearRel(0)]), ("当年", &[Piece::YearRel(0)]), ("今年度", &[Piece::YearRel(0)]),
    ("去年", &[Piece::YearRel(-1)]), ("旧年", &[Piece::YearRel(-1)]), ("前年", &[Piece::YearRel(-2)]), ("大前年", &[Piece::YearRel(-3)]),
    ("明年", &[Piece::YearRel(1)]), ("来年", &[Piece::YearRel(1)]), ("后年", &[Piece::YearRel(2)]), ("大后年", &[Piece::YearRel(3)]), ("次年", &[Piece::YearNext]), ("翌年", &[Piece::YearNext]),
    ("最近", &RECENTLY), ("前些天", &LATELY), ("前些日子", &LATELY), ("近来", &OF_LATE), ("近期", &OF_LATE), ("这阵子", &OF_LATE), ("这段时间", &OF_LATE), ("最近这段时间", &OF_LATE), ("最近一段时间", &OF_LATE),
    ("前阵子", &A_WHILE_AGO), ("前一阵子", &A_WHILE_AGO), ("前一阵", &A_WHILE_AGO), ("前段时间", &A_WHILE_AGO), ("前一段时间", &A_WHILE_AGO), ("前段日子", &A_WHILE_AGO),
    ("今个星期", &[Piece::WeekRel(0)]), ("今个礼拜", &[Piece::WeekRel(0)]),
    ("上半年", &[Piece::Half(1)]), ("下半年", &[Piece::Half(2)]), ("前半年", &[Piece::Half(1)]), ("后半年", &[Piece::Half(2)]),
    ("春天", &[Piece::Season(1)]), ("春季", &[Piece::Season(1)]), ("夏天", &[Piece::Season(2)]), ("夏季", &[Piece::Season(2)]),
    ("秋天", &[Piece::Season(3)]), ("秋季", &[Piece::Season(3)]), ("冬天", &[Piece::Season(4)]), ("冬季", &[Piece::Season(4)]),
    ("开春", &[Piece::Season(1)]), ("入春", &[Piece::Season(1)]), ("入夏", &[Piece::Season(2)]), ("入秋", &[Piece::Season(3)]), ("入冬", &[Piece::Season(4)]),
    ("暑假", &[Piece::Vacation(true)]), ("寒假", &[Piece::Vacation(false)]),
    ("农历", &[Piece::LunarMark]), ("阴历", &[Piece::LunarMark]), ("旧历", &[Piece::LunarMark]),
    ("大年三十", &[Piece::LunarEve]), ("年三十", &[Piece::LunarEve]),
];

#[rustfmt::skip]
pub(super) const PARTS: &[(&str, Part)] = &[
    ("黎明", Part::Dawn), ("拂晓", Part::Dawn), ("凌晨", Part::EarlyMorning), ("清晨", Part::Morning), ("清早", Part::Morning), ("大清早", Part::Morning), ("一大早", Part::Morning), ("一早", Part::Morning), ("白天", Part::Daytime), ("那晚", Part::Evening), ("傍黑", Part::Evening), ("傍黑儿", Part::Evening), ("擦黑", Part::Evening), ("擦黑儿", Part::Evening),
    ("早上", Part::Morning), ("早晨", Part::Morning), ("早间", Part::Early), ("晨早", Part::Morning), ("早", Part::Early), ("朝早", Part::Morning),
    ("上午", Part::Forenoon), ("上昼", Part::Forenoon), ("中午", Part::Noon), ("正午", Part::Noon), ("晌午", Part::Noon), ("午间", Part::Noon), ("午饭时", Part::Noon), ("午饭的时候", Part::Noon), ("吃午饭", Part::Noon), ("午饭前", Part::LateMorning), ("早饭前", Part::Dawn), ("早饭时", Part::Early), ("早饭后", Part::Early), ("早饭的时候", Part::Early), ("晚饭前", Part::LateAfternoon), ("晚饭时", Part::EarlyEvening), ("晚饭的时候", Part::EarlyEvening), ("前半夜", Part::Night), ("上半夜", Part::Night), ("后半夜", Part::AfterMidnight), ("下半夜", Part::AfterMidnight), ("午饭后", Part::AfterLunch), ("下班后", Part::AfterWork), ("放学后", Part::AfterSchool), ("晚饭后", Part::AfterDinner),
    ("下午", Part::Afternoon), ("午后", Part::Afternoon), ("晏昼", Part::Afternoon), ("下昼", Part::Afternoon),
    ("傍晚", Part::Evening), ("黄昏", Part::Evening), ("晚上", Part::Evening), ("晚间", Part::Evening), ("夜晚", Part::Evening), ("夜里", Part::Night), ("夜间", Part::Night), ("晚", Part::Evening), ("夜", Part::Evening),
    ("夜晚黑", Part::Evening), ("半夜", Part::LateNight), ("深夜", Part::LateNight), ("午夜", Part::LateNight), ("大半夜", Part::LateNight), ("三更半夜", Part::LateNight),
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
    /// Since, before the time.
    Ever,
    Close,
}

#[rustfmt::skip]
pub(super) const CONNECTORS: &[(&str, Connector)] = &[
    ("的", Connector::Glue), ("那天", Connector::Glue), ("儿", Connector::Glue), (",", Connector::Glue), ("、", Connector::Glue), ("在", Connector::Glue), ("是", Connector::Glue), ("大约", Connector::Glue), ("大概", Connector::Glue), ("左右", Connector::Glue), ("前后", Connector::Glue),
    ("到", Connector::To), ("至", Connector::To), ("-", Connector::To), ("--", Connector::To), ("直到", Connector::To), ("一直到", Connector::To), ("截至", Connector::To), ("截至到", Connector::To), ("截止", Connector::To), ("截止到", Connector::To), ("截止至", Connector::To), ("起至", Connector::To), ("和", Connector::To), ("与", Connector::To), ("跟", Connector::To), ("以及", Connector::To),
    ("从", Connector::From), ("自从", Connector::Ever), ("自打", Connector::Ever), ("打从", Connector::Ever), ("自", Connector::From), ("由", Connector::From),
    ("之前", Connector::Before), ("以前", Connector::Before), ("前", Connector::Before),
    ("之后", Connector::After), ("以后", Connector::After), ("过后", Connector::After), ("后", Connector::After),
    ("起", Connector::Since), ("以来", Connector::Since), ("开始", Connector::Since), ("至今", Connector::Since),
    ("之间", Connector::Close), ("间", Connector::Close), ("止", Connector::Close), ("期间", Connector::Close),
];
