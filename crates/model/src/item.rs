use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::Metadata;
use crate::name::named;

named!(
    /// The id of an item, unique in its tenant.
    ItemId
);

/// A thing that people have a stance on, such as a book.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Its id.
    pub id: ItemId,
    /// What it is called.
    pub title: String,
    /// What it is about.
    pub description: String,
    /// What the caller attached.
    pub metadata: Metadata,
}

/// What somebody has done with an item; each stance has its weight in the interest vector (D2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stance {
    /// Wants it.
    Want,
    /// Is at it.
    Reading,
    /// Is through with it.
    Read,
    /// Gave it up.
    Dropped,
}

impl Stance {
    /// How much it says about the person's interests.
    pub const fn weight(self) -> f64 {
        match self {
            Stance::Want => 0.3,
            Stance::Reading => 0.6,
            Stance::Read => 1.0,
            Stance::Dropped => -0.2,
        }
    }
}

/// One place on somebody's shelf.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shelved {
    /// Which item.
    pub item: ItemId,
    /// The stance.
    pub stance: Stance,
    /// Since when.
    pub since: Timestamp,
}
