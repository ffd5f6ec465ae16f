use std::ops::Range;

use crate::{
    abbreviation::{self, Point},
    glyph::Class,
};

/// A title in 《》 longer than this, in characters, is taken for a stray bracket.
const LONGEST_TITLE: usize = 60;
/// How far back the word before a point is looked for, in characters.
const LONGEST_ABBREVIATION: usize = 8;

/// White space and marks before the number of a list item, in characters.
const LONGEST_MARKER: usize = 16;

/// Words that open sentences so often that after an abbreviation such as `U.S.` a new one begins with them.
#[rustfmt::skip]
const OPENERS: &[&str] = &[
    "A", "After", "Although", "An", "And", "As", "At", "But", "For", "He", "Her", "His", "How", "However",
    "I", "I'm", "I've", "If", "In", "It", "It's", "My", "No", "On", "Our", "She", "So", "That", "The",
    "Their", "Then", "There", "These", "They", "This", "We", "What", "When", "Where", "Who", "Why", "Yes",
    "You", "Your",
];

/// The sentences of `text` as byte ranges on character boundaries, in order, without white space at either end.
///
/// A sentence ends with Chinese or English punctuation, with what closes after it (quotes, brackets, emoji), or with
/// its line. Abbreviations, initials, decimals, addresses, list markers and stops inside 《》 end none. Together the
/// ranges cover everything but white space; the time is linear.
///
/// ```
/// let text = "Dr. Li paid 3.5 dollars. 真的吗？“当然！”好吧";
/// let all: Vec<&str> = memoir_text::sentences(text).into_iter().map(|range| &text[range]).collect();
/// assert_eq!(all, ["Dr. Li paid 3.5 dollars.", "真的吗？", "“当然！”", "好吧"]);
/// ```
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let mut splitter = Splitter { text, chars: &chars, start: 0, ranges: Vec::new() };
    let mut at = 0;
    while at < chars.len() {
        at = splitter.step(at);
    }
    splitter.cut(chars.len());
    splitter.ranges
}

struct Splitter<'t> {
    text: &'t str,
    chars: &'t [(usize, char)],
    /// Where the current sentence begins, in characters.
    start: usize,
    ranges: Vec<Range<usize>>,
}

impl Splitter<'_> {
    /// Looks at one character, ends the sentence after it if need be, and says where to go on.
    fn step(&mut self, at: usize) -> usize {
        let Some(c) = self.get(at) else { return at + 1 };
        match c {
            '\n' | '\r' | '\u{2028}' | '\u{2029}' => {
                self.cut(at);
                at + 1
            }
            '《' => self.after_title(at).unwrap_or(at + 1),
            _ if is_stop(c) => {
                let stops = self.while_true(at, is_stop);
                let end = self.while_closing(stops);
                if self.ends(at, stops, end) {
                    self.cut(end);
                }
                end
            }
            _ => at + 1,
        }
    }

    /// Whether the stops `at..stops`, with what closes up to `end`, end the sentence.
    fn ends(&self, at: usize, stops: usize, end: usize) -> bool {
        let run = || self.chars.get(at..stops).unwrap_or_default().iter().map(|&(_, c)| c);
        let Some(next) = self.get(end) else { return true };
        let after = self.get(self.while_true(end, |c| c.is_whitespace() && c != '\n'));
        // `"Really?" she asked`: the talk goes on outside the quotes.
        let goes_on = next.is_whitespace() && after.is_some_and(char::is_lowercase);
        if run().any(|c| matches!(c, '。' | '！' | '？' | '｡')) {
            return true;
        }
        if run().any(|c| matches!(c, '!' | '?')) {
            let address = next.is_ascii_alphanumeric() || matches!(next, '=' | '&' | '/' | '%');
            let quoted = goes_on && end > stops;
            return !address && !quoted;
        }
        let points = stops - at;
        if points > 1 || run().any(|c| c == '…') {
            return !(goes_on || next.is_ascii_alphanumeric());
        }
        self.point_ends(at, next, after)
    }

    /// Whether the single point at `at`, before `next` and after white space `after`, ends the sentence.
    fn point_ends(&self, at: usize, next: char, after: Option<char>) -> bool {
        if !(next.is_whitespace() || Class::of(next) == Class::Han || is_closing(next)) {
            // 3.5, example.com, v1.2, file.rs
            return Class::of(next.to_ascii_lowercase()) == Class::Emoji;
        }
        let from = (self.start.max(at.saturating_sub(LONGEST_ABBREVIATION))..at)
            .rev()
            .take_while(|&i| {
                self.get(i).is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '\'' | '’'))
            })
            .last()
            .unwrap_or(at);
        let word = self.slice(from, at);
        if word.is_empty() || !word.is_ascii() {
            return true;
        }
        // `1. Milk`: the marker of a list item begins the sentence.
        if self.is_at_start(from) && word.len() <= 3 && word.bytes().all(|byte| byte.is_ascii_digit()) {
            return false;
        }
        let cut_short = from + LONGEST_ABBREVIATION == at && from > self.start;
        if cut_short {
            return true;
        }
        match abbreviation::judge(word, after.is_some_and(|c| c.is_ascii_digit())) {
            Point::Inside => false,
            Point::End => true,
            Point::Maybe => {
                let dotted = word.contains('.') && word.bytes().any(|byte| byte.is_ascii_uppercase());
                match after {
                    Some(c) if dotted && c.is_ascii_uppercase() => self.opener_follows(at + 1),
                    Some(c) => !c.is_lowercase() && !c.is_ascii_digit() && !matches!(c, ',' | '，' | '('),
                    None => true,
                }
            }
        }
    }

    /// Whether nothing but white space and the marks of a list stands before `at` in the sentence.
    fn is_at_start(&self, at: usize) -> bool {
        let before = self.chars.get(self.start..at).unwrap_or_default();
        before.len() <= LONGEST_MARKER
            && before.iter().all(|&(_, c)| c.is_whitespace() || matches!(c, '(' | '*' | '-'))
    }

    fn opener_follows(&self, at: usize) -> bool {
        let from = self.while_true(at, char::is_whitespace);
        let limit = from + 10;
        let mut to = from;
        while to < limit && self.get(to).is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '\'' | '’'))
        {
            to += 1;
        }
        OPENERS.contains(&self.slice(from, to))
    }

    /// The place after the 》 that closes the 《 at `at`, unless it is far away or on another line.
    fn after_title(&self, at: usize) -> Option<usize> {
        let end = self.chars.len().min(at + LONGEST_TITLE);
        let inside = self.chars.get(at + 1..end)?;
        let close = inside.iter().position(|&(_, c)| matches!(c, '》' | '\n' | '《'))?;
        (inside.get(close)?.1 == '》').then_some(at + close + 2)
    }

    /// The end of the quotes, brackets, emoji and further stops after a stop. Emoji may stand after a blank.
    fn while_closing(&self, at: usize) -> usize {
        let mut end = at;
        loop {
            let closed = self.while_true(end, |c| is_closing(c) || is_stop(c));
            // A straight quote after a blank opens; one before a letter does too.
            let blank = if self.get(closed) == Some(' ') { closed + 1 } else { closed };
            let emoji = self.while_true(blank, is_emoji);
            let next = if emoji > blank { emoji } else { closed };
            if next == end {
                return end;
            }
            end = next;
        }
    }

    fn while_true(&self, at: usize, holds: impl Fn(char) -> bool) -> usize {
        let rest = self.chars.get(at..).unwrap_or_default();
        at + rest.iter().take_while(|&&(_, c)| holds(c)).count()
    }

    fn get(&self, at: usize) -> Option<char> {
        self.chars.get(at).map(|&(_, c)| c)
    }

    fn offset(&self, at: usize) -> usize {
        self.chars.get(at).map_or(self.text.len(), |&(offset, _)| offset)
    }

    fn slice(&self, from: usize, to: usize) -> &str {
        self.text.get(self.offset(from)..self.offset(to)).unwrap_or_default()
    }

    /// Ends the current sentence before the character `end`; nothing but white space is no sentence.
    fn cut(&mut self, end: usize) {
        let (from, to) = (self.offset(self.start), self.offset(end));
        let raw = self.text.get(from..to).unwrap_or_default();
        let from = to - raw.trim_start().len();
        let to = from + raw.trim().len();
        if from < to {
            self.ranges.push(from..to);
        }
        self.start = end;
    }
}

fn is_stop(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡' | '!' | '?' | '.' | '…' | '．')
}

fn is_closing(c: char) -> bool {
    matches!(
        c,
        '”' | '’'
            | '」'
            | '』'
            | '）'
            | ')'
            | '】'
            | '》'
            | '〉'
            | '］'
            | ']'
            | '"'
            | '\''
            | '~'
            | '～'
            | '*'
    )
}

fn is_emoji(c: char) -> bool {
    matches!(c, '\u{200D}' | '\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}')
        || matches!(Class::of(c), Class::Emoji | Class::Flag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        sentences(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn stops_of_both_languages_end_sentences() {
        assert_eq!(split("你好。今天怎么样？很好！"), ["你好。", "今天怎么样？", "很好！"]);
        assert_eq!(split("Hi there. How are you? Fine!"), ["Hi there.", "How are you?", "Fine!"]);
        assert_eq!(split("我喜欢 Rust. 你呢?好的!"), ["我喜欢 Rust.", "你呢?", "好的!"]);
        assert_eq!(split("真的吗？！太好了！！！"), ["真的吗？！", "太好了！！！"]);
    }

    #[test]
    fn abbreviations_initials_and_decimals_end_none() {
        let whole = [
            "Dr. Smith and Mrs. Jones met J. K. Rowling.",
            "Bring fruit, e.g. apples, i.e. something fresh.",
            "The U.S. economy grew 3.5 percent.",
            "It costs $1,299.99 at example.com today.",
            "See No. 5 and p. 12 of the book.",
            "Open main.rs or visit https://a.b/c?d=e&f=g now.",
            "at 5 p.m. on Friday",
            "《你好！李焕英》很好看",
        ];
        for text in whole {
            assert_eq!(split(text), [text]);
        }
        assert_eq!(split("I live in the U.S. It is big."), ["I live in the U.S.", "It is big."]);
        assert_eq!(split("We met at 5 p.m. Then we ate."), ["We met at 5 p.m.", "Then we ate."]);
        assert_eq!(split("So did I. No. I won't."), ["So did I.", "No.", "I won't."]);
    }

    #[test]
    fn what_closes_after_a_stop_belongs_to_it() {
        assert_eq!(split("他说：“走吧。”我没去。"), ["他说：“走吧。”", "我没去。"]);
        assert_eq!(split("(It rained.) We stayed."), ["(It rained.)", "We stayed."]);
        assert_eq!(split("\"Really?\" she asked. \"Yes.\""), ["\"Really?\" she asked.", "\"Yes.\""]);
        assert_eq!(split("Great! 😊👍🏽 See you."), ["Great! 😊👍🏽", "See you."]);
        assert_eq!(split("太好了！😄明天见"), ["太好了！😄", "明天见"]);
    }

    #[test]
    fn ellipses_end_a_sentence_unless_it_goes_on() {
        assert_eq!(split("Well... maybe not."), ["Well... maybe not."]);
        assert_eq!(split("Well... Maybe."), ["Well...", "Maybe."]);
        assert_eq!(split("我不知道……算了。"), ["我不知道……", "算了。"]);
    }

    #[test]
    fn lines_and_list_items_are_sentences() {
        let text = "Plan:\n1. Buy milk\n2. Call Bob.\n- rest\n\n* sleep 3.5 hours";
        assert_eq!(split(text), ["Plan:", "1. Buy milk", "2. Call Bob.", "- rest", "* sleep 3.5 hours"]);
        assert_eq!(split("1、买菜\n一、做饭\n①洗碗"), ["1、买菜", "一、做饭", "①洗碗"]);
    }

    #[test]
    fn nothing_but_white_space_has_no_sentence() {
        assert!(split(" \n\t ").is_empty());
        assert_eq!(split("。。。"), ["。。。"]);
    }
}
