//! Vectors of messages: made in the background, one cursor per space, and searched beside the words.

mod calibrate;
mod embedders;
mod fill;
mod nearest;
mod sweep;
pub(crate) mod vectors;

pub use calibrate::Calibration;
pub use embedders::Embedders;
pub(crate) use fill::{Fill, job};
pub use nearest::{NearHit, NearPage, Unavailable};
pub(crate) use vectors::HotVectors;
