use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::{MemoryId, Slot};

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
    pub situation: Vec<PortraitLine>,
    /// A rolling summary of everything.
    pub background: Vec<PortraitLine>,
    /// Needs and preferences.
    pub topics: Vec<PortraitLine>,
    /// Habits and ways of deciding.
    pub principles: Vec<PortraitLine>,
}

/// One line of a portrait.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PortraitLine {
    /// The day it is about, where it has one.
    pub date: Option<Date>,
    /// The line.
    pub text: String,
    /// The messages it rests on.
    pub sources: Vec<u64>,
}
