//! Overwrites what SQLite leaves behind. When it moves rows between pages, their old bytes stay in the unused middle of
//! the page, where `secure_delete` does not reach them; an erased word could be read there.

use memoir_model::{Error, ErrorCode, Result};
use rusqlite::{Connection, params};

use crate::error::storage;

/// How many pages are looked at in one go, between other people's writes.
const STRETCH: u32 = 512;
/// From this page number on, the first byte of an overflow page could be taken for the mark of a b-tree page.
const AMBIGUOUS_FROM: u32 = 0x0200_0000;

/// A walk over all pages, in stretches, again and again.
#[derive(Default)]
pub(crate) struct Scrubber {
    last: u32,
}

impl Scrubber {
    /// How many pages a full walk looks at.
    pub(crate) fn pages(connection: &Connection) -> Result<u32> {
        let pages: i64 =
            connection.pragma_query_value(None, "page_count", |row| row.get(0)).map_err(storage)?;
        match u32::try_from(pages) {
            Ok(pages) if pages < AMBIGUOUS_FROM => Ok(pages),
            _ => Err(Error::new(ErrorCode::StorageUnavailable, "the file is too large to be scrubbed")),
        }
    }

    /// Cleans the next stretch of pages, from the beginning again after the last. Returns how many it looked at.
    pub(crate) fn clean_some(&mut self, connection: &mut Connection) -> Result<u32> {
        let pages = Self::pages(connection)?;
        let first = if self.last >= pages { 1 } else { self.last + 1 };
        let last = pages.min(first + STRETCH - 1);
        let transaction = connection
            .transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)
            .map_err(storage)?;
        {
            let mut read = transaction
                .prepare_cached("SELECT data FROM sqlite_dbpage WHERE pgno = ?1")
                .map_err(storage)?;
            let mut write = transaction
                .prepare_cached("UPDATE sqlite_dbpage SET data = ?2 WHERE pgno = ?1")
                .map_err(storage)?;
            for page in first..=last {
                let dirty = read
                    .query_row([page], |row| {
                        Ok(row.get_ref(0)?.as_blob().ok().and_then(|data| cleaned(page, data)))
                    })
                    .map_err(storage)?;
                if let Some(clean) = dirty {
                    write.execute(params![page, clean]).map_err(storage)?;
                }
            }
        }
        transaction.commit().map_err(storage)?;
        self.last = last;
        Ok(last - first + 1)
    }
}

/// The page with its unused middle set to zero; `None` when it is clean already or has no such middle.
fn cleaned(page: u32, data: &[u8]) -> Option<Vec<u8>> {
    let gap = gap(page, data)?;
    if data[gap.clone()].iter().all(|byte| *byte == 0) {
        return None;
    }
    let mut clean = data.to_owned();
    clean[gap].fill(0);
    Some(clean)
}

/// Where the unused middle of a b-tree page lies: between its list of cells and the first of them (SQLite's file
/// format, section 1.6).
fn gap(page: u32, data: &[u8]) -> Option<std::ops::Range<usize>> {
    let header = if page == 1 { 100 } else { 0 };
    let short = |at: usize| Some(usize::from(u16::from_be_bytes([*data.get(at)?, *data.get(at + 1)?])));
    let list = match data.get(header)? {
        0x02 | 0x05 => header + 12,
        0x0a | 0x0d => header + 8,
        _ => return None,
    };
    let start = list + 2 * short(header + 3)?;
    let end = match short(header + 5)? {
        0 => 65_536,
        end => end,
    };
    (start < end && end <= data.len()).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(cells: u16, content: u16) -> Vec<u8> {
        let mut page = vec![7; 4096];
        page[0] = 0x0d;
        page[3..5].copy_from_slice(&cells.to_be_bytes());
        page[5..7].copy_from_slice(&content.to_be_bytes());
        page
    }

    #[test]
    fn only_the_middle_of_a_page_is_cleaned() {
        let clean = cleaned(2, &leaf(3, 4000)).unwrap();
        assert!(clean[14..4000].iter().all(|byte| *byte == 0));
        assert!(clean[8..14].iter().chain(&clean[4000..]).all(|byte| *byte == 7));
        assert_eq!(cleaned(2, &clean), None, "a clean page is left alone");
    }

    #[test]
    fn what_is_not_a_sound_page_is_left_alone() {
        assert_eq!(cleaned(2, &leaf(3, 5000)), None);
        assert_eq!(cleaned(2, &leaf(4000, 100)), None);
        assert_eq!(cleaned(2, &[0; 4096]), None);
        assert_eq!(cleaned(2, &[]), None);
        assert_eq!(cleaned(1, &[0x0d; 90]), None);
    }
}
