//! Whether a sentence asks something at all.

use super::subject::Subject;
use super::usual_spelling;

/// Whether a Chinese sentence asks something.
pub(super) fn asks_zhong(text: &Subject<'_>) -> bool {
    #[rustfmt::skip]
    const MARKS: &[&str] = &[
        "?", "吗", "什么", "啥", "几", "多少", "哪", "谁", "怎么", "咋", "多久", "多长", "何时", "来着", "是不是", "有没有", "对吧",
        "对不对", "呢", "么", "为何", "再说一遍", "再给我", "忘了", "想不起来", "不记得", "记不清", "帮我查", "帮我回忆", "帮我找",
        "翻一下", "拉个单子", "列个单子", "发一下", "发我", "给我个大概", "咩", "了没", "回顾", "总结", "复述", "重复", "整理", "是…还是", "有无", "说说", "列一下", "列出",
    ];
    const WEAK: &[&str] = &["几", "什么", "啥", "哪", "谁", "多少", "怎么", "么", "多久", "多长", "呢"];
    let said = text.as_str().trim_end();
    // A full stop or a shout closes a statement, whatever words are in it.
    let stated = said.ends_with(['。', '!']);
    // 我跟你说过我不吃香菜没.
    let tagged =
        ["没", "没有", "没啊", "没呀", "不"].iter().any(|tag| said.trim_end_matches('?').ends_with(tag));
    // 包不包括, 记唔记得.
    let chars: Vec<char> = said.chars().collect();
    let either = chars.windows(3).any(|three| three[0] == three[2] && matches!(three[1], '不' | '唔' | '没'));
    tagged || either || MARKS.iter().any(|mark| text.has(mark) && !(stated && WEAK.contains(mark)))
}

/// What may stand before the words with which a question opens.
#[rustfmt::skip]
const FILLERS: &[&str] = &[
    "so", "and", "but", "or", "ok", "okay", "hey", "hi", "hello", "well", "btw", "also", "wait", "sorry", "please", "pls", "um",
    "hmm", "anyway", "again", "now", "then", "just", "quick", "question", "by", "the", "way", "actually", "oh", "ah", "yo", "guys",
    "everyone", "all", "doc", "coach", "bot", "assistant", "ffs", "lol", "omg", "man", "dude", "uh", "erm", "yeah", "yes", "no", "nah",
    "thanks", "thx", "alright", "cool", "hm", "honestly", "seriously", "still", "one", "more", "thing",
];
/// Words with which a question or a request opens.
#[rustfmt::skip]
const OPENINGS: &[&str] = &[
    "what", "whats", "which", "when", "whens", "where", "wheres", "who", "whos", "whose", "whom", "how", "hows", "why", "did", "do",
    "does", "didn", "don", "have", "haven", "has", "hasn", "had", "was", "wasn", "were", "weren", "is", "isn", "are", "am", "can",
    "could", "would", "will", "any", "remind", "tell", "give", "list", "show", "recap", "summarize", "summarise", "refresh", "catch",
    "bring", "find", "pull", "look", "search", "check", "repeat", "recall", "remember", "read", "run", "walk", "sum", "go", "name", "tldr", "anyone", "anybody", "someone", "somebody",
];
/// The same for a clause that follows another; a relative clause begins with the others.
#[rustfmt::skip]
const LATER_OPENINGS: &[&str] = &[
    "what", "whats", "how", "why", "did", "didn", "can", "could", "would", "any", "remind", "tell", "give", "list", "show", "recap",
    "summarize", "summarise", "refresh", "right", "correct",
];
/// What follows when and where in a question.
#[rustfmt::skip]
const TURNED: &[&str] = &["did", "was", "is", "are", "were", "do", "does", "am", "s", "d", "will", "can", "should", "have", "has", "had"];
/// What asks wherever it stands.
#[rustfmt::skip]
const ANYWHERE: &[&str] = &[
    " i forgot ", " i forget ", " i ve forgotten ", " i can t remember ", " i cannot remember ", " i don t remember ", " can t recall ",
    " don t recall ", " i wonder ", " wondering ", " remind me ", " refresh my memory ", " catch me up ", " tell me ", " can you ", " could you ",
    " would you ", " i d like to know ", " to know whether ", " to know if ", " i want to know ", " no idea ", " not sure what ", " not sure which ", " not sure if i ",
];

/// Whether an English sentence asks something: it has a question mark, or it opens like a question. What, how and which inside a
/// statement ask nothing: I did what you suggested.
pub(super) fn asks_english(text: &str, padded: &Subject<'_>) -> bool {
    if padded.has("?") || padded.has_any(ANYWHERE) {
        return true;
    }
    let clauses =
        text.split([',', ';', ':', '(', '.', '!', '\u{2026}']).filter(|clause| !clause.trim().is_empty());
    clauses.enumerate().any(|(place, clause)| {
        let mut words = clause.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let first = words.by_ref().map(usual_spelling).find(|word| !FILLERS.contains(word));
        first.is_some_and(|word| {
            let word = word.split(' ').next().unwrap_or(word);
            // When we spoke about it I cried; when did we speak?
            let mut turned = || words.next().is_some_and(|next| TURNED.contains(&next));
            match word {
                "when" | "where" => turned(),
                "who" | "which" if place > 0 => turned(),
                _ => if place == 0 { OPENINGS } else { LATER_OPENINGS }.contains(&word),
            }
        })
    })
}
