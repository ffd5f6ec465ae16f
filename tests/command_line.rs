//! The command line as somebody at a terminal meets it: help, mistakes, settings, keys, the demo.
#![expect(clippy::unwrap_used, clippy::panic, reason = "these are tests")]

use memoir_testkit::Binary;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Every command, with a word of what it says about itself.
const COMMANDS: &[(&[&str], &str)] = &[
    (&["serve"], "Start the server"),
    (&["demo"], "bilingual sample"),
    (&["import"], "Bring messages in from NDJSON"),
    (&["export"], "Write everything in a space as NDJSON"),
    (&["erase"], "Erase a space with everything in it"),
    (&["backup"], "consistent copy of the store"),
    (&["restore"], "Put a backup in the place of the store"),
    (&["doctor"], "Examine the store"),
    (&["config"], "Show every setting"),
    (&["keys"], "Make, list and revoke API keys"),
    (&["recall"], "messages of a space that matter"),
    (&["context"], "what a model should know"),
    (&["timeline"], "days, weeks or months of a space came to"),
    (&["backfill"], "Make the summaries that are missing"),
    (&["when"], "which times a sentence speaks of"),
    (&["keys", "create"], "Make a key"),
    (&["keys", "list"], "List the keys"),
    (&["keys", "revoke"], "Revoke a key"),
];

fn memoir() -> (TempDir, Binary) {
    let folder = tempfile::tempdir().unwrap();
    let binary = Binary::new(env!("CARGO_BIN_EXE_memoir"), folder.path().join("data"));
    (folder, binary)
}

/// With a store in the folder, empty as yet.
fn memoir_with_store() -> (TempDir, Binary) {
    let (folder, memoir) = memoir();
    let nothing = folder.path().join("nothing.ndjson");
    std::fs::write(&nothing, "").unwrap();
    memoir.succeed(&["import", nothing.to_str().unwrap()]);
    (folder, memoir)
}

fn run(mut command: Command) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    (status.code().unwrap(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

/// The one JSON object that a failed command says on its error stream.
fn error(errors: &str) -> Value {
    let said: Value = serde_json::from_str(errors).unwrap_or_else(|e| panic!("not JSON ({e}): {errors}"));
    said["error"].clone()
}

#[test]
fn help_says_what_each_command_does() {
    let (_folder, memoir) = memoir();
    let overview = memoir.succeed(&["--help"]);
    for (command, says) in COMMANDS {
        let arguments: Vec<&str> = command.iter().copied().chain(["--help"]).collect();
        let help = memoir.succeed(&arguments);
        assert!(help.contains(says) && help.contains("Usage: memoir"), "{command:?}: {help}");
        if let [name] = command {
            assert!(
                overview.lines().any(|line| line.trim_start().starts_with(name)),
                "{name} is not in {overview}"
            );
        }
    }
    assert!(!memoir.data().exists(), "asking for help leaves nothing behind");
}

#[test]
fn the_version_is_that_of_the_package() {
    let (_folder, memoir) = memoir();
    assert_eq!(memoir.succeed(&["--version"]), format!("memoir {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_mistake_in_the_arguments_is_exit_code_2() {
    let (_folder, memoir) = memoir();
    for arguments in [
        &["remember"] as &[&str],
        &[],
        &["export"],
        &["erase", "user:a", "--force"],
        &["recall", "user:a"],
        &["recall", "user:a", "hello", "--now", "yesterday"],
        &["context", "user:a", "hello", "--budget", "many"],
        &["timeline"],
        &["timeline", "user:a", "--grain", "year"],
        &["timeline", "user:a", "--from", "yesterday"],
        &["backfill", "user:a"],
        &["backfill", "--since", "lately"],
        &["config", "--set", "log.level"],
        &["import", "x", "--format", "xml"],
        &["keys", "create"],
    ] {
        let (code, errors) = memoir.fail(arguments);
        assert_eq!(code, 2, "{arguments:?}: {errors}");
        assert!(errors.contains("Usage") || errors.contains("--help"), "{arguments:?}: {errors}");
    }
    assert!(!memoir.data().exists(), "a mistake leaves nothing behind");
}

#[test]
fn a_mistake_is_said_in_json_when_json_is_asked_for() {
    let (_folder, memoir) = memoir_with_store();
    for (arguments, code, says) in [
        (&["remember", "--json"] as &[&str], 2, "remember"),
        (&["--json", "config", "--set", "log.levle=info"], 2, "did you mean log.level?"),
        (&["export", "user:nobody", "--json"], 1, "there is no space user:nobody"),
        (&["export", "nobody", "--json"], 1, "must be user:"),
        (&["recall", "user:nobody", "hello", "--json"], 1, "there is no space user:nobody"),
        (&["recall", "user:nobody", "hello", "--limit", "0", "--json"], 1, "must be 1 to 200"),
        (&["context", "user:nobody", "hello", "--json"], 1, "there is no space user:nobody"),
        (&["context", "user:nobody", "hello", "--budget", "1", "--json"], 1, "must be 64 to 200000 tokens"),
        (&["timeline", "user:nobody", "--json"], 1, "there is no space user:nobody"),
        (&["timeline", "nobody", "--json"], 1, "must be user:"),
        (&["backfill", "--space", "user:nobody", "--json"], 1, "there is no space user:nobody"),
        (&["erase", "user:nobody", "--yes", "--json"], 1, "there is no space user:nobody"),
        (&["import", "/nowhere.ndjson", "--json"], 1, "cannot read /nowhere.ndjson"),
        (&["restore", "/nowhere.db", "--json"], 1, "/nowhere.db was not restored"),
        (&["keys", "revoke", "nothing", "--json"], 1, "there is no key nothing"),
        (&["serve", "--listen", "0.0.0.0:0", "--json"], 1, "there is no API key"),
    ] {
        let (status, stdout, errors) = run(memoir.command(arguments));
        assert_eq!((status, stdout.as_str()), (code, ""), "{arguments:?}: {errors}");
        let error = error(&errors);
        assert!(error["message"].as_str().unwrap().contains(says), "{arguments:?}: {error}");
        assert!(error["code"].is_string(), "{error}");
    }
}

#[test]
fn an_error_for_people_says_what_to_do() {
    let (_folder, memoir) = memoir_with_store();
    let (code, errors) = memoir.fail(&["export", "user:nobody"]);
    assert_eq!(code, 1);
    let lines: Vec<&str> = errors.lines().collect();
    assert_eq!(lines[0], "error: there is no space user:nobody");
    assert!(lines[1].contains("Check the id and the space"), "{errors}");
}

#[test]
fn who_looks_into_a_folder_without_a_store_is_told_so_and_gets_none() {
    let (_folder, memoir) = memoir();
    for arguments in [
        &["export", "user:a"] as &[&str],
        &["erase", "user:a", "--yes"],
        &["recall", "user:a", "hello"],
        &["context", "user:a", "hello"],
        &["timeline", "user:a"],
        &["backfill"],
        &["backup", "copy.db"],
        &["doctor"],
        &["keys", "list"],
        &["keys", "revoke", "nothing"],
    ] {
        let (code, stdout, errors) = run(memoir.command(arguments));
        let said = format!("{stdout}{errors}");
        assert!(
            code != 0 && said.contains("there is no store at") && said.contains("data.dir"),
            "{arguments:?}: {said}"
        );
    }
    assert!(!memoir.data().exists(), "looking leaves nothing behind");
}

#[test]
fn times_are_read_in_the_zone_of_whoever_speaks() {
    let (_folder, memoir) = memoir();
    let told = memoir.succeed(&[
        "when",
        "昨天我们聊了什么？",
        "--now",
        "2026-01-07T01:00:00Z",
        "--zone",
        "Asia/Shanghai",
    ]);
    assert_eq!(told, "昨天: 2026-01-06 to 2026-01-07 (day)\nhistory: yes (asks what was said before)\n");
    let read =
        memoir.json(&["when", "last Friday", "--now", "2026-01-07T12:00:00", "--zone", "America/New_York"]);
    assert_eq!(read["times"][0]["start"], "2026-01-02T00:00:00-05:00");
    let (code, errors) = memoir.fail(&["when", "x", "--now", "yesterday"]);
    assert!(code == 1 && errors.contains("--now yesterday is no time"), "{errors}");
    assert!(!memoir.data().exists(), "nothing is stored");
}

/// A store with a little talk in two languages, each day a session of its own.
fn memoir_with_talk() -> (TempDir, Binary) {
    let (folder, memoir) = memoir();
    let said = |(id, day, content): &(&str, &str, &str)| {
        let message = json!({ "space": "user:a", "id": id, "session": day, "content": content,
            "said_at": format!("{day}T20:00:00+08:00") });
        format!("{message}\n")
    };
    let talk = [
        ("miso", "2025-12-01", "My cat Miso is allergic to chicken."),
        ("trams", "2025-12-10", "The trams in Berlin are loud."),
        ("knee", "2025-12-20", "膝盖疼，医生让我停跑两周。"),
    ];
    let file = folder.path().join("talk.ndjson");
    std::fs::write(&file, talk.iter().map(said).collect::<String>()).unwrap();
    memoir.succeed(&["import", file.to_str().unwrap()]);
    (folder, memoir)
}

#[test]
fn a_recall_finds_what_matters_and_says_why_when_asked() {
    let (_folder, memoir) = memoir_with_talk();
    for (question, id) in [("What is the cat Miso allergic to?", "miso"), ("膝盖疼，医生怎么说？", "knee")]
    {
        let found = memoir.json(&["recall", "user:a", question, "--limit", "1"]);
        let items = found["items"].as_array().unwrap();
        assert_eq!((items.len(), &items[0]["message"]["id"]), (1, &json!(id)), "{found}");
        assert_eq!(found.get("explanation"), None);
    }
    let ask = ["recall", "user:a", "What is the cat Miso allergic to?", "--now", "2026-01-07T12:00:00+08:00"];
    let plain = memoir.succeed(&ask);
    let first = plain.lines().next().unwrap();
    assert!(
        first.contains("1.") && first.contains("[miso] 2025-12-01 20:00 +08:00 a: My cat Miso"),
        "{plain}"
    );
    assert!(plain.contains("meaning was not compared: no_embedder") && !plain.contains("because"), "{plain}");
    let told = memoir.succeed(&[&ask[..], &["--explain", "--limit", "1"]].concat());
    assert!(told.contains("because it ") && told.contains("by words    #1  by meaning     -"), "{told}");
    let columns: Vec<usize> = told.lines().filter_map(|line| line.chars().position(|c| c == '×')).collect();
    assert!((1..=5).contains(&columns.len()) && columns.iter().all(|at| *at == columns[0]), "{told}");
    let explained = memoir.json(&[&ask[..], &["--explain"]].concat());
    assert_eq!(explained["explanation"][0]["message"], "miso");
    let before = memoir.json(&[&ask[..], &["--as-of", "2025-12-01T00:00:00+08:00"]].concat());
    assert_eq!((&before["items"], &before["nothing_relevant"]), (&json!([]), &json!(true)));
    let keyword = ["recall", "user:a", "helicopter", "--set", "recall.mode=keyword"];
    assert_eq!(memoir.succeed(&keyword), "nothing relevant\n");
}

#[test]
fn a_context_is_printed_as_a_prompt_would_have_it() {
    let (_folder, memoir) = memoir_with_talk();
    let text = memoir.succeed(&["context", "user:a", "What is the cat Miso allergic to?"]);
    assert!(text.starts_with("What follows was remembered"), "{text}");
    assert!(text.contains("\n[2025-12-01 Mon 20:00] a: My cat Miso is allergic to chicken.\n"), "{text}");
    let small = memoir.json(&["context", "user:a", "膝盖疼，医生怎么说？", "--budget", "64"]);
    assert!(small["tokens"].as_u64().unwrap() <= 64, "{small}");
    let set = memoir.json(&["context", "user:a", "my cat Miso", "--set", "recall.budget=70"]);
    assert!(set["tokens"].as_u64().unwrap() <= 70, "{set}");
    let early = ["context", "user:a", "Miso", "--as-of", "2025-01-01T00:00:00Z"];
    assert_eq!(memoir.succeed(&early), "nothing to say\n");
}

/// A store with two spaces that talked on the same days, each day a session of its own that has ended.
fn memoir_with_days() -> (TempDir, Binary) {
    let (folder, memoir) = memoir();
    let mut lines = String::new();
    for space in ["user:a", "user:b"] {
        for day in ["2025-12-01", "2025-12-02", "2025-12-10"] {
            for (n, content) in [
                "我想给猫换猫粮，鸡肉的它过敏，吃了就吐。",
                "可以试试三文鱼的猫粮，换粮要花一周，一点点加。",
                "好，那我周末去买三文鱼的，预算两百元。",
            ]
            .iter()
            .enumerate()
            {
                let message = json!({ "space": space, "id": format!("{day}-{n}"), "session": day,
                    "content": content, "said_at": format!("{day}T20:0{n}:00+08:00") });
                lines.push_str(&format!("{message}\n"));
            }
        }
    }
    let file = folder.path().join("days.ndjson");
    std::fs::write(&file, lines).unwrap();
    memoir.succeed(&["import", file.to_str().unwrap()]);
    (folder, memoir)
}

#[test]
fn what_is_missing_is_filled_once_and_shown_in_the_order_of_time() {
    let (_folder, memoir) = memoir_with_days();
    let nothing = memoir.succeed(&["timeline", "user:a"]);
    assert!(nothing.contains("memoir backfill"), "{nothing}");
    let would = memoir.json(&["backfill", "--dry-run"]);
    assert_eq!((&would["spaces"], &would["dry_run"]), (&json!(2), &json!(true)));
    assert!(would["made"].as_u64().unwrap() >= 6, "{would}");
    assert_eq!(memoir.json(&["timeline", "user:a"])["items"], json!([]), "a dry run makes nothing");

    let told = memoir.succeed(&["backfill", "--space", "user:a"]);
    assert!(told.starts_with("1 space: ") && told.contains("summaries made"), "{told}");
    assert_eq!(memoir.json(&["timeline", "user:b"])["items"], json!([]), "only that space was named");
    let all = memoir.json(&["backfill"]);
    let sum = |report: &Value| report["made"].as_u64().unwrap() + report["kept"].as_u64().unwrap();
    assert_eq!(sum(&all), sum(&would), "a dry run tells what would be made: {would} {all}");
    assert_eq!((&all["spaces"], &all["interrupted"]), (&json!(2), &json!(false)));
    assert!(all["made"].as_u64() > Some(0) && all["kept"].as_u64() > Some(0), "{all}");
    let again = memoir.json(&["backfill"]);
    assert_eq!((&again["made"], &again["seen"]), (&json!(0), &all["seen"]), "{again}");

    let days = memoir.json(&["timeline", "user:a"]);
    let periods = |list: &Value| -> Vec<String> {
        let items = list["items"].as_array().unwrap();
        items.iter().map(|item| item["period"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(periods(&days), ["2025-12-01", "2025-12-02", "2025-12-10"]);
    let part = ["timeline", "user:a", "--from", "2025-12-02", "--to", "2025-12-09"];
    assert_eq!(periods(&memoir.json(&part)), ["2025-12-02"]);
    let weeks = memoir.json(&["timeline", "user:a", "--grain", "week"]);
    assert_eq!(periods(&weeks), ["2025-12-01", "2025-12-08"]);
    let text = memoir.succeed(&part);
    assert!(text.starts_with("2025-12-02 Tue  1 session, 3 messages"), "{text}");
    assert!(
        text.lines().nth(1).is_some_and(|line| line.starts_with("    ") && line.contains("猫粮")),
        "{text}"
    );
    let (code, errors) = memoir.fail(&["timeline", "user:a", "--from", "2025-12-02", "--to", "2025-12-01"]);
    assert!(code == 1 && errors.contains("--to"), "{errors}");
}

#[test]
fn only_the_days_since_are_filled() {
    let (_folder, memoir) = memoir_with_days();
    memoir.succeed(&["backfill", "--since", "2025-12-02"]);
    let days = memoir.json(&["timeline", "user:a"]);
    let days: Vec<&Value> = days["items"].as_array().unwrap().iter().map(|item| &item["period"]).collect();
    assert_eq!(days, ["2025-12-02", "2025-12-10"]);
    let (code, errors) = memoir.fail(&["backfill", "--tenant", "No Such"]);
    assert!(code == 1 && errors.contains("tenant"), "{errors}");
}

#[test]
fn a_context_says_what_came_of_a_question_about_past_talk() {
    let (_folder, memoir) = memoir_with_days();
    memoir.succeed(&["backfill"]);
    let ask = ["context", "user:a", "昨天我们聊了什么？", "--now", "2025-12-03T09:00:00+08:00"];
    let reply = memoir.json(&ask);
    assert_eq!(
        reply["history"],
        json!({ "from": "2025-12-02", "to": "2025-12-02", "words": "昨天", "found": "ready", "needs_detail": false })
    );
    let text = memoir.succeed(&ask);
    let last = text.lines().last().unwrap();
    assert_eq!(last, "history: a question about 2025-12-02 (“昨天”), answered by summaries that were ready");
    let plain = memoir.succeed(&["context", "user:a", "猫粮买哪种好？"]);
    assert!(!plain.contains("history:"), "{plain}");
}

#[test]
fn a_ranking_of_ones_own_is_used_and_a_mistake_in_it_is_named_with_its_file() {
    let (folder, memoir) = memoir_with_talk();
    let file = folder.path().join("ranking.toml");
    let set = format!("recall.ranking={}", file.display());
    let ask = ["recall", "user:a", "trams", "--explain", "--set", &set];
    let mut table = String::new();
    for kind in ["people", "companion", "review", "work", "notes"] {
        for way in ["meaning", "words"] {
            table.push_str(&format!("[{kind}.{way}]\nweights = {{ turn = 7.5 }}\n"));
        }
    }
    std::fs::write(&file, &table).unwrap();
    let signals = memoir.json(&ask)["explanation"][0]["signals"].clone();
    assert_eq!((signals.as_array().unwrap().len(), &signals[0]["weight"]), (1, &json!(7.5)), "{signals}");
    for (text, says) in [
        (table.replace("turn =", "turns ="), "there is no signal turns"),
        (table.replace("[notes.words]", "[note.words]"), "notes.words is missing"),
        ("weights".to_owned(), "recall.ranking"),
    ] {
        std::fs::write(&file, text).unwrap();
        for command in [&ask[..], &["serve", "--listen", "127.0.0.1:0", "--set", &set]] {
            let (code, errors) = memoir.fail(command);
            let named = errors.contains(says) && errors.contains(file.to_str().unwrap());
            assert!(code == 1 && named && errors.contains("recall.ranking"), "{errors}");
        }
    }
    let (_, errors) = memoir.fail(&["recall", "user:a", "x", "--set", "recall.ranking=/nowhere.toml"]);
    assert!(errors.contains("recall.ranking: cannot read /nowhere.toml"), "{errors}");
}

#[test]
fn every_command_speaks_json() {
    let (folder, memoir) = memoir();
    let file = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(file("in.ndjson"), "{\"space\":\"user:a\",\"id\":\"1\",\"content\":\"hello\"}\n").unwrap();
    assert_eq!(memoir.json(&["import", &file("in.ndjson")])["created"], 1);
    assert_eq!(memoir.json(&["export", "user:a", "--out", &file("out.ndjson")])["messages"], 1);
    assert_eq!(memoir.json(&["recall", "user:a", "hello"])["items"][0]["message"]["id"], "1");
    assert_eq!(memoir.json(&["context", "user:a", "hello"])["blocks"][0]["kind"], "instruction");
    assert_eq!(memoir.json(&["backfill"])["spaces"], 1);
    assert_eq!(memoir.json(&["timeline", "user:a"]), json!({ "items": [], "next": null }));
    assert_eq!(memoir.json(&["backup", &file("copy.db")])["copy"]["messages"], 1);
    assert_eq!(memoir.json(&["restore", &file("copy.db"), "--replace"])["copy"]["spaces"], 1);
    assert!(memoir.json(&["doctor"]).is_array());
    assert!(memoir.json(&["config"]).is_array());
    assert!(memoir.json(&["config", "--example"])["example"].as_str().unwrap().contains("[server]"));
    assert_eq!(memoir.json(&["keys", "list"]), json!([]));
    assert_eq!(memoir.json(&["erase", "user:a", "--yes"])["erased"], true);
}

#[test]
fn a_reader_who_has_seen_enough_is_no_failure() {
    let (folder, memoir) = memoir();
    let file = folder.path().join("in.ndjson");
    let long = "x".repeat(60_000);
    let lines: String = (0..20)
        .map(|n| format!("{{\"space\":\"user:a\",\"id\":\"{n}\",\"content\":\"{long}\"}}\n"))
        .collect();
    std::fs::write(&file, lines).unwrap();
    memoir.succeed(&["import", file.to_str().unwrap()]);
    for arguments in [&["config"] as &[&str], &["export", "user:a"], &["doctor"], &["demo"]] {
        let mut child =
            memoir.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {} {errors}", output.status);
    }
}

#[test]
fn the_demo_shows_its_sections_and_leaves_nothing_behind() {
    let (folder, memoir) = memoir();
    let (temporary, here) = (folder.path().join("tmp"), folder.path().join("here"));
    std::fs::create_dir_all(&temporary).unwrap();
    std::fs::create_dir_all(&here).unwrap();
    let mut command = memoir.command(&["demo"]);
    command.env("TMPDIR", &temporary).current_dir(&here);
    let (code, text, errors) = run(command);
    assert_eq!((code, errors.as_str()), (0, ""));
    for section in [
        "── remember:",
        "── search:",
        "── recall:",
        "── time belongs to the user:",
        "── layers:",
        "── window:",
        "── edit, recall, erase:",
    ] {
        assert!(text.contains(section), "{section} is not in {text}");
    }
    assert!(text.contains("63 exist already, nothing is stored twice"), "{text}");
    assert!(text.contains("【頭孢") || text.contains("【头孢过敏】"), "{text}");
    assert!(text.contains("What follows was remembered") && text.contains("December 4 to Tess"), "{text}");
    assert!(text.contains("以下是记忆") && text.contains("chen-wei: 有，我对头孢过敏"), "{text}");
    assert!(text.contains("search no longer finds it"), "{text}");
    assert!(text.contains("昨天我们聊了什么？") && text.contains("[2026-11-12 周四]"), "{text}");
    assert!(
        text.contains("What did we talk about yesterday?") && text.contains("[2026-11-10 Tue]"),
        "{text}"
    );
    for folder in [&temporary, &here] {
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0, "{} is not empty", folder.display());
    }
    assert!(!memoir.data().exists(), "the demo has a store of its own");
}

#[test]
fn the_demo_in_json_is_one_object() {
    let (_folder, memoir) = memoir();
    let shown = memoir.json(&["demo"]);
    let created: Vec<u64> =
        shown["remember"].as_array().unwrap().iter().map(|s| s["created"].as_u64().unwrap()).collect();
    assert_eq!(created, [63, 56, 62, 43]);
    let found: Vec<&str> =
        shown["search"].as_array().unwrap().iter().map(|s| s["found"].as_str().unwrap()).collect();
    assert_eq!(found, ["c008", "c052", "k020", "k046", "g032", "g042", "r021"]);
    for (asked, source) in shown["recall"].as_array().unwrap().iter().zip(["k053", "c008"]) {
        assert!(asked["sources"].as_array().unwrap().contains(&json!(source)), "{asked}");
        assert!(asked["tokens"].as_u64().unwrap() <= 320, "{asked}");
    }
    assert_eq!(shown["days"].as_array().unwrap().len(), 2);
    for asked in shown["layers"].as_array().unwrap() {
        assert!(["ready", "made"].contains(&asked["found"].as_str().unwrap()), "{asked}");
        assert_eq!(asked["told"].as_array().unwrap().len(), 1, "{asked}");
    }
    assert_eq!(shown["revise"], json!({ "version": 2, "gone": true }));
}

/// The row of a setting in what `config --json` says.
fn row(rows: &Value, name: &str) -> (String, String) {
    let row = rows.as_array().unwrap().iter().find(|row| row["name"] == name).unwrap();
    (row["value"].as_str().unwrap().to_owned(), row["source"].as_str().unwrap().to_owned())
}

#[test]
fn config_shows_each_value_and_where_it_comes_from() {
    let (folder, memoir) = memoir();
    let file = folder.path().join("my.toml");
    std::fs::write(&file, "[store]\nreaders = 2\n[jobs]\nworkers = 3\n[log]\nlevel = \"warn\"\n").unwrap();
    let mut command = memoir.command(&["config", "--json", "--config"]);
    command
        .arg(&file)
        .args(["--set", "log.level=debug"])
        .env("MEMOIR_JOBS_WORKERS", "5")
        .env("MEMOIR_LOG_LEVEL", "error");
    let (code, text, errors) = run(command);
    assert_eq!(code, 0, "{errors}");
    let rows: Value = serde_json::from_str(&text).unwrap();
    let told = |name| row(&rows, name);
    let pair = |value: &str, source: &str| (value.to_owned(), source.to_owned());
    assert_eq!(told("server.listen"), pair("127.0.0.1:7700", "default"));
    assert_eq!(told("store.readers"), pair("2", &format!("file {}", file.display())));
    assert_eq!(told("jobs.workers"), pair("5", "environment MEMOIR_JOBS_WORKERS"));
    assert_eq!(told("log.level"), pair("debug", "flag --set log.level=debug"));
    assert_eq!(told("data.dir"), pair(memoir.data().to_str().unwrap(), "environment MEMOIR_DATA_DIR"));
    assert!(rows.as_array().unwrap().iter().all(|row| !row["doc"].as_str().unwrap().is_empty()));
    let text = memoir.succeed(&["config"]);
    let line = text.lines().find(|line| line.starts_with("session.idle ")).unwrap();
    assert!(
        line.contains("30m") && line.contains("default") && line.contains("How long a session"),
        "{line}"
    );
    assert!(!memoir.data().exists(), "looking at the settings creates nothing");
}

#[test]
fn a_file_in_the_working_folder_is_read_unless_another_is_named() {
    let (folder, memoir) = memoir();
    std::fs::write(folder.path().join("memoir.toml"), "store.readers = 7").unwrap();
    std::fs::write(folder.path().join("other.toml"), "store.readers = 8").unwrap();
    let readers = |arguments: &[&str]| {
        let mut command = memoir.command(arguments);
        command.current_dir(folder.path());
        let (code, text, errors) = run(command);
        assert_eq!(code, 0, "{errors}");
        row(&serde_json::from_str(&text).unwrap(), "store.readers").0
    };
    assert_eq!(readers(&["config", "--json"]), "7");
    assert_eq!(readers(&["config", "--json", "--config", "other.toml"]), "8");
}

/// Variables in the environment, arguments, and what the error says.
type Mistake<'a> = (&'a [(&'a str, &'a str)], &'a [&'a str], &'a [&'a str]);

#[test]
fn a_wrong_setting_stops_every_command_with_exit_code_2_and_says_what_was_meant() {
    let (folder, memoir) = memoir();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let unknown = file("unknown.toml", "[server]\nlisten_on = \"127.0.0.1:1\"\n");
    let bad = file("bad.toml", "[store]\nreaders = 0\n");
    let broken = file("broken.toml", "[server\n");
    let table: &[Mistake<'_>] = &[
        (
            &[("MEMOIR_SERVER_LISEN", "127.0.0.1:1")],
            &[],
            &["MEMOIR_SERVER_LISEN", "did you mean MEMOIR_SERVER_LISTEN?"],
        ),
        (
            &[("MEMOIR_LOG_LEVEL", "loud")],
            &[],
            &["log.level is \"loud\"", "environment MEMOIR_LOG_LEVEL", "error"],
        ),
        (&[], &["--config", &unknown], &["server.listen_on", "did you mean server.listen?"]),
        (&[], &["--config", &bad], &["store.readers is \"0\"", "bad.toml", "from 1 to 64"]),
        (&[], &["--config", &broken], &["broken.toml, line 1, is not TOML"]),
        (&[], &["--config", "/nowhere.toml"], &["cannot read the settings file /nowhere.toml"]),
        (&[], &["--set", "jobs.worker=3"], &["no setting jobs.worker", "did you mean jobs.workers?"]),
        (&[], &["--set", "space.default_zone=Mars"], &["space.default_zone is \"Mars\"", "--set"]),
    ];
    for (environment, arguments, says) in table {
        for name in [&["config"] as &[&str], &["doctor"], &["demo"], &["serve"], &["keys", "list"]] {
            let mut command = memoir.command(name);
            command.args(*arguments).envs(environment.iter().copied());
            let (code, _, errors) = run(command);
            assert_eq!(code, 2, "{name:?} {environment:?} {arguments:?}: {errors}");
            assert!(says.iter().all(|part| errors.contains(part)), "{environment:?} {arguments:?}: {errors}");
        }
    }
    assert!(!memoir.data().exists(), "nothing was opened");
}

#[test]
fn the_example_is_toml_that_loads_and_sets_nothing_but_defaults() {
    let (folder, memoir) = memoir();
    let example = memoir.succeed(&["config", "--example"]);
    let parsed: toml::Table = toml::from_str(&example).unwrap();
    assert!(parsed.contains_key("server") && parsed.contains_key("store"));
    let file = folder.path().join("example.toml");
    std::fs::write(&file, &example).unwrap();
    let rows = memoir.json(&["config", "--config", file.to_str().unwrap()]);
    for row in rows.as_array().unwrap().iter().filter(|row| row["name"] != "data.dir") {
        assert_eq!(row["value"], row["default"], "{row}");
        assert_eq!(row["source"], format!("file {}", file.display()), "{row}");
    }
    // Somebody whose settings do not load needs the example most.
    let mut command = memoir.command(&["config", "--example"]);
    command.env("MEMOIR_NO_SUCH_THING", "1");
    assert_eq!(run(command).1, example);
}

#[test]
fn a_key_is_made_listed_and_revoked() {
    let (_folder, memoir) = memoir_with_store();
    assert_eq!(memoir.succeed(&["keys", "list"]), "no keys\n");
    let made = memoir.json(&["keys", "create", "--role", "write", "--label", "产品 A"]);
    let (token, id) = (made["token"].as_str().unwrap(), made["key"]["id"].as_str().unwrap());
    assert!(token.starts_with(&format!("mk_{id}_")) && token.len() > 50, "{token}");
    let expected = json!({ "id": id, "tenant": "default", "role": "write", "space": null, "label": "产品 A",
        "created_at": made["key"]["created_at"], "revoked_at": null });
    assert_eq!(memoir.json(&["keys", "list"]), json!([expected]));
    let text = memoir.succeed(&["keys", "create", "--role", "self", "--space", "user:a"]);
    assert!(
        text.starts_with("mk_") && text.contains("shown this once") && text.contains("role self"),
        "{text}"
    );
    let listed = memoir.succeed(&["keys", "list"]);
    assert_eq!(listed.lines().count(), 2);
    assert!(listed.lines().all(|line| line.contains("active")) && listed.contains("user:a"), "{listed}");
    assert!(
        !listed.contains(token) && !listed.contains(token.splitn(3, '_').last().unwrap()),
        "a secret is shown"
    );
    assert_eq!(memoir.succeed(&["keys", "revoke", id]), format!("{id} is revoked\n"));
    let listed = memoir.succeed(&["keys", "list"]);
    assert!(listed.lines().any(|line| line.starts_with(id) && line.contains("revoked")), "{listed}");
    let revoked_at = |keys: Value| {
        keys.as_array().unwrap().iter().find(|key| key["id"] == id).unwrap()["revoked_at"].clone()
    };
    let first = revoked_at(memoir.json(&["keys", "list"]));
    memoir.succeed(&["keys", "revoke", id]);
    assert_eq!(revoked_at(memoir.json(&["keys", "list"])), first, "revoking twice changes nothing");
}

#[test]
fn a_key_for_a_tenant_that_does_not_exist_creates_the_tenant() {
    let (_folder, memoir) = memoir();
    let made = memoir.json(&["keys", "create", "--role", "admin", "--tenant", "acme"]);
    assert_eq!(made["key"]["tenant"], "acme");
    assert_eq!(memoir.json(&["keys", "list", "--tenant", "acme"]).as_array().unwrap().len(), 1);
    assert_eq!(memoir.json(&["keys", "list"]), json!([]));
}

#[test]
fn a_key_that_makes_no_sense_is_refused_and_nothing_is_made() {
    let (_folder, memoir) = memoir();
    for (arguments, says) in [
        (["--tenant", "new", "--role", "boss"].as_slice(), "role: must be one of admin, write, read, self"),
        (&["--tenant", "new", "--role", "self"], "space: a key of role self needs the space"),
        (&["--tenant", "new", "--role", "read", "--space", "user:a"], "space: only a key of role self"),
        (&["--tenant", "new", "--role", "self", "--space", "alice"], "must be user:"),
        (&["--tenant", "Not A Tenant", "--role", "admin"], "tenant: must be"),
    ] {
        let (code, errors) = memoir.fail(&[&["keys", "create"], arguments].concat());
        assert_eq!(code, 1, "{errors}");
        assert!(errors.contains(says), "{arguments:?}: {errors}");
    }
    for tenant in ["default", "new"] {
        assert_eq!(memoir.json(&["keys", "list", "--tenant", tenant]), json!([]));
    }
}

#[test]
fn a_data_folder_that_cannot_be_written_is_named() {
    let (folder, _) = memoir();
    let file = folder.path().join("file");
    std::fs::write(&file, "not a folder").unwrap();
    let memoir = Binary::new(env!("CARGO_BIN_EXE_memoir"), file.join("data"));
    for arguments in [&["keys", "list"] as &[&str], &["serve"], &["export", "user:a"]] {
        let (code, errors) = memoir.fail(arguments);
        assert_eq!(code, 1);
        assert!(
            errors.contains(file.to_str().unwrap()) && errors.contains("data.dir"),
            "{arguments:?}: {errors}"
        );
    }
    let findings: Value = serde_json::from_slice(&memoir.run(&["doctor", "--json"]).stdout).unwrap();
    assert!(
        findings.as_array().unwrap().iter().any(|f| f["subject"] == "store" && f["severity"] == "broken")
    );
    assert!(Path::new(&file).is_file());
}
