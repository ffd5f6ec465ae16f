use memoir_engine::{BackfillProgress, IssuedKey, ModelName, NewKey, Stats};
use memoir_model::{ApiKey, AuditEntry, Error, Job, JobState, Result, Tenant, TenantId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::params::{number, switch};

/// A key to make.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeyRequest {
    /// `admin`, `write`, `read` or `self`.
    role: String,
    /// The one space that a `self` key reads.
    space: Option<String>,
    /// What people call it.
    #[serde(default)]
    label: String,
    /// For which tenant; the caller's own when absent.
    tenant: Option<String>,
}

impl TryFrom<KeyRequest> for NewKey {
    type Error = Error;

    fn try_from(wire: KeyRequest) -> Result<Self> {
        Ok(NewKey {
            tenant: wire.tenant.map(TenantId::new).transpose()?,
            role: wire.role.parse()?,
            space: wire.space.map(|space| space.parse()).transpose()?,
            label: wire.label,
        })
    }
}

/// Which spaces shall get the vectors that they lack.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReembedQuery {
    /// Only this space; all of the tenant when absent.
    pub(crate) space: Option<String>,
    /// `true` only counts.
    #[serde(default, deserialize_with = "switch")]
    pub(crate) dry_run: bool,
}

/// What was asked for.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ReembedReply {
    /// How many spaces lack vectors.
    pub(crate) spaces: u64,
    /// Whether nothing was started.
    pub(crate) dry_run: bool,
    /// Why nothing can be done: `no_embedder`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unavailable: Option<&'static str>,
}

/// Which spaces shall get the summaries that they lack.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BackfillQuery {
    /// Only this space; all of the tenant when absent.
    pub(crate) space: Option<String>,
    /// Only from this day on, such as `2026-01-07`.
    pub(crate) since: Option<String>,
    /// `true` only counts, in the space that is named.
    #[serde(default, deserialize_with = "switch")]
    pub(crate) dry_run: bool,
}

/// What was asked for.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct BackfillReply {
    /// How many spaces are gone through.
    pub(crate) spaces: u64,
    /// Whether nothing was started.
    pub(crate) dry_run: bool,
    /// What would be done; only when nothing was started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) would: Option<FilledView>,
}

/// What goes through a space comes upon.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FilledView {
    /// Periods that are looked at.
    seen: u64,
    /// Summaries that are made.
    made: u64,
    /// Summaries that are there and fit.
    kept: u64,
    /// Periods in which too little was said.
    too_little: u64,
}

impl From<BackfillProgress> for FilledView {
    fn from(progress: BackfillProgress) -> Self {
        let BackfillProgress { seen, made, kept, too_little } = progress;
        FilledView { seen, made, kept, too_little }
    }
}

/// A model that people may choose.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ModelView {
    /// `provider:model`.
    id: String,
    /// Who serves it.
    provider: String,
    /// What it is called there.
    model: String,
}

impl From<ModelName> for ModelView {
    fn from(name: ModelName) -> Self {
        ModelView { id: name.to_string(), provider: name.provider, model: name.model }
    }
}

/// A key; never its secret.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct KeyView {
    /// Its public part.
    id: String,
    /// Whose key it is.
    tenant: String,
    /// What it may do.
    role: &'static str,
    /// The one space it reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    space: Option<String>,
    /// What people call it.
    label: String,
    /// When it was made.
    created_at: String,
    /// When it was revoked.
    #[serde(skip_serializing_if = "Option::is_none")]
    revoked_at: Option<String>,
}

impl From<ApiKey> for KeyView {
    fn from(key: ApiKey) -> Self {
        KeyView {
            id: key.id.to_string(),
            tenant: key.tenant.to_string(),
            role: key.role.as_str(),
            space: key.space.map(|space| space.to_string()),
            label: key.label,
            created_at: key.created_at.to_string(),
            revoked_at: key.revoked_at.map(|at| at.to_string()),
        }
    }
}

/// A key that was just made.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct KeyIssued {
    /// What to send as `Authorization: Bearer …`. Shown this once.
    token: String,
    /// The key.
    key: KeyView,
}

impl From<IssuedKey> for KeyIssued {
    fn from(issued: IssuedKey) -> Self {
        KeyIssued { token: issued.token, key: issued.key.into() }
    }
}

/// Whose keys to list.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeysQuery {
    /// The tenant; the caller's own when absent.
    pub(crate) tenant: Option<String>,
}

/// A tenant to create, or its new label.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TenantRequest {
    /// Its id: lower-case letters, digits, `-` and `_`.
    pub(crate) id: String,
    /// What people call it.
    #[serde(default)]
    pub(crate) label: String,
}

/// A tenant.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TenantView {
    /// Its id.
    id: String,
    /// What people call it.
    label: String,
    /// When it was created.
    created_at: String,
}

impl From<Tenant> for TenantView {
    fn from(tenant: Tenant) -> Self {
        TenantView {
            id: tenant.id.to_string(),
            label: tenant.label,
            created_at: tenant.created_at.to_string(),
        }
    }
}

/// Which part of the audit log.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AuditQuery {
    /// How many at most; 1 to 500, usually 50.
    #[serde(default, deserialize_with = "number")]
    pub(crate) limit: Option<usize>,
    /// The `next` of the page before.
    pub(crate) cursor: Option<String>,
}

/// A line of the audit log: who did what to which thing, never what it said.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AuditView {
    /// Its id.
    id: String,
    /// When.
    at: String,
    /// Who: a key's id, `loopback` or `command line`.
    actor: String,
    /// What.
    action: String,
    /// In which space.
    #[serde(skip_serializing_if = "Option::is_none")]
    space: Option<String>,
    /// To which message, session, key or job.
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<String>,
}

impl From<AuditEntry> for AuditView {
    fn from(entry: AuditEntry) -> Self {
        let action = serde_json::to_value(entry.action).ok();
        AuditView {
            id: entry.id.to_string(),
            at: entry.at.to_string(),
            actor: entry.actor,
            action: action.as_ref().and_then(|action| action.as_str()).unwrap_or_default().to_owned(),
            space: entry.space.map(|space| space.to_string()),
            target: entry.target,
        }
    }
}

/// Which jobs to list.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobQuery {
    /// Only of this space.
    pub(crate) space: Option<String>,
    /// `waiting`, `leased` or `dead`.
    pub(crate) state: Option<String>,
    /// How many at most; 1 to 500, usually 50.
    #[serde(default, deserialize_with = "number")]
    pub(crate) limit: Option<usize>,
    /// The `next` of the page before.
    pub(crate) cursor: Option<String>,
}

impl JobQuery {
    pub(crate) fn wanted_state(&self) -> Result<Option<JobState>> {
        match self.state.as_deref() {
            None => Ok(None),
            Some("waiting") => Ok(Some(JobState::Waiting)),
            Some("leased") => Ok(Some(JobState::Leased)),
            Some("dead") => Ok(Some(JobState::Dead)),
            Some(_) => Err(Error::invalid("state", "must be one of waiting, leased, dead")),
        }
    }
}

/// A job.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct JobView {
    /// Its id.
    id: String,
    /// What is to be done.
    kind: String,
    /// What makes it unique among its kind in its space.
    key: String,
    /// `waiting`, `leased` or `dead`.
    state: &'static str,
    /// When it is due; while it is leased, when the lease ends.
    run_at: String,
    /// How often it was started.
    attempts: u32,
    /// Why it failed last.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_error: Option<String>,
    /// When it was first asked for.
    created_at: String,
}

impl From<Job> for JobView {
    fn from(job: Job) -> Self {
        JobView {
            id: job.id.to_string(),
            kind: job.kind.into_owned(),
            key: job.key,
            state: match job.state {
                JobState::Waiting => "waiting",
                JobState::Leased => "leased",
                JobState::Dead => "dead",
            },
            run_at: job.run_at.to_string(),
            attempts: job.attempts,
            last_error: job.last_error,
            created_at: job.created_at.to_string(),
        }
    }
}

/// How much the tenant has.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct StatsView {
    /// Spaces.
    spaces: u64,
    /// Messages ever stored.
    messages: u64,
    /// Sessions ever opened.
    sessions: u64,
    /// Jobs that wait or run.
    jobs_open: u64,
    /// Jobs that failed too often.
    jobs_dead: u64,
    /// Bytes of the whole store on disk.
    store_bytes: u64,
}

impl From<Stats> for StatsView {
    fn from(stats: Stats) -> Self {
        StatsView {
            spaces: stats.spaces,
            messages: stats.messages,
            sessions: stats.sessions,
            jobs_open: stats.jobs_open,
            jobs_dead: stats.jobs_dead,
            store_bytes: stats.store_bytes,
        }
    }
}
