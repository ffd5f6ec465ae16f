//! LEB128 numbers of 32 bits: seven bits a byte, low first, the high bit says that more follow.

/// The most bytes that one number takes.
pub(crate) const MAX_LEN: usize = 5;

/// Appends a number.
pub(crate) fn push(out: &mut Vec<u8>, value: u32) {
    let mut buffer = [0; MAX_LEN];
    let len = write(&mut buffer, value);
    out.extend_from_slice(&buffer[..len]);
}

/// Writes a number at the start of the buffer and returns its length.
#[inline]
pub(crate) fn write(buffer: &mut [u8; MAX_LEN], mut value: u32) -> usize {
    let mut len = 0;
    while value >= 0x80 {
        buffer[len] = value as u8 | 0x80;
        value >>= 7;
        len += 1;
    }
    buffer[len] = value as u8;
    len + 1
}

/// Takes a number from the front, or nothing if the bytes end early or the number is over 32 bits.
#[inline]
pub(crate) fn read(bytes: &mut &[u8]) -> Option<u32> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    if first < 0x80 {
        return Some(u32::from(first));
    }
    read_long(bytes, first)
}

fn read_long(bytes: &mut &[u8], first: u8) -> Option<u32> {
    let mut value = u64::from(first & 0x7f);
    for at in 1..MAX_LEN {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << (7 * at);
        if byte < 0x80 {
            return u32::try_from(value).ok();
        }
    }
    None
}

/// Takes the bytes of `count` numbers from the front without reading them.
#[inline]
pub(crate) fn take<'a>(bytes: &mut &'a [u8], count: u32) -> Option<&'a [u8]> {
    let mut len = 0;
    for _ in 0..count {
        while *bytes.get(len)? >= 0x80 {
            len += 1;
        }
        len += 1;
    }
    let (taken, rest) = bytes.split_at_checked(len)?;
    *bytes = rest;
    Some(taken)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_come_back_as_they_were(values in prop::collection::vec(any::<u32>(), 0..20)) {
            let mut bytes = Vec::new();
            for &value in &values {
                push(&mut bytes, value);
            }
            let mut rest = bytes.as_slice();
            for &value in &values {
                prop_assert_eq!(read(&mut rest), Some(value));
            }
            prop_assert_eq!(read(&mut rest), None);
            let mut rest = bytes.as_slice();
            prop_assert_eq!(take(&mut rest, values.len() as u32), Some(bytes.as_slice()));
        }
    }

    #[test]
    fn a_number_over_32_bits_is_refused() {
        assert_eq!(read(&mut [0xff, 0xff, 0xff, 0xff, 0x0f].as_slice()), Some(u32::MAX));
        assert_eq!(read(&mut [0xff, 0xff, 0xff, 0xff, 0x1f].as_slice()), None);
        assert_eq!(read(&mut [0xff, 0xff, 0xff, 0xff, 0xff, 0x01].as_slice()), None);
        assert_eq!(read(&mut [0x80].as_slice()), None);
    }
}
