use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use jiff::civil::Time;
use memoir_model::Preset;

use super::super::value::Kind;
use super::super::{
    Database, Durability, EmbedderKind, Instructions, LogFormat, LogLevel, Precision, RecallMode,
    RerankerKind, toml_example,
};
use super::*;

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// What `file`, `environment` and `flags` give, with the path the file was read from.
fn load(
    file: Option<&str>,
    environment: &[(&str, &str)],
    flags: &[(&str, &str)],
) -> (Result<Resolved, SettingsError>, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memoir.toml");
    let given = file.map(|text| {
        fs::write(&path, text).unwrap();
        path.as_path()
    });
    (Resolved::load(given, pairs(environment).into_iter(), &pairs(flags)), path)
}

fn defaults() -> Resolved {
    Resolved::load(None, std::iter::empty(), &[]).unwrap()
}

fn row(resolved: &Resolved, name: &str) -> Row {
    resolved.rows().into_iter().find(|row| row.name == name).unwrap()
}

#[test]
fn a_flag_overrides_the_environment_which_overrides_the_file_which_overrides_the_default() {
    let file = Some("[store]\nreaders = 2");
    let environment: &[_] = &[("MEMOIR_STORE_READERS", "3")];
    let flags: &[_] = &[("store.readers", "5"), ("store.readers", "6")];

    let resolved = defaults();
    assert_eq!(resolved.settings().store.readers, 4);
    assert_eq!(row(&resolved, "store.readers").source.to_string(), "default");

    let (resolved, path) = load(file, &[], &[]);
    let resolved = resolved.unwrap();
    assert_eq!(resolved.settings().store.readers, 2);
    assert_eq!(row(&resolved, "store.readers").source.to_string(), format!("file {}", path.display()));

    let resolved = load(file, environment, &[]).0.unwrap();
    assert_eq!(resolved.settings().store.readers, 3);
    assert_eq!(row(&resolved, "store.readers").source.to_string(), "environment MEMOIR_STORE_READERS");

    let resolved = load(file, environment, flags).0.unwrap();
    assert_eq!(resolved.settings().store.readers, 6);
    assert_eq!(row(&resolved, "store.readers").source.to_string(), "flag --set store.readers=6");
    assert_eq!(row(&resolved, "store.url").source, Source::Default);
}

#[test]
fn the_defaults_are_those_of_the_design() {
    let resolved = defaults();
    let settings = resolved.settings();
    let Settings { data, store, index, embedder, recall, reranker, models, .. } = settings;
    let Settings { server, space, session, layers, jobs, upkeep, log, .. } = settings;
    assert_eq!(data.dir, PathBuf::from("memoir-data"));
    assert_eq!((store.url.as_str(), store.durability), ("", Durability::Full));
    assert_eq!((store.queue_commits, store.queue_bytes), (1024, 64 << 20));
    assert_eq!((store.readers, store.max_bytes), (4, 0));
    assert_eq!((index.cache_bytes, index.max_rows), (512 << 20, 200_000));
    assert_eq!(index.instructions, Instructions::Auto);
    assert_eq!(
        (embedder.kind, embedder.precision, embedder.threads),
        (EmbedderKind::Auto, Precision::Int8, 0)
    );
    assert_eq!((embedder.timeout, embedder.batch), (Duration::from_secs(15), 32));
    assert_eq!((recall.mode, recall.budget, recall.ranking.as_str()), (RecallMode::Full, 2_000, ""));
    assert_eq!((recall.cache, recall.cache_bytes), (Duration::from_mins(5), 32 << 20));
    assert_eq!((reranker.kind, reranker.timeout), (RerankerKind::None, Duration::from_secs(2)));
    let chains = [&models.chat, &models.summary, &models.extract, &models.judge, &models.route];
    assert!(chains.iter().all(|chain| chain.is_empty()) && models.providers.is_empty());
    assert_eq!((models.daily_tokens, models.cache_bytes, models.mask.len()), (0, 16 << 20, 5));
    assert_eq!(server.listen.to_string(), "127.0.0.1:7700");
    assert_eq!((server.max_body_bytes, server.max_connections), (8 << 20, 1024));
    assert_eq!(
        (server.request_timeout, server.shutdown_grace),
        (Duration::from_secs(30), Duration::from_secs(10))
    );
    assert_eq!((server.rate_per_second, server.rate_burst), (200, 400));
    assert_eq!((space.default_zone.as_str(), space.default_preset), ("Asia/Shanghai", Preset::General));
    assert_eq!((session.idle, session.window), (Duration::from_mins(30), 0));
    assert_eq!((layers.least_messages, layers.least_characters, layers.every), (3, 50, 10));
    assert_eq!((layers.apart, layers.quiet), (Duration::from_mins(5), Duration::from_mins(10)));
    assert_eq!((layers.night, layers.at_once), (Time::constant(0, 30, 0, 0), 5));
    assert_eq!((jobs.workers, jobs.max_attempts), (8, 8));
    assert_eq!((jobs.poll, jobs.lease), (Duration::from_secs(1), Duration::from_mins(1)));
    assert_eq!((upkeep.enabled, upkeep.night), (true, Time::constant(3, 0, 0, 0)));
    assert_eq!((log.level, log.format), (LogLevel::Info, LogFormat::Text));
    assert_eq!(log.level.as_str(), "info");
}

#[test]
fn every_setting_can_be_set_to_each_of_its_extremes() {
    for setting in SETTINGS {
        let extremes: Vec<String> = match setting.kind {
            Kind::Integer { min, max } | Kind::Bytes { min, max } => vec![min.to_string(), max.to_string()],
            Kind::Duration { min, max } => [min, max].map(|d| format!("{}ms", d.as_millis())).into(),
            Kind::Choice(words) => words.iter().map(|word| (*word).to_owned()).collect(),
            Kind::Bool => vec!["true".to_owned(), "false".to_owned()],
            _ => vec![setting.default.to_owned()],
        };
        for text in extremes {
            let resolved = load(None, &[(&setting.variable(), &text)], &[]).0.unwrap();
            assert_eq!(row(&resolved, setting.name).value, text);
        }
    }
}

#[test]
fn the_example_file_gives_the_defaults() {
    let (resolved, path) = load(Some(&toml_example()), &[], &[]);
    let resolved = resolved.unwrap();
    assert_eq!(resolved.settings(), defaults().settings());
    for row in resolved.rows() {
        assert_eq!(row.source, Source::File(path.clone()), "{} is missing from the example", row.name);
        assert_eq!(row.value, row.default, "{}", row.name);
        assert!(toml_example().contains(row.doc), "{} is not explained", row.name);
    }
}

#[test]
fn a_row_shows_name_value_source_default_and_explanation() {
    let resolved = load(None, &[("MEMOIR_SERVER_MAX_BODY_BYTES", "16 MiB")], &[]).0.unwrap();
    assert_eq!(resolved.rows().len(), SETTINGS.len());
    let row = serde_json::to_value(row(&resolved, "server.max_body_bytes")).unwrap();
    let expected = serde_json::json!({
        "name": "server.max_body_bytes",
        "value": "16 MiB",
        "source": "environment MEMOIR_SERVER_MAX_BODY_BYTES",
        "default": "8MiB",
        "doc": "How large the body of a request may be.",
    });
    assert_eq!(row, expected);
}

#[test]
fn an_unknown_variable_suggests_the_nearest() {
    let error = load(None, &[("MEMOIR_SERVER_LISEN", "x")], &[]).0.unwrap_err().to_string();
    assert!(
        error.starts_with("environment: no setting MEMOIR_SERVER_LISEN; did you mean MEMOIR_SERVER_LISTEN? "),
        "{error}"
    );
}

#[test]
fn an_unknown_flag_suggests_the_nearest() {
    let error = load(None, &[], &[("log.levl", "debug")]).0.unwrap_err().to_string();
    assert!(error.starts_with("flag --set: no setting log.levl; did you mean log.level? "), "{error}");
}

#[test]
fn variables_of_others_are_passed_over() {
    let environment = [("PATH", "/bin"), ("MEMOIRS_OF", "x"), ("memoir_log_level", "x"), ("XMEMOIR_A", "x")];
    assert_eq!(load(None, &environment, &[]).0.unwrap().settings(), defaults().settings());
}

#[test]
fn a_bad_value_names_the_setting_its_source_and_what_is_allowed() {
    let error = |file, environment, flags| {
        let (result, path) = load(file, environment, flags);
        result.unwrap_err().to_string().replace(&path.display().to_string(), "memoir.toml")
    };
    assert_eq!(
        error(Some("[store]\nreaders = 0"), &[], &[]),
        "store.readers is \"0\" (file memoir.toml) but must be a whole number from 1 to 64"
    );
    assert_eq!(
        error(None, &[("MEMOIR_LOG_FORMAT", "xml")], &[]),
        "log.format is \"xml\" (environment MEMOIR_LOG_FORMAT) but must be one of text, json"
    );
    assert_eq!(
        error(None, &[], &[("session.idle", "30")]),
        "session.idle is \"30\" (flag --set session.idle=30) \
         but must be a duration such as 500ms, 5s, 30m or 24h, from 100ms to 720h"
    );
}

#[test]
fn a_bad_value_is_refused_even_when_another_overrides_it() {
    let (result, _) = load(Some("[store]\nreaders = 0"), &[], &[("store.readers", "1")]);
    assert!(matches!(result, Err(SettingsError::BadValue { name: "store.readers", .. })), "{result:?}");
}

static SECRETIVE: &[Setting] = &[Setting {
    name: "model.key",
    kind: Kind::Choice(&["", "hush"]),
    default: "",
    doc: "A secret.",
    secret: true,
}];

#[test]
fn a_secret_is_shown_in_no_row_and_no_source() {
    let entries = resolve(SECRETIVE, None, std::iter::empty(), &pairs(&[("model.key", "hush")])).unwrap();
    assert_eq!(entries[0].value, Value::Choice("hush"));
    let row = entries[0].row();
    assert_eq!(
        (row.value.as_str(), row.source.to_string().as_str()),
        ("(secret)", "flag --set model.key=(secret)")
    );
    assert!(!format!("{row:?}").contains("hush"));
}

#[test]
fn a_secret_is_shown_in_no_error() {
    let environment = pairs(&[("MEMOIR_MODEL_KEY", "s3cret")]).into_iter();
    let from_environment = resolve(SECRETIVE, None, environment, &[]).map(|_| ()).unwrap_err();
    let flags = pairs(&[("model.key", "s3cret")]);
    let from_flag = resolve(SECRETIVE, None, std::iter::empty(), &flags).map(|_| ()).unwrap_err();
    for error in [from_environment, from_flag] {
        assert!(error.to_string().starts_with("model.key is (secret) ("), "{error}");
        assert!(!format!("{error} {error:?}").contains("s3cret"), "{error:?}");
    }
}

#[test]
fn an_assignment_is_a_name_and_a_value() {
    let split = |text| assignment(text).map_err(|e| e.to_string());
    assert_eq!(split("log.level=debug"), Ok(("log.level".to_owned(), "debug".to_owned())));
    assert_eq!(split("store.url=sqlite:a=b"), Ok(("store.url".to_owned(), "sqlite:a=b".to_owned())));
    assert_eq!(split("store.url="), Ok(("store.url".to_owned(), String::new())));
    assert!(split("=debug").is_err());
    let message = "flag --set: must be name=value such as log.level=debug, not \"log.level\"";
    assert_eq!(split("log.level"), Err(message.to_owned()));
}

#[test]
fn the_database_is_what_the_url_names_else_a_file_in_the_data_folder() {
    let database = |name: &str, value: &str| {
        let resolved = load(None, &[], &[(name, value)]).0.unwrap();
        match resolved.settings().database() {
            Database::Sqlite(path) => path.display().to_string(),
            Database::Postgres(url) => url.to_owned(),
        }
    };
    assert_eq!(database("data.dir", "/data"), "/data/memoir.db");
    assert_eq!(database("store.url", "sqlite:/other/a.db"), "/other/a.db");
    assert_eq!(database("store.url", "postgres://me@host/memoir"), "postgres://me@host/memoir");
}
