//! The `memoir` binary: commands, configuration, wiring. The only place that names a concrete store.

mod commands;
mod embedding;
mod models;
mod output;
mod reranking;
mod settings;
mod wiring;

use clap::{Parser, Subcommand};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::commands::{
    backfill, backup, config, context, demo, doctor, erase, export, import, keys, recall, restore, serve,
    timeline, when,
};
use crate::output::Output;
use crate::settings::{Resolved, assignment, find_file};

/// A request makes many small allocations on one thread and frees them on another.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A memory for chat products: verbatim messages, sessions, search, in Chinese and English.
#[derive(Parser)]
#[command(name = "memoir", version, propagate_version = true, max_term_width = 110)]
struct Arguments {
    /// The configuration file; ./memoir.toml when it exists.
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// One setting for this run, such as --set server.listen=127.0.0.1:8080; may be repeated.
    #[arg(long, global = true, value_name = "NAME=VALUE", value_parser = assignment)]
    set: Vec<(String, String)>,
    /// The database, such as postgres://USER@HOST/DATABASE; the same as --set store.url=URL. A password belongs into the
    /// environment (MEMOIR_STORE_URL), where others do not see it.
    #[arg(long, global = true, value_name = "URL")]
    store: Option<String>,
    /// Print JSON instead of text for people.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Start the server.
    Serve(serve::Serve),
    /// Load a small bilingual sample into a temporary store and walk through it.
    Demo(demo::Demo),
    /// Bring messages in from NDJSON, an export of Memoir, or ChatGPT's conversations.json.
    Import(import::Import),
    /// Write everything in a space as NDJSON.
    Export(export::Export),
    /// Erase a space with everything in it.
    Erase(erase::Erase),
    /// Write a consistent copy of the store while it goes on working.
    Backup(backup::Backup),
    /// Put a backup in the place of the store, after examining it.
    Restore(restore::Restore),
    /// Examine the store, the index, the configuration and the disk.
    Doctor(doctor::Doctor),
    /// Show every setting, its value and where it comes from.
    Config(config::Config),
    /// Make, list and revoke API keys.
    Keys(keys::Keys),
    /// Show, test, fetch and calibrate models.
    Models(commands::models::Models),
    /// Find the messages of a space that matter for a message.
    Recall(recall::Recall),
    /// Print what a model should know of a space for its reply to a message.
    Context(context::Context),
    /// Show what the sessions, days, weeks or months of a space came to.
    Timeline(timeline::Timeline),
    /// Make the summaries that are missing for what was said before.
    Backfill(backfill::Backfill),
    /// Say which times a sentence speaks of, and whether it asks about past talk.
    When(when::When),
}

fn main() -> ExitCode {
    let arguments = Arguments::try_parse().unwrap_or_else(|error| misuse(&error));
    let output = Output::new(arguments.json);
    match run(arguments, output) {
        Ok(code) => code,
        Err(error) => {
            output.failure(&error);
            ExitCode::FAILURE
        }
    }
}

/// Ends the program because the arguments make no sense, or because they only ask for help.
fn misuse(error: &clap::Error) -> ! {
    // The arguments could not be read, so that this one is looked for by hand.
    let json = std::env::args_os().any(|argument| argument == "--json");
    if !(json && error.use_stderr()) {
        error.exit();
    }
    let text = error.render().to_string();
    let message = text.trim_end().trim_start_matches("error: ").to_owned();
    Output::new(true).failure(&anyhow::Error::msg(message));
    std::process::exit(error.exit_code())
}

fn run(arguments: Arguments, output: Output) -> anyhow::Result<ExitCode> {
    if let Command::Config(config) = &arguments.command
        && config.example
    {
        let example = settings::toml_example();
        output.result(&serde_json::json!({ "example": example }), || example.trim_end().to_owned())?;
        return Ok(ExitCode::SUCCESS);
    }
    let file = find_file(arguments.config, Path::new(""));
    // A variable that is not Unicode cannot be one of ours.
    let environment =
        std::env::vars_os().filter_map(|(k, v)| Some((k.into_string().ok()?, v.into_string().ok()?)));
    let mut flags = arguments.set;
    flags.extend(arguments.store.map(|url| ("store.url".to_owned(), url)));
    if let Command::Serve(serve) = &arguments.command {
        flags.extend(serve.flags());
    }
    let resolved = match Resolved::load(file.as_deref(), environment, &flags) {
        Ok(resolved) => resolved,
        Err(error) => {
            output.failure(&anyhow::Error::new(error));
            return Ok(ExitCode::from(2));
        }
    };
    wiring::start_log(resolved.settings());
    wiring::choose_instructions(resolved.settings());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let settings = resolved.settings();
        match arguments.command {
            Command::Serve(command) => command.run(settings, output).await,
            Command::Demo(command) => command.run(settings, output).await,
            Command::Import(command) => command.run(settings, output).await,
            Command::Export(command) => command.run(settings, output).await,
            Command::Erase(command) => command.run(settings, output).await,
            Command::Backup(command) => command.run(settings, output).await,
            Command::Restore(command) => command.run(settings, output),
            Command::Doctor(command) => command.run(settings, output).await,
            Command::Config(command) => command.run(&resolved, output),
            Command::Keys(command) => command.run(settings, output).await,
            Command::Models(command) => command.run(settings, output).await,
            Command::Recall(command) => command.run(settings, output).await,
            Command::Context(command) => command.run(settings, output).await,
            Command::Timeline(command) => command.run(settings, output).await,
            Command::Backfill(command) => command.run(settings, output).await,
            Command::When(command) => command.run(settings, output),
        }
    })
}
