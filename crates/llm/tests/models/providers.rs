use memoir_egress::{Client, Policy};
use memoir_llm::{
    BreakerState, KeyOrigin, ProbeTarget, Reason, Registry, RegistryConfig, Role, Surroundings, system_clock,
};
use memoir_testkit::{Act, FakeModels};

use crate::world::{KEY, World, given, question};

fn build(config: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Registry, String> {
    let config: RegistryConfig = toml::from_str(config).unwrap();
    let surroundings = Surroundings { client: Client::new(Policy::Any), now: system_clock(), variable };
    Registry::new(&config, &surroundings).map_err(|error| error.to_string())
}

#[tokio::test]
async fn azure_has_its_own_paths_and_its_own_header() {
    let models = FakeModels::start().await;
    let config = format!(
        "[roles]\nchat = [\"work:gpt 4o\"]\n\
         [[providers]]\nname = \"work\"\nkind = \"azure\"\nbase_url = \"{}\"\napi_version = \"2025-01-01\"",
        models.azure_url()
    );
    let world = World::build(models, &config);
    given(world.registry.ask(Role::Chat, question("你好")).await.unwrap());
    let sent = &world.models.requests()[0];
    assert_eq!(sent.path, "/openai/deployments/gpt%204o/chat/completions?api-version=2025-01-01");
    assert_eq!((sent.header("api-key"), sent.header("authorization")), (KEY, ""));
}

#[tokio::test]
async fn others_are_sent_a_bearer_and_those_without_a_key_nothing() {
    let models = FakeModels::start().await;
    let url = models.url();
    let config = format!(
        "[roles]\nchat = [\"deepseek:a\"]\nroute = [\"ollama:b:7b\"]\n\
         [[providers]]\nname = \"deepseek\"\nbase_url = \"{url}/\"\n\
         [[providers]]\nname = \"ollama\"\nbase_url = \"{url}\"\nkey_env = \"UNSET\""
    );
    let world = World::build(models, &config);
    given(world.registry.ask(Role::Chat, question("你好")).await.unwrap());
    given(world.registry.ask(Role::Route, question("你好")).await.unwrap());
    let [deepseek, ollama] = &world.models.requests()[..] else { panic!("two requests") };
    assert_eq!(deepseek.path, "/v1/chat/completions");
    assert_eq!(deepseek.header("authorization"), format!("Bearer {KEY}"));
    assert_eq!((ollama.header("authorization"), ollama.model.as_str()), ("", "b:7b"));
    assert_eq!(deepseek.header("user-agent"), format!("memoir/{}", env!("CARGO_PKG_VERSION")));
}

#[tokio::test]
async fn a_provider_without_a_key_is_skipped() {
    let models = FakeModels::start().await;
    let url = models.url();
    let config = format!(
        "[roles]\nsummary = [\"openrouter:m1\", \"siliconflow:m2\"]\n\
         [[providers]]\nname = \"openrouter\"\nbase_url = \"{url}\"\nkey_env = \"UNSET\"\n\
         [[providers]]\nname = \"siliconflow\"\nbase_url = \"{url}\""
    );
    let world = World::build(models, &config);
    assert_eq!(
        given(world.registry.ask(Role::Summary, question("你好")).await.unwrap()).provider,
        "siliconflow"
    );
    assert_eq!(world.models.calls("m1"), 0);
    let chain = world.registry.describe()[1].chain.clone();
    assert_eq!(chain[0].key, KeyOrigin::Missing("UNSET".into()));
    assert_eq!(chain[1].key, KeyOrigin::Environment("SILICONFLOW_API_KEY".into()));
    assert_eq!(chain[1].breaker, BreakerState::Closed);
}

#[test]
fn a_key_may_come_from_a_file() {
    let file = std::env::temp_dir().join(format!("memoir-llm-key-{}", std::process::id()));
    std::fs::write(&file, "sk-from-file\n").unwrap();
    let config = format!(
        "roles.chat = [\"openai:x\"]\n[[providers]]\nname = \"openai\"\nkey_file = {:?}",
        file.display().to_string()
    );
    let registry = build(&config, &|_| None).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(registry.describe()[0].chain[0].key, KeyOrigin::File(file));
    assert!(registry.has(Role::Chat));
    assert!(!format!("{registry:?}").contains("sk-from-file"));
}

#[test]
fn what_is_wrong_names_the_setting_and_the_remedy_but_no_key() {
    let table = [
        (
            "roles.chat = [\"nowhere:x\"]",
            "models.roles.chat: there is no provider nowhere; add it under [[models.providers]]",
        ),
        ("[[providers]]\nkind = \"openai\"", "models.providers[0].name: must be a name without colons"),
        (
            "[[providers]]\nname = \"mine\"",
            "models.providers.mine.kind: must be set, because the name is not that of a kind",
        ),
        ("[[providers]]\nname = \"azure\"", "models.providers.azure.base_url: must be set for this kind"),
        (
            "[[providers]]\nname = \"openai\"\nbase_url = \"https://me:sk-secret@example.com\"",
            "models.providers.openai.base_url: must be plain; a key belongs into key_env or key_file",
        ),
        (
            "[[providers]]\nname = \"openai\"\nconcurrency = 0",
            "models.providers.openai.concurrency: must be at least 1",
        ),
        (
            "[[providers]]\nname = \"openai\"\n[[providers]]\nname = \"openai\"",
            "models.providers[1].name: openai is there twice",
        ),
        (
            "[[providers]]\nname = \"openai\"\nkey_env = \"A\"\nkey_file = \"b\"",
            "models.providers.openai.key_env: set key_env or key_file, not both",
        ),
        (
            "[[providers]]\nname = \"openai\"\nkey_env = \"TWO_LINES\"",
            "models.providers.openai.key_env: the key in TWO_LINES has characters that no key has; is it more than one line?",
        ),
    ];
    for (config, message) in table {
        let error = build(config, &|_| Some("sk-secret\nsk-secret".into())).unwrap_err();
        let without_key = build(config, &|_| None).err();
        assert!(error == message || without_key.as_deref() == Some(message), "{error}");
        assert!(!error.contains("sk-secret"));
    }
}

#[tokio::test]
async fn a_probe_makes_a_round_trip_to_each_model() {
    let world = World::new().await;
    world.models.always("m2", Act::Status(500));
    let probes = world.registry.probe(ProbeTarget::Role(Role::Summary)).await;
    let outcomes: Vec<(&str, &str, Option<Reason>)> =
        probes.iter().map(|p| (p.provider.as_str(), p.model.as_str(), p.failure)).collect();
    assert_eq!(outcomes, [("first", "m1", None), ("second", "m2", Some(Reason::ServerError(500)))]);
    let by_name = world.registry.probe(ProbeTarget::Provider("first")).await;
    assert_eq!((by_name.len(), by_name[0].failure), (1, None));
    assert!(world.registry.probe(ProbeTarget::Provider("nobody")).await.is_empty());
}

#[tokio::test]
async fn a_provider_that_no_role_uses_is_asked_for_its_models() {
    let models = FakeModels::start().await;
    let config = format!("[[providers]]\nname = \"vllm\"\nbase_url = \"{}\"", models.url());
    let world = World::build(models, &config);
    let probes = world.registry.probe(ProbeTarget::Provider("vllm")).await;
    assert_eq!((probes[0].model.as_str(), probes[0].failure), ("", None));
    assert_eq!(world.models.requests()[0].path, "/v1/models");
}

#[test]
fn what_is_described_can_be_printed_as_json() {
    let registry = build("roles.chat = [\"ollama:qwen3:8b\"]", &|_| None).unwrap();
    let link = &serde_json::to_value(registry.describe()).unwrap()[0]["chain"][0];
    let expected = serde_json::json!({
        "provider": "ollama",
        "kind": "ollama",
        "model": "qwen3:8b",
        "base_url": "http://localhost:11434/v1",
        "key": {"from": "not_needed"},
        "breaker": "closed",
        "json": "schema",
    });
    assert_eq!(*link, expected);
}

#[tokio::test]
async fn models_that_work_behind_the_scenes_are_not_public() {
    let config = "[roles]\n\
        memory-summary-model = [\"openrouter:google/gemma-3-12b-it\", \"siliconflow:Qwen/Qwen2.5-7B-Instruct\"]\n\
        chat = [\"deepseek:deepseek-chat\"]";
    let world = World::build(FakeModels::start().await, config);
    let described = world.registry.describe();
    let summary = described.iter().find(|role| role.role == Role::Summary).unwrap();
    let chain: Vec<&str> = summary.chain.iter().map(|link| link.model.as_str()).collect();
    assert_eq!(chain, ["google/gemma-3-12b-it", "Qwen/Qwen2.5-7B-Instruct"]);
    let public: Vec<String> = world.registry.public_models().iter().map(ToString::to_string).collect();
    assert_eq!(public, ["deepseek:deepseek-chat"]);
}
