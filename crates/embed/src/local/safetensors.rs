//! Files of tensors: eight bytes that say how long the header is, the header as JSON, the numbers.

use serde::Deserialize;
use std::collections::HashMap;

use super::files::Files;
use crate::EmbedError;

pub(super) const FILE: &str = "model.safetensors";
/// What every model has, whatever stands before the name.
const LANDMARK: &str = "embeddings.word_embeddings.weight";

/// The tensors of a file.
pub(super) struct Tensors {
    files: Files,
    bytes: Vec<u8>,
    data: usize,
    entries: HashMap<String, Entry>,
    prefix: String,
}

#[derive(Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

impl Tensors {
    pub(super) fn read(files: &Files) -> Result<Self, EmbedError> {
        let bytes = files.bytes(FILE)?;
        let cut = || files.unfit(FILE, "the file is cut off in its header");
        let length: [u8; 8] = bytes.first_chunk().copied().ok_or_else(cut)?;
        let length = usize::try_from(u64::from_le_bytes(length)).map_err(|_| cut())?;
        let header = bytes[8..].get(..length).ok_or_else(cut)?;
        let header: HashMap<String, serde_json::Value> = serde_json::from_slice(header)
            .map_err(|error| files.unfit(FILE, format!("the header is no JSON: {error}")))?;
        let mut entries = HashMap::new();
        for (name, value) in header.into_iter().filter(|(name, _)| name != "__metadata__") {
            let entry: Entry = serde_json::from_value(value)
                .map_err(|error| files.unfit(FILE, format!("{name}: {error}")))?;
            entries.insert(name, entry);
        }
        let prefix = entries.keys().find_map(|name| name.strip_suffix(LANDMARK)).map(ToOwned::to_owned);
        let prefix = prefix.ok_or_else(|| files.unfit(FILE, format!("there is no tensor {LANDMARK}")))?;
        Ok(Self { files: files.clone(), data: 8 + length, bytes, entries, prefix })
    }

    /// All bytes of the file.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The numbers of a tensor of the encoder that must be there in this shape.
    pub(super) fn get(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, EmbedError> {
        self.outside(&format!("{}{name}", self.prefix), shape)
    }

    /// The same of a tensor that has nothing before its name, because it does not belong to the encoder.
    pub(super) fn outside(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, EmbedError> {
        let unfit = |reason: String| self.files.unfit(FILE, format!("{name}: {reason}"));
        let entry = self.entries.get(name).ok_or_else(|| unfit("there is no such tensor".into()))?;
        if entry.shape != shape {
            return Err(unfit(format!("its shape is {:?}, not {shape:?}", entry.shape)));
        }
        let (from, to) = entry.data_offsets;
        let data =
            self.bytes[self.data..].get(from..to).ok_or_else(|| unfit("the file ends before it".into()))?;
        let numbers: Vec<f32> = match entry.dtype.as_str() {
            "F32" => data.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect(),
            "F16" => data.as_chunks().0.iter().map(|&bytes| half(u16::from_le_bytes(bytes))).collect(),
            "BF16" => {
                let wide = |&bytes: &[u8; 2]| f32::from_bits(u32::from(u16::from_le_bytes(bytes)) << 16);
                data.as_chunks().0.iter().map(wide).collect()
            }
            other => return Err(unfit(format!("its numbers are {other}; F32, F16 and BF16 can be read"))),
        };
        if Some(numbers.len()) != shape.iter().try_fold(1usize, |count, &side| count.checked_mul(side)) {
            return Err(unfit(format!("its {} bytes are not its shape {shape:?}", data.len())));
        }
        if numbers.iter().any(|number| !number.is_finite()) {
            return Err(unfit("it holds something that is no finite number".into()));
        }
        Ok(numbers)
    }
}

/// A number of 16 bits: one of sign, five of exponent, ten of fraction.
fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f32::from(bits & 0x3ff));
    sign * match exponent {
        0 => fraction * 2f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + fraction / 1024.0) * 2f32.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    fn numbers_of_16_bits_are_read() {
        let numbers = [
            (0, 0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x0001, 5.960_464_5e-8),
            (0x3555, 0.333_251_95),
        ];
        for (bits, wanted) in numbers {
            assert_eq!(half(bits), wanted);
        }
        assert!(half(0x7c00).is_infinite() && half(0x7e00).is_nan());
    }
}
