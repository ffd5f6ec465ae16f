use futures::StreamExt;
use memoir_llm::{Role, Task, Validate};
use memoir_testkit::Act;
use metrics_exporter_prometheus::PrometheusBuilder;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, Once};
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::fmt::MakeWriter;

use crate::world::{KEY, World, given, question};

const PROMPT: &str = "绝密的提问";
const ANSWER: &str = "绝密的回答";

/// Everything that is logged in this thread, down to the smallest.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn listen() -> (Self, DefaultGuard) {
        // With one subscriber alone, a place that is first reached by a thread without one stays silent for all.
        static EVERYWHERE: Once = Once::new();
        EVERYWHERE.call_once(|| {
            let silent =
                tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(io::sink);
            tracing::subscriber::set_global_default(silent.finish()).unwrap();
        });
        let log = Log::default();
        let subscriber = tracing_subscriber::fmt()
            .json()
            .with_max_level(tracing::Level::TRACE)
            .with_writer(log.clone())
            .finish();
        (log, tracing::subscriber::set_default(subscriber))
    }

    fn whole(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }

    /// The lines of our own, without the time.
    fn lines(&self) -> Vec<serde_json::Value> {
        let lines = self.whole();
        let lines = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        lines.filter(|line| line["target"].as_str().unwrap().starts_with("memoir_llm")).collect()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Log;

    fn make_writer(&self) -> Log {
        self.clone()
    }
}

fn secret_question() -> Task {
    let validate = Validate { least_chars: 5, may_be_nothing: true, ..Validate::default() };
    Task { validate, ..question(PROMPT) }
}

#[tokio::test]
async fn each_question_is_one_line_of_the_log() {
    let (log, _guard) = Log::listen();
    let world = World::new().await;
    let ask = async || drop(world.registry.ask(Role::Summary, secret_question()).await);
    world.models.next("m1", Act::answer(ANSWER));
    ask().await;
    world.models.next("m1", Act::answer("无有效记忆"));
    ask().await;
    world.models.next("m1", Act::Status(500)).next("m2", Act::answer(ANSWER));
    ask().await;
    world.models.next("m1", Act::answer("嗯")).next("m2", Act::Refusal);
    ask().await;
    drop(world.registry.ask(Role::Judge, secret_question()).await);
    let lines: Vec<serde_json::Value> = log
        .lines()
        .iter()
        .map(|line| {
            let field = |name: &str| line["fields"][name].clone();
            assert!(field("milliseconds").is_u64());
            serde_json::json!([
                line["level"],
                field("role"),
                field("provider"),
                field("outcome"),
                field("tries"),
                field("failed")
            ])
        })
        .collect();
    let expected = serde_json::json!([
        ["INFO", "summary", "first", "ok", 1, null],
        ["INFO", "summary", "first", "nothing", 1, null],
        ["WARN", "summary", "second", "ok", 2, "first: server_error 500"],
        ["WARN", "summary", "", "all_failed", 2, "first: too_short, second: refused"],
        ["WARN", "judge", "", "not_configured", 0, ""],
    ]);
    assert_eq!(serde_json::Value::from(lines), expected);
}

#[tokio::test]
async fn a_stream_is_one_line_too_however_it_ends() {
    let (log, _guard) = Log::listen();
    let world = World::with("timeout = \"80ms\"", "").await;
    for act in [Act::parts(&["一", "二"]), Act::stall(&["一"]), Act::parts(&["一", "二"])] {
        world.models.next("m1", act);
    }
    let begin = async || world.registry.stream(Role::Chat, secret_question()).await.unwrap();
    begin().await.collect::<Vec<_>>().await;
    begin().await.collect::<Vec<_>>().await;
    drop(begin().await);
    let outcomes: Vec<serde_json::Value> =
        log.lines().iter().map(|line| line["fields"]["outcome"].clone()).collect();
    assert_eq!(outcomes, ["ok", "interrupted", "cancelled"]);
}

#[tokio::test]
async fn neither_keys_nor_texts_are_logged_printed_or_measured() {
    let (log, _guard) = Log::listen();
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let world = World::with("timeout = \"80ms\"", "").await;
    let acts = [
        Act::answer(ANSWER),
        Act::Status(401),
        Act::BadRequest(format!("{ANSWER} {KEY} {PROMPT}")),
        Act::Garbage,
        Act::Never,
        Act::Hangup,
        Act::ErrorInside(500),
    ];
    let mut printed = format!("{:?} {:?}", world.registry, world.registry.describe());
    for act in acts {
        world.models.next("m1", act).next("m2", Act::Status(500));
        let task = Task { model: Some("m1".into()), ..secret_question() };
        match world.registry.ask(Role::Summary, task).await {
            Ok(answer) => assert_eq!(given(answer).text, ANSWER),
            Err(none) => printed += &format!("{none:?} {none}"),
        }
    }
    printed += &format!("{:?}", world.registry.probe(memoir_llm::ProbeTarget::Provider("second")).await);
    let rendered = metrics.render();
    for secret in [KEY, PROMPT, ANSWER] {
        for (place, text) in [("log", &log.whole()), ("debug", &printed), ("metrics", &rendered)] {
            assert!(!text.contains(secret), "{secret} is in the {place}: {text}");
        }
    }
}

#[tokio::test]
async fn every_attempt_is_measured() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let world = World::new().await;
    world.models.next("m1", Act::Status(500)).next("m2", Act::answer("五个字的话"));
    given(world.registry.ask(Role::Summary, secret_question()).await.unwrap());
    let rendered = metrics.render();
    for line in [
        r#"memoir_llm_attempts_total{role="summary",provider="first",outcome="server_error"} 1"#,
        r#"memoir_llm_attempts_total{role="summary",provider="second",outcome="ok"} 1"#,
        r#"memoir_llm_tokens_total{role="summary",provider="second",direction="answer"} 5"#,
        r#"memoir_llm_seconds_count{role="summary",provider="second",outcome="ok"} 1"#,
    ] {
        assert!(rendered.contains(line), "{line}\n{rendered}");
    }
}

#[tokio::test]
async fn personal_data_does_not_leave_but_comes_back() {
    let world = World::new().await;
    world.models.next("m1", Act::answer("用户张三的电话是⟦phone-1⟧，邮箱⟦email-1⟧。"));
    let task = question("我是张三，电话13800138000，邮箱zhang@example.com，密钥sk-abcdefghijklmnopqrst");
    let reply = given(world.registry.ask(Role::Summary, task).await.unwrap());
    assert_eq!(reply.text, "用户张三的电话是13800138000，邮箱zhang@example.com。");
    let sent = world.models.requests()[0].body["messages"][0]["content"].clone();
    assert_eq!(sent, "我是张三，电话⟦phone-1⟧，邮箱⟦email-1⟧，密钥⟦secret-1⟧");
}

#[tokio::test]
async fn a_limit_of_characters_counts_what_came_back() {
    let world = World::new().await;
    world.models.next("m1", Act::answer("电话⟦phone-1⟧"));
    let validate = Validate { most_chars: Some(8), ..Validate::default() };
    let task = Task { validate, ..question("电话13800138000") };
    assert_eq!(given(world.registry.ask(Role::Summary, task).await.unwrap()).text, "电话138001");
}

#[tokio::test]
async fn a_provider_that_is_trusted_sees_everything() {
    let world = World::with("mask = false", "").await;
    given(world.registry.ask(Role::Summary, question("电话13800138000")).await.unwrap());
    assert_eq!(world.models.requests()[0].body["messages"][0]["content"], "电话13800138000");
}
