//! How Memoir reads text: one analysis, shared by what is written and what is asked.
//!
//! A text is folded (case, width, accents, traditional characters, invisible characters), cut into runs of one
//! script, and each run gives tokens that point back into the original. Chinese words come from a dictionary, but
//! every character and every pair of characters is a token too, so a query finds a text even where the two were
//! segmented differently.
//!
//! The crate is pure: no I/O, no clock, no settings. **Equal text gives equal tokens on every node**, and any change
//! to the tokens changes [`ANALYSER_VERSION`].
//!
//! ```
//! let mut words = Vec::new();
//! memoir_text::tokens("小貓喜歡 Walking！", |token| {
//!     if token.form == memoir_text::Form::Word {
//!         words.push(token.text.to_owned());
//!     }
//! });
//! assert_eq!(words, ["小猫", "喜欢", "walk"]);
//! ```

mod dictionary;
mod emitter;
mod fold;
mod glyph;
mod han;
mod part;
mod run;
mod scratch;
mod simplify;
mod stem;
mod stop;
mod syllable;
mod token;
mod variant;
mod word;

pub use token::{Form, Token};

/// Version of the analysis; stored with every terms blob, changes whenever tokens change.
pub const ANALYSER_VERSION: u8 = 1;

/// Calls `sink` for every token of `text`, in order of position.
///
/// The token borrows buffers that are reused for the next one, so a sink that keeps a token copies what it needs.
/// No `(text, position)` pair is given twice.
pub fn tokens(text: &str, mut sink: impl FnMut(Token<'_>)) {
    scratch::with(|scratch| {
        scratch.folded.fold(text);
        run::walk(scratch, &mut sink);
    });
}

/// The folded text, for comparisons: what [`tokens`] sees, with white space collapsed and trimmed.
///
/// ```
/// assert_eq!(memoir_text::normalise("  Ｃａｆé\n臺北 "), "cafe 台北");
/// ```
pub fn normalise(text: &str) -> String {
    scratch::with(|scratch| {
        scratch.folded.fold(text);
        scratch.folded.collapsed()
    })
}

/// Loads the dictionaries now rather than at first use. Calling it again costs nothing.
pub fn warm_up() {
    dictionary::load();
    simplify::load();
}
