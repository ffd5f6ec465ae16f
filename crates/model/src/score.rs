use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// Declares a number that lies between 0 and 1 and is called by what it measures.
macro_rules! unit_interval {
    ($(#[$doc:meta])* $type:ident, $field:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
        #[serde(try_from = "f64", into = "f64")]
        pub struct $type(f64);

        impl $type {
            /// Refuses what lies outside 0 to 1, NaN included.
            pub fn new(value: f64) -> Result<Self> {
                if (0.0..=1.0).contains(&value) {
                    Ok(Self(value))
                } else {
                    Err(Error::invalid($field, "must lie between 0 and 1"))
                }
            }

            /// The nearest allowed value; NaN becomes 0.
            pub fn clamped(value: f64) -> Self {
                Self(if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) })
            }

            /// The number.
            pub fn get(self) -> f64 {
                self.0
            }
        }

        impl TryFrom<f64> for $type {
            type Error = Error;
            fn try_from(value: f64) -> Result<Self> {
                Self::new(value)
            }
        }

        impl From<$type> for f64 {
            fn from(value: $type) -> f64 {
                value.0
            }
        }
    };
}

unit_interval!(
    /// How sure we are that a memory is true.
    Confidence, "confidence"
);
unit_interval!(
    /// How much a memory matters.
    Importance, "importance"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_out_of_range_cannot_be_built() {
        assert!(Confidence::new(1.01).is_err());
        assert!(Importance::new(f64::NAN).is_err());
        assert!(serde_json::from_str::<Importance>("-0.1").is_err());
        assert_eq!(Importance::clamped(f64::NAN).get(), 0.0);
        assert_eq!(Importance::clamped(7.0).get(), 1.0);
    }
}
