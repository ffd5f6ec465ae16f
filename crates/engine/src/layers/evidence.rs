//! What the sentences of a text rest on, where whoever wrote it does not say.

use memoir_model::SummaryLine;
use memoir_text::{Form, is_stop, sentences, tokens};
use std::collections::HashMap;

use super::condense::Input;

/// How many inputs a sentence is traced back to.
const MOST: usize = 3;
/// An input that shares less than this of what the best one shares is not what a sentence rests on.
const LEAST_SHARE: f32 = 0.6;

/// The sentences of a text, each with the inputs that it shares most of its rare words with. A sentence that shares
/// none rests on the first and the last of them.
pub(crate) fn traced(text: &str, inputs: &[Input]) -> Vec<SummaryLine> {
    let mut holders: HashMap<String, Vec<usize>> = HashMap::new();
    for (nth, input) in inputs.iter().enumerate() {
        for word in words(&input.text) {
            let holding = holders.entry(word).or_default();
            if holding.last() != Some(&nth) {
                holding.push(nth);
            }
        }
    }
    let line = |sentence: &str| {
        let mut shared: HashMap<usize, f32> = HashMap::new();
        for word in words(sentence) {
            let Some(holding) = holders.get(&word) else { continue };
            // A word that everybody says tells nothing.
            let weight = (1.0 + inputs.len() as f32 / holding.len() as f32).ln();
            holding.iter().for_each(|nth| *shared.entry(*nth).or_default() += weight);
        }
        let mut best: Vec<(usize, f32)> = shared.into_iter().collect();
        best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let least = best.first().map_or(0.0, |(_, most)| most * LEAST_SHARE);
        let mut of: Vec<usize> = best
            .into_iter()
            .take(MOST)
            .take_while(|(_, share)| *share >= least)
            .map(|(nth, _)| nth)
            .collect();
        if of.is_empty() {
            of.extend([0, inputs.len().saturating_sub(1)]);
        }
        rests_on(sentence, inputs, of)
    };
    sentences(text)
        .into_iter()
        .map(|span| line(text[span].trim()))
        .filter(|line| !line.text.is_empty())
        .collect()
}

/// A sentence that rests on these inputs.
pub(crate) fn rests_on(sentence: &str, inputs: &[Input], of: impl IntoIterator<Item = usize>) -> SummaryLine {
    let inputs: Vec<&Input> = of.into_iter().filter_map(|nth| inputs.get(nth)).collect();
    let mut sources: Vec<u64> = inputs.iter().flat_map(|input| input.sources.iter().copied()).collect();
    sources.sort_unstable();
    sources.dedup();
    let date = inputs.first().and_then(|input| input.date);
    SummaryLine { date, text: sentence.to_owned(), sources }
}

fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    tokens(text, |token| {
        if token.form == Form::Word && !is_stop(token.text) {
            words.push(token.text.to_owned());
        }
    });
    words.sort_unstable();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use memoir_text::Role;

    fn input(seq: u64, text: &str) -> Input {
        let (speaker, role) = (String::new(), Role::User);
        Input { is_said: true, speaker, role, text: text.into(), date: None, sources: vec![seq] }
    }

    #[test]
    fn a_sentence_is_traced_back_to_those_who_said_its_words() {
        let inputs = [
            input(1, "我想做双眼皮手术，预算三万"),
            input(2, "恢复期一般要两周"),
            input(3, "我对麻药过敏，很担心"),
        ];
        let lines = traced("用户想做双眼皮，预算三万。他担心对麻药过敏。天气很好。", &inputs);
        let sources: Vec<&[u64]> = lines.iter().map(|line| line.sources.as_slice()).collect();
        assert_eq!(sources, [&[1][..], &[3], &[1, 3]]);
    }
}
