//! `/openapi.json` and `/docs`.

use memoir_testkit::TestServer;
use reqwest::Method;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

use crate::{got, say};

/// Every operation: path, method, description.
fn operations(document: &Value) -> Vec<(&str, &str, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    paths
        .flat_map(|(path, calls)| {
            calls
                .as_object()
                .unwrap()
                .iter()
                .map(move |(method, call)| (path.as_str(), method.as_str(), call))
        })
        .collect()
}

/// What in a reply does not fit its schema; empty when all does. Knows as much of JSON Schema as the document uses.
fn misfits(document: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        return misfits(document, document.pointer(&reference[1..]).unwrap(), value, place);
    }
    if value.is_null() && schema["nullable"] == true {
        return Vec::new();
    }
    let mut found = Vec::new();
    for part in schema["allOf"].as_array().into_iter().flatten() {
        found.extend(misfits(document, part, value, place));
    }
    let fits = match schema["type"].as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some(other) => panic!("{other} at {place}"),
        None => true,
    };
    if !fits {
        found.push(format!("{place} is {value}, not of type {}", schema["type"]));
    }
    for item in value.as_array().into_iter().flatten() {
        found.extend(misfits(document, &schema["items"], item, &format!("{place}[]")));
    }
    let Some(properties) = schema["properties"].as_object() else { return found };
    for required in schema["required"].as_array().into_iter().flatten() {
        if value.get(required.as_str().unwrap()).is_none() {
            found.push(format!("{place} has no {required}"));
        }
    }
    for (name, field) in value.as_object().into_iter().flatten() {
        match properties.get(name) {
            Some(schema) => found.extend(misfits(document, schema, field, &format!("{place}.{name}"))),
            None => found.push(format!("{place} has a {name} that nobody documented")),
        }
    }
    found
}

fn visit(value: &Value, seen: &mut impl FnMut(&Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            seen(object);
            object.values().for_each(|value| visit(value, seen));
        }
        Value::Array(list) => list.iter().for_each(|value| visit(value, seen)),
        _ => {}
    }
}

#[tokio::test]
async fn the_document_has_the_shape_of_openapi() {
    let server = TestServer::with_keys().await;
    let document = got(&server, "/openapi.json").await;
    assert_eq!(document, memoir_server::openapi());
    assert!(document["openapi"].as_str().unwrap().starts_with("3.0."));
    assert!(document["info"]["title"].is_string() && document["info"]["version"].is_string());
    let mut ids = BTreeSet::new();
    for (path, method, call) in operations(&document) {
        let place = format!("{method} {path}");
        assert!(["get", "put", "post", "patch", "delete"].contains(&method), "{place}");
        assert!(ids.insert(call["operationId"].as_str().unwrap()), "{place} has the id of another call");
        assert!(call["summary"].as_str().is_some_and(|text| text.ends_with('.')), "{place}");
        let responses = call["responses"].as_object().unwrap();
        assert!(responses.contains_key("default"), "{place}");
        assert!(responses.keys().any(|status| status.starts_with('2')), "{place}");
        assert!(responses.values().all(|response| response["description"].is_string()), "{place}");
        let parameters = call["parameters"].as_array().unwrap();
        let in_path: BTreeSet<&str> = parameters
            .iter()
            .filter(|parameter| parameter["in"] == "path")
            .map(|parameter| parameter["name"].as_str().unwrap())
            .collect();
        let named = path.split(['{', '}']).skip(1).step_by(2).collect();
        assert_eq!(in_path, named, "{place}");
        for parameter in parameters {
            assert!(parameter["schema"].is_object(), "{place}: {parameter}");
            assert!(parameter["in"] != "path" || parameter["required"] == true, "{place}: {parameter}");
        }
        assert!(method != "get" || call.get("requestBody").is_none(), "{place}");
        let needs_key = !["/healthz", "/readyz", "/metrics"].contains(&path);
        assert_eq!(call.get("security").is_some(), needs_key, "{place}");
    }
}

#[tokio::test]
async fn every_reference_of_the_document_leads_somewhere() {
    let document = memoir_server::openapi();
    let mut references = BTreeSet::new();
    visit(&document, &mut |object| {
        references.extend(object.get("$ref").map(|reference| reference.as_str().unwrap().to_owned()));
        // A description that nobody wrote is left out, not null.
        assert!(
            object.get("description").is_none_or(|text| text.is_string() || text.is_object()),
            "{object:?}"
        );
    });
    assert!(references.len() > 10);
    for reference in references {
        let place = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(place).is_some(), "{reference}");
    }
}

#[tokio::test]
async fn every_documented_call_answers_as_documented() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:a", "id": "m", "session": "s", "content": "hello"})).await;
    let job = got(&server, "/v1/jobs").await["items"][0]["id"].as_str().unwrap().to_owned();
    let document = memoir_server::openapi();
    // What erases comes last.
    let mut calls = operations(&document);
    calls.sort_by_key(|(path, method, _)| {
        (*method == "delete", *path == "/v1/spaces/{space}", *path == "/v1/keys")
    });
    for (path, method, call) in calls {
        let id = match path {
            path if path.contains("/messages/") => "m",
            path if path.contains("/sessions/") => "s",
            path if path.starts_with("/v1/jobs") => &job,
            _ => "nothing",
        };
        let mut address =
            path.replace("{space}", "user:a").replace("{id}", id).replace("{date}", "2026-01-07");
        if path.ends_with("/search") {
            address.push_str("?q=hello");
        }
        let verb = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
        let mut request = server.request(verb, &address);
        if call.get("requestBody").is_some() {
            request = request.json(&match path {
                "/v1/messages" => json!({"space": "user:a", "content": "again"}),
                "/v1/context" | "/v1/recall" => {
                    json!({"space": "user:a", "message": "hello", "explain": true})
                }
                "/v1/answer" => json!({"space": "user:a", "message": "hello"}),
                "/v1/tenants" => json!({"id": "acme"}),
                "/v1/keys" => continue, // It would close the server; tests of keys make some.
                _ if method == "patch" => json!({"content": "edited"}),
                _ => json!({}),
            });
        }
        let response = request.send().await.unwrap();
        let status = response.status();
        let kind = response.headers().get("content-type").map(|kind| kind.to_str().unwrap().to_owned());
        let text = response.text().await.unwrap();
        assert!(!text.contains("no such path") && status != 405, "{method} {path} is not there");
        if status.is_success() {
            let described = &call["responses"][status.as_str()];
            assert!(described.is_object(), "{method} {path} answers {status}, which nobody documented");
            let kinds: Vec<&String> =
                described["content"].as_object().into_iter().flat_map(Map::keys).collect();
            if let Some(schema) = described["content"]["application/json"].get("schema") {
                let body: Value = serde_json::from_str(&text).unwrap();
                assert_eq!(misfits(&document, schema, &body, "reply"), [""; 0], "{method} {path}: {body}");
            }
            match kind {
                None => assert!(kinds.is_empty() && text.is_empty(), "{method} {path}: {text}"),
                Some(kind) => {
                    let known = kinds.iter().any(|known| kind.starts_with(*known));
                    assert!(known, "{method} {path}: {kind}");
                }
            }
        } else {
            let (schema, body) =
                (&call["responses"]["default"]["content"]["application/json"]["schema"], &text);
            let body: Value = serde_json::from_str(body).unwrap();
            assert_eq!(misfits(&document, schema, &body, "reply"), [""; 0], "{method} {path}: {body}");
            let expected =
                matches!((method, path), ("post", "/v1/jobs/{id}/retry") | ("delete", "/v1/keys/{id}"));
            assert!(expected, "{method} {path} answers {status} {text}");
        }
    }
}

#[tokio::test]
async fn a_message_that_exists_already_is_a_documented_answer() {
    let document = memoir_server::openapi();
    let responses = &document["paths"]["/v1/messages"]["post"]["responses"];
    assert_eq!(responses["200"]["content"], responses["201"]["content"]);
    assert!(responses["200"]["content"].is_object());
}

#[tokio::test]
async fn a_body_may_be_left_out_where_the_document_says_so_and_nowhere_else() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:a", "id": "m", "session": "m", "content": "hello"})).await;
    let document = memoir_server::openapi();
    for (path, method, call) in operations(&document) {
        let Some(body) = call.get("requestBody") else { continue };
        let verb = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
        let address = path.replace("{space}", "user:a").replace("{id}", "m");
        let status = server.request(verb, &address).send().await.unwrap().status();
        assert_eq!(status.is_success(), body["required"] == false, "{method} {path} answers {status}");
    }
}

#[tokio::test]
async fn the_fullest_replies_fit_their_schemas_as_well_as_the_barest() {
    let server = TestServer::open().await;
    let attachment = json!({"ref": "1", "media_type": "image/png", "caption": "a hat"});
    say(
        &server,
        json!({"space": "user:a", "id": "q", "session": "s", "thread": "t", "content": "hat", "metadata": {"k": 1}}),
    )
    .await;
    say(
        &server,
        json!({"space": "user:a", "id": "w", "session": "s", "thread": "t", "author": "bob", "role": "assistant",
               "content": "A straw hat would suit you; the shop by the station has one for twenty euros."}),
    )
    .await;
    say(
        &server,
        json!({"space": "user:a", "id": "m", "session": "s", "thread": "t", "content": "a hat", "reply_to": "q",
               "mentions": ["bob"], "attachments": [attachment, {"ref": "2", "media_type": "x"}], "metadata": {"k": [null]}}),
    )
    .await;
    for (method, path, body) in [
        (Method::PATCH, "/v1/spaces/user:a/messages/m", json!({"content": "a new hat"})),
        (Method::PUT, "/v1/spaces/user:a", json!({"metadata": {"k": {}}})),
        (
            Method::POST,
            "/v1/spaces/user:a/sessions",
            json!({"id": "s2", "task": "work", "metadata": {"k": 1}}),
        ),
        (Method::POST, "/v1/spaces/user:a/sessions/s/end", json!({})),
        (Method::POST, "/v1/spaces/user:a/sessions/s/summarize", json!({})),
    ] {
        assert!(server.send(method, path, body).await.0.is_success(), "{path}");
    }
    let document = memoir_server::openapi();
    for (path, documented) in [
        ("/v1/spaces", "/v1/spaces"),
        ("/v1/spaces/user:a/messages/m", "/v1/spaces/{space}/messages/{id}"),
        ("/v1/spaces/user:a/messages?limit=1", "/v1/spaces/{space}/messages"),
        ("/v1/spaces/user:a/messages?session=s", "/v1/spaces/{space}/messages"),
        ("/v1/spaces/user:a/sessions/s", "/v1/spaces/{space}/sessions/{id}"),
        ("/v1/spaces/user:a/timeline?grain=session", "/v1/spaces/{space}/timeline"),
        ("/v1/spaces/user:a/days/2026-01-07", "/v1/spaces/{space}/days/{date}"),
        ("/v1/spaces/user:a/portrait", "/v1/spaces/{space}/portrait"),
        ("/v1/spaces/user:a/messages/search?q=hat&limit=1", "/v1/spaces/{space}/messages/search"),
        ("/v1/spaces/user:a/sessions", "/v1/spaces/{space}/sessions"),
        ("/v1/spaces/user:a/sessions/s/window", "/v1/spaces/{space}/sessions/{id}/window"),
        ("/v1/audit", "/v1/audit"),
        ("/v1/jobs", "/v1/jobs"),
        ("/v1/stats", "/v1/stats"),
    ] {
        let schema = &document["paths"][documented]["get"]["responses"]["200"]["content"]["application/json"]
            ["schema"];
        let body = got(&server, path).await;
        assert_eq!(misfits(&document, schema, &body, "reply"), [""; 0], "{path}: {body}");
    }
}

#[tokio::test]
async fn every_error_code_is_in_the_document_and_on_the_page() {
    let server = TestServer::with_keys().await;
    let description = memoir_server::openapi()["info"]["description"].as_str().unwrap().to_owned();
    let page = reqwest::get(server.url("/docs")).await.unwrap().text().await.unwrap();
    for code in memoir_model::ErrorCode::ALL {
        assert!(description.contains(&format!("`{}`", code.as_str())), "{}", code.as_str());
        assert!(page.contains(code.as_str()), "{}", code.as_str());
    }
}

#[tokio::test]
async fn the_page_shows_every_call_and_loads_nothing_from_elsewhere() {
    let server = TestServer::with_keys().await;
    let response = reqwest::get(server.url("/docs")).await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "text/html; charset=utf-8");
    let page = response.text().await.unwrap();
    assert!(page.starts_with("<!DOCTYPE html>"));
    for (path, _, call) in operations(&memoir_server::openapi()) {
        assert!(page.contains(path), "{path}");
        let summary = call["summary"].as_str().unwrap().replace('\'', "&#39;");
        assert!(page.contains(&summary) || page.contains(&summary.replace("&#39;", "'")), "{summary}");
    }
    for (attribute, rest) in ["src=", "href=", "action=", "url(", "@import"].iter().flat_map(|name| {
        page.match_indices(name).map(|(at, _)| (*name, &page[at + name.len()..])).collect::<Vec<_>>()
    }) {
        let target = rest.trim_start_matches(['"', '\'']).split(['"', '\'', ')', '>']).next().unwrap();
        assert!(target.starts_with('/') && !target.starts_with("//"), "{attribute}{target}");
    }
    assert!(!page.contains("<script"));
}
