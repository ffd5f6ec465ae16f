use std::ops::Range;

use crate::{Language, language};

/// Words that join an English clause to the one before it: a sentence can end before them.
const JOINING: &[&str] =
    &["because", "if", "since", "though", "although", "which", "while", "who", "unless", "until"];
/// These join clauses when a subject follows, and the members of a list else.
const ADDING: &[&str] = &["and", "as", "but", "or", "so", "then"];
#[rustfmt::skip]
const SUBJECTS: &[&str] = &[
    "a", "he", "her", "his", "i", "i'm", "i've", "it", "it's", "my", "our", "she", "that", "the", "their", "there",
    "these", "they", "this", "we", "you", "your",
];

/// The clauses of a sentence as byte ranges that together are the sentence, each with its punctuation. Chinese clauses
/// end with a comma; English ones only where a joining word follows, for a comma there is often part of a list.
pub(super) fn clauses(sentence: &str) -> Vec<Range<usize>> {
    let chinese = matches!(language(sentence), Language::Zh | Language::Mixed);
    let mut clauses = Vec::new();
    let mut start = 0;
    let mut depth = 0_usize;
    for (at, c) in sentence.char_indices() {
        match c {
            '《' | '“' | '「' | '（' | '(' => depth += 1,
            '》' | '”' | '」' | '）' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let end = at + c.len_utf8();
        let ends = match c {
            '，' | '；' | ';' => true,
            ',' => chinese || joining_follows(sentence.get(end..).unwrap_or_default()),
            '：' | '—' => false,
            _ => false,
        };
        if ends && depth == 0 && end < sentence.len() {
            clauses.push(start..end);
            start = end;
        }
    }
    clauses.push(start..sentence.len());
    clauses
}

fn joining_follows(rest: &str) -> bool {
    let head: String = rest.chars().take(24).collect::<String>().to_lowercase();
    let mut words = head.split_whitespace();
    let (Some(first), second) = (words.next(), words.next().unwrap_or_default()) else { return false };
    JOINING.contains(&first) || (ADDING.contains(&first) && SUBJECTS.contains(&second))
}

/// Chinese words that join a clause to the one before it and can be left off at the beginning.
const CONNECTIVES: &[&str] = &[
    "但是", "不过", "可是", "而且", "所以", "因此", "然后", "另外", "此外", "同时", "并且", "但", "那么",
    "那",
];

/// Words with which a Chinese clause leans on the one before it: without that it lacks its subject.
const LEANING: &[&str] = &[
    "叫", "是", "也", "还", "就", "才", "都", "以及", "或者", "和", "的", "因为", "并", "让", "使", "从而",
    "却", "又", "再", "它", "他", "她", "这", "那",
];

/// How a Chinese clause begins or ends that waits for the next one.
const WAITING_STARTS: &[&str] = &[
    "如果", "虽然", "由于", "因为", "当", "既然", "除了", "为了", "对于", "关于", "作为", "随着", "尽管",
    "无论", "不管", "只要", "要是",
];
const WAITING_ENDS: &[&str] = &[
    "之后", "以后", "时候", "时", "的话", "之前", "以前", "之余", "来说", "来讲", "而言", "同时", "其中",
    "因为", "例如", "比如",
];

/// Whether a Chinese sentence cannot end with this clause.
pub(super) fn waits(clause: &str) -> bool {
    let bare = clause.trim_matches(|c: char| !c.is_alphanumeric());
    let bare = bare.get(connective(bare)..).unwrap_or(bare);
    WAITING_STARTS.iter().any(|start| bare.starts_with(start))
        || WAITING_ENDS.iter().any(|end| bare.ends_with(end))
}

/// Words that ask in Chinese.
const ASKING: &[&str] = &[
    "有没有",
    "是不是",
    "能不能",
    "可不可以",
    "要不要",
    "会不会",
    "吗",
    "什么",
    "怎么",
    "怎样",
    "如何",
    "哪",
    "为何",
    "多少",
    "几",
    "呢",
    "谁",
    "可以给",
    "能给",
    "能否",
];

/// Whether a clause of a sentence with a question mark is what asks.
pub(super) fn asks(clause: &str) -> bool {
    ASKING.iter().any(|word| clause.contains(word))
}

/// `clause` without the connective at its beginning: how many bytes that is.
pub(super) fn connective(clause: &str) -> usize {
    let blank = clause.len() - clause.trim_start().len();
    let rest = clause.trim_start();
    let word = CONNECTIVES.iter().find(|word| rest.starts_with(**word)).map_or(0, |word| word.len());
    let comma = rest.get(word..).filter(|_| word > 0).is_some_and(|rest| rest.starts_with('，'));
    blank + word + if comma { '，'.len_utf8() } else { 0 }
}

/// Whether a Chinese clause can begin a sentence.
pub(super) fn stands_alone(clause: &str) -> bool {
    let rest = clause.trim_start();
    !LEANING.iter().any(|word| rest.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(sentence: &str) -> Vec<&str> {
        clauses(sentence).into_iter().map(|range| &sentence[range]).collect()
    }

    #[test]
    fn commas_part_chinese_clauses_and_joining_words_english_ones() {
        assert_eq!(split("我去了公园，看到了《你好，世界》。"), ["我去了公园，", "看到了《你好，世界》。"]);
        assert_eq!(
            split("I like tea, milk, and rice, and I swim, because it helps."),
            ["I like tea, milk, and rice,", " and I swim,", " because it helps."]
        );
    }
}
