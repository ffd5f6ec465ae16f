use serde::{Deserialize, Serialize};

use crate::accepts::{JsonMode, TokenField};

/// Which server a provider is. All speak OpenAI's protocol; each has its own habits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProviderKind {
    /// OpenAI.
    OpenAi,
    /// Azure OpenAI: the model is the name of a deployment.
    Azure,
    /// OpenRouter.
    OpenRouter,
    /// SiliconFlow, 硅基流动.
    SiliconFlow,
    /// Zhipu, 智谱.
    Zhipu,
    /// DashScope, 百炼.
    DashScope,
    /// DeepSeek.
    DeepSeek,
    /// Ollama.
    Ollama,
    /// vLLM.
    Vllm,
    /// The server of llama.cpp.
    #[serde(alias = "llama.cpp")]
    LlamaCpp,
    /// Any other server.
    Other,
}

/// How a key is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyHeader {
    /// `Authorization: Bearer …`
    Bearer,
    /// `api-key: …`
    ApiKey,
}

/// The habits of one kind of server. What is a guess here is corrected by what a server answers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quirks {
    pub(crate) kind: ProviderKind,
    pub(crate) name: &'static str,
    /// Empty where there is no usual one.
    pub(crate) base_url: &'static str,
    /// Empty where a key is not needed.
    pub(crate) key_env: &'static str,
    pub(crate) key_header: KeyHeader,
    pub(crate) json: JsonMode,
    pub(crate) tokens: TokenField,
    /// Whether a stream may be asked to say what it cost.
    pub(crate) stream_usage: bool,
    pub(crate) parallel_tool_calls: bool,
}

const TABLE: &[Quirks] = &[
    Quirks {
        tokens: TokenField::MaxCompletionTokens,
        ..hosted(ProviderKind::OpenAi, "openai", "https://api.openai.com/v1", "OPENAI_API_KEY")
    },
    Quirks {
        key_header: KeyHeader::ApiKey,
        tokens: TokenField::MaxCompletionTokens,
        ..hosted(ProviderKind::Azure, "azure", "", "AZURE_OPENAI_API_KEY")
    },
    hosted(ProviderKind::OpenRouter, "openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    Quirks {
        json: JsonMode::Object,
        parallel_tool_calls: false,
        ..hosted(
            ProviderKind::SiliconFlow,
            "siliconflow",
            "https://api.siliconflow.cn/v1",
            "SILICONFLOW_API_KEY",
        )
    },
    Quirks {
        json: JsonMode::Object,
        parallel_tool_calls: false,
        ..hosted(ProviderKind::Zhipu, "zhipu", "https://open.bigmodel.cn/api/paas/v4", "ZHIPU_API_KEY")
    },
    Quirks {
        json: JsonMode::Object,
        ..hosted(
            ProviderKind::DashScope,
            "dashscope",
            "https://dashscope.aliyuncs.com/compatible-mode/v1",
            "DASHSCOPE_API_KEY",
        )
    },
    Quirks {
        json: JsonMode::Object,
        parallel_tool_calls: false,
        ..hosted(ProviderKind::DeepSeek, "deepseek", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY")
    },
    Quirks {
        parallel_tool_calls: false,
        ..hosted(ProviderKind::Ollama, "ollama", "http://localhost:11434/v1", "")
    },
    hosted(ProviderKind::Vllm, "vllm", "http://localhost:8000/v1", ""),
    hosted(ProviderKind::LlamaCpp, "llamacpp", "http://localhost:8080/v1", ""),
    hosted(ProviderKind::Other, "other", "", ""),
];

/// The habits that most share.
const fn hosted(
    kind: ProviderKind,
    name: &'static str,
    base_url: &'static str,
    key_env: &'static str,
) -> Quirks {
    Quirks {
        kind,
        name,
        base_url,
        key_env,
        key_header: KeyHeader::Bearer,
        json: JsonMode::Schema,
        tokens: TokenField::MaxTokens,
        stream_usage: true,
        parallel_tool_calls: true,
    }
}

impl ProviderKind {
    /// The kind of this name, which is also what a provider is called by default.
    pub fn named(name: &str) -> Option<Self> {
        TABLE.iter().find(|quirks| quirks.name == name).map(|quirks| quirks.kind)
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        self.quirks().name
    }

    pub(crate) fn quirks(self) -> &'static Quirks {
        #[expect(clippy::expect_used, reason = "a test holds that every kind has its line")]
        TABLE.iter().find(|quirks| quirks.kind == self).expect("a line for every kind")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_line_and_its_name_in_settings() {
        let all = [
            ProviderKind::OpenAi,
            ProviderKind::Azure,
            ProviderKind::OpenRouter,
            ProviderKind::SiliconFlow,
            ProviderKind::Zhipu,
            ProviderKind::DashScope,
            ProviderKind::DeepSeek,
            ProviderKind::Ollama,
            ProviderKind::Vllm,
            ProviderKind::LlamaCpp,
            ProviderKind::Other,
        ];
        assert_eq!(all.len(), TABLE.len());
        for kind in all {
            let name = kind.as_str();
            assert_eq!(ProviderKind::named(name), Some(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), name);
        }
    }
}
