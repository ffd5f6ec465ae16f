//! What a message asks of the past.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use memoir_model::Space;
use memoir_text::{Form, is_stop, tokens};
use memoir_when::{Convention, Found, Grain, Reading, find, intent};
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
}

impl HistoryQuestion {
    /// Reads a message; `None` when it asks for nothing past.
    pub(crate) fn of(message: &str, now: Timestamp, space: &Space) -> Option<Self> {
        let read = &message[..message.floor_char_boundary(READ_BYTES)];
        let intent = intent(read);
        if !intent.history {
            return None;
        }
        let local = space.zones.at(now).time_zone().to_datetime(now);
        let times = find(read, local, Convention::default());
        let lower = read.to_lowercase();
        let about = match days(&times, read, local) {
            Some(days) => About::Days(days),
            None if LAST_TIME.iter().any(|words| lower.contains(words)) => About::LastSession,
            None => About::Before,
        };
        let spans = times.into_iter().map(|found| found.span).collect::<Vec<_>>();
        Some(HistoryQuestion { about, detail: intent.detail, topic: topic(read, &spans) })
    }
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
        let Some(days) = past(&found.reading, now)
            .or_else(|| found.alternatives.iter().find_map(|other| past(other, now)))
        else {
            continue;
        };
        let days = Days { words: text[found.span.clone()].to_owned(), ..days };
        whole = Some(match whole {
            None => days,
            Some(known) => joined(known, days)?,
        });
    }
    whole
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
    use memoir_model::{Metadata, Preset, SpaceNo, TenantId, ZoneHistory};

    fn space() -> Space {
        Space {
            no: SpaceNo::from_low_bits(1),
            tenant: TenantId::default(),
            id: "user:a".parse().unwrap(),
            zones: ZoneHistory::new("Asia/Shanghai".parse().unwrap()),
            preset: Preset::General,
            metadata: Metadata::new(),
            created_at: Timestamp::UNIX_EPOCH,
            version: 0,
            last_seq: 0,
            last_session: 0,
            vectors: 0,
        }
    }

    /// Asked at noon on Wednesday 7 January 2026 in Shanghai.
    fn asked(text: &str) -> Option<HistoryQuestion> {
        HistoryQuestion::of(text, "2026-01-07T12:00:00+08:00".parse().unwrap(), &space())
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
            ("昨天和前天我们聊了什么？", "2026-01-05", "2026-01-06"),
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
    fn the_words_of_asking_are_no_topic() {
        assert!(asked("昨天我们聊了什么？").unwrap().topic.is_empty());
        assert!(asked("What did we talk about yesterday?").unwrap().topic.is_empty());
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
