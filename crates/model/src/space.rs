use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

use crate::{Error, Metadata, Name, Result, TenantId, ZoneHistory};

/// Whose memory a space is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SpaceKind {
    /// One person's.
    User,
    /// A group chat's.
    Group,
    /// An agent's own.
    Agent,
}

impl SpaceKind {
    /// The word before the colon.
    pub const fn as_str(self) -> &'static str {
        match self {
            SpaceKind::User => "user",
            SpaceKind::Group => "group",
            SpaceKind::Agent => "agent",
        }
    }
}

/// The public id of a space: `user:alice`, `group:eng`, `agent:coach`.
///
/// ```
/// let space: memoir_model::SpaceId = "user:alice".parse()?;
/// assert_eq!(space.name(), "alice");
/// # Ok::<(), memoir_model::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SpaceId {
    kind: SpaceKind,
    name: Name,
}

impl SpaceId {
    /// A space of this kind with the caller's own name for it.
    pub fn new(kind: SpaceKind, name: impl Into<String>) -> Result<Self> {
        Name::new(name).map(|name| SpaceId { kind, name }).map_err(|e| e.at("space"))
    }

    /// Whose it is.
    pub fn kind(&self) -> SpaceKind {
        self.kind
    }

    /// The caller's own name for it.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }
}

impl FromStr for SpaceId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (kind, name) = match text.split_once(':') {
            Some(("user", name)) => (SpaceKind::User, name),
            Some(("group", name)) => (SpaceKind::Group, name),
            Some(("agent", name)) => (SpaceKind::Agent, name),
            _ => return Err(Error::invalid("space", "must be user:…, group:… or agent:…")),
        };
        SpaceId::new(kind, name)
    }
}

impl TryFrom<String> for SpaceId {
    type Error = Error;
    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<SpaceId> for String {
    fn from(id: SpaceId) -> String {
        id.to_string()
    }
}

impl fmt::Display for SpaceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind.as_str(), self.name)
    }
}

/// The internal key of a space: 40 random bits. It leads every key of every row that belongs to the space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SpaceNo(u64);

impl SpaceNo {
    /// Takes the low 40 bits.
    pub const fn from_low_bits(bits: u64) -> Self {
        SpaceNo(bits & 0xff_ffff_ffff)
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for SpaceNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:010x}", self.0)
    }
}

/// The taste of a space: which taxonomy it extracts with, how long its window and its summaries are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// No particular product.
    #[default]
    General,
    /// A consultation.
    Consult,
    /// A habit coach.
    Coach,
    /// A reading companion.
    Reading,
    /// An agent among agents.
    Agent,
}

impl Preset {
    /// Every preset.
    pub const ALL: [Preset; 5] =
        [Preset::General, Preset::Consult, Preset::Coach, Preset::Reading, Preset::Agent];

    /// Its name in settings and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Preset::General => "general",
            Preset::Consult => "consult",
            Preset::Coach => "coach",
            Preset::Reading => "reading",
            Preset::Agent => "agent",
        }
    }

    /// How many messages a session window holds (A1), unless a setting says otherwise.
    pub const fn window_messages(self) -> usize {
        match self {
            Preset::Reading => 10,
            _ => 31,
        }
    }
}

impl FromStr for Preset {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Preset::ALL
            .into_iter()
            .find(|preset| preset.as_str() == text)
            .ok_or_else(|| Error::invalid("preset", "must be one of general, consult, coach, reading, agent"))
    }
}

/// A space as the store keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Space {
    /// The internal key.
    pub no: SpaceNo,
    /// To whom it belongs.
    pub tenant: TenantId,
    /// Its public id.
    pub id: SpaceId,
    /// The zones it has lived in.
    pub zones: ZoneHistory,
    /// Its taste.
    pub preset: Preset,
    /// What the caller attached.
    pub metadata: Metadata,
    /// When it was created (server's clock).
    pub created_at: Timestamp,
    /// Grows with every commit that touches the space; readers compare it to know whether they are up to date.
    pub version: u64,
    /// The number of the newest message.
    pub last_seq: u64,
    /// The number of the newest session.
    pub last_session: u64,
    /// Grows with every commit that touches its vectors. Those are made behind the writers' backs, so that `version`
    /// does not move with them.
    pub vectors: u64,
}

impl Space {
    /// How many messages one space can hold; their numbers have 24 bits.
    pub const MOST_MESSAGES: u64 = (1 << 24) - 1;

    /// What every read and write of its rows is addressed with.
    pub fn key(&self) -> SpaceKey {
        SpaceKey { tenant: self.tenant.clone(), no: self.no }
    }
}

/// The address of a space's rows. It carries the tenant so that a backend can enforce it on every access.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SpaceKey {
    /// To whom the space belongs.
    pub tenant: TenantId,
    /// The internal key.
    pub no: SpaceNo,
}
