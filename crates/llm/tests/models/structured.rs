use memoir_llm::{JsonMode, Reason, Role, Shape, Task};
use memoir_testkit::{Act, FakeModels};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::world::{World, given, question};

#[derive(Debug, PartialEq, JsonSchema, Deserialize)]
struct Facts {
    facts: Vec<String>,
}

fn facts() -> Task {
    let mut task = question("我喜欢绿茶");
    task.request.shape = Some(Shape::of::<Facts>());
    task
}

async fn ask(world: &World) -> (String, Facts) {
    let reply = given(world.registry.ask(Role::Extract, facts()).await.unwrap());
    (reply.provider.clone(), reply.read().unwrap())
}

fn tea() -> Facts {
    Facts { facts: vec!["绿茶".into()] }
}

/// The formats in which a model was asked, one request after another.
fn formats(models: &FakeModels, model: &str) -> Vec<String> {
    let format = |body: &serde_json::Value| match body["response_format"]["type"].as_str() {
        Some(format) => format.to_owned(),
        None => "text".to_owned(),
    };
    models.requests_for(model).iter().map(|request| format(&request.body)).collect()
}

#[tokio::test]
async fn a_server_that_knows_schemas_is_sent_one() {
    let world = World::new().await;
    world.models.next("m1", Act::json(&json!({"facts": ["绿茶"]})));
    assert_eq!(ask(&world).await, ("first".into(), tea()));
    let sent = &world.models.requests_for("m1")[0].body["response_format"];
    assert_eq!(sent["json_schema"]["schema"]["required"], json!(["facts"]));
    assert_eq!(sent["json_schema"]["strict"], true);
}

#[tokio::test]
async fn what_a_server_turns_down_is_learned_once() {
    let world = World::new().await;
    let answer = "好的：```json\n{\"facts\": ['绿茶',]}\n```";
    world.models.always("m1", Act::rejecting(&["json_schema", "json_object"], answer));
    assert_eq!(ask(&world).await, ("first".into(), tea()));
    assert_eq!(formats(&world.models, "m1"), ["json_schema", "json_object", "text"]);
    assert_eq!(ask(&world).await, ("first".into(), tea()));
    assert_eq!(formats(&world.models, "m1")[3..], ["text"]);
    let told = world.models.requests_for("m1")[3].body["messages"][0]["content"].to_string();
    assert!(told.contains("JSON schema") && told.contains("facts"), "{told}");
}

#[tokio::test]
async fn a_schema_that_is_ignored_goes_into_the_prompt() {
    let world = World::new().await;
    world.models.next("m1", Act::NotJson).always("m1", Act::json(&json!({"facts": ["绿茶"]})));
    assert_eq!(ask(&world).await, ("first".into(), tea()));
    assert_eq!(ask(&world).await, ("first".into(), tea()));
    assert_eq!(formats(&world.models, "m1"), ["json_schema", "json_object", "json_object"]);
    let link = world.registry.describe()[2].chain[0].clone();
    assert_eq!(link.json, JsonMode::Object);
}

#[tokio::test]
async fn json_of_another_shape_is_no_answer() {
    for act in [Act::WrongSchema, Act::NotJson] {
        let world = World::new().await;
        world.models.always("m1", act).next("m2", Act::json(&json!({"facts": ["绿茶"]})));
        assert_eq!(ask(&world).await, ("second".into(), tea()));
        let alone = Task { model: Some("m1".into()), ..facts() };
        let none = world.registry.ask(Role::Extract, alone).await.unwrap_err();
        assert_eq!(none.tried, [("first".to_owned(), Reason::Invalid)]);
    }
}

#[tokio::test]
async fn json_that_was_cut_short_is_no_answer() {
    let world = World::new().await;
    world.models.always("m1", Act::Truncated("{\"facts\": [\"绿茶\"".into()));
    let alone = Task { model: Some("m1".into()), ..facts() };
    let none = world.registry.ask(Role::Extract, alone).await.unwrap_err();
    assert_eq!(none.tried, [("first".to_owned(), Reason::Truncated)]);
    assert_eq!(formats(&world.models, "m1"), ["json_schema"], "the schema was not ignored");
}

#[tokio::test]
async fn a_field_that_a_server_does_not_know_is_left_out() {
    let world = World::new().await;
    let unknown = "Unsupported parameter: 'temperature' does not support 0 with this model";
    world.models.next("m1", Act::BadRequest(unknown.into()));
    let mut task = question("你好");
    task.request.temperature = Some(0.0);
    let reply = given(world.registry.ask(Role::Chat, task).await.unwrap());
    assert_eq!(reply.provider, "first");
    let sent = world.models.requests_for("m1");
    assert_eq!(sent[0].body["temperature"], 0.0);
    assert_eq!(sent[1].body.get("temperature"), None);
}
