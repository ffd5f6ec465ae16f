//! A hundred Chinese questions and the messages they mean, all in one space.

use memoir_engine::SearchRequest;
use memoir_testkit::{TestEngine, caller, message, remember, space};

const QUESTIONS: &str = include_str!("../../../tests/data/chinese_queries.tsv");

#[tokio::test]
async fn every_question_finds_its_message_first() {
    let questions: Vec<[&str; 3]> = QUESTIONS
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>().try_into().expect("query, message and class"))
        .collect();
    assert_eq!(questions.len(), 100);
    let memoir = TestEngine::new();
    let batch =
        questions.iter().enumerate().map(|(n, [_, text, _])| message("user:a", &format!("m{n}"), text));
    remember(&memoir.engine, batch.collect()).await;
    let cold = memoir.neighbour();
    let mut missed = Vec::new();
    for engine in [&memoir.engine, &cold] {
        for (n, [query, text, class]) in questions.iter().enumerate() {
            let request = SearchRequest { query: (*query).into(), limit: 5, ..SearchRequest::default() };
            let page = engine.search_messages(&caller(), &space("user:a"), request).await.unwrap();
            let first = page.hits.first().map(|hit| hit.message.content.as_str());
            if first != Some(*text) {
                missed.push(format!("{n} {class} {query}: wanted {text}, found {first:?}"));
            } else if page.hits[0].highlights.is_empty() {
                missed.push(format!("{n} {class} {query}: nothing is marked in {text}"));
            }
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}
