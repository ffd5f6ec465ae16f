use anyhow::Result;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use super::lines;
use crate::report::{Report, Table};
use crate::stats::{mean, percentile};

/// How often the questions are drawn anew for an interval.
const DRAWS: usize = 1_000;

#[derive(Deserialize)]
struct Gold {
    conv: Value,
    qid: Value,
    #[serde(default)]
    category: Option<Value>,
    #[serde(default)]
    evidence: Vec<Value>,
}

#[derive(Deserialize)]
struct Pred {
    conv: Value,
    qid: Value,
    ids: Vec<Value>,
}

/// The figures of one question, in the order of [`NAMES`].
type Figures = [f64; 7];

const NAMES: [&str; 7] = ["recall@5", "recall@10", "recall@20", "hit@10", "hit@20", "MRR", "all@10"];

/// Scores a ranking against its evidence. Evidence that is named twice counts once, and so does an id that is found twice.
fn figures(evidence: &HashSet<String>, ranked: &[String]) -> Figures {
    let mut seen = HashSet::new();
    let ranked: Vec<&String> = ranked.iter().filter(|id| seen.insert(*id)).collect();
    let among = |first: usize| ranked.iter().take(first).filter(|id| evidence.contains(**id)).count();
    let recall = |first: usize| among(first) as f64 / evidence.len() as f64;
    let hit = |first: usize| f64::from(u8::from(among(first) > 0));
    let place = ranked.iter().position(|id| evidence.contains(*id));
    let reciprocal = place.map_or(0.0, |place| 1.0 / (place + 1) as f64);
    let all = f64::from(u8::from(among(10) == evidence.len()));
    [recall(5), recall(10), recall(20), hit(10), hit(20), reciprocal, all]
}

/// The means over all questions that have evidence and over each category, with intervals of 95 % by drawing questions anew.
pub(super) fn run(gold: &Path, pred: &Path) -> Result<Report> {
    let key = |conv: &Value, qid: &Value| format!("{conv} {qid}");
    let found: HashMap<String, Vec<String>> = lines::<Pred>(pred)?
        .into_iter()
        .map(|pred| (key(&pred.conv, &pred.qid), pred.ids.iter().map(Value::to_string).collect()))
        .collect();
    let mut by_category: BTreeMap<String, Vec<Figures>> = BTreeMap::new();
    let (mut all, mut unanswered) = (Vec::new(), 0);
    for gold in lines::<Gold>(gold)?.iter().filter(|gold| !gold.evidence.is_empty()) {
        let evidence: HashSet<String> = gold.evidence.iter().map(Value::to_string).collect();
        let ranked = found.get(&key(&gold.conv, &gold.qid));
        unanswered += usize::from(ranked.is_none());
        let figures = figures(&evidence, ranked.map_or(&[], Vec::as_slice));
        all.push(figures);
        let category = gold.category.as_ref().map_or("none".to_owned(), |name| match name {
            Value::String(name) => name.clone(),
            other => other.to_string(),
        });
        by_category.entry(category).or_default().push(figures);
    }
    let mut table = Table::new(&[
        "category",
        "questions",
        NAMES[0],
        NAMES[1],
        NAMES[2],
        NAMES[3],
        NAMES[4],
        NAMES[5],
        NAMES[6],
    ]);
    let mut shown = Vec::new();
    let groups = std::iter::once(("(all)", &all))
        .chain(by_category.iter().map(|(name, group)| (name.as_str(), group)));
    for (category, group) in groups {
        let mut row = vec![category.to_owned(), group.len().to_string()];
        let mut figures = serde_json::Map::new();
        for (place, name) in NAMES.iter().enumerate() {
            let sample: Vec<f64> = group.iter().map(|figures| figures[place]).collect();
            let (low, high) = interval(&sample);
            row.push(format!("{:.3} ±{:.3}", mean(&sample), (high - low) / 2.0));
            figures.insert((*name).to_owned(), json!({ "mean": mean(&sample), "low": low, "high": high }));
        }
        table.row(row);
        shown.push(json!({ "category": category, "questions": group.len(), "figures": figures }));
    }
    Ok(Report {
        command: "score retrieval",
        quick: false,
        notes: vec![format!(
            "{unanswered} of {} questions have no line in the answers and count as nothing found",
            all.len()
        )],
        tables: vec![table],
        figures: Value::Array(shown),
        bindings: Vec::new(),
    })
}

/// Where the mean lies in 95 of 100 draws.
fn interval(sample: &[f64]) -> (f64, f64) {
    if sample.is_empty() {
        return (0.0, 0.0);
    }
    let mut random = StdRng::seed_from_u64(1);
    let draw = |random: &mut StdRng| {
        let sum: f64 = (0..sample.len()).map(|_| sample[random.random_range(0..sample.len())]).sum();
        sum / sample.len() as f64
    };
    let means: Vec<f64> = (0..DRAWS).map(|_| draw(&mut random)).collect();
    (percentile(&means, 0.025), percentile(&means, 0.975))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(ids: &[&str]) -> HashSet<String> {
        ids.iter().map(|id| (*id).to_owned()).collect()
    }

    fn list(ids: &[&str]) -> Vec<String> {
        ids.iter().map(|id| (*id).to_owned()).collect()
    }

    #[test]
    fn a_ranking_is_scored_as_the_names_say() {
        let ranked = list(&["x", "a", "y", "a", "z", "v", "b"]);
        let [r5, r10, r20, hit10, hit20, mrr, all] = figures(&set(&["a", "b"]), &ranked);
        assert_eq!((r5, r10, r20), (0.5, 1.0, 1.0), "the repeated id takes no place");
        assert_eq!((hit10, hit20, mrr, all), (1.0, 1.0, 0.5, 1.0));
        assert_eq!(figures(&set(&["q"]), &ranked), [0.0; 7]);
        assert_eq!(figures(&set(&["q"]), &[]), [0.0; 7]);
    }

    #[test]
    fn an_interval_holds_the_mean_and_is_narrow_where_all_are_alike() {
        assert_eq!(interval(&[0.5; 40]), (0.5, 0.5));
        let (low, high) = interval(&[0.0, 1.0].repeat(200));
        assert!(low < 0.5 && 0.5 < high && high - low < 0.12, "{low} {high}");
    }
}
