use memoir_egress::Response;
use serde::Deserialize;

use crate::EmbedError;

/// Why a server turned a request down.
#[derive(Deserialize, Default)]
pub(super) struct Refusal {
    #[serde(default)]
    code: Option<serde_json::Value>,
    #[serde(default, rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    param: Option<String>,
}

#[derive(Deserialize)]
struct Body {
    error: Refusal,
}

impl Refusal {
    /// What an answer says about it.
    pub(super) fn of(response: &Response) -> Self {
        serde_json::from_slice::<Body>(&response.body).map(|body| body.error).unwrap_or_default()
    }

    pub(super) fn is_of_dimension(&self) -> bool {
        let told = [self.param.as_deref(), self.message.as_deref()];
        told.into_iter().flatten().any(|text| text.to_lowercase().contains("dimension"))
    }

    /// The part that is safe to repeat: the message may quote what was sent.
    fn reason(self) -> String {
        let name = match self.code {
            Some(serde_json::Value::String(code)) => Some(code),
            _ => self.kind,
        };
        match name {
            Some(name) => name.chars().filter(char::is_ascii_graphic).take(60).collect(),
            None => "no reason given".into(),
        }
    }
}

/// The answer, unless it is a refusal.
pub(super) fn accepted(response: &Response) -> Result<&[u8], EmbedError> {
    if response.status.is_success() {
        return Ok(&response.body);
    }
    Err(EmbedError::Refused { status: response.status.as_u16(), reason: Refusal::of(response).reason() })
}
