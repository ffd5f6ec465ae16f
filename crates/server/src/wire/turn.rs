use memoir_model::{Author, Error, Result, Speaker};
use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;

/// How many turns may be sent along.
const MOST_TURNS: usize = 64;
/// How many bytes all of them may have.
const MOST_BYTES: usize = 64 * 1024;

/// A turn of the talk before a message.
#[derive(Debug)]
pub(crate) struct Turn(SaidTurn);

/// How a turn may be written.
#[derive(JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
#[expect(
    dead_code,
    reason = "describes a turn in the documentation; a turn reads itself, to say what is wrong with it"
)]
pub(crate) enum TurnShape {
    /// Its words.
    Words(String),
    /// A turn as products keep it.
    Said(SaidTurn),
}

/// A turn as products keep it. Its words are what is looked at.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SaidTurn {
    /// `user`, `assistant`, `system` or `tool`.
    role: Option<String>,
    /// Who said it.
    author: Option<String>,
    /// Word for word.
    content: String,
}

impl<'de> Deserialize<'de> for Turn {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Shapes)
    }
}

struct Shapes;

impl<'de> Visitor<'de> for Shapes {
    type Value = Turn;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string, or an object with content")
    }

    fn visit_str<E>(self, words: &str) -> Result<Turn, E> {
        Ok(Turn(SaidTurn { content: words.to_owned(), ..SaidTurn::default() }))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Turn, A::Error> {
        SaidTurn::deserialize(MapAccessDeserializer::new(map)).map(Turn)
    }
}

/// The words of the turns.
pub(super) fn words(turns: Vec<Turn>) -> Result<Vec<String>> {
    let words = |(nth, Turn(SaidTurn { role, author, content }))| {
        let at = |field: &str| format!("turns[{nth}].{field}");
        role.map(|role| role.parse::<Speaker>().map_err(|e| e.at(at("role")))).transpose()?;
        author.map(|name| Author::new(name).map_err(|e| e.at(at("author")))).transpose()?;
        Ok(content)
    };
    let words = turns.into_iter().enumerate().map(words).collect::<Result<Vec<String>>>()?;
    if words.len() > MOST_TURNS || words.iter().map(String::len).sum::<usize>() > MOST_BYTES {
        return Err(Error::invalid("turns", "must be at most 64 turns and 65536 bytes; send the last ones"));
    }
    Ok(words)
}
