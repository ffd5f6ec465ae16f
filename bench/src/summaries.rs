//! `memoir-bench summaries`: how much of what is asked for later survives a day's summary, beside a cut of the same
//! length from the start of the day and a random choice of its sentences.

use anyhow::{Context, Result, ensure};
use memoir_text::{Form, Limit, Role, Turn, sentences, summarise, tokens};
use rand::{SeedableRng, rngs::StdRng, seq::SliceRandom};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::Common;
use crate::report::{Binding, Report, Table, count};
use crate::stats::mean;

/// How many times as long the talk is as its summary.
const RATIOS: [usize; 2] = [10, 5];
/// How many random choices are averaged.
const SEEDS: u64 = 20;
/// A summary that keeps less than this many times what chance or a cut keeps is not worth making.
const LEAST_LEAD: f64 = 1.25;

/// `memoir-bench summaries`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,
    /// The messages, one JSON object a line: conv, id, speaker, time, text.
    #[arg(long, value_name = "FILE")]
    corpus: PathBuf,
    /// The questions, one JSON object a line: conv, qid, question, evidence, answer.
    #[arg(long, value_name = "FILE")]
    queries: PathBuf,
    /// Print every summary to the error output.
    #[arg(long)]
    show: bool,
}

/// Measures.
pub(crate) fn run(args: &Args) -> Result<Report> {
    let messages: Vec<Message> = read(&args.corpus)?;
    let queries: Vec<Query> = read(&args.queries)?;
    let days = days(&messages);
    let questions = questions(&queries, &messages);
    ensure!(!questions.is_empty(), "no question has evidence in {}", args.corpus.display());
    let mut table = Table::new(&["ratio", "what", "mean share", "half survives", "characters"]);
    let (mut figures, mut bindings) = (Vec::new(), Vec::new());
    for ratio in RATIOS {
        let mut rows = vec![
            ("summary", vec![summaries(&days, ratio, args.show)]),
            (
                "cut from the start",
                vec![days.iter().map(|(day, said)| (day.clone(), cut(said, ratio))).collect()],
            ),
        ];
        let seeds = if args.common.quick { 2 } else { SEEDS };
        let first = args.common.seed;
        rows.push((
            "random sentences",
            (first..first + seeds).map(|seed| random(&days, ratio, seed)).collect(),
        ));
        let mut shares = Vec::new();
        for (what, tries) in rows {
            let scores: Vec<Score> = tries.iter().map(|texts| score(&questions, texts)).collect();
            let share = mean(&scores.iter().map(|score| score.share).collect::<Vec<_>>());
            let half = mean(&scores.iter().map(|score| score.half).collect::<Vec<_>>());
            let length = mean(&scores.iter().map(|score| score.length).collect::<Vec<_>>());
            table.row(vec![
                format!("{ratio}:1"),
                what.into(),
                format!("{share:.3}"),
                format!("{half:.3}"),
                count(length),
            ]);
            figures.push(json!({
                "ratio": ratio, "what": what, "mean_share": share, "half_survives": half, "characters": length,
            }));
            shares.push(share);
        }
        if let [summary, floors @ ..] = shares.as_slice() {
            let floor = floors.iter().copied().fold(1e-9, f64::max);
            bindings.push(Binding::at_least(
                format!("summary / better floor, {ratio}:1"),
                summary / floor,
                LEAST_LEAD,
            ));
        }
    }
    let answered = questions.iter().filter(|question| question.answered).count();
    let notes = vec![
        format!(
            "{} days of talk, {} characters a day; {} questions, {answered} with an answer of their own (the others: the \
             text of their evidence)",
            days.len(),
            count(mean(&days.values().map(|said| length(said) as f64).collect::<Vec<_>>())),
            questions.len(),
        ),
        "mean share: the content words of the answer that are not in the question and stand in the summary of the \
         evidence's day; half survives: the questions with at least half of them"
            .into(),
        format!("random sentences: filled up to the same length, the last one cut; the mean of {SEEDS} seeds"),
    ];
    let quick = args.common.quick;
    Ok(Report {
        command: "summaries",
        quick,
        notes,
        tables: vec![table],
        figures: Value::Array(figures),
        bindings,
    })
}

#[derive(Deserialize)]
struct Message {
    conv: String,
    id: String,
    #[serde(default)]
    speaker: String,
    #[serde(default)]
    time: Option<String>,
    text: String,
}

impl Message {
    fn day(&self) -> Day {
        let date = self.time.as_deref().and_then(|time| time.get(..10)).unwrap_or_default();
        (self.conv.clone(), date.to_owned())
    }

    fn turn(&self) -> Turn<'_> {
        let machine = ["AI", "assistant"].contains(&self.speaker.as_str());
        let role = if machine { Role::Assistant } else { Role::User };
        Turn { speaker: &self.speaker, role, text: &self.text }
    }
}

#[derive(Deserialize)]
struct Query {
    conv: String,
    question: String,
    #[serde(default)]
    evidence: Vec<String>,
    #[serde(default)]
    answer: Value,
}

/// A conversation and a date.
type Day = (String, String);

fn read<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<Vec<T>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let parse = |(at, line): (usize, &str)| {
        serde_json::from_str(line).with_context(|| format!("{}, line {}", path.display(), at + 1))
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(parse).collect()
}

fn days(messages: &[Message]) -> BTreeMap<Day, Vec<Turn<'_>>> {
    let mut days: BTreeMap<Day, Vec<Turn<'_>>> = BTreeMap::new();
    for message in messages {
        days.entry(message.day()).or_default().push(message.turn());
    }
    days
}

/// What must survive for a question: words, each in the summary of one of these days.
struct Question {
    words: BTreeSet<String>,
    days: BTreeSet<Day>,
    answered: bool,
}

fn questions(queries: &[Query], messages: &[Message]) -> Vec<Question> {
    let places: BTreeMap<(&str, &str), &Message> =
        messages.iter().map(|message| ((message.conv.as_str(), message.id.as_str()), message)).collect();
    let mut questions = Vec::new();
    for query in queries {
        let evidence: Vec<&Message> = query
            .evidence
            .iter()
            .filter_map(|id| places.get(&(query.conv.as_str(), id.as_str())).copied())
            .collect();
        let answer = match &query.answer {
            Value::String(answer) => Some(answer.clone()),
            Value::Number(answer) => Some(answer.to_string()),
            _ => None,
        };
        let answered = answer.is_some();
        let answer = answer.unwrap_or_else(|| {
            evidence.iter().map(|message| message.text.as_str()).collect::<Vec<_>>().join("\n")
        });
        let asked = words(&query.question, false);
        let words: BTreeSet<String> = words(&answer, true).difference(&asked).cloned().collect();
        let days: BTreeSet<Day> = evidence.iter().map(|message| message.day()).collect();
        if !words.is_empty() && !days.is_empty() {
            questions.push(Question { words, days, answered });
        }
    }
    questions
}

/// The words of a text; of what must survive only whole content words, of where it is looked for all.
fn words(text: &str, content: bool) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    tokens(text, |token| {
        if !content || (token.form == Form::Word && !token.stop) {
            words.insert(token.text.to_owned());
        }
    });
    words
}

fn length(said: &[Turn<'_>]) -> usize {
    said.iter().map(|turn| turn.text.chars().count()).sum()
}

fn summaries(days: &BTreeMap<Day, Vec<Turn<'_>>>, ratio: usize, show: bool) -> BTreeMap<Day, String> {
    let summary = |(day, said): (&Day, &Vec<Turn<'_>>)| {
        let text = summarise(said, Limit::Characters(length(said) / ratio)).text;
        if show {
            eprintln!("{} {} {ratio}:1 {text}", day.0, day.1);
        }
        (day.clone(), text)
    };
    days.iter().map(summary).collect()
}

fn cut(said: &[Turn<'_>], ratio: usize) -> String {
    said.iter().flat_map(|turn| turn.text.chars()).take(length(said) / ratio).collect()
}

fn random(days: &BTreeMap<Day, Vec<Turn<'_>>>, ratio: usize, seed: u64) -> BTreeMap<Day, String> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut texts = BTreeMap::new();
    for (day, said) in days {
        let mut all: Vec<&str> = said
            .iter()
            .flat_map(|turn| sentences(turn.text).into_iter().filter_map(|range| turn.text.get(range)))
            .collect();
        all.shuffle(&mut rng);
        let text = all.join("\n").chars().take(length(said) / ratio).collect();
        texts.insert(day.clone(), text);
    }
    texts
}

struct Score {
    share: f64,
    half: f64,
    length: f64,
}

fn score(questions: &[Question], texts: &BTreeMap<Day, String>) -> Score {
    let kept: BTreeMap<&Day, BTreeSet<String>> =
        texts.iter().map(|(day, text)| (day, words(text, false))).collect();
    let mut shares = Vec::new();
    for question in questions {
        let survives = |word: &&String| {
            question.days.iter().any(|day| kept.get(day).is_some_and(|words| words.contains(*word)))
        };
        shares.push(question.words.iter().filter(survives).count() as f64 / question.words.len() as f64);
    }
    let half = shares.iter().map(|&share| f64::from(u8::from(share >= 0.5))).collect::<Vec<_>>();
    let lengths = texts.values().map(|text| text.chars().count() as f64).collect::<Vec<_>>();
    Score { share: mean(&shares), half: mean(&half), length: mean(&lengths) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_question_and_function_words_need_not_survive() {
        let message = |id: &str, text: &str| Message {
            conv: "c".into(),
            id: id.into(),
            speaker: "Ann".into(),
            time: Some("2024-01-02".into()),
            text: text.into(),
        };
        let messages = [message("1", "The dog is called Rex")];
        let query = Query {
            conv: "c".into(),
            question: "How is the dog called?".into(),
            evidence: vec!["1".into()],
            answer: Value::Null,
        };
        let questions = questions(&[query], &messages);
        assert_eq!(questions[0].words, BTreeSet::from(["rex".to_owned()]));
        let texts = BTreeMap::from([(messages[0].day(), "Rex barks".to_owned())]);
        let score = score(&questions, &texts);
        assert_eq!((score.share, score.half), (1.0, 1.0));
    }
}
