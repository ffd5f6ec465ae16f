use std::cell::Cell;

use crate::{fold::Folded, word::Buffers};

/// Above this many characters the buffers are given back, so that one huge text does not stay in every thread.
const KEPT_GLYPHS: usize = 16 * 1024;
const KEPT_BYTES: usize = 4 * KEPT_GLYPHS;

/// The buffers of one analysis, reused by the next one on the same thread.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) folded: Folded,
    pub(crate) buffers: Buffers,
}

thread_local! {
    static SCRATCH: Cell<Scratch> = Cell::default();
}

/// Lends the thread's buffers to `work`. They are taken, not borrowed: a sink may analyse another text meanwhile and
/// gets fresh buffers, and a thread that is ending still works.
pub(crate) fn with<T>(work: impl FnOnce(&mut Scratch) -> T) -> T {
    let mut scratch = SCRATCH.try_with(Cell::take).unwrap_or_default();
    let result = work(&mut scratch);
    let Folded { text, glyphs, .. } = &scratch.folded;
    if glyphs.capacity() > KEPT_GLYPHS || text.capacity() > KEPT_BYTES {
        scratch.folded = Folded::default();
    }
    // Failing means that the thread is ending and its buffers with it.
    let _ = SCRATCH.try_with(|kept| kept.set(scratch));
    result
}
