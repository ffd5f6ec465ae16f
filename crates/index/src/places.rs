//! Some of the places of a space, and which of them each is.

use crate::bits::Bits;

/// A set of places in ascending order. What is kept for each of them lies side by side, and a place is found there in one
/// step: nothing has to be as long as the whole space.
#[derive(Debug, Clone, Default)]
pub struct Places {
    bits: Bits,
    /// How many places stand before each block of the bits.
    before: Vec<u32>,
    places: Vec<u32>,
}

impl Places {
    /// These places of so many, in any order and as often as they come.
    pub fn of(room: usize, places: impl IntoIterator<Item = u32>) -> Self {
        let mut bits = Bits::with_rows(room);
        places.into_iter().for_each(|place| bits.insert(place as usize));
        Self::from(bits)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The places, ascending.
    pub fn as_slice(&self) -> &[u32] {
        &self.places
    }

    /// Which of them a place is, if it is one.
    #[inline]
    pub fn slot(&self, place: usize) -> Option<usize> {
        let (block, bit) = (self.bits.block(place / 64), place % 64);
        (block >> bit & 1 == 1)
            .then(|| self.before[place / 64] as usize + (block & ((1 << bit) - 1)).count_ones() as usize)
    }
}

impl From<Bits> for Places {
    fn from(bits: Bits) -> Self {
        let mut places = Vec::with_capacity(bits.len());
        let mut before = Vec::with_capacity(bits.blocks().len());
        for (nth, &block) in bits.blocks().iter().enumerate() {
            before.push(places.len() as u32);
            let mut rest = block;
            while rest != 0 {
                places.push(nth as u32 * 64 + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
        Places { bits, before, places }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn every_place_has_its_slot_and_no_other_has_one(places in prop::collection::vec(0..300u32, 0..200)) {
            let found = Places::of(300, places.iter().copied());
            let sorted: Vec<u32> = BTreeSet::from_iter(places).into_iter().collect();
            prop_assert_eq!(found.as_slice(), &sorted[..]);
            prop_assert_eq!((found.len(), found.is_empty()), (sorted.len(), sorted.is_empty()));
            for place in 0..1_000 {
                prop_assert_eq!(found.slot(place), sorted.binary_search(&(place as u32)).ok());
            }
        }
    }
}
