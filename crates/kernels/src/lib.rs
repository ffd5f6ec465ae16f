//! The loops that the processor spends its time in: scans of vectors, and what a BERT encoder is made of.
//!
//! Each kernel is a method of [`Level`], the instruction set that it uses, and runs at every level that the machine has.
//! [`Level::Scalar`] is plain Rust, the twin that the others are tested against. Kernels on integers give the same
//! integers at every level; kernels on floats differ in the last digits, because they add in another order.
//!
//! This is the only crate that holds `unsafe` code. All of it is behind safe functions, which check every length.

mod attention;
mod dense;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod level;
mod math;
mod norm;
mod panel;
mod quantize;
mod quantized;
mod rows;
mod scan;
mod softmax;

pub use attention::{AttentionScratch, Heads};
pub use dense::Dense;
pub use level::Level;
pub use panel::Finish;
pub use quantize::quantize;
pub use quantized::QuantizedDense;
pub use rows::QuantizedRows;
pub use scan::{dot_f32, dot_i8, scan_f32, scan_i8};
