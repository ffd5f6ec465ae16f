use anyhow::Result;
use memoir_engine::SearchWork;

/// One way of searching the space.
pub(super) trait Searcher {
    /// The best ten messages.
    fn search(&mut self, query: &str) -> Result<Answer>;

    /// Forgets everything that is in memory and opens the file anew, so that the next search is a cold one.
    fn reopen(&mut self) -> Result<()>;
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Answer {
    /// The messages, best first, by their number.
    pub(super) found: Vec<i64>,
    /// What was touched, if the searcher says so.
    pub(super) work: Option<SearchWork>,
}
