use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::name::named;
use crate::{Confidence, Error, Importance, KindName, Metadata, Name, Result, TaxonomyName};

named!(
    /// A memory's id in its space.
    MemoryId
);

/// What a memory is a value of: `topic/sub-topic`, such as `home/city`. Two memories of one subject and slot with
/// overlapping validity cannot both hold.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Slot {
    topic: Name,
    sub_topic: Name,
}

impl Slot {
    /// The topic.
    pub fn topic(&self) -> &str {
        self.topic.as_str()
    }

    /// The sub-topic.
    pub fn sub_topic(&self) -> &str {
        self.sub_topic.as_str()
    }
}

impl TryFrom<String> for Slot {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        let (topic, sub_topic) =
            text.split_once('/').ok_or_else(|| Error::invalid("slot", "must be topic/sub-topic"))?;
        let name = |part: &str| Name::new(part).map_err(|e| e.at("slot"));
        Ok(Slot { topic: name(topic)?, sub_topic: name(sub_topic)? })
    }
}

impl From<Slot> for String {
    fn from(slot: Slot) -> String {
        format!("{}/{}", slot.topic, slot.sub_topic)
    }
}

/// Where a memory is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MemoryStatus {
    /// Recalled.
    Active,
    /// A newer one took its place; still recallable, ranked below.
    Superseded,
    /// Out of recall, restorable.
    Compressed,
    /// Out of sight, restorable until it is purged.
    Deleted,
}

impl MemoryStatus {
    /// The number in a store.
    pub const fn code(self) -> u8 {
        self as u8
    }
}

/// One durable statement about the space.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Its id.
    pub id: MemoryId,
    /// The statement.
    pub content: String,
    /// What it is.
    pub kind: KindName,
    /// The taxonomy that says what that kind means, and its version.
    pub taxonomy: (TaxonomyName, u32),
    /// About whom.
    pub subject: Option<Name>,
    /// What it is a value of.
    pub slot: Option<Slot>,
    /// How sure we are.
    pub confidence: Confidence,
    /// How much it matters.
    pub importance: Importance,
    /// The task during which it was learned.
    pub task: Option<String>,
    /// Since when it holds.
    pub valid_from: Option<Timestamp>,
    /// Until when it held; `None` while it does.
    pub valid_to: Option<Timestamp>,
    /// The messages it comes from.
    pub sources: Vec<u64>,
    /// The memories that were merged into it.
    pub merged_from: Vec<MemoryId>,
    /// The memory that took its place.
    pub superseded_by: Option<MemoryId>,
    /// 1, and one more with every change.
    pub version: u32,
    /// Where it is in its life.
    pub status: MemoryStatus,
    /// Never forgotten by upkeep.
    pub pinned: bool,
    /// How often it was recalled.
    pub access_count: u64,
    /// When it was last recalled.
    pub accessed_at: Option<Timestamp>,
    /// When it goes by itself.
    pub expires_at: Option<Timestamp>,
    /// What the caller attached.
    pub metadata: Metadata,
    /// When it was learned.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_has_two_parts() {
        let slot = Slot::try_from("home/city".to_owned()).unwrap();
        assert_eq!((slot.topic(), slot.sub_topic()), ("home", "city"));
        assert!(Slot::try_from("home".to_owned()).is_err());
        assert!(Slot::try_from("/city".to_owned()).is_err());
    }
}
