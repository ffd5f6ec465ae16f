/// Traditional characters of time words, each with its simplified form.
const PAIRS: &str = "後后週周禮礼點点鐘钟個个時时節节號号兩两這这內内紀纪農农曆历臘腊聖圣誕诞陽阳陰阴國国慶庆勞劳動动婦妇兒儿軍军\
師师親亲當当現现剛刚從从過过來来間间隨随開开晝昼淩凌禪禅萬万聖圣復复活活歲岁級级學学際际戀恋將将們们嗰那係是囉啰尋寻對对說说談谈聊聊記记還还嗎吗麼么論论見见談谈話话講讲給给誰谁哪哪買买錢钱藥药醫医護护歡欢樣样這这裡里聽听鍾钟\
結结終终尾尾們们還还剩剩頭头風风臺台灣湾門门歸归萬万靈灵樹树書书幾几於于與与來来夠够話话電电僅仅貓猫讀读";

/// A text in the one spelling in which it is read: lower case, half width, simplified. Characters keep their places, so
/// that what is found can be shown in the original.
pub(crate) struct Folded {
    pub(crate) chars: Vec<char>,
    /// Where each character begins in the original, and where the text ends.
    pub(crate) offsets: Vec<usize>,
}

impl Folded {
    pub(crate) fn of(text: &str) -> Self {
        let mut chars = Vec::with_capacity(text.len());
        let mut offsets = Vec::with_capacity(text.len() + 1);
        for (at, c) in text.char_indices() {
            chars.push(fold(c));
            offsets.push(at);
        }
        offsets.push(text.len());
        Folded { chars, offsets }
    }
}

fn fold(c: char) -> char {
    match c {
        'A'..='Z' => c.to_ascii_lowercase(),
        '～' | '－' | '–' | '—' | '―' | '〜' | '~' => '-',
        '！'..='｝' => fold(char::from_u32(c as u32 - 0xFEE0).unwrap_or(c)),
        '\u{3000}' | '\u{a0}' | '\t' | '\n' | '\r' => ' ',
        '’' | '‘' | '′' => '\'',
        '\u{4E00}'..='\u{9FFF}' => simplified(c),
        other => other,
    }
}

fn simplified(c: char) -> char {
    let mut pairs = PAIRS.chars();
    while let (Some(traditional), Some(plain)) = (pairs.next(), pairs.next()) {
        if traditional == c {
            return plain;
        }
    }
    c
}
