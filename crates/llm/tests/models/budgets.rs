use memoir_llm::{Cause, Reason, Role, Task};
use memoir_testkit::Act;
use std::time::Duration;
use tokio::task::JoinSet;

use crate::world::{World, given, question, tenant};

fn only_first(text: &str) -> Task {
    Task { model: Some("m1".into()), ..question(text) }
}

/// A question that always has the same answer.
fn repeatable(text: &str, of: &str) -> Task {
    let mut task = Task { tenant: tenant(of), ..question(text) };
    task.request.temperature = Some(0.0);
    task
}

async fn until(condition: impl Fn() -> bool) {
    while !condition() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

#[tokio::test]
async fn a_provider_gets_only_so_many_calls_at_once() {
    let world = World::with("concurrency = 2", "").await;
    world.models.always("m1", Act::answer("好的").held());
    let mut asked = JoinSet::new();
    for _ in 0..6 {
        let registry = world.registry.clone();
        asked.spawn(async move { registry.ask(Role::Chat, only_first("你好")).await });
    }
    until(|| world.models.calls("m1") == 2).await;
    world.models.release();
    while let Some(answer) = asked.join_next().await {
        assert_eq!(given(answer.unwrap().unwrap()).text, "好的");
    }
    assert_eq!((world.models.calls("m1"), world.models.most_at_once()), (6, 2));
}

#[tokio::test]
async fn waiting_for_a_place_counts_against_the_time() {
    let world = World::with("concurrency = 1", "").await;
    world.models.always("m1", Act::answer("好的").held());
    let registry = world.registry.clone();
    let first = tokio::spawn(async move { registry.ask(Role::Chat, only_first("一")).await });
    until(|| world.models.calls("m1") == 1).await;
    let hasty = Task { budget: Some(Duration::from_millis(40)), ..only_first("二") };
    let none = world.registry.ask(Role::Chat, hasty).await.unwrap_err();
    assert_eq!(none.tried, [("first".to_owned(), Reason::Busy)]);
    world.models.release();
    given(first.await.unwrap().unwrap());
}

#[tokio::test]
async fn a_provider_gets_only_so_many_tokens_a_minute() {
    let world = World::with("tokens_per_minute = 400", "").await;
    let ask = async || given(world.registry.ask(Role::Chat, question("你好")).await.unwrap()).provider;
    assert_eq!(ask().await, "first");
    assert_eq!(ask().await, "first", "an answer that was shorter than feared gives tokens back");
    let mut long = only_first("你好");
    long.request.max_tokens = Some(390);
    let none = world.registry.ask(Role::Chat, long.clone()).await.unwrap_err();
    assert_eq!(none.tried, [("first".to_owned(), Reason::OverTokens)]);
    world.advance(60);
    given(world.registry.ask(Role::Chat, long).await.unwrap());
}

#[tokio::test]
async fn a_tenant_gets_only_so_many_tokens_a_day() {
    let world = World::with("", "daily_tokens = 60").await;
    given(world.registry.ask(Role::Chat, question("你好")).await.unwrap());
    let mut calls = 1;
    while let Ok(answer) = world.registry.ask(Role::Chat, question("你好")).await {
        given(answer);
        calls += 1;
        assert!(calls < 10, "there must be an end to it");
    }
    let none = world.registry.ask(Role::Chat, question("你好")).await.unwrap_err();
    assert_eq!((none.cause, none.cause.as_str(), none.tried), (Cause::DailyCap, "daily_cap", vec![]));
    assert!(world.registry.stream(Role::Chat, question("你好")).await.is_err());
    assert_eq!(world.models.requests().len(), calls);
    let other = Task { tenant: tenant("other"), ..question("你好") };
    given(world.registry.ask(Role::Chat, other).await.unwrap());
    world.advance(24 * 60 * 60);
    given(world.registry.ask(Role::Chat, question("你好")).await.unwrap());
}

#[tokio::test]
async fn an_answer_that_nobody_waits_for_counts_too() {
    let world = World::with("", "daily_tokens = 10").await;
    world.models.always("m1", Act::parts(&["很长很长很长很长的回答", "的其余部分"]));
    drop(world.registry.stream(Role::Chat, question("你好")).await.unwrap());
    let none = world.registry.ask(Role::Chat, question("你好")).await.unwrap_err();
    assert_eq!(none.cause, Cause::DailyCap);
}

#[tokio::test]
async fn a_question_that_always_has_the_same_answer_is_asked_once() {
    let world = World::new().await;
    world.models.next("m1", Act::answer("第一次")).next("m1", Act::answer("第二次"));
    let first = given(world.registry.ask(Role::Chat, repeatable("几点", "acme")).await.unwrap());
    let again = given(world.registry.ask(Role::Chat, repeatable("几点", "acme")).await.unwrap());
    assert_eq!((first.text.as_str(), first.cached), ("第一次", false));
    assert_eq!((again.text.as_str(), again.cached), ("第一次", true));
    assert_eq!(world.models.calls("m1"), 1);
}

#[tokio::test]
async fn tenants_roles_and_questions_never_share_an_answer() {
    let world = World::new().await;
    let mut different = repeatable("几点", "acme");
    different.validate.most_chars = Some(1);
    let tasks = [
        (Role::Chat, repeatable("几点", "acme")),
        (Role::Chat, repeatable("几点", "other")),
        (Role::Chat, repeatable("几点了", "acme")),
        (Role::Summary, repeatable("几点", "acme")),
        (Role::Chat, different),
    ];
    let count = tasks.len();
    for (role, task) in tasks {
        assert!(!given(world.registry.ask(role, task).await.unwrap()).cached);
    }
    assert_eq!(world.models.calls("m1"), count);
}

#[tokio::test]
async fn what_is_left_to_chance_or_failed_is_not_remembered() {
    let world = World::new().await;
    for _ in 0..2 {
        given(world.registry.ask(Role::Chat, question("你好")).await.unwrap());
    }
    assert_eq!(world.models.calls("m1"), 2);
    world.models.always("m1", Act::Empty).always("m2", Act::Empty);
    for _ in 0..2 {
        world.registry.ask(Role::Chat, repeatable("新问题", "acme")).await.unwrap_err();
    }
    assert_eq!(world.models.calls("m2"), 2);
}

#[tokio::test]
async fn the_cache_can_be_switched_off() {
    let world = World::with("", "cache_bytes = 0").await;
    for _ in 0..2 {
        given(world.registry.ask(Role::Chat, repeatable("几点", "acme")).await.unwrap());
    }
    assert_eq!(world.models.calls("m1"), 2);
}
