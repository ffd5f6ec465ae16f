//! The settings: what can be set, where a value came from, and all of them as one typed struct.
//!
//! The table in `table.rs` is the only list. A setting `a.b_c` is the key `b_c` of the section `[a]` in the file,
//! `MEMOIR_A_B_C` in the environment and `--set a.b_c=value` on the command line; the later of these wins. Nothing here
//! reads the environment or looks for a file by itself: both are handed in.

mod error;
mod example;
mod file;
mod nearest;
mod resolve;
mod source;
mod table;
mod value;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use jiff::civil::Time;
use memoir_model::Preset;
use serde::Deserialize;

pub(crate) use example::toml_example;
pub(crate) use file::find_file;
pub(crate) use resolve::{Resolved, Row, assignment};
use value::is_postgres;
pub(crate) use value::without_password;

/// Every setting, parsed and checked.
///
/// Its fields are the names in the table, one struct per section; a test holds the two together.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    /// `[data]`
    pub(crate) data: Data,
    /// `[store]`
    pub(crate) store: Store,
    /// `[index]`
    pub(crate) index: Index,
    /// `[embedder]`
    pub(crate) embedder: Embedder,
    /// `[recall]`
    pub(crate) recall: Recall,
    /// `[reranker]`
    pub(crate) reranker: Reranker,
    /// `[models]`
    pub(crate) models: Models,
    /// `[server]`
    pub(crate) server: Server,
    /// `[space]`
    pub(crate) space: Space,
    /// `[session]`
    pub(crate) session: Session,
    /// `[layers]`
    pub(crate) layers: Layers,
    /// `[jobs]`
    pub(crate) jobs: Jobs,
    /// `[upkeep]`
    pub(crate) upkeep: Upkeep,
    /// `[log]`
    pub(crate) log: Log,
}

/// Which database there is.
pub(crate) enum Database<'a> {
    /// A SQLite file.
    Sqlite(PathBuf),
    /// A PostgreSQL database at this URL.
    Postgres(&'a str),
}

impl Settings {
    /// What `store.url` names; without it `memoir.db` in `data.dir`.
    pub(crate) fn database(&self) -> Database<'_> {
        let url = self.store.url.as_str();
        match url.strip_prefix(value::SQLITE_SCHEME) {
            Some(path) => Database::Sqlite(PathBuf::from(path)),
            None if is_postgres(url) => Database::Postgres(url),
            None => Database::Sqlite(self.data.dir.join("memoir.db")),
        }
    }
}

/// Where things are kept.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Data {
    /// The folder for everything the server writes.
    pub(crate) dir: PathBuf,
}

/// The database.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Store {
    /// Which database; see [`Settings::database`].
    pub(crate) url: String,
    /// What an acknowledged write survives.
    pub(crate) durability: Durability,
    /// How many commits may wait for the writer.
    pub(crate) queue_commits: usize,
    /// How many bytes of commits may wait for the writer.
    pub(crate) queue_bytes: usize,
    /// How many connections read from a SQLite file at once.
    pub(crate) readers: usize,
    /// How many connections are open to PostgreSQL.
    pub(crate) connections: usize,
    /// How long one statement may take in PostgreSQL.
    pub(crate) statement_timeout: Duration,
    /// How long a call waits for a database that is away.
    pub(crate) patience: Duration,
    /// How large the database may grow; 0 for no limit.
    pub(crate) max_bytes: u64,
}

/// What an acknowledged write survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Durability {
    /// A power cut.
    Full,
    /// A crash of the process.
    Normal,
}

/// The search index.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Index {
    /// How much memory hot spaces may take.
    pub(crate) cache_bytes: usize,
    /// How many rows of a space are searched in memory.
    pub(crate) max_rows: usize,
    /// Which instructions vectors are calculated with.
    pub(crate) instructions: Instructions,
}

/// Which instructions vectors are calculated with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Instructions {
    /// The best of the machine.
    Auto,
    /// Those of every machine.
    Scalar,
    /// AVX2.
    Avx2,
    /// AVX-512.
    Avx512,
}

/// What finds by meaning.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Embedder {
    /// Which kind.
    pub(crate) kind: EmbedderKind,
    /// Its name, its folder, or what a server calls it.
    pub(crate) model: String,
    /// How a local one calculates.
    pub(crate) precision: Precision,
    /// How many threads a local one uses; 0 for as many as suit it.
    pub(crate) threads: usize,
    /// Where a server is.
    pub(crate) base_url: String,
    /// Which variable holds its key.
    pub(crate) key_env: String,
    /// Which file holds its key.
    pub(crate) key_file: String,
    /// How many numbers its vectors shall have; 0 for what it gives.
    pub(crate) dimensions: usize,
    /// How long it may take.
    pub(crate) timeout: Duration,
    /// How many texts it gets at once.
    pub(crate) batch: usize,
    /// What is put before a question.
    pub(crate) query_prefix: String,
    /// What is put before a message.
    pub(crate) document_prefix: String,
    /// The local model used before.
    pub(crate) previous: String,
}

/// Where vectors come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum EmbedderKind {
    /// A pulled model, if there is one.
    Auto,
    /// Nowhere.
    None,
    /// A model that runs here.
    Local,
    /// A server.
    OpenAi,
}

/// How a local model calculates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Precision {
    /// With bytes.
    Int8,
    /// With the numbers it was trained with.
    F32,
}

/// Recalls and contexts.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Recall {
    /// How they rank.
    pub(crate) mode: RecallMode,
    /// How many tokens a context has, unless the request says.
    pub(crate) budget: usize,
    /// How long a context is remembered; zero for not at all.
    pub(crate) cache: Duration,
    /// How much memory remembered contexts may take.
    pub(crate) cache_bytes: usize,
    /// The file with the ranking table; empty for the built-in one.
    pub(crate) ranking: String,
}

/// How a recall ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RecallMode {
    /// By everything that is known.
    Full,
    /// By the words alone.
    Keyword,
}

/// What looks again at the best of a recall.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reranker {
    /// Which kind.
    pub(crate) kind: RerankerKind,
    /// Its name, its folder, or what a server calls it.
    pub(crate) model: String,
    /// Where a server is.
    pub(crate) base_url: String,
    /// Which variable holds its key.
    pub(crate) key_env: String,
    /// Which file holds its key.
    pub(crate) key_file: String,
    /// How long it may take.
    pub(crate) timeout: Duration,
}

/// Where the second look comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RerankerKind {
    /// Nowhere.
    None,
    /// A model that runs here.
    Local,
    /// A server.
    Remote,
}

/// Language models.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Models {
    /// The chain of each role, as `provider:model`.
    pub(crate) chat: Vec<String>,
    /// Of the role `summary`.
    pub(crate) summary: Vec<String>,
    /// Of the role `extract`.
    pub(crate) extract: Vec<String>,
    /// Of the role `judge`.
    pub(crate) judge: Vec<String>,
    /// Of the role `route`.
    pub(crate) route: Vec<String>,
    /// Providers, as the registry reads them.
    pub(crate) providers: Vec<serde_json::Map<String, serde_json::Value>>,
    /// What is masked.
    pub(crate) mask: Vec<String>,
    /// Patterns of one's own, as the registry reads them.
    pub(crate) mask_patterns: Vec<serde_json::Map<String, serde_json::Value>>,
    /// How many tokens a tenant may use in a day; 0 for no limit.
    pub(crate) daily_tokens: u64,
    /// How much memory answers may take.
    pub(crate) cache_bytes: u64,
}

/// The HTTP server.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Server {
    /// Where it listens.
    pub(crate) listen: SocketAddr,
    /// How large a request body may be.
    pub(crate) max_body_bytes: usize,
    /// How long a request may take.
    pub(crate) request_timeout: Duration,
    /// How many connections may be open at once.
    pub(crate) max_connections: usize,
    /// How many requests a key may make each second; 0 for no limit.
    pub(crate) rate_per_second: u32,
    /// How many requests a key may make at once before the rate holds it back; at least 1.
    pub(crate) rate_burst: u32,
    /// How long running requests may take to finish when the server stops.
    pub(crate) shutdown_grace: Duration,
}

/// What a new space starts with.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Space {
    /// Its zone: an IANA name or an offset, known to parse as a [`memoir_model::Zone`].
    pub(crate) default_zone: String,
    /// Its preset.
    pub(crate) default_preset: Preset,
}

/// Sessions.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Session {
    /// How long a session may be silent before it ends.
    pub(crate) idle: Duration,
    /// How many messages the window holds; 0 for what the preset says.
    pub(crate) window: usize,
    /// How much memory windows may take.
    pub(crate) window_cache_bytes: usize,
}

/// Summaries of sessions, days, weeks and months.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Layers {
    /// Fewer messages than this are not summed up.
    pub(crate) least_messages: usize,
    /// Less talk than this is not summed up, in characters.
    pub(crate) least_characters: usize,
    /// By how many messages an open session must have grown to be summed up again.
    pub(crate) every: u64,
    /// How long an open session is left alone after it was summed up.
    pub(crate) apart: Duration,
    /// When a day is summed up, on each space's own clock.
    pub(crate) night: Time,
    /// How many are summed up at once.
    pub(crate) at_once: usize,
    /// How long a space must have been silent before its day is summed up.
    pub(crate) quiet: Duration,
}

/// Background jobs.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Jobs {
    /// How many run at once.
    pub(crate) workers: usize,
    /// How often an idle worker looks for due jobs.
    pub(crate) poll: Duration,
    /// How long a worker may hold a job without renewing it.
    pub(crate) lease: Duration,
    /// How often a job is tried before it counts as failed.
    pub(crate) max_attempts: u32,
}

/// Upkeep.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Upkeep {
    /// Whether it runs at all.
    pub(crate) enabled: bool,
    /// When it runs, on each space's own clock.
    pub(crate) night: Time,
}

/// The log.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Log {
    /// The least important line that is written.
    pub(crate) level: LogLevel,
    /// How a line looks.
    pub(crate) format: LogFormat,
}

/// How important a log line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LogLevel {
    /// Something failed.
    Error,
    /// Something may fail soon.
    Warn,
    /// What an operator wants to know.
    Info,
    /// What a developer wants to know.
    Debug,
    /// Everything.
    Trace,
}

impl LogLevel {
    /// Its name, as log filters spell it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            LogLevel::Error => "error",
            LogLevel::Warn => "warn",
            LogLevel::Info => "info",
            LogLevel::Debug => "debug",
            LogLevel::Trace => "trace",
        }
    }
}

/// How a log line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line, for machines.
    Json,
}
