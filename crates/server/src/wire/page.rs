use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::params::number;

/// A part of a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Page<T> {
    /// What was found.
    pub(crate) items: Vec<T>,
    /// Where the list goes on; null at its end.
    pub(crate) next: Option<String>,
}

impl<T> Page<T> {
    /// A page of `limit` items at most; a full one may have a successor, named by its last item.
    pub(crate) fn of<I>(
        rows: Vec<I>,
        limit: usize,
        cursor: impl Fn(&I) -> String,
        view: impl Fn(I) -> T,
    ) -> Self {
        let next = if rows.len() < limit { None } else { rows.last().map(cursor) };
        Page { items: rows.into_iter().map(view).collect(), next }
    }
}

/// Which part of a list.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListQuery {
    /// How many at most; 1 to 500, usually 50.
    #[serde(default, deserialize_with = "number")]
    pub(crate) limit: Option<usize>,
    /// The `next` of the page before.
    pub(crate) cursor: Option<String>,
}
