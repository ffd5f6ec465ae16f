//! From talk, or from the summaries of shorter periods, to a shorter text.

use jiff::civil::Date;
use memoir_model::{Summary, SummaryLevel, SummaryLine, SummaryPart, TenantId};
use memoir_text::{Extract, Language, Role, Turn, language, summarise, topics};

use super::digest::Digest;
use super::evidence::{rests_on, traced};
use super::length::{self, Length};
use super::talk::Said;
use crate::engine::Engine;
use crate::prompts::{Brief, BriefOf, lines};

/// A talk longer than this is given to a model in segments, in characters.
const SEGMENT: usize = 12_000;
/// How many segments a model reads; those before the last ones are shortened by rules.
const MOST_SEGMENTS: usize = 32;
/// How long a talk is at most that is summed up on the spot, in bytes: about as much work as a small batch of messages.
const SHORT: usize = 4_000;
/// By how much of a text its language is told.
const JUDGED: usize = 4_000;

/// A piece of what is summed up: something that was said, or a sentence of a summary below.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Input {
    /// Whether somebody said it.
    pub(crate) is_said: bool,
    pub(crate) speaker: String,
    pub(crate) role: Role,
    pub(crate) text: String,
    /// The day it is about.
    pub(crate) date: Option<Date>,
    /// The messages it rests on.
    pub(crate) sources: Vec<u64>,
}

impl From<&Said> for Input {
    fn from(said: &Said) -> Self {
        Input {
            is_said: true,
            speaker: said.speaker.clone(),
            role: said.role,
            text: said.text.clone(),
            date: Some(said.date),
            sources: vec![said.seq],
        }
    }
}

impl From<&SummaryLine> for Input {
    fn from(line: &SummaryLine) -> Self {
        Input {
            is_said: false,
            speaker: String::new(),
            role: Role::User,
            text: line.text.clone(),
            date: line.date,
            sources: line.sources.clone(),
        }
    }
}

impl Input {
    fn turn(&self) -> Turn<'_> {
        Turn { speaker: &self.speaker, role: self.role, text: &self.text }
    }

    /// As a model reads it: who speaks is said.
    fn named(&self, language: Language) -> Turn<'_> {
        let speaker = match (self.is_said, self.speaker.as_str(), self.role, language) {
            (true, "", Role::User, Language::En) => "User",
            (true, "", Role::User, _) => "用户",
            (true, "", Role::Assistant, Language::En) => "Assistant",
            (true, "", Role::Assistant, _) => "助手",
            (_, speaker, ..) => speaker,
        };
        Turn { speaker, ..self.turn() }
    }
}

/// Who sums up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// The rules, at once.
    Rules,
    /// A model, if there is one that is of use.
    Best,
}

/// What a summary says, before it is one.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Condensed {
    pub(crate) text: String,
    pub(crate) lines: Vec<SummaryLine>,
    pub(crate) topics: Vec<String>,
    pub(crate) headline: String,
    pub(crate) made_by: String,
    /// Of what a model has read for it.
    pub(crate) read: u64,
    /// A model was asked in vain.
    pub(crate) failed: bool,
    pub(crate) parts: Vec<SummaryPart>,
}

impl Condensed {
    /// By rules alone.
    pub(crate) fn by_rules(inputs: &[Input], level: SummaryLevel, length: Length) -> Self {
        let language = language_of(inputs);
        let texts: Vec<&str> = inputs.iter().map(|input| input.text.as_str()).collect();
        let turns: Vec<Turn<'_>> = inputs.iter().map(Input::turn).collect();
        let summary = summarise(&turns, length.limit(language, &texts));
        let mut extracts = summary.sentences;
        // What tells the most, in one line.
        let best = extracts.iter().max_by(|a, b| a.score.total_cmp(&b.score));
        let headline = best.map(|best| length::headline(language).cut(&best.text)).unwrap_or_default();
        // What spans several talks has the most important first; one talk goes as it went.
        let text = if level == SummaryLevel::Session {
            summary.text
        } else {
            extracts.sort_by(|a, b| b.score.total_cmp(&a.score));
            joined(&extracts)
        };
        let lines: Vec<SummaryLine> =
            extracts.iter().map(|extract| rests_on(&extract.text, inputs, [extract.turn])).collect();
        Condensed {
            headline,
            topics: topics(&turns, 3..=5),
            text,
            lines,
            made_by: Summary::RULES.to_owned(),
            ..Condensed::default()
        }
    }

    /// As a model wrote it.
    fn by_model(text: String, found: Vec<String>, model: String, inputs: &[Input]) -> Self {
        let lines = traced(&text, inputs);
        let mut topics = found;
        topics.truncate(5);
        if topics.len() < 3 {
            let turns: Vec<Turn<'_>> = inputs.iter().map(Input::turn).collect();
            for further in memoir_text::topics(&turns, 3..=5) {
                if topics.len() < 3 && !topics.contains(&further) {
                    topics.push(further);
                }
            }
        }
        // Models put the most important first.
        let first = lines.first().map(|line| line.text.as_str()).unwrap_or_default();
        let headline = length::headline(language(&text)).cut(first);
        Condensed { text, lines, topics, headline, made_by: model, ..Condensed::default() }
    }
}

impl From<&Summary> for Condensed {
    fn from(summary: &Summary) -> Self {
        Condensed {
            text: summary.text.clone(),
            lines: summary.lines.clone(),
            topics: summary.topics.clone(),
            headline: summary.headline.clone(),
            made_by: summary.made_by.clone(),
            read: summary.read,
            failed: false,
            parts: summary.parts.clone(),
        }
    }
}

impl Condensed {
    /// As a model wrote it before.
    pub(crate) fn again(part: &SummaryPart, inputs: &[Input]) -> Self {
        Condensed::by_model(part.text.clone(), Vec::new(), part.made_by.clone(), inputs)
    }
}

impl Engine {
    /// Makes a shorter text of inputs. `known` is what was made before, perhaps of the same.
    pub(crate) async fn condense(
        &self,
        tenant: &TenantId,
        inputs: Vec<Input>,
        of: BriefOf,
        length: Length,
        known: Option<&Summary>,
        by: By,
    ) -> Condensed {
        let level = of.level();
        let read = read_digest(&inputs);
        let mut failed = false;
        let mut parts = Vec::new();
        if by == By::Best && self.may_ask_for_summaries() {
            if let Some(known) = known.filter(|known| known.read == read && !known.is_by_rules()) {
                return Condensed::from(known);
            }
            let brief = Brief { of, language: language_of(&inputs), length };
            let known = known.map(|known| known.parts.as_slice()).unwrap_or_default();
            let talk = self.shortened(tenant, &inputs, brief, known, &mut parts).await;
            match self.summary_by_model(tenant, brief, &talk).await {
                Some(asked) => {
                    let made = move || Condensed::by_model(asked.text, asked.topics, asked.model, &inputs);
                    return Condensed { parts, read, ..elsewhere(made).await };
                }
                None => failed = true,
            }
        }
        let made = by_rules(inputs, level, length).await;
        Condensed { failed, parts, ..made }
    }

    /// What a model is given to read: everything, or, if that is too long, a text for each segment of it.
    async fn shortened(
        &self,
        tenant: &TenantId,
        inputs: &[Input],
        brief: Brief,
        known: &[SummaryPart],
        parts: &mut Vec<SummaryPart>,
    ) -> String {
        let segments = segments(inputs);
        if segments.len() <= 1 {
            return lines(inputs.iter().map(|input| input.named(brief.language)));
        }
        let unread = segments.len().saturating_sub(MOST_SEGMENTS);
        let mut texts = Vec::with_capacity(segments.len());
        for (nth, segment) in segments.into_iter().enumerate() {
            let digest = read_digest(segment);
            if let Some(part) = known.iter().find(|part| part.digest == digest) {
                texts.push(part.text.clone());
                parts.push(part.clone());
                continue;
            }
            let asked = if nth < unread {
                None
            } else {
                let talk = lines(segment.iter().map(|input| input.named(brief.language)));
                self.summary_by_model(tenant, Brief { of: BriefOf::Segment, ..brief }, &talk).await
            };
            match asked {
                Some(asked) => {
                    parts.push(SummaryPart { digest, text: asked.text.clone(), made_by: asked.model });
                    texts.push(asked.text);
                }
                None => {
                    let made = by_rules(segment.to_vec(), SummaryLevel::Session, brief.length).await;
                    texts.push(made.text);
                }
            }
        }
        texts.join("\n")
    }
}

/// Sums up by rules: a short talk at once, a long one away from those who wait for input and output.
async fn by_rules(inputs: Vec<Input>, level: SummaryLevel, length: Length) -> Condensed {
    if inputs.iter().map(|input| input.text.len()).sum::<usize>() <= SHORT {
        return Condensed::by_rules(&inputs, level, length);
    }
    elsewhere(move || Condensed::by_rules(&inputs, level, length)).await
}

/// Work for the processor, away from those who wait for input and output.
async fn elsewhere(work: impl FnOnce() -> Condensed + Send + 'static) -> Condensed {
    tokio::task::spawn_blocking(work).await.unwrap_or_default()
}

fn segments(inputs: &[Input]) -> Vec<&[Input]> {
    let mut segments = Vec::new();
    let (mut start, mut length) = (0, 0);
    for (nth, input) in inputs.iter().enumerate() {
        let more = input.text.chars().count();
        if nth > start && length + more > SEGMENT {
            segments.push(&inputs[start..nth]);
            (start, length) = (nth, 0);
        }
        length += more;
    }
    if start < inputs.len() {
        segments.push(&inputs[start..]);
    }
    segments
}

fn read_digest(segment: &[Input]) -> u64 {
    let mut digest = Digest::new();
    for input in segment {
        digest.text(&input.speaker);
        digest.text(&input.text);
    }
    digest.value()
}

/// The language that most of it is in.
pub(crate) fn language_of(inputs: &[Input]) -> Language {
    let mut sample = String::new();
    // From all over it: a talk in one language may open in another.
    let step = (inputs.len() / 64).max(1);
    for input in inputs.iter().step_by(step) {
        sample.extend(input.text.chars().take(JUDGED / 32));
        sample.push('\n');
        if sample.len() > JUDGED {
            break;
        }
    }
    language(&sample)
}

fn joined(extracts: &[Extract]) -> String {
    let mut text = String::new();
    for extract in extracts {
        if text.chars().next_back().is_some_and(|last| last.is_ascii()) {
            text.push(' ');
        }
        text.push_str(&extract.text);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(seq: u64, text: &str) -> Input {
        let (speaker, role) = (String::new(), Role::User);
        Input { is_said: true, speaker, role, text: text.into(), date: None, sources: vec![seq] }
    }

    #[test]
    fn a_long_talk_is_cut_between_turns() {
        let inputs: Vec<Input> = (0..10).map(|seq| input(seq, &"话".repeat(5_000))).collect();
        let lengths: Vec<usize> = segments(&inputs).iter().map(|segment| segment.len()).collect();
        assert_eq!(lengths, [2, 2, 2, 2, 2]);
        assert_eq!(segments(&[input(1, &"话".repeat(50_000))]).len(), 1, "a turn stays whole");
        assert!(segments(&[]).is_empty());
    }

    #[test]
    fn every_line_says_what_it_rests_on() {
        let inputs = [
            input(4, "我下个月要去厦门旅游，预算五千元。"),
            input(5, "哈哈，好的。"),
            input(6, "我对海鲜过敏，所以不能吃虾。"),
        ];
        let length = Length::of(SummaryLevel::Day, memoir_model::Preset::General);
        let made = Condensed::by_rules(&inputs, SummaryLevel::Day, length);
        let of = |words: &str| {
            made.lines.iter().find(|line| line.text.contains(words)).map(|line| line.sources.clone())
        };
        assert_eq!((of("厦门"), of("海鲜")), (Some(vec![4]), Some(vec![6])));
        assert!(!made.headline.is_empty() && made.headline.chars().count() <= 40);
        assert_eq!(made.made_by, Summary::RULES);
    }
}
