use memoir_model::GenerationId;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// How a model makes one vector of many tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pooling {
    /// The mean of all tokens.
    Mean,
    /// The first token.
    Cls,
    /// The greatest of each number.
    Max,
    /// Whatever a server does.
    Remote,
}

impl Pooling {
    fn as_str(self) -> &'static str {
        match self {
            Pooling::Mean => "mean",
            Pooling::Cls => "cls",
            Pooling::Max => "max",
            Pooling::Remote => "remote",
        }
    }
}

/// How vectors are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    /// The model's name.
    pub model: String,
    /// What tells its versions apart: a digest of its weights, or what a server says.
    pub revision: String,
    /// What is put before a question.
    pub query_prefix: String,
    /// What is put before a document.
    pub document_prefix: String,
    /// How many tokens become one vector.
    pub pooling: Pooling,
    /// How many numbers a vector has.
    pub dimension: usize,
}

impl Recipe {
    /// The generation that its vectors belong to: the same for the same recipe, another for any other.
    pub fn generation(&self) -> memoir_model::Result<GenerationId> {
        let Recipe { model, revision, query_prefix, document_prefix, pooling, dimension } = self;
        let mut hash = Sha256::new();
        for part in [model, revision, query_prefix, document_prefix] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let digest: String = hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let mut name = model.as_str();
        while name.len() > 120 {
            name = name.split_at(name.char_indices().next_back().map_or(0, |(at, _)| at)).0;
        }
        GenerationId::new(format!("{name}/{}/{dimension}/{digest}", pooling.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe() -> Recipe {
        Recipe {
            model: "e5".into(),
            revision: "1".into(),
            query_prefix: "query: ".into(),
            document_prefix: "passage: ".into(),
            pooling: Pooling::Mean,
            dimension: 384,
        }
    }

    #[test]
    fn every_part_of_a_recipe_tells_generations_apart() {
        let others = [
            Recipe { model: "e6".into(), ..recipe() },
            Recipe { revision: "2".into(), ..recipe() },
            Recipe { query_prefix: String::new(), ..recipe() },
            Recipe { document_prefix: "query: ".into(), ..recipe() },
            Recipe { pooling: Pooling::Cls, ..recipe() },
            Recipe { dimension: 768, ..recipe() },
        ];
        let own = recipe().generation().unwrap();
        assert_eq!(own, recipe().generation().unwrap());
        for other in others {
            assert_ne!(own, other.generation().unwrap(), "{other:?}");
        }
    }

    #[test]
    fn a_long_name_is_cut() {
        let long = Recipe { model: "模".repeat(200), ..recipe() };
        assert!(long.generation().unwrap().as_str().len() <= GenerationId::LONGEST);
    }
}
