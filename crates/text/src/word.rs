use crate::{
    Form,
    emitter::Emitter,
    fold::Folded,
    glyph::{Class, Glyph},
    part::{self, Seen},
    stem::Stems,
};

/// Longer words are cut: nothing that long is a word, and the stemmer must not see 64 KiB of one letter.
const LONGEST_WORD: usize = 64;

/// What follows an apostrophe at the end of an English word and is a function word: `alice's`, `we'll`, `i'm`.
const CLITICS: &[&str] = &["'s", "'ll", "'re", "'ve", "'d", "'m"];

/// Reused strings for words that are not in the folded text as they stand.
#[derive(Default)]
pub(crate) struct Buffers {
    plain: String,
    part: String,
    seen: Seen,
    stems: Stems,
}

/// The end of the word or number that starts at `start`.
pub(crate) fn end(glyphs: &[Glyph], start: usize) -> usize {
    let limit = glyphs.len().min(start + LONGEST_WORD);
    let mut end = start + 1;
    while end < limit && (is_wordy(&glyphs[end]) || joins(glyphs, start, end)) {
        end += 1;
    }
    // The limit may fall right after an apostrophe or a point, which then joins nothing.
    if is_wordy(&glyphs[end - 1]) { end } else { end - 1 }
}

/// Emits one word: its stem, itself if it differs, and its parts, all on one unit.
pub(crate) fn emit(out: &mut Emitter<'_>, buffers: &mut Buffers, start: usize, end: usize) {
    let folded = out.folded;
    let Buffers { plain: buffer, part: part_buffer, seen, stems } = buffers;
    let end = without_clitics(folded, start, end);
    let word = plain(folded, start, end, buffer);
    let (stem, is_stop) = stems.of(word);
    out.text(stem, start, end, Form::Word, 1, is_stop);
    if stem != word {
        out.text(word, start, end, Form::Exact, 1, is_stop);
    }
    if part::is_compound(&folded.glyphs[start..end]) {
        seen.clear();
        seen.insert(word);
        seen.insert(stem);
        part::for_each(&folded.glyphs[..end], start, |from, to| {
            let part = plain(folded, from, to, part_buffer);
            // The stem for the stems of a query, the part itself for its exact words.
            let (stem, is_stop) = stems.of(part);
            for text in [stem, part] {
                if seen.insert(text) {
                    out.text(text, from, to, Form::SubWord, 1, is_stop);
                }
            }
        });
    }
    out.advance();
}

fn is_wordy(glyph: &Glyph) -> bool {
    matches!(glyph.class, Class::Letter | Class::Digit)
}

/// Whether the mark at `at` holds a word together: an apostrophe before a letter, a point between digits, a comma
/// between thousands.
fn joins(glyphs: &[Glyph], start: usize, at: usize) -> bool {
    let (Some(before), Some(after)) = (glyphs[start..at].last(), glyphs.get(at + 1)) else {
        return false;
    };
    let between_digits = before.class == Class::Digit && after.class == Class::Digit;
    match glyphs[at].c {
        '\'' => is_wordy(before) && after.class == Class::Letter,
        '.' => between_digits,
        ',' => between_digits && groups_thousands(&glyphs[start..], at - start),
        _ => false,
    }
}

/// Whether the comma at `at` stands between one to three digits and exactly three.
fn groups_thousands(number: &[Glyph], at: usize) -> bool {
    let digits = |glyphs: &mut dyn Iterator<Item = &Glyph>| {
        glyphs.take(4).take_while(|glyph| glyph.class == Class::Digit).count()
    };
    let before = digits(&mut number[..at].iter().rev());
    let opens = before == at || number[at - before - 1].c == ',';
    opens && before <= 3 && digits(&mut number[at + 1..].iter()) == 3
}

fn without_clitics(folded: &Folded, start: usize, end: usize) -> usize {
    let mut end = end;
    while let Some(clitic) = CLITICS.iter().find(|clitic| folded.slice(start, end).ends_with(**clitic)) {
        end -= clitic.len();
    }
    end
}

/// The text of a word without apostrophes and thousands separators: `dont`, `1000`.
fn plain<'t>(folded: &'t Folded, start: usize, end: usize, buffer: &'t mut String) -> &'t str {
    let is_dropped = |c| c == '\'' || c == ',';
    let text = folded.slice(start, end);
    if !text.contains(is_dropped) {
        return text;
    }
    buffer.clear();
    buffer.extend(text.chars().filter(|&c| !is_dropped(c)));
    buffer
}
