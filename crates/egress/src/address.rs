use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Networks that are not the public internet, as first address and number of leading bits.
const SPECIAL_V4: &[([u8; 4], u32)] = &[
    ([0, 0, 0, 0], 8),
    ([10, 0, 0, 0], 8),
    ([100, 64, 0, 0], 10),
    ([127, 0, 0, 0], 8),
    ([169, 254, 0, 0], 16),
    ([172, 16, 0, 0], 12),
    ([192, 0, 0, 0], 24),
    ([192, 0, 2, 0], 24),
    ([192, 88, 99, 0], 24),
    ([192, 168, 0, 0], 16),
    ([198, 18, 0, 0], 15),
    ([198, 51, 100, 0], 24),
    ([203, 0, 113, 0], 24),
    ([224, 0, 0, 0], 4),
    ([240, 0, 0, 0], 4),
];

/// Single addresses inside the public ranges where clouds keep the credentials of a machine or answer for the host.
const METADATA_V4: &[[u8; 4]] = &[[100, 100, 100, 200], [168, 63, 129, 16]];

/// Whether an address belongs to the public internet, whichever way it is written.
pub(crate) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let within = |&(network, bits): &([u8; 4], u32)| {
        let mask = u32::MAX << (32 - bits);
        u32::from(address) & mask == u32::from_be_bytes(network)
    };
    !SPECIAL_V4.iter().any(within) && !METADATA_V4.contains(&address.octets())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(inner) = embedded_v4(address) {
        return is_public_v4(inner);
    }
    let [first, second, ..] = address.segments();
    // Only 2000::/3 is given out; of that, Teredo and documentation are not.
    first & 0xe000 == 0x2000 && !(first == 0x2001 && (second < 0x200 || second == 0xdb8)) && first != 0x3fff
}

/// The IPv4 address that an IPv6 address stands for: mapped, compatible, NAT64 or 6to4.
fn embedded_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let of = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match address.segments() {
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(of(high, low)),
        [0, 0, 0, 0, 0, 0, high, low] if high != 0 => Some(of(high, low)),
        [0x2002, high, low, ..] => Some(of(high, low)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_the_public_internet_is_public() {
        let table = [
            ("1.1.1.1", true),
            ("172.15.255.255", true),
            ("172.32.0.1", true),
            ("2606:4700:4700::1111", true),
            ("0.0.0.0", false),
            ("10.1.2.3", false),
            ("100.64.0.1", false),
            ("100.100.100.200", false),
            ("127.0.0.1", false),
            ("168.63.129.16", false),
            ("169.254.169.254", false),
            ("172.16.0.1", false),
            ("172.31.255.255", false),
            ("192.168.1.1", false),
            ("198.19.0.1", false),
            ("224.0.0.1", false),
            ("255.255.255.255", false),
            ("::", false),
            ("::1", false),
            ("::ffff:10.0.0.1", false),
            ("::ffff:8.8.8.8", true),
            ("::127.0.0.1", false),
            ("64:ff9b::a9fe:a9fe", false),
            ("2002:7f00:1::", false),
            ("2001:db8::1", false),
            ("fc00::1", false),
            ("fd00:ec2::254", false),
            ("fe80::1", false),
            ("ff02::1", false),
        ];
        for (address, public) in table {
            assert_eq!(is_public(address.parse().unwrap()), public, "{address}");
        }
    }

    proptest! {
        #[test]
        fn what_the_standard_library_calls_private_is_never_public(bits: u32) {
            let address = Ipv4Addr::from(bits);
            let special = address.is_private() || address.is_loopback() || address.is_link_local()
                || address.is_broadcast() || address.is_multicast() || address.is_unspecified();
            prop_assert!(!special || !is_public(address.into()));
            prop_assert_eq!(is_public(address.into()), is_public(address.to_ipv6_mapped().into()));
        }
    }
}
