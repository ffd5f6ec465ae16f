//! One file per noun of the path.

pub(crate) mod answer;
pub(crate) mod audit;
pub(crate) mod context;
pub(crate) mod days;
pub(crate) mod health;
pub(crate) mod jobs;
pub(crate) mod keys;
pub(crate) mod messages;
pub(crate) mod models;
pub(crate) mod portrait;
pub(crate) mod recall;
pub(crate) mod sessions;
pub(crate) mod spaces;
pub(crate) mod stats;
pub(crate) mod tenants;
pub(crate) mod timeline;
pub(crate) mod upkeep;
