use memoir_model::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use super::occasion::Occasion;
use super::signals::{Signal, Signals};

/// What each signal weighs: for each occasion one table where meaning can be compared, and one for words alone. It is
/// data: another can be learned from other talk (`memoir-bench fit`) and put in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// By occasion, then meaning and words.
    tables: BTreeMap<Occasion, [Table; 2]>,
}

/// The weights of one way of ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// What puts one message before another; in the order of [`Signal::ALL`].
    pub weights: Vec<f32>,
    /// What makes it likely that a message matters at all.
    pub trust: Vec<f32>,
    /// How likely that is when nothing speaks for or against it, as log odds.
    pub trust_base: f32,
    /// What makes it likely that anything matters at all: what the best, the best three and the best ten say.
    pub anything: Vec<[f32; 3]>,
    /// How likely that is when nothing speaks for or against it, as log odds.
    pub anything_base: f32,
    /// Below this likelihood nothing deserves its tokens.
    pub anything_least: f32,
}

/// A table as it is written down.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Written {
    trust_base: f32,
    anything_base: f32,
    anything_least: f32,
    weights: BTreeMap<String, f32>,
    trust: BTreeMap<String, f32>,
    anything: BTreeMap<String, [f32; 3]>,
}

/// The names of the two tables of an occasion.
const WAYS: [&str; 2] = ["meaning", "words"];
/// Of how many at most the mean is taken to say how good the best are.
const MOST_BEST: usize = 10;
/// How many sums run side by side.
const LANES: usize = 4;
/// What it weighs to hold the words that are looked up, and how much more likely it is then that a message matters: more
/// than all that is learned. That is learned from questions, and among them nobody looks a word up.
const LOOKED_UP_WEIGHT: f32 = 20.0;
const LOOKED_UP_TRUST: f32 = 6.0;

static BUILT_IN: LazyLock<Arc<Ranking>> = LazyLock::new(|| {
    let parsed = Ranking::parse(include_str!("ranking.toml"));
    Arc::new(parsed.unwrap_or_else(|_| Ranking { tables: BTreeMap::new() }))
});

static NOTHING: LazyLock<Table> = LazyLock::new(Table::default);

impl Ranking {
    /// The one that comes with the program.
    pub fn built_in() -> Arc<Self> {
        BUILT_IN.clone()
    }

    /// Reads a ranking. A signal that a table does not name weighs nothing; one that does not exist is an error, and so is
    /// a table that is missing.
    pub fn parse(text: &str) -> Result<Self> {
        let refused = |message: String| Error::invalid("recall.ranking", message);
        let mut written: BTreeMap<String, BTreeMap<String, Written>> =
            toml::from_str(text).map_err(|error| refused(error.message().to_owned()))?;
        let mut tables = BTreeMap::new();
        for occasion in Occasion::ALL {
            let mut ways = written.remove(occasion.name()).unwrap_or_default();
            let mut table = |way: &str| match ways.remove(way) {
                Some(written) => written.table(),
                None => Err(refused(format!("the table {}.{way} is missing", occasion.name()))),
            };
            tables.insert(occasion, [table(WAYS[0])?, table(WAYS[1])?]);
        }
        match written.keys().next() {
            Some(name) => Err(refused(format!("there is no occasion {name}"))),
            None => Ok(Ranking { tables }),
        }
    }

    /// A ranking of learned tables: for each occasion with meaning and with words alone.
    pub fn of(mut tables: BTreeMap<Occasion, [Table; 2]>) -> Self {
        for table in tables.values_mut().flatten() {
            table.weights[Signal::LookedUp as usize] = LOOKED_UP_WEIGHT;
            table.trust[Signal::LookedUp as usize] = LOOKED_UP_TRUST;
        }
        Ranking { tables }
    }

    /// As it is written down.
    pub fn to_toml(&self) -> String {
        let occasions = self.tables.iter().map(|(occasion, tables)| {
            let ways = WAYS.iter().zip(tables).map(|(way, table)| (*way, Written::of(table)));
            (occasion.name(), ways.collect::<BTreeMap<_, _>>())
        });
        toml::to_string(&occasions.collect::<BTreeMap<_, _>>()).unwrap_or_default()
    }

    /// The table to rank by.
    pub fn table(&self, occasion: Option<Occasion>, by_meaning: bool) -> &Table {
        let tables = occasion.and_then(|occasion| self.tables.get(&occasion));
        tables.map_or(&NOTHING, |[meaning, words]| if by_meaning { meaning } else { words })
    }
}

impl Default for Table {
    fn default() -> Self {
        let nothing = vec![0.0; Signal::ALL.len()];
        Table {
            weights: nothing.clone(),
            trust: nothing,
            trust_base: 0.0,
            anything: vec![[0.0; 3]; Signal::ALL.len()],
            anything_base: 0.0,
            anything_least: 0.0,
        }
    }
}

impl Table {
    /// What all signals together say; comparable within one question.
    pub fn score(&self, signals: &Signals) -> f32 {
        sum(&self.weights, signals)
    }

    /// How likely it is that a message matters; 0 to 1, comparable across questions.
    pub fn confidence(&self, signals: &Signals) -> f32 {
        likelihood(self.trust_base + sum(&self.trust, signals))
    }

    /// How likely it is that any of these messages matters; 0 to 1.
    pub fn likelihood_of_anything(&self, all: &[&Signals]) -> f32 {
        let mut odds = self.anything_base;
        for (signal, weights) in Signal::ALL.iter().zip(&self.anything) {
            if weights.iter().any(|weight| *weight != 0.0) {
                let best = Best::of(all.iter().map(|signals| signals.get(*signal)));
                odds += weights.iter().zip(best.0).map(|(weight, value)| weight * value).sum::<f32>();
            }
        }
        likelihood(odds)
    }

    /// Whether so little speaks for all of these messages that none deserves its tokens.
    pub fn is_nothing(&self, all: &[&Signals]) -> bool {
        all.is_empty() || self.likelihood_of_anything(all) < self.anything_least
    }

    /// What one signal weighs.
    pub fn weight(&self, signal: Signal) -> f32 {
        self.weights.get(signal as usize).copied().unwrap_or(0.0)
    }
}

/// The greatest of some values, the mean of the greatest three and that of the greatest ten.
pub struct Best(pub [f32; 3]);

impl Best {
    /// Looks at values.
    pub fn of(values: impl Iterator<Item = f32>) -> Self {
        let mut values: Vec<f32> = values.collect();
        let greatest_first = |a: &f32, b: &f32| b.total_cmp(a);
        if values.len() > MOST_BEST {
            values.select_nth_unstable_by(MOST_BEST, greatest_first);
            values.truncate(MOST_BEST);
        }
        values.sort_unstable_by(greatest_first);
        let mean = |first: usize| {
            let first = &values[..first.min(values.len())];
            first.iter().sum::<f32>() / first.len().max(1) as f32
        };
        Best([1, 3, MOST_BEST].map(mean))
    }
}

fn likelihood(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

fn sum(weights: &[f32], signals: &Signals) -> f32 {
    // In a fixed order, of which a processor can take several at once.
    let (weights, last_weights) = weights.as_chunks::<LANES>();
    let (values, last_values) = signals.values().as_chunks::<LANES>();
    let mut sums = [0.0f32; LANES];
    for (weights, values) in weights.iter().zip(values) {
        for lane in 0..LANES {
            sums[lane] += weights[lane] * values[lane];
        }
    }
    let last = last_weights.iter().zip(last_values).map(|(weight, value)| weight * value);
    sums.iter().sum::<f32>() + last.sum::<f32>()
}

impl Written {
    fn of(table: &Table) -> Self {
        let rounded = |weight: f32| (weight * 1e4).round() / 1e4;
        let named = |weights: &[f32]| {
            let named = Signal::ALL.iter().zip(weights).map(|(signal, weight)| (signal, rounded(*weight)));
            named
                .filter(|(_, weight)| *weight != 0.0)
                .map(|(signal, weight)| (signal.name().to_owned(), weight))
                .collect()
        };
        Written {
            trust_base: rounded(table.trust_base),
            anything_base: rounded(table.anything_base),
            anything_least: rounded(table.anything_least),
            weights: named(&table.weights),
            trust: named(&table.trust),
            anything: Signal::ALL
                .iter()
                .zip(&table.anything)
                .map(|(signal, weights)| (signal.name().to_owned(), weights.map(rounded)))
                .filter(|(_, weights)| weights.iter().any(|weight| *weight != 0.0))
                .collect(),
        }
    }

    fn table(self) -> Result<Table> {
        Ok(Table {
            weights: by_signal(self.weights)?,
            trust: by_signal(self.trust)?,
            trust_base: self.trust_base,
            anything: by_signal(self.anything)?,
            anything_base: self.anything_base,
            anything_least: self.anything_least,
        })
    }
}

fn by_signal<W: Clone + Default>(named: BTreeMap<String, W>) -> Result<Vec<W>> {
    let mut weights = vec![W::default(); Signal::ALL.len()];
    for (name, weight) in named {
        let signal = Signal::ALL.iter().find(|signal| signal.name() == name);
        let signal =
            signal.ok_or_else(|| Error::invalid("recall.ranking", format!("there is no signal {name}")))?;
        weights[*signal as usize] = weight;
    }
    Ok(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_ranking_is_read_and_survives_being_written() {
        let ranking = Ranking::parse(include_str!("ranking.toml")).unwrap();
        assert_eq!(Ranking::parse(&ranking.to_toml()).unwrap(), ranking);
        for occasion in Occasion::ALL {
            for by_meaning in [true, false] {
                let table = ranking.table(Some(occasion), by_meaning);
                assert!(table.weights.iter().any(|weight| *weight != 0.0), "{occasion:?} {by_meaning}");
                assert!((0.0..0.5).contains(&table.anything_least));
            }
        }
    }

    #[test]
    fn a_ranking_with_a_mistake_is_refused_with_its_name() {
        let text = include_str!("ranking.toml");
        for (from, to, says) in [
            ("[people.words.weights]\n", "[people.words.weights]\nnonsense = 1.0\n", "no signal nonsense"),
            ("[people.words", "[peoples.words", "people.words is missing"),
            ("trust_base", "trust_basis", "trust_basis"),
        ] {
            let error = Ranking::parse(&text.replace(from, to)).unwrap_err();
            assert!(error.message().contains(says), "{error}");
        }
    }
}
