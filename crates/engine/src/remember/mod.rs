//! The write path: check and analyse a message, let the space's lane plan it, commit, acknowledge.

mod batch;
mod lane;
mod ledger;
mod new_message;
mod placement;
mod receipt;
mod revise;

pub(crate) use lane::{Lanes, SpaceState};
pub(crate) use ledger::{Ledger, Opening};
pub use new_message::NewMessage;
pub use receipt::{Receipt, ReceiptStatus};
pub use revise::Edit;
