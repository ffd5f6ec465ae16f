//! A fake server of language models, embedding models and rerankers that speaks OpenAI's protocol, and for ranking that of
//! Jina and Cohere, over real HTTP, and fails as told.

mod act;
mod body;
mod chat;
mod ranking;
mod recorded;
mod vectors;

use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use body::{ScriptedBody, collect};

pub use act::Act;
pub use recorded::Recorded;
pub use vectors::hashed_vector;

/// How many numbers a vector has unless told otherwise.
const DIMENSION: usize = 64;

/// A server of models on a free loopback port. What it does is set per model name; a model that nothing was said about
/// answers "ok", embeds texts so that those with the same words are near each other, and ranks those first that have the
/// words of the query.
pub struct FakeModels {
    address: SocketAddr,
    state: Arc<State>,
    listening: JoinHandle<()>,
}

struct State {
    scripts: Mutex<HashMap<String, Script>>,
    recorded: Mutex<Vec<Recorded>>,
    dimension: Mutex<usize>,
    open: watch::Sender<bool>,
    at_once: Mutex<(usize, usize)>,
}

#[derive(Default)]
struct Script {
    next: VecDeque<Act>,
    always: Option<Act>,
}

impl FakeModels {
    /// Starts it.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let state = Arc::new(State {
            scripts: Mutex::default(),
            recorded: Mutex::default(),
            dimension: Mutex::new(DIMENSION),
            open: watch::Sender::new(false),
            at_once: Mutex::default(),
        });
        let listening = tokio::spawn(listen(listener, state.clone()));
        FakeModels { address, state, listening }
    }

    /// Its base URL, as OpenAI's clients want it.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Its base URL, as Azure's clients want it.
    pub fn azure_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What the model does with the next request that nothing was said about yet.
    pub fn next(&self, model: &str, act: Act) -> &Self {
        self.state.scripts.lock().unwrap().entry(model.to_owned()).or_default().next.push_back(act);
        self
    }

    /// What the model does when nothing else is next.
    pub fn always(&self, model: &str, act: Act) -> &Self {
        self.state.scripts.lock().unwrap().entry(model.to_owned()).or_default().always = Some(act);
        self
    }

    /// How many numbers a vector has when a request does not say.
    pub fn set_dimension(&self, dimension: usize) {
        *self.state.dimension.lock().unwrap() = dimension;
    }

    /// Lets every [`Act::Held`] go on, those to come too.
    pub fn release(&self) {
        self.state.open.send_replace(true);
    }

    /// Every request so far, in the order in which they came.
    pub fn requests(&self) -> Vec<Recorded> {
        self.state.recorded.lock().unwrap().clone()
    }

    /// The requests for a model so far.
    pub fn requests_for(&self, model: &str) -> Vec<Recorded> {
        self.requests().into_iter().filter(|request| request.model == model).collect()
    }

    /// How often a model was asked.
    pub fn calls(&self, model: &str) -> usize {
        self.requests_for(model).len()
    }

    /// How many requests were being answered at the same time, at most.
    pub fn most_at_once(&self) -> usize {
        self.state.at_once.lock().unwrap().1
    }
}

impl Drop for FakeModels {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

async fn listen(listener: TcpListener, state: Arc<State>) {
    while let Ok((stream, _)) = listener.accept().await {
        let state = state.clone();
        let service = service_fn(move |request| answer(request, state.clone()));
        tokio::spawn(async move {
            let server = hyper::server::conn::http1::Builder::new();
            // A connection that breaks is what some tests want.
            server.serve_connection(TokioIo::new(stream), service).await.ok();
        });
    }
}

async fn answer(request: Request<Incoming>, state: Arc<State>) -> io::Result<Response<ScriptedBody>> {
    let (head, body) = request.into_parts();
    let body: Value = serde_json::from_slice(&collect(body).await).unwrap_or(Value::Null);
    let recorded = Recorded::new(&head, body);
    state.recorded.lock().unwrap().push(recorded.clone());
    let act = state.act(&recorded.model);
    let _here = Here::enter(&state);
    let act = match act {
        Some(Act::Held(act)) => {
            state.open.subscribe().wait_for(|open| *open).await.ok();
            Some(*act)
        }
        act => act,
    };
    if let Some(response) = act.as_ref().and_then(|act| act.refusal(&recorded.body)) {
        return Ok(response);
    }
    match (&act, recorded.call()) {
        (Some(Act::Never), _) => std::future::pending().await,
        (Some(Act::Hangup), _) => Err(io::Error::other("hung up on purpose")),
        (_, "chat/completions") => Ok(chat::answer(act, &recorded)),
        (_, "embeddings") => {
            let dimension = *state.dimension.lock().unwrap();
            Ok(vectors::answer(act, &recorded, dimension))
        }
        (_, "rerank") => Ok(ranking::answer(act, &recorded)),
        (_, "models") => Ok(ScriptedBody::json(200, &state.models())),
        _ => Ok(ScriptedBody::json(404, &json!({"error": {"message": "no such path"}}))),
    }
}

impl State {
    fn act(&self, model: &str) -> Option<Act> {
        let mut scripts = self.scripts.lock().unwrap();
        let script = scripts.get_mut(model)?;
        script.next.pop_front().or_else(|| script.always.clone())
    }

    fn models(&self) -> Value {
        let scripts = self.scripts.lock().unwrap();
        let mut names: Vec<&String> = scripts.keys().collect();
        names.sort();
        let data: Vec<Value> = names.into_iter().map(|id| json!({"id": id, "object": "model"})).collect();
        json!({"object": "list", "data": data})
    }
}

/// A request that is being answered.
struct Here<'a>(&'a State);

impl<'a> Here<'a> {
    fn enter(state: &'a State) -> Self {
        let mut at_once = state.at_once.lock().unwrap();
        at_once.0 += 1;
        at_once.1 = at_once.1.max(at_once.0);
        Here(state)
    }
}

impl Drop for Here<'_> {
    fn drop(&mut self) {
        self.0.at_once.lock().unwrap().0 -= 1;
    }
}

/// Text as bytes.
fn bytes(text: impl Into<String>) -> Bytes {
    Bytes::from(text.into())
}
