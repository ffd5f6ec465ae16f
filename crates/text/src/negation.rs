use std::ops::Range;

use crate::{Form, tokens};

/// A word that negates, and what it probably negates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Negation {
    /// Byte range of the negating word: 不, 没有, `don't`, `never`.
    pub cue: Range<usize>,
    /// Byte range of what follows it up to the end of its clause, at most a dozen words. Empty when nothing follows.
    pub scope: Range<usize>,
}

/// Chinese words that negate by themselves.
#[rustfmt::skip]
const CHINESE: &[&str] = &[
    "不", "没", "没有", "别", "未", "勿", "莫", "非", "无", "不是", "不会", "不能", "不要", "不想", "不用",
    "不必", "不再", "不曾", "不得", "不可", "不该", "不敢", "不肯", "不愿", "不愿意", "不让", "不许",
    "不准", "从不", "从未", "从来不", "从没", "并不", "并非", "并未", "绝不", "决不", "毫不", "毫无",
    "尚未", "未曾", "未必", "没能", "没法", "无法", "拒绝", "禁止", "避免", "甭", "不太", "不怎么", "不大",
    "很少", "并没有", "不可能", "不应该", "不希望", "不喜欢", "不知道", "不爱", "不吃",
];

/// Words that begin like a negation and negate nothing, or ask.
#[rustfmt::skip]
const NO_NEGATIONS: &[&str] = &[
    "不错", "不过", "不但", "不仅", "不仅仅", "不管", "不断", "不同", "不久", "不得不", "不论", "不少",
    "不禁", "不只", "不光", "不止", "不妨", "不如", "不得了", "不由得", "不约而同", "不好意思", "不客气",
    "不一会儿", "不一样", "不知不觉", "不惜", "不时", "不已", "没关系", "没事", "没问题", "没错", "没准",
    "非常", "非得", "未来", "无论", "无比", "无数", "无聊", "无疑", "无非", "非洲", "无锡", "无线", "别人",
    "别的", "别墅", "莫名", "莫非",
];

#[rustfmt::skip]
const ENGLISH: &[&str] = &[
    "not", "no", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without", "hardly",
    "barely", "scarcely", "seldom", "rarely", "cannot", "cant", "dont", "doesnt", "didnt", "isnt", "arent",
    "wasnt", "werent", "wont", "wouldnt", "shouldnt", "couldnt", "hasnt", "havent", "hadnt", "mustnt",
    "neednt", "aint", "stop", "stopped", "quit", "refuse", "refused", "avoid", "unable",
];

/// What follows `not` or `no` without being negated.
const NOT_ONLY: &[&str] = &["only", "just", "problem", "doubt", "matter", "worries", "wonder"];

/// Words at which the scope of an English negation ends.
const SCOPE_ENDS: &[&str] =
    &["but", "because", "although", "though", "however", "and", "so", "since", "unless"];
const CHINESE_SCOPE_ENDS: &[&str] = &["但", "但是", "不过", "可是", "因为", "所以", "而是", "却", "而且"];

/// The longest scope in words.
const LONGEST_SCOPE: usize = 12;

/// The negations of `text` in order, Chinese and English, with a guess of what each negates.
///
/// Words that only look like one (不错, 非常, `no problem`) are left out, and so are questions of the form 是不是.
///
/// ```
/// let text = "我不喜欢香菜，但是喜欢葱";
/// let all = memoir_text::negations(text);
/// assert_eq!((&text[all[0].cue.clone()], &text[all[0].scope.clone()]), ("不", "喜欢香菜"));
/// ```
pub fn negations(text: &str) -> Vec<Negation> {
    let words = words(text);
    let mut negations = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if negates(&words, at) {
            negations.push(Negation { cue: cue(text, word), scope: scope(text, &words, at) });
        }
    }
    negations
}

struct Word {
    /// Folded, not stemmed.
    folded: String,
    span: Range<usize>,
}

/// The words of a text; of an English one its exact form, which the stem would hide.
fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    tokens(text, |token| match token.form {
        Form::Word => words.push(Word { folded: token.text.to_owned(), span: token.span }),
        Form::Exact => {
            if let Some(last) = words.last_mut().filter(|last| last.span == token.span) {
                last.folded = token.text.to_owned();
            }
        }
        _ => {}
    });
    words
}

fn negates(words: &[Word], at: usize) -> bool {
    let Some(word) = words.get(at) else { return false };
    let folded = word.folded.as_str();
    let next = words.get(at + 1);
    if folded.is_ascii() {
        let only = matches!(folded, "not" | "no")
            && next.is_some_and(|next| NOT_ONLY.contains(&next.folded.as_str()));
        return ENGLISH.contains(&folded) && !only;
    }
    if NO_NEGATIONS.contains(&folded) {
        return false;
    }
    // 是不是, 好不好: a question, in one word or in three.
    let before = at.checked_sub(1).and_then(|i| words.get(i));
    let asks = before.zip(next).is_some_and(|(before, next)| {
        before.folded == next.folded && before.span.end == word.span.start && word.span.end == next.span.start
    });
    let chars: Vec<char> = folded.chars().collect();
    let asks = asks || matches!(chars.as_slice(), [a, '不' | '没', b] if a == b);
    let begins = chars.len() > 1 && matches!(chars.first(), Some('不' | '没'));
    // 差不多, 对不起, 了不起: 不 inside a word belongs to it.
    !asks && (CHINESE.contains(&folded) || begins)
}

/// Of a word that the dictionary has with its negation (不知道) only the negation.
fn cue(text: &str, word: &Word) -> Range<usize> {
    let grown = !word.folded.is_ascii() && !CHINESE.contains(&word.folded.as_str());
    let head = text.get(word.span.clone()).and_then(|word| word.chars().next()).map_or(0, char::len_utf8);
    if grown { word.span.start..word.span.start + head } else { word.span.clone() }
}

fn scope(text: &str, words: &[Word], at: usize) -> Range<usize> {
    let Some(word) = words.get(at) else { return 0..0 };
    let start = cue(text, word).end;
    let mut end = word.span.end;
    for next in words.iter().skip(at + 1).take(LONGEST_SCOPE) {
        let gap = text.get(end..next.span.start).unwrap_or_default();
        let ends =
            SCOPE_ENDS.contains(&next.folded.as_str()) || CHINESE_SCOPE_ENDS.contains(&next.folded.as_str());
        if ends || gap.contains(is_clause_end) {
            break;
        }
        end = next.span.end;
    }
    let inside = text.get(start..end).unwrap_or_default();
    end - inside.trim_start().len()..end
}

fn is_clause_end(c: char) -> bool {
    matches!(c, '，' | '。' | '！' | '？' | '；' | '：' | ',' | '.' | '!' | '?' | ';' | ':' | '\n' | '…')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, &str)> {
        negations(text).into_iter().map(|negation| (&text[negation.cue], &text[negation.scope])).collect()
    }

    #[test]
    fn negations_have_the_rest_of_their_clause_as_scope() {
        assert_eq!(found("我没有养猫，养了狗"), [("没有", "养猫")]);
        assert_eq!(found("I don't eat meat, but I like fish"), [("don't", "eat meat")]);
        assert_eq!(found("She never drinks coffee because of her heart"), [("never", "drinks coffee")]);
        assert_eq!(found("他從不抽菸"), [("從不", "抽菸")]);
        assert_eq!(found("no").len(), 1);
    }

    #[test]
    fn look_alikes_and_questions_are_none() {
        for text in [
            "味道不错",
            "你是不是饿了",
            "非常好，差不多",
            "别人说的",
            "not only tea",
            "No problem!",
            "无论如何",
            "好不好",
        ] {
            assert!(found(text).is_empty(), "{text}: {:?}", found(text));
        }
    }
}
