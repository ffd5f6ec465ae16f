use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

use crate::{Error, Name, Result, SpaceNo};

/// An id that Memoir made: a UUIDv8 that carries the millisecond and the space, so that `/v1/jobs/{id}` finds its
/// space without a global index. Whoever looks something up by it still checks the tenant.
///
/// Layout, most significant first: 48 bits of milliseconds, version, 12 bits of counter, variant, 40 bits of space
/// number, 22 random bits. The counter keeps ids made in the same millisecond apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GeneratedId(u128);

impl GeneratedId {
    /// Puts an id together. `counter` and `random` are cut to their 12 and 22 bits.
    pub fn compose(unix_millis: i64, space: SpaceNo, counter: u16, random: u32) -> Self {
        let millis = u128::from(unix_millis.max(0) as u64 & 0xffff_ffff_ffff);
        let counter = u128::from(counter & 0xfff);
        let random = u128::from(random & 0x3f_ffff);
        GeneratedId(
            (millis << 80)
                | (8 << 76)
                | (counter << 64)
                | (0b10 << 62)
                | (u128::from(space.get()) << 22)
                | random,
        )
    }

    /// The space in which the thing was made.
    pub fn space(self) -> SpaceNo {
        SpaceNo::from_low_bits((self.0 >> 22) as u64)
    }

    /// The moment at which the id was made.
    pub fn unix_millis(self) -> i64 {
        (self.0 >> 80) as i64
    }
}

impl fmt::Display for GeneratedId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let v = self.0;
        write!(
            f,
            "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
            v >> 96,
            (v >> 80) & 0xffff,
            (v >> 64) & 0xffff,
            (v >> 48) & 0xffff,
            v & 0xffff_ffff_ffff
        )
    }
}

impl FromStr for GeneratedId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let no = || Error::invalid("id", "not an id that this server made");
        let plain: String = text.chars().filter(|c| *c != '-').collect();
        if text.len() != 36 || plain.len() != 32 || !plain.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(no());
        }
        let value = u128::from_str_radix(&plain, 16).map_err(|_| no())?;
        let id = GeneratedId(value);
        if (value >> 76) & 0xf != 8 || (value >> 62) & 0b11 != 0b10 || id.to_string() != text {
            Err(no())
        } else {
            Ok(id)
        }
    }
}

impl TryFrom<String> for GeneratedId {
    type Error = Error;
    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<GeneratedId> for String {
    fn from(id: GeneratedId) -> String {
        id.to_string()
    }
}

impl From<GeneratedId> for Name {
    #[expect(
        clippy::expect_used,
        reason = "36 hexadecimal characters and hyphens satisfy every rule of a name"
    )]
    fn from(id: GeneratedId) -> Name {
        Name::new(id.to_string()).expect("a generated id is a valid name")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_id_gives_back_its_time_and_space(millis in 0i64..1 << 48, space in 0u64..1 << 40, n: u16, r: u32) {
            let id = GeneratedId::compose(millis, SpaceNo::from_low_bits(space), n, r);
            prop_assert_eq!(id.unix_millis(), millis);
            prop_assert_eq!(id.space().get(), space);
            prop_assert_eq!(id.to_string().parse::<GeneratedId>().unwrap(), id);
        }

        #[test]
        fn parsing_never_panics(text in ".{0,40}") {
            let _ = text.parse::<GeneratedId>();
        }
    }

    #[test]
    fn other_uuids_are_not_ours() {
        assert!("019a85d6-6d57-7000-8000-000000000000".parse::<GeneratedId>().is_err());
        assert!("not-a-uuid".parse::<GeneratedId>().is_err());
    }
}
