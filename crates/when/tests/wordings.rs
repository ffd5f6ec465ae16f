//! Wordings of one time: the same thing said in many ways.

mod table;

use memoir_when::{Prefer, find};
use table::{NOW, check, show};

#[test]
fn each_beginning_has_its_own_end() {
    check(
        Prefer::Past,
        &[
            ("from the 28th to the 3rd", "2025-12-28/2026-01-04"),
            ("28号到3号", "2025-12-28/2026-01-04"),
            ("12月到2月", "2025-12-01/2026-03-01"),
            ("from Friday to Monday", "2026-01-02/2026-01-06"),
        ],
    );
    check(
        Prefer::Future,
        &[
            ("March 3 to 5", "2026-03-03/2026-03-06"),
            ("from 3rd to the 5th of March", "2026-03-03/2026-03-06"),
            ("between June and August", "2026-06-01/2026-09-01"),
        ],
    );
    let found = find("from the 3rd to the 7th", NOW, Prefer::Past);
    assert_eq!(show(&found[0].alternatives[0]), "2026-02-03/2026-02-08");
}

#[test]
fn stretches_with_shared_parts() {
    check(
        Prefer::Past,
        &[
            ("in July from the 3rd to the 7th", "2025-07-03/2025-07-08"),
            ("this month between 4 and 6", "2026-01-04/2026-01-07"),
            ("3 to 5 in last month", "2025-12-03/2025-12-06"),
            ("from two to four tomorrow", "2026-01-08T02:00:00/2026-01-08T04:00:00"),
            ("between nine and ten thirty on Monday", "2026-01-05T09:00:00/2026-01-05T10:30:00"),
            ("from 2 to 4 of March 9", "2025-03-09T02:00:00/2025-03-09T04:00:00"),
            ("03-04-2025 5:00pm until 03-06-2025 6pm", "2025-03-04T17:00:00/2025-03-06T18:00:00"),
            ("from now until 20 minutes later", "2026-01-07T12:00:00/2026-01-07T12:20:00"),
            ("昨天中午到今天晚上", "2026-01-06T12:00:00/2026-01-08"),
            ("2020年之后2024年之前", "2020-01-01/2024-01-01"),
        ],
    );
}

#[test]
fn a_dash_or_a_bracket_that_only_joins() {
    check(
        Prefer::Past,
        &[
            ("Monday - 3pm", "2026-01-05T15:00:00/2026-01-05T16:00:00"),
            ("March 5 - 10:30am", "2025-03-05T10:30:00/2025-03-05T10:31:00"),
            ("last Friday (March 7) we met", "2025-03-07/2025-03-08"),
            ("Friday-Jan-2", "2026-01-02/2026-01-03"),
            ("10 - 2025", "2025-10-01/2025-11-01"),
            ("12 / 3", "2025-12-03/2025-12-04"),
        ],
    );
    let text = "we met last Friday (March 7) in town";
    assert_eq!(&text[find(text, NOW, Prefer::Past)[0].span.clone()], "last Friday (March 7)");
}

#[test]
fn amounts() {
    check(
        Prefer::Past,
        &[
            ("the last 2 weeks and 3 days", "2025-12-21/2026-01-07"),
            ("3 past weeks", "2025-12-17/2026-01-07"),
            ("4 coming months", "2026-01-08/2026-05-08"),
            ("a couple of hours ago", "2026-01-07T10:00:00/2026-01-07T10:01:00"),
            ("3 hours ago", "2026-01-07T09:00:00/2026-01-07T09:00:01"),
            ("three years since 2012", "2015-01-01/2015-01-02"),
            ("for 2 weeks, starting March 3", "2025-03-03/2025-03-17"),
            ("March 5 for 3 hours from 2pm", "2025-03-05T14:00:00/2025-03-05T17:00:00"),
            ("2.5 hours ago", "2026-01-07T09:30:00/2026-01-07T09:30:01"),
            ("in 3/4 of an hour", "2026-01-07T12:45:00/2026-01-07T12:45:01"),
            ("within the last 5 hours", "2026-01-07T07:00:00/2026-01-07T12:00:00"),
            ("3 Fridays later", "2026-01-23/2026-01-24"),
            ("the month starting March 4", "2025-03-04/2025-04-04"),
            ("1.5个月前", "2025-11-22/2025-11-23"),
            ("两刻钟后", "2026-01-07T12:30:00/2026-01-07T12:45:00"),
            ("三个钟前", "2026-01-07T09:00:00/2026-01-07T09:00:01"),
            ("后两年", "2026-01-08/2028-01-08"),
        ],
    );
}

#[test]
fn what_lies_beyond() {
    check(
        Prefer::Past,
        &[
            ("as soon as possible", "2026-01-07T12:00:00/…"),
            ("before 2030", "…/2030-01-01"),
            ("before last Friday", "…/2026-01-02"),
            ("五天以后", "2026-01-12/…"),
            ("五天后", "2026-01-12/2026-01-13"),
            ("再过一个小时", "2026-01-07T13:00:00/…"),
            ("过三天", "2026-01-10/…"),
            // Who looks back means the day.
            ("五天之前", "2026-01-02/2026-01-03"),
        ],
    );
    check(Prefer::Future, &[("五天之前", "…/2026-01-03"), ("五天前", "2026-01-02/2026-01-03")]);
}

#[test]
fn parts_of_units_and_days() {
    check(
        Prefer::Past,
        &[
            ("mid 2024", "2024-05-01/2024-09-01"),
            ("二〇二五年伊始", "2025-01-01/2025-02-01"),
            ("the end of Sunday", "2026-01-04T23:59:59/2026-01-05"),
            ("early on Monday", "2026-01-05/2026-01-05T12:00:00"),
            ("late Tuesday", "2026-01-06T12:00:00/2026-01-07"),
            ("at the end of about last week", "2026-01-02/2026-01-05"),
            ("later this quarter", "2026-02-15/2026-04-01"),
            ("later in the week", "2026-01-08/2026-01-12"),
            ("last working week", "2025-12-29/2026-01-03"),
            ("Tuesday after work", "2026-01-06T17:00:00/2026-01-06T21:00:00"),
            ("we talked after lunch.", "2026-01-07T13:00:00/2026-01-07T17:00:00"),
            ("Feb 5 PM", "2025-02-05T12:00:00/2025-02-05T18:00:00"),
            ("how was the week?", "2026-01-05/2026-01-12"),
        ],
    );
}

#[test]
fn days_by_other_days() {
    check(
        Prefer::Past,
        &[
            ("the Monday after Christmas", "2025-12-29/2025-12-30"),
            ("the first Friday before Easter 2025", "2025-04-18/2025-04-19"),
            ("second Sunday after May 3rd", "2025-05-11/2025-05-12"),
            ("previous 3/4", "2025-03-04/2025-03-05"),
            ("see you on the 27", "2025-12-27/2025-12-28"),
            ("Friday the 2nd", "2026-01-02/2026-01-03"),
        ],
    );
    check(
        Prefer::Future,
        &[
            ("the Monday after Christmas", "2026-12-28/2026-12-29"),
            ("Friday the 2nd", "2026-10-02/2026-10-03"),
        ],
    );
}

#[test]
fn times_on_the_clock() {
    check(
        Prefer::Past,
        &[
            ("the 5th at 9:30:15", "2026-01-05T09:30:15/2026-01-05T09:30:16"),
            ("May twelfth, eight fifteen", "2025-05-12T08:15:00/2025-05-12T08:16:00"),
            ("7h45", "2026-01-07T07:45:00/2026-01-07T07:46:00"),
            ("approximately 1430", "2026-01-07T14:30:00/2026-01-07T14:31:00"),
            ("4 in the am", "2026-01-07T04:00:00/2026-01-07T05:00:00"),
            ("early morning at 4", "2026-01-07T04:00:00/2026-01-07T05:00:00"),
            ("Monday late in the morning", "2026-01-05T10:00:00/2026-01-05T12:00:00"),
            ("mid-afternoon on Friday", "2026-01-02T14:00:00/2026-01-02T16:00:00"),
            ("between 7 and 9 last evening", "2026-01-06T19:00:00/2026-01-06T21:00:00"),
            ("下昼两点三个字", "2026-01-07T14:15:00/2026-01-07T14:16:00"),
        ],
    );
}

#[test]
fn years_counted_beside_a_month_or_a_holiday() {
    check(
        Prefer::Past,
        &[
            ("两年前的春节", "2024-02-10/2024-02-11"),
            ("三年以前的夏天", "2023-06-01/2023-09-01"),
            ("五年前的中秋节晚上", "2021-09-21T18:00:00/2021-09-22"),
            ("Christmas two years ago", "2024-12-25/2024-12-26"),
            ("two years ago in March", "2024-03-01/2024-04-01"),
            ("July in a year", "2027-07-01/2027-08-01"),
            ("six years ago", "2020-01-07/2020-01-08"),
        ],
    );
}

#[test]
fn days_about_holidays() {
    check(
        Prefer::Past,
        &[
            ("春节前夜", "2025-01-28/2025-01-29"),
            ("圣诞节前一天", "2025-12-24/2025-12-25"),
            ("国庆节第二天", "2025-10-02/2025-10-03"),
            ("春节前三天", "2025-01-26/2025-01-29"),
            ("春节后两周", "2025-01-30/2025-02-13"),
            ("三月前三天", "2025-03-01/2025-03-04"),
            ("two days before Christmas", "2025-12-23/2025-12-24"),
            ("2 weeks from Friday", "2026-01-23/2026-01-24"),
            ("the closest Christmas to today", "2025-12-25/2025-12-26"),
            ("the second nearest Sunday to March 3 2025", "2025-03-09/2025-03-10"),
            // Where weeks begin on Sundays, the week of a Sunday is the one that it opens.
            ("the week of March 9 2025", "2025-03-10/2025-03-17"),
            ("the week of March 8 2025", "2025-03-03/2025-03-10"),
        ],
    );
}

#[test]
fn holidays_of_other_calendars() {
    check(
        Prefer::Past,
        &[
            ("Diwali", "2025-10-20/2025-10-21"),
            ("去年排灯节", "2025-10-20/2025-10-21"),
            ("Holi 2024", "2024-03-25/2024-03-26"),
            ("Raksha Bandhan 2023", "2023-08-30/2023-08-31"),
            ("Eid al-Fitr 2025", "2025-03-30/2025-03-31"),
            ("开斋节2024年", "2024-04-10/2024-04-11"),
            ("tax day 2023", "2023-04-18/2023-04-19"),
            ("庞格尔节第二天", "2025-01-14/2025-01-15"),
        ],
    );
    check(Prefer::Future, &[("super tuesday", "2028-03-07/2028-03-08")]);
}

#[test]
fn a_day_that_is_only_counted() {
    check(
        Prefer::Past,
        &[
            ("第二天他走了", "2026-01-08/2026-01-09"),
            ("we spoke last night", "2026-01-06T18:00:00/2026-01-07"),
        ],
    );
    assert_eq!(find("第三天他走了", NOW, Prefer::Past), []);
}

#[test]
fn halves_decades_and_centuries() {
    check(
        Prefer::Past,
        &[
            ("the second half of 2022", "2022-07-01/2023-01-01"),
            ("the first half of last month", "2025-12-01/2025-12-16"),
            ("h1 this year", "2026-01-01/2026-07-01"),
            ("the early 90s", "1990-01-01/1993-01-01"),
            ("late 1980s", "1987-01-01/1990-01-01"),
            ("Q1-Q3 2024", "2024-01-01/2024-10-01"),
            ("the fall of 2022", "2022-09-01/2022-12-01"),
            ("last fall", "2025-09-01/2025-12-01"),
            ("the eighteenth century", "1700-01-01/1800-01-01"),
            ("19世纪60年代", "1860-01-01/1870-01-01"),
            ("上世纪八十年代初", "1980-01-01/1983-01-01"),
        ],
    );
}

#[test]
fn a_day_and_the_one_before_it() {
    check(
        Prefer::Past,
        &[
            ("yesterday and the day before", "2026-01-05/2026-01-07"),
            ("yesterday and the day before yesterday", "2026-01-05/2026-01-07"),
            ("last Friday and the previous day", "2026-01-01/2026-01-03"),
            ("上周五和前一天", "2026-01-01/2026-01-03"),
            ("12月3号以及前一天", "2025-12-02/2025-12-04"),
            ("昨天跟再前一天", "2026-01-05/2026-01-07"),
            ("前一天晚上", "2026-01-06T18:00:00/2026-01-07"),
            ("前1天", "2026-01-06/2026-01-07"),
            ("the day before", "2026-01-06/2026-01-07"),
        ],
    );
}

#[test]
fn stretches_beside_a_day() {
    check(
        Prefer::Past,
        &[
            ("the day after Christmas", "2025-12-26/2025-12-27"),
            ("the day before last Friday", "2026-01-01/2026-01-02"),
            ("the week before Christmas", "2025-12-18/2025-12-25"),
            ("the two weeks after Easter", "2025-04-21/2025-05-05"),
            ("the weekend of March 8", "2025-03-08/2025-03-10"),
            ("the weekend before Christmas", "2025-12-20/2025-12-22"),
            ("Memorial Day weekend", "2025-05-24/2025-05-27"),
            ("Thanksgiving week", "2025-11-24/2025-12-01"),
            ("two weekends ago", "2025-12-27/2025-12-29"),
            ("the 100th day of 2024", "2024-04-09/2024-04-10"),
            ("this past Tuesday", "2026-01-06/2026-01-07"),
            ("the night before last", "2026-01-05T18:00:00/2026-01-06"),
            ("three nights ago", "2026-01-04/2026-01-05"),
            ("国庆期间", "2025-10-01/2025-10-08"),
            ("去年五一假期", "2025-05-01/2025-05-06"),
        ],
    );
    assert_eq!(find("the day before my birthday", NOW, Prefer::Past), []);
}

#[test]
fn until_and_onwards() {
    check(
        Prefer::Past,
        &[
            ("until next Friday", "2026-01-07T12:00:00/2026-01-17"),
            ("till 5pm", "2026-01-07T12:00:00/2026-01-07T17:00:00"),
            ("from 2019 onwards", "2019-01-01/2026-01-07T12:00:00"),
            ("9 to 5 on Tuesday", "2026-01-06T09:00:00/2026-01-06T17:00:00"),
        ],
    );
}

#[test]
fn a_while_ago() {
    check(
        Prefer::Past,
        &[
            ("前些天", "2025-12-31T12:00:00/2026-01-07T12:00:00"),
            ("前阵子聊过的", "2025-11-07/2026-01-07T12:00:00"),
            ("这段时间", "2025-12-07/2026-01-07T12:00:00"),
        ],
    );
}

#[test]
fn words_beside_a_time_do_not_take_it_away() {
    check(
        Prefer::Past,
        &[
            ("March through May", "2025-03-01/2025-06-01"),
            ("we met in March again", "2025-03-01/2025-04-01"),
            ("from Mon to Wed", "2026-01-05/2026-01-08"),
            ("on an August morning", "2025-08-01/2025-08-01T12:00:00"),
            ("I miss Friday nights", "2026-01-02T18:00:00/2026-01-03"),
            ("in 2020 people stayed at home", "2020-01-01/2021-01-01"),
            ("3号门诊复查", "2026-01-03/2026-01-04"),
            ("10号房租到期", "2025-12-10/2025-12-11"),
            ("三月天天下雨", "2025-03-01/2025-04-01"),
            ("周六福利日", "2026-01-03/2026-01-04"),
            ("周三餐厅见", "2025-12-31/2026-01-01"),
            ("我说三点见", "2026-01-07T03:00:00/2026-01-07T04:00:00"),
            ("国庆公园人多", "2025-10-01/2025-10-02"),
        ],
    );
}

#[test]
fn what_follows_before_or_after_is_another_matter() {
    check(
        Prefer::Past,
        &[
            ("tomorrow before I leave", "2026-01-08/2026-01-09"),
            ("last night, after work I slept", "2026-01-06T18:00:00/2026-01-07"),
            ("on June 14, 11 days before the exam", "2025-06-14/2025-06-15"),
            ("I tried one last week", "2025-12-29/2026-01-05"),
            ("before the end of the month", "…/2026-02-01"),
            ("he stayed until last March", "…/2025-04-01"),
            ("next Sunday, December 28th", "2025-12-28/2025-12-29"),
            ("Saturday (evening): a film", "2026-01-03T18:00:00/2026-01-04"),
            ("datetime.now()", "2026-01-07T12:00:00/2026-01-07T12:00:01"),
        ],
    );
}

#[test]
fn guesses_between_two_neighbours() {
    check(
        Prefer::Past,
        &[
            ("三四天前", "2026-01-03/2026-01-05"),
            ("一两个月前", "2025-11-01/2026-01-01"),
            ("十五六天前", "2025-12-22/2025-12-24"),
            ("前两三天", "2026-01-04/2026-01-07"),
            ("明天下午两三点", "2026-01-08T14:00:00/2026-01-08T16:00:00"),
            ("周二三点", "2026-01-06T03:00:00/2026-01-06T04:00:00"),
        ],
    );
}

#[test]
fn minutes_before_an_hour() {
    check(
        Prefer::Past,
        &[
            ("差五分十点", "2026-01-07T09:55:00/2026-01-07T09:56:00"),
            ("下午三点差一刻", "2026-01-07T14:45:00/2026-01-07T14:46:00"),
        ],
    );
}

#[test]
fn the_same_day_and_the_one_that_follows() {
    check(
        Prefer::Past,
        &[
            ("去年的今天", "2025-01-07/2025-01-08"),
            ("上个月今天", "2025-12-07/2025-12-08"),
            ("this day last year", "2025-01-07/2025-01-08"),
            ("9月到次年2月", "2025-09-01/2026-03-01"),
            ("5月3日晚上到次日早上", "2025-05-03T18:00:00/2025-05-04T12:00:00"),
            ("from March 3 to the next day", "2025-03-03/2025-03-05"),
            ("从下周开始", "2026-01-12/…"),
            ("昨天下班后", "2026-01-06T17:00:00/2026-01-06T21:00:00"),
        ],
    );
}

#[test]
fn the_feast_of_the_eighth_month_follows_the_moon() {
    check(
        Prefer::Past,
        &[
            ("八月十五那天", "2025-10-06/2025-10-07"),
            ("八月十五号", "2025-08-15/2025-08-16"),
            ("二〇二四年八月十五", "2024-08-15/2024-08-16"),
            ("八月十六", "2025-08-16/2025-08-17"),
        ],
    );
}

#[test]
fn what_is_no_time_is_left_alone() {
    for text in [
        "the week we met was fun",
        "the month I spent there",
        "take the 27 to the station",
        "twenty people after work hours",
        "墙上有两个钟",
        "the trail is around 7 miles long",
        "about 400 pages and approximately 12-14 hours",
        "it improved by about 3.25%",
        "I rated it 4.5/5",
        "in her late 30s",
        "the night circus",
        "a night of music",
        "an awesome mid-day snack, those early days",
        "call 3-1234",
        "at the end of this email",
        "the start of day 5",
        "I spent $8 in cash",
        "before the sun's up",
        "I fall asleep",
        "会议超过三天",
        "I like it (a lot)",
    ] {
        let found = find(text, NOW, Prefer::Past);
        let spans: Vec<&str> = found.iter().map(|found| &text[found.span.clone()]).collect();
        assert_eq!(spans, [""; 0], "{text}");
    }
}
