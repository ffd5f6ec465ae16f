//! How long summaries are, by the preset of their space (A2, A3, D3).

use memoir_model::{Preset, SummaryLevel};
use memoir_text::{Language, Limit};

/// How long a summary is: from, to, in characters for Chinese and in words for English.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Length {
    characters: (usize, usize),
    words: (usize, usize),
    /// How many tokens a model may take for it.
    pub(crate) tokens: u32,
    /// How many messages of a session are read; the last ones count.
    pub(crate) messages: Option<usize>,
}

const fn length(characters: (usize, usize), words: (usize, usize), tokens: u32) -> Length {
    Length { characters, words, tokens, messages: None }
}

impl Length {
    /// The length of a level in a preset.
    pub(crate) const fn of(level: SummaryLevel, preset: Preset) -> Self {
        match (level, preset) {
            // One or two sentences, from the last 20 messages.
            (SummaryLevel::Session, Preset::Reading) => {
                Length { messages: Some(20), ..length((30, 90), (20, 50), 300) }
            }
            (SummaryLevel::Session, _) => length((100, 200), (60, 120), 300),
            (SummaryLevel::Day | SummaryLevel::Week, _) => length((200, 400), (120, 240), 500),
            (SummaryLevel::Month, _) => length((300, 600), (180, 360), 800),
            (SummaryLevel::Background, _) => length((400, 800), (240, 480), 1_000),
        }
    }

    /// The least and the most, as a talk in this language is measured.
    pub(crate) const fn range(self, language: Language) -> (usize, usize) {
        match language {
            Language::En => self.words,
            _ => self.characters,
        }
    }

    /// The most that a summary of so much text may have: half of it, if that is less.
    pub(crate) fn limit(self, language: Language, text: &[&str]) -> Limit {
        let limit = match language {
            Language::En => Limit::Words(self.words.1),
            _ => Limit::Characters(self.characters.1),
        };
        let whole: usize = text.iter().map(|text| limit.measure(text)).sum();
        let most = limit.most().min((whole / 2).max(self.shortest(language)));
        match limit {
            Limit::Words(_) => Limit::Words(most),
            Limit::Characters(_) => Limit::Characters(most),
        }
    }

    /// What is not worth shortening.
    const fn shortest(self, language: Language) -> usize {
        match language {
            Language::En => 20,
            _ => 40,
        }
    }
}

/// The length of the one line that says what a session was about.
pub(crate) const fn headline(language: Language) -> Limit {
    match language {
        Language::En => Limit::Words(16),
        _ => Limit::Characters(40),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_talk_has_a_shorter_summary() {
        let session = Length::of(SummaryLevel::Session, Preset::General);
        assert_eq!(session.limit(Language::Zh, &["话".repeat(5_000).as_str()]), Limit::Characters(200));
        assert_eq!(session.limit(Language::Zh, &["话".repeat(100).as_str()]), Limit::Characters(50));
        assert_eq!(session.limit(Language::En, &["word ".repeat(10).as_str()]), Limit::Words(20));
        assert_eq!(Length::of(SummaryLevel::Session, Preset::Reading).messages, Some(20));
    }
}
