use std::{collections::HashMap, ops::Range, rc::Rc};

use crate::{Form, background, tokens};

/// A word of a text, by the number that stands for its folded form in a [`Lexicon`].
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub(crate) id: usize,
    /// Byte range in the text.
    pub(crate) span: Range<usize>,
}

/// Gives every word a number and remembers how much it tells.
#[derive(Default)]
pub(crate) struct Lexicon {
    ids: HashMap<Rc<str>, usize>,
    words: Vec<(Rc<str>, f32)>,
}

impl Lexicon {
    /// The words of `text` in order, function words included.
    pub(crate) fn terms(&mut self, text: &str) -> Vec<Term> {
        let mut terms = Vec::new();
        tokens(text, |token| {
            if token.form == Form::Word {
                terms.push(Term { id: self.id(token.text, token.stop), span: token.span });
            }
        });
        terms
    }

    /// The number of a folded word.
    pub(crate) fn id(&mut self, word: &str, stop: bool) -> usize {
        if let Some(&id) = self.ids.get(word) {
            return id;
        }
        let id = self.words.len();
        let word: Rc<str> = word.into();
        let weight = if stop { 0.0 } else { background::weight(&word) };
        self.ids.insert(Rc::clone(&word), id);
        self.words.push((word, weight));
        id
    }

    /// Makes the words of `text` tell nothing.
    pub(crate) fn silence(&mut self, text: &str) {
        for term in self.terms(text) {
            if let Some((_, weight)) = self.words.get_mut(term.id) {
                *weight = 0.0;
            }
        }
    }

    /// How much a word tells, 0 to 1; 0 is a function word.
    pub(crate) fn weight(&self, id: usize) -> f32 {
        self.words.get(id).map_or(0.0, |(_, weight)| *weight)
    }

    /// The folded word.
    pub(crate) fn word(&self, id: usize) -> &str {
        self.words.get(id).map_or("", |(word, _)| word)
    }

    /// How many different words there are.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }
}
