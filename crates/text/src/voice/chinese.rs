use super::{Voices, is_quoted, quotations};
use crate::{Form, tokens};

/// Words with 我 or 你 in them that are nobody's pronoun.
const NO_PRONOUNS: &[&str] = &[
    "我国",
    "我方",
    "我军",
    "我校",
    "我院",
    "我市",
    "我省",
    "我们",
    "咱们",
    "你们",
    "我行我素",
    "你好",
    "您好",
];

/// Replaces 我 and 你 outside quotation marks. 我们 stays: who belongs to it is not known.
pub(super) fn third(text: &str, voices: Voices<'_>) -> Option<String> {
    let quotations = quotations(text);
    let mut words = Vec::new();
    tokens(text, |token| {
        if token.form == Form::Word {
            words.push((token.text.to_owned(), token.span));
        }
    });
    let mut changed = String::with_capacity(text.len() + 16);
    let mut done = 0;
    // The clause in which the speaker was named last, and whether it began with that.
    let mut named: Option<(usize, bool)> = None;
    let mut clause = 0;
    for (word, span) in words {
        let gap = text.get(done..span.start)?;
        clause += gap.chars().filter(|c| is_clause_end(*c)).count();
        changed.push_str(gap);
        done = span.end;
        let original = text.get(span.clone())?;
        if is_quoted(&quotations, span.start) || !word.contains(['我', '你', '您', '咱']) {
            changed.push_str(original);
            continue;
        }
        let after = text.get(span.end..)?;
        let begins = text.get(..span.start)?.trim_end().chars().next_back().is_none_or(is_clause_end);
        // 我会, 你家: the dictionary has pronouns grown to other words.
        let grown = word.chars().count() == 2 && !NO_PRONOUNS.contains(&word.as_str());
        let head = original.chars().next().map_or(0, char::len_utf8);
        let (pronoun, rest) =
            if grown { (word.get(..3)?, original.get(head..)?) } else { (word.as_str(), "") };
        let after = if grown { rest } else { after };
        match pronoun {
            "我" | "咱" => {
                let possessive = after.starts_with('的');
                match named {
                    // 我觉得我应该: 用户觉得自己应该.
                    Some((last, _)) if last == clause => changed.push_str("自己"),
                    // 我去了公园，我看到: 用户去了公园，看到.
                    Some((last, true)) if begins && !possessive && last + 1 == clause => {
                        named = Some((clause, true));
                    }
                    _ => {
                        push_name(&mut changed, voices.speaker, after);
                        named = Some((clause, begins));
                    }
                }
            }
            "你" | "您" => push_name(&mut changed, voices.addressee?, after),
            _ if NO_PRONOUNS.contains(&pronoun) || pronoun.starts_with("自我") => {
                changed.push_str(original);
            }
            _ => return None,
        }
        changed.push_str(rest);
    }
    changed.push_str(text.get(done..)?);
    Some(changed)
}

/// A Latin name keeps its distance from Latin neighbours.
fn push_name(changed: &mut String, name: &str, after: &str) {
    let is_latin = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    if is_latin(changed.chars().next_back()) && is_latin(name.chars().next()) {
        changed.push(' ');
    }
    changed.push_str(name);
    if is_latin(name.chars().next_back()) && is_latin(after.chars().next()) {
        changed.push(' ');
    }
}

fn is_clause_end(c: char) -> bool {
    matches!(c, '，' | '。' | '！' | '？' | '；' | '：' | '…' | ',' | '.' | '!' | '?' | ';' | '、' | '\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(text: &str) -> Option<String> {
        third(text, Voices { speaker: "用户", addressee: Some("助手") })
    }

    #[test]
    fn pronouns_become_names() {
        let cases = [
            ("我喜欢川菜", "用户喜欢川菜"),
            ("我的猫三岁了", "用户的猫三岁了"),
            ("我觉得我应该多运动", "用户觉得自己应该多运动"),
            ("我去了公园，我看到了松鼠", "用户去了公园，看到了松鼠"),
            ("你推荐的电影很好看", "助手推荐的电影很好看"),
            ("我們去看展覽，我很喜歡", "我們去看展覽，用户很喜歡"),
            ("我会考虑，我们走吧", "用户会考虑，我们走吧"),
            ("自我介绍让我紧张", "自我介绍让用户紧张"),
            ("妈妈说“我不去”，我也没去", "妈妈说“我不去”，用户也没去"),
        ];
        for (text, expected) in cases {
            assert_eq!(user(text).as_deref(), Some(expected));
        }
    }

    #[test]
    fn an_unknown_addressee_leaves_the_sentence_alone() {
        assert_eq!(third("我喜欢你的画", Voices { speaker: "小明", addressee: None }), None);
        assert_eq!(
            third("我喜欢画", Voices { speaker: "小明", addressee: None }).as_deref(),
            Some("小明喜欢画")
        );
    }
}
