use crate::{Form, emitter::Emitter};

/// A run up to this long is taken for a word; a longer one is a sentence, and its pairs count as its words.
const LONGEST_WORD: usize = 8;

/// Emits a run of a script that has no dictionary here (kana, Hangul, Thai): the run, every pair, every character.
pub(crate) fn emit(out: &mut Emitter<'_>, start: usize, end: usize) {
    let length = end - start;
    let is_word = length <= LONGEST_WORD;
    let pair_form = if is_word { Form::SubWord } else { Form::Word };
    for at in start..end {
        if at == start && is_word {
            out.glyphs(start, end, Form::Word, length, false);
        }
        let pair_is_word = is_word && length == 2;
        if at + 2 <= end && !pair_is_word {
            out.glyphs(at, at + 2, pair_form, 2, false);
        }
        if length > 1 {
            out.glyphs(at, at + 1, Form::Character, 1, false);
        }
        out.advance();
    }
}
