use futures::StreamExt;
use memoir_llm::{
    Cause, Finish, Interrupted, Reason, Registry, ReplyStream, Role, StreamPart, Task, ToolCall,
};
use memoir_testkit::Act;
use serde_json::json;
use std::time::Duration;

use crate::world::{World, question};

type Parts = Vec<Result<StreamPart, Interrupted>>;

async fn begin(registry: &Registry, task: Task) -> ReplyStream {
    registry.stream(Role::Chat, task).await.unwrap()
}

fn text(parts: &Parts) -> String {
    let text = parts.iter().filter_map(|part| match part {
        Ok(StreamPart::Text(text)) => Some(text.as_str()),
        _ => None,
    });
    text.collect()
}

#[tokio::test]
async fn an_answer_comes_in_parts() {
    let world = World::new().await;
    world.models.next("m1", Act::parts(&["你", "好", "！"]));
    let stream = begin(&world.registry, question("在吗")).await;
    assert_eq!((stream.provider.as_str(), stream.model.as_str()), ("first", "m1"));
    let parts: Parts = stream.collect().await;
    assert_eq!(parts[..3], ["你", "好", "！"].map(|part| Ok(StreamPart::Text(part.into()))));
    let Ok(StreamPart::End { finish, usage }) = parts[3] else { panic!("{parts:?}") };
    assert_eq!((finish, usage.answer, usage.estimated), (Finish::Stop, 3, false));
    assert_eq!(parts.len(), 4);
    let sent = &world.models.requests_for("m1")[0].body;
    assert_eq!((&sent["stream"], &sent["stream_options"]), (&json!(true), &json!({"include_usage": true})));
}

#[tokio::test]
async fn before_the_first_part_another_model_takes_over() {
    let table = [
        Act::Never,
        Act::stall(&[]),
        Act::RateLimited(None),
        Act::Status(500),
        Act::Hangup,
        Act::hangup_midway(&[]),
        Act::Empty,
        Act::parts(&["\n", " "]),
        Act::Refusal,
        Act::ContentFilter,
        Act::Garbage,
        Act::ErrorInside(503),
    ];
    for act in table {
        let world = World::with("timeout = \"80ms\"", "").await;
        world.models.next("m1", act.clone()).next("m2", Act::parts(&["来", "了"]));
        let stream = begin(&world.registry, question("在吗")).await;
        assert_eq!(stream.provider, "second", "{act:?}");
        assert_eq!(text(&stream.collect().await), "来了", "{act:?}");
    }
}

#[tokio::test]
async fn after_the_first_part_the_stream_ends_with_an_error() {
    let table = [(Act::stall(&["一半"]), Reason::Timeout), (Act::hangup_midway(&["一半"]), Reason::Broken)];
    for (act, reason) in table {
        let world = World::with("timeout = \"80ms\"", "").await;
        world.models.next("m1", act);
        let parts: Parts = begin(&world.registry, question("在吗")).await.collect().await;
        let broken = Interrupted { provider: "first".into(), reason };
        assert_eq!(parts, [Ok(StreamPart::Text("一半".into())), Err(broken)]);
        assert_eq!(world.models.calls("m2"), 0);
    }
}

#[tokio::test]
async fn when_all_fail_there_is_no_stream() {
    let world = World::new().await;
    world.models.always("m1", Act::Status(500)).always("m2", Act::Empty);
    let none = world.registry.stream(Role::Chat, question("在吗")).await.unwrap_err();
    assert_eq!(none.cause, Cause::AllFailed);
    assert_eq!(none.tried[1], ("second".to_owned(), Reason::Empty));
}

#[tokio::test]
async fn calls_of_tools_are_put_together() {
    let world = World::new().await;
    let (weather, time) = ("{\"city\":\"厦门\",\"days\":3}", "{\"zone\":\"Asia/Shanghai\"}");
    world.models.next("m1", Act::tool_calls(&[("weather", weather), ("time", time)]));
    let parts: Parts = begin(&world.registry, question("天气？")).await.collect().await;
    let call = |id: &str, name: &str, arguments: &str| {
        Ok(StreamPart::ToolCall(ToolCall { id: id.into(), name: name.into(), arguments: arguments.into() }))
    };
    assert_eq!(parts[..2], [call("call_0", "weather", weather), call("call_1", "time", time)]);
    assert!(matches!(parts[2], Ok(StreamPart::End { finish: Finish::ToolCalls, .. })));
}

#[tokio::test]
async fn a_call_of_a_tool_that_breaks_off_is_taken_over() {
    let world = World::with("timeout = \"80ms\"", "").await;
    world.models.next("m1", Act::stall(&[])).next("m2", Act::tool_calls(&[("time", "{}")]));
    let parts: Parts = begin(&world.registry, question("几点？")).await.collect().await;
    assert!(matches!(&parts[0], Ok(StreamPart::ToolCall(call)) if call.name == "time"));
}

#[tokio::test]
async fn what_was_masked_comes_back_wherever_it_is_cut() {
    let world = World::new().await;
    world.models.next("m1", Act::parts(&["会打给 ⟦", "pho", "ne-1", "⟧，稍等 [", "x]"]));
    let parts: Parts = begin(&world.registry, question("我的电话13800138000")).await.collect().await;
    assert_eq!(text(&parts), "会打给 13800138000，稍等 [x]");
    let sent = world.models.requests_for("m1")[0].body.to_string();
    assert!(!sent.contains("13800138000") && sent.contains("⟦phone-1⟧"), "{sent}");
}

#[tokio::test]
async fn what_was_masked_comes_back_in_the_arguments_of_tools() {
    let world = World::new().await;
    world.models.next("m1", Act::tool_calls(&[("dial", "{\"number\":\"⟦phone-1⟧\"}")]));
    let parts: Parts = begin(&world.registry, question("打给13800138000")).await.collect().await;
    let Ok(StreamPart::ToolCall(call)) = &parts[0] else { panic!("{parts:?}") };
    assert_eq!(call.arguments, "{\"number\":\"13800138000\"}");
}

#[tokio::test]
async fn a_pause_that_fits_is_kept() {
    let world = World::new().await;
    world.models.next("m1", Act::RateLimitedFor(Duration::from_millis(20))).next("m1", Act::parts(&["好"]));
    assert_eq!(begin(&world.registry, question("在吗")).await.provider, "first");
}

#[tokio::test]
async fn a_stream_keeps_its_place_until_it_ends() {
    let world = World::with("concurrency = 1\ntimeout = \"80ms\"", "").await;
    world.models.always("m1", Act::parts(&["好", "的"]));
    let first = begin(&world.registry, question("一")).await;
    let second = begin(&world.registry, question("二")).await;
    assert_eq!((first.provider.as_str(), second.provider.as_str()), ("first", "second"));
    drop(first);
    assert_eq!(begin(&world.registry, question("三")).await.provider, "first");
}
