//! `/v1/tenants`: an admin of the tenant `default` manages the others.

use memoir_model::Role;
use memoir_testkit::TestServer;
use reqwest::Method;
use serde_json::json;

use crate::{column, got, refusal};

#[tokio::test]
async fn a_tenant_is_made_and_its_label_changed() {
    let server = TestServer::with_keys().await;
    let (status, tenant) =
        server.send(Method::POST, "/v1/tenants", json!({"id": "acme", "label": "Acme"})).await;
    assert_eq!(status, 201, "{tenant}");
    assert_eq!(tenant, json!({"id": "acme", "label": "Acme", "created_at": "2026-01-07T04:00:00Z"}));
    server.memoir.clock.advance(jiff::SignedDuration::from_mins(1));
    let (_, again) =
        server.send(Method::POST, "/v1/tenants", json!({"id": "acme", "label": "ACME 公司"})).await;
    assert_eq!((&again["label"], &again["created_at"]), (&json!("ACME 公司"), &tenant["created_at"]));
    assert_eq!(column(&got(&server, "/v1/tenants").await, "id"), ["acme", "default"]);
}

#[tokio::test]
async fn what_cannot_be_a_tenant_is_refused_by_name() {
    let server = TestServer::with_keys().await;
    for (body, expected) in [
        (json!({}), "422 invalid id"),
        (json!({"id": ""}), "422 invalid id"),
        (json!({"id": "Acme"}), "422 invalid id"),
        (json!({"id": "a b"}), "422 invalid id"),
        (json!({"id": "x".repeat(65)}), "422 invalid id"),
        (json!({"id": 5}), "422 invalid id"),
        (json!({"id": "acme", "label": "x".repeat(201)}), "422 invalid label"),
        (json!({"id": "acme", "name": "Acme"}), "422 invalid name"),
    ] {
        let told = body.to_string();
        assert_eq!(refusal(server.send(Method::POST, "/v1/tenants", body).await), expected, "{told}");
    }
    assert_eq!(column(&got(&server, "/v1/tenants").await, "id"), ["default"]);
}

#[tokio::test]
async fn an_operator_makes_the_first_key_of_a_tenant() {
    let server = TestServer::with_keys().await;
    server.send(Method::POST, "/v1/tenants", json!({"id": "acme"})).await;
    let (status, issued) =
        server.send(Method::POST, "/v1/keys", json!({"role": "admin", "tenant": "acme"})).await;
    assert_eq!((status.as_u16(), &issued["key"]["tenant"]), (201, &json!("acme")));
    let acme = issued["token"].as_str().unwrap();
    assert_eq!(server.get_as(acme, "/v1/spaces").await.1["items"], json!([]));
    assert_eq!(column(&server.get_as(acme, "/v1/tenants").await.1, "id"), ["acme"]);
    let id = issued["key"]["id"].as_str().unwrap();
    assert_eq!(column(&got(&server, "/v1/keys?tenant=acme").await, "id"), [id]);
    let (status, _) = server.send(Method::DELETE, &format!("/v1/keys/{id}"), json!({})).await;
    assert_eq!(status, 200);
    assert_eq!(server.get_as(acme, "/v1/spaces").await.0, 401);
}

#[tokio::test]
async fn what_an_operator_does_to_a_tenant_stands_in_that_tenants_log() {
    let server = TestServer::with_keys().await;
    server.send(Method::POST, "/v1/tenants", json!({"id": "acme"})).await;
    server.memoir.clock.advance(jiff::SignedDuration::from_millis(1));
    let (_, issued) = server.send(Method::POST, "/v1/keys", json!({"role": "admin", "tenant": "acme"})).await;
    let (_, log) = server.get_as(issued["token"].as_str().unwrap(), "/v1/audit").await;
    assert_eq!(column(&log, "action"), ["key_created", "tenant_created"]);
    assert_eq!(column(&log, "target"), [issued["key"]["id"].as_str().unwrap(), "acme"]);
}

#[tokio::test]
async fn an_admin_of_another_tenant_manages_its_own_only() {
    let server = TestServer::with_keys().await;
    let acme = server.key("acme", Role::Admin, None).await;
    server.key("umbrella", Role::Admin, None).await;
    assert_eq!(column(&server.get_as(&acme, "/v1/tenants").await.1, "id"), ["acme"]);
    for (method, path, body) in [
        (Method::POST, "/v1/tenants", json!({"id": "new"})),
        (Method::POST, "/v1/tenants", json!({"id": "acme", "label": "renamed"})),
        (Method::POST, "/v1/keys", json!({"role": "read", "tenant": "umbrella"})),
        (Method::POST, "/v1/keys", json!({"role": "read", "tenant": "default"})),
        (Method::POST, "/v1/keys", json!({"role": "read", "tenant": "nowhere"})),
    ] {
        assert_eq!(refusal(server.send_as(&acme, method, path, body).await), "403 forbidden", "{path}");
    }
    assert_eq!(refusal(server.get_as(&acme, "/v1/keys?tenant=umbrella").await), "403 forbidden");
    assert_eq!(server.get_as(&acme, "/v1/keys?tenant=acme").await.0, 200);
    let (status, issued) = server.send_as(&acme, Method::POST, "/v1/keys", json!({"role": "write"})).await;
    assert_eq!((status.as_u16(), &issued["key"]["tenant"]), (201, &json!("acme")));
}
