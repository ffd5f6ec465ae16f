use regex::Regex;
use serde::{Deserialize, Serialize};
use std::ops::Range;

use super::Rule;
use super::digits::{digits, is_card, is_chinese_id, stands_alone};
use crate::ConfigError;

/// A kind of thing that is masked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MaskKind {
    /// Keys, tokens and private keys.
    Secret,
    /// E-mail addresses.
    Email,
    /// Chinese id numbers.
    IdNumber,
    /// Bank cards.
    Card,
    /// Telephone numbers.
    Phone,
}

impl MaskKind {
    /// Every kind.
    pub const ALL: [MaskKind; 5] =
        [MaskKind::Secret, MaskKind::Email, MaskKind::IdNumber, MaskKind::Card, MaskKind::Phone];

    /// What its placeholders are called.
    fn placeholder(self) -> &'static str {
        match self {
            MaskKind::Secret => "secret",
            MaskKind::Email => "email",
            MaskKind::IdNumber => "id",
            MaskKind::Card => "card",
            MaskKind::Phone => "phone",
        }
    }
}

/// How one kind of thing is written. `\d` stands for a digit, wide or not. Repetitions have an end, so that a match that
/// does not hold costs little.
pub(super) struct Pattern {
    pub(super) kind: MaskKind,
    written: &'static str,
    holds: fn(&str, Range<usize>) -> bool,
}

/// The patterns, in the order in which they win over each other.
pub(super) const PATTERNS: &[Pattern] = &[
    Pattern {
        kind: MaskKind::Secret,
        written: r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----",
        holds: |_, _| true,
    },
    Pattern {
        kind: MaskKind::Secret,
        written: r"(?-u:\b)eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
        holds: alone,
    },
    Pattern {
        kind: MaskKind::Secret,
        written: concat!(
            r"(?-u:\b)(?:(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}",
            r"|(?:AKIA|ASIA)[A-Z0-9]{16}",
            r"|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{20,}",
            r"|hf_[A-Za-z0-9]{20,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|AIza[A-Za-z0-9_-]{35})",
        ),
        holds: alone,
    },
    Pattern {
        kind: MaskKind::Email,
        written: r"(?-u:\b)[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}",
        holds: alone,
    },
    Pattern {
        kind: MaskKind::IdNumber,
        written: r"[1-9１-９]\d{16}[0-9０-９XxＸｘ]",
        holds: |text, found| stands_alone(text, &found) && is_chinese_id(&text[found]),
    },
    Pattern {
        kind: MaskKind::Card,
        written: r"[2-6２-６](?:[ -]?\d){12,18}",
        holds: |text, found| stands_alone(text, &found) && is_card(&text[found]),
    },
    // A mobile number in China.
    Pattern {
        kind: MaskKind::Phone,
        written: r"(?:[+＋]?[8８][6６][ -]?)?[1１][3-9３-９]\d[ -]?\d{4}[ -]?\d{4}",
        holds: alone,
    },
    // With its country.
    Pattern {
        kind: MaskKind::Phone,
        written: r"[+＋]\d{1,3}(?:[ .-]?\(?\d{1,4}\)?){2,5}",
        holds: |text, found| stands_alone(text, &found) && (8..=15).contains(&digits(&text[found]).len()),
    },
    // A line in China, and a number in North America.
    Pattern {
        kind: MaskKind::Phone,
        written: r"\(?0\d{2,3}\)?[ -]\d{7,8}|\(?[2-9]\d{2}\)?[ .-]\d{3}[.-]\d{4}",
        holds: alone,
    },
];

fn alone(text: &str, found: Range<usize>) -> bool {
    stands_alone(text, &found)
}

impl Pattern {
    pub(super) fn rule(&self) -> Result<Rule, ConfigError> {
        let regex = Regex::new(&self.written.replace(r"\d", "[0-9０-９]"));
        Ok(Rule {
            name: self.kind.placeholder().to_owned(),
            regex: regex.map_err(|_| ConfigError::new("models.mask.kinds", "has a pattern that is wrong"))?,
            holds: self.holds,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MaskConfig, Masker};

    #[test]
    fn personal_data_and_secrets_are_found_in_both_languages() {
        let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N";
        let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAK\n-----END RSA PRIVATE KEY-----";
        let table: &[(&str, &[(&str, &str)])] = &[
            ("我的电话是13800138000，随时打", &[("phone", "13800138000")]),
            ("打138 0013 8000或138-0013-8000", &[("phone", "138 0013 8000"), ("phone", "138-0013-8000")]),
            ("手机：１３８００１３８０００。", &[("phone", "１３８００１３８０００")]),
            ("call +86 13800138000 now", &[("phone", "+86 13800138000")]),
            ("ring me at +1 (415) 555-2671.", &[("phone", "+1 (415) 555-2671")]),
            ("or +44 20 7946 0958", &[("phone", "+44 20 7946 0958")]),
            ("座机010-62345678转3", &[("phone", "010-62345678")]),
            ("555-123-4567 is mine", &[("phone", "555-123-4567")]),
            ("身份证11010519491231002X号", &[("id", "11010519491231002X")]),
            ("卡号6222021234567890128，工行", &[("card", "6222021234567890128")]),
            ("my card: 4111 1111 1111 1111", &[("card", "4111 1111 1111 1111")]),
            ("邮箱zhang.san+a@mail.example.com.cn。谢谢", &[("email", "zhang.san+a@mail.example.com.cn")]),
            ("use sk-proj-abcdefghijklmnop1234", &[("secret", "sk-proj-abcdefghijklmnop1234")]),
            ("密钥AKIAIOSFODNN7EXAMPLE在此", &[("secret", "AKIAIOSFODNN7EXAMPLE")]),
            (
                "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
                &[("secret", "ghp_abcdefghijklmnopqrstuvwxyz0123456789")],
            ),
            (jwt, &[("secret", jwt)]),
            (key, &[("secret", key)]),
        ];
        let masker = Masker::new(&MaskConfig::default()).unwrap();
        for (text, expected) in table {
            let found: Vec<(&str, &str)> =
                masker.find(text).into_iter().map(|(range, name)| (name, &text[range])).collect();
            assert_eq!(found, *expected, "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_it_stays() {
        let masker = Masker::new(&MaskConfig::default()).unwrap();
        let table = [
            "订单号20240101138001380009",
            "version 1.2.3 on 192.168.1.10:8080",
            "2026-03-01 12:30:45",
            "卡号6222021234567890129不对",
            "身份证110105194912310021",
            "task-abcdefghijklmnopqrstuvwxyz",
            "圆周率3.14159265358979",
            "价格：12800元，13800",
            "@zhang 你好 a@b",
        ];
        for text in table {
            assert_eq!(masker.find(text), [], "{text}");
        }
    }
}
