//! OpenAI's protocol: how requests are written and answers read.

mod deltas;
mod events;
mod read;
mod write;

pub(crate) use deltas::{Assembled, Assembly, Delta};
pub(crate) use events::EventReader;
pub(crate) use read::{error_code, model_ids, read_completion};
pub(crate) use write::{fingerprint, write_request};
