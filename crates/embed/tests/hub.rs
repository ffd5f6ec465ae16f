//! Fetching a model, against a real HTTP server that speaks the hub's protocol.

#![expect(clippy::unwrap_used, reason = "these are tests")]

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use memoir_egress::{Client, Policy, Url};
use memoir_embed::{Hub, PullError};
use secrecy::SecretString;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

const REPOSITORY: &str = "acme/tiny-model";
const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

/// What the hub has and how it behaves.
#[derive(Default)]
struct Shelf {
    files: BTreeMap<String, Vec<u8>>,
    /// Break off every answer after so many bytes.
    breaks_after: Option<usize>,
    /// Send other bytes than were promised.
    lies: bool,
    /// Ignore `Range`.
    forgetful: bool,
    /// The token that is wanted.
    token: Option<String>,
    asked: Vec<String>,
}

type Shared = Arc<Mutex<Shelf>>;

fn weights() -> Vec<u8> {
    (0..200_000u32).flat_map(u32::to_le_bytes).collect()
}

fn shelf() -> Shelf {
    let mut files = BTreeMap::new();
    for (name, bytes) in [
        ("config.json", b"{\"hidden_size\": 4}".to_vec()),
        ("tokenizer.json", b"{}".to_vec()),
        ("model.safetensors", weights()),
        ("1_Pooling/config.json", b"{\"pooling_mode_mean_tokens\": true}".to_vec()),
        ("README.md", b"unused".to_vec()),
    ] {
        files.insert(name.to_owned(), bytes);
    }
    Shelf { files, ..Shelf::default() }
}

async fn serve(shelf: Shelf) -> (Shared, SocketAddr) {
    let shared: Shared = Arc::new(Mutex::new(shelf));
    let routes = Router::new()
        .route("/api/models/{owner}/{name}/revision/{revision}", get(list))
        .route("/{owner}/{name}/resolve/{commit}/{*file}", get(resolve))
        .route("/mirror/{*file}", get(file))
        .with_state(shared.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
    (shared, address)
}

async fn list(
    State(shared): State<Shared>,
    Path((owner, name, _)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> Response {
    let shelf = shared.lock().unwrap();
    let shown = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if shelf.token.as_ref().is_some_and(|token| shown != Some(&format!("Bearer {token}"))) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    if format!("{owner}/{name}") != REPOSITORY {
        return StatusCode::NOT_FOUND.into_response();
    }
    let siblings: Vec<serde_json::Value> = shelf
        .files
        .iter()
        .map(|(name, bytes)| {
            let sum: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            let large = name.ends_with(".safetensors");
            serde_json::json!({
                "rfilename": name, "size": bytes.len(),
                "lfs": large.then(|| serde_json::json!({ "sha256": sum, "size": bytes.len() })),
            })
        })
        .collect();
    axum::Json(serde_json::json!({ "sha": COMMIT, "siblings": siblings })).into_response()
}

/// The hub sends readers of large files elsewhere.
async fn resolve(
    state: State<Shared>,
    Path((_, _, commit, name)): Path<(String, String, String, String)>,
    headers: HeaderMap,
) -> Response {
    if commit != COMMIT {
        return StatusCode::NOT_FOUND.into_response();
    }
    if name.ends_with(".safetensors") {
        return Redirect::temporary(&format!("/mirror/{name}")).into_response();
    }
    file(state, Path(name), headers).await
}

async fn file(State(shared): State<Shared>, Path(name): Path<String>, headers: HeaderMap) -> Response {
    let mut shelf = shared.lock().unwrap();
    let range =
        headers.get(header::RANGE).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    shelf.asked.push(format!("{name} {range}").trim().to_owned());
    let Some(mut bytes) = shelf.files.get(&name).cloned() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    if shelf.lies {
        bytes[0] ^= 1;
    }
    let from: usize = range.trim_start_matches("bytes=").trim_end_matches('-').parse().unwrap_or_default();
    let from = if shelf.forgetful { 0 } else { from };
    let status = if from > 0 { StatusCode::PARTIAL_CONTENT } else { StatusCode::OK };
    let rest = bytes.split_off(from);
    let length = rest.len();
    match shelf.breaks_after {
        Some(after) if length > after => {
            let first = futures::stream::iter([Ok(rest[..after].to_vec())]);
            // What was written before must have left the machine when the connection breaks.
            let broken = futures::stream::once(async {
                tokio::time::sleep(std::time::Duration::from_millis(100)).await;
                Err(std::io::Error::other("broken on purpose"))
            });
            let body = Body::from_stream(futures::StreamExt::chain(first, broken));
            (status, [(header::CONTENT_LENGTH, length.to_string())], body).into_response()
        }
        _ => (status, rest).into_response(),
    }
}

fn hub(address: SocketAddr, token: Option<&str>) -> Hub {
    let endpoint = Url::parse(&format!("http://{address}/")).unwrap();
    Hub::new(Client::new(Policy::Any), endpoint, token.map(|token| SecretString::from(token.to_owned())))
}

#[tokio::test]
async fn a_model_is_fetched_with_what_it_is_made_of() {
    let (shared, address) = serve(shelf()).await;
    let folder = tempfile::tempdir().unwrap();
    let mut seen = Vec::new();
    let ready = hub(address, None)
        .pull(REPOSITORY, "main", folder.path(), |progress| seen.push((progress.done, progress.total)))
        .await
        .unwrap();
    assert_eq!(ready, folder.path().join("tiny-model"));
    assert_eq!(std::fs::read(ready.join("model.safetensors")).unwrap(), weights());
    assert!(ready.join("1_Pooling/config.json").is_file() && !ready.join("README.md").exists());
    assert!(!folder.path().join("tiny-model.partial").exists());
    assert!(seen.windows(2).all(|pair| pair[0].0 <= pair[1].0), "it only grows");
    let (done, total) = *seen.last().unwrap();
    assert_eq!(done, total);
    // Fetched again it replaces what is there.
    hub(address, None).pull(REPOSITORY, "main", folder.path(), |_| {}).await.unwrap();
    assert!(ready.join("config.json").is_file());
    assert_eq!(shared.lock().unwrap().asked.iter().filter(|asked| asked.starts_with("model")).count(), 2);
}

#[tokio::test]
async fn a_fetch_that_broke_off_goes_on_where_it_stopped() {
    for forgetful in [false, true] {
        let (shared, address) = serve(Shelf { breaks_after: Some(300_000), forgetful, ..shelf() }).await;
        let folder = tempfile::tempdir().unwrap();
        let error = hub(address, None).pull(REPOSITORY, "main", folder.path(), |_| {}).await.unwrap_err();
        assert!(matches!(error, PullError::Hub { .. }), "{error}");
        assert!(!folder.path().join("tiny-model").exists(), "nothing half done stands under its name");
        shared.lock().unwrap().breaks_after = None;
        let ready = hub(address, None).pull(REPOSITORY, "main", folder.path(), |_| {}).await.unwrap();
        assert_eq!(std::fs::read(ready.join("model.safetensors")).unwrap(), weights());
        let asked = shared.lock().unwrap().asked.clone();
        assert!(asked.contains(&"model.safetensors bytes=300000-".to_owned()), "{asked:?}");
        assert_eq!(asked.iter().filter(|asked| asked.starts_with("config")).count(), 1, "{asked:?}");
    }
}

#[tokio::test]
async fn a_file_that_came_damaged_is_not_kept() {
    let (shared, address) = serve(Shelf { lies: true, ..shelf() }).await;
    let folder = tempfile::tempdir().unwrap();
    let error = hub(address, None).pull(REPOSITORY, "main", folder.path(), |_| {}).await.unwrap_err();
    assert!(matches!(&error, PullError::Damaged(name) if name == "model.safetensors"), "{error}");
    shared.lock().unwrap().lies = false;
    let ready = hub(address, None).pull(REPOSITORY, "main", folder.path(), |_| {}).await.unwrap();
    assert_eq!(std::fs::read(ready.join("model.safetensors")).unwrap(), weights());
}

#[tokio::test]
async fn what_is_missing_is_named_with_its_remedy() {
    let (shared, address) = serve(Shelf { token: Some("hf_secret".into()), ..shelf() }).await;
    let folder = tempfile::tempdir().unwrap();
    let pull = async |token: Option<&str>, name: &str| {
        hub(address, token).pull(name, "main", folder.path(), |_| {}).await.map_err(|error| error.to_string())
    };
    let error = pull(None, REPOSITORY).await.unwrap_err();
    assert!(error.contains("HF_TOKEN"), "{error}");
    let error = pull(Some("hf_secret"), "acme/other").await.unwrap_err();
    assert!(error.contains("acme/other"), "{error}");
    let error = pull(Some("hf_secret"), "no-owner").await.unwrap_err();
    assert!(error.contains("OWNER/NAME") && error.contains("multilingual-e5-small"), "{error}");
    assert!(pull(Some("hf_secret"), REPOSITORY).await.is_ok());
    shared.lock().unwrap().files.remove("model.safetensors");
    let error = pull(Some("hf_secret"), REPOSITORY).await.unwrap_err();
    assert!(error.contains("model.safetensors") && error.contains("safetensors can be used"), "{error}");
    let gone = Hub::new(Client::new(Policy::Any), Url::parse("http://127.0.0.1:9").unwrap(), None);
    let error = gone.pull(REPOSITORY, "main", folder.path(), |_| {}).await.unwrap_err().to_string();
    assert!(error.contains("HF_ENDPOINT"), "{error}");
}
