//! Plays recorded conversations through the write path of the product, as they happened, and asks its recall.

use anyhow::{Context, Result, bail, ensure};
use flate2::read::GzDecoder;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use memoir_embed::{LocalEmbedder, LocalOptions, Precision};
use memoir_engine::{
    Embedders, Engine, EngineSettings, Models, NewMessage, Recall, RecallRequest, ReceiptStatus, SpacePatch,
    SystemClock, Workers,
};
use memoir_model::{Attachment, Author, MessageId, SessionId, SpaceId, SpaceKind, Speaker, Zone};
use memoir_sqlite::{Options, SqliteStore};
use serde::Deserialize;
use std::collections::HashMap;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::memoir;

/// A message of a recorded conversation.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Said {
    pub(crate) conv: String,
    pub(crate) id: String,
    pub(crate) session: String,
    pub(crate) speaker: String,
    pub(crate) time: Option<String>,
    #[serde(default)]
    pub(crate) text: Option<String>,
    #[serde(default)]
    pub(crate) image_caption: Option<String>,
}

impl Said {
    fn has_words(&self) -> bool {
        self.text.as_deref().is_some_and(|text| !text.trim().is_empty()) || self.image_caption.is_some()
    }
}

/// A question about a recorded conversation.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Asked {
    pub(crate) conv: String,
    pub(crate) qid: String,
    pub(crate) question: String,
    #[serde(default)]
    pub(crate) category: Option<String>,
    #[serde(default)]
    pub(crate) evidence: Vec<String>,
    #[serde(default)]
    pub(crate) asked_at: Option<String>,
    /// The day that the wording names, as the set has it.
    #[serde(default)]
    pub(crate) date_in_question: Option<String>,
    /// The talk just before, the question included at its end or not.
    #[serde(default)]
    pub(crate) context: Vec<String>,
    /// The last message that existed when it was asked.
    #[serde(default)]
    pub(crate) visible_until: Option<String>,
    /// Nothing in the conversation answers it.
    #[serde(default)]
    pub(crate) abstain: Option<bool>,
}

/// Reads lines of JSON, packed or not.
pub(crate) fn read_lines<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<Vec<T>> {
    let cannot = || format!("cannot read {}", path.display());
    let bytes = std::fs::read(path).with_context(cannot)?;
    let mut text = String::new();
    if path.extension().is_some_and(|extension| extension == "gz") {
        GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).with_context(cannot)?;
    } else {
        text = String::from_utf8(bytes).with_context(cannot)?;
    }
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| {
            serde_json::from_str(line)
                .with_context(|| format!("a line of {} is of another shape", path.display()))
        })
        .collect()
}

/// The conversations of a corpus, each in its order.
pub(crate) fn conversations(corpus: &[Said]) -> Vec<(&str, Vec<&Said>)> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut all: Vec<(&str, Vec<&Said>)> = Vec::new();
    for said in corpus {
        let place = *places.entry(&said.conv).or_insert_with(|| {
            all.push((&said.conv, Vec::new()));
            all.len() - 1
        });
        all[place].1.push(said);
    }
    all
}

/// An engine that conversations are played to.
pub(crate) struct Player {
    engine: Engine,
    workers: Workers,
    embeds: bool,
}

impl Player {
    /// Over a new store in that folder, with the model of a folder or none.
    pub(crate) fn new(folder: &Path, embedder: Option<&Path>, settings: EngineSettings) -> Result<Self> {
        let store = Arc::new(SqliteStore::open(&Options::at(folder.join("replay.db")))?);
        let models = match embedder {
            Some(model) => {
                let options = LocalOptions { precision: Precision::Int8, ..LocalOptions::default() };
                Models::from(Embedders::new(Arc::new(LocalEmbedder::open(model, &options)?), Vec::new())?)
            }
            None => Models::none(),
        };
        let engine = Engine::with_models(store, Arc::new(SystemClock), settings, models);
        let workers = engine.start_workers();
        Ok(Player { engine, workers, embeds: embedder.is_some() })
    }

    /// One space per conversation.
    pub(crate) fn space(conv: &str) -> Result<SpaceId> {
        Ok(SpaceId::new(SpaceKind::User, conv)?)
    }

    /// Writes messages of one conversation as its product would have, and waits until they can be found by meaning.
    pub(crate) async fn say(&self, conv: &str, said: &[&Said]) -> Result<()> {
        let space = Self::space(conv)?;
        let caller = memoir::caller();
        let patch = SpacePatch { zone: Some(Zone::utc()), ..SpacePatch::default() };
        self.engine.put_space(&caller, &space, patch).await?;
        // A few records have no words at all; no product sends such.
        let said: Vec<&Said> = said.iter().copied().filter(|said| said.has_words()).collect();
        for batch in said.chunks(500) {
            let messages: Result<Vec<_>> = batch.iter().map(|said| message(&space, said)).collect();
            let receipts = self.engine.remember(&caller, messages?.into_iter().map(Ok).collect()).await?;
            let refused = receipts.iter().find(|receipt| receipt.status != ReceiptStatus::Created);
            ensure!(refused.is_none(), "a message was not stored: {refused:?}");
        }
        if self.embeds {
            memoir::done(&self.engine, &space, "embed").await?;
        }
        Ok(())
    }

    /// Asks.
    pub(crate) async fn ask(&self, asked: &Asked, now: Timestamp, limit: usize) -> Result<Recall> {
        // Some record the question as the last line of the talk.
        let turns = asked.context.iter().map(|turn| words_of(turn).to_owned());
        let turns = turns.filter(|turn| !turn.contains(asked.question.as_str())).collect();
        let request = RecallRequest {
            message: asked.question.clone(),
            turns,
            now: Some(now),
            limit,
            ..RecallRequest::default()
        };
        Ok(self.engine.recall(&memoir::caller(), &Self::space(&asked.conv)?, request).await?)
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    pub(crate) async fn stop(self) {
        self.workers.drain(Duration::from_secs(5)).await;
    }
}

/// A recorded turn without the name before it.
fn words_of(turn: &str) -> &str {
    let words = match turn.strip_prefix('<').and_then(|rest| rest.split_once(">:")) {
        Some((_, words)) => words,
        None => turn,
    };
    words.trim().trim_matches('"')
}

fn message(space: &SpaceId, said: &Said) -> Result<NewMessage> {
    let is_assistant = ["assistant", "ai", "bot"].contains(&said.speaker.to_lowercase().as_str());
    let text = said.text.clone().unwrap_or_default();
    let captions = said.image_caption.iter().map(|caption| Attachment {
        reference: "image".into(),
        media_type: "image/jpeg".into(),
        caption: Some(caption.clone()),
    });
    let mut message = NewMessage::text(space.clone(), text);
    message.id = Some(MessageId::new(said.id.clone())?);
    message.session = Some(SessionId::new(said.session.clone())?);
    message.author = Some(Author::new(said.speaker.clone())?);
    message.role = if is_assistant { Speaker::Assistant } else { Speaker::User };
    message.said_at = said.time.as_deref().map(moment).transpose()?;
    message.attachments = captions.collect();
    Ok(message)
}

/// A recorded time. A day without a time is its noon.
pub(crate) fn moment(text: &str) -> Result<Timestamp> {
    let local = text.parse::<DateTime>().with_context(|| format!("{text} is no time"))?;
    let local = if text.len() <= 10 { local.date().at(12, 0, 0, 0) } else { local };
    Ok(local.to_zoned(TimeZone::UTC)?.timestamp())
}

/// One question with what existed of its conversation when it was asked.
pub(crate) struct Step<'a> {
    pub(crate) asked: &'a Asked,
    /// So many messages of the conversation.
    pub(crate) visible: usize,
    pub(crate) now: Timestamp,
}

/// The questions about a conversation in the order in which they can be asked while it is played.
pub(crate) fn steps<'a>(conv: &str, said: &[&Said], asked: &'a [Asked]) -> Result<Vec<Step<'a>>> {
    let mut steps = Vec::new();
    for asked in asked.iter().filter(|asked| asked.conv == conv) {
        let visible = match &asked.visible_until {
            None => said.len(),
            Some(id) => match said.iter().position(|said| said.id == *id) {
                Some(place) => place + 1,
                None => bail!("{} names a message that is not there: {id}", asked.qid),
            },
        };
        let last = said[..visible].iter().rev().find_map(|said| said.time.as_deref());
        let now = match asked.asked_at.as_deref().or(last) {
            Some(time) => moment(time)?,
            None => Timestamp::now(),
        };
        steps.push(Step { asked, visible, now });
    }
    steps.sort_by_key(|step| step.visible);
    Ok(steps)
}
