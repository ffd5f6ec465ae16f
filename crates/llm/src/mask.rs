//! Hiding personal data and secrets from models, and putting them back into the answer.

mod digits;
mod kind;
mod sheet;
mod unmask;

use regex::Regex;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::ConfigError;

pub use kind::MaskKind;
pub use sheet::Sheet;
pub use unmask::StreamUnmasker;

/// What is masked.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MaskConfig {
    /// Which kinds; all of them if unset, none for an empty list.
    pub kinds: Vec<MaskKind>,
    /// Patterns of one's own.
    pub extra: Vec<ExtraPattern>,
}

impl Default for MaskConfig {
    fn default() -> Self {
        MaskConfig { kinds: MaskKind::ALL.to_vec(), extra: Vec::new() }
    }
}

/// A pattern of one's own.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtraPattern {
    /// What its placeholders are called.
    pub name: String,
    /// A regular expression.
    pub pattern: String,
}

/// Finds what is to be masked.
#[derive(Debug)]
pub struct Masker {
    rules: Vec<Rule>,
    /// What looks like a placeholder of ours but was in the text before.
    lookalike: Regex,
}

#[derive(Debug)]
struct Rule {
    name: String,
    regex: Regex,
    /// Whether a match is what it looks like, by its digits and by what stands around it.
    holds: fn(&str, Range<usize>) -> bool,
}

impl Masker {
    /// Reads the patterns; the error names the one that is wrong.
    pub fn new(config: &MaskConfig) -> Result<Self, ConfigError> {
        let mut rules = Vec::new();
        for (at, ExtraPattern { name, pattern }) in config.extra.iter().enumerate() {
            let setting = |field: &str| format!("models.mask.extra[{at}].{field}");
            if name.is_empty() || !name.chars().all(|c| c.is_ascii_lowercase() || c == '_') {
                return Err(ConfigError::new(setting("name"), "must be a word of small letters"));
            }
            let wrong = |_| ConfigError::new(setting("pattern"), "is not a regular expression");
            rules.push(Rule {
                name: name.clone(),
                regex: Regex::new(pattern).map_err(wrong)?,
                holds: |_, found| !found.is_empty(),
            });
        }
        for pattern in kind::PATTERNS.iter().filter(|pattern| config.kinds.contains(&pattern.kind)) {
            rules.push(pattern.rule()?);
        }
        let mut names: Vec<&str> = rules.iter().map(|rule| rule.name.as_str()).collect();
        names.dedup();
        let lookalike = Regex::new(&format!("(?:{})-[0-9]+", names.join("|")))
            .map_err(|_| ConfigError::new("models.mask", "has patterns that cannot be used together"))?;
        Ok(Masker { rules, lookalike })
    }

    /// What is to be masked in `text`: where, and as what. In order, none inside another; an earlier rule wins.
    fn find(&self, text: &str) -> Vec<(Range<usize>, &str)> {
        let mut found: BTreeMap<usize, (usize, &str)> = BTreeMap::new();
        for rule in &self.rules {
            let mut from = 0;
            while let Some(matched) = rule.regex.find_at(text, from) {
                let range = matched.range();
                let before = found.range(..range.end).next_back();
                let free = before.is_none_or(|(_, (end, _))| *end <= range.start);
                if free && (rule.holds)(text, range.clone()) {
                    from = range.end;
                    found.insert(range.start, (range.end, &rule.name));
                } else {
                    from = range.start + text[range.start..].chars().next().map_or(1, char::len_utf8);
                }
                if from > text.len() {
                    break;
                }
            }
        }
        found.into_iter().map(|(start, (end, name))| (start..end, name)).collect()
    }
}
