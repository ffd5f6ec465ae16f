//! What a summary promises, by example.

use memoir_text::{Limit, Role, Turn, summarise, topics};

fn user<'t>(text: &'t str) -> Turn<'t> {
    Turn { speaker: "", role: Role::User, text }
}

fn assistant<'t>(text: &'t str) -> Turn<'t> {
    Turn { speaker: "", role: Role::Assistant, text }
}

#[test]
fn greetings_and_filler_are_left_out() {
    let turns = [
        user("你好！今天天气不错。"),
        assistant("你好，很高兴见到你，有什么可以帮你的吗？"),
        user("好的，我下周三要去上海出差，住在静安寺附近。"),
        assistant("听起来很棒！祝你一路顺风。"),
    ];
    let summary = summarise(&turns, Limit::Characters(200)).text;
    assert!(summary.contains("用户下周三要去上海出差，住在静安寺附近"), "{summary}");
    for filler in ["你好", "祝你", "听起来", "帮你"] {
        assert!(!summary.contains(filler), "{summary}");
    }
}

#[test]
fn what_the_user_says_comes_before_advice() {
    let turns = [
        user("I was diagnosed with diabetes in March and I take metformin twice a day."),
        assistant(
            "Regular exercise and a balanced diet can help you to stay healthy and manage your condition well.",
        ),
    ];
    let summary = summarise(&turns, Limit::Words(16)).text;
    assert!(summary.contains("diabetes") && summary.contains("metformin"), "{summary}");
    assert!(summary.starts_with("The user was diagnosed"), "{summary}");
}

#[test]
fn nothing_is_said_twice() {
    let turns = [
        user("我养了一只三岁的橘猫，叫豆豆。"),
        user("我养了一只三岁的橘猫，叫豆豆！"),
        user("我的橘猫叫豆豆，三岁了。"),
    ];
    let summary = summarise(&turns, Limit::Characters(200));
    assert_eq!(summary.sentences.len(), 1, "{}", summary.text);
}

#[test]
fn names_replace_the_user_when_they_are_known() {
    let turns = [Turn {
        speaker: "林悦", role: Role::User, text: "我决定辞职，去大理开一家咖啡馆。"
    }];
    assert_eq!(summarise(&turns, Limit::Characters(60)).text, "林悦决定辞职，去大理开一家咖啡馆。");
}

#[test]
fn among_several_people_nobody_guesses_who_you_is() {
    let turns = [
        Turn { speaker: "Ann", role: Role::User, text: "I like your garden with the tomatoes very much." },
        Turn { speaker: "Bob", role: Role::User, text: "I planted forty tomatoes last spring." },
        Turn { speaker: "Cid", role: Role::User, text: "I prefer cucumbers from the market." },
    ];
    let summary = summarise(&turns, Limit::Words(60)).text;
    assert!(summary.contains("I like your garden"), "{summary}");
    assert!(summary.contains("Bob planted forty tomatoes"), "{summary}");
}

#[test]
fn a_long_talk_is_summed_up_from_all_its_parts() {
    let texts: Vec<String> = (0..900)
        .map(|i| match i {
            40 => "I adopted a dog named Biscuit from the shelter.".to_owned(),
            450 => "My sister Priya is getting married in Lisbon on June 14.".to_owned(),
            880 => "I decided to sell the house for 300,000 dollars.".to_owned(),
            _ => "It was a day like any other and there was not much to do.".to_owned(),
        })
        .collect();
    let turns: Vec<Turn<'_>> = texts.iter().map(|text| user(text)).collect();
    let summary = summarise(&turns, Limit::Words(40)).text;
    for fact in ["Biscuit", "Lisbon", "300,000"] {
        assert!(summary.contains(fact), "{summary}");
    }
}

#[test]
fn the_most_important_can_come_first() {
    let turns = [user("今天下了一点雨。"), user("我确诊了青霉素过敏，医生让我停用阿莫西林。")];
    let summary = summarise(&turns, Limit::Characters(100));
    assert!(summary.by_importance().starts_with("用户确诊"), "{}", summary.by_importance());
}

#[test]
fn topics_are_the_things_talked_about() {
    let turns = [
        user("我在准备马拉松，每天跑步十公里，膝盖有点疼。"),
        assistant("跑步前后注意拉伸，膝盖疼可以冰敷。"),
        user("马拉松是下个月在厦门，我还没订酒店。"),
    ];
    let topics = topics(&turns, 3..=5);
    assert!((3..=5).contains(&topics.len()), "{topics:?}");
    assert!(topics.contains(&"马拉松".to_owned()) && topics.contains(&"膝盖".to_owned()), "{topics:?}");
}

#[test]
fn what_does_not_fit_is_cut() {
    let turns = [user("我决定明年春天和妹妹一起去冰岛看极光然后再去挪威坐火车")];
    assert_eq!(summarise(&turns, Limit::Characters(10)).text, "用户决定明年春天和…");
}

#[test]
fn nothing_gives_nothing() {
    assert_eq!(summarise(&[], Limit::Characters(100)).text, "");
    assert_eq!(summarise(&[user("你好")], Limit::Characters(100)).text, "");
    assert_eq!(summarise(&[user("我买了一架钢琴。")], Limit::Characters(0)).text, "");
    assert!(topics(&[], 3..=5).is_empty());
}
