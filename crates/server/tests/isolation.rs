//! What belongs to one tenant, or to one space, is not there for another.

use memoir_model::Role;
use memoir_testkit::TestServer;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{column, refusal};

/// Two tenants that use the same names for everything.
struct Twins {
    server: TestServer,
    ours: String,
    theirs: String,
}

impl Twins {
    async fn new() -> Self {
        let server = TestServer::with_keys().await;
        let ours = server.key("ours", Role::Admin, None).await;
        let theirs = server.key("theirs", Role::Admin, None).await;
        for (key, word) in [(&ours, "apple"), (&theirs, "pear")] {
            let message = json!({"space": "user:a", "id": "m", "session": "s", "content": word});
            assert_eq!(server.send_as(key, Method::POST, "/v1/messages", message).await.0, 201);
        }
        Twins { server, ours, theirs }
    }

    async fn ours(&self, path: &str) -> Value {
        let (status, body) = self.server.get_as(&self.ours, path).await;
        assert_eq!(status, 200, "{path}: {body}");
        body
    }
}

#[tokio::test]
async fn two_tenants_with_the_same_names_share_nothing() {
    let twins = Twins::new().await;
    assert_eq!(twins.ours("/v1/spaces/user:a/messages/m").await["content"], "apple");
    assert_eq!(column(&twins.ours("/v1/spaces/user:a/messages").await, "content"), ["apple"]);
    assert_eq!(twins.ours("/v1/spaces/user:a/messages/search?q=pear").await["total"], 0);
    assert_eq!(twins.ours("/v1/spaces/user:a/messages/search?q=apple").await["total"], 1);
    assert_eq!(column(&twins.ours("/v1/spaces/user:a/sessions/s/window").await, "content"), ["apple"]);
    for path in ["/v1/recall", "/v1/context"] {
        let body = json!({"space": "user:a", "message": "apple or pear"});
        let (status, reply) = twins.server.send_as(&twins.ours, Method::POST, path, body).await;
        let items = &reply[if path == "/v1/recall" { "items" } else { "blocks" }];
        assert_eq!(status, 200, "{reply}");
        assert!(items.to_string().contains("apple") && !items.to_string().contains("pear"), "{reply}");
    }
    assert_eq!(twins.ours("/v1/stats").await["messages"], 1);
    assert_layers_apart(&twins).await;
    let jobs = column(&twins.ours("/v1/jobs").await, "kind").join(" ");
    assert_eq!(jobs.split(' ').filter(|kind| *kind == "close_idle").count(), 1, "{jobs}");
    for line in twins.ours("/v1/audit").await["items"].as_array().unwrap() {
        assert!(!line.to_string().contains("theirs"), "{line}");
    }
    for key in twins.ours("/v1/keys").await["items"].as_array().unwrap() {
        assert_eq!(key["tenant"], "ours");
    }
}

/// What was made of the one's talk tells nothing of the other's.
async fn assert_layers_apart(twins: &Twins) {
    for (key, word) in [(&twins.ours, "apple"), (&twins.theirs, "pear")] {
        for (n, words) in
            ["with cinnamon, baked for an hour", "from the garden behind the house"].iter().enumerate()
        {
            let content = format!("The {word} {words}, as my grandmother used to make it");
            let message =
                json!({"space": "user:a", "id": format!("long-{n}"), "session": "s", "content": content});
            assert_eq!(twins.server.send_as(key, Method::POST, "/v1/messages", message).await.0, 201);
        }
        let path = "/v1/spaces/user:a/sessions/s/summarize";
        let (status, made) = twins.server.send_as(key, Method::POST, path, json!({})).await;
        assert_eq!((status.as_u16(), &made["made"]), (200, &json!(true)), "{made}");
    }
    for path in ["sessions/s", "messages?session=s", "timeline?grain=session", "days/2026-01-07", "portrait"]
    {
        let shown = twins.ours(&format!("/v1/spaces/user:a/{path}")).await.to_string();
        assert!(shown.contains("apple") && !shown.contains("pear"), "{path}: {shown}");
    }
    let body = json!({"space": "user:a", "message": "what did we talk about today, apple or pear?"});
    let (_, answer) = twins.server.send_as(&twins.ours, Method::POST, "/v1/answer", body).await;
    let words = answer["answer"].as_str().unwrap();
    assert!(words.contains("apple") && !words.contains("pear"), "{answer}");
}

#[tokio::test]
async fn the_ids_of_another_tenant_lead_nowhere() {
    let twins = Twins::new().await;
    let (server, theirs) = (&twins.server, &twins.theirs);
    let job = server.get_as(theirs, "/v1/jobs").await.1["items"][0]["id"].as_str().unwrap().to_owned();
    let key = theirs.split('_').nth(1).unwrap();
    let as_us = async |method: Method, path: &str| server.send_as(&twins.ours, method, path, json!({})).await;
    assert_eq!(refusal(server.get_as(&twins.ours, &format!("/v1/jobs/{job}")).await), "404 not_found");
    assert_eq!(refusal(as_us(Method::POST, &format!("/v1/jobs/{job}/retry")).await), "404 not_found");
    assert_eq!(refusal(as_us(Method::DELETE, &format!("/v1/keys/{key}")).await), "404 not_found");
    assert_eq!(server.get_as(theirs, "/v1/spaces").await.0, 200, "their key still works");
}

#[tokio::test]
async fn erasing_a_space_leaves_the_space_of_that_name_in_another_tenant_alone() {
    let twins = Twins::new().await;
    let erased = twins.server.send_as(&twins.theirs, Method::DELETE, "/v1/spaces/user:a", json!({})).await;
    assert_eq!(erased.0, 204);
    assert_eq!(twins.ours("/v1/spaces/user:a/messages/m").await["content"], "apple");
    assert_eq!(twins.ours("/v1/spaces/user:a/messages/search?q=apple").await["total"], 1);
    crate::assert_sound(&twins.server).await;
}

#[tokio::test]
async fn even_an_operator_reads_its_own_tenant_only() {
    let twins = Twins::new().await;
    assert_eq!(refusal(twins.server.get("/v1/spaces/user:a").await), "404 not_found");
    assert_eq!(crate::got(&twins.server, "/v1/spaces").await["items"], json!([]));
}

#[tokio::test]
async fn a_cursor_of_another_tenant_shows_nothing_of_it() {
    let twins = Twins::new().await;
    let (_, page) = twins.server.get_as(&twins.theirs, "/v1/spaces/user:a/messages?limit=1").await;
    let next = page["next"].as_str().unwrap();
    let list = twins.ours(&format!("/v1/spaces/user:a/messages?cursor={next}")).await;
    assert!(!list.to_string().contains("pear"), "{list}");
}

#[tokio::test]
async fn a_reply_never_crosses_into_another_space() {
    let twins = Twins::new().await;
    let message = json!({"space": "user:b", "id": "answer", "content": "yes", "reply_to": "m"});
    twins.server.send_as(&twins.ours, Method::POST, "/v1/messages", message).await;
    assert_eq!(twins.ours("/v1/spaces/user:b/messages/answer").await.get("answered"), None);
}
