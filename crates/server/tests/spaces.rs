//! `/v1/spaces`.

use jiff::SignedDuration;
use memoir_testkit::TestServer;
use reqwest::Method;
use serde_json::{Value, json};

use crate::raw::Raw;
use crate::{column, got, refusal, say, say_all, whole_list};

async fn put(server: &TestServer, space: &str, body: Value) -> crate::Reply {
    server.send(Method::PUT, &format!("/v1/spaces/{space}"), body).await
}

async fn made(server: &TestServer, space: &str, body: Value) -> Value {
    let (status, space) = put(server, space, body).await;
    assert_eq!(status, 200, "{space}");
    space
}

async fn erase(server: &TestServer, space: &str) -> reqwest::Response {
    server.request(Method::DELETE, &format!("/v1/spaces/{space}")).send().await.unwrap()
}

#[tokio::test]
async fn a_space_is_made_with_what_the_product_says_of_it() {
    let server = TestServer::open().await;
    let space = made(
        &server,
        "user:alice",
        json!({"zone": "America/New_York", "preset": "coach", "metadata": {"plan": "pro"}}),
    )
    .await;
    let expected = json!({
        "id": "user:alice", "zone": "America/New_York", "preset": "coach", "messages": 0, "sessions": 0,
        "version": 1, "created_at": "2026-01-07T04:00:00Z", "metadata": {"plan": "pro"},
    });
    assert_eq!(space, expected);
    assert_eq!(got(&server, "/v1/spaces/user:alice").await, expected);
    assert_eq!(column(&got(&server, "/v1/audit").await, "action"), ["space_changed"]);
}

#[tokio::test]
async fn what_is_not_said_of_a_space_takes_its_usual_value_and_then_stays() {
    let server = TestServer::open().await;
    let space = made(&server, "user:a", json!({})).await;
    assert_eq!((&space["zone"], &space["preset"]), (&json!("Asia/Shanghai"), &json!("general")));
    made(&server, "user:a", json!({"metadata": {"k": 1}, "preset": "reading"})).await;
    let space = made(&server, "user:a", json!({"zone": "UTC"})).await;
    assert_eq!((&space["zone"], &space["preset"]), (&json!("UTC"), &json!("reading")));
    assert_eq!(space["metadata"], json!({"k": 1}));
    let again = made(&server, "user:a", json!({"zone": "UTC", "metadata": {"k": 1}})).await;
    assert_eq!(again["version"], space["version"], "nothing changed");
    assert_eq!(made(&server, "user:a", json!({"metadata": {}})).await.get("metadata"), None);
}

#[tokio::test]
async fn a_zone_is_told_by_name_or_by_minutes_of_either_sign() {
    let server = TestServer::open().await;
    for (body, zone) in [
        (json!({"zone": "+08:00"}), "+08:00"),
        (json!({"zone": "-0330"}), "-03:30"),
        (json!({"zone": "Asia/Kolkata"}), "Asia/Kolkata"),
        (json!({"utc_offset_minutes": 480}), "+08:00"),
        (json!({"utc_offset_minutes": -300}), "-05:00"),
        (json!({"utc_offset_minutes": 0}), "+00:00"),
        // In China getTimezoneOffset() gives -480, in New York 300.
        (json!({"js_timezone_offset": -480}), "+08:00"),
        (json!({"js_timezone_offset": 300}), "-05:00"),
        (json!({"js_timezone_offset": -345}), "+05:45"),
    ] {
        let told = body.to_string();
        let space = made(&server, "user:a", body).await;
        let same = if zone == "+00:00" {
            space["zone"] == "UTC" || space["zone"] == zone
        } else {
            space["zone"] == zone
        };
        assert!(same, "{told} became {}", space["zone"]);
    }
}

#[tokio::test]
async fn a_zone_that_is_told_twice_or_wrongly_is_refused() {
    let server = TestServer::open().await;
    for (body, expected) in [
        (json!({"zone": "UTC", "utc_offset_minutes": 0}), "422 invalid zone"),
        (json!({"utc_offset_minutes": 480, "js_timezone_offset": -480}), "422 invalid zone"),
        (json!({"zone": "UTC", "js_timezone_offset": 0}), "422 invalid zone"),
        (json!({"zone": "Mars/Olympus"}), "422 invalid zone"),
        (json!({"zone": "../../etc/passwd"}), "422 invalid zone"),
        (json!({"zone": ""}), "422 invalid zone"),
        (json!({"zone": "+24:00"}), "422 invalid zone"),
        (json!({"zone": 8}), "422 invalid zone"),
        (json!({"utc_offset_minutes": 1440}), "422 invalid utc_offset_minutes"),
        (json!({"utc_offset_minutes": 8.5}), "422 invalid utc_offset_minutes"),
        (json!({"utc_offset_minutes": "480"}), "422 invalid utc_offset_minutes"),
        (json!({"utc_offset_minutes": 1e300}), "422 invalid utc_offset_minutes"),
        (json!({"js_timezone_offset": -1440}), "422 invalid js_timezone_offset"),
        (json!({"js_timezone_offset": -2147483648}), "422 invalid js_timezone_offset"),
        (json!({"js_timezone_offset": 2147483648u32}), "422 invalid js_timezone_offset"),
        (json!({"preset": "banana"}), "422 invalid preset"),
        (json!({"metadata": "x"}), "422 invalid metadata"),
        (json!({"metadata": {"k": "x".repeat(16 * 1024)}}), "422 invalid metadata"),
        (json!({"timezone": "UTC"}), "422 invalid timezone"),
    ] {
        let told = body.to_string();
        assert_eq!(refusal(put(&server, "user:a", body).await), expected, "{}", &told[..told.len().min(80)]);
    }
    assert_eq!(refusal(server.get("/v1/spaces/user:a").await), "404 not_found");
}

#[tokio::test]
async fn a_new_zone_counts_from_now_on_and_rewrites_no_earlier_day() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:a", "id": "before", "content": "x"})).await;
    server.memoir.clock.advance(SignedDuration::from_hours(1));
    made(&server, "user:a", json!({"zone": "America/New_York"})).await;
    say(&server, json!({"space": "user:a", "id": "after", "content": "x"})).await;
    let told = async |id: &str| {
        let message = got(&server, &format!("/v1/spaces/user:a/messages/{id}")).await;
        (message["said_at"].clone(), message["local_date"].clone())
    };
    assert_eq!(told("before").await, (json!("2026-01-07T12:00:00+08:00"), json!("2026-01-07")));
    assert_eq!(told("after").await, (json!("2026-01-07T00:00:00-05:00"), json!("2026-01-07")));
}

#[tokio::test]
async fn the_names_of_spaces_are_the_products_own() {
    let server = TestServer::open().await;
    for (id, encoded) in [
        ("user:a/b", "user:a%2Fb"),
        ("user:张三", "user:%E5%BC%A0%E4%B8%89"),
        ("group:q1 planning", "group%3Aq1%20planning"),
        ("agent:a:b:c", "agent:a:b:c"),
        ("user:a%2Fb", "user:a%252Fb"),
        ("user:😀", "user:%F0%9F%98%80"),
        ("user:a+b@example.com", "user:a+b@example.com"),
        ("user:../x", "user:..%2Fx"),
    ] {
        let mut raw = Raw::to(&server).await;
        raw.send(format!(
            "PUT /v1/spaces/{encoded} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Content-Length: 2\r\n\r\n{{}}"
        ))
        .await;
        let reply = raw.reply().await;
        assert_eq!((reply.status, &reply.value()["id"]), (200, &json!(id)), "{encoded}");
        say(&server, json!({"space": id, "id": "m", "content": id})).await;
        raw.send(format!("GET /v1/spaces/{encoded}/messages/m HTTP/1.1\r\nHost: localhost\r\n\r\n")).await;
        assert_eq!(raw.reply().await.value()["content"], id);
    }
    assert_eq!(got(&server, "/v1/spaces").await["items"].as_array().unwrap().len(), 8);
}

#[tokio::test]
async fn a_name_that_cannot_be_a_space_is_refused() {
    let server = TestServer::open().await;
    for path in
        ["alice", "robot:x", "user:", "USER:a", "user:%20a", "user:a%00b", "user:a%0A", "%E7%94%A8%E6%88%B7"]
    {
        assert_eq!(refusal(server.get(&format!("/v1/spaces/{path}")).await), "422 invalid space", "{path}");
        assert_eq!(refusal(put(&server, path, json!({})).await), "422 invalid space", "{path}");
    }
    let long = format!("user:{}", "x".repeat(257));
    assert_eq!(refusal(put(&server, &long, json!({})).await), "422 invalid space");
    // Not UTF-8 once it is decoded, or not even percent-encoded.
    for path in ["user:%FF", "user:%E5%BC", "user:%"] {
        let mut raw = Raw::to(&server).await;
        raw.send(format!("GET /v1/spaces/{path} HTTP/1.1\r\nHost: localhost\r\n\r\n")).await;
        let reply = raw.reply().await;
        assert!((400..500).contains(&reply.status), "{path}: {reply:?}");
    }
}

#[tokio::test]
async fn spaces_are_listed_in_the_order_of_their_ids() {
    let server = TestServer::open().await;
    let names = ["agent:b", "group:b", "user:a", "user:b", "user:c", "user:张三"];
    for name in ["user:c", "user:张三", "agent:b", "user:a", "group:b", "user:b"] {
        say(&server, json!({"space": name, "content": "x"})).await;
    }
    for limit in [1, 2, 6, 50] {
        let spaces = whole_list(&server, "/v1/spaces", limit).await;
        let ids: Vec<&str> = spaces.iter().map(|space| space["id"].as_str().unwrap()).collect();
        assert_eq!(ids, names, "{limit}");
    }
}

#[tokio::test]
async fn an_export_is_ndjson_that_says_where_it_ends() {
    let server = TestServer::open().await;
    say_all(&server, (0..3).map(|n| json!({"space": "user:a", "session": "s", "id": format!("m{n}"), "content": format!("行 {n}\n😀")}))).await;
    server.send(Method::PATCH, "/v1/spaces/user:a/messages/m0", json!({"content": "edited"})).await;
    let response = server.request(Method::GET, "/v1/spaces/user:a/export").send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/x-ndjson");
    let text = response.text().await.unwrap();
    assert!(text.ends_with('\n'));
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = lines.iter().map(|line| line["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["space", "session", "message", "message", "message", "end"]);
    assert_eq!(lines[5], json!({"type": "end", "messages": 3}));
    assert_eq!(
        (&lines[2]["content"], &lines[2]["versions"][0]["content"]),
        (&json!("edited"), &json!("行 0\n😀"))
    );
    assert_eq!(column(&got(&server, "/v1/audit").await, "action")[0], "space_exported");
    assert_eq!(refusal(server.get("/v1/spaces/user:b/export").await), "404 not_found");
}

#[tokio::test]
async fn an_erased_space_is_gone_with_everything_in_it() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:a", "id": "m", "session": "s", "content": "zebra"})).await;
    say(&server, json!({"space": "user:b", "id": "m", "content": "zebra"})).await;
    // Everything that keeps a part of it in memory has seen it.
    got(&server, "/v1/spaces/user:a/messages/search?q=zebra").await;
    got(&server, "/v1/spaces/user:a/sessions/s/window").await;
    let response = erase(&server, "user:a").await;
    assert_eq!(response.status(), 204);
    assert_eq!(response.text().await.unwrap(), "");
    for path in [
        "/v1/spaces/user:a",
        "/v1/spaces/user:a/messages",
        "/v1/spaces/user:a/messages/m",
        "/v1/spaces/user:a/messages/search?q=zebra",
        "/v1/spaces/user:a/sessions/s",
        "/v1/spaces/user:a/sessions/s/window",
        "/v1/spaces/user:a/timeline",
        "/v1/spaces/user:a/days/2026-01-07",
        "/v1/spaces/user:a/portrait",
        "/v1/spaces/user:a/export",
        "/v1/jobs?space=user:a",
    ] {
        assert_eq!(refusal(server.get(path).await), "404 not_found", "{path}");
    }
    assert_eq!(erase(&server, "user:a").await.status(), 404);
    assert_eq!(column(&got(&server, "/v1/spaces").await, "id"), ["user:b"]);
    let log = got(&server, "/v1/audit").await;
    assert_eq!((column(&log, "action"), column(&log, "space")), (vec!["space_erased"], vec!["user:a"]));
    let (all, of_other) = (got(&server, "/v1/jobs").await, got(&server, "/v1/jobs?space=user:b").await);
    assert_eq!(all["items"], of_other["items"], "only the other space's jobs are left");
    crate::assert_sound(&server).await;
}

#[tokio::test]
async fn a_space_of_an_erased_name_begins_anew() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:a", "id": "m", "session": "s", "content": "zebra"})).await;
    erase(&server, "user:a").await;
    let receipt =
        say(&server, json!({"space": "user:a", "id": "m", "session": "s", "content": "other words"})).await;
    assert_eq!(receipt["seq"], 1);
    assert_eq!(got(&server, "/v1/spaces/user:a/messages/search?q=zebra").await["total"], 0);
    assert_eq!(
        got(&server, "/v1/spaces/user:a/sessions/s/window").await["items"].as_array().unwrap().len(),
        1
    );
}
