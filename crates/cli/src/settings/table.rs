//! The list of settings: the only place where one is declared.

use std::time::Duration;

use super::value::{Kind, without_password};

/// One thing that can be set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting {
    /// `section.key`, as in the file.
    pub(crate) name: &'static str,
    /// Which values it takes.
    pub(crate) kind: Kind,
    /// Its value when nobody sets it, as one would write it.
    pub(crate) default: &'static str,
    /// What it does, in one sentence.
    pub(crate) doc: &'static str,
    /// Whether its value is never shown.
    pub(crate) secret: bool,
}

/// What every environment variable of ours begins with.
pub(crate) const PREFIX: &str = "MEMOIR_";

impl Setting {
    /// Its name in the environment.
    pub(crate) fn variable(&self) -> String {
        format!("{PREFIX}{}", self.name.replace('.', "_").to_uppercase())
    }

    /// Its section and its key in the file.
    pub(crate) fn section_and_key(&self) -> (&'static str, &'static str) {
        self.name.rsplit_once('.').unwrap_or(("", self.name))
    }

    /// `text` as it may be shown to people.
    pub(crate) fn shown(&self, text: &str) -> String {
        match self.kind {
            _ if self.secret => "(secret)".to_owned(),
            Kind::StoreUrl => without_password(text),
            _ => text.to_owned(),
        }
    }
}

const fn public(name: &'static str, kind: Kind, default: &'static str, doc: &'static str) -> Setting {
    Setting { name, kind, default, doc, secret: false }
}

const fn count(min: u64, max: u64) -> Kind {
    Kind::Integer { min, max }
}

const fn bytes(min: u64, max: u64) -> Kind {
    Kind::Bytes { min, max }
}

const fn lasting(min: Duration, max: Duration) -> Kind {
    Kind::Duration { min, max }
}

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

/// Every setting, section by section.
pub(crate) static SETTINGS: &[Setting] = &[
    public(
        "data.dir",
        Kind::Path,
        "memoir-data",
        "The folder for everything the server writes; a relative path starts at the working directory.",
    ),
    public(
        "store.url",
        Kind::StoreUrl,
        "",
        "The database: sqlite:PATH for a SQLite file, empty for the one in data.dir, or postgres://USER@HOST/DATABASE.",
    ),
    public(
        "store.durability",
        Kind::Choice(&["full", "normal"]),
        "full",
        "What an acknowledged write survives: full, a power cut; normal, a crash of the process only.",
    ),
    public(
        "store.queue_commits",
        count(1, 1_000_000),
        "1024",
        "How many commits may wait for the writer before new ones are refused as busy.",
    ),
    public(
        "store.queue_bytes",
        bytes(MIB, 16 * GIB),
        "64MiB",
        "How many bytes of commits may wait for the writer before new ones are refused as busy.",
    ),
    public("store.readers", count(1, 64), "4", "How many connections read from a SQLite file at once."),
    public(
        "store.connections",
        count(2, 1_000),
        "16",
        "How many connections this process opens to a PostgreSQL database at most.",
    ),
    public(
        "store.statement_timeout",
        lasting(Duration::from_millis(100), Duration::from_hours(1)),
        "15s",
        "How long one statement may take in a PostgreSQL database.",
    ),
    public(
        "store.patience",
        lasting(Duration::from_millis(100), Duration::from_mins(10)),
        "5s",
        "How long a call waits for a PostgreSQL database that is away before it fails.",
    ),
    public(
        "store.max_bytes",
        // No SQLite file can be larger.
        bytes(0, 256 * 1024 * GIB),
        "0",
        "How large a SQLite file may grow; 0 for no limit but the disk.",
    ),
    public(
        "index.cache_bytes",
        bytes(MIB, 1024 * GIB),
        "512MiB",
        "How much memory the spaces that are in use may take in the search index.",
    ),
    public(
        "index.max_rows",
        count(1, 100_000_000),
        "200000",
        "How many messages of one space are searched; of a larger space, the newest.",
    ),
    public(
        "index.instructions",
        Kind::Choice(&["auto", "scalar", "avx2", "avx512"]),
        "auto",
        "Which instructions vectors are calculated with: auto, the best of this machine; the results are the same.",
    ),
    public(
        "embedder.kind",
        Kind::Choice(&["auto", "none", "local", "openai"]),
        "auto",
        "What finds by meaning: auto, a pulled model if there is one; local, the one of embedder.model; openai, a server that speaks OpenAI's protocol; none, words alone.",
    ),
    public(
        "embedder.model",
        Kind::Text,
        "",
        "The model: for local the name of a pulled one or a folder, for openai what the server calls it.",
    ),
    public(
        "embedder.precision",
        Kind::Choice(&["int8", "f32"]),
        "int8",
        "How a local model calculates: int8, fast and nearly the same; f32, exactly as it was trained.",
    ),
    public(
        "embedder.threads",
        count(0, 256),
        "0",
        "How many threads a local model uses; 0 for one per processor, four at most.",
    ),
    public(
        "embedder.base_url",
        Kind::WebUrl,
        "https://api.openai.com/v1",
        "Where the server of an openai embedder is, up to and including the version.",
    ),
    public(
        "embedder.key_env",
        Kind::Text,
        "OPENAI_API_KEY",
        "The environment variable that holds the key of an openai embedder.",
    ),
    public(
        "embedder.key_file",
        Kind::Text,
        "",
        "A file that holds the key of an openai embedder, instead of a variable.",
    ),
    public(
        "embedder.dimensions",
        count(0, 65_536),
        "0",
        "How many numbers a vector of an openai embedder shall have; 0 for what the model gives by itself.",
    ),
    public(
        "embedder.timeout",
        lasting(Duration::from_millis(100), Duration::from_mins(10)),
        "15s",
        "How long a request to an openai embedder may take.",
    ),
    public(
        "embedder.batch",
        count(1, 2_048),
        "32",
        "How many texts go into one request to an openai embedder.",
    ),
    public(
        "embedder.query_prefix",
        Kind::Text,
        "",
        "What is put before a question for an openai embedder that wants it.",
    ),
    public(
        "embedder.document_prefix",
        Kind::Text,
        "",
        "What is put before a message for an openai embedder that wants it.",
    ),
    public(
        "embedder.previous",
        Kind::Text,
        "",
        "The local model used before: it answers for spaces that the current one has not read to the end yet.",
    ),
    public(
        "recall.mode",
        Kind::Choice(&["full", "keyword"]),
        "full",
        "How a recall ranks: full, by everything that is known; keyword, by the words alone, the way back if the other disappoints.",
    ),
    public(
        "recall.budget",
        count(64, 200_000),
        "2000",
        "How many tokens the text of a context has at most, unless the request says.",
    ),
    public(
        "recall.cache",
        lasting(Duration::ZERO, Duration::from_hours(24)),
        "5m",
        "How long a context is remembered while nothing is written to its spaces; 0s for not at all.",
    ),
    public(
        "recall.cache_bytes",
        bytes(MIB, 64 * GIB),
        "32MiB",
        "How much memory remembered contexts may take.",
    ),
    public(
        "recall.ranking",
        Kind::Text,
        "",
        "A file with what each signal weighs in a recall; empty for the table that comes with the program.",
    ),
    public(
        "reranker.kind",
        Kind::Choice(&["none", "local", "remote"]),
        "none",
        "What looks again at the best of a recall: none; local, the cross-encoder of reranker.model, which runs as embedder.precision and embedder.threads say; remote, a server that has /rerank.",
    ),
    public(
        "reranker.model",
        Kind::Text,
        "",
        "The model: for local the name of a pulled one or a folder, for remote what the server calls it.",
    ),
    public(
        "reranker.base_url",
        Kind::WebUrl,
        "https://api.jina.ai/v1",
        "Where the server of a remote reranker is, up to but not including /rerank.",
    ),
    public(
        "reranker.key_env",
        Kind::Text,
        "JINA_API_KEY",
        "The environment variable that holds the key of a remote reranker.",
    ),
    public(
        "reranker.key_file",
        Kind::Text,
        "",
        "A file that holds the key of a remote reranker, instead of a variable.",
    ),
    public(
        "reranker.timeout",
        lasting(Duration::from_millis(10), Duration::from_secs(3)),
        "2s",
        "How long a remote reranker may take before a recall goes without it.",
    ),
    public(
        "models.chat",
        Kind::Words,
        "",
        "Models that talk to people, as provider:model, the first one first.",
    ),
    public(
        "models.summary",
        Kind::Words,
        "",
        "Models that summarise (memory-summary-model), as provider:model, the first one first.",
    ),
    public(
        "models.extract",
        Kind::Words,
        "",
        "Models that find what is worth remembering, as provider:model.",
    ),
    public("models.judge", Kind::Words, "", "Models that weigh and compare memories, as provider:model."),
    public("models.route", Kind::Words, "", "Models that choose what a message asks for, as provider:model."),
    public(
        "models.providers",
        Kind::Tables,
        "[]",
        "Providers that need more said than their name: name, kind, base_url, key_env, timeout and more.",
    ),
    public(
        "models.mask",
        Kind::Words,
        "secret, email, id_number, card, phone",
        "What is masked before a prompt leaves: secret (keys and passwords), email, id_number, card, phone.",
    ),
    public(
        "models.mask_patterns",
        Kind::Tables,
        "[]",
        "Patterns of one's own that are masked: name and pattern, a regular expression.",
    ),
    public(
        "models.daily_tokens",
        count(0, 1_000_000_000_000),
        "0",
        "How many tokens each tenant may use in a day (UTC) on this node; 0 for no limit.",
    ),
    public(
        "models.cache_bytes",
        bytes(0, 64 * GIB),
        "16MiB",
        "How much memory repeatable answers of models may take; 0 for none.",
    ),
    public(
        "server.listen",
        Kind::Address,
        "127.0.0.1:7700",
        "The address and port to listen on; port 0 takes a free one.",
    ),
    public("server.max_body_bytes", bytes(KIB, GIB), "8MiB", "How large the body of a request may be."),
    public(
        "server.request_timeout",
        lasting(Duration::from_millis(100), Duration::from_hours(1)),
        "30s",
        "How long a request may take before it is answered with a timeout.",
    ),
    public(
        "server.max_connections",
        count(1, 1_000_000),
        "1024",
        "How many connections may be open at once.",
    ),
    public(
        "server.rate_per_second",
        count(0, 1_000_000),
        "200",
        "How many requests each API key may make per second; 0 for no limit.",
    ),
    public(
        "server.rate_burst",
        count(1, 1_000_000),
        "400",
        "How many requests an API key may make at once before the rate holds it back.",
    ),
    public(
        "server.shutdown_grace",
        lasting(Duration::ZERO, Duration::from_mins(10)),
        "10s",
        "How long requests under way may take to finish when the server stops.",
    ),
    public(
        "space.default_zone",
        Kind::Zone,
        "Asia/Shanghai",
        "The time zone of a space that names none: an IANA name or a fixed offset.",
    ),
    public(
        "space.default_preset",
        Kind::Choice(&["general", "consult", "coach", "reading", "agent"]),
        "general",
        "The preset of a space that names none.",
    ),
    public(
        "session.idle",
        lasting(Duration::from_millis(100), Duration::from_hours(30 * 24)),
        "30m",
        "How long a session may be silent before it ends.",
    ),
    public(
        "session.window",
        count(0, 200),
        "0",
        "How many recent messages of a session are handed to the model; 0 for what the preset says (31, reading 10).",
    ),
    public(
        "session.window_cache_bytes",
        bytes(MIB, 1024 * GIB),
        "64MiB",
        "How much memory the windows of recent sessions may take.",
    ),
    public(
        "layers.least_messages",
        count(1, 1_000),
        "3",
        "How many messages a session or a day must have to be summed up.",
    ),
    public(
        "layers.least_characters",
        count(0, 100_000),
        "50",
        "How many characters of talk a session or a day must have to be summed up.",
    ),
    public(
        "layers.every",
        count(1, 100_000),
        "10",
        "By how many messages a session that goes on must have grown to be summed up again.",
    ),
    public(
        "layers.apart",
        lasting(Duration::ZERO, Duration::from_hours(24)),
        "5m",
        "How long a session that goes on is left alone after it was summed up.",
    ),
    public(
        "layers.night",
        Kind::TimeOfDay,
        "00:30",
        "When the day that has ended is summed up, on each space's own clock.",
    ),
    public("layers.at_once", count(1, 256), "5", "How many sessions and days are summed up at once."),
    public(
        "layers.quiet",
        lasting(Duration::ZERO, Duration::from_hours(24)),
        "10m",
        "How long nothing must have been said in a space before its day is summed up.",
    ),
    public("jobs.workers", count(1, 256), "8", "How many background jobs run at once."),
    public(
        "jobs.poll",
        lasting(Duration::from_millis(10), Duration::from_mins(1)),
        "1s",
        "How often an idle worker looks for jobs that are due.",
    ),
    public(
        "jobs.lease",
        lasting(Duration::from_secs(1), Duration::from_hours(1)),
        "60s",
        "How long a worker may hold a job before another may take it over.",
    ),
    public("jobs.max_attempts", count(1, 100), "8", "How often a job is tried before it counts as failed."),
    public("upkeep.enabled", Kind::Bool, "true", "Whether upkeep runs; sessions end on time either way."),
    public("upkeep.night", Kind::TimeOfDay, "03:00", "When upkeep runs, on each space's own clock."),
    public(
        "log.level",
        Kind::Choice(&["error", "warn", "info", "debug", "trace"]),
        "info",
        "The least important line that is logged.",
    ),
    public(
        "log.format",
        Kind::Choice(&["text", "json"]),
        "text",
        "How a log line looks: text for people, json for machines.",
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use memoir_model::Preset;

    use super::*;

    /// Pairs of names that the environment could not tell apart.
    fn collisions(table: &[Setting]) -> Vec<(&'static str, &'static str)> {
        let mut taken = BTreeMap::new();
        table.iter().filter_map(|s| taken.insert(s.variable(), s.name).map(|other| (other, s.name))).collect()
    }

    #[test]
    fn no_two_settings_share_an_environment_variable() {
        assert_eq!(collisions(SETTINGS), []);
        let clash = [public("a.b_c", Kind::Bool, "true", ""), public("a_b.c", Kind::Bool, "true", "")];
        assert_eq!(collisions(&clash), [("a.b_c", "a_b.c")]);
    }

    #[test]
    fn a_dot_becomes_an_underscore_in_the_environment() {
        let setting = public("server.max_body_bytes", Kind::Bool, "true", "");
        assert_eq!(setting.variable(), "MEMOIR_SERVER_MAX_BODY_BYTES");
    }

    #[test]
    fn every_name_is_a_section_and_a_key_in_lower_case() {
        for setting in SETTINGS {
            let parts: Vec<&str> = setting.name.split('.').collect();
            assert_eq!(parts.len(), 2, "{}", setting.name);
            let plain =
                |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
            assert!(parts.iter().all(|part| plain(part)), "{}", setting.name);
        }
    }

    #[test]
    fn the_settings_of_a_section_stand_together() {
        let mut sections: Vec<&str> = SETTINGS.iter().map(|s| s.section_and_key().0).collect();
        sections.dedup();
        assert_eq!(sections.len(), sections.iter().collect::<BTreeSet<_>>().len(), "{sections:?}");
    }

    #[test]
    fn every_default_is_allowed() {
        for setting in SETTINGS {
            assert!(
                setting.kind.parse(setting.default).is_some(),
                "{} = {:?}",
                setting.name,
                setting.default
            );
        }
    }

    #[test]
    fn every_setting_is_explained_in_one_sentence() {
        for setting in SETTINGS {
            assert!(
                setting.doc.ends_with('.') && !setting.doc.contains(". "),
                "{}: {}",
                setting.name,
                setting.doc
            );
        }
    }

    #[test]
    fn the_presets_offered_are_those_of_the_model() {
        let offered = SETTINGS.iter().find(|s| s.name == "space.default_preset").map(|s| s.kind);
        let Some(Kind::Choice(names)) = offered else { panic!("{offered:?} is no choice") };
        assert_eq!(names, Preset::ALL.map(Preset::as_str));
    }
}
