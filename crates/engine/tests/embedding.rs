//! Vectors of messages: made in the background, searched by meaning, and never in the way (E of decisions, X7).

#![expect(clippy::unwrap_used, reason = "these are tests")]

use jiff::SignedDuration;
use memoir_embed::{Embedder, Purpose};
use memoir_engine::{Edit, Embedders, Engine, NearPage, SearchRequest, Unavailable};
use memoir_model::{Generation, JobState, Speaker};
use memoir_store::{Commit, JobQuery, NewVector, Row, Store, WriteSet};
use memoir_testkit::{
    Mood, TestEngine, WordEmbedder, at, author, caller, found, message, message_id, remember, say, space,
    tenant, until,
};
use std::sync::Arc;

const ROOM: &str = "user:a";

async fn near(engine: &Engine, query: &str) -> NearPage {
    let request = SearchRequest { query: query.into(), limit: 10, ..SearchRequest::default() };
    engine.nearest_messages(&caller(), &space(ROOM), request).await.unwrap()
}

async fn nearest(engine: &Engine, query: &str) -> Option<String> {
    near(engine, query).await.hits.first().map(|hit| hit.message.id.to_string())
}

async fn generations(memoir: &TestEngine) -> Vec<Generation> {
    let key = memoir.engine.space(&caller(), &space(ROOM)).await.unwrap().key();
    memoir.store.generations(&key).await.unwrap()
}

async fn until_embedded(engine: &Engine, count: usize) {
    until("every message has its vector", async || {
        (near(engine, "anything").await.vectors == count).then_some(())
    })
    .await;
}

/// An engine whose workers run, and its embedder.
fn awake(memoir: &TestEngine) -> (Engine, Arc<WordEmbedder>, memoir_engine::Workers) {
    let embedder = WordEmbedder::new("words", 4096);
    let engine = memoir.with_embedders(embedder.clone(), vec![]);
    let workers = engine.start_workers();
    (engine, embedder, workers)
}

#[tokio::test]
async fn a_message_is_found_by_words_at_once_and_by_meaning_after_its_embedding() {
    let memoir = TestEngine::restless();
    let embedder = WordEmbedder::new("words", 4096);
    let engine = memoir.with_embedders(embedder.clone(), vec![]);
    say(&engine, message(ROOM, "cat", "my cat is called miso")).await;
    assert_eq!(near(&engine, "cat").await.unavailable, Some(Unavailable::NoVectors));
    assert_eq!(found(&engine, &space(ROOM), "cat").await, ["cat"]);

    let _workers = engine.start_workers();
    say(&engine, message(ROOM, "rain", "it rained the whole day")).await;
    until_embedded(&engine, 2).await;
    assert_eq!(nearest(&engine, "the name of my cat").await.as_deref(), Some("cat"));
    assert_eq!(nearest(&engine, "rained all day").await.as_deref(), Some("rain"));
    let page = near(&engine, "it rained the whole day").await;
    assert!(page.hits[0].score > 0.7 && page.hits[1].score < 0.3, "{page:?}");

    let asked = embedder.asked();
    near(&engine, "it rained the whole day").await;
    assert_eq!(embedder.asked(), asked, "a question is embedded once");
}

#[tokio::test]
async fn many_messages_are_embedded_once_each_and_survive_a_neighbour() {
    let memoir = TestEngine::restless();
    let (engine, embedder, _workers) = awake(&memoir);
    let batch = (0..300).map(|n| message(ROOM, &format!("m{n}"), &format!("note number {n}"))).collect();
    remember(&engine, batch).await;
    until("every vector is there", async || {
        let all = generations(&memoir).await;
        all.iter().any(|generation| generation.cursor == 300 && generation.serves).then_some(())
    })
    .await;
    assert_eq!(embedder.asked(), 300);
    // A neighbour reads them from the file.
    let neighbour = memoir.with_embedders(WordEmbedder::new("words", 4096), vec![]);
    assert_eq!(near(&neighbour, "note number 217").await.vectors, 300);
    assert_eq!(nearest(&neighbour, "note number 217").await.as_deref(), Some("m217"));
}

#[tokio::test]
async fn filters_hold_for_meaning_as_for_words() {
    let memoir = TestEngine::restless();
    let (engine, _, _workers) = awake(&memoir);
    let mut bot = message(ROOM, "bot", "green tea");
    (bot.role, bot.author) = (Speaker::Assistant, Some(author("bot")));
    remember(
        &engine,
        vec![
            at(message(ROOM, "old", "green tea"), "2026-01-01T08:00:00+08:00"),
            at(message(ROOM, "new", "green tea please"), "2026-01-06T08:00:00+08:00"),
            bot,
        ],
    )
    .await;
    until_embedded(&engine, 3).await;
    let ids = async |request: SearchRequest| {
        let page = engine.nearest_messages(&caller(), &space(ROOM), request).await.unwrap();
        page.hits.iter().map(|hit| hit.message.id.to_string()).collect::<Vec<_>>()
    };
    let all = SearchRequest { query: "green tea".into(), limit: 10, ..SearchRequest::default() };
    assert_eq!(ids(all.clone()).await, ["bot", "old", "new"], "of equals the newer one first");
    let until = Some("2026-01-02T00:00:00Z".parse().unwrap());
    assert_eq!(ids(SearchRequest { until, ..all.clone() }).await, ["old"]);
    assert_eq!(ids(SearchRequest { role: Some(Speaker::Assistant), ..all.clone() }).await, ["bot"]);
    assert_eq!(ids(SearchRequest { author: Some(author("bot")), ..all.clone() }).await, ["bot"]);
    assert_eq!(ids(SearchRequest { offset: 1, limit: 1, ..all.clone() }).await, ["old"]);
    assert!(
        engine.nearest_messages(&caller(), &space(ROOM), SearchRequest { limit: 2000, ..all }).await.is_err()
    );
}

#[tokio::test]
async fn an_edited_message_is_found_by_its_new_meaning_and_an_erased_one_not_at_all() {
    let memoir = TestEngine::restless();
    let (engine, _, _workers) = awake(&memoir);
    say(&engine, message(ROOM, "a", "I like coffee")).await;
    say(&engine, message(ROOM, "b", "the weather is fine")).await;
    until_embedded(&engine, 2).await;
    let edit = Edit { content: Some("bicycles are fast".into()), ..Edit::default() };
    engine.edit_message(&caller(), &space(ROOM), &message_id("a"), edit).await.unwrap();
    let score = until("the new meaning is known", async || {
        let page = near(&engine, "fast bicycles").await;
        page.hits.iter().find(|hit| hit.message.id == message_id("a")).map(|hit| hit.score)
    })
    .await;
    assert!(score > 0.6, "{score}");
    engine.erase_message(&caller(), &space(ROOM), &message_id("a")).await.unwrap();
    let page = until("what came after it is embedded again", async || {
        let page = near(&engine, "fast bicycles").await;
        assert!(page.hits.iter().all(|hit| hit.message.id != message_id("a") && hit.score < 0.1), "{page:?}");
        (page.vectors == 1).then_some(page)
    })
    .await;
    assert_eq!(page.hits[0].message.id, message_id("b"));
}

#[tokio::test]
async fn an_embedder_that_is_away_blocks_nothing_and_loses_nothing() {
    let memoir = TestEngine::restless();
    let (engine, embedder, _workers) = awake(&memoir);
    embedder.set(Mood::Away);
    say(&engine, message(ROOM, "a", "I like coffee")).await;
    assert_eq!(found(&engine, &space(ROOM), "coffee").await, ["a"]);
    // However often it fails, the work is not given up.
    for _ in 0..12 {
        let asked = embedder.asked();
        until("it was tried again", async || {
            memoir.clock.advance(SignedDuration::from_secs(31));
            (embedder.asked() > asked).then_some(())
        })
        .await;
    }
    let dead = JobQuery { state: Some(JobState::Dead), limit: 10, ..JobQuery::default() };
    assert_eq!(memoir.store.jobs(&tenant("default"), &dead).await.unwrap(), []);
    embedder.set(Mood::Willing);
    until("it has come back", async || {
        memoir.clock.advance(SignedDuration::from_secs(31));
        (near(&engine, "coffee").await.vectors == 1).then_some(())
    })
    .await;
    embedder.set(Mood::Away);
    assert_eq!(near(&engine, "a new question").await.unavailable, Some(Unavailable::EmbedderFailed));
    assert_eq!(nearest(&engine, "coffee").await.as_deref(), Some("a"), "what was asked before is remembered");
}

#[tokio::test]
async fn a_text_that_is_refused_does_not_hold_up_the_others() {
    for mood in [Mood::Dainty("poison"), Mood::Stumbling("poison")] {
        let memoir = TestEngine::restless();
        let (engine, embedder, _workers) = awake(&memoir);
        embedder.set(mood);
        let words = ["tea", "poison", "milk"];
        remember(&engine, words.iter().map(|word| message(ROOM, word, word)).collect()).await;
        until_embedded(&engine, 2).await;
        assert_eq!(nearest(&engine, "milk").await.as_deref(), Some("milk"));
        until("the cursor has passed it", async || (generations(&memoir).await[0].cursor == 3).then_some(()))
            .await;
    }
}

#[tokio::test]
async fn a_text_that_is_refused_once_it_was_edited_does_not_hold_up_what_comes_after() {
    let memoir = TestEngine::restless();
    let (engine, embedder, _workers) = awake(&memoir);
    say(&engine, message(ROOM, "a", "tea")).await;
    until_embedded(&engine, 1).await;
    embedder.set(Mood::Dainty("poison"));
    let edit = Edit { content: Some("poison".into()), ..Edit::default() };
    engine.edit_message(&caller(), &space(ROOM), &message_id("a"), edit).await.unwrap();
    say(&engine, message(ROOM, "b", "milk")).await;
    until("the next one is embedded", async || {
        (nearest(&engine, "milk").await.as_deref() == Some("b")).then_some(())
    })
    .await;
    until("nothing is left to do", async || {
        let all = JobQuery { limit: 10, ..JobQuery::default() };
        let jobs = memoir.store.jobs(&tenant("default"), &all).await.unwrap();
        jobs.iter().all(|job| job.kind.as_ref() != "embed").then_some(())
    })
    .await;
}

#[test]
fn an_embedder_with_the_longest_name_has_a_generation() {
    let embedder = WordEmbedder::new(&"模".repeat(200), 1_000_000);
    let embedders = Embedders::new(embedder, vec![]).unwrap();
    assert!(embedders.current().unwrap().0.as_str().ends_with(" in context"));
}

#[tokio::test]
async fn vectors_of_words_alone_serve_until_those_in_context_are_made() {
    let memoir = TestEngine::restless();
    say(&memoir.engine, message(ROOM, "a", "green tea")).await;
    say(&memoir.engine, message(ROOM, "b", "the weather")).await;
    let embedder = WordEmbedder::new("words", 4096);
    let id = embedder.recipe().generation().unwrap();
    let room = memoir.engine.space(&caller(), &space(ROOM)).await.unwrap();
    let texts = ["green tea", "the weather"].map(String::from);
    let made = embedder.embed(&texts, Purpose::Document).await.unwrap();
    let vectors =
        (1..).zip(made).map(|(seq, vector)| NewVector { seq, message_version: 1, before: None, vector });
    let rows = vec![
        Row::Generation(Generation { no: 1, id: id.clone(), dimension: 4096, cursor: 2, serves: true }),
        Row::Vectors { generation: 1, vectors: vectors.collect() },
    ];
    let writes = WriteSet { rows, ..WriteSet::default() };
    memoir.store.commit(Commit::to_space(room.key(), writes)).await.unwrap();

    let engine = memoir.with_embedders(embedder, vec![]);
    assert!(near(&engine, "green tea").await.hits[0].score > 0.999);
    assert_eq!(engine.request_missing_vectors().await.unwrap(), 1);
    let _workers = engine.start_workers();
    let all = until("those in context have taken over", async || {
        let all = generations(&memoir).await;
        (all.len() == 1 && all[0].id != id).then_some(all)
    })
    .await;
    assert_eq!((all[0].id.as_str(), all[0].cursor), (&*format!("{id} in context"), 2));
    assert_eq!(nearest(&engine, "green tea").await.as_deref(), Some("a"));
    assert_eq!(engine.request_missing_vectors().await.unwrap(), 0);
}

#[tokio::test]
async fn vectors_of_a_wrong_dimension_are_never_kept() {
    let memoir = TestEngine::restless();
    let (engine, embedder, _workers) = awake(&memoir);
    embedder.set(Mood::Clumsy);
    say(&engine, message(ROOM, "a", "tea")).await;
    until("it was tried", async || (embedder.asked() > 0).then_some(())).await;
    assert_eq!(near(&engine, "tea").await.hits.len(), 0);
    embedder.set(Mood::Willing);
    until("it was tried again", async || {
        memoir.clock.advance(SignedDuration::from_secs(31));
        (near(&engine, "tea").await.vectors == 1).then_some(())
    })
    .await;
}

#[tokio::test]
async fn another_model_takes_over_when_it_has_read_everything_and_not_before() {
    let memoir = TestEngine::restless();
    let old = WordEmbedder::new("old", 4096);
    {
        let engine = memoir.with_embedders(old.clone(), vec![]);
        let workers = engine.start_workers();
        remember(&engine, (0..200).map(|n| message(ROOM, &format!("m{n}"), &format!("word{n}"))).collect())
            .await;
        until_embedded(&engine, 200).await;
        workers.drain(std::time::Duration::from_secs(5)).await;
    }
    let new = WordEmbedder::new("newer", 4100);
    let engine = memoir.with_embedders(new.clone(), vec![old.clone()]);
    new.set(Mood::Away);
    assert_eq!(engine.request_missing_vectors().await.unwrap(), 1);
    let workers = engine.start_workers();
    until("the new model was asked", async || (new.asked() > 0).then_some(())).await;
    assert_eq!(near(&engine, "word7").await.vectors, 200, "the old vectors serve");
    assert_eq!(nearest(&engine, "word7").await.as_deref(), Some("m7"));
    // Without the old model nothing can be asked of its vectors.
    let alone = memoir.with_embedders(new.clone(), vec![]);
    assert_eq!(near(&alone, "word7").await.unavailable, Some(Unavailable::OtherModel));
    assert_eq!(found(&alone, &space(ROOM), "word7").await[0], "m7");

    new.set(Mood::Willing);
    until("the new model has taken over", async || {
        memoir.clock.advance(SignedDuration::from_secs(31));
        let all = generations(&memoir).await;
        (all.len() == 1 && all[0].serves && all[0].dimension == 4100).then_some(())
    })
    .await;
    assert_eq!(nearest(&alone, "word7").await.as_deref(), Some("m7"));
    assert_eq!(near(&engine, "word7").await.vectors, 200);
    assert_eq!(engine.request_missing_vectors().await.unwrap(), 0, "nothing is left to do");
    workers.drain(std::time::Duration::from_secs(5)).await;
}

#[tokio::test]
async fn a_model_that_was_given_up_halfway_makes_room_for_the_next() {
    let memoir = TestEngine::restless();
    let first = WordEmbedder::new("first", 16);
    let engine = memoir.with_embedders(first.clone(), vec![]);
    let workers = engine.start_workers();
    remember(&engine, (0..300).map(|n| message(ROOM, &format!("m{n}"), &format!("word{n}"))).collect()).await;
    until_embedded(&engine, 300).await;
    workers.drain(std::time::Duration::from_secs(5)).await;
    // Two more models in a row; the first of them stops in the middle.
    let second = WordEmbedder::new("second", 24);
    let halfway = memoir.with_embedders(second.clone(), vec![]);
    halfway.request_missing_vectors().await.unwrap();
    let workers = halfway.start_workers();
    until("it has begun", async || (generations(&memoir).await.len() == 2).then_some(())).await;
    second.set(Mood::Away);
    workers.drain(std::time::Duration::from_secs(5)).await;
    let third = WordEmbedder::new("third", 4104);
    let engine = memoir.with_embedders(third, vec![]);
    let workers = engine.start_workers();
    engine.request_missing_vectors().await.unwrap();
    until("the third has taken over", async || {
        memoir.clock.advance(SignedDuration::from_secs(31));
        let all = generations(&memoir).await;
        (all.len() == 1 && all[0].dimension == 4104 && all[0].cursor == 300).then_some(())
    })
    .await;
    assert_eq!(nearest(&engine, "word250").await.as_deref(), Some("m250"));
    workers.drain(std::time::Duration::from_secs(5)).await;
}

#[tokio::test]
async fn without_an_embedder_nothing_is_asked_for_and_words_find_everything() {
    let memoir = TestEngine::restless();
    let _workers = memoir.engine.start_workers();
    say(&memoir.engine, message(ROOM, "a", "tea")).await;
    assert_eq!(near(&memoir.engine, "tea").await.unavailable, Some(Unavailable::NoEmbedder));
    let jobs =
        memoir.store.jobs(&tenant("default"), &JobQuery { limit: 10, ..JobQuery::default() }).await.unwrap();
    assert!(jobs.iter().all(|job| job.kind.as_ref() != "embed"), "{jobs:?}");
}

#[tokio::test]
async fn spaces_do_not_see_each_others_vectors() {
    let memoir = TestEngine::restless();
    let (engine, _, _workers) = awake(&memoir);
    say(&engine, message("user:b", "theirs", "green tea")).await;
    say(&engine, message(ROOM, "ours", "something else")).await;
    until_embedded(&engine, 1).await;
    assert_eq!(nearest(&engine, "green tea").await.as_deref(), Some("ours"));
}
