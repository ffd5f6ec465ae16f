use memoir_engine::SpacePatch;
use memoir_model::{Error, Metadata, Preset, Result, Space, Zone};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Settings of a space; what is absent stays as it is.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SpaceRequest {
    /// On whose clock its days are counted from now on: an IANA zone or an offset such as `+08:00`.
    zone: Option<String>,
    /// The same as minutes east of UTC.
    utc_offset_minutes: Option<i32>,
    /// The same as JavaScript's `getTimezoneOffset()` gives it, whose sign is reversed.
    js_timezone_offset: Option<i32>,
    /// `general`, `consult`, `coach`, `reading` or `agent`.
    preset: Option<String>,
    /// Anything the product wants back with it.
    metadata: Option<Metadata>,
}

impl TryFrom<SpaceRequest> for SpacePatch {
    type Error = Error;

    fn try_from(wire: SpaceRequest) -> Result<Self> {
        let zone = match (wire.zone, wire.utc_offset_minutes, wire.js_timezone_offset) {
            (None, None, None) => None,
            (Some(zone), None, None) => Some(zone.parse::<Zone>()?),
            (None, Some(minutes), None) => Some(Zone::from_minutes_east(minutes)?),
            (None, None, Some(minutes)) => Some(Zone::from_js_offset(minutes)?),
            _ => {
                let message = "give one of zone, utc_offset_minutes and js_timezone_offset";
                return Err(Error::invalid("zone", message));
            }
        };
        let preset = wire.preset.map(|text| text.parse::<Preset>()).transpose()?;
        Ok(SpacePatch { zone, preset, metadata: wire.metadata })
    }
}

/// A space.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SpaceView {
    /// Its id.
    id: String,
    /// On whose clock its days are counted.
    zone: String,
    /// Its taste.
    preset: &'static str,
    /// How many messages it has.
    messages: u64,
    /// How many sessions it has.
    sessions: u64,
    /// Grows with every change.
    version: u64,
    /// When it was created.
    created_at: String,
    /// What the product attached.
    #[serde(skip_serializing_if = "Metadata::is_empty")]
    metadata: Metadata,
}

impl From<Space> for SpaceView {
    fn from(space: Space) -> Self {
        SpaceView {
            id: space.id.to_string(),
            zone: space.zones.current().to_string(),
            preset: space.preset.as_str(),
            messages: space.last_seq,
            sessions: space.last_session,
            version: space.version,
            created_at: space.created_at.to_string(),
            metadata: space.metadata,
        }
    }
}
