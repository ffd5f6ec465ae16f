//! What a model wants before questions and documents.

use serde::Deserialize;

use super::files::Files;
use super::options::LocalOptions;
use crate::EmbedError;

/// What is put before texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Prefixes {
    pub(super) query: String,
    pub(super) document: String,
}

/// `memoir.json`, which an operator may put into a model's folder.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Own {
    query_prefix: Option<String>,
    document_prefix: Option<String>,
}

impl Prefixes {
    /// From the options, else the folder's `memoir.json`, else what the model's family is known to want.
    pub(super) fn read(files: &Files, options: &LocalOptions, model: &str) -> Result<Self, EmbedError> {
        let own: Own = files.json_if_there("memoir.json")?.unwrap_or_default();
        let (query, document) = family(model);
        let choose = |option: &Option<String>, own: Option<String>, known: &str| {
            option.clone().or(own).unwrap_or_else(|| known.to_owned())
        };
        Ok(Self {
            query: choose(&options.query_prefix, own.query_prefix, query),
            document: choose(&options.document_prefix, own.document_prefix, document),
        })
    }
}

fn family(model: &str) -> (&'static str, &'static str) {
    let name = model.to_lowercase();
    let mut parts = name.split(['-', '_']);
    if parts.any(|part| part == "e5") {
        return ("query: ", "passage: ");
    }
    match name.starts_with("bge-") && !name.starts_with("bge-m3") {
        true if name.contains("-zh") => ("为这个句子生成表示以用于检索相关文章：", ""),
        true if name.contains("-en") => ("Represent this sentence for searching relevant passages: ", ""),
        _ => ("", ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_known_by_name() {
        assert_eq!(family("multilingual-e5-small"), ("query: ", "passage: "));
        assert_eq!(family("e5-base-v2").1, "passage: ");
        assert!(family("bge-small-zh-v1.5").0.starts_with("为这个句子"));
        assert!(family("BGE-base-en-v1.5").0.starts_with("Represent"));
        for other in ["all-MiniLM-L6-v2", "m3e-small", "bge-m3", "type5-model"] {
            assert_eq!(family(other), ("", ""));
        }
    }

    #[test]
    fn options_come_before_the_folder_and_the_folder_before_the_family() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::new(folder.path()).unwrap();
        let mut options = LocalOptions::default();
        let read = |options: &LocalOptions| Prefixes::read(&files, options, "e5-small").unwrap();
        assert_eq!(read(&options).query, "query: ");
        std::fs::write(folder.path().join("memoir.json"), r#"{"query_prefix": "Q "}"#).unwrap();
        assert_eq!(read(&options), Prefixes { query: "Q ".into(), document: "passage: ".into() });
        options.query_prefix = Some(String::new());
        assert_eq!(read(&options).query, "");
        std::fs::write(folder.path().join("memoir.json"), r#"{"query_perfix": "Q "}"#).unwrap();
        let error = Prefixes::read(&files, &options, "e5-small").unwrap_err().to_string();
        assert!(error.contains("memoir.json") && error.contains("query_perfix"), "{error}");
    }
}
