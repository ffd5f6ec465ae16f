//! Memoir over HTTP. [`router`] is the whole surface on one page; a handler extracts, makes one call of the engine and
//! returns a typed reply.

mod app;
mod auth;
mod body;
mod cursor;
mod docs;
mod failure;
mod handlers;
mod listen;
mod object;
mod observe;
mod openapi;
mod params;
mod rate;
mod router;
mod surface;
mod wire;

pub use app::{App, ServerSettings};
pub use listen::{Server, check_address};
pub use router::{openapi, router};
pub use wire::{context_to_json, message_from_json, recall_to_json, timeline_to_json};
