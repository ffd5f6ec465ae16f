use memoir_llm::{Answer, Cause, Reason, Role, Validate};
use memoir_testkit::Act;
use std::time::{Duration, Instant};

use crate::world::{World, given, question};

/// Asks with the first model doing this and the second answering, and returns why the first was passed over.
async fn passed_over(act: Act, first: &str) -> Reason {
    let world = World::with(first, "").await;
    world.models.always("m1", act.clone()).next("m2", Act::answer("来自第二个模型的回答"));
    let task = memoir_llm::Task {
        validate: Validate { least_chars: 5, ..Validate::default() },
        ..question("你好")
    };
    let reply = given(world.registry.ask(Role::Summary, task.clone()).await.unwrap());
    assert_eq!((reply.provider.as_str(), reply.text.as_str()), ("second", "来自第二个模型的回答"), "{act:?}");
    // The same with nobody behind it, to learn the reason.
    let alone = memoir_llm::Task { model: Some("first:m1".into()), ..task };
    let none = world.registry.ask(Role::Summary, alone).await.unwrap_err();
    assert_eq!(none.cause, Cause::AllFailed);
    let [(provider, reason)] = none.tried.as_slice() else { panic!("{:?}", none.tried) };
    assert_eq!(provider, "first");
    *reason
}

#[tokio::test]
async fn whatever_the_first_model_does_the_second_answers() {
    let table = [
        (Act::RateLimited(None), Reason::RateLimited { retry_after: None }),
        (Act::Status(500), Reason::ServerError(500)),
        (Act::Status(503), Reason::ServerError(503)),
        (Act::Status(401), Reason::Rejected(401)),
        (Act::Status(404), Reason::Rejected(404)),
        (Act::Hangup, Reason::Broken),
        (Act::hangup_midway(&["一部分"]), Reason::Broken),
        (Act::Garbage, Reason::Broken),
        (Act::ErrorInside(502), Reason::ServerError(502)),
        (Act::ErrorInside(429), Reason::RateLimited { retry_after: None }),
        (Act::Empty, Reason::Empty),
        (Act::answer("嗯"), Reason::TooShort),
        (Act::Truncated("嗯".into()), Reason::Truncated),
        (Act::Refusal, Reason::Refused),
        (Act::ContentFilter, Reason::Refused),
    ];
    for (act, reason) in table {
        assert_eq!(passed_over(act.clone(), "").await, reason, "{act:?}");
    }
}

#[tokio::test]
async fn a_model_that_takes_too_long_is_passed_over() {
    let hasty = "timeout = \"60ms\"";
    assert_eq!(passed_over(Act::Never, hasty).await, Reason::Timeout);
    assert_eq!(passed_over(Act::stall(&["一部分"]), hasty).await, Reason::Timeout);
}

#[tokio::test]
async fn a_server_that_is_not_there_is_passed_over() {
    let world = World::with("", "").await;
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let config = format!(
        "[roles]\nsummary = [\"gone:m1\", \"here:m2\"]\n\
         [[providers]]\nname = \"gone\"\nkind = \"other\"\nbase_url = \"http://{gone}/v1\"\n\
         [[providers]]\nname = \"here\"\nkind = \"other\"\nbase_url = \"{}\"",
        world.models.url()
    );
    let world = World::build(world.models, &config);
    let reply = given(world.registry.ask(Role::Summary, question("你好")).await.unwrap());
    assert_eq!(reply.provider, "here");
}

#[tokio::test]
async fn an_answer_that_was_cut_short_will_do_if_it_makes_sense() {
    let world = World::new().await;
    world.models.next("m1", Act::Truncated("用户喜欢绿茶，而且".into()));
    let reply = given(world.registry.ask(Role::Summary, question("你好")).await.unwrap());
    assert_eq!((reply.provider.as_str(), reply.text.as_str()), ("first", "用户喜欢绿茶，而且"));
}

#[tokio::test]
async fn when_all_fail_the_caller_learns_why() {
    let world = World::with("timeout = \"60ms\"", "").await;
    world.models.always("m1", Act::Never).always("m2", Act::Status(500));
    let none = world.registry.ask(Role::Summary, question("你好")).await.unwrap_err();
    let tried = [("first".to_owned(), Reason::Timeout), ("second".to_owned(), Reason::ServerError(500))];
    assert_eq!((none.role, none.cause), (Role::Summary, Cause::AllFailed));
    assert_eq!(none.tried, tried);
}

#[tokio::test]
async fn a_role_without_models_says_so_at_once() {
    let world = World::new().await;
    assert!(!world.registry.has(Role::Judge) && world.registry.has(Role::Summary));
    let none = world.registry.ask(Role::Judge, question("你好")).await.unwrap_err();
    assert_eq!((none.cause, none.tried), (Cause::NotConfigured, vec![]));
}

#[tokio::test]
async fn the_budget_ends_the_whole_chain() {
    let world = World::new().await;
    world.models.always("m1", Act::Never).always("m2", Act::Never);
    let task = memoir_llm::Task { budget: Some(Duration::from_millis(80)), ..question("你好") };
    let begun = Instant::now();
    let none = world.registry.ask(Role::Summary, task).await.unwrap_err();
    assert_eq!(none.tried[0].1, Reason::Timeout);
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn a_pause_that_fits_is_kept_and_one_that_does_not_is_not() {
    let world = World::new().await;
    world.models.next("m1", Act::RateLimitedFor(Duration::from_millis(30))).next("m1", Act::answer("第二次"));
    let reply = given(world.registry.ask(Role::Summary, question("你好")).await.unwrap());
    assert_eq!((reply.provider.as_str(), reply.text.as_str()), ("first", "第二次"));
    let [before, after] = &world.models.requests_for("m1")[..] else { panic!("two requests") };
    assert!(after.at - before.at >= Duration::from_millis(30));

    world.models.next("m1", Act::RateLimited(Some("3600".into()))).next("m2", Act::answer("来自第二个"));
    let reply = given(world.registry.ask(Role::Summary, question("再来")).await.unwrap());
    assert_eq!((reply.provider.as_str(), world.models.calls("m1")), ("second", 3));
}

#[tokio::test]
async fn a_pause_without_end_is_not_kept_for_ever() {
    let world = World::new().await;
    world.models.always("m1", Act::RateLimited(Some("0".into())));
    given(world.registry.ask(Role::Summary, question("你好")).await.unwrap());
    assert_eq!((world.models.calls("m1"), world.models.calls("m2")), (3, 1));
}

#[tokio::test]
async fn a_megabyte_of_text_is_an_answer_that_can_be_cut() {
    let world = World::new().await;
    world.models.next("m1", Act::Megabyte);
    let validate = Validate { most_chars: Some(100), ..Validate::default() };
    let task = memoir_llm::Task { validate, ..question("你好") };
    let reply = given(world.registry.ask(Role::Summary, task).await.unwrap());
    assert_eq!(reply.text.chars().count(), 100);
}

#[tokio::test]
async fn usage_is_what_the_server_says_or_an_estimate() {
    let world = World::new().await;
    world.models.next("m1", Act::answer("三个字")).next("m1", Act::Unmetered("我喜欢喝咖啡。".into()));
    let said = given(world.registry.ask(Role::Chat, question("你好")).await.unwrap()).usage;
    assert_eq!((said.answer, said.estimated), (3, false));
    let unsaid = given(world.registry.ask(Role::Chat, question("我喜欢喝咖啡。")).await.unwrap()).usage;
    assert_eq!((unsaid.prompt, unsaid.answer, unsaid.estimated), (5, 5, true));
}

#[tokio::test]
async fn several_tools_can_be_called_at_once() {
    let world = World::new().await;
    world.models.next("m1", Act::tool_calls(&[("weather", "{\"city\":\"厦门\"}"), ("time", "{}")]));
    let reply = given(world.registry.ask(Role::Chat, question("厦门天气？")).await.unwrap());
    let calls: Vec<(&str, &str)> =
        reply.tool_calls.iter().map(|call| (call.name.as_str(), call.arguments.as_str())).collect();
    assert_eq!(calls, [("weather", "{\"city\":\"厦门\"}"), ("time", "{}")]);
}

#[tokio::test]
async fn a_provider_that_fails_five_times_is_left_alone_for_half_a_minute() {
    let world = World::new().await;
    world.models.always("m1", Act::Status(500));
    for _ in 0..7 {
        given(world.registry.ask(Role::Summary, question("你好")).await.unwrap());
    }
    assert_eq!((world.models.calls("m1"), world.models.calls("m2")), (5, 7));

    world.advance(30);
    given(world.registry.ask(Role::Summary, question("你好")).await.unwrap());
    given(world.registry.ask(Role::Summary, question("你好")).await.unwrap());
    assert_eq!(world.models.calls("m1"), 6, "one call tried whether it was back");

    world.advance(30);
    world.models.always("m1", Act::answer("回来了"));
    for _ in 0..2 {
        let reply = given(world.registry.ask(Role::Summary, question("你好")).await.unwrap());
        assert_eq!(reply.provider, "first");
    }
}

#[tokio::test]
async fn answers_that_will_not_do_are_no_reason_to_leave_a_provider_alone() {
    let world = World::new().await;
    world.models.always("m1", Act::Empty);
    for _ in 0..7 {
        given(world.registry.ask(Role::Summary, question("你好")).await.unwrap());
    }
    assert_eq!(world.models.calls("m1"), 7);
}

#[tokio::test]
async fn nothing_worth_remembering_is_said_only_where_it_may_be() {
    let world = World::new().await;
    world.models.always("m1", Act::answer("无有效记忆"));
    let validate = Validate { may_be_nothing: true, ..Validate::default() };
    let task = memoir_llm::Task { validate, ..question("嗯嗯") };
    assert_eq!(world.registry.ask(Role::Summary, task).await.unwrap(), Answer::Nothing);
    assert_eq!(given(world.registry.ask(Role::Chat, question("嗯嗯")).await.unwrap()).text, "无有效记忆");
}
