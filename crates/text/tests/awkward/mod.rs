//! Texts for property tests.

use proptest::prelude::*;

/// Text that reaches the odd corners more often than characters drawn at random do.
pub(crate) fn awkward() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        "[\u{4e00}-\u{9fff}]{1,12}",
        "[的我们中国北京大学科学院计算机著名為裏]{1,20}",
        "[a-zA-Z0-9'’.,_@# -]{1,20}",
        "[A-Za-z]{1,80}",
        "[0-9.,，]{1,12}",
        "[ぁ-ゖァ-ヺー\u{3099}\u{309a}ｦ-ﾟ]{1,12}",
        "[\u{1100}-\u{11ff}가-힣ㅏ-ㅣㄱ-ㅎﾡ-ￜ]{1,8}",
        "[à-ÿ\u{300}-\u{36f}a-c]{1,8}",
        "[👍👩💻❤🇦-🇿\u{200d}\u{fe0f}🏻-🏿\u{200b}]{1,8}",
        "[㍿ﷺ㌀-㍿ﬀ-ﬆ①-⓿゛゜´¨\u{fc5e}]{1,4}",
        "[《》“”「」\"'（）()。！？…!?.,，；、\n 1一二十百万亿@]{1,16}",
        "[我你的不没叫和小王李张老师，。]{1,16}",
        "(I|you|my|don't|am|like|Alice|and|Dr\\.|e\\.g\\.|3\\.5|U\\.S\\.| |, |\\. ){1,16}",
        "[กขาำ\u{e48}\u{e49}नमस्ते\u{94d}]{1,12}",
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}
