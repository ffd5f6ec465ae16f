use crate::{Form, Token, fold::Folded};

/// Turns ranges of glyphs into tokens and counts the units passed.
pub(crate) struct Emitter<'a> {
    pub(crate) folded: &'a Folded,
    position: u32,
    sink: &'a mut dyn FnMut(Token<'_>),
}

impl<'a> Emitter<'a> {
    pub(crate) fn new(folded: &'a Folded, sink: &'a mut dyn FnMut(Token<'_>)) -> Self {
        Emitter { folded, position: 0, sink }
    }

    /// Emits the glyphs `start..end` as they stand, as `units` units from the current one.
    #[inline]
    pub(crate) fn glyphs(&mut self, start: usize, end: usize, form: Form, units: usize, stop: bool) {
        self.text(self.folded.slice(start, end), start, end, form, units, stop);
    }

    /// Emits `text` for the glyphs `start..end`, where the two differ: stems, words without their apostrophe.
    #[inline]
    pub(crate) fn text(
        &mut self,
        text: &str,
        start: usize,
        end: usize,
        form: Form,
        units: usize,
        stop: bool,
    ) {
        let (Some(first), Some(last)) = (self.folded.glyphs.get(start), self.folded.glyphs.get(end - 1))
        else {
            return;
        };
        (self.sink)(Token {
            text,
            form,
            position: self.position,
            units: units as u32,
            span: first.from..last.to,
            stop,
        });
    }

    /// Passes one unit.
    #[inline]
    pub(crate) fn advance(&mut self) {
        self.position = self.position.saturating_add(1);
    }
}
