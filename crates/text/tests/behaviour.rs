//! What the analysis promises, by example.

use memoir_text::{Form, normalise, tokens};

#[derive(Debug, Clone, PartialEq)]
struct Owned {
    text: String,
    form: Form,
    position: u32,
    units: u32,
    original: String,
    stop: bool,
}

fn analyse(text: &str) -> Vec<Owned> {
    let mut all = Vec::new();
    tokens(text, |token| {
        all.push(Owned {
            text: token.text.to_owned(),
            form: token.form,
            position: token.position,
            units: token.units,
            original: text[token.span].to_owned(),
            stop: token.stop,
        });
    });
    all
}

fn texts(text: &str) -> Vec<String> {
    analyse(text).into_iter().map(|token| token.text).collect()
}

fn of_form(text: &str, form: Form) -> Vec<String> {
    analyse(text).into_iter().filter(|token| token.form == form).map(|token| token.text).collect()
}

fn words(text: &str) -> Vec<String> {
    of_form(text, Form::Word)
}

#[test]
fn spellings_of_the_same_text_give_the_same_tokens() {
    let alike = [
        ("traditional", "我喜歡這隻貓，牠很漂亮", "我喜欢这只猫，它很漂亮"),
        ("Taiwan forms", "臺灣裡的著名景點，看著妳", "台湾里的着名景点，看着你"),
        ("Hong Kong forms", "衞生間裏的牀和羣組説", "卫生间里的床和群组说"),
        ("variants", "峯頂、眞實、啓動、綫路", "峰顶、真实、启动、线路"),
        ("full-width letters and digits", "Ｃａｆｅ １２３", "cafe 123"),
        ("accents", "Café crème à Zürich", "cafe creme a zurich"),
        ("decomposed accents", "cafe\u{301} cre\u{300}me", "café crème"),
        ("letters that do not decompose", "Straße, Łódź, smørrebrød", "strasse, lodz, smorrebrod"),
        ("ligatures", "eﬃcient ﬁle", "efficient file"),
        ("compatibility ideographs", "\u{F9DC}\u{FA1B}", "隆福"),
        ("zero-width inside a word", "mem\u{200B}oir 记\u{2060}忆\u{FEFF}", "memoir 记忆"),
        ("soft hyphen", "mem\u{AD}oir", "memoir"),
        ("case", "MEMOIR ПРИВЕТ ΣΊΣΥΦΟΣ", "memoir привет σίσυφος"),
        ("apostrophes", "don't can’t o‘clock", "dont cant oclock"),
        ("possessives and clitics", "Alice's cat; we'll see, I'd've; 1980's", "alice cat; we see, i; 1980"),
        ("half-width kana", "ﾊﾟﾝ ｶﾞ", "パン ガ"),
        ("decomposed kana", "か\u{3099}ハ\u{309A}", "がパ"),
        ("decomposed Hangul", "\u{1112}\u{1161}\u{11AB}국", "한국"),
        ("skin tones and presentation", "👍🏽 ❤\u{FE0F}", "👍 ❤"),
        ("joined emoji", "👩\u{200D}💻👨\u{200D}👩\u{200D}👧", "👩👨"),
        ("key caps", "1\u{FE0F}\u{20E3}", "1"),
        ("thousands", "1,234,567 1,000.5", "1234567 1000.5"),
    ];
    for (what, left, right) in alike {
        assert_eq!(texts(left), texts(right), "{what}");
        assert!(!texts(left).is_empty(), "{what}");
    }
}

#[test]
fn voicing_marks_of_kana_tell_words_apart() {
    assert_ne!(texts("がき"), texts("かき"));
    assert_ne!(texts("パン"), texts("ハン"));
}

#[test]
fn words_are_what_a_reader_would_name() {
    let table: &[(&str, &[&str])] = &[
        ("我们昨天去北京大学散步", &["我们", "昨天", "去", "北京大学", "散步"]),
        ("她是著名的作家", &["她", "是", "着名", "的", "作家"]),
        ("二〇二六年", &["二", "〇", "二", "六年"]),
        ("running dogs are happy", &["run", "dog", "are", "happi"]),
        ("mail bob.smith@example.com", &["mail", "bob", "smith", "exampl", "com"]),
        ("https://example.com/a_b?q=1", &["https", "exampl", "com", "a", "b", "q", "1"]),
        ("@alice #topic snake_case well-known", &["alic", "topic", "snake", "case", "well", "known"]),
        ("3.5 kg, 10:30, 2026-01-07.", &["3.5", "kg", "10", "30", "2026", "01", "07"]),
        ("1，000 10,20 1,0000 1234,567", &["1", "000", "10", "20", "1", "0000", "1234", "567"]),
        ("привет мир", &["привет", "мир"]),
        ("नमस्ते दुनिया", &["नमस्ते", "दुनिया"]),
        ("らーめんとカレー", &["らーめんと", "カレー"]),
        ("안녕하세요 세계", &["안녕하세요", "세계"]),
        ("ㅋㅋㅠㅠ", &["ㅋㅋㅠㅠ"]),
        ("好👍🏽🇨🇳🇯🇵", &["好", "👍", "🇨🇳", "🇯🇵"]),
        ("'quoted' 'tis rock'n'roll", &["quot", "tis", "rocknrol"]),
        ("，。！？ … -- ''", &[]),
    ];
    for (text, expected) in table {
        assert_eq!(words(text), *expected, "{text}");
    }
}

#[test]
fn mixed_chinese_and_english_keep_one_line_of_positions() {
    let all = analyse("我的猫叫Miso, 3岁");
    let at =
        |text: &str| all.iter().find(|token| token.text == text).map(|token| (token.position, token.units));
    assert_eq!(at("我"), Some((0, 1)));
    assert_eq!(at("我的"), Some((0, 2)));
    assert_eq!(at("猫"), Some((2, 1)));
    assert_eq!(at("miso"), Some((4, 1)));
    assert_eq!(at("3"), Some((5, 1)));
    assert_eq!(at("岁"), Some((6, 1)));
}

#[test]
fn every_pair_and_every_character_of_a_chinese_run_is_found() {
    let all = texts("中国科学院计算所");
    for wanted in ["中国", "国科", "科学", "学院", "院计", "计算", "算所", "科学院", "中", "院", "所"]
    {
        assert!(all.iter().any(|text| text == wanted), "{wanted} in {all:?}");
    }
    assert_eq!(words("中国科学院计算所"), ["中国科学院", "计算所"]);
    assert_eq!(of_form("中国科学院", Form::Character), ["中", "国", "科", "学", "院"]);
}

#[test]
fn rare_han_blocks_are_characters_too() {
    for text in ["㐂", "𠮷", "𪚥", "𰻝", "々", "〇"] {
        assert_eq!(words(text), [text], "{text}");
    }
    assert_eq!(texts("𠮷野家"), ["𠮷野", "𠮷", "野家", "野", "家"]);
}

#[test]
fn long_kana_runs_count_their_pairs_as_words() {
    assert_eq!(of_form("ありがとう", Form::Word), ["ありがとう"]);
    assert_eq!(of_form("ありがとう", Form::SubWord), ["あり", "りが", "がと", "とう"]);
    assert_eq!(of_form("ありがとうございます", Form::Word).len(), 9);
    assert_eq!(of_form("สวัสดี", Form::Word), ["สวัสดี"]);
}

#[test]
fn stems_are_words_and_the_written_form_is_exact() {
    assert_eq!(of_form("Running happily", Form::Word), ["run", "happili"]);
    assert_eq!(of_form("Running happily", Form::Exact), ["running", "happily"]);
    assert_eq!(of_form("cat", Form::Exact), Vec::<String>::new());
    assert_eq!(of_form("crèmes Привет", Form::Exact), ["cremes"]);
}

#[test]
fn compound_words_give_their_parts() {
    let table: &[(&str, &[&str])] = &[
        ("iphone15", &["iphon", "iphone", "15"]),
        ("iPhone15", &["iphon", "iphone", "phone", "15"]),
        ("getUserName", &["get", "user", "name"]),
        ("HTMLParser", &["html", "parser"]),
        ("ChatGPT", &["chat", "gpt"]),
        ("3.5kg", &["3.5", "3", "5", "kg"]),
        ("v1.2.3", &["v", "1.2.3", "1", "2", "3"]),
        ("1,000.5", &["1000", "5"]),
        ("15a15", &["15", "a"]),
        ("Miso MISO O'Brien", &[]),
    ];
    for (text, expected) in table {
        let mut parts = of_form(text, Form::SubWord);
        let mut expected = expected.to_vec();
        parts.sort();
        expected.sort_unstable();
        assert_eq!(parts, expected, "{text}");
    }
    assert!(analyse("iPhone15").iter().all(|token| token.position == 0 && token.units == 1));
}

#[test]
fn spans_give_back_the_original_spelling() {
    let table = [
        ("我愛臺北。", "台北", "臺北"),
        ("un cafe\u{301}, oui", "cafe", "cafe\u{301}"),
        ("ＡＢＣ１", "abc1", "ＡＢＣ１"),
        ("a mem\u{200B}oir b", "memoir", "mem\u{200B}oir"),
        ("I don’t", "dont", "don’t"),
        ("Alice's", "alice", "Alice"),
        ("ok 👩🏽\u{200D}💻!", "👩", "👩🏽\u{200D}💻"),
        ("iPhone15", "15", "15"),
        ("costs 1,000 now", "1000", "1,000"),
        ("㍿", "会社", "㍿"),
    ];
    for (text, token, original) in table {
        let all = analyse(text);
        let found =
            all.iter().find(|found| found.text == token).unwrap_or_else(|| panic!("{token} in {text}"));
        assert_eq!(found.original, original, "{text}");
    }
}

#[test]
fn function_words_are_marked_in_both_languages() {
    for stop in ["的", "我们", "為什麼", "the", "Don't", "we'll", "you’re"] {
        let all = analyse(stop);
        assert!(all.iter().filter(|token| token.form == Form::Word).all(|token| token.stop), "{stop}");
    }
    for content in ["猫", "北京", "May", "well", "cat"] {
        assert!(analyse(content).iter().all(|token| !token.stop), "{content}");
    }
}

#[test]
fn normalised_text_is_folded_with_blanks_collapsed() {
    let table = [
        ("  Ｈｅｌｌｏ\u{3000}\tWörld \n", "hello world"),
        ("臺灣\u{200B}的café", "台湾的cafe"),
        ("㍿", "株式会社"),
        ("don’t", "don't"),
        ("\u{FEFF}", ""),
    ];
    for (text, expected) in table {
        assert_eq!(normalise(text), expected, "{text}");
    }
}

#[test]
fn a_sink_may_analyse_another_text() {
    let mut inner = 0;
    tokens("猫 dog", |_| tokens("狗", |_| inner += 1));
    assert_eq!(inner, 2);
}

#[test]
fn endless_runs_stay_linear_and_keep_every_position() {
    const LENGTH: usize = 64 * 1024;
    for (piece, per_piece) in [("猫", 1), ("あ", 1), ("中国科学院", 5), ("👍", 1)] {
        let text = piece.repeat(LENGTH);
        let (mut count, mut next) = (0, 0);
        tokens(&text, |token| {
            assert!(token.position <= next, "a gap in the positions of {piece}");
            next = next.max(token.position + 1);
            count += 1;
        });
        assert_eq!(next as usize, LENGTH * per_piece, "{piece}");
        assert!(count <= 4 * LENGTH * per_piece + 4, "{piece}");
    }
    for letter in ["a", "Z", "é", "aB", "1.", "a'", "1,000"] {
        let text = letter.repeat(LENGTH);
        let mut longest = 0;
        tokens(&text, |token| longest = longest.max(token.text.chars().count()));
        assert!((1..=64).contains(&longest), "{letter}");
    }
}

#[test]
fn a_long_run_is_segmented_as_its_parts_are() {
    let sentence = "我们昨天去北京大学散步";
    let expected: Vec<String> = words(sentence).into_iter().cycle().take(5 * 60).collect();
    assert_eq!(words(&sentence.repeat(60)), expected);
}
