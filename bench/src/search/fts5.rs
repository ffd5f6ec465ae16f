//! The peer: SQLite's own full-text index over the same messages.

use anyhow::{Context, Result};
use memoir_text::Form;
use rusqlite::{Connection, params};
use std::path::{Path, PathBuf};

use super::population::{Population, Share};
use super::searcher::{Answer, Searcher};

/// `words` are what the analyser finds, so that Chinese is segmented for both alike; `text` is what a caller gets back.
const SCHEMA: &str = "CREATE VIRTUAL TABLE f USING fts5 \
    (words, place, space UNINDEXED, text UNINDEXED, tokenize = \"unicode61 remove_diacritics 0\")";

/// How a search is kept inside its space.
#[derive(Debug, Clone, Copy)]
pub(super) enum Isolation {
    /// By a condition on an unindexed column: every match of the words in any space is looked at.
    Filtered,
    /// By a word of the space's own in a column of its own: the index intersects the two lists.
    Term,
}

/// A connection to such a table.
pub(super) struct Fts5 {
    path: PathBuf,
    isolation: Isolation,
    connection: Option<Connection>,
}

impl Fts5 {
    pub(super) fn new(path: &Path, isolation: Isolation) -> Self {
        Fts5 { path: path.to_owned(), isolation, connection: None }
    }
}

/// Fills a new table and merges its segments into one.
pub(super) fn build(path: &Path, population: Population) -> Result<()> {
    let mut connection = open(path)?;
    // The file is thrown away; only reading it is measured.
    connection.pragma_update(None, "synchronous", "off")?;
    connection.execute_batch(SCHEMA)?;
    let mut written = 0;
    for (own, others) in population.stretches() {
        let transaction = connection.transaction()?;
        for share in own.into_iter().chain(others.into_iter().map(|space| population.other(space))) {
            written += insert(&transaction, &share)?;
        }
        transaction.commit()?;
        eprintln!("fts5: {written} of {} messages", population.total());
    }
    connection.execute_batch("INSERT INTO f (f) VALUES ('optimize'); PRAGMA wal_checkpoint(TRUNCATE)")?;
    Ok(())
}

fn open(path: &Path) -> Result<Connection> {
    let connection = Connection::open(path)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "cache_size", -16_384)?;
    Ok(connection)
}

fn insert(connection: &Connection, share: &Share) -> Result<usize> {
    let mut insert =
        connection.prepare_cached("INSERT INTO f (words, place, space, text) VALUES (?1, ?2, ?3, ?4)")?;
    for (_, text) in &share.messages {
        let space = share.space as i64;
        insert.execute(params![words(text).join(" "), format!("space{space}"), space, text])?;
    }
    Ok(share.messages.len())
}

/// The words of a text as the analyser finds them, spelled so that unicode61 leaves each in one piece.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    memoir_text::tokens(text, |token| {
        if token.form == Form::Word {
            words.push(token.text.replace(|char: char| !char.is_alphanumeric(), "0"));
        }
    });
    words
}

impl Searcher for Fts5 {
    fn search(&mut self, query: &str) -> Result<Answer> {
        if self.connection.is_none() {
            self.connection = Some(open(&self.path)?);
        }
        let connection = self.connection.as_ref().context("the table is closed")?;
        let quoted: Vec<String> = words(query).iter().map(|word| format!("\"{word}\"")).collect();
        let any = format!("words : ({})", quoted.join(" OR "));
        let found = match self.isolation {
            Isolation::Filtered => {
                let sql = "SELECT rowid, text FROM f WHERE f MATCH ?1 AND space = 0 ORDER BY rank LIMIT 10";
                connection.prepare_cached(sql)?.query_map([any], read)?.collect::<rusqlite::Result<_>>()?
            }
            Isolation::Term => {
                let sql = "SELECT rowid, text FROM f WHERE f MATCH ?1 ORDER BY rank LIMIT 10";
                let both = format!("place : space0 AND {any}");
                connection.prepare_cached(sql)?.query_map([both], read)?.collect::<rusqlite::Result<_>>()?
            }
        };
        Ok(Answer { found, work: None })
    }

    fn reopen(&mut self) -> Result<()> {
        self.connection = None;
        Ok(())
    }
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<i64> {
    row.get::<_, String>(1).map(drop)?;
    row.get(0)
}
