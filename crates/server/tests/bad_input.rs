//! What no honest client sends. It is refused with a reason, and nothing of it is stored.

use memoir_testkit::TestServer;
use reqwest::Method;
use serde_json::{Value, json};

use crate::raw::Raw;
use crate::{assert_sound, got, refusal, say};

/// Posts these bytes as JSON to `/v1/messages`.
async fn remember(server: &TestServer, body: &[u8]) -> crate::Reply {
    Raw::to(server).await.post("/v1/messages", body).await.json()
}

/// A message with one more field.
fn with(field: &str, value: Value) -> Value {
    let mut message = json!({"space": "user:a", "content": "hello"});
    message[field] = value;
    message
}

/// Nothing was stored, nothing is broken, and the next message is welcome.
async fn assert_untouched(server: &TestServer) {
    assert_eq!(got(server, "/v1/spaces").await["items"], json!([]));
    assert_eq!(got(server, "/v1/stats").await["messages"], 0);
    assert_sound(server).await;
    say(server, json!({"space": "user:a", "content": "hello"})).await;
}

#[tokio::test]
async fn what_is_not_json_is_malformed() {
    let server = TestServer::open().await;
    let deep_list = "[".repeat(100_000);
    let deep_object = format!("{}1{}", "{\"a\":".repeat(50_000), "}".repeat(50_000));
    let deep_metadata = format!(
        "{{\"space\":\"user:a\",\"content\":\"x\",\"metadata\":{{\"a\":{}{}}}}}",
        "[".repeat(200),
        "]".repeat(200)
    );
    let utf_16: Vec<u8> =
        r#"{"space":"user:a","content":"x"}"#.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for body in [
        b"".as_slice(),
        b" ",
        b"hello",
        b"{",
        b"{\"space\":\"user:a\"",
        b"{'space':'user:a','content':'x'}",
        b"{\"space\":\"user:a\",\"content\":\"x\",}",
        b"{\"space\":\"user:a\",\"content\":\"x\"} and more",
        b"{\"space\":\"user:a\",\"content\":\"x\"}{\"space\":\"user:a\",\"content\":\"y\"}",
        b"space=user:a&content=x",
        b"\xef\xbb\xbf{\"space\":\"user:a\",\"content\":\"x\"}",
        b"{\"space\":\"user:a\",\"content\":\"a\0b\"}",
        b"{\"space\":\"user:a\",\"content\":\"a\nb\"}",
        b"{\"space\":\"user:a\",\"content\":\"\\x\"}",
        // Half of a pair of surrogates, in every position.
        b"{\"space\":\"user:a\",\"content\":\"\\ud800\"}",
        b"{\"space\":\"user:a\",\"content\":\"\\udc00\"}",
        b"{\"space\":\"user:a\",\"content\":\"\\ud83d\\u0041\"}",
        b"{\"space\":\"user:\\ud800\",\"content\":\"x\"}",
        b"{\"space\":\"user:a\",\"content\":\"x\",\"metadata\":{\"\\ud800\":1}}",
        // Not UTF-8: a stray byte, a surrogate, an overlong slash, a cut character.
        b"{\"space\":\"user:a\",\"content\":\"\xff\"}",
        b"{\"space\":\"user:a\",\"content\":\"\xed\xa0\x80\"}",
        b"{\"space\":\"user:a\",\"content\":\"\xc0\xaf\"}",
        b"{\"space\":\"user:a\",\"content\":\"\xe4\xbd\"}",
        b"{\"space\":\"user:a\",\"content\":\"x\",\"metadata\":{\"k\":\"\xff\"}}",
        b"{\"space\":\"user:a\",\"content\":\"x\",\"metadata\":{\"k\":1e999}}",
        b"{\"space\":\"user:a\",\"content\":\"x\",\"metadata\":{\"k\":NaN}}",
        b"{\"space\":\"user:a\",\"content\":\"x\",\"metadata\":{\"k\":01}}",
        b"\x1f\x8b\x08\x00\x00\x00\x00\x00",
        &utf_16,
        deep_list.as_bytes(),
        deep_object.as_bytes(),
        deep_metadata.as_bytes(),
    ] {
        let shown = String::from_utf8_lossy(&body[..body.len().min(80)]).into_owned();
        assert_eq!(refusal(remember(&server, body).await), "400 malformed_body", "{shown}");
    }
    assert_untouched(&server).await;
}

#[tokio::test]
async fn what_is_not_json_is_malformed_wherever_it_is_sent() {
    let server = TestServer::open().await;
    for (path, right) in [
        ("/v1/keys", r#"{"role":"admin"}"#),
        ("/v1/tenants", r#"{"id":"acme"}"#),
        ("/v1/spaces/user:a/sessions", "{}"),
        ("/v1/spaces/user:a/sessions/s/end", "{}"),
    ] {
        let cut = &right[..right.len() - 1];
        for body in [cut, " ", &format!("{right} {{}}"), &format!("{right}]"), &format!("\u{feff}{right}")] {
            let reply = Raw::to(&server).await.post(path, body.as_bytes()).await.json();
            assert_eq!(refusal(reply), "400 malformed_body", "{path} {body}");
        }
        for body in [b"{\"id\":\"\\ud800\"}".as_slice(), b"{\"id\":\"\xff\"}"] {
            let reply = Raw::to(&server).await.post(path, body).await.json();
            assert_eq!(reply.0.as_u16() / 100, 4, "{path} {}", String::from_utf8_lossy(body));
        }
    }
    assert_untouched(&server).await;
}

#[tokio::test]
async fn a_body_of_another_shape_is_invalid() {
    let server = TestServer::open().await;
    let message = json!({"space": "user:a", "content": "hello"});
    let many: Vec<Value> = (0..1001).map(|_| message.clone()).collect();
    for (body, expected) in [
        (json!(null), "422 invalid"),
        (json!(true), "422 invalid"),
        (json!(5), "422 invalid"),
        (json!("hello"), "422 invalid"),
        (json!([]), "422 invalid"),
        (json!([message]), "422 invalid"),
        // The values of a message in their order are no message.
        (json!(["user:a", null, null, null, null, null, "hello", null, null, [], [], {}]), "422 invalid"),
        (json!({}), "422 invalid space"),
        (json!({"messages": null}), "422 invalid messages"),
        (json!({"messages": {}}), "422 invalid messages"),
        (json!({"messages": "hello"}), "422 invalid messages"),
        (json!({"messages": []}), "422 invalid messages"),
        (json!({"messages": many}), "422 invalid messages"),
        (json!({"messages": [message], "space": "user:a"}), "422 invalid space"),
        (json!({"messages": [message], "wait": true}), "422 invalid wait"),
        (json!({"Messages": [message]}), "422 invalid Messages"),
    ] {
        let told = body.to_string();
        let reply = server.send(Method::POST, "/v1/messages", body).await;
        assert_eq!(refusal(reply), expected, "{}", &told[..told.len().min(100)]);
    }
    assert_untouched(&server).await;
}

#[tokio::test]
async fn a_field_of_another_type_or_value_is_invalid_and_named() {
    let server = TestServer::open().await;
    let long = "x".repeat(257);
    let attachment = json!({"ref": "1", "media_type": "image/png"});
    let attached = |field: &str, value: Value| {
        let mut attachment = attachment.clone();
        attachment[field] = value;
        with("attachments", json!([attachment]))
    };
    let mut cases = vec![
        (with("contnet", json!("typo")), "422 invalid contnet"),
        (with("seq", json!(1)), "422 invalid seq"),
        (with("content", json!("")), "422 invalid content"),
        (with("content", json!(" \t\n\u{3000}")), "422 invalid content"),
        (with("content", json!("a\u{0}b")), "422 invalid content"),
        (with("role", json!("narrator")), "422 invalid role"),
        (with("role", json!("User")), "422 invalid role"),
        (with("space", json!("alice")), "422 invalid space"),
        (with("space", json!("user:")), "422 invalid space"),
        (with("space", json!("user: a")), "422 invalid space"),
        (with("space", json!(null)), "422 invalid space"),
        (with("space", json!(["user:a"])), "422 invalid space"),
        (with("mentions", json!("bob")), "422 invalid mentions"),
        (with("mentions", json!(["bob", 5])), "422 invalid mentions[1]"),
        (with("mentions", json!(["bob", ""])), "422 invalid mentions[1]"),
        (with("mentions", json!(vec!["bob"; 257])), "422 invalid mentions"),
        (with("attachments", json!(vec![attachment.clone(); 33])), "422 invalid attachments"),
        (with("attachments", json!({})), "422 invalid attachments"),
        (with("attachments", json!([["1", "image/png", null]])), "422 invalid attachments[0]"),
        (attached("ref", json!("")), "422 invalid attachments[0].ref"),
        (attached("ref", json!("a\u{0}")), "422 invalid attachments[0].ref"),
        (attached("ref", json!("x".repeat(2049))), "422 invalid attachments[0].ref"),
        (attached("media_type", json!("x".repeat(129))), "422 invalid attachments[0].media_type"),
        (attached("media_type", json!("a\u{0}")), "422 invalid attachments[0].media_type"),
        (attached("media_type", json!(5)), "422 invalid attachments[0].media_type"),
        (attached("caption", json!("a\u{0}")), "422 invalid attachments[0].caption"),
        (attached("caption", json!("x".repeat(8193))), "413 message_too_large attachments[0].caption"),
        (attached("bytes", json!("AAAA")), "422 invalid attachments[0].bytes"),
        (with("metadata", json!([])), "422 invalid metadata"),
        (with("metadata", json!({"k": "x".repeat(16 * 1024)})), "422 invalid metadata"),
        (with("content", json!("x".repeat(65 * 1024))), "413 message_too_large content"),
        (with("content", json!("你".repeat(22_000))), "413 message_too_large content"),
    ];
    for field in ["id", "session", "thread", "author", "reply_to"] {
        for value in
            [json!(""), json!(" a"), json!("a\u{0}b"), json!("a\nb"), json!(long), json!(5), json!({})]
        {
            let expected: &'static str = match field {
                "id" => "422 invalid id",
                "session" => "422 invalid session",
                "thread" => "422 invalid thread",
                "author" => "422 invalid author",
                _ => "422 invalid reply_to",
            };
            cases.push((with(field, value), expected));
        }
    }
    for value in [json!(5), json!(null), json!([]), json!({}), json!(true)] {
        cases.push((with("content", value), "422 invalid content"));
    }
    for (body, expected) in cases {
        let told = body.to_string();
        let told: String = told.chars().take(100).collect();
        assert_eq!(
            refusal(server.send(Method::POST, "/v1/messages", body.clone()).await),
            expected,
            "{told}"
        );
        // The same among many names its place.
        let (status, reply) = server.send(Method::POST, "/v1/messages", json!({"messages": [body]})).await;
        let error = &reply["results"][0]["error"];
        let (code, field) = expected[4..].split_once(' ').unwrap();
        let placed = format!("messages[0].{field}");
        assert_eq!(
            (status.as_u16(), error["code"].as_str(), error["field"].as_str()),
            (200, Some(code), Some(placed.as_str())),
            "{told}"
        );
    }
    assert_untouched(&server).await;
}

#[tokio::test]
async fn a_time_that_is_none_is_refused() {
    let server = TestServer::open().await;
    for time in [
        "",
        "now",
        "2026-01-07",
        "2026-01-07T09:30:00",
        "2026-01-07 09:30",
        "09:30:00+08:00",
        "2026-13-01T00:00:00Z",
        "2026-02-30T00:00:00Z",
        "2026-01-07T24:00:00Z",
        "2026-01-07T25:61:00Z",
        "2026-01-07T09:30:00+99:00",
        "10000-01-01T00:00:00Z",
        "2026-01-07T09:30:00[Asia/Shanghai]",
        "1767756600",
        "\u{0}",
    ] {
        let reply = server.send(Method::POST, "/v1/messages", with("said_at", json!(time))).await;
        assert!(reply.1["error"]["message"].as_str().unwrap().contains("RFC 3339"), "{time}: {}", reply.1);
        assert_eq!(refusal(reply), "422 invalid said_at", "{time}");
    }
    for time in [json!(1_767_756_600), json!(1e300), json!({}), json!([2026])] {
        let reply = server.send(Method::POST, "/v1/messages", with("said_at", time.clone())).await;
        assert_eq!(refusal(reply), "422 invalid said_at", "{time}");
    }
    assert_untouched(&server).await;
}

#[tokio::test]
async fn a_year_that_no_calendar_can_write_is_refused_with_the_reason() {
    let server = TestServer::open().await;
    for time in [
        "0000-01-01T00:00:00Z",
        "0000-12-31T23:59:59Z",
        "0001-01-01T00:00:00Z",
        "9999-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z",
        "9999-12-31T23:59:59-12:00",
    ] {
        let reply = server.send(Method::POST, "/v1/messages", with("said_at", json!(time))).await;
        let message = reply.1["error"]["message"].as_str().unwrap().to_owned();
        assert_eq!(refusal(reply), "422 invalid said_at", "{time}");
        assert!(message.contains("year"), "{time}: {message}");
    }
    assert_untouched(&server).await;
}

#[tokio::test]
async fn a_body_that_is_cut_off_stores_nothing() {
    let server = TestServer::open().await;
    let whole = r#"{"space":"user:a","content":"hello"}"#;
    let head = "POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    for sent in [
        format!("{head}Content-Length: 100\r\n\r\n{whole}"),
        format!("{head}Content-Length: {}\r\n\r\n{}", whole.len(), &whole[..20]),
        format!("{head}Content-Length: {}\r\n\r\n", whole.len()),
        format!("{head}Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{whole}\r\n", whole.len()),
        format!("{head}Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{}", whole.len(), &whole[..20]),
    ] {
        let mut raw = Raw::to(&server).await;
        raw.send(&sent).await;
        raw.finish().await;
        if let Some(reply) = raw.try_reply().await {
            assert_eq!(refusal(reply.json()), "400 malformed_body", "{sent}");
        }
    }
    assert_untouched(&server).await;
}

#[tokio::test]
async fn a_body_that_says_it_is_no_json_is_refused() {
    let server = TestServer::open().await;
    let body = r#"{"space":"user:a","content":"hello"}"#;
    let send = async |path: &str, method: Method, kind: &str| {
        let request = server.request(method, path).header("content-type", kind).body(body);
        let response = request.send().await.unwrap();
        let status = response.status();
        (status, serde_json::from_str::<Value>(&response.text().await.unwrap()).unwrap())
    };
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonp",
        "json",
        "*/*",
    ] {
        for (method, path) in [
            (Method::POST, "/v1/messages"),
            (Method::PUT, "/v1/spaces/user:a"),
            (Method::POST, "/v1/spaces/user:a/sessions"),
            (Method::POST, "/v1/keys"),
        ] {
            assert_eq!(
                refusal(send(path, method, kind).await),
                "415 unsupported_media_type Content-Type",
                "{kind}"
            );
        }
    }
    assert_untouched(&server).await;
    for kind in [
        "application/json",
        "Application/JSON; charset=utf-8",
        "application/vnd.memoir+json",
        "application/json ;x=y",
    ] {
        assert_eq!(send("/v1/messages", Method::POST, kind).await.0, 201, "{kind}");
    }
}

#[tokio::test]
async fn what_is_unusual_but_right_is_kept_verbatim() {
    let server = TestServer::open().await;
    for (n, content) in [
        "👩‍👩‍👧‍👦 and 🇨🇳 and 👍🏽",
        "zero\u{200b}width\u{200d}\u{feff}joined\u{2060}",
        "right\u{202e}to left\u{202c} and עברית and العربية",
        "  leading and trailing  \n",
        "tabs\tand\r\nlines\u{2028}\u{2029}\u{85}",
        "e\u{301} is not \u{e9}",
        "\u{fffd}\u{10ffff}\u{e000}\u{1}\u{1f}\u{7f}",
        "﷽ 𝕳𝖊𝖑𝖑𝖔 ⓗⓔⓛⓛⓞ ﬀ",
        "'; DROP TABLE messages; -- %s %n {{7*7}} <script>alert(1)</script>",
        "\\ud800 and \\u0000 as text",
        "null",
        "\"",
    ]
    .into_iter()
    .enumerate()
    {
        say(&server, json!({"space": "user:a", "id": format!("m{n}"), "content": content, "metadata": {content: content}})).await;
        let message = got(&server, &format!("/v1/spaces/user:a/messages/m{n}")).await;
        assert_eq!(
            (message["content"].as_str(), message["metadata"][content].as_str()),
            (Some(content), Some(content))
        );
    }
    assert_sound(&server).await;
}

#[tokio::test]
async fn the_largest_message_that_is_allowed_is_stored_whole() {
    let server = TestServer::open().await;
    let content = format!("{}猫", "x".repeat(64 * 1024 - 3));
    let name = "名".repeat(85);
    let attachment =
        json!({"ref": "r".repeat(2048), "media_type": "m".repeat(128), "caption": "c".repeat(8192)});
    say(
        &server,
        json!({"space": format!("user:{name}"), "id": name, "session": name, "thread": name, "author": name,
               "reply_to": name, "content": content, "mentions": vec![name.as_str(); 256],
               "attachments": vec![attachment; 32], "metadata": {"k": "v".repeat(16 * 1024 - 8)}}),
    )
    .await;
    let spaces = got(&server, "/v1/spaces").await;
    assert_eq!(spaces["items"][0]["id"], format!("user:{name}"));
    let (_, list) = server.get(&format!("/v1/spaces/user:{name}/messages")).await;
    assert_eq!(list["items"][0]["content"], content);
    assert_eq!(list["items"][0]["attachments"].as_array().unwrap().len(), 32);
    assert_sound(&server).await;
}

/// Floating-point numbers of all sizes, the same each time.
fn floats(count: usize) -> Vec<f64> {
    let step = |bits: &u64| {
        Some(bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407))
    };
    std::iter::successors(Some(1), step)
        .map(f64::from_bits)
        .filter(|float| float.is_finite())
        .take(count)
        .collect()
}

#[tokio::test]
async fn numbers_and_nesting_in_metadata_come_back_as_they_were() {
    let server = TestServer::open().await;
    let mut nested = json!("bottom");
    for _ in 0..100 {
        nested = json!([nested]);
    }
    let metadata = json!({
        "nested": nested, "largest": u64::MAX, "smallest": i64::MIN, "float": 0.1, "tiny": 5e-324, "huge": f64::MAX,
        "empty": {}, "null": null, "any": floats(500),
    });
    say(&server, json!({"space": "user:a", "id": "m", "content": "x", "metadata": metadata})).await;
    assert_eq!(got(&server, "/v1/spaces/user:a/messages/m").await["metadata"], metadata);
}

#[tokio::test]
async fn a_list_of_values_stands_for_no_object_anywhere() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:a", "id": "m", "session": "s", "content": "hello"})).await;
    for (method, path, body) in [
        (Method::PUT, "/v1/spaces/user:a", json!(["UTC", null, null, null, null])),
        (Method::POST, "/v1/spaces/user:a/sessions", json!([null, null, null, {}])),
        (Method::POST, "/v1/spaces/user:a/sessions/s/end", json!([null])),
        (Method::PATCH, "/v1/spaces/user:a/messages/m", json!(["changed", null, null, null, null])),
        (Method::POST, "/v1/tenants", json!(["acme", ""])),
        (Method::POST, "/v1/keys", json!(["admin", null, "", null])),
    ] {
        assert_eq!(refusal(server.send(method, path, body).await), "422 invalid", "{path}");
    }
    for value in [json!(null), json!(5), json!("x"), json!(true)] {
        let reply = server.send(Method::PUT, "/v1/spaces/user:a", value.clone()).await;
        assert_eq!(refusal(reply), "422 invalid", "{value}");
    }
    assert_eq!(got(&server, "/v1/spaces/user:a").await["zone"], "Asia/Shanghai");
}
