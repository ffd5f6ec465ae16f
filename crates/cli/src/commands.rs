//! One command, one file.

pub(crate) mod backfill;
pub(crate) mod backup;
pub(crate) mod config;
pub(crate) mod context;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod erase;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod keys;
pub(crate) mod models;
pub(crate) mod recall;
pub(crate) mod restore;
pub(crate) mod serve;
pub(crate) mod timeline;
pub(crate) mod when;
