/// How long a summary may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// In characters, as Chinese texts are measured.
    Characters(usize),
    /// In words, as English texts are measured; a Han character counts as one.
    Words(usize),
}

impl Limit {
    /// The number that the limit allows.
    pub fn most(self) -> usize {
        match self {
            Limit::Characters(most) | Limit::Words(most) => most,
        }
    }

    /// The length of `text` as this limit measures it.
    pub fn measure(self, text: &str) -> usize {
        match self {
            Limit::Characters(_) => text.chars().count(),
            Limit::Words(_) => words(text),
        }
    }

    /// As much of `text` as the limit allows, with an ellipsis for the rest.
    pub fn cut(self, text: &str) -> String {
        let most = self.most();
        if self.measure(text) <= most {
            return text.to_owned();
        }
        let end = match self {
            Limit::Characters(_) => text.char_indices().nth(most.saturating_sub(1)).map_or(0, |(at, _)| at),
            Limit::Words(_) => word_starts(text).nth(most).unwrap_or(text.len()),
        };
        let kept = text.get(..end).unwrap_or_default().trim_end();
        if most == 0 { String::new() } else { format!("{kept}…") }
    }

    /// What a join of two sentences may cost.
    pub(super) fn joint(self) -> usize {
        match self {
            Limit::Characters(_) => 1,
            Limit::Words(_) => 0,
        }
    }
}

fn words(text: &str) -> usize {
    word_starts(text).count()
}

/// Where the words begin, in bytes. A Han character is a word.
fn word_starts(text: &str) -> impl Iterator<Item = usize> {
    let mut in_word = false;
    text.char_indices().filter_map(move |(at, c)| {
        let han = matches!(c, '\u{3400}'..='\u{9FFF}');
        let wordy = !han && (c.is_alphanumeric() || (in_word && matches!(c, '\'' | '’' | '-')));
        let begins = han || (wordy && !in_word);
        in_word = wordy;
        begins.then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_characters_are_counted_as_people_count_them() {
        assert_eq!(Limit::Words(0).measure("I don't like well-known 北京 snacks."), 7);
        assert_eq!(Limit::Characters(0).measure("我爱 AI"), 5);
    }

    #[test]
    fn what_is_cut_keeps_the_limit() {
        assert_eq!(Limit::Characters(4).cut("我喜欢喝茶"), "我喜欢…");
        assert_eq!(Limit::Words(2).cut("I don't like tea"), "I don't…");
        assert_eq!(Limit::Words(9).cut("I like tea"), "I like tea");
        assert_eq!(Limit::Characters(0).cut("茶"), "");
    }
}
