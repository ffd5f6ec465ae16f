//! The direction in which crates may depend on each other, as ARCHITECTURE.md draws it.
#![expect(clippy::expect_used, reason = "these are tests")]

use std::collections::{BTreeMap, BTreeSet};

/// For each crate, the crates of this workspace that it may name. What is not listed may name none.
const MAY_NAME: &[(&str, &[&str])] = &[
    ("memoir-model", &[]),
    ("memoir-text", &[]),
    ("memoir-when", &["memoir-text"]),
    ("memoir-kernels", &[]),
    ("memoir-index", &["memoir-text", "memoir-kernels"]),
    ("memoir-store", &["memoir-model"]),
    ("memoir-sqlite", &["memoir-store", "memoir-model"]),
    ("memoir-postgres", &["memoir-store", "memoir-model"]),
    ("memoir-egress", &[]),
    ("memoir-llm", &["memoir-egress", "memoir-text", "memoir-model"]),
    ("memoir-embed", &["memoir-egress", "memoir-kernels", "memoir-model"]),
    (
        "memoir-engine",
        &[
            "memoir-store",
            "memoir-index",
            "memoir-llm",
            "memoir-embed",
            "memoir-when",
            "memoir-text",
            "memoir-model",
        ],
    ),
    ("memoir-server", &["memoir-engine", "memoir-model"]),
    (
        "memoir",
        &[
            "memoir-server",
            "memoir-engine",
            "memoir-sqlite",
            "memoir-postgres",
            "memoir-store",
            "memoir-llm",
            "memoir-embed",
            "memoir-egress",
            "memoir-when",
            "memoir-model",
        ],
    ),
];

/// Crates that do no I/O and crates that keep to themselves what they know: none of these may be pulled in.
const MUST_NOT_NAME: &[(&str, &[&str])] = &[
    ("memoir-model", &["tokio", "rusqlite", "tokio-postgres", "axum", "reqwest"]),
    ("memoir-text", &["tokio", "rusqlite", "tokio-postgres", "axum", "reqwest"]),
    ("memoir-when", &["tokio", "rusqlite", "tokio-postgres", "axum", "reqwest"]),
    ("memoir-index", &["tokio", "rusqlite", "tokio-postgres", "axum", "reqwest"]),
    ("memoir-kernels", &["tokio", "rusqlite", "tokio-postgres", "axum", "reqwest"]),
    ("memoir-llm", &["rusqlite", "tokio-postgres", "axum", "reqwest", "hyper"]),
    ("memoir-embed", &["rusqlite", "tokio-postgres", "axum", "reqwest", "hyper"]),
    ("memoir-store", &["rusqlite", "tokio-postgres", "axum", "reqwest"]),
    ("memoir-engine", &["rusqlite", "tokio-postgres", "axum", "hyper", "reqwest"]),
    ("memoir-server", &["rusqlite", "tokio-postgres"]),
    ("memoir", &["rusqlite", "tokio-postgres", "axum", "reqwest"]),
];

/// The crates that each package names outside of its tests.
fn named_by_package() -> BTreeMap<String, BTreeSet<String>> {
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo metadata runs");
    let normal = |package: &cargo_metadata::Package| {
        let dependencies = package.dependencies.iter();
        let normal = dependencies.filter(|d| d.kind == cargo_metadata::DependencyKind::Normal);
        normal.map(|dependency| dependency.name.clone()).collect()
    };
    metadata.packages.iter().map(|package| (package.name.to_string(), normal(package))).collect()
}

#[test]
fn crates_depend_on_each_other_in_one_direction() {
    let named = named_by_package();
    let ours: BTreeSet<&String> = named.keys().collect();
    for (package, dependencies) in &named {
        if package == "memoir-testkit" || package == "memoir-bench" {
            continue;
        }
        let (_, allowed) = MAY_NAME.iter().find(|(name, _)| name == package).unwrap_or_else(|| {
            panic!("{package} has no place in the direction; say in this table what it may name")
        });
        for dependency in dependencies.iter().filter(|dependency| ours.contains(dependency)) {
            assert!(allowed.contains(&dependency.as_str()), "{package} must not name {dependency}");
        }
    }
}

#[test]
fn what_a_crate_must_not_know_it_does_not_name() {
    let named = named_by_package();
    for (package, forbidden) in MUST_NOT_NAME {
        for dependency in *forbidden {
            assert!(!named[*package].contains(*dependency), "{package} must not name {dependency}");
        }
    }
}

#[test]
fn test_parts_never_reach_the_product() {
    for (package, dependencies) in named_by_package() {
        if package != "memoir-bench" {
            assert!(!dependencies.contains("memoir-testkit"), "{package} ships the testkit");
        }
    }
}
