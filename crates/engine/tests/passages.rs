//! A message is embedded in its context, and follows what becomes of that (X7).

#![expect(clippy::unwrap_used, reason = "these are tests")]

use async_trait::async_trait;
use jiff::SignedDuration;
use memoir_embed::{EmbedError, Embedder, Purpose, Recipe};
use memoir_engine::{Edit, Engine, EngineSettings, NearPage, NewMessage, SearchRequest, Workers};
use memoir_model::{MessageState, Speaker};
use memoir_store::{Store, VectorQuery};
use memoir_testkit::{
    Mood, TestEngine, WordEmbedder, at, author, caller, message, message_id, messages, remember, say,
    session_id, space, until,
};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use tokio::sync::oneshot;

const ROOM: &str = "user:ann";

fn awake(memoir: &TestEngine) -> (Engine, Arc<WordEmbedder>, Workers) {
    let embedder = WordEmbedder::new("words", 4096);
    let engine = memoir.with_embedders(embedder.clone(), vec![]);
    let workers = engine.start_workers();
    (engine, embedder, workers)
}

fn said(id: &str, words: &str) -> NewMessage {
    message(ROOM, id, words)
}

fn within(session: &str, message: NewMessage) -> NewMessage {
    NewMessage { session: Some(session_id(session)), ..message }
}

async fn near(engine: &Engine, query: &str) -> NearPage {
    let request = SearchRequest { query: query.into(), limit: 10, ..SearchRequest::default() };
    engine.nearest_messages(&caller(), &space(ROOM), request).await.unwrap()
}

fn score(page: &NearPage, id: &str) -> Option<f32> {
    page.hits.iter().find(|hit| hit.message.id == message_id(id)).map(|hit| hit.score)
}

async fn until_embedded(engine: &Engine, count: usize) {
    until("so many have a vector", async || (near(engine, "anything").await.vectors == count).then_some(()))
        .await;
}

/// Waits for so many documents and returns them, sorted.
async fn embedded(embedder: &WordEmbedder, count: usize) -> Vec<String> {
    let mut documents = Vec::new();
    until("so many were embedded", async || {
        documents.extend(embedder.take_documents());
        (documents.len() >= count).then_some(())
    })
    .await;
    documents.sort();
    documents
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Revision {
    Edit,
    Recall,
    Erase,
}

const REVISIONS: [Revision; 3] = [Revision::Edit, Revision::Recall, Revision::Erase];

async fn revise(engine: &Engine, id: &str, revision: Revision) {
    let (caller, space, id) = (caller(), space(ROOM), message_id(id));
    match revision {
        Revision::Edit => {
            let edit = Edit { content: Some("nothing".into()), ..Edit::default() };
            engine.edit_message(&caller, &space, &id, edit).await
        }
        Revision::Recall => engine.recall_message(&caller, &space, &id).await,
        Revision::Erase => engine.erase_message(&caller, &space, &id).await,
    }
    .unwrap();
}

#[tokio::test]
async fn the_vector_of_a_message_depends_on_the_turn_before() {
    let memoir = TestEngine::restless();
    let (engine, embedder, _workers) = awake(&memoir);
    let asks = |id: &str, words: &str| {
        let author = Some(author("bot-2"));
        NewMessage { role: Speaker::Assistant, author, ..said(id, words) }
    };
    remember(
        &engine,
        vec![
            asks("q1", "do you like bicycles"),
            said("a1", "yes, very much"),
            asks("q2", "and the rain in autumn"),
            said("a2", "yes, very much"),
        ],
    )
    .await;
    until_embedded(&engine, 4).await;
    let page = near(&engine, "who likes bicycles").await;
    assert!(score(&page, "a1").unwrap() > score(&page, "a2").unwrap() + 0.1, "{page:?}");
    assert_eq!(
        embedder.take_documents(),
        [
            "assistant: do you like bicycles",
            "ann: yes, very much\nassistant: do you like bicycles",
            "assistant: and the rain in autumn\nann: yes, very much",
            "ann: yes, very much\nassistant: and the rain in autumn",
        ]
    );
}

#[tokio::test]
async fn a_message_of_another_session_is_never_context() {
    let memoir = TestEngine::restless();
    let (engine, embedder, _workers) = awake(&memoir);
    let turns = [("s", "one"), ("t", "alpha"), ("s", "two"), ("t", "beta")];
    remember(&engine, turns.map(|(session, word)| within(session, said(word, word))).into()).await;
    say(&engine, message("user:bob", "x", "of another space")).await;
    let mut expected = ["ann: one", "ann: alpha", "ann: two\nann: one", "ann: beta\nann: alpha"].to_vec();
    expected.push("bob: of another space");
    expected.sort_unstable();
    assert_eq!(embedded(&embedder, 5).await, expected);
}

#[tokio::test]
async fn what_follows_a_revised_message_is_embedded_again_without_its_words() {
    for revision in REVISIONS {
        let memoir = TestEngine::restless();
        let (engine, embedder, _workers) = awake(&memoir);
        for (id, words) in [("a", "the xylophone is mine"), ("b", "I see"), ("c", "well then")] {
            say(&engine, said(id, words)).await;
        }
        until_embedded(&engine, 3).await;
        assert!(score(&near(&engine, "xylophone").await, "b").unwrap() > 0.1);
        embedder.take_documents();

        revise(&engine, "a", revision).await;
        let expected = match revision {
            Revision::Edit => vec!["ann: I see\nann: nothing", "ann: nothing"],
            Revision::Recall | Revision::Erase => vec!["ann: I see"],
        };
        assert_eq!(embedded(&embedder, expected.len()).await, expected, "{revision:?}");
        until_embedded(&engine, if revision == Revision::Edit { 3 } else { 2 }).await;
        let page = near(&engine, "xylophone").await;
        assert!(page.hits.iter().all(|hit| hit.score < 0.1), "{revision:?}: {page:?}");
        assert_eq!(embedder.take_documents(), [""; 0], "the others stay as they are");
    }
}

#[tokio::test]
async fn a_vector_with_the_words_of_a_revised_message_is_gone_at_once_in_every_memory() {
    for revision in REVISIONS {
        let memoir = TestEngine::restless();
        let (engine, embedder, _workers) = awake(&memoir);
        for (id, words) in [("a", "the xylophone is mine"), ("b", "I see"), ("c", "well then")] {
            say(&engine, said(id, words)).await;
        }
        until_embedded(&engine, 3).await;
        let neighbour = memoir.with_embedders(embedder.clone(), vec![]);
        for engine in [&engine, &neighbour] {
            assert_eq!(near(engine, "xylophone").await.vectors, 3);
        }
        embedder.set(Mood::Away);
        revise(&engine, "a", revision).await;
        for engine in [&engine, &neighbour] {
            let page = near(engine, "xylophone").await;
            let ids: Vec<_> = page.hits.iter().map(|hit| hit.message.id.to_string()).collect();
            assert_eq!((page.vectors, ids), (1, vec!["c".to_owned()]), "{revision:?}");
        }
    }
}

/// An embedder that waits, once it was asked for documents, until it is told to go on.
struct Patient {
    words: Arc<WordEmbedder>,
    gate: Mutex<Option<(oneshot::Sender<()>, oneshot::Receiver<()>)>>,
}

#[async_trait]
impl Embedder for Patient {
    fn recipe(&self) -> &Recipe {
        self.words.recipe()
    }

    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        let gate = self.gate.lock().unwrap().take_if(|_| purpose == Purpose::Document);
        if let Some((came, go)) = gate {
            came.send(()).ok();
            go.await.ok();
        }
        self.words.embed(texts, purpose).await
    }
}

#[tokio::test]
async fn a_revision_in_the_middle_of_an_embedding_wins() {
    for revision in REVISIONS {
        let memoir = TestEngine::restless();
        let words = WordEmbedder::new("words", 4096);
        let ((came, mut has_come), (go, gone)) = (oneshot::channel(), oneshot::channel());
        let patient = Patient { words: words.clone(), gate: Mutex::new(Some((came, gone))) };
        let engine = memoir.with_embedders(Arc::new(patient), vec![]);
        remember(&engine, vec![said("a", "the xylophone is mine"), said("b", "I see")]).await;
        let _workers = engine.start_workers();
        until("the words were read", async || has_come.try_recv().ok()).await;
        revise(&engine, "a", revision).await;
        go.send(()).unwrap();
        until_embedded(&engine, if revision == Revision::Edit { 2 } else { 1 }).await;
        let page = near(&engine, "xylophone").await;
        assert!(page.hits.iter().all(|hit| hit.score < 0.1), "{revision:?}: {page:?}");
    }
}

#[tokio::test]
async fn a_late_message_is_the_context_of_what_was_said_after_it() {
    let memoir = TestEngine::restless();
    let (engine, embedder, _workers) = awake(&memoir);
    let timed = |id: &str, words: &str, minute: u32| {
        within("s", at(said(id, words), &format!("2026-01-07T11:{minute}:00+08:00")))
    };
    remember(&engine, vec![timed("a", "the xylophone is mine", 40), timed("c", "I see", 50)]).await;
    until_embedded(&engine, 2).await;
    embedder.take_documents();
    say(&engine, timed("b", "no, mine", 45)).await;
    let expected = ["ann: I see\nann: no, mine", "ann: no, mine\nann: the xylophone is mine"];
    assert_eq!(embedded(&embedder, 2).await, expected);
    until_embedded(&engine, 3).await;
    assert!(score(&near(&engine, "xylophone").await, "c").unwrap() < 0.1);
}

#[tokio::test]
async fn a_late_message_that_has_no_vector_yet_hides_no_words() {
    let memoir = TestEngine::restless();
    let (engine, embedder, _workers) = awake(&memoir);
    let timed = |id: &str, words: &str, minute: u32| {
        within("s", at(said(id, words), &format!("2026-01-07T11:{minute}:00+08:00")))
    };
    remember(&engine, vec![timed("a", "the xylophone is mine", 40), timed("d", "I see", 50)]).await;
    until_embedded(&engine, 2).await;
    assert_eq!(near(&engine, "xylophone").await.vectors, 2);
    embedder.set(Mood::Away);
    say(&engine, timed("b", "no, mine", 45)).await;
    say(&engine, timed("c", "mine I say", 44)).await;
    revise(&engine, "a", Revision::Erase).await;
    assert_eq!(near(&engine, "xylophone").await.vectors, 0, "what was embedded beside it is gone as well");
}

#[tokio::test]
async fn in_a_space_that_is_too_large_there_is_no_context_and_what_had_some_loses_it() {
    let settings = EngineSettings { index_max_rows: 3, ..TestEngine::restless_settings() };
    let memoir = TestEngine::with(settings, |_| {});
    let (engine, embedder, _workers) = awake(&memoir);
    remember(&engine, vec![said("a", "the xylophone is mine"), said("b", "I see")]).await;
    assert_eq!(
        embedded(&embedder, 2).await,
        ["ann: I see\nann: the xylophone is mine", "ann: the xylophone is mine"]
    );
    remember(&engine, ["c", "d", "e"].map(|id| said(id, id)).into()).await;
    assert_eq!(embedded(&embedder, 3).await, ["ann: c", "ann: d", "ann: e"]);
    revise(&engine, "a", Revision::Erase).await;
    assert_eq!(embedded(&embedder, 1).await, ["ann: I see"]);
}

/// Words that a [`WordEmbedder`] tells apart for certain, and at which number of a vector each of them shows.
async fn distinct_words(embedder: &WordEmbedder, count: usize) -> Vec<(String, usize)> {
    let ann = place(embedder, "ann").await;
    let mut words: Vec<(String, usize)> = Vec::new();
    for n in 0.. {
        let word = format!("word{n}");
        let place = place(embedder, &word).await;
        if place != ann && words.iter().all(|(_, other)| *other != place) {
            words.push((word, place));
        }
        if words.len() == count {
            break;
        }
    }
    words
}

async fn place(embedder: &WordEmbedder, word: &str) -> usize {
    let vector = embedder.embed(&[word.to_owned()], Purpose::Query).await.unwrap().remove(0);
    (0..vector.len()).max_by(|a, b| vector[*a].total_cmp(&vector[*b])).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_happens_no_vector_holds_words_that_are_gone() {
    const MESSAGES: usize = 24;
    for seed in 0..12 {
        let mut random = StdRng::seed_from_u64(seed);
        let memoir = TestEngine::restless();
        let (engine, embedder, _workers) = awake(&memoir);
        // Two for each message: one that it has, and one that it may be given.
        let words = distinct_words(&embedder, 2 * MESSAGES).await;
        let mut known: Vec<usize> = Vec::new();
        let mut gone: Vec<usize> = Vec::new();
        let mut arrived = 0;
        while arrived < MESSAGES {
            embedder.set(if random.random_bool(0.8) { Mood::Willing } else { Mood::Away });
            if arrived > 0 && random.random_bool(0.3) {
                memoir.clock.advance(SignedDuration::from_secs(31));
                for _ in 0..random.random_range(0..30) {
                    vectors(&memoir).await;
                }
            }
            if known.is_empty() || random.random_bool(0.7) {
                let minute = random.random_range(10..60);
                let late = at(
                    said(&arrived.to_string(), &words[2 * arrived].0),
                    &format!("2026-01-07T11:{minute}:00+08:00"),
                );
                say(&engine, within(["s", "t"][random.random_range(0..2)], late)).await;
                known.push(arrived);
                arrived += 1;
                continue;
            }
            let which = known.swap_remove(random.random_range(0..known.len()));
            let id = message_id(&which.to_string());
            match random.random_range(0..3) {
                0 => {
                    let edit = Edit { content: Some(words[2 * which + 1].0.clone()), ..Edit::default() };
                    engine.edit_message(&caller(), &space(ROOM), &id, edit).await.map(drop)
                }
                1 => engine.recall_message(&caller(), &space(ROOM), &id).await.map(drop),
                _ => engine.erase_message(&caller(), &space(ROOM), &id).await.map(drop),
            }
            .unwrap();
            gone.push(words[2 * which].1);
            for row in vectors(&memoir).await {
                let seen = gone.iter().find(|place| row.1[**place] > 0.05);
                assert_eq!(seen, None, "seed {seed}: message {} holds a word that is gone", row.0);
            }
        }
        embedder.set(Mood::Willing);
        let expected = expected(&memoir, &embedder).await;
        until(&format!("seed {seed}: every vector is of what is there"), async || {
            memoir.clock.advance(SignedDuration::from_secs(31));
            (vectors(&memoir).await == expected).then_some(())
        })
        .await;
    }
}

/// The vectors that a space has.
async fn vectors(memoir: &TestEngine) -> Vec<(u64, Vec<f32>)> {
    let key = memoir.engine.space(&caller(), &space(ROOM)).await.unwrap().key();
    let all = VectorQuery { generation: 1, since: 0, after: 0, limit: 1000 };
    let rows = memoir.store.vectors(&key, all).await.unwrap();
    rows.into_iter().map(|row| (row.seq, row.vector.unwrap())).collect()
}

/// The vectors that a space has to have.
async fn expected(memoir: &TestEngine, embedder: &WordEmbedder) -> Vec<(u64, Vec<f32>)> {
    let mut all = messages(&memoir.engine, &space(ROOM)).await;
    all.retain(|message| message.state == MessageState::Active);
    let mut texts = BTreeMap::new();
    let mut last: HashMap<String, String> = HashMap::new();
    for message in all {
        let own = format!("ann: {}", message.content);
        let before = last.insert(message.session.to_string(), own.clone());
        texts.insert(message.seq, before.map_or(own.clone(), |before| format!("{own}\n{before}")));
    }
    let (seqs, texts): (Vec<u64>, Vec<String>) = texts.into_iter().unzip();
    let vectors = embedder.embed(&texts, Purpose::Query).await.unwrap();
    seqs.into_iter().zip(vectors).collect()
}
