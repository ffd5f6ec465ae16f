//! What times mean, in both languages.

mod table;

use memoir_when::{Convention, Ends, Grain, Prefer, find};
use table::{NOW, leaves_alone, show};

#[track_caller]
fn check(table: &[(&str, &str)]) {
    table::check(Prefer::Past, table);
}

#[test]
fn days() {
    check(&[
        ("昨天我们聊了什么", "2026-01-06/2026-01-07"),
        ("大前天的事", "2026-01-04/2026-01-05"),
        ("what did I say yesterday?", "2026-01-06/2026-01-07"),
        ("the day before yesterday", "2026-01-05/2026-01-06"),
        ("三天前", "2026-01-04/2026-01-05"),
        ("三个月前的今天", "2025-10-07/2025-10-08"),
        ("3 days ago", "2026-01-04/2026-01-05"),
        ("12月25日", "2025-12-25/2025-12-26"),
        ("December 25", "2025-12-25/2025-12-26"),
        ("the 3rd of January", "2026-01-03/2026-01-04"),
        ("2025-11-09", "2025-11-09/2025-11-10"),
        ("14april 2025", "2025-04-14/2025-04-15"),
        ("11-09-2025", "2025-11-09/2025-11-10"),
        ("5th at 4 a.m.", "2026-01-05T04:00:00/2026-01-05T05:00:00"),
        ("next 6th of april", "2026-04-06/2026-04-07"),
        ("around 1030", "2026-01-07T10:30:00/2026-01-07T10:31:00"),
        ("tomorrow at 3ish", "2026-01-08T03:00:00/2026-01-08T04:00:00"),
        ("Tuesday late afternoon", "2026-01-06T15:00:00/2026-01-06T18:00:00"),
        ("late last night", "2026-01-06T21:00:00/2026-01-07"),
        ("二〇二五年十一月九号", "2025-11-09/2025-11-10"),
    ]);
}

#[test]
fn weeks_and_weekdays() {
    check(&[
        ("上周五", "2026-01-02/2026-01-03"),
        ("last Friday", "2026-01-02/2026-01-03"),
        ("上上周", "2025-12-22/2025-12-29"),
        ("last week", "2025-12-29/2026-01-05"),
        ("周二", "2026-01-06/2026-01-07"),
        ("on Tuesday", "2026-01-06/2026-01-07"),
        ("上个周末", "2026-01-03/2026-01-05"),
        ("下週一", "2026-01-12/2026-01-13"),
        ("last week's Sunday", "2026-01-04/2026-01-05"),
        ("this past weekend", "2026-01-03/2026-01-05"),
        ("over the weekend", "2026-01-03/2026-01-05"),
        ("周末我们去了哪里", "2026-01-03/2026-01-05"),
        ("周一到周三", "2026-01-05/2026-01-08"),
        ("from Monday to Wednesday", "2026-01-05/2026-01-08"),
        ("the weekend before last", "2025-12-27/2025-12-29"),
        ("what I said the weekend before last?", "2025-12-27/2025-12-29"),
        ("the Friday before last", "2025-12-26/2025-12-27"),
        ("Friday before last", "2025-12-26/2025-12-27"),
        ("second Tuesday", "2025-12-09/2025-12-10"),
        ("the first monday evening of last month", "2025-12-01T18:00:00/2025-12-02"),
        ("the last weekend of October", "2025-10-25/2025-10-27"),
        ("monday two weeks from now", "2026-01-19/2026-01-20"),
        ("earlier this week", "2026-01-05/2026-01-07T12:00:00"),
        ("the last 3 business days", "2026-01-02/2026-01-07"),
    ]);
}

#[test]
fn months_and_years() {
    check(&[
        ("上个月", "2025-12-01/2026-01-01"),
        ("last month", "2025-12-01/2026-01-01"),
        ("去年", "2025-01-01/2026-01-01"),
        ("去年三月", "2025-03-01/2025-04-01"),
        ("March 2025", "2025-03-01/2025-04-01"),
        ("去年年底", "2025-11-01/2026-01-01"),
        ("去年下半年", "2025-07-01/2026-01-01"),
        ("九十年代", "1990-01-01/2000-01-01"),
        ("the 1990s", "1990-01-01/2000-01-01"),
        ("2025年第三季度", "2025-07-01/2025-10-01"),
        ("2025Q3", "2025-07-01/2025-10-01"),
        ("2025-h2", "2025-07-01/2026-01-01"),
        ("late last year", "2025-07-01/2026-01-01"),
        ("late March", "2025-03-21/2025-04-01"),
        ("this September", "2026-09-01/2026-10-01"),
    ]);
}

#[test]
fn stretches() {
    check(&[
        ("3号到5号", "2026-01-03/2026-01-06"),
        ("from Monday to Tuesday", "2026-01-05/2026-01-07"),
        ("12月3日至12月5日", "2025-12-03/2025-12-06"),
        ("昨天下午两点到四点", "2026-01-06T14:00:00/2026-01-06T16:00:00"),
        ("yesterday from 2 to 4pm", "2026-01-06T14:00:00/2026-01-06T16:00:00"),
        ("in the last two weeks", "2025-12-22/2026-01-05"),
        ("from the ninth till the seventeenth of april", "2025-04-09/2025-04-18"),
        ("from 4 to 6 this month", "2026-01-04/2026-01-07"),
        ("nov-feb 2025", "2024-11-01/2025-03-01"),
        ("今天上午9:00～11:30", "2026-01-07T09:00:00/2026-01-07T11:31:00"),
        ("within 2 days 1 hour", "2026-01-07T12:00:00/2026-01-09T13:00:00"),
        ("between 7 and 9 last night", "2026-01-06T19:00:00/2026-01-06T21:00:00"),
    ]);
}

#[test]
fn holidays_by_sun_and_moon() {
    check(&[
        ("去年中秋节", "2025-10-06/2025-10-07"),
        ("春节", "2025-01-29/2025-01-30"),
        ("圣诞节", "2025-12-25/2025-12-26"),
        ("Thanksgiving", "2025-11-27/2025-11-28"),
        ("农历八月十五", "2025-10-06/2025-10-07"),
        ("Hanukkah 2018", "2018-12-02/2018-12-11"),
        ("lent 2018", "2018-02-14/2018-04-01"),
        ("tax day", "2025-04-15/2025-04-16"),
    ]);
}

#[test]
fn what_is_no_time_is_left_alone() {
    leaves_alone(&[
        "我有一个朋友",
        "有一点累",
        "三个人",
        "第一次",
        "住在3号线旁边",
        "You may be right",
        "call me at home",
        "one of the best",
        "a second opinion",
        "the first time we met",
        "the 7th grade",
        "add 1/2 cup of flour",
        "react@5 and H1 tags",
        "the day I met her",
        "10-15 people came",
        "the cat sat on the mat",
    ]);
}

#[test]
fn a_past_reading_comes_first_and_the_coming_one_is_kept() {
    let found = find("周五见过他", NOW, Prefer::Past);
    assert_eq!(show(&found[0].reading), "2026-01-02/2026-01-03");
    assert_eq!(show(&found[0].alternatives[0]), "2026-01-09/2026-01-10");
    let found = find("Friday", NOW, Prefer::Future);
    assert_eq!(show(&found[0].reading), "2026-01-09/2026-01-10");
}

#[test]
fn a_stretch_may_end_before_its_last_day() {
    let before = Convention { prefer: Prefer::Past, ends: Ends::Before };
    table::check(
        before,
        &[
            ("3号到5号", "2026-01-03/2026-01-05"),
            ("from Monday to Tuesday", "2026-01-05/2026-01-06"),
            ("from april until the end of june", "2025-04-01/2025-07-01"),
            ("昨天下午两点到四点", "2026-01-06T14:00:00/2026-01-06T16:00:00"),
        ],
    );
}

#[test]
fn every_time_in_a_sentence_is_found_where_it_stands() {
    let text = "昨天说好了下周一见，but last Friday you said 3pm";
    let spans: Vec<&str> =
        find(text, NOW, Prefer::Past).iter().map(|found| &text[found.span.clone()]).collect();
    assert_eq!(spans, ["昨天", "下周一", "last Friday", "3pm"]);
}

#[test]
fn a_day_is_a_whole_day_in_its_zone() {
    // New York, 8 March 2026: the clock jumps; 1 November 2026: it goes back.
    let zone = jiff::tz::TimeZone::get("America/New_York").unwrap();
    for (text, hours) in [("2026-03-08", 23), ("2026-11-01", 25), ("2026-06-01", 24)] {
        let (start, end) = find(text, NOW, Prefer::Past)[0].reading.moments(&zone);
        assert_eq!(start.unwrap().duration_until(end.unwrap()).as_hours(), hours, "{text}");
    }
}

#[test]
fn grains_are_named() {
    for (text, grain) in [
        ("昨天", Grain::Day),
        ("上周", Grain::Week),
        ("上个月", Grain::Month),
        ("去年", Grain::Year),
        ("2025年第一季度", Grain::Quarter),
        ("昨天下午三点", Grain::Hour),
        ("yesterday at 3:15pm", Grain::Minute),
        ("3号到5号", Grain::Range),
    ] {
        assert_eq!(find(text, NOW, Prefer::Past)[0].reading.grain(), grain, "{text}");
    }
}
