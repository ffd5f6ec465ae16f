/// English function words as words come out of folding: lower case, without apostrophe (`dont`) and without a clitic
/// (`we'll` is `we`). Words that are also content stay out: may, ill, well, like. Sorted.
#[rustfmt::skip]
pub(crate) const ENGLISH: &[&str] = &[
    "a", "about", "above", "after", "again", "against", "all", "also", "am", "an", "and", "any", "are",
    "arent", "as", "at", "be", "because", "been", "before", "being", "below", "between", "both", "but",
    "by", "can", "cannot", "cant", "could", "couldnt", "did", "didnt", "do", "does", "doesnt", "doing",
    "dont", "down", "during", "each", "either", "else", "even", "ever", "every", "few", "for", "from",
    "further", "had", "hadnt", "has", "hasnt", "have", "havent", "having", "he", "her", "here", "hers",
    "herself", "him", "himself", "his", "how", "however", "i", "if", "im", "in", "into", "is", "isnt",
    "it", "its", "itself", "ive", "just", "me", "might", "more", "most", "much", "must", "mustnt", "my",
    "myself", "neither", "no", "nor", "not", "now", "of", "off", "on", "once", "only", "or", "other",
    "our", "ours", "ourselves", "out", "over", "own", "per", "quite", "rather", "same", "shall", "she",
    "should", "shouldnt", "since", "so", "some", "such", "than", "that", "the", "their", "theirs",
    "them", "themselves", "then", "there", "these", "they", "theyre", "theyve", "this", "those",
    "though", "through", "thus", "to", "too", "under", "until", "up", "upon", "us", "very", "was",
    "wasnt", "we", "were", "werent", "weve", "what", "when", "where", "whether", "which", "while",
    "who", "whom", "whose", "why", "will", "with", "within", "without", "wont", "would", "wouldnt",
    "yet", "you", "your", "youre", "yours", "yourself", "yourselves", "youve",
];

/// Chinese function words, simplified. Sorted.
#[rustfmt::skip]
pub(crate) const CHINESE: &[&str] = &[
    "一", "一下", "一个", "一些", "一样", "不", "不是", "不过", "与", "个", "为", "为什么", "么", "之",
    "也", "了", "于", "些", "什么", "从", "他", "他们", "以", "以及", "们", "会", "但", "但是", "你",
    "你们", "其", "其实", "再", "则", "却", "又", "及", "可", "可以", "可是", "可能", "各", "向", "吗",
    "吧", "呀", "呢", "和", "咱们", "哦", "哪", "哪个", "哪里", "啊", "啥", "啦", "嗯", "嘛", "因",
    "因为", "在", "地", "大家", "太", "她", "她们", "如何", "如果", "它", "它们", "对", "就", "就是",
    "已经", "应该", "很", "得", "怎么", "怎样", "您", "我", "我们", "或", "或者", "所", "所以", "把",
    "是", "更", "最", "有", "有点", "每", "比较", "没", "没有", "然后", "的", "的话", "着", "给", "而",
    "而且", "能", "自己", "若", "虽然", "被", "要", "让", "谁", "跟", "还", "还是", "还有", "这",
    "这个", "这么", "这些", "这样", "这种", "这里", "那", "那个", "那么", "那些", "那样", "那种",
    "那里", "都", "非常",
];

/// The longest English function word (`yourselves`): most words are longer or shorter than any search is worth.
const LONGEST_ENGLISH: usize = 10;

/// Whether `word` is a function word, Chinese or English, however it is written.
///
/// ```
/// assert!(memoir_text::is_stop("The") && memoir_text::is_stop("這個") && !memoir_text::is_stop("咖啡"));
/// ```
pub fn is_stop(word: &str) -> bool {
    let folded = crate::normalise(word).replace('\'', "");
    is_english(&folded) || is_chinese(&folded)
}

/// Whether `word`, unstemmed, is an English function word.
pub(crate) fn is_english(word: &str) -> bool {
    word.len() <= LONGEST_ENGLISH && ENGLISH.binary_search(&word).is_ok()
}

/// Whether `word` is a Chinese function word.
pub(crate) fn is_chinese(word: &str) -> bool {
    CHINESE.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lists_are_sorted_without_repeats() {
        assert!(ENGLISH.is_sorted_by(|a, b| a < b));
        assert!(CHINESE.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn every_word_is_spelled_as_folding_spells_it() {
        for word in ENGLISH.iter().chain(CHINESE) {
            assert_eq!(crate::normalise(word), *word);
        }
        assert_eq!(ENGLISH.iter().map(|word| word.len()).max(), Some(LONGEST_ENGLISH));
    }
}
