//! What of a message becomes its vector: who said what, and how the turn before it ended.

use memoir_model::{Message, MessageState};

/// How much of one message is embedded: no model reads further.
const LONGEST_TEXT: usize = 16 << 10;
/// How many characters of the turn before are embedded, its last ones.
const CONTEXT: usize = 200;
/// How many of those are given up so that they begin with a whole word.
const SPARE: usize = 40;
/// The longest name of an author, in characters.
const LONGEST_NAME: usize = 40;

/// The text of a message after the turn before it. Its own words come first, so that no context pushes them out of what
/// a model reads.
pub(crate) fn in_context(message: &Message, before: Option<&Message>) -> String {
    let mut text = format!("{}: {}", speaker(message), message.searchable().join("\n"));
    text.truncate(text.floor_char_boundary(LONGEST_TEXT));
    if let Some(before) = before.filter(|before| before.state == MessageState::Active) {
        let said = before.searchable().join("\n");
        text.push_str(&format!("\n{}: {}", speaker(before), end(&said)));
    }
    text
}

/// Who speaks: the author, if that reads like a name and not like a number or an address.
fn speaker(message: &Message) -> &str {
    let author = message.author.as_str();
    let fits = |c: char| c.is_alphabetic() || matches!(c, ' ' | '\'' | '-' | '.');
    let is_name = author.chars().all(fits)
        && author.chars().any(char::is_alphabetic)
        && author.chars().count() <= LONGEST_NAME;
    if is_name { author } else { message.role.as_str() }
}

/// The last characters of a text, from the beginning of a word on if one begins early enough.
fn end(text: &str) -> &str {
    let text = text.trim_end();
    let Some((start, _)) = text.char_indices().rev().nth(CONTEXT - 1).filter(|(start, _)| *start > 0) else {
        return text;
    };
    // With the character before it, which tells whether a word begins here.
    let before = text.floor_char_boundary(start - 1);
    let blank = text[before..].char_indices().take(SPARE).find(|(_, c)| c.is_whitespace());
    &text[blank.map_or(start, |(place, blank)| before + place + blank.len_utf8())..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;
    use memoir_model::{
        Attachment, Author, MessageId, Metadata, SessionId, Speaker, Thread, Zone, ZoneHistory,
    };
    use proptest::prelude::*;

    fn said(author: &str, content: &str) -> Message {
        let said_at = Timestamp::UNIX_EPOCH;
        Message {
            id: MessageId::new("m").unwrap(),
            seq: 1,
            session: SessionId::new("s").unwrap(),
            thread: Thread::default(),
            author: Author::new(author).unwrap(),
            role: Speaker::User,
            content: content.to_owned(),
            said_at,
            recorded_at: said_at,
            local: ZoneHistory::new(Zone::utc()).local(said_at),
            reply_to: None,
            mentions: Vec::new(),
            attachments: Vec::new(),
            metadata: Metadata::new(),
            version: 1,
            state: MessageState::Active,
        }
    }

    #[test]
    fn own_words_come_first_and_the_turn_before_follows() {
        let before = said("Bob", "which one?");
        let mut message = said("Alice", "the green one");
        assert_eq!(in_context(&message, None), "Alice: the green one");
        assert_eq!(in_context(&message, Some(&before)), "Alice: the green one\nBob: which one?");
        let caption = Some("a green bicycle".to_owned());
        message.attachments =
            vec![Attachment { reference: "r".into(), media_type: "image/png".into(), caption }];
        assert_eq!(
            in_context(&message, Some(&before)),
            "Alice: the green one\na green bicycle\nBob: which one?"
        );
    }

    #[test]
    fn an_author_that_is_no_name_is_called_by_the_part_in_which_it_speaks() {
        for name in ["alice", "Jean-Luc O'Neil Jr.", "小明", "Ольга", &"n".repeat(40)] {
            assert_eq!(speaker(&said(name, "hi")), name);
        }
        let long = "n".repeat(41);
        for id in ["ou_7d8a6e6df7621556ce0d21922b676706", "a@b.example", "u2", "-", "...", "1984", &long] {
            assert_eq!(speaker(&said(id, "hi")), "user", "{id}");
        }
        let bot = Message { role: Speaker::Assistant, ..said("bot-7", "hi") };
        assert_eq!(in_context(&bot, None), "assistant: hi");
    }

    #[test]
    fn of_a_long_turn_the_end_is_kept_from_a_whole_word_on() {
        let short = "x".repeat(200);
        assert_eq!(end(&short), short);
        assert_eq!(end(&format!("{short}  ")), short);
        let words = format!("beginning {}", "word ".repeat(60));
        let kept = end(&words);
        assert!(kept.starts_with("word ") && kept.ends_with("word"), "{kept:?}");
        assert!((160..=200).contains(&kept.chars().count()), "{}", kept.len());
        // The word that fills it exactly is whole.
        let exact = format!("gone {}", "x".repeat(200));
        assert_eq!(end(&exact), "x".repeat(200));
        // Nothing to cut at, or too far on.
        assert_eq!(end(&"话".repeat(300)), "话".repeat(200));
        let late = format!("{} end", "x".repeat(300));
        assert_eq!(end(&late).chars().count(), 200);
    }

    #[test]
    fn a_long_message_is_cut_and_keeps_its_context() {
        let message = said("Alice", &"话".repeat(10_000));
        let text = in_context(&message, Some(&said("Bob", "why?")));
        assert!(text.starts_with("Alice: 话") && text.ends_with("话\nBob: why?"));
        assert!(text.len() <= LONGEST_TEXT + 10);
    }

    #[test]
    fn nothing_is_said_by_what_was_recalled() {
        let before = Message { state: MessageState::Recalled, ..said("Bob", "secret") };
        assert_eq!(in_context(&said("Alice", "hm"), Some(&before)), "Alice: hm");
    }

    proptest! {
        #[test]
        fn the_end_of_any_text_is_an_end_of_it(text in "[a话é \n]{0,500}") {
            let kept = end(&text);
            prop_assert!(text.trim_end().ends_with(kept));
            let (all, some) = (text.trim_end().chars().count(), kept.chars().count());
            prop_assert!(some <= CONTEXT && some >= all.min(CONTEXT - SPARE), "{some} of {all}");
        }
    }
}
