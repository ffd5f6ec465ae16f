//! Vectors of messages in their context: made in the background, one cursor per space, and searched beside the words.

mod calibrate;
mod embedders;
mod fill;
mod holders;
mod meaning;
mod nearest;
mod passage;
mod sweep;
mod turns;
pub(crate) mod vectors;

pub use calibrate::Calibration;
pub use embedders::Embedders;
pub(crate) use fill::{Fill, job};
pub(crate) use holders::holders;
pub(crate) use meaning::Meanings;
pub use nearest::{NearHit, NearPage, Unavailable};
pub(crate) use vectors::HotVectors;
