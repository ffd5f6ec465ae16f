//! What a message asks of the past.

use jiff::civil::{Date, DateTime};
use jiff::{Timestamp, ToSpan};
use memoir_model::Space;
use memoir_text::{Form, is_stop, tokens};
use memoir_when::{Convention, Found, Grain, Reading, Reason, find, intent};
use std::ops::Range;

/// How much of a message is read for it.
const READ_BYTES: usize = 4 * 1024;
/// Two times further apart than this are not one stretch, in days.
const APART: i32 = 7;

/// What it asks about.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum About {
    /// The days from the first to the last.
    Days(Days),
    /// The talk before this one.
    LastSession,
    /// Any time before, without a date.
    Before,
}

/// A stretch of days that words name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Days {
    pub(crate) first: Date,
    pub(crate) last: Date,
    /// Where it is less than whole days: from here until before there.
    pub(crate) within: Option<(DateTime, DateTime)>,
    /// The words.
    pub(crate) words: String,
}

/// A question about past talk.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HistoryQuestion {
    pub(crate) about: About,
    /// It asks for particulars.
    pub(crate) detail: bool,
    /// What it asks about besides the time; empty when it asks for whatever there was.
    pub(crate) topic: Vec<String>,
    /// Whether it surely asks for what was said. A question that names a date of late may ask for something else.
    pub(crate) is_sure: bool,
}

impl HistoryQuestion {
    /// Reads a message; `None` when it asks for nothing past.
    pub(crate) fn of(message: &str, now: Timestamp, space: &Space) -> Option<Self> {
        let read = &message[..message.floor_char_boundary(READ_BYTES)];
        let intent = intent(read);
        let local = space.zones.at(now).time_zone().to_datetime(now);
        let times = find(read, local, Convention::default());
        let days = days(&times, read, local);
        if !intent.history {
            let asks = intent.reason == Reason::AsksOtherwise || read.contains(['?', '？']);
            let days = days.filter(|days| asks && is_date_of_late(days, local.date()))?;
            return Some(HistoryQuestion {
                about: About::Days(days),
                detail: false,
                topic: topic(read, &spans(&times)),
                is_sure: false,
            });
        }
        let lower = read.to_lowercase();
        let about = match days {
            Some(days) => About::Days(days),
            None if LAST_TIME.iter().any(|words| lower.contains(words)) => About::LastSession,
            None => About::Before,
        };
        let topic = topic(read, &spans(&times));
        Some(HistoryQuestion { about, detail: intent.detail, topic, is_sure: true })
    }
}

fn spans(times: &[Found]) -> Vec<Range<usize>> {
    times.iter().map(|found| found.span.clone()).collect()
}

/// Whether a date of the calendar is named (not "yesterday") that lies not long ago. What lies a year back was more likely
/// meant to come.
fn is_date_of_late(days: &Days, today: Date) -> bool {
    let ago = (today - days.last).get_days();
    (1..=LATELY).contains(&ago) && days.words.chars().any(|c| c.is_ascii_digit() || HAN_DIGITS.contains(c))
}

/// Up to how many days ago a date counts as lately.
const LATELY: i32 = 60;
const HAN_DIGITS: &str = "一二三四五六七八九十";

/// Words for a time that is not long ago, and how it is meant: from so many days ago until so many days ago.
const VAGUE: &[(&str, i64, i64)] = &[
    ("最近", 14, 0),
    ("近来", 14, 0),
    ("近期", 14, 0),
    ("这阵子", 14, 0),
    ("这段时间", 14, 0),
    ("前几天", 14, 1),
    ("前些天", 14, 1),
    ("前两天", 7, 1),
    ("几天前", 14, 1),
    ("recently", 14, 0),
    ("lately", 14, 0),
    ("these days", 14, 0),
    ("few days ago", 14, 1),
    ("several days ago", 14, 1),
    ("couple of days ago", 7, 1),
    ("the other day", 14, 1),
];

/// The days that vague words mean: nobody who says "a few days ago" has counted them.
fn vague(words: &str, today: Date) -> Option<Days> {
    let lower = words.to_lowercase();
    let (vague, from, until) = VAGUE.iter().find(|(vague, ..)| lower.contains(vague))?;
    let ago = |days: i64| today.saturating_sub(days.days());
    Some(Days { first: ago(*from), last: ago(*until), within: None, words: (*vague).to_owned() })
}

/// What names the talk before this one.
const LAST_TIME: &[&str] = &[
    "上次",
    "上一次",
    "上回",
    "上一回",
    "last time",
    "last session",
    "last conversation",
    "last chat",
    "last talk",
    "previous session",
    "previous conversation",
    "when we last",
];

/// The days that all the times of a message lie in; those that lie ahead are left out.
fn days(times: &[Found], text: &str, now: DateTime) -> Option<Days> {
    let mut whole: Option<Days> = None;
    for found in times {
        let words = &text[found.span.clone()];
        let read = || past(&found.reading, now);
        let other = || found.alternatives.iter().find_map(|other| past(other, now));
        let Some(days) = vague(words, now.date()).or_else(read).or_else(other) else { continue };
        let days = Days { words: words.to_owned(), ..days };
        whole = Some(match whole {
            None => days,
            Some(known) => joined(known, days)?,
        });
    }
    whole.or_else(|| vague(text, now.date()))
}

/// The days of a reading that begins before now.
fn past(reading: &Reading, now: DateTime) -> Option<Days> {
    if reading.start.is_some_and(|start| start > now) {
        return None;
    }
    // Nobody asks what was said at "now"; and what has no beginning is no stretch to sum up.
    let start = reading.start?;
    let end = reading.end.unwrap_or(now).min(now.max(start));
    let last = match end.time() == jiff::civil::Time::midnight() && end > start {
        true => end.date().yesterday().ok()?,
        false => end.date(),
    };
    let is_fine = matches!(reading.grain(), Grain::Second | Grain::Minute | Grain::Hour)
        || (reading.grain() == Grain::Range
            && start.date() == last
            && start.time() != jiff::civil::Time::midnight());
    let within = is_fine.then_some((start, reading.end.unwrap_or(end)));
    Some(Days { first: start.date(), last, within, words: String::new() })
}

fn joined(known: Days, other: Days) -> Option<Days> {
    let (first, last) = (known.first.min(other.first), known.last.max(other.last));
    let inside = |inner: &Days, outer: &Days| outer.first <= inner.first && inner.last <= outer.last;
    // "Last week, on Friday": the narrower one is meant.
    if inside(&other, &known) {
        return Some(other);
    }
    if inside(&known, &other) {
        return Some(known);
    }
    let gap = (known.first.max(other.first) - known.last.min(other.last)).get_days();
    (gap <= APART).then(|| Days {
        first,
        last,
        within: None,
        words: format!("{} {}", known.words, other.words).trim().to_owned(),
    })
}

/// The words that say what is asked about, without the times and without the words of asking.
fn topic(text: &str, times: &[Range<usize>]) -> Vec<String> {
    let mut words = Vec::new();
    tokens(text, |token| {
        let in_time = times.iter().any(|span| token.span.start < span.end && span.start < token.span.end);
        if token.form == Form::Word && !in_time && !is_stop(token.text) && !OF_ASKING.contains(&token.text) {
            words.push(token.text.to_owned());
        }
    });
    words.dedup();
    words
}

/// Words of asking about talk, as tokens have them.
const OF_ASKING: &[&str] = &[
    "聊",
    "聊天",
    "聊到",
    "聊过",
    "聊了",
    "谈",
    "谈到",
    "谈过",
    "谈话",
    "说",
    "说过",
    "说到",
    "说了",
    "讲",
    "讲过",
    "提到",
    "提过",
    "提",
    "讨论",
    "讨论过",
    "交流",
    "对话",
    "记得",
    "还记得",
    "内容",
    "总结",
    "回顾",
    "回忆",
    "告诉",
    "问",
    "问过",
    "什么",
    "哪些",
    "些",
    "东西",
    "事情",
    "事",
    "话题",
    "上次",
    "上回",
    "之前",
    "以前",
    "那时候",
    "当时",
    "一下",
    "帮",
    "帮我",
    "请",
    "想",
    "知道",
    "咱们",
    "咱",
    "我们",
    "你",
    "我",
    "talk",
    "chat",
    "discuss",
    "convers",
    "conversation",
    "say",
    "said",
    "tell",
    "told",
    "mention",
    "speak",
    "spoke",
    "rememb",
    "remember",
    "recal",
    "recall",
    "remind",
    "summar",
    "summari",
    "summaris",
    "summary",
    "recap",
    "review",
    "thing",
    "topic",
    "subject",
    "last",
    "time",
    "previou",
    "previous",
    "session",
    "ask",
    "us",
    "let",
    "go",
    "did",
    "happen",
    "earli",
    "earlier",
    "befor",
    "before",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::clock::living_in;

    /// Asked at noon on Wednesday 7 January 2026 in Shanghai.
    fn asked(text: &str) -> Option<HistoryQuestion> {
        HistoryQuestion::of(text, "2026-01-07T12:00:00+08:00".parse().unwrap(), &living_in("Asia/Shanghai"))
    }

    fn range(text: &str) -> Option<(String, String)> {
        match asked(text)?.about {
            About::Days(days) => Some((days.first.to_string(), days.last.to_string())),
            _ => None,
        }
    }

    #[test]
    fn a_question_with_a_time_asks_about_its_days() {
        for (text, first, last) in [
            ("昨天我们聊了什么？", "2026-01-06", "2026-01-06"),
            ("大前天我们聊了什么", "2026-01-04", "2026-01-04"),
            ("上周我们都聊了些什么", "2025-12-29", "2026-01-04"),
            ("上个月我们讨论过什么？", "2025-12-01", "2025-12-31"),
            ("What did we talk about yesterday?", "2026-01-06", "2026-01-06"),
            ("What did I tell you last week?", "2025-12-29", "2026-01-04"),
            ("前天和昨天我们聊了什么？", "2026-01-05", "2026-01-06"),
            ("昨天和前天我们聊了什么？", "2026-01-05", "2026-01-06"),
            ("What did we talk about yesterday and last Friday?", "2026-01-02", "2026-01-06"),
            ("What did we talk about yesterday and the day before?", "2026-01-05", "2026-01-06"),
            ("What did we talk about yesterday and the day before yesterday?", "2026-01-05", "2026-01-06"),
            ("上周五和前一天我们聊了什么？", "2026-01-01", "2026-01-02"),
            ("今天我们聊了什么", "2026-01-07", "2026-01-07"),
        ] {
            assert_eq!(range(text), Some((first.to_owned(), last.to_owned())), "{text}");
        }
    }

    #[test]
    fn without_a_date_it_is_the_last_time_or_any_time_before() {
        assert_eq!(asked("上次我们聊了什么？").unwrap().about, About::LastSession);
        assert_eq!(asked("What did we talk about last time?").unwrap().about, About::LastSession);
        assert_eq!(asked("我之前跟你说过我的膝盖吗？").unwrap().about, About::Before);
    }

    #[test]
    fn a_time_alone_is_no_question_about_the_past() {
        assert_eq!(asked("昨天的药还要吃吗"), None);
        assert_eq!(asked("I went hiking yesterday."), None);
    }

    #[test]
    fn a_date_of_late_may_be_asked_about() {
        assert_eq!(
            range("1月3号天气怎么样？我去干什么了？"),
            Some(("2026-01-03".into(), "2026-01-03".into()))
        );
        assert!(!asked("1月3号天气怎么样？我去干什么了？").unwrap().is_sure);
        assert_eq!(asked("1月9号的会议改到几点？"), None, "last year's is not meant");
        assert_eq!(asked("1月3号我去爬山了。"), None, "it asks nothing");
    }

    #[test]
    fn vague_words_mean_about_two_weeks() {
        assert_eq!(range("我们最近聊了什么？"), Some(("2025-12-24".into(), "2026-01-07".into())));
        assert_eq!(
            range("A few days ago I told you about a park. Do you remember what I saw there?"),
            Some(("2025-12-24".into(), "2026-01-06".into()))
        );
    }

    #[test]
    fn the_words_of_asking_are_no_topic() {
        assert!(asked("昨天我们聊了什么？").unwrap().topic.is_empty());
        assert!(asked("What did we talk about yesterday?").unwrap().topic.is_empty());
        assert!(asked("What did we talk about yesterday and the day before?").unwrap().topic.is_empty());
        assert_eq!(
            asked("昨天我跟你说的膝盖是怎么回事？").map(|asked| asked.topic.contains(&"膝盖".to_owned())),
            Some(true)
        );
    }

    #[test]
    fn a_part_of_a_day_is_kept() {
        let About::Days(days) = asked("昨天下午我们聊了什么？").unwrap().about else { panic!() };
        let within = days.within.map(|(from, until)| (from.to_string(), until.to_string()));
        assert_eq!(within, Some(("2026-01-06T12:00:00".into(), "2026-01-06T18:00:00".into())));
    }
}
