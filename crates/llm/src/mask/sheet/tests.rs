use super::*;
use crate::{ExtraPattern, MaskConfig, MaskKind};
use proptest::prelude::*;

fn masker() -> Masker {
    Masker::new(&MaskConfig::default()).unwrap()
}

fn ask(text: &str) -> CompletionRequest {
    CompletionRequest::new(vec![Message::user(text)])
}

fn text_of(request: &CompletionRequest) -> String {
    texts(&mut request.clone()).join("\n")
}

#[test]
fn the_same_value_has_the_same_placeholder_in_a_call() {
    let request = CompletionRequest::new(vec![
        Message::system("客服电话 13800138000"),
        Message::user("我是13900139000，请回拨13800138000，或写信到 a@example.com"),
    ]);
    let (masked, sheet) = masker().mask(&request);
    assert_eq!(text_of(&masked), "客服电话 ⟦phone-1⟧\n我是⟦phone-2⟧，请回拨⟦phone-1⟧，或写信到 ⟦email-1⟧");
    assert_eq!(
        sheet.unmask("会回拨 ⟦phone-2⟧ 并写信到【email-1】和 [ phone-1 ]，不是 [phone-9]"),
        "会回拨 13900139000 并写信到a@example.com和 13800138000，不是 [phone-9]"
    );
}

#[test]
fn a_name_that_the_text_already_has_is_not_used() {
    let (masked, sheet) = masker().mask(&ask("写着 ⟦phone-1⟧ 和 [phone-2] 的纸：13800138000"));
    assert_eq!(text_of(&masked), "写着 ⟦phone-1⟧ 和 [phone-2] 的纸：⟦phone-3⟧");
    assert_eq!(sheet.unmask(&text_of(&masked)), "写着 ⟦phone-1⟧ 和 [phone-2] 的纸：13800138000");
}

#[test]
fn arguments_of_tools_stay_json_on_the_way_out_and_back() {
    let arguments = r#"{"note":"打 13800138000","phone":13800138000}"#;
    let call = ToolCall { id: "c".into(), name: "f".into(), arguments: arguments.into() };
    let request =
        CompletionRequest::new(vec![Message::Assistant { text: String::new(), tool_calls: vec![call] }]);
    let (masked, sheet) = masker().mask(&request);
    assert_eq!(text_of(&masked), "\n{\"note\":\"打 ⟦phone-1⟧\",\"phone\":\"⟦phone-1⟧\"}");
    let mut back =
        ToolCall { id: "c".into(), name: "f".into(), arguments: r#"{"to":"\u27e6phone-1\u27e7"}"#.into() };
    sheet.unmask_call(&mut back);
    assert_eq!(back.arguments, r#"{"to":"13800138000"}"#);
}

#[test]
fn a_value_with_line_breaks_fits_into_json() {
    let key = "-----BEGIN PRIVATE KEY-----\nAB\"C\n-----END PRIVATE KEY-----";
    let (masked, sheet) = masker().mask(&ask(key));
    assert_eq!(text_of(&masked), "⟦secret-1⟧");
    let back: Value = serde_json::from_str(&sheet.unmask_json(r#"{"key":"⟦secret-1⟧"}"#)).unwrap();
    assert_eq!(back["key"], key);
}

#[test]
fn pictures_are_left_alone() {
    let image = Part::Image("data:image/png;base64,13800138000sk-abcdefghijklmnopqrst".into());
    let request = CompletionRequest::new(vec![Message::User(vec![image])]);
    let (masked, sheet) = masker().mask(&request);
    assert_eq!(masked.messages, request.messages);
    assert!(sheet.is_empty());
}

#[test]
fn kinds_and_patterns_can_be_chosen() {
    let config = MaskConfig {
        kinds: vec![MaskKind::Email],
        extra: vec![ExtraPattern { name: "badge".into(), pattern: "EMP-[0-9]{6}".into() }],
    };
    let (masked, _) = Masker::new(&config).unwrap().mask(&ask("EMP-123456 13800138000 a@b.cn"));
    assert_eq!(text_of(&masked), "⟦badge-1⟧ 13800138000 ⟦email-1⟧");
    let none = MaskConfig { kinds: Vec::new(), extra: Vec::new() };
    assert!(Masker::new(&none).unwrap().mask(&ask("13800138000")).1.is_empty());
    let wrong = ExtraPattern { name: "x".into(), pattern: "(".into() };
    let error = Masker::new(&MaskConfig { extra: vec![wrong], ..MaskConfig::default() }).unwrap_err();
    assert_eq!(error.to_string(), "models.mask.extra[0].pattern: is not a regular expression");
}

#[test]
fn what_is_printed_has_no_values() {
    let (_, sheet) = masker().mask(&ask("13800138000"));
    assert!(!format!("{sheet:?}").contains("138"));
}

/// Prose with things to mask and things that look like placeholders in it.
fn prose() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z ,。的我\\[\\]⟦⟧【】-]{0,6}",
        "1[3-9][0-9]{9}",
        "[a-z]{1,5}@[a-z]{1,5}\\.com",
        "sk-[a-z0-9]{20}",
        Just("phone-1".to_owned()),
        Just("⟦phone-2⟧".to_owned()),
        Just("[email-1]".to_owned()),
        ".{0,4}",
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.join(""))
}

proptest! {
    #[test]
    fn whatever_is_masked_comes_back(text in prose()) {
        let (masked, sheet) = masker().mask(&ask(&text));
        let masked = text_of(&masked);
        prop_assert_eq!(sheet.unmask(&masked), text.clone());
        for value in sheet.by_value.keys() {
            prop_assert!(masker().find(&masked).iter().all(|(range, _)| masked[range.clone()] != **value));
        }
    }

    #[test]
    fn it_comes_back_in_pieces_too(text in prose(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..9)) {
        let (masked, sheet) = masker().mask(&ask(&text));
        let masked: Vec<char> = text_of(&masked).chars().collect();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(masked.len() + 1)).collect();
        cuts.sort_unstable();
        cuts.push(masked.len());
        let mut stream = sheet.in_stream(false);
        let (mut back, mut from) = (String::new(), 0);
        for to in cuts {
            back.push_str(&stream.push(&masked[from..to].iter().collect::<String>()));
            from = to;
        }
        back.push_str(&stream.finish());
        prop_assert_eq!(back, text);
    }
}
