use memoir_model::Summary;
use sha2::{Digest as _, Sha256};

/// Tells whether a summary was made from what is there now.
pub(crate) struct Digest(Sha256);

impl Digest {
    pub(crate) fn new() -> Self {
        Digest(Sha256::new())
    }

    /// Of a message, that it is there and which wording of it.
    pub(crate) fn message(&mut self, seq: u64, version: u32) {
        self.0.update(seq.to_le_bytes());
        self.0.update(version.to_le_bytes());
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text);
    }

    /// Of a summary, what it says and what it was made from.
    pub(crate) fn summary(&mut self, summary: &Summary) {
        self.text(&summary.period.key());
        self.text(&summary.text);
        self.0.update(summary.digest.to_le_bytes());
    }

    pub(crate) fn value(self) -> u64 {
        let bytes: [u8; 32] = self.0.finalize().into();
        // A store keeps it as JSON, in which some readers know numbers up to 2^53 only.
        u64::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], 0, 0])
    }
}
