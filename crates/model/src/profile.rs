use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{MemoryId, Slot, SummaryLine};

/// The standing view of a space.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// What is known, by slot.
    pub slots: Vec<ProfileSlot>,
    /// The four views.
    pub portrait: Portrait,
    /// When it was last brought up to date.
    pub updated_at: Timestamp,
}

/// One known value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProfileSlot {
    /// What it is a value of.
    pub slot: Slot,
    /// The value.
    pub value: String,
    /// The memory that says so.
    pub memory: MemoryId,
}

/// Four views of a person (A5), each line with its evidence.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Portrait {
    /// Dated one-line events.
    pub situation: Vec<SummaryLine>,
    /// A rolling summary of everything.
    pub background: Vec<SummaryLine>,
    /// Needs and preferences.
    pub topics: Vec<SummaryLine>,
    /// Habits and ways of deciding.
    pub principles: Vec<SummaryLine>,
}
