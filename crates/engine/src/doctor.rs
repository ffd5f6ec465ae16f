use memoir_index::{Segment, Terms};
use memoir_model::{Error, ErrorCode, MessageState, Result, Space, SpaceId, TenantId};
use memoir_store::{Finding, IndexRow, MessageQuery, SpaceRange};
use std::collections::HashMap;

use crate::engine::Engine;

const PAGE: usize = 500;

/// How far an examination has come, for a progress bar.
#[derive(Debug, Clone, Copy, Default)]
pub struct Examination {
    /// Spaces examined.
    pub spaces: u64,
    /// Messages examined.
    pub messages: u64,
}

/// What is wrong with the index of the spaces examined so far.
#[derive(Default)]
struct Tally {
    terms_differ: u64,
    unreadable: u64,
    stale_analysis: u64,
    pieces_differ: u64,
    example: Option<SpaceId>,
    unreadable_spaces: u64,
    /// The first of these, and why.
    unreadable_space: Option<(SpaceId, String)>,
}

/// Whether an error says that what is stored is damaged, rather than that the store does not answer at all.
fn is_damage(error: &Error) -> bool {
    matches!(error.code(), ErrorCode::Corrupt | ErrorCode::StorageUnavailable | ErrorCode::Invalid)
}

impl Engine {
    /// Examines the whole store: the store's own invariants, then every message against what the index has of it.
    pub async fn examine(&self, mut progress: impl FnMut(Examination)) -> Result<Vec<Finding>> {
        let store = &self.inner.store;
        let mut findings = store.check().await?;
        let mut tenants: Vec<TenantId> = store.tenants().await?.into_iter().map(|tenant| tenant.id).collect();
        if !tenants.contains(&TenantId::default_tenant()) {
            tenants.push(TenantId::default_tenant());
        }
        let (mut tally, mut seen) = (Tally::default(), Examination::default());
        for tenant in tenants {
            let mut after = None;
            loop {
                let spaces = store.spaces(&tenant, SpaceRange { after: after.clone(), limit: PAGE }).await?;
                let Some(last) = spaces.last() else { break };
                after = Some(last.id.clone());
                for space in &spaces {
                    match self.examine_space(space, &mut tally).await {
                        Ok(messages) => seen.messages += messages,
                        Err(error) if is_damage(&error) => tally.cannot_read(space, &error),
                        Err(error) => return Err(error),
                    }
                    seen.spaces += 1;
                    progress(seen);
                }
            }
        }
        findings.extend(tally.findings(seen));
        Ok(findings)
    }

    async fn examine_space(&self, space: &Space, tally: &mut Tally) -> Result<u64> {
        let (store, key) = (&self.inner.store, space.key());
        let mut pieces: HashMap<u64, Vec<IndexRow>> = HashMap::new();
        let Some(delta) = store.index_delta(&key, None).await? else { return Ok(0) };
        let before = tally.total();
        let mut examined = 0;
        let mut after = None;
        loop {
            let messages = store.messages(&key, &MessageQuery { after, ..MessageQuery::all(PAGE) }).await?;
            let Some(last) = messages.last() else { break };
            after = Some((last.said_at, last.seq));
            examined += messages.len() as u64;
            for message in messages {
                let piece = memoir_store::Piece::covering(message.seq);
                if !pieces.contains_key(&piece) {
                    // Messages come in the order they were said; a few pieces at a time are enough for most.
                    if pieces.len() > 8 {
                        pieces.clear();
                    }
                    pieces.insert(piece, store.piece_rows(&key, piece).await?.1);
                }
                let row = pieces.get(&piece).and_then(|rows| rows.iter().find(|row| row.seq == message.seq));
                let expected =
                    (message.state == MessageState::Active).then(|| Terms::of(&message.searchable()));
                tally.compare(row.and_then(|row| row.terms.as_deref()), expected);
            }
        }
        for piece in delta.pieces {
            let (_, rows) = store.piece_rows(&key, piece.no).await?;
            let expected = crate::upkeep::seal::build(piece.no, &rows);
            let sealed = Segment::from_bytes(piece.bytes);
            if sealed.is_err() || expected.ok() != sealed.ok().map(|segment| segment.to_bytes()) {
                tally.pieces_differ += 1;
            }
        }
        if tally.total() > before {
            tally.example.get_or_insert_with(|| space.id.clone());
        }
        Ok(examined)
    }
}

impl Tally {
    fn compare(&mut self, stored: Option<&[u8]>, expected: Option<Terms>) {
        match (stored, expected) {
            (None, None) => {}
            (Some(blob), Some(expected)) => match Terms::from_blob(blob) {
                Err(_) => self.unreadable += 1,
                Ok(terms) if terms.analyser_version() != expected.analyser_version() => {
                    self.stale_analysis += 1;
                }
                Ok(_) if blob != expected.into_blob() => self.terms_differ += 1,
                Ok(_) => {}
            },
            _ => self.terms_differ += 1,
        }
    }

    /// Notes a space of which some row cannot be read; what was found in it before counts.
    fn cannot_read(&mut self, space: &Space, error: &Error) {
        self.unreadable_spaces += 1;
        self.unreadable_space.get_or_insert_with(|| (space.id.clone(), error.to_string()));
    }

    fn total(&self) -> u64 {
        self.terms_differ + self.unreadable + self.stale_analysis + self.pieces_differ
    }

    fn findings(self, seen: Examination) -> Vec<Finding> {
        let place = self.example.map(|space| format!(" (first in {space})")).unwrap_or_default();
        let broken = self.terms_differ + self.unreadable;
        let restore = "restore the last good backup with `memoir restore`, then import what came after it";
        let mut findings = vec![if broken == 0 {
            Finding::fine(
                "index",
                format!("{} messages in {} spaces agree with it", seen.messages, seen.spaces),
            )
        } else {
            Finding::broken("index", format!("{broken} messages do not agree with it{place}"), restore)
        }];
        if let Some((space, why)) = self.unreadable_space {
            let finding =
                format!("{} spaces cannot be read whole (first {space}: {why})", self.unreadable_spaces);
            findings.push(Finding::broken("index", finding, restore));
        }
        if self.pieces_differ > 0 {
            let finding = format!("{} sealed pieces do not agree with their rows{place}", self.pieces_differ);
            findings.push(Finding::broken("index", finding, restore));
        }
        if self.stale_analysis > 0 {
            let finding =
                format!("{} messages were analysed by an older version{place}", self.stale_analysis);
            findings.push(Finding::warning(
                "index",
                finding,
                "export and import these spaces to analyse them anew",
            ));
        }
        findings
    }
}
