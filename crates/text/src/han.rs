use jieba_rs::Jieba;

use crate::{
    Form,
    dictionary::{self, LONGEST_WORD},
    emitter::Emitter,
    stop,
};

/// How many characters the dictionary sees at once, so that a run without punctuation costs no more per character than
/// a short one.
const WINDOW: usize = 256;

/// Emits a run of Han characters: its words, every pair, dictionary words inside long words, every character.
///
/// Words come from the dictionary alone. The statistical model for unknown words would join different characters in a
/// query than in the sentence that holds it; the pairs find those words either way.
pub(crate) fn emit(out: &mut Emitter<'_>, start: usize, end: usize) {
    let jieba = dictionary::load();
    let mut from = start;
    while from < end {
        let to = end.min(from + WINDOW);
        let window = from;
        for word in jieba.cut(out.folded.slice(window, to), false) {
            // A word near the edge may be cut short by it: the next window begins there instead.
            if to < end && word.end > WINDOW - LONGEST_WORD && from > window {
                break;
            }
            emit_word(out, jieba, window + word.start, window + word.end, end);
            from = window + word.end;
        }
        if from == window {
            break;
        }
    }
}

/// Emits what starts at each character of the word `start..end`, in a run that goes on to `run_end`.
fn emit_word(out: &mut Emitter<'_>, jieba: &Jieba, start: usize, end: usize, run_end: usize) {
    let single = end - start == 1;
    for at in start..end {
        if at == start && !single {
            let stop = is_stop(out, start, end);
            out.glyphs(start, end, Form::Word, end - start, stop);
        }
        let pair_is_word = at == start && end - start == 2;
        if at + 2 <= run_end && !pair_is_word {
            let stop = is_stop(out, at, at + 2);
            out.glyphs(at, at + 2, Form::SubWord, 2, stop);
        }
        for inner_end in at + 3..=end {
            let whole = at == start && inner_end == end;
            if !whole && jieba.has_word(out.folded.slice(at, inner_end)) {
                let stop = is_stop(out, at, inner_end);
                out.glyphs(at, inner_end, Form::SubWord, inner_end - at, stop);
            }
        }
        let form = if single { Form::Word } else { Form::Character };
        let stop = out.folded.glyphs[at].stop;
        out.glyphs(at, at + 1, form, 1, stop);
        out.advance();
    }
}

/// Whether two characters or more are a function word. Few characters begin one, so most are decided by a flag.
#[inline]
fn is_stop(out: &Emitter<'_>, start: usize, end: usize) -> bool {
    out.folded.glyphs[start].stop_head && stop::is_chinese(out.folded.slice(start, end))
}
