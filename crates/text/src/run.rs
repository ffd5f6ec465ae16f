use crate::{Form, Token, emitter::Emitter, glyph::Class, han, scratch::Scratch, syllable, word};

/// Walks over the runs of one script and emits the tokens of each.
pub(crate) fn walk(scratch: &mut Scratch, sink: &mut dyn FnMut(Token<'_>)) {
    let Scratch { folded, buffers } = scratch;
    let glyphs = folded.glyphs.as_slice();
    let mut out = Emitter::new(folded, sink);
    let mut start = 0;
    while let Some(first) = glyphs.get(start) {
        start = match first.class {
            Class::Other | Class::Space => start + 1,
            Class::Letter | Class::Digit => {
                let end = word::end(glyphs, start);
                word::emit(&mut out, buffers, start, end);
                end
            }
            Class::Han => {
                let end = end_of_class(glyphs, start);
                han::emit(&mut out, start, end);
                end
            }
            Class::Hiragana | Class::Katakana | Class::Hangul | Class::Unspaced => {
                let end = end_of_class(glyphs, start);
                syllable::emit(&mut out, start, end);
                end
            }
            Class::Emoji => symbol(&mut out, start, start + 1),
            Class::Flag => {
                let pair = glyphs.get(start + 1).is_some_and(|next| next.class == Class::Flag);
                symbol(&mut out, start, if pair { start + 2 } else { start + 1 })
            }
        };
    }
}

fn end_of_class(glyphs: &[crate::glyph::Glyph], start: usize) -> usize {
    let class = glyphs[start].class;
    start + glyphs[start..].iter().take_while(|glyph| glyph.class == class).count()
}

fn symbol(out: &mut Emitter<'_>, start: usize, end: usize) -> usize {
    out.glyphs(start, end, Form::Word, 1, false);
    out.advance();
    end
}
