use jiff::Timestamp;
use jiff::tz::TimeZone;
use memoir_text::{Form, is_courtesy, people, sentences, titles, tokens};
use memoir_when::{Convention, find};
use std::ops::Range;

/// How much of a message is read for what it asks. The rest is searched for all the same.
const READ_BYTES: usize = 4 * 1024;
/// How many words, and in how many bytes, are looked up rather than said.
const MOST_BARE: usize = 4;
const LONGEST_BARE: usize = 64;
/// The longest Chinese name that is looked for among those who spoke.
const LONGEST_HAN_NAME: usize = 4;

/// What kind of answer a message asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asks {
    /// It asks for nothing: it states.
    Nothing,
    /// When, how long ago.
    When,
    /// How many, how much.
    HowMany,
    /// Anything else.
    Something,
}

/// A stretch of time that a message speaks of.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stretch {
    /// Where the words for it stand.
    pub(crate) span: Range<usize>,
    /// From here on, in microseconds since 1970; open if it has no beginning.
    pub(crate) from: Option<i64>,
    /// Until before here.
    pub(crate) until: Option<i64>,
}

impl Stretch {
    /// How far a moment lies outside, in days.
    pub(crate) fn distance_days(&self, moment: i64) -> f32 {
        const DAY: f32 = 86_400_000_000.0;
        let early = self.from.map_or(0, |from| (from - moment).max(0));
        let late = self.until.map_or(0, |until| (moment + 1 - until).max(0));
        early.max(late) as f32 / DAY
    }

    /// How long it is, in days; open stretches are very long.
    pub(crate) fn days(&self) -> f32 {
        match (self.from, self.until) {
            (Some(from), Some(until)) => (until - from) as f32 / 86_400_000_000.0,
            _ => 3_650.0,
        }
    }
}

/// What a message asks for, as far as its words tell.
#[derive(Debug, Clone)]
pub(crate) struct Understanding {
    /// The message.
    pub(crate) text: String,
    pub(crate) asks: Asks,
    /// Most of its sentences ask.
    pub(crate) mostly_asks: bool,
    /// The last sentence that asks, where others do not.
    pub(crate) question: Option<Range<usize>>,
    /// Names of people, where they stand.
    pub(crate) people: Vec<Range<usize>>,
    /// Titles and quoted terms, as they are written.
    pub(crate) titles: Vec<String>,
    /// The times it speaks of.
    pub(crate) times: Vec<Stretch>,
    /// It speaks of the one who says it.
    pub(crate) of_speaker: bool,
    /// It speaks to the one who listens.
    pub(crate) of_listener: bool,
    /// It is a few words and no sentence: somebody looks something up.
    pub(crate) looks_up: bool,
}

impl Understanding {
    /// Reads a message that is said at `now` by somebody in that zone.
    pub(crate) fn of(text: &str, now: Timestamp, zone: &TimeZone, convention: Convention) -> Self {
        let read = &text[..text.floor_char_boundary(READ_BYTES)];
        let local = zone.to_datetime(now);
        let moment = |at: Option<Timestamp>| at.map(Timestamp::as_microsecond);
        let times = find(read, local, convention).into_iter().map(|found| {
            let (from, until) = found.reading.moments(zone);
            Stretch { span: found.span, from: moment(from), until: moment(until) }
        });
        let times: Vec<Stretch> = times.collect();
        let (mostly_asks, question) = asking_sentences(read);
        let lower = read.to_lowercase();
        let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric() && c != '\'').collect();
        let any = |list: &[&str]| words.iter().any(|word| list.contains(word));
        let asks = asks(&lower, &words);
        Understanding {
            text: text.to_owned(),
            asks,
            // "Yesterday" asks for what was said then, not for the word.
            looks_up: asks == Asks::Nothing && times.is_empty() && is_bare(text),
            mostly_asks,
            question,
            people: people(read).into_iter().map(|person| person.span).collect(),
            titles: titles(read).into_iter().map(|title| read[title.span].to_owned()).collect(),
            times,
            of_speaker: any(&["i", "my", "me", "mine", "i'm", "i've", "we", "our"]) || lower.contains('我'),
            of_listener: any(&["you", "your", "you're", "you've"]) || lower.contains(['你', '您']),
        }
    }

    /// Every stretch of the message that may be somebody's name, as it is written: a caller's id of an author can be
    /// compared with it.
    pub(crate) fn possible_names(&self) -> Vec<Range<usize>> {
        let mut names: Vec<Range<usize>> = self.people.clone();
        let mut words = Vec::new();
        tokens(&self.text, |token| {
            if token.form == Form::Word && token.span.end <= READ_BYTES {
                words.push(token.span);
            }
        });
        names.extend(words.iter().cloned());
        names.extend(words.windows(2).map(|pair| pair[0].start..pair[1].end));
        // Chinese has no blanks: every short run of characters may be a name.
        let characters: Vec<(usize, char)> =
            self.text.char_indices().take_while(|(at, _)| *at < READ_BYTES).collect();
        for (nth, &(start, first)) in characters.iter().enumerate() {
            let is_han = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
            if !is_han(first) {
                continue;
            }
            for length in 2..=LONGEST_HAN_NAME {
                let Some(run) = characters.get(nth..nth + length) else { break };
                let Some(&(at, last)) = run.last() else { break };
                if !is_han(last) {
                    break;
                }
                names.push(start..at + last.len_utf8());
            }
        }
        names
    }
}

/// Whether a text is a few content words and nothing else: no sentence, and no hello or thanks either.
fn is_bare(text: &str) -> bool {
    if text.len() > LONGEST_BARE {
        return false;
    }
    let (mut words, mut small) = (0, 0);
    tokens(text, |token| {
        if token.form == Form::Word {
            words += 1;
            small += usize::from(token.stop);
        }
    });
    (1..=MOST_BARE).contains(&words) && small == 0 && !is_courtesy(text)
}

/// Whether most sentences of a text ask, and the last that does where others do not.
fn asking_sentences(text: &str) -> (bool, Option<Range<usize>>) {
    let ranges = sentences(text);
    let asking: Vec<&Range<usize>> = ranges
        .iter()
        .filter(|range| {
            let lower = text[(*range).clone()].to_lowercase();
            let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric() && c != '\'').collect();
            asks(&lower, &words) != Asks::Nothing
        })
        .collect();
    let question = asking.last().filter(|_| asking.len() < ranges.len());
    (asking.len() * 2 >= ranges.len(), question.map(|range| (*range).clone()))
}

fn asks(lower: &str, words: &[&str]) -> Asks {
    const WHEN: &[&str] = &[
        "what date",
        "what day",
        "what time",
        "which day",
        "which year",
        "which month",
        "how long",
        "how old",
        "how recently",
        "什么时候",
        "几号",
        "几点",
        "哪天",
        "哪一天",
        "多久",
        "何时",
        "哪年",
        "几月",
        "多长时间",
    ];
    const HOW_MANY: &[&str] = &[
        "how many",
        "how much",
        "how often",
        "多少",
        "几个",
        "几次",
        "几本",
        "几年",
        "几岁",
        "多大",
        "多高",
        "第几",
    ];
    const ASKING: &[&str] = &[
        "what", "which", "who", "whom", "whose", "when", "where", "why", "how", "did", "do", "does", "is",
        "are", "was", "were", "can", "could", "would", "should", "have", "has", "had", "will", "tell",
        "remind", "recall",
    ];
    const ASKING_HAN: &[&str] = &[
        "什么",
        "谁",
        "哪",
        "怎么",
        "怎样",
        "如何",
        "为什么",
        "吗",
        "呢",
        "几",
        "多少",
        "是否",
        "记得",
        "是不是",
        "有没有",
    ];
    let holds = |list: &[&str]| list.iter().any(|phrase| lower.contains(phrase));
    let marked = lower.contains(['?', '？']);
    let first = words.iter().find(|word| !word.is_empty());
    let asks = marked || first.is_some_and(|word| ASKING.contains(word)) || holds(ASKING_HAN);
    if !asks {
        return Asks::Nothing;
    }
    if words.contains(&"when") || holds(WHEN) {
        Asks::When
    } else if holds(HOW_MANY) {
        Asks::HowMany
    } else {
        Asks::Something
    }
}
