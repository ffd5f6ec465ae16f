use memoir_model::SummaryLevel;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::params::number;

/// Which summaries.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TimelineQuery {
    /// Only those that begin on this day or later, such as `2026-01-07`.
    pub(crate) from: Option<String>,
    /// Only those that begin on this day or earlier.
    pub(crate) to: Option<String>,
    /// `session`, `day` (usual), `week` or `month`.
    #[serde(default)]
    pub(crate) grain: Grain,
    /// How many at most; 1 to 500, usually 50.
    #[serde(default, deserialize_with = "number")]
    pub(crate) limit: Option<usize>,
    /// The `next` of the page before.
    pub(crate) cursor: Option<String>,
}

/// How much time one summary stands for.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Grain {
    /// One session.
    Session,
    /// One day.
    #[default]
    Day,
    /// Monday to Sunday.
    Week,
    /// One calendar month.
    Month,
}

impl From<Grain> for SummaryLevel {
    fn from(grain: Grain) -> Self {
        match grain {
            Grain::Session => SummaryLevel::Session,
            Grain::Day => SummaryLevel::Day,
            Grain::Week => SummaryLevel::Week,
            Grain::Month => SummaryLevel::Month,
        }
    }
}
