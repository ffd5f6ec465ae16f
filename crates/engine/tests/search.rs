//! Full-text search over the messages of a space: what is found, and that it is the same from memory, from rows and
//! from sealed pieces (A17, A18).

#![expect(clippy::unwrap_used, reason = "these are tests")]

use memoir_engine::{Edit, Engine, EngineSettings, NewMessage, SearchPage, SearchRequest};
use memoir_model::{Attachment, ErrorCode, JobState, Speaker};
use memoir_sqlite::Durability;
use memoir_testkit::{
    Door, TestEngine, at, author, caller, found, message, message_id, remember, say, session_id, space, until,
};
use proptest::prelude::*;

const ROOM: &str = "user:a";
/// With this many messages the first piece is full.
const PIECE: usize = 4095;

fn request(query: &str) -> SearchRequest {
    SearchRequest { query: query.into(), limit: 50, ..SearchRequest::default() }
}

async fn search(engine: &Engine, request: SearchRequest) -> SearchPage {
    engine.search_messages(&caller(), &space(ROOM), request).await.unwrap()
}

async fn ids(engine: &Engine, request: SearchRequest) -> Vec<String> {
    search(engine, request).await.hits.iter().map(|hit| hit.message.id.to_string()).collect()
}

/// Everything that a caller can see of an answer.
async fn seen(engine: &Engine, request: SearchRequest) -> (usize, Vec<(u64, u32, String, String)>) {
    let page = search(engine, request).await;
    let hits = page.hits.iter().map(|hit| {
        (hit.message.seq, hit.score.to_bits(), hit.message.content.clone(), format!("{:?}", hit.highlights))
    });
    (page.total, hits.collect())
}

async fn edit(engine: &Engine, id: &str, words: &str) {
    let edit = Edit { content: Some(words.into()), ..Edit::default() };
    engine.edit_message(&caller(), &space(ROOM), &message_id(id), edit).await.unwrap();
}

fn captioned(id: &str, words: &str, captions: &[Option<&str>]) -> NewMessage {
    let attachment = |caption: &Option<&str>| Attachment {
        reference: "img".into(),
        media_type: "image/png".into(),
        caption: caption.map(str::to_owned),
    };
    NewMessage { attachments: captions.iter().map(attachment).collect(), ..message(ROOM, id, words) }
}

#[tokio::test]
async fn a_message_is_found_by_the_very_next_search() {
    let memoir = TestEngine::new();
    for (n, word) in ["tea", "coffee", "猫", "火锅", "naïve"].iter().enumerate() {
        let id = format!("m{n}");
        say(&memoir.engine, message(ROOM, &id, word)).await;
        assert_eq!(found(&memoir.engine, &space(ROOM), word).await, [id]);
    }
}

#[tokio::test]
async fn the_time_of_a_message_narrows_a_search() {
    let memoir = TestEngine::new();
    for day in 1..=5 {
        let time = format!("2026-01-0{day}T00:00:00Z");
        say(&memoir.engine, at(message(ROOM, &format!("d{day}"), "tea"), &time)).await;
    }
    let time = |day: u8| Some(format!("2026-01-0{day}T00:00:00Z").parse().unwrap());
    let between = |from, until| SearchRequest { from, until, ..request("tea") };
    let mut within = ids(&memoir.engine, between(time(2), time(4))).await;
    within.sort();
    assert_eq!(within, ["d2", "d3"], "the start is in it and the end is not");
    assert_eq!(ids(&memoir.engine, between(time(5), None)).await, ["d5"]);
    assert_eq!(ids(&memoir.engine, between(None, time(2))).await, ["d1"]);
    assert_eq!(search(&memoir.engine, between(time(3), time(3))).await.total, 0);
    assert_eq!(search(&memoir.engine, between(time(2), time(4))).await.total, 2);
}

#[tokio::test]
async fn who_said_it_in_which_part_and_session_narrows_a_search() {
    let memoir = TestEngine::new();
    let said = |id: &str, who: &str, role, session: &str| NewMessage {
        author: Some(author(who)),
        role,
        session: Some(session_id(session)),
        ..message(ROOM, id, "tea please")
    };
    let batch = vec![
        said("m1", "ann", Speaker::User, "s1"),
        said("m2", "bob", Speaker::User, "s1"),
        said("m3", "ann", Speaker::Assistant, "s2"),
        said("m4", "Ann", Speaker::Tool, "s2"),
    ];
    remember(&memoir.engine, batch).await;
    for engine in [&memoir.engine, &memoir.neighbour()] {
        let by = |who: &str| SearchRequest { author: Some(author(who)), ..request("tea") };
        assert_eq!(ids(engine, by("ann")).await, ["m3", "m1"]);
        assert_eq!(ids(engine, by("Ann")).await, ["m4"], "names are told apart letter by letter");
        assert_eq!(ids(engine, by("nobody")).await, [] as [&str; 0]);
        let role = SearchRequest { role: Some(Speaker::User), ..request("tea") };
        assert_eq!(ids(engine, role.clone()).await, ["m2", "m1"]);
        let session = |id: &str| SearchRequest { session: Some(session_id(id)), ..request("tea") };
        assert_eq!(ids(engine, session("s2")).await, ["m4", "m3"]);
        let all = SearchRequest { author: Some(author("ann")), role: Some(Speaker::User), ..session("s1") };
        assert_eq!(ids(engine, all).await, ["m1"]);
        let unknown = engine.search_messages(&caller(), &space(ROOM), session("s9")).await.unwrap_err();
        assert_eq!(unknown.code(), ErrorCode::NotFound);
    }
}

#[tokio::test]
async fn captions_are_searched_and_shown() {
    let memoir = TestEngine::new();
    say(&memoir.engine, captioned("m1", "look", &[None, Some("海边的日落"), Some("a red kite")])).await;
    say(&memoir.engine, captioned("m2", "", &[Some("日落 at the kite festival")])).await;
    let page = search(&memoir.engine, request("kite")).await;
    assert_eq!(page.total, 2);
    let first = page.hits.iter().find(|hit| hit.message.id == message_id("m1")).unwrap();
    assert!(first.highlights.is_empty());
    assert_eq!(first.captions.len(), 1);
    let (place, ranges) = &first.captions[0];
    assert_eq!((*place, ranges.len(), ranges[0].clone()), (2, 1, 6..10));
    let sunset = search(&memoir.engine, request("日落")).await;
    let first = sunset.hits.iter().find(|hit| hit.message.id == message_id("m1")).unwrap();
    assert_eq!(first.captions.len(), 1);
    let (place, ranges) = &first.captions[0];
    let caption = first.message.attachments[*place].caption.as_deref().unwrap();
    assert_eq!(ranges.iter().map(|range| &caption[range.clone()]).collect::<String>(), "日落");
}

#[tokio::test]
async fn a_phrase_must_stand_in_the_words_or_in_one_caption_as_it_is() {
    let memoir = TestEngine::new();
    say(&memoir.engine, message(ROOM, "m1", "we flew from new york today")).await;
    say(&memoir.engine, message(ROOM, "m2", "york has a new bridge")).await;
    say(&memoir.engine, captioned("m3", "something new", &[Some("york minster")])).await;
    say(&memoir.engine, captioned("m4", "look", &[Some("new york at night")])).await;
    let mut quoted = ids(&memoir.engine, request("\"new york\"")).await;
    quoted.sort();
    assert_eq!(quoted, ["m1", "m4"]);
    assert_eq!(search(&memoir.engine, request("new york")).await.total, 4);
    assert_eq!(ids(&memoir.engine, request("bridge “york new”")).await, [] as [&str; 0]);
    assert_eq!(
        search(&memoir.engine, request("bridge “new york”")).await.total,
        2,
        "other words need not occur"
    );
}

#[tokio::test]
async fn highlights_are_the_bytes_that_match() {
    let memoir = TestEngine::new();
    let texts = ["我的貓叫Miso，貓很可愛", "Running late; I ran, she runs", "ＡＢＣ公司的报告"];
    for (n, text) in texts.iter().enumerate() {
        say(&memoir.engine, message(ROOM, &format!("m{n}"), text)).await;
    }
    for (query, expected) in [
        ("猫", vec!["貓", "貓"]),
        ("miso", vec!["Miso"]),
        ("run", vec!["Running", "runs"]),
        ("abc", vec!["ＡＢＣ"]),
    ] {
        let page = search(&memoir.engine, request(query)).await;
        let hit = &page.hits[0];
        let marked: Vec<_> = hit.highlights.iter().map(|range| &hit.message.content[range.clone()]).collect();
        assert_eq!(marked, expected, "{query}");
    }
}

#[tokio::test]
async fn scripts_and_widths_are_one() {
    let memoir = TestEngine::new();
    say(&memoir.engine, message(ROOM, "simple", "台湾的头发店")).await;
    say(&memoir.engine, message(ROOM, "wide", "Ｗｉｆｉ密码是８８８８")).await;
    for (query, id) in [
        ("臺灣", "simple"),
        ("頭髮", "simple"),
        ("wifi", "wide"),
        ("WIFI", "wide"),
        ("８８８８", "wide"),
        ("8888", "wide"),
    ] {
        assert_eq!(ids(&memoir.engine, request(query)).await, [id], "{query}");
    }
}

#[tokio::test]
async fn a_list_read_page_by_page_is_the_whole_list() {
    let memoir = TestEngine::new();
    let batch =
        (0..57).map(|n| message(ROOM, &format!("m{n}"), &format!("tea {}", "and cake ".repeat(n % 5))));
    remember(&memoir.engine, batch.collect()).await;
    let whole = ids(&memoir.engine, SearchRequest { limit: 1000, ..request("tea cake") }).await;
    assert_eq!(whole.len(), 57);
    let mut pages = Vec::new();
    while pages.len() < whole.len() {
        let page =
            search(&memoir.engine, SearchRequest { offset: pages.len(), limit: 10, ..request("tea cake") })
                .await;
        assert_eq!(page.total, 57);
        pages.extend(page.hits.iter().map(|hit| hit.message.id.to_string()));
    }
    assert_eq!(pages, whole);
    let beyond = search(&memoir.engine, SearchRequest { offset: 57, ..request("tea cake") }).await;
    assert!(beyond.hits.is_empty());
    assert_eq!(search(&memoir.engine, SearchRequest { limit: 0, ..request("tea") }).await.total, 57);
}

#[tokio::test]
async fn a_search_is_bounded_in_length_and_depth() {
    let memoir = TestEngine::new();
    say(&memoir.engine, message(ROOM, "m1", "tea")).await;
    let refusal = async |request| {
        let error = memoir.engine.search_messages(&caller(), &space(ROOM), request).await.unwrap_err();
        (error.code(), error.field().map(str::to_owned))
    };
    let fits = format!("tea {}", "x".repeat(4092));
    assert_eq!(ids(&memoir.engine, request(&fits)).await, ["m1"]);
    assert_eq!(refusal(request(&format!("{fits}x"))).await, (ErrorCode::Invalid, Some("q".into())));
    for (offset, limit) in [(1000, 1), (0, 1001), (usize::MAX, 10), (usize::MAX, usize::MAX)] {
        let deep = SearchRequest { offset, limit, ..request("tea") };
        assert_eq!(refusal(deep).await, (ErrorCode::Invalid, Some("cursor".into())));
    }
    let deep = SearchRequest { offset: 999, limit: 1, ..request("tea") };
    assert_eq!(search(&memoir.engine, deep).await.total, 1);
}

#[tokio::test]
async fn a_query_of_too_many_words_says_that_it_was_cut() {
    let memoir = TestEngine::new();
    say(&memoir.engine, message(ROOM, "m1", "alpha")).await;
    let many: String = (0..400).map(|n| format!("w{n} ")).collect();
    let page = search(&memoir.engine, request(&format!("alpha {many}"))).await;
    assert!(page.truncated);
    assert_eq!(page.hits[0].message.id, message_id("m1"));
    assert!(!search(&memoir.engine, request("alpha")).await.truncated);
}

#[tokio::test]
async fn a_query_without_words_finds_nothing() {
    let memoir = TestEngine::new();
    say(&memoir.engine, message(ROOM, "m1", "… ?! tea")).await;
    for query in ["", "  ", "?!", "\"\"", "“…”", "\u{200b}"] {
        assert_eq!(search(&memoir.engine, request(query)).await.total, 0, "{query:?}");
    }
}

#[tokio::test]
async fn a_space_that_is_not_there_is_an_error() {
    let memoir = TestEngine::new();
    let missing = memoir.engine.search_messages(&caller(), &space(ROOM), request("tea")).await.unwrap_err();
    assert_eq!(missing.code(), ErrorCode::NotFound);
}

#[tokio::test]
async fn of_a_space_that_is_too_large_the_newest_messages_are_searched_and_it_says_so() {
    let memoir = TestEngine::with(EngineSettings { index_max_rows: 4, ..EngineSettings::default() }, |_| {});
    let hot = &memoir.engine;
    for n in 0..4 {
        say(hot, message(ROOM, &format!("m{n}"), "tea")).await;
        assert!(!search(hot, request("tea")).await.partial);
    }
    for n in 4..9 {
        say(hot, message(ROOM, &format!("m{n}"), &format!("tea {}", "cake ".repeat(n)))).await;
        // Whether it grew in memory or was read just now.
        let cold = memoir.neighbour();
        for engine in [hot, &cold] {
            let page = search(engine, request("tea")).await;
            assert_eq!((page.total, page.partial), (4, true));
        }
        assert_eq!(seen(hot, request("tea cake")).await, seen(&cold, request("tea cake")).await);
    }
    edit(hot, "m0", "tea again").await;
    edit(hot, "m7", "coffee").await;
    let mut newest = ids(hot, request("tea coffee")).await;
    newest.sort();
    assert_eq!(newest, ["m5", "m6", "m7", "m8"]);
    assert_eq!(
        seen(hot, request("tea coffee")).await,
        seen(&memoir.neighbour(), request("tea coffee")).await
    );
}

#[tokio::test]
async fn more_spaces_than_fit_in_memory_are_searched_alike() {
    let settings = EngineSettings { index_cache_bytes: 1, ..EngineSettings::default() };
    let memoir = TestEngine::with(settings, |_| {});
    for round in 1..=3 {
        for n in 0..5 {
            let place = format!("user:{n}");
            say(&memoir.engine, message(&place, &format!("r{round}"), &format!("tea for {n}"))).await;
            assert_eq!(found(&memoir.engine, &space(&place), "tea").await.len(), round);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_who_search_a_cold_space_at_once_see_the_same() {
    let memoir = TestEngine::new();
    let batch = (0..300).map(|n| message(ROOM, &format!("m{n}"), &format!("tea number {n}"))).collect();
    remember(&memoir.engine, batch).await;
    let expected = seen(&memoir.engine, request("tea number")).await;
    let cold = memoir.neighbour();
    let searches: Vec<_> = (0..20)
        .map(|_| {
            let cold = cold.clone();
            tokio::spawn(async move { seen(&cold, request("tea number")).await })
        })
        .collect();
    for search in searches {
        assert_eq!(search.await.unwrap(), expected);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_in_the_middle_of_writes_finds_all_that_was_acknowledged() {
    let memoir = TestEngine::new();
    let writer = tokio::spawn({
        let engine = memoir.engine.clone();
        async move {
            for n in 0..50 {
                say(&engine, message(ROOM, &format!("m{n}"), "tea")).await;
                let total = search(&engine, request("tea")).await.total;
                assert!(total > n, "{total} were found after {} were stored", n + 1);
            }
        }
    });
    for n in 0..50 {
        say(&memoir.engine, message(ROOM, &format!("x{n}"), "coffee")).await;
        assert!(search(&memoir.engine, request("coffee")).await.total > n);
    }
    writer.await.unwrap();
}

/// A store that loses nothing in these tests if the machine does, which makes many writes fast.
fn quick(settings: EngineSettings) -> TestEngine {
    TestEngine::with(settings, |options| options.durability = Durability::Normal)
}

/// Texts that share some words and differ in others.
fn text(n: usize) -> String {
    const WORDS: [&str; 12] =
        ["tea", "coffee", "喝茶", "火锅", "running", "cake", "图书馆", "rain", "机场", "wifi", "dog", "周末"];
    format!("{} {} {} no{n}", WORDS[n % 12], WORDS[n / 12 % 11], WORDS[n / 7 % 5])
}

const QUERIES: [&str; 10] = [
    "tea",
    "喝茶 火锅",
    "\"tea coffee\"",
    "runs",
    "no17",
    "no4200",
    "图书",
    "the rain in wifi",
    "机场 周末 dog",
    "茶",
];

async fn everything(engine: &Engine) -> Vec<(usize, Vec<(u64, u32, String, String)>)> {
    let mut all = Vec::new();
    for query in QUERIES {
        all.push(seen(engine, SearchRequest { limit: 120, ..request(query) }).await);
        let from = Some("2026-01-07T04:00:03Z".parse().unwrap());
        all.push(seen(engine, SearchRequest { from, offset: 3, ..request(query) }).await);
    }
    all
}

async fn pieces(memoir: &TestEngine) -> usize {
    let key = memoir.engine.space(&caller(), &space(ROOM)).await.unwrap().key();
    memoir.engine.store().index_delta(&key, None).await.unwrap().unwrap().pieces.len()
}

async fn sealed(memoir: &TestEngine) {
    until("the pieces are sealed", async || {
        let jobs = memoir.engine.jobs(&caller(), None, None, None, 100).await.unwrap();
        jobs.iter().all(|job| job.kind != "seal").then_some(())
    })
    .await;
}

#[tokio::test]
async fn results_are_the_same_from_memory_from_rows_and_from_sealed_pieces() {
    let memoir = quick(TestEngine::restless_settings());
    // This one is searched all along and has every row in memory as it came.
    let hot = memoir.engine.clone();
    for batch in 0..9 {
        let texts = (batch * 500..(batch + 1) * 500).map(|n| message(ROOM, &format!("m{n}"), &text(n)));
        remember(&hot, texts.collect()).await;
        memoir.clock.advance(jiff::SignedDuration::from_secs(1));
        search(&hot, request("tea")).await;
    }
    let expected = everything(&hot).await;
    assert!(expected.iter().filter(|(total, _)| *total > 0).count() > 15, "the queries find something");
    assert_eq!(pieces(&memoir).await, 0);
    assert_eq!(everything(&memoir.neighbour()).await, expected, "from rows");

    let workers = hot.start_workers();
    sealed(&memoir).await;
    assert_eq!(pieces(&memoir).await, 1);
    assert_eq!(everything(&hot).await, expected, "sealing changes nothing for who has it in memory");
    assert_eq!(everything(&memoir.neighbour()).await, expected, "from a piece and a tail");

    // Words in the piece change: for one who has the rows, for one who has the piece, and for one who has nothing.
    let from_piece = memoir.neighbour();
    everything(&from_piece).await;
    edit(&hot, "m17", "tea and nothing but tea").await;
    hot.recall_message(&caller(), &space(ROOM), &message_id("m24")).await.unwrap();
    hot.erase_message(&caller(), &space(ROOM), &message_id("m36")).await.unwrap();
    edit(&hot, "m4300", "喝茶 again").await;
    let changed = everything(&hot).await;
    assert_ne!(changed, expected);
    assert_eq!(pieces(&memoir).await, 0, "the piece that had the words is gone");
    assert_eq!(everything(&from_piece).await, changed);
    assert_eq!(everything(&memoir.neighbour()).await, changed);
    // At night it is sealed again.
    memoir.clock.advance(jiff::SignedDuration::from_hours(24));
    sealed(&memoir).await;
    assert_eq!(pieces(&memoir).await, 1);
    assert_eq!(everything(&memoir.neighbour()).await, changed);
    workers.drain(std::time::Duration::from_secs(10)).await;
    let findings = hot.examine(|_| {}).await.unwrap();
    assert!(findings.iter().all(|f| f.severity == memoir_engine::Severity::Fine), "{findings:?}");
}

#[tokio::test]
async fn words_that_change_while_their_piece_is_being_sealed_are_not_found_any_more() {
    let memoir = quick(TestEngine::restless_settings());
    let (engine, doors) = memoir.with_doors();
    for start in (0..PIECE).step_by(1000) {
        let batch = (start..(start + 1000).min(PIECE)).map(|n| message(ROOM, &format!("m{n}"), "tea"));
        remember(&memoir.engine, batch.collect()).await;
    }
    edit(&memoir.engine, "m5", "quincework").await;
    let mut held = doors.shut(Door::AfterPieceRows);
    let workers = engine.start_workers();
    held.came().await;
    // The rows were read with the word in them.
    memoir.engine.erase_message(&caller(), &space(ROOM), &message_id("m5")).await.unwrap();
    held.release();
    until("the job is done and waits for the night", async || {
        let jobs = memoir.engine.jobs(&caller(), None, Some(JobState::Waiting), None, 100).await.unwrap();
        jobs.iter().any(|job| job.kind == "seal" && job.run_at > memoir.engine.now()).then_some(())
    })
    .await;
    assert_eq!(pieces(&memoir).await, 0, "a piece with the old words is not kept");
    for engine in [&memoir.engine, &memoir.neighbour()] {
        assert_eq!(found(engine, &space(ROOM), "quincework").await, [] as [&str; 0]);
        assert_eq!(search(engine, request("tea")).await.total, PIECE - 1);
    }
    workers.drain(std::time::Duration::from_secs(10)).await;
}

#[tokio::test]
async fn a_space_of_many_pieces_is_sealed_in_one_go() {
    let memoir = quick(TestEngine::restless_settings());
    for start in (0..21_000).step_by(1000) {
        remember(
            &memoir.engine,
            (start..start + 1000).map(|n| message(ROOM, &format!("m{n}"), "tea")).collect(),
        )
        .await;
    }
    let workers = memoir.engine.start_workers();
    sealed(&memoir).await;
    assert_eq!(pieces(&memoir).await, 5);
    assert_eq!(search(&memoir.neighbour(), request("tea")).await.total, 21_000);
    workers.drain(std::time::Duration::from_secs(10)).await;
}

/// Something that changes what can be found.
#[derive(Debug, Clone)]
enum Change {
    Say(Vec<(usize, bool)>),
    Edit(usize, usize),
    Recall(usize),
    Erase(usize),
    Search(usize),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => prop::collection::vec((0..60usize, any::<bool>()), 1..5).prop_map(Change::Say),
        3 => (0..40usize, 0..60usize).prop_map(|(which, words)| Change::Edit(which, words)),
        1 => (0..40usize).prop_map(Change::Recall),
        1 => (0..40usize).prop_map(Change::Erase),
        2 => (0..QUERIES.len()).prop_map(Change::Search),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_what_is_in_memory_finds_what_a_fresh_engine_finds(
        changes in prop::collection::vec(change(), 1..25),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let memoir = quick(EngineSettings::default());
            let (hot, mut said) = (memoir.engine.clone(), 0);
            let which = |n: usize, said: usize| message_id(&format!("m{}", n % said));
            for change in changes {
                match change {
                    Change::Say(texts) => {
                        let batch = texts.into_iter().enumerate().map(|(n, (words, caption))| {
                            let caption = caption.then(|| text(words / 2));
                            captioned(&format!("m{}", said + n), &text(words), &[caption.as_deref()])
                        });
                        said += remember(&hot, batch.collect()).await.len();
                    }
                    // What cannot be done any more is refused, and that is fine.
                    Change::Edit(n, words) if said > 0 => {
                        let edit = Edit { content: Some(text(words)), ..Edit::default() };
                        drop(hot.edit_message(&caller(), &space(ROOM), &which(n, said), edit).await);
                    }
                    Change::Recall(n) if said > 0 => {
                        drop(hot.recall_message(&caller(), &space(ROOM), &which(n, said)).await);
                    }
                    Change::Erase(n) if said > 0 => {
                        hot.erase_message(&caller(), &space(ROOM), &which(n, said)).await.unwrap();
                    }
                    Change::Search(n) if said > 0 => drop(search(&hot, request(QUERIES[n])).await),
                    _ => {}
                }
            }
            if said > 0 {
                assert_eq!(everything(&hot).await, everything(&memoir.neighbour()).await);
            }
        });
    }
}
