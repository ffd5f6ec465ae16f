use super::signal::Signal;
use crate::{normalise, term::Lexicon};

/// How a clause of greeting, agreement or surprise begins, folded. Something may follow that is worth keeping.
#[rustfmt::skip]
const INTERJECTIONS: &[&str] = &[
    "你好", "您好", "你好啊", "你好呀", "大家好", "嗨", "哈喽", "早上好", "早安", "早", "中午好", "下午好",
    "晚上好", "晚安", "好的", "好吧", "好呀", "好啊", "好滴", "嗯", "嗯嗯", "哦", "噢", "喔", "啊", "哇",
    "哎", "唉", "哈哈", "呵呵", "嘿", "呃", "额", "是的", "是啊", "是呀", "对的", "对", "对啊", "对呀",
    "没错", "当然", "当然可以", "当然了", "太好了", "太棒了", "真棒", "真好", "真的", "真的吗", "原来如此",
    "明白了", "我明白", "我明白了", "知道了", "好主意", "确实", "确实如此", "非常好", "很棒", "不错",
    "没问题", "没关系", "没事", "可以", "行", "其实", "那么", "这样啊", "另外", "顺便", "对了", "说实话",
    "hi", "hello", "hey", "hi there", "hello there", "hey there", "good morning", "good afternoon",
    "good evening", "good night", "of course", "sure", "certainly", "absolutely", "definitely", "okay", "ok", "alright",
    "all right", "yes", "yeah", "yep", "yup", "no", "nope", "well", "oh", "ah", "aw", "aww", "wow", "whoa",
    "haha", "hmm", "great", "awesome", "cool", "nice", "wonderful", "amazing", "perfect", "exactly",
    "indeed", "right", "true", "i see", "i agree", "i understand", "got it", "no problem", "no worries",
    "um", "uh", "er", "that's right", "that's true", "fair enough", "by the way", "btw", "actually",
    "honestly", "anyway", "so", "lol", "congrats", "congratulations", "sorry", "don't worry", "me too",
    "same here", "good idea", "really", "that's great", "sounds good", "sounds great",
];

/// How whole sentences of thanks, praise, good wishes and offers begin, folded.
#[rustfmt::skip]
const PHRASES: &[&str] = &[
    "谢谢", "感谢", "多谢", "非常感谢", "不客气", "不用谢", "再见", "拜拜", "加油", "祝你", "祝您",
    "希望你", "希望您", "希望能", "很高兴", "我很高兴", "很开心认识", "我理解", "我知道", "听起来",
    "听上去", "那真是", "那太", "那确实", "那就好", "这真是", "这听起来", "这是一个", "那是一个",
    "有什么能帮", "有什么可以帮", "有什么需要", "需要帮助", "随时", "我会一直", "我会陪", "我是你的",
    "我是一个", "我是ai", "我没有实体", "作为一个", "作为ai", "如果有任何", "如果你有任何", "如果需要",
    "有问题", "下次再聊", "改天聊", "辛苦了", "抱歉", "对不起", "不好意思", "我也这么", "我也觉得",
    "我同意", "说得对", "说得好", "怎么说呢", "真的很", "真是", "我们下次", "期待下次", "那我们",
    "时间不早", "我要去休息", "不用担心", "别担心", "相信自己", "我相信你", "我会的", "我会尝试", "我会试",
    "我会注意", "我会努力", "祝愿", "thanks", "thank you", "you're welcome", "you are welcome",
    "nice to meet", "pleased to", "glad to", "i'm glad", "i am glad", "so glad", "i'm happy to",
    "i'm so happy for", "happy to", "i'm sorry", "sorry", "i hope", "hope you", "hope it", "hope this",
    "good luck", "best of luck", "take care", "bye", "goodbye", "see you", "talk to you", "talk soon",
    "have a", "have fun", "enjoy", "feel free", "let me know", "don't hesitate", "don't worry", "i'm your",
    "i am your", "i'm here", "i am here", "if you have any", "if you need", "keep up", "keep it",
    "keep me posted", "you can do it", "you got this", "you've got this", "i believe in you", "come on",
    "what a", "how wonderful", "how nice", "how are you", "that's a", "that's so", "that's really",
    "that's great", "that's awesome", "that's very", "that is a", "that is very", "that sounds",
    "this sounds", "sounds", "it sounds", "it's a", "it is a", "i appreciate", "appreciate",
    "i'll keep that", "i will keep that", "i'll try", "i will try", "congrats", "congratulations", "cheers",
    "looking forward", "can't wait", "way to go", "good job", "great job", "well done", "awesome job",
    "i can imagine", "i know what you mean", "i agree", "let's chat", "let's talk", "it's getting late",
    "chat soon", "until next", "i understand", "stay safe", "it was great talking", "it was nice",
    "you're right", "you are right",
];

/// What an assistant says of itself and its services.
const MACHINE: &[&str] = &[
    "as an ai",
    "i'm an ai",
    "i am an ai",
    "作为一个ai",
    "作为ai",
    "作为一个人工智能",
    "作为一名ai",
    "是一个ai",
    "没有实体",
    "没有身体",
    "随时找我",
    "随时来找我",
    "随时告诉我",
    "feel free to",
];

/// With so much content a clause is no filler, however it begins; a whole phrase of politeness may have more.
const INTERJECTION_CONTENT: f32 = 0.6;
const PHRASE_CONTENT: f32 = 2.2;

/// Whether a text begins as greetings, thanks, agreement and good wishes do. Of a few words it is nothing else.
///
/// ```
/// assert!(memoir_text::is_courtesy("Thanks a lot!") && memoir_text::is_courtesy("哈哈哈"));
/// assert!(!memoir_text::is_courtesy("chicken allergy"));
/// ```
pub fn is_courtesy(text: &str) -> bool {
    begins_politely(&normalise(text)).is_some()
}

/// The list that says how a folded text begins, as the content that it may have.
fn begins_politely(folded: &str) -> Option<f32> {
    let folded = folded.trim_start_matches(|c: char| !c.is_alphanumeric());
    let begins = |list: &[&str]| list.iter().any(|start| begins_with(folded, start));
    if begins(PHRASES) { Some(PHRASE_CONTENT) } else { begins(INTERJECTIONS).then_some(INTERJECTION_CONTENT) }
}

/// Whether a clause with these words says nothing but hello, thanks, yes or good luck.
pub(super) fn is_filler(clause: &str, words: &[usize], signal: Signal, lexicon: &Lexicon) -> bool {
    let folded = normalise(clause);
    let is_bare = !folded.contains(|c: char| c.is_alphanumeric());
    if is_bare || MACHINE.iter().any(|phrase| folded.contains(phrase)) {
        return true;
    }
    let most = begins_politely(&folded);
    most.is_some_and(|most| content(words, lexicon) < most && !signal.is_fact())
}

/// How many bytes of interjections and names called stand before the content of a sentence: `Well, `, `Hi Ann, `.
pub(super) fn interjection(sentence: &str) -> usize {
    let mut done = 0;
    let mut greeted = false;
    for _ in 0..MOST_INTERJECTIONS {
        let rest = sentence.get(done..).unwrap_or_default();
        let comma = rest.char_indices().take(24).find(|&(_, c)| matches!(c, ',' | '，' | '~' | '～'));
        let Some((at, c)) = comma else { break };
        let head = normalise(rest.get(..at).unwrap_or_default());
        let known = INTERJECTIONS.contains(&head.as_str());
        let greets = GREETINGS.iter().any(|greeting| begins_with(&head, greeting)) && is_short(&head);
        // After a greeting comes the name of the one greeted: 你好，朋友，
        if !(known || greets || (greeted && is_name(&head))) {
            break;
        }
        greeted = greets;
        let after = rest.get(at + c.len_utf8()..).unwrap_or_default();
        done = sentence.len() - after.trim_start().len();
    }
    done
}

const MOST_INTERJECTIONS: usize = 3;
const GREETINGS: &[&str] = &["hi", "hello", "hey", "你好", "您好", "嗨", "哈喽", "早上好", "晚上好"];

fn is_short(head: &str) -> bool {
    if head.is_ascii() { head.split(' ').count() <= 4 } else { head.chars().count() <= 9 }
}

fn is_name(head: &str) -> bool {
    if head.is_ascii() { head.split(' ').count() <= 2 } else { head.chars().count() <= 5 }
}

fn begins_with(text: &str, start: &str) -> bool {
    let Some(rest) = text.strip_prefix(start) else { return false };
    let latin = start.ends_with(|c: char| c.is_ascii_alphabetic());
    !(latin && rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
}

/// The weight of the different words of a clause.
fn content(words: &[usize], lexicon: &Lexicon) -> f32 {
    let mut words = words.to_vec();
    words.sort_unstable();
    words.dedup();
    words.into_iter().map(|word| lexicon.weight(word)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greetings_and_thanks_are_filler_and_news_are_not() {
        let filler = |clause: &str| {
            let mut lexicon = Lexicon::default();
            let words: Vec<usize> = lexicon.terms(clause).into_iter().map(|term| term.id).collect();
            is_filler(clause, &words, Signal::of(clause), &lexicon)
        };
        for empty in [
            "你好，",
            "谢谢你的建议。",
            "Hello!",
            "Thank you so much.",
            "不用谢。",
            "👍",
            "That sounds like a blast!",
            "祝你玩得开心",
            "As an AI, I have no body.",
        ] {
            assert!(filler(empty), "{empty}");
        }
        for news in [
            "我买了一架钢琴。",
            "I adopted a kitten.",
            "希望你推荐肖邦的夜曲和贝多芬的协奏曲。",
            "Thanks, it cost 30 dollars.",
        ] {
            assert!(!filler(news), "{news}");
        }
    }

    #[test]
    fn interjections_before_the_content_go() {
        let cases = [
            ("Well, I bought a car.", "I bought a car."),
            ("Hi, AI friend, today I swam.", "today I swam."),
            ("你好，朋友，今天我学会了做菜", "今天我学会了做菜"),
            ("苹果，梨和桃", "苹果，梨和桃"),
        ];
        for (sentence, expected) in cases {
            assert_eq!(&sentence[interjection(sentence)..], expected);
        }
    }
}
