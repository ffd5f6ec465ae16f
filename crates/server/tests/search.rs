//! `GET /v1/spaces/{space}/messages/search`.

use memoir_testkit::TestServer;
use serde_json::{Value, json};
use std::collections::BTreeSet;

use crate::{got, refusal, say, say_all, whole_list};

async fn search(server: &TestServer, query: &str) -> Value {
    got(server, &format!("/v1/spaces/user:a/messages/search?{query}")).await
}

fn ids(reply: &Value) -> BTreeSet<&str> {
    reply["items"].as_array().unwrap().iter().map(|hit| hit["message"]["id"].as_str().unwrap()).collect()
}

/// What the places of a hit mark in its content, counted in characters.
fn marked(hit: &Value) -> Vec<String> {
    let content: Vec<char> = hit["message"]["content"].as_str().unwrap().chars().collect();
    let place = |place: &Value, name: &str| place[name].as_u64().unwrap() as usize;
    let places = hit["highlights"].as_array().unwrap().iter();
    places.map(|at| content[place(at, "start")..place(at, "end")].iter().collect()).collect()
}

fn joined(pieces: &Value) -> String {
    pieces.as_array().unwrap().iter().map(|piece| piece["text"].as_str().unwrap()).collect()
}

fn matches(pieces: &Value) -> Vec<&str> {
    let pieces = pieces.as_array().unwrap().iter();
    pieces.filter(|piece| piece["match"] == true).map(|piece| piece["text"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn highlights_are_counted_in_characters_whatever_the_script() {
    let server = TestServer::open().await;
    let content = "😀昨天带Miso去公园👨‍👩‍👧，公园很大";
    say(&server, json!({"space": "user:a", "id": "m", "content": content})).await;
    let reply = search(&server, "q=%E5%85%AC%E5%9B%AD").await;
    let hit = &reply["items"][0];
    assert_eq!(hit["highlights"], json!([{"start": 9, "end": 11}, {"start": 17, "end": 19}]));
    assert_eq!(marked(hit), ["公园", "公园"]);
    assert_eq!(joined(&hit["snippet"]), content);
    assert_eq!(matches(&hit["snippet"]), ["公园", "公园"]);
    let reply = search(&server, "q=miso").await;
    assert_eq!(marked(&reply["items"][0]), ["Miso"]);
}

#[tokio::test]
async fn the_snippet_of_a_long_text_is_a_part_of_it() {
    let server = TestServer::open().await;
    let content = format!("{}我的猫叫Miso😀。{}", "天气很好。".repeat(200), "今天下雨。".repeat(200));
    say(&server, json!({"space": "user:a", "id": "m", "content": content})).await;
    let reply = search(&server, "q=miso").await;
    let hit = &reply["items"][0];
    let snippet = joined(&hit["snippet"]);
    let inner = snippet.strip_prefix('…').unwrap().strip_suffix('…').unwrap();
    assert!(content.contains(inner), "{inner}");
    assert!(inner.chars().count() <= 160);
    assert_eq!(matches(&hit["snippet"]), ["Miso"]);
    assert_eq!(marked(hit), ["Miso"]);
}

#[tokio::test]
async fn captions_are_searched_and_shown() {
    let server = TestServer::open().await;
    say(
        &server,
        json!({"space": "user:a", "id": "m", "content": "看", "attachments": [
            {"ref": "1", "media_type": "image/png"},
            {"ref": "2", "media_type": "image/png", "caption": "a giraffe 🦒 in the zoo"},
        ]}),
    )
    .await;
    let reply = search(&server, "q=giraffe").await;
    let hit = &reply["items"][0];
    assert_eq!((&hit["highlights"], joined(&hit["snippet"]).as_str()), (&json!([]), "看"));
    assert_eq!(hit["captions"][0]["attachment"], 1);
    assert_eq!(joined(&hit["captions"][0]["snippet"]), "a giraffe 🦒 in the zoo");
    assert_eq!(matches(&hit["captions"][0]["snippet"]), ["giraffe"]);
}

#[tokio::test]
async fn a_message_is_found_as_soon_as_it_is_acknowledged() {
    let server = TestServer::open().await;
    for (n, word) in
        ["pear", "plum", "grape", "lemon", "mango", "cherry", "melon", "fig"].into_iter().enumerate()
    {
        say(&server, json!({"space": "user:a", "id": word, "content": format!("apple {word}")})).await;
        assert_eq!(ids(&search(&server, &format!("q={word}")).await), BTreeSet::from([word]));
        assert_eq!(search(&server, "q=apple").await["total"], n + 1);
    }
}

#[tokio::test]
async fn hits_are_read_page_by_page_and_counted() {
    let server = TestServer::open().await;
    let message = |n: u32| json!({"space": "user:a", "id": format!("m{n}"), "content": format!("apple {}", "x ".repeat(n as usize))});
    say_all(&server, (0..7).map(message)).await;
    let all = search(&server, "q=apple").await;
    assert_eq!((all["total"].as_u64(), &all["next"]), (Some(7), &Value::Null));
    for limit in [1, 2, 3, 7] {
        let pages = whole_list(&server, "/v1/spaces/user:a/messages/search?q=apple", limit).await;
        assert_eq!(pages, *all["items"].as_array().unwrap(), "{limit}");
    }
    let scores: Vec<f64> =
        all["items"].as_array().unwrap().iter().map(|hit| hit["score"].as_f64().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
}

#[tokio::test]
async fn a_ranked_list_ends_at_its_thousandth_place_and_says_so() {
    let server = TestServer::open().await;
    let message = |n: u32| json!({"space": "user:a", "id": format!("m{n}"), "content": "apple"});
    say_all(&server, (0..700).map(message)).await;
    say_all(&server, (700..1_400).map(message)).await;
    let path = "/v1/spaces/user:a/messages/search?q=apple";
    assert_eq!(got(&server, path).await["total"], 1_400);
    for limit in [300, 500] {
        // Whoever follows `next` comes to an end and never to a refusal.
        let hits = whole_list(&server, path, limit).await;
        let found: BTreeSet<&str> = hits.iter().map(|hit| hit["message"]["id"].as_str().unwrap()).collect();
        assert_eq!((hits.len(), found.len()), (1_000, 1_000), "{limit}");
    }
}

#[tokio::test]
async fn a_search_is_narrowed_by_session_time_author_and_role() {
    let server = TestServer::open().await;
    let message = |id: &str, author: &str, role: &str, session: &str, day: u32| {
        json!({"space": "user:a", "id": id, "content": "apple pie", "author": author, "role": role,
               "session": session, "said_at": format!("2026-01-0{day}T12:00:00+08:00")})
    };
    let said = [
        message("a", "ann", "user", "s1", 1),
        message("b", "bob", "user", "s1", 2),
        message("c", "bot", "assistant", "s2", 3),
        message("d", "ann", "user", "s2", 4),
    ];
    say_all(&server, said).await;
    for (query, expected) in [
        ("session=s2", vec!["c", "d"]),
        ("author=ann", vec!["a", "d"]),
        ("author=nobody", vec![]),
        ("role=assistant", vec!["c"]),
        ("from=2026-01-02T04:00:00Z", vec!["b", "c", "d"]),
        ("until=2026-01-02T04:00:00Z", vec!["a"]),
        ("from=2026-01-02T04:00:00Z&until=2026-01-04T04:00:00Z&author=bob", vec!["b"]),
    ] {
        let reply = search(&server, &format!("q=apple&{query}")).await;
        assert_eq!(ids(&reply), expected.iter().copied().collect(), "{query}");
        assert_eq!(reply["total"].as_u64(), Some(expected.len() as u64), "{query}");
    }
    for (query, expected) in [
        ("session=s9", "404 not_found"),
        ("role=narrator", "422 invalid role"),
        ("from=today", "422 invalid from"),
        ("author=", "422 invalid author"),
        ("limit=0", "422 invalid limit"),
        ("page=2", "422 invalid page"),
    ] {
        let reply = server.get(&format!("/v1/spaces/user:a/messages/search?q=apple&{query}")).await;
        assert_eq!(refusal(reply), expected, "{query}");
    }
}

#[tokio::test]
async fn a_query_without_words_finds_nothing() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:a", "content": "hello, world"})).await;
    for query in ["q=", "q=%20%20", "q=%22%22", "q=%22", "q=%E3%80%82", "q=%00", "q=%FF"] {
        let reply = search(&server, query).await;
        assert_eq!((&reply["items"], &reply["total"]), (&json!([]), &json!(0)), "{query}");
    }
    let reply = server.get("/v1/spaces/user:a/messages/search").await;
    assert_eq!(refusal(reply), "422 invalid q");
    let long = format!("/v1/spaces/user:a/messages/search?q={}", "x".repeat(4097));
    assert_eq!(refusal(server.get(&long).await), "422 invalid q");
}

#[tokio::test]
async fn a_cursor_is_good_for_its_own_query_only() {
    let server = TestServer::open().await;
    say_all(&server, (0..3).map(|n| json!({"space": "user:a", "content": format!("apple pear {n}")}))).await;
    let next = search(&server, "q=apple&limit=1").await["next"].as_str().unwrap().to_owned();
    let path = "/v1/spaces/user:a/messages/search";
    assert_eq!(server.get(&format!("{path}?q=apple&limit=1&cursor={next}")).await.0, 200);
    let other = server.get(&format!("{path}?q=pear&limit=1&cursor={next}")).await;
    assert_eq!(refusal(other), "400 invalid_cursor cursor");
}

#[tokio::test]
async fn a_forged_cursor_far_below_the_end_is_refused() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:a", "content": "apple"})).await;
    for place in [1_000, u64::MAX] {
        use base64::Engine as _;
        let forged = serde_json::to_vec(&("search in user:a for apple", place)).unwrap();
        let forged = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(forged);
        let reply = server.get(&format!("/v1/spaces/user:a/messages/search?q=apple&cursor={forged}")).await;
        assert_eq!(refusal(reply), "422 invalid cursor", "{place}");
    }
}
