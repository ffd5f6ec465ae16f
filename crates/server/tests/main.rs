//! The server over real HTTP: one file per part of the surface, every test named as the behaviour it holds.

#![expect(clippy::unwrap_used, clippy::panic, reason = "these are tests")]

mod answer;
mod audit;
mod bad_input;
mod blockade;
mod connection;
mod context;
mod docs;
mod health;
mod isolation;
mod jobs;
mod keys;
mod layers;
mod limits;
mod meaning;
mod messages;
mod open;
mod raw;
mod recall;
mod revisions;
mod roles;
mod search;
mod sessions;
mod spaces;
mod tenants;

use memoir_engine::Severity;
use memoir_testkit::TestServer;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

type Reply = (StatusCode, Value);

/// A refusal in one line: `422 invalid content`. Every refusal has the same shape.
fn refusal((status, body): Reply) -> String {
    let error = body["error"].as_object().unwrap_or_else(|| panic!("{status} {body} is no refusal"));
    for name in ["code", "message", "remedy"] {
        assert!(error[name].as_str().is_some_and(|text| !text.is_empty()), "{name} is missing in {body}");
    }
    assert!(
        error.keys().all(|name| ["code", "message", "remedy", "field"].contains(&name.as_str())),
        "{body}"
    );
    let field = error.get("field").map(|field| format!(" {}", field.as_str().unwrap())).unwrap_or_default();
    format!("{} {}{field}", status.as_u16(), error["code"].as_str().unwrap())
}

/// Stores a message that must be new, and returns its receipt.
async fn say(server: &TestServer, message: Value) -> Value {
    let (status, mut body) = server.send(Method::POST, "/v1/messages", message).await;
    assert_eq!(status, 201, "{body}");
    body["results"][0].take()
}

/// Stores many messages that must all be new.
async fn say_all(server: &TestServer, messages: impl IntoIterator<Item = Value>) {
    let messages: Vec<Value> = messages.into_iter().collect();
    let (status, body) = server.send(Method::POST, "/v1/messages", json!({ "messages": messages })).await;
    assert_eq!(status, 201, "{body}");
}

/// Gets something that must be there.
async fn got(server: &TestServer, path: &str) -> Value {
    let (status, body) = server.get(path).await;
    assert_eq!(status, 200, "{path}: {body}");
    body
}

/// One field of every item of a list.
fn column<'a>(list: &'a Value, name: &str) -> Vec<&'a str> {
    let items = list["items"].as_array().unwrap_or_else(|| panic!("{list} is no list"));
    items.iter().map(|item| item[name].as_str().unwrap_or_else(|| panic!("{item} has no {name}"))).collect()
}

/// Follows a list to its end, page by page, and returns all items.
async fn whole_list(server: &TestServer, path: &str, limit: usize) -> Vec<Value> {
    let mut items = Vec::new();
    let mut cursor = String::new();
    loop {
        let joint = if path.contains('?') { '&' } else { '?' };
        let page = got(server, &format!("{path}{joint}limit={limit}{cursor}")).await;
        let part = page["items"].as_array().unwrap();
        assert!(part.len() <= limit, "{path} returned {} of {limit}", part.len());
        items.extend(part.iter().cloned());
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return items,
        }
        assert!(items.len() < 10_000, "{path} has no end");
    }
}

/// The whole store fits together: nothing is half-written.
async fn assert_sound(server: &TestServer) {
    for finding in server.memoir.engine.examine(|_| {}).await.unwrap() {
        assert_eq!(finding.severity, Severity::Fine, "{finding:?}");
    }
}
