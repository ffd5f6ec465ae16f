//! `memoir import`: lines of all kinds, interruptions, and ChatGPT's export. Whatever happens, each message is stored
//! once, and what cannot be stored is named.
#![expect(clippy::unwrap_used, clippy::panic, reason = "these are tests")]

use memoir_testkit::Binary;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tempfile::TempDir;

struct Setup {
    folder: TempDir,
    memoir: Binary,
}

impl Setup {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let memoir = Binary::new(env!("CARGO_BIN_EXE_memoir"), folder.path().join("data"));
        Setup { folder, memoir }
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Runs an import and returns its exit code and its summary.
    fn import(&self, file: &Path, further: &[&str]) -> (i32, Value) {
        let arguments = [&["import", file.to_str().unwrap(), "--json"], further].concat();
        let output = self.memoir.run(&arguments);
        let summary = serde_json::from_slice(&output.stdout);
        let summary = summary.unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)));
        (output.status.code().unwrap(), summary)
    }

    /// What a space has: id and content of each message, in the order of the export.
    fn messages(&self, space: &str) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let lines = self.memoir.export(space).into_iter().filter(|line| line["type"] == "message");
        lines.map(|line| (text(&line["id"]), text(&line["content"]))).collect()
    }

    fn contents(&self, space: &str) -> Vec<String> {
        self.messages(space).into_iter().map(|(_, content)| content).collect()
    }

    /// The marks that interrupted imports have left.
    fn marks(&self) -> usize {
        std::fs::read_dir(self.memoir.data().join("imports")).map_or(0, Iterator::count)
    }
}

fn counts(summary: &Value) -> (u64, u64, u64, u64) {
    let count = |name: &str| summary[name].as_u64().unwrap();
    (count("created"), count("existed"), count("refused"), count("resumed_at_entry"))
}

/// A talk of many lines, one second apart.
fn talk(lines: usize) -> String {
    let line = |n: usize| {
        let at = jiff::Timestamp::from_second(1_750_000_000 + n as i64).unwrap();
        json!({ "space": "user:a", "id": format!("m{n}"), "content": format!("第{n}句 line {n}"), "said_at": at }).to_string()
    };
    (0..lines).map(|n| line(n) + "\n").collect()
}

#[test]
fn lines_with_and_without_ids_are_stored_once_however_often_they_come() {
    let setup = Setup::new();
    let file = setup.file(
        "in.ndjson",
        r#"{"space":"user:a","id":"1","content":"with an id"}
           {"space":"user:a","content":"the same words"}
           {"space":"user:a","content":"the same words"}
           {"space":"group:g","author":"bo","role":"assistant","content":"elsewhere","said_at":"2026-01-02T03:04:05+08:00"}
        "#,
    );
    assert_eq!(
        setup.import(&file, &[]),
        (0, json!({ "created": 4, "existed": 0, "refused": 0, "resumed_at_entry": 0, "errors": [] }))
    );
    assert_eq!(setup.contents("user:a"), ["with an id", "the same words", "the same words"]);
    let (code, again) = setup.import(&file, &[]);
    assert_eq!((code, counts(&again)), (0, (0, 4, 0, 0)));
    assert_eq!(setup.messages("user:a").len(), 3);
    let elsewhere = &setup.memoir.export("group:g")[2];
    assert_eq!((&elsewhere["author"], &elsewhere["role"]), (&json!("bo"), &json!("assistant")));
    assert_eq!(elsewhere["said_at"], "2026-01-01T19:04:05Z");
    assert_eq!(setup.marks(), 0, "an import that is through needs no mark");
    let text = setup.memoir.succeed(&["import", file.to_str().unwrap()]);
    assert_eq!(text, "0 messages stored, 4 were there already, 0 refused\n");
}

#[test]
fn the_space_that_is_given_is_for_lines_that_name_none() {
    let setup = Setup::new();
    let file =
        setup.file("in.ndjson", "{\"content\":\"mine\"}\n{\"space\":\"user:b\",\"content\":\"yours\"}\n");
    let (code, summary) = setup.import(&file, &[]);
    assert_eq!((code, counts(&summary)), (1, (1, 0, 1, 0)));
    assert!(
        summary["errors"][0].as_str().unwrap().starts_with("entry 1: ")
            && summary.to_string().contains("space")
    );
    let (code, summary) = setup.import(&file, &["--space", "user:a"]);
    assert_eq!((code, counts(&summary)), (0, (1, 1, 0, 0)));
    assert_eq!(
        (setup.contents("user:a"), setup.contents("user:b")),
        (vec!["mine".into()], vec!["yours".into()])
    );
    let (code, errors) = setup.memoir.fail(&["import", file.to_str().unwrap(), "--space", "alice"]);
    assert_eq!(code, 1);
    assert!(errors.contains("must be user:"), "{errors}");
}

#[test]
fn a_tenant_has_its_own_messages() {
    let setup = Setup::new();
    let file = setup.file("in.ndjson", "{\"space\":\"user:a\",\"id\":\"1\",\"content\":\"theirs\"}\n");
    assert_eq!(counts(&setup.import(&file, &["--tenant", "acme"]).1), (1, 0, 0, 0));
    setup.memoir.fail(&["export", "user:a"]);
    assert!(setup.memoir.succeed(&["export", "user:a", "--tenant", "acme"]).contains("theirs"));
}

#[test]
fn bad_lines_are_counted_and_named_and_good_ones_are_stored() {
    let setup = Setup::new();
    let long = format!(r#"{{"space":"user:a","id":"long","content":"{}"}}"#, "x".repeat(70_000));
    let lines: &[(&str, &str)] = &[
        (r#"{"space":"user:a","id":"1","content":"good"}"#, ""),
        (r#"{"space":"user:a","id":"2","#, "not JSON"),
        ("just words", "not JSON"),
        (r#"["a","list"]"#, "entry 4: "),
        (r#"{"space":"user:a","content":"x","colour":"red"}"#, "colour"),
        (r#"{"space":"user:a","content":"x","role":"boss"}"#, "role"),
        (r#"{"space":"user:a","content":"x","said_at":"yesterday"}"#, "said_at"),
        (r#"{"space":"user:a","content":"  "}"#, "entry 8: content: "),
        (&long, "entry 9: content: is 70000 bytes long"),
        (r#"{"space":"user:a","id":"1","content":"other words"}"#, "entry 10: id: the id 1 belongs to"),
        (r#"{"type":"poem","content":"x"}"#, "entry 11: not a line of an export"),
        (r#"{"type":"end","messages":0}"#, "entry 12: an export begins with its space"),
        (r#"{"space":"user:a","id":"3","content":"good too"}"#, ""),
    ];
    let text: String = lines.iter().map(|(line, _)| format!("{line}\n")).collect();
    let file = setup.file("in.ndjson", text);
    let (code, summary) = setup.import(&file, &[]);
    assert_eq!((code, counts(&summary)), (1, (2, 0, 11, 0)), "{summary}");
    let errors: Vec<&str> =
        summary["errors"].as_array().unwrap().iter().map(|e| e.as_str().unwrap()).collect();
    assert_eq!(errors.len(), 10, "the first ten are shown: {errors:?}");
    for (place, (line, says)) in lines.iter().enumerate().filter(|(_, (_, says))| !says.is_empty()) {
        let named = format!("entry {}: ", place + 1);
        let shown = errors.iter().find(|error| error.starts_with(&named));
        assert!(shown.is_none_or(|error| error.contains(says)), "{line}: {shown:?}");
        assert!(
            !errors.iter().any(|error| error.contains("messages[")),
            "a place in a batch means nothing: {errors:?}"
        );
    }
    assert_eq!(setup.contents("user:a"), ["good", "good too"]);
    let output = setup.memoir.run(&["import", file.to_str().unwrap()]);
    assert!(String::from_utf8(output.stdout).unwrap().ends_with("… and 1 more\n"));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn what_editors_do_to_lines_does_no_harm() {
    let setup = Setup::new();
    let (one, two) = (r#"{"space":"user:a","content":"一"}"#, r#"{"space":"user:a","content":"二"}"#);
    let plain = setup.file("plain.ndjson", format!("{one}\n{two}\n"));
    assert_eq!(counts(&setup.import(&plain, &[]).1), (2, 0, 0, 0));
    for (name, text) in [
        ("windows", format!("{one}\r\n{two}\r\n")),
        ("mark", format!("\u{feff}{one}\n{two}\n")),
        ("both", format!("\u{feff}{one}\r\n{two}")),
        ("unended", format!("{one}\n{two}")),
        ("indented", format!("  {one}\n\t{two}  \n\n\n")),
    ] {
        let (code, summary) = setup.import(&setup.file(name, text), &[]);
        assert_eq!((code, counts(&summary)), (0, (0, 2, 0, 0)), "{name}: the same lines have the same ids");
    }
    for (name, text) in [("empty", ""), ("blank", "\n\r\n  \n"), ("only-mark", "\u{feff}")] {
        let (code, summary) = setup.import(&setup.file(name, text), &[]);
        assert_eq!((code, counts(&summary)), (0, (0, 0, 0, 0)), "{name}");
    }
    assert_eq!(setup.contents("user:a"), ["一", "二"]);
}

#[test]
fn a_line_of_twenty_megabytes_is_refused_and_the_lines_after_it_are_stored() {
    let setup = Setup::new();
    let huge = "x".repeat(20 << 20);
    let text = format!(
        "{{\"space\":\"user:a\",\"content\":\"before\"}}\n{{\"space\":\"user:a\",\"content\":\"{huge}\"}}\n{{\"space\":\"user:a\",\"content\":\"after\"}}\n{huge}"
    );
    let (code, summary) = setup.import(&setup.file("in.ndjson", text), &[]);
    assert_eq!((code, counts(&summary)), (1, (2, 0, 2, 0)), "{summary}");
    assert_eq!(
        summary["errors"],
        json!(["entry 2: longer than 16777216 bytes", "entry 4: longer than 16777216 bytes"])
    );
    assert_eq!(setup.contents("user:a"), ["before", "after"]);
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let setup = Setup::new();
    let missing = setup.folder.path().join("missing.ndjson");
    for path in [&missing, setup.folder.path(), Path::new("/dev/null")] {
        let (code, errors) = setup.memoir.fail(&["import", path.to_str().unwrap()]);
        assert_eq!(code, 1);
        assert!(errors.contains(&format!("cannot read {}", path.display())), "{errors}");
    }
    assert!(!setup.memoir.data().exists(), "no store is made for nothing");
}

#[test]
fn an_import_that_is_killed_goes_on_where_it_was() {
    const LINES: usize = 60_000;
    let setup = Setup::new();
    let file = setup.file("in.ndjson", format!("not a message\n{}", talk(LINES)));
    let mut child =
        setup.memoir.command(&["import", file.to_str().unwrap()]).stdout(Stdio::null()).spawn().unwrap();
    let marked = || -> Option<u64> {
        let mark =
            std::fs::read_dir(setup.memoir.data().join("imports")).ok()?.flatten().map(|entry| entry.path());
        let mark = mark.into_iter().find(|path| path.extension().is_some_and(|end| end == "json"))?;
        serde_json::from_slice::<Value>(&std::fs::read(mark).ok()?).ok()?["reached"]["entries"].as_u64()
    };
    while marked().is_none_or(|entries| entries < 15_000) {
        assert!(child.try_wait().unwrap().is_none(), "the import was over before it could be killed");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let reached = marked().unwrap();
    let (code, summary) = setup.import(&file, &[]);
    let (created, existed, refused, resumed) = counts(&summary);
    assert_eq!((resumed, created + existed), (reached, LINES as u64 + 1 - reached), "{summary}");
    assert!(created > 0 && existed <= 1_000, "{summary}");
    assert_eq!((code, refused), (1, 1), "what was refused before the interruption is still told: {summary}");
    assert!(summary["errors"][0].as_str().unwrap().starts_with("entry 1: not JSON"));
    let ids: Vec<String> = setup.messages("user:a").into_iter().map(|(id, _)| id).collect();
    assert!(ids.iter().enumerate().all(|(n, id)| *id == format!("m{n}")), "in order, once");
    assert_eq!((ids.len(), setup.marks()), (LINES, 0));
}

/// Imports a talk into a store that is too small for it: the import ends in the middle, with a mark.
fn interrupted(setup: &Setup, file: &Path) -> u64 {
    let arguments = ["import", file.to_str().unwrap(), "--set", "store.max_bytes=1MiB", "--json"];
    let (code, errors) = setup.memoir.fail(&arguments);
    let error: Value = serde_json::from_str(&errors).unwrap();
    assert_eq!((code, &error["error"]["code"]), (1, &json!("storage_full")), "{error}");
    assert_eq!(setup.marks(), 1);
    setup.messages("user:a").len() as u64
}

#[test]
fn an_import_for_which_there_was_no_room_goes_on_when_there_is() {
    let setup = Setup::new();
    let file = setup.file("in.ndjson", talk(6_000));
    let stored = interrupted(&setup, &file);
    assert!((500..6_000).contains(&stored), "{stored}");
    let (code, summary) = setup.import(&file, &[]);
    let (created, existed, _, resumed) = counts(&summary);
    assert_eq!((code, created, existed + resumed), (0, 6_000 - stored, stored), "{summary}");
    assert!(resumed > 0, "{summary}");
    assert_eq!(setup.messages("user:a").len(), 6_000);
}

#[test]
fn a_mark_counts_only_for_the_same_file_and_the_same_place() {
    let setup = Setup::new();
    let file = setup.file("in.ndjson", talk(6_000));
    let stored = interrupted(&setup, &file);
    let elsewhere = setup.folder.path().join("other.db");
    let url = format!("store.url=sqlite:{}", elsewhere.display());
    assert_eq!(
        counts(&setup.import(&file, &["--set", &url]).1),
        (6_000, 0, 0, 0),
        "another store has nothing yet"
    );
    assert_eq!(
        counts(&setup.import(&file, &["--tenant", "acme"]).1),
        (6_000, 0, 0, 0),
        "nor has another tenant"
    );
    let copy = setup.file("copy.ndjson", talk(6_000));
    let (created, existed, _, resumed) = counts(&setup.import(&copy, &[]).1);
    assert_eq!(
        (created, existed, resumed),
        (6_000 - stored, stored, 0),
        "another file starts at the beginning"
    );
    let (_, summary) = setup.import(&file, &["--restart"]);
    assert_eq!(counts(&summary), (0, 6_000, 0, 0), "so does this one when it is asked to");
}

#[test]
fn after_an_erasure_an_interrupted_import_starts_again() {
    let setup = Setup::new();
    let file = setup.file("in.ndjson", talk(6_000));
    interrupted(&setup, &file);
    setup.memoir.succeed(&["erase", "user:a", "--yes"]);
    assert_eq!(counts(&setup.import(&file, &[]).1), (6_000, 0, 0, 0));
}

#[test]
fn more_than_the_writer_may_hold_goes_in_pieces() {
    let setup = Setup::new();
    let line = |n: usize| {
        json!({ "space": format!("user:u{}", n % 40), "content": format!("{n} {}", "长".repeat(20_000)) })
            .to_string()
            + "\n"
    };
    let file = setup.file("in.ndjson", (0..120).map(line).collect::<String>());
    let (code, summary) = setup.import(&file, &["--set", "store.queue_bytes=1MiB"]);
    assert_eq!((code, counts(&summary)), (0, (120, 0, 0, 0)), "{summary}");
}

fn chatgpt() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/chatgpt.json"))
}

#[test]
fn of_a_chatgpt_export_the_branch_that_was_left_standing_is_stored() {
    let setup = Setup::new();
    let (code, summary) = setup.import(chatgpt(), &["--space", "user:a"]);
    assert_eq!((code, counts(&summary)), (0, (12, 0, 0, 0)), "{summary}");
    let lines = setup.memoir.export("user:a");
    let told: Vec<Value> = lines
        .iter()
        .filter(|line| line["type"] == "message")
        .map(|m| json!([m["id"], m["session"], m["role"], m["content"], m["said_at"]]))
        .collect();
    let at = |second: i64, rest: &str| {
        jiff::Timestamp::from_second(second).unwrap().to_string().replace('Z', rest)
    };
    let (one, two, three, four, five) =
        (1_767_225_600, 1_767_312_000, 1_767_398_400, 1_767_484_800, 1_767_571_201);
    assert_eq!(
        told,
        [
            json!([
                "u-2",
                "6955b900-aaaa",
                "user",
                "这个周末带孩子去哪儿玩？她对花生过敏。",
                at(one + 60, ".123456Z")
            ]),
            json!([
                "a-2",
                "6955b900-aaaa",
                "assistant",
                "推荐上海自然博物馆，园内餐厅可以提前说明花生过敏。",
                at(one + 62, ".623456Z")
            ]),
            json!(["d1", "6956a000-bbbb", "user", "Plot my weekly mileage, please.", at(two, ".5Z")]),
            json!(["d2", "6956a000-bbbb", "assistant", "import pandas as pd\nprint(42)", at(two + 3, ".5Z")]),
            json!(["d3", "6956a000-bbbb", "tool", "42", at(two + 4, ".5Z")]),
            json!(["d5", "6956a000-bbbb", "assistant", "Your longest week was 42 km.", at(two + 6, ".5Z")]),
            json!(["p1", "6957f180-cccc", "user", "这张化验单正常吗？", at(three, "Z")]),
            json!(["p2", "6957f180-cccc", "assistant", "血红蛋白148g/L，在参考范围内。", at(three + 5, "Z")]),
            json!(["m1", "6959430f-dddd", "user", "When was this said?", at(four, ".25Z")]),
            json!(["m2", "6959430f-dddd", "assistant", "Nobody wrote it down.", at(four, ".25Z")]),
            json!(["m3", "6959430f-dddd", "user", "Then take the time before it.", at(four, ".25Z")]),
            json!(["n1", "chatgpt-5", "user", "没有编号的对话，也要记住。", at(five, "Z")]),
        ]
    );
    let picture = lines.iter().find(|line| line["id"] == "p1").unwrap();
    assert_eq!(
        picture["attachments"],
        json!([{ "ref": "file-service://file-9aBcD", "media_type": "image/*" }])
    );
    assert_eq!(picture["metadata"], json!({ "conversation": "化验单" }));
    let (code, again) = setup.import(chatgpt(), &["--space", "user:a"]);
    assert_eq!((code, counts(&again)), (0, (0, 12, 0, 0)));
    assert_eq!(setup.import(chatgpt(), &["--space", "user:b", "--format", "chatgpt"]).1["created"], 12);
}

#[test]
fn a_chatgpt_export_must_be_told_whose_it_is() {
    let setup = Setup::new();
    let (code, errors) = setup.memoir.fail(&["import", chatgpt().to_str().unwrap()]);
    assert_eq!(code, 1);
    assert!(errors.contains("add --space user:NAME"), "{errors}");
}

#[test]
fn what_is_no_chatgpt_export_is_refused_clearly() {
    let setup = Setup::new();
    for (name, text) in [
        ("object.json", r#"{"conversations":[]}"#),
        ("words.json", "conversations"),
        ("cut.json", r#"[{"title":"x","mapping":{}},{"title":"#),
    ] {
        let file = setup.file(name, text);
        let (code, errors) = setup.memoir.fail(&[
            "import",
            file.to_str().unwrap(),
            "--format",
            "chatgpt",
            "--space",
            "user:a",
        ]);
        assert_eq!(code, 1);
        assert!(errors.contains("not a ChatGPT export (a JSON list of conversations)"), "{name}: {errors}");
    }
    let file = setup.file("nothing.json", "[]");
    assert_eq!(setup.import(&file, &["--space", "user:a"]).0, 0, "nobody has said anything yet");
}

#[test]
fn a_conversation_that_makes_no_sense_is_named_and_the_others_are_stored() {
    let setup = Setup::new();
    let said = |id: &str, content: Value| {
        let message = json!({ "id": id, "author": { "role": "user" }, "create_time": 1_767_225_600.0, "content": content });
        json!({ "conversation_id": format!("c-{id}"), "current_node": id,
                "mapping": { id: { "parent": null, "message": message } } })
    };
    let list = json!([
        said("1", json!({ "parts": ["before"] })),
        "not a conversation",
        { "mapping": [] },
        { "mapping": {}, "current_node": "nowhere" },
        said("2", json!({ "parts": ["x".repeat(70_000)] })),
        said("3", json!({ "parts": ["after"] })),
        { "current_node": "a", "mapping": { "a": { "parent": "b", "message": null }, "b": { "parent": "a", "message": null } } },
    ]);
    let file = setup.file("in.json", format!("\u{feff}\n {list}"));
    let (code, summary) = setup.import(&file, &["--space", "user:a"]);
    assert_eq!((code, counts(&summary)), (1, (2, 0, 3, 0)), "{summary}");
    let mut errors: Vec<&str> =
        summary["errors"].as_array().unwrap().iter().map(|e| e.as_str().unwrap()).collect();
    errors.sort_unstable();
    for (error, says) in errors.iter().zip([
        "entry 2: not a conversation",
        "entry 3: not a conversation",
        "entry 5: content: is 70000",
    ]) {
        assert!(error.starts_with(says), "{errors:?}");
    }
    assert_eq!(setup.contents("user:a"), ["before", "after"]);
}

#[test]
fn an_interrupted_chatgpt_import_goes_on() {
    let setup = Setup::new();
    let conversation = |c: usize| {
        let node = |n: usize| {
            let message = json!({ "id": format!("m{c}-{n}"), "author": { "role": "user" }, "create_time": 1_767_225_600.0 + n as f64,
                "content": { "parts": [format!("第{n}句 of conversation {c}")] } });
            (
                format!("n{n}"),
                json!({ "parent": n.checked_sub(1).map(|n| format!("n{n}")), "message": message }),
            )
        };
        let mapping: serde_json::Map<String, Value> = (0..40).map(node).collect();
        json!({ "id": format!("c{c}"), "conversation_id": format!("c{c}"), "current_node": "n39", "mapping": mapping })
    };
    let list: Vec<Value> = (0..150).map(conversation).collect();
    let file = setup.file("in.json", json!(list).to_string());
    let (code, errors) = setup.memoir.fail(&[
        "import",
        file.to_str().unwrap(),
        "--space",
        "user:a",
        "--set",
        "store.max_bytes=1MiB",
    ]);
    assert_eq!(code, 1, "{errors}");
    let stored = setup.messages("user:a").len() as u64;
    let (code, summary) = setup.import(&file, &["--space", "user:a"]);
    let (created, existed, _, resumed) = counts(&summary);
    assert_eq!((code, created, existed + 40 * resumed), (0, 6_000 - stored, stored), "{summary}");
    assert!(resumed > 0, "{summary}");
    let mut ids: Vec<String> = setup.messages("user:a").into_iter().map(|(id, _)| id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 6_000);
}
