use std::ops::Range;

use super::Word;
use crate::{dictionary, stop, surname};

/// After these words a row of Han characters that begins with a surname is a name.
#[rustfmt::skip]
const NAMED: &[&str] = &["叫", "我叫", "名叫", "叫做", "叫作", "名字", "姓名"];
/// After these one that ends where the sentence goes on with a word of [`GOES_ON`] is, too.
#[rustfmt::skip]
const WITH: &[&str] = &[
    "和", "跟", "与", "同", "找", "给", "对", "问", "请", "认识", "同事", "朋友", "同学", "闺蜜", "室友",
    "老板", "邻居", "老公", "老婆", "男友", "女友", "男朋友", "女朋友", "儿子", "女儿", "哥哥", "姐姐",
    "弟弟", "妹妹", "表哥", "表姐", "表弟", "表妹",
];
#[rustfmt::skip]
const GOES_ON: &[&str] = &[
    "的", "和", "跟", "是", "也", "都", "在", "说", "去", "来", "打", "吃", "给", "一起", "告诉", "问",
    "想", "喜欢", "觉得", "今天", "昨天", "明天", "最近", "他", "她", "有", "要", "会", "就", "还", "又",
    "不", "没", "没有", "为", "把", "让", "帮", "请", "约", "答应", "建议", "提到", "认为", "打电话",
    "结婚", "吵架", "见面", "聊天", "推荐",
];

/// A word of two characters with this frequency is no name, whatever the dictionary says.
const COMMON: usize = 110;

/// A Chinese name that begins with the word `at`, and the word after it; `last` is where the name before it ended.
pub(super) fn find(text: &str, words: &[Word], at: usize, last: usize) -> Option<(Range<usize>, usize)> {
    let word = words.get(at).filter(|word| word.is_han)?;
    let name = word.folded.as_str();
    let length = name.chars().count();
    let before = at.checked_sub(1).and_then(|i| words.get(i)).filter(|before| before.touches(word));
    let next = words.get(at + 1).filter(|next| word.touches(next) && next.is_han);
    let head = name.chars().next()?;
    let counted =
        before.is_some_and(|word| word.folded.ends_with(['一', '二', '两', '三', '几', '这', '那', '每']));
    // 李医生, 王总
    if surname::length(name) == length
        && !counted
        && let Some(title) = next.filter(|next| surname::HONORIFICS.contains(&next.folded.as_str()))
        && (surname::is_plain(head) || length == 2)
    {
        return Some((word.span.start..title.span.end, at + 2));
    }
    // 小陈, 老王: in one word or in two.
    if matches!(head, '小' | '老' | '阿') {
        let mut rest = name.chars().skip(1);
        let pair = (rest.next(), rest.next());
        if let (Some(family), None) = pair
            && surname::makes_nickname(family)
        {
            return Some(with_title(words, at, word.span.clone(), next));
        }
        if let (None, Some(family)) = (pair.0, next)
            && family.folded.chars().count() == 1
            && family.folded.chars().all(surname::makes_nickname)
        {
            let after = words.get(at + 2).filter(|after| family.touches(after));
            return Some(with_title(words, at + 1, word.span.start..family.span.end, after));
        }
    }
    // The dictionary knows it: 周杰伦.
    let family = surname::length(name);
    if length == family + 2 && (surname::is_plain(head) || family == 2) && is_known_name(name) {
        return Some(with_title(words, at, word.span.clone(), next));
    }
    if family == 0 {
        return None;
    }
    unknown(text, words, at, before, last)
}

/// A name with the title after it, when there is one: 小张老师.
fn with_title(words: &[Word], at: usize, span: Range<usize>, next: Option<&Word>) -> (Range<usize>, usize) {
    match next {
        Some(title)
            if title.folded.chars().count() > 1 && surname::HONORIFICS.contains(&title.folded.as_str()) =>
        {
            (span.start..title.span.end, at + 2)
        }
        _ => (span, words.len().min(at + 1)),
    }
}

/// A name that the dictionary does not know: two or three characters after a word that names or joins people, before
/// punctuation or a word with which the sentence goes on.
fn unknown(
    text: &str,
    words: &[Word],
    at: usize,
    before: Option<&Word>,
    last_end: usize,
) -> Option<(Range<usize>, usize)> {
    let word = words.get(at)?;
    let before_is = |list: &[&str]| before.is_some_and(|before| list.contains(&before.folded.as_str()));
    // 张三、李四: one name vouches for the next.
    let joined = before.is_none() && text.get(last_end..word.span.start) == Some("、");
    let named = before_is(NAMED);
    if !named && !before_is(WITH) && !joined {
        return None;
    }
    let head = word.folded.chars().next()?;
    if !named && !surname::is_plain(head) {
        return None;
    }
    let (mut length, mut end) = (0, at);
    while let Some(part) = words.get(end) {
        let touching = end == at || words.get(end - 1).is_some_and(|last| last.touches(part));
        let more = length + part.folded.chars().count();
        let goes_on = end > at && GOES_ON.contains(&part.folded.as_str()) && length > 1;
        if !part.is_han || !touching || more > 3 || goes_on {
            break;
        }
        length = more;
        end += 1;
    }
    let last = words.get(end.checked_sub(1)?)?;
    let name: String = words.get(at..end)?.iter().map(|word| word.folded.as_str()).collect();
    let family = surname::length(&name);
    let closed = match words.get(end).filter(|after| last.touches(after)) {
        None => true,
        Some(after) => {
            GOES_ON.contains(&after.folded.as_str()) || surname::HONORIFICS.contains(&after.folded.as_str())
        }
    };
    // A word of the language that begins like a surname is no name, nor is what begins with one: 和高兴, 跟江苏南部.
    let ordinary = dictionary::load().has_word(&name) && !is_known_name(&name);
    let begins = word.folded.chars().count() > family && is_word(&word.folded) && end > at + 1;
    let stops = words.get(at..end)?.iter().any(|word| is_particle(&word.folded));
    (length > family && length <= family + 2 && closed && !ordinary && !begins && !stops)
        .then_some((word.span.start..last.span.end, end))
}

fn is_particle(word: &str) -> bool {
    word != "一" && stop::is_chinese(word)
}

/// Whether the dictionary has it as a word of the language.
fn is_word(word: &str) -> bool {
    matches!(dictionary::load().tag(word, false).as_slice(), [only] if !only.tag.starts_with("nr"))
}

/// Whether the dictionary has it as a name. It calls many other things names: those with the ending of a thing or a
/// place, those that begin with another word, and common ones are none.
fn is_known_name(word: &str) -> bool {
    let dictionary = dictionary::load();
    let tagged = matches!(dictionary.tag(word, false).as_slice(), [only] if only.tag == "nr");
    let head: String = word.chars().take(2).collect();
    let short = word.chars().count() == 2;
    tagged
        && !surname::NO_PEOPLE.contains(&word)
        && !word.ends_with(|c| surname::NO_ENDINGS.contains(c))
        && (short || surname::length(word) == 2 || dictionary.suggest_freq(&head) < COMMON || !is_word(&head))
        && (!short || dictionary.suggest_freq(word) < COMMON)
}
