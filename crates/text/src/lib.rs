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
//!
//! On top of the tokens stands what can be read out of a text by rules, in Chinese and English: its [`language`],
//! [`sentences`], [`keywords`], [`titles`], [`people`], [`numbers`] and [`negations`], how alike two texts are
//! ([`similarity`]), how long one is for a language model ([`estimate_tokens`]), and the summary of a talk
//! ([`summarise`], [`topics`]). All of it takes any text in near-linear time and gives the same for the same text.
//! **None of it changes the tokens.**

mod abbreviation;
mod antonym;
mod background;
mod chinese;
mod dictionary;
mod emitter;
mod english;
mod estimate;
mod fold;
mod forename;
mod glyph;
mod graph;
mod han;
mod keyword;
mod language;
mod negation;
mod number;
mod numeral;
mod part;
mod person;
mod run;
mod scratch;
mod sentence;
mod similarity;
mod simplify;
mod stem;
mod stop;
mod summary;
mod surname;
mod syllable;
mod term;
mod title;
mod token;
mod variant;
mod verb;
mod voice;
mod word;

pub use antonym::{antonyms, opposes};
pub use estimate::estimate_tokens;
pub use keyword::{Keyword, keywords};
pub use language::{Language, language};
pub use negation::{Negation, negations};
pub use number::{Number, numbers};
pub use person::{Person, PersonKind, people};
pub use sentence::sentences;
pub use similarity::similarity;
pub use stop::is_stop;
pub use summary::{Extract, Limit, Role, Summary, Turn, is_courtesy, summarise, topics};
pub use title::{Title, TitleKind, titles};
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

/// The simplified form of a character; what has none stays as it is.
///
/// ```
/// assert_eq!(memoir_text::simplified('週'), '周');
/// ```
pub fn simplified(c: char) -> char {
    simplify::load().get(c).map_or(c, simplify::Simplified::c)
}

/// Loads the dictionaries now rather than at first use. Calling it again costs nothing.
pub fn warm_up() {
    dictionary::load();
    simplify::load();
}
