use std::sync::LazyLock;

use jieba_rs::Jieba;

/// Words whose usual spelling folds to one that the dictionary lacks or counts as rare, with the frequency of the
/// usual spelling: 著 folds to 着, 乾 to 干, 彷 to 仿.
const FOLDED_WORDS: &[(&str, usize)] = &[
    ("着名", 9342),
    ("着作", 3447),
    ("显着", 2721),
    ("干隆", 2435),
    ("着称", 951),
    ("专着", 572),
    ("着述", 540),
    ("土着", 441),
    ("干坤", 342),
    ("名着", 327),
    ("论着", 270),
    ("卓着", 263),
    ("着录", 238),
    ("合着", 176),
    ("仿徨", 147),
    ("巨着", 147),
    ("编着", 104),
    ("着作权", 99),
    ("译着", 98),
    ("原着", 97),
    ("着书", 84),
    ("遗着", 58),
    ("着者", 53),
    ("臭名昭着", 48),
    ("着书立说", 38),
    ("土着人", 36),
    ("四大名着", 15),
];

/// The longest word of the dictionary, in characters.
pub(crate) const LONGEST_WORD: usize = 16;

static DICTIONARY: LazyLock<Jieba> = LazyLock::new(|| {
    let mut jieba = Jieba::new();
    for &(word, frequency) in FOLDED_WORDS {
        jieba.add_word(word, Some(frequency), None);
    }
    jieba
});

/// The Chinese dictionary, read at first use (a few hundred milliseconds).
pub(crate) fn load() -> &'static Jieba {
    &DICTIONARY
}
