use rust_stemmers::{Algorithm, Stemmer};

use crate::normalise;

/// Pairs that exclude each other, simplified and lower case. English words are compared by their stems.
#[rustfmt::skip]
const PAIRS: &[(&str, &str)] = &[
    ("喜欢", "讨厌"), ("喜欢", "厌恶"), ("喜爱", "讨厌"), ("爱", "恨"), ("爱吃", "讨厌"), ("大", "小"),
    ("多", "少"), ("高", "低"), ("高", "矮"), ("长", "短"), ("快", "慢"), ("早", "晚"), ("好", "坏"),
    ("好", "差"), ("新", "旧"), ("老", "年轻"), ("冷", "热"), ("寒冷", "炎热"), ("凉", "热"), ("远", "近"),
    ("贵", "便宜"), ("胖", "瘦"), ("强", "弱"), ("轻", "重"), ("深", "浅"), ("宽", "窄"), ("厚", "薄"),
    ("硬", "软"), ("干", "湿"), ("开", "关"), ("打开", "关闭"), ("开始", "结束"), ("开始", "停止"),
    ("来", "去"), ("进", "出"), ("上", "下"), ("左", "右"), ("前", "后"), ("里", "外"), ("买", "卖"),
    ("借", "还"), ("赢", "输"), ("成功", "失败"), ("增加", "减少"), ("上升", "下降"), ("上涨", "下跌"),
    ("提高", "降低"), ("升", "降"), ("接受", "拒绝"), ("同意", "反对"), ("支持", "反对"), ("允许", "禁止"),
    ("相信", "怀疑"), ("记得", "忘记"), ("开心", "难过"), ("高兴", "难过"), ("高兴", "伤心"),
    ("快乐", "悲伤"), ("开心", "伤心"), ("乐观", "悲观"), ("积极", "消极"), ("勤奋", "懒惰"),
    ("聪明", "愚蠢"), ("漂亮", "丑"), ("美", "丑"), ("干净", "脏"), ("安静", "吵"), ("安静", "吵闹"),
    ("安全", "危险"), ("简单", "复杂"), ("容易", "困难"), ("容易", "难"), ("健康", "生病"),
    ("单身", "已婚"), ("单身", "结婚"), ("结婚", "离婚"), ("已婚", "未婚"), ("已婚", "离异"),
    ("活着", "去世"), ("生", "死"), ("男", "女"), ("男性", "女性"), ("男生", "女生"), ("男人", "女人"),
    ("男孩", "女孩"), ("哥哥", "姐姐"), ("弟弟", "妹妹"), ("儿子", "女儿"), ("爸爸", "妈妈"),
    ("父亲", "母亲"), ("素食", "肉食"), ("吃素", "吃肉"), ("甜", "苦"), ("咸", "淡"), ("上班", "下班"),
    ("上班", "失业"), ("工作", "失业"), ("入职", "离职"), ("入职", "辞职"), ("在职", "离职"),
    ("毕业", "在读"), ("白天", "晚上"), ("白天", "黑夜"), ("早上", "晚上"), ("国内", "国外"),
    ("城市", "农村"), ("南方", "北方"), ("室内", "户外"), ("内向", "外向"), ("独生子", "姐姐"),
    ("富", "穷"), ("富有", "贫穷"), ("有钱", "没钱"), ("忙", "闲"), ("满意", "失望"), ("真", "假"),
    ("正确", "错误"), ("对", "错"), ("公开", "秘密"), ("永远", "暂时"), ("经常", "很少"), ("总是", "从不"),
    ("全部", "没有"), ("首次", "最后"), ("戒烟", "抽烟"), ("戒酒", "喝酒"), ("起床", "睡觉"),
    ("失眠", "熟睡"), ("搬进", "搬出"), ("到达", "离开"), ("出发", "到达"), ("加入", "退出"),

    ("like", "dislike"), ("like", "hate"), ("love", "hate"), ("love", "dislike"), ("enjoy", "hate"),
    ("enjoy", "dislike"), ("big", "small"), ("large", "small"), ("many", "few"), ("more", "less"),
    ("high", "low"), ("tall", "short"), ("long", "short"), ("fast", "slow"), ("quick", "slow"),
    ("early", "late"), ("good", "bad"), ("best", "worst"), ("better", "worse"), ("new", "old"),
    ("young", "old"), ("hot", "cold"), ("warm", "cool"), ("warm", "cold"), ("far", "near"),
    ("close", "far"), ("expensive", "cheap"), ("fat", "thin"), ("strong", "weak"), ("heavy", "light"),
    ("deep", "shallow"), ("wide", "narrow"), ("thick", "thin"), ("hard", "soft"), ("dry", "wet"),
    ("open", "close"), ("open", "shut"), ("start", "stop"), ("start", "end"), ("begin", "end"),
    ("come", "go"), ("arrive", "leave"), ("enter", "exit"), ("up", "down"), ("left", "right"),
    ("front", "back"), ("inside", "outside"), ("indoor", "outdoor"), ("buy", "sell"), ("borrow", "lend"),
    ("win", "lose"), ("won", "lost"), ("succeed", "fail"), ("success", "failure"), ("increase", "decrease"),
    ("rise", "fall"), ("raise", "lower"), ("gain", "lose"), ("accept", "refuse"), ("accept", "reject"),
    ("agree", "disagree"), ("support", "oppose"), ("allow", "forbid"), ("allow", "ban"),
    ("believe", "doubt"), ("remember", "forget"), ("happy", "sad"), ("happy", "unhappy"), ("glad", "sad"),
    ("optimistic", "pessimistic"), ("positive", "negative"), ("lazy", "diligent"), ("smart", "stupid"),
    ("beautiful", "ugly"), ("clean", "dirty"), ("quiet", "loud"), ("quiet", "noisy"), ("safe", "dangerous"),
    ("simple", "complex"), ("easy", "hard"), ("easy", "difficult"), ("healthy", "sick"), ("healthy", "ill"),
    ("single", "married"), ("married", "divorced"), ("alive", "dead"), ("live", "die"), ("man", "woman"),
    ("men", "women"), ("male", "female"), ("boy", "girl"), ("brother", "sister"), ("son", "daughter"),
    ("father", "mother"), ("dad", "mom"), ("husband", "wife"), ("vegetarian", "meat"), ("vegan", "meat"),
    ("employed", "unemployed"), ("hire", "fire"), ("join", "quit"), ("day", "night"),
    ("morning", "evening"), ("domestic", "foreign"), ("urban", "rural"), ("north", "south"),
    ("east", "west"), ("introvert", "extrovert"), ("rich", "poor"), ("busy", "free"), ("true", "false"),
    ("right", "wrong"), ("correct", "wrong"), ("public", "private"), ("permanent", "temporary"),
    ("always", "never"), ("often", "rarely"), ("often", "seldom"), ("all", "none"), ("everyone", "nobody"),
    ("everything", "nothing"), ("first", "last"), ("full", "empty"), ("awake", "asleep"), ("push", "pull"),
    ("add", "remove"), ("sit", "stand"), ("on", "off"), ("before", "after"), ("with", "without"),
    ("single", "engaged"), ("pass", "fail"), ("friend", "enemy"), ("tight", "loose"), ("sharp", "dull"),
    ("bright", "dark"), ("near", "distant"),
];

/// The words that exclude `word`: 讨厌 and 厌恶 for 喜欢. Empty when none is known.
pub fn antonyms(word: &str) -> Vec<&'static str> {
    let key = key(word);
    let mut found = Vec::new();
    for &(a, b) in PAIRS {
        for (one, other) in [(a, b), (b, a)] {
            if is_form(one, &key) {
                found.push(other);
            }
        }
    }
    found
}

/// Whether the two words exclude each other, however they are written: 便宜 and 貴, `Loved` and `hates`.
///
/// ```
/// assert!(memoir_text::opposes("便宜", "貴") && memoir_text::opposes("loves", "hated"));
/// assert!(!memoir_text::opposes("咖啡", "茶"));
/// ```
pub fn opposes(a: &str, b: &str) -> bool {
    let (a, b) = (key(a), key(b));
    PAIRS.iter().any(|&(x, y)| (is_form(x, &a) && is_form(y, &b)) || (is_form(x, &b) && is_form(y, &a)))
}

/// A word folded, and its stem when it is English.
struct Key {
    word: String,
    stem: Option<String>,
}

fn key(word: &str) -> Key {
    let word = normalise(word);
    let stem = stem(&word);
    Key { word, stem }
}

fn stem(word: &str) -> Option<String> {
    let plain = word.len() > 2 && word.len() <= 32 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    plain.then(|| Stemmer::create(Algorithm::English).stem(word).into_owned())
}

fn is_form(entry: &str, key: &Key) -> bool {
    if entry == key.word {
        return true;
    }
    // Only words with the same first letters can share a stem.
    let Some(wanted) = &key.stem else { return false };
    let alike = entry.as_bytes().get(..2).is_some_and(|head| key.word.as_bytes().starts_with(head));
    alike && stem(entry).as_ref() == Some(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposites_are_found_both_ways_and_in_any_form() {
        for (a, b) in [
            ("喜欢", "讨厌"),
            ("結婚", "離婚"),
            ("increased", "decreasing"),
            ("Cheap", "expensive"),
            ("win", "lose"),
        ] {
            assert!(opposes(a, b) && opposes(b, a), "{a} {b}");
        }
        for (a, b) in [("喜欢", "喜欢"), ("cat", "dog"), ("", "")] {
            assert!(!opposes(a, b), "{a} {b}");
        }
        assert!(antonyms("喜歡").contains(&"讨厌") && antonyms("hot").contains(&"cold"));
    }

    #[test]
    fn the_table_is_spelled_as_folding_spells_it() {
        for &(a, b) in PAIRS {
            assert_eq!((normalise(a).as_str(), normalise(b).as_str()), (a, b));
        }
    }
}
