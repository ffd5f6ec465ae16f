use jiff::civil::Time;
use jiff::{SignedDuration, civil};
use memoir_model::{Preset, Zone};
use std::sync::Arc;

use crate::recall::{Ranking, RecallMode};

/// The numbers that the engine works with. The command line fills them from the configuration.
#[derive(Debug, Clone)]
pub struct EngineSettings {
    /// The zone of a space that never named one (`space.default_zone`).
    pub default_zone: Zone,
    /// The preset of a space that never named one (`space.default_preset`).
    pub default_preset: Preset,
    /// After how long without a message a session is over (`session.idle`).
    pub session_idle: SignedDuration,
    /// How many messages a window holds; 0: as the preset says (`session.window`).
    pub window_messages: usize,
    /// How much memory hot spaces may take (`index.cache_bytes`).
    pub index_cache_bytes: usize,
    /// How much memory windows may take (`session.window_cache_bytes`).
    pub window_cache_bytes: usize,
    /// The largest space that is searched from memory (`index.max_rows`).
    pub index_max_rows: u64,
    /// How many bytes of messages may be on their way to the store (`store.queue_bytes`).
    pub write_bytes: usize,
    /// How many jobs run at once (`jobs.workers`).
    pub job_workers: usize,
    /// How often the queue is looked at when nothing calls (`jobs.poll`).
    pub job_poll: SignedDuration,
    /// How long a worker may be silent before its job is given to another (`jobs.lease`).
    pub job_lease: SignedDuration,
    /// After how many failures a job is dead (`jobs.max_attempts`).
    pub job_attempts: u32,
    /// How a recall ranks (`recall.mode`).
    pub recall_mode: RecallMode,
    /// What each signal of a recall weighs (`recall.ranking`).
    pub ranking: Arc<Ranking>,
    /// How many tokens a context has, unless the caller says (`recall.budget`).
    pub context_budget: usize,
    /// How long a context is remembered; zero: not at all (`recall.cache`).
    pub context_cache: SignedDuration,
    /// How much memory remembered contexts may take (`recall.cache_bytes`).
    pub context_cache_bytes: usize,
    /// Fewer messages than this are not summed up (`layers.least_messages`).
    pub layer_messages: usize,
    /// Less talk than this is not summed up, in characters (`layers.least_characters`).
    pub layer_characters: usize,
    /// A session is summed up while it goes on, each time it has grown by so many messages (`layers.every`).
    pub layer_every: u64,
    /// But not sooner after the last time than this (`layers.apart`).
    pub layer_apart: SignedDuration,
    /// When a day is summed up, on each space's own clock (`layers.night`).
    pub layer_night: Time,
    /// How many periods are summed up at once (`layers.at_once`).
    pub layers_at_once: usize,
    /// Whoever was active so lately is left for later (`layers.quiet`).
    pub layer_quiet: SignedDuration,
    /// Whether nightly upkeep runs (`upkeep.enabled`).
    pub upkeep_enabled: bool,
    /// When the night's work is done, on each space's own clock (`upkeep.night`).
    pub upkeep_night: Time,
}

impl Default for EngineSettings {
    fn default() -> Self {
        EngineSettings {
            default_zone: "Asia/Shanghai".parse().unwrap_or_else(|_| Zone::utc()),
            default_preset: Preset::General,
            session_idle: SignedDuration::from_mins(30),
            window_messages: 0,
            index_cache_bytes: 512 << 20,
            window_cache_bytes: 64 << 20,
            index_max_rows: 200_000,
            write_bytes: 64 << 20,
            job_workers: 8,
            job_poll: SignedDuration::from_secs(1),
            job_lease: SignedDuration::from_secs(60),
            job_attempts: 8,
            recall_mode: RecallMode::Full,
            ranking: Ranking::built_in(),
            context_budget: 2_000,
            context_cache: SignedDuration::from_mins(5),
            context_cache_bytes: 32 << 20,
            layer_messages: 3,
            layer_characters: 50,
            layer_every: 10,
            layer_apart: SignedDuration::from_mins(5),
            layer_night: civil::time(0, 30, 0, 0),
            layers_at_once: 5,
            layer_quiet: SignedDuration::from_mins(10),
            upkeep_enabled: true,
            upkeep_night: civil::time(3, 0, 0, 0),
        }
    }
}
