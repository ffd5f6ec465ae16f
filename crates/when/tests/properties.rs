//! What holds for every text and every moment.

use jiff::ToSpan;
use jiff::civil::{Date, DateTime};
use memoir_when::{Prefer, find};
use proptest::prelude::*;

/// Words of time and what stands between them, in both languages.
const WORDS: &[&str] = &[
    "昨天",
    "上周",
    "五",
    "三",
    "十",
    "月",
    "年",
    "号",
    "日",
    "点",
    "半",
    "前",
    "后",
    "之前",
    "到",
    "至",
    "第",
    "个",
    "最后",
    "周末",
    "初",
    "底",
    "农历",
    "腊月",
    "廿",
    "2015",
    "12",
    "31",
    "-",
    ":",
    "/",
    "30",
    "last",
    "next",
    "week",
    "friday",
    "march",
    "3rd",
    "of",
    "the",
    "ago",
    "in",
    "two",
    "days",
    "from",
    "to",
    "at",
    "pm",
    "noon",
    "morning",
    "q1",
    "end of",
    "since",
    "before",
    "christmas",
    "中秋",
    " ",
    "，",
    "的",
    "9999",
    "0",
    "二月二十九",
    "feb 29",
    "century",
    "世纪",
    "年代",
    "每",
    "(",
    ")",
    "两个",
    "小时",
    "以前",
    "以后",
    "再过",
    "前夜",
    "期间",
    "伊始",
    "八月十五",
    "half",
    "closest",
    "after",
    "weekend",
    "years",
    "diwali",
    "eid",
    "until",
    "onwards",
    "later this",
    "past",
    "seven",
    "@",
    "7h30",
    "4.5/5",
    "19th",
    "三四",
    "差",
    "次日",
    "今天",
];

fn moment() -> impl Strategy<Value = DateTime> {
    (1i16..9990, 1i8..=12, 1i8..=28, 0i8..24, 0i8..60).prop_map(|(year, month, day, hour, minute)| {
        Date::new(year, month, day).unwrap_or(Date::ZERO).at(hour, minute, 0, 0)
    })
}

fn prefer() -> impl Strategy<Value = Prefer> {
    prop_oneof![Just(Prefer::Past), Just(Prefer::Future)]
}

fn check(text: &str, now: DateTime, prefer: Prefer) -> Result<(), TestCaseError> {
    let mut last = 0;
    for found in find(text, now, prefer) {
        prop_assert!(
            found.span.start >= last && found.span.end > found.span.start,
            "{:?} in {:?}",
            found.span,
            text
        );
        prop_assert!(text.is_char_boundary(found.span.start) && text.is_char_boundary(found.span.end));
        last = found.span.end;
        for reading in std::iter::once(&found.reading).chain(&found.alternatives) {
            if let (Some(start), Some(end)) = (reading.start, reading.end) {
                prop_assert!(start < end, "{} to {} for {:?}", start, end, text);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn words_of_time_in_any_order_never_panic_and_never_run_backwards(
        words in prop::collection::vec(0..WORDS.len(), 1..14), now in moment(), prefer in prefer(),
    ) {
        let text: String = words.iter().map(|word| WORDS[*word]).collect();
        check(&text, now, prefer)?;
        let spaced: Vec<&str> = words.iter().map(|word| WORDS[*word]).collect();
        check(&spaced.join(" "), now, prefer)?;
    }

    #[test]
    fn no_text_panics(text in ".{0,60}", now in moment(), prefer in prefer()) {
        check(&text, now, prefer)?;
    }

    #[test]
    fn a_clock_that_is_whole_weeks_ahead_moves_relative_days_by_as_much(
        word in prop::sample::select(vec!["昨天", "前天", "上周五", "下周一", "三天前", "上上周", "yesterday", "last friday", "3 days ago", "this week", "周二", "tuesday", "昨天下午三点", "上个周末", "三四天前", "五天之前", "过三天", "上周今天", "3 past weeks", "this past tuesday", "last working week", "three nights ago", "the day before last friday", "later this week", "the next day"]),
        weeks in 1i64..200, prefer in prefer(),
    ) {
        let now = Date::constant(2024, 2, 28).at(10, 30, 0, 0);
        let later = now.checked_add(weeks.weeks()).unwrap_or(now);
        let (first, second) = (find(word, now, prefer), find(word, later, prefer));
        prop_assert_eq!(first.len(), 1);
        let moved = first[0].reading.start.and_then(|start| start.checked_add(weeks.weeks()).ok());
        prop_assert_eq!(moved, second[0].reading.start);
    }
}

#[test]
fn a_long_text_costs_no_more_than_its_length() {
    // No clock is read: what is found grows with the text, and the limit holds.
    let text = "昨天2015年3月4日下午三点到五点last friday at 3pm".repeat(400);
    let found = find(&text, Date::constant(2026, 1, 7).at(12, 0, 0, 0), Prefer::Past);
    assert_eq!(found.len(), 256);
    for part in [
        " ",
        "(",
        "( ",
        "monday (",
        "monday - ",
        "in july from ",
        "last 3 months and ",
        "第",
        "1 - ",
        "the 5th ",
    ] {
        let text = part.repeat(20_000 / part.len());
        assert!(find(&text, Date::constant(2026, 1, 7).at(12, 0, 0, 0), Prefer::Past).len() <= 256);
    }
    let digits = "1".repeat(60_000);
    assert!(find(&digits, Date::constant(2026, 1, 7).at(12, 0, 0, 0), Prefer::Past).is_empty());
}
