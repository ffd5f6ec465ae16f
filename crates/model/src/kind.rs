use serde::{Deserialize, Serialize};

use crate::name::named;
use crate::{Error, Importance, Result};

named!(
    /// The name of a kind inside its taxonomy: `PREF`, `fact`, …
    KindName
);
named!(
    /// The name of a taxonomy: a preset's, or one that a tenant defined.
    TaxonomyName
);

/// When memories of a kind are put before the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoadPolicy {
    /// All of them, every time.
    Always,
    /// The best so many, every time.
    AlwaysBest(u16),
    /// Those that fit what is being said.
    Relevant,
}

/// How memories of a kind age.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecayPolicy {
    /// They do not.
    Never,
    /// Importance goes down by so much per 30 days without being read.
    PerUnreadMonth(f64),
    /// Gone so many days after they were last mentioned.
    ExpiresAfterDays(u16),
}

/// What a memory may be and how it lives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kind {
    /// Its name.
    pub name: KindName,
    /// What belongs here and what does not, in words that an extractor follows.
    pub guidance: String,
    /// The importance a new memory of this kind starts with.
    pub base_importance: Importance,
    /// When it is put before the model.
    pub load: LoadPolicy,
    /// How it ages.
    pub decay: DecayPolicy,
}

/// A named set of kinds. A memory remembers the name and the version it was filed under.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "TaxonomyParts", into = "TaxonomyParts")]
pub struct Taxonomy {
    name: TaxonomyName,
    version: u32,
    kinds: Vec<Kind>,
}

#[derive(Serialize, Deserialize)]
struct TaxonomyParts {
    name: TaxonomyName,
    version: u32,
    kinds: Vec<Kind>,
}

impl Taxonomy {
    /// A set of at least one and at most 64 kinds, each named once.
    pub fn new(name: TaxonomyName, version: u32, kinds: Vec<Kind>) -> Result<Self> {
        if kinds.is_empty() || kinds.len() > 64 {
            return Err(Error::invalid("kinds", "must be 1 to 64 kinds"));
        }
        let mut names = std::collections::BTreeSet::new();
        if let Some(twice) = kinds.iter().find(|kind| !names.insert(kind.name.clone())) {
            return Err(Error::invalid("kinds", format!("names {} twice", twice.name)));
        }
        Ok(Taxonomy { name, version, kinds })
    }

    /// Its name.
    pub fn name(&self) -> &TaxonomyName {
        &self.name
    }

    /// Its version; a changed set of kinds has a higher one.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Its kinds.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// The kind of that name.
    pub fn kind(&self, name: &KindName) -> Option<&Kind> {
        self.kinds.iter().find(|kind| kind.name == *name)
    }
}

impl TryFrom<TaxonomyParts> for Taxonomy {
    type Error = Error;
    fn try_from(parts: TaxonomyParts) -> Result<Self> {
        Taxonomy::new(parts.name, parts.version, parts.kinds)
    }
}

impl From<Taxonomy> for TaxonomyParts {
    fn from(taxonomy: Taxonomy) -> Self {
        TaxonomyParts { name: taxonomy.name, version: taxonomy.version, kinds: taxonomy.kinds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taxonomy_names_each_kind_once() {
        let kind = Kind {
            name: KindName::new("PREF").unwrap(),
            guidance: "how the person likes things".into(),
            base_importance: Importance::new(0.7).unwrap(),
            load: LoadPolicy::Always,
            decay: DecayPolicy::Never,
        };
        let name = || TaxonomyName::new("coach").unwrap();
        assert!(Taxonomy::new(name(), 1, vec![kind.clone()]).is_ok());
        assert!(Taxonomy::new(name(), 1, vec![kind.clone(), kind]).is_err());
        assert!(Taxonomy::new(name(), 1, vec![]).is_err());
    }
}
