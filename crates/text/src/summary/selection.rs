use std::{
    cmp::Ordering,
    collections::{BTreeMap, BinaryHeap, HashMap, HashSet},
};

use super::{
    Extract,
    limit::Limit,
    passage::{Passage, PassageForm},
};

/// What a sentence costs beside its length, in characters: many short ones read worse than a few.
const OVERHEAD: f32 = 16.0;
/// What a word that was told already is still worth.
const TOLD: f32 = 0.1;
/// A sentence with this share of one that was chosen is a repetition of it.
const REPEATED: f32 = 0.6;
/// With how many of the chosen sentences that hold a word a new one is compared; the latest are the likeliest.
const COMPARED: usize = 12;

/// A sentence whose words are worth less than this says nothing, whatever cues it has.
const LEAST_WORTH: f32 = 0.5;
/// A sentence that tells less than this share of what the best one tells for its length is not worth its place.
const LEAST_SHARE: f32 = 0.05;

/// In fewer characters or words nothing can be said.
const SHORTEST: usize = 8;

/// Chooses the forms that tell most within the limit, in the order of the talk. `spoken` gives a form as it will stand
/// in the summary, which is what the limit counts.
pub(super) fn choose(
    passages: &[Passage<'_>],
    limit: Limit,
    spoken: impl Fn(&str, usize) -> String,
) -> Vec<Extract> {
    let mut chosen = greedy(passages, limit, &spoken);
    if chosen.is_empty() {
        chosen.extend(beginning(passages, limit, &spoken));
    }
    chosen.sort_by_key(|extract| (extract.turn, extract.span.start));
    chosen
}

/// The beginning of what tells most for its length, when nothing fits whole.
fn beginning(
    passages: &[Passage<'_>],
    limit: Limit,
    spoken: &impl Fn(&str, usize) -> String,
) -> Option<Extract> {
    let told = Told::default();
    let forms = passages.iter().enumerate().flat_map(|(i, p)| (0..p.forms.len()).map(move |f| (i, f)));
    let best = forms.filter_map(|(i, f)| Candidate::new(passages, i, f, limit, &told)).max()?;
    let source = passages.get(best.passage)?;
    let span = source.forms.get(best.form)?.span.clone();
    let text = limit.cut(&spoken(source.text.get(span.clone())?.trim(), source.turn));
    (limit.most() >= SHORTEST).then_some(Extract { turn: source.turn, span, text, score: best.value })
}

/// Which passages a summary within the limit takes anything from.
pub(super) fn kept(passages: &[Passage<'_>], limit: Limit) -> Vec<bool> {
    let chosen = greedy(passages, limit, &|text, _| text.to_owned());
    let places: HashSet<(usize, usize)> =
        chosen.iter().map(|extract| (extract.turn, extract.span.start)).collect();
    let has = |passage: &Passage<'_>| {
        passage.forms.iter().any(|form| places.contains(&(passage.turn, form.span.start)))
    };
    passages.iter().map(has).collect()
}

/// Takes the form with the most new content for its length, again and again. What a form adds can only shrink as
/// others are taken, so an old figure is an upper bound and few have to be computed anew.
fn greedy(passages: &[Passage<'_>], limit: Limit, spoken: &impl Fn(&str, usize) -> String) -> Vec<Extract> {
    let mut told = Told::default();
    let mut taken = vec![false; passages.len()];
    let mut left = limit.most();
    let mut heap: BinaryHeap<Candidate> = BinaryHeap::new();
    for (passage, form) in
        passages.iter().enumerate().flat_map(|(i, p)| (0..p.forms.len()).map(move |f| (i, f)))
    {
        heap.extend(Candidate::new(passages, passage, form, limit, &told));
    }
    let mut chosen = Vec::new();
    let least = LEAST_SHARE * heap.peek().map_or(0.0, |best| best.density);
    while let Some(candidate) = heap.pop() {
        let Candidate { passage, form, density, .. } = candidate;
        if density < least {
            break;
        }
        let Some(source) = passages.get(passage).filter(|_| !taken[passage]) else { continue };
        let Some(now) = Candidate::new(passages, passage, form, limit, &told) else { continue };
        if now.density < density {
            heap.push(now);
            continue;
        }
        let Some(form) = source.forms.get(form) else { continue };
        let text = spoken(source.text.get(form.span.clone()).unwrap_or_default().trim(), source.turn);
        let joint = if chosen.is_empty() { 0 } else { limit.joint() };
        let length = limit.measure(&text) + joint;
        if length > left {
            continue;
        }
        left -= length;
        taken[passage] = true;
        told.tell(chosen.len(), form);
        chosen.push(Extract { turn: source.turn, span: form.span.clone(), text, score: now.value });
    }
    chosen
}

struct Candidate {
    passage: usize,
    form: usize,
    /// What it adds.
    value: f32,
    /// What it adds for its length.
    density: f32,
}

impl Candidate {
    /// `None` when it says nothing new.
    fn new(passages: &[Passage<'_>], passage: usize, form: usize, limit: Limit, told: &Told) -> Option<Self> {
        let source = passages.get(passage)?;
        let chosen = source.forms.get(form)?;
        let all: f32 = chosen.words.iter().map(|&(_, worth)| worth).sum();
        if all < LEAST_WORTH || told.most_repeated(chosen) >= REPEATED * all {
            return None;
        }
        let new = told.new_worth(chosen);
        let share = new / all;
        let length = limit.measure(source.text.get(chosen.span.clone())?) as f32;
        // A word is about four characters long.
        let overhead = if matches!(limit, Limit::Words(_)) { OVERHEAD / 4.0 } else { OVERHEAD };
        let value = (new + chosen.bonus * share) * chosen.factor;
        Some(Candidate { passage, form, value, density: value / (length + overhead) })
    }
}

/// What was told, and in which of the chosen sentences.
#[derive(Default)]
struct Told {
    places: HashMap<usize, Vec<usize>>,
}

impl Told {
    fn tell(&mut self, sentence: usize, form: &PassageForm) {
        for &(word, _) in &form.words {
            self.places.entry(word).or_default().push(sentence);
        }
    }

    /// What the words of a form are worth after what was told.
    fn new_worth(&self, form: &PassageForm) -> f32 {
        let left = |&(word, worth): &(usize, f32)| {
            if self.places.contains_key(&word) { TOLD * worth } else { worth }
        };
        form.words.iter().map(left).sum()
    }

    /// How much of a form stands in the chosen sentence that has most of it.
    fn most_repeated(&self, form: &PassageForm) -> f32 {
        let mut shared: BTreeMap<usize, f32> = BTreeMap::new();
        for (word, worth) in &form.words {
            for &sentence in
                self.places.get(word).into_iter().flat_map(|places| places.iter().rev().take(COMPARED))
            {
                *shared.entry(sentence).or_default() += worth;
            }
        }
        shared.into_values().fold(0.0, f32::max)
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    /// The densest first; of equals the earliest.
    fn cmp(&self, other: &Self) -> Ordering {
        let earlier = |a: &Candidate| std::cmp::Reverse((a.passage, a.form));
        self.density.total_cmp(&other.density).then_with(|| earlier(self).cmp(&earlier(other)))
    }
}
