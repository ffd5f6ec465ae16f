use clap::Args;
use memoir_engine::{Finding, Severity};
use std::path::Path;
use std::process::ExitCode;

use crate::output::Output;
use crate::settings::{Database, Settings};
use crate::wiring;

/// Below this much room on the disk somebody should look.
const LOW_DISK_BYTES: u64 = 1 << 30;

#[derive(Args)]
pub(crate) struct Doctor {}

impl Doctor {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> anyhow::Result<ExitCode> {
        let mut findings = vec![Finding::fine("configuration", "every setting is known and in range")];
        if let Database::Sqlite(path) = settings.database() {
            findings.push(disk(&path));
        }
        match wiring::open_existing(settings).await {
            Ok(opened) => {
                findings.push(match opened.engine.has_keys().await {
                    Ok(has_keys) => listening(settings, has_keys),
                    Err(error) => unreadable(&error),
                });
                let bar = output.progress(0, "{spinner} examined {msg} {elapsed}");
                let examined = opened.engine.examine(|seen| {
                    bar.set_message(format!("{} messages in {} spaces", seen.messages, seen.spaces));
                    bar.tick();
                });
                match examined.await {
                    Ok(found) => findings.extend(found),
                    Err(error) => findings.push(unreadable(&error)),
                }
                bar.finish_and_clear();
            }
            Err(error) => findings.push(Finding::broken(
                "store",
                format!("{error:#}"),
                "see the message; check store.url, or restore a backup if the store is damaged",
            )),
        }
        let worst = findings.iter().map(|finding| finding.severity).max().unwrap_or(Severity::Fine);
        output.result(&findings, || {
            let lines = findings.iter().map(|finding| {
                let mark = match finding.severity {
                    Severity::Fine => "ok     ",
                    Severity::Warning => "warning",
                    Severity::Broken => "BROKEN ",
                };
                let remedy = if finding.remedy.is_empty() {
                    String::new()
                } else {
                    format!("\n         remedy: {}", finding.remedy)
                };
                format!("{mark}  {}: {}{remedy}", finding.subject, finding.finding)
            });
            lines.collect::<Vec<_>>().join("\n")
        })?;
        Ok(if worst == Severity::Broken { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

fn unreadable(error: &memoir_model::Error) -> Finding {
    Finding::broken("store", error.to_string(), error.code().remedy())
}

fn listening(settings: &Settings, has_keys: bool) -> Finding {
    let address = settings.server.listen;
    match memoir_server::check_address(address, has_keys) {
        Ok(()) if has_keys => Finding::fine("access", format!("keys are required on {address}")),
        Ok(()) => Finding::fine("access", format!("no keys: only this machine is served, on {address}")),
        Err(error) => {
            Finding::broken("access", error.to_string(), "make a key with `memoir keys create --role admin`")
        }
    }
}

fn disk(store: &Path) -> Finding {
    let folder = store.ancestors().skip(1).find(|folder| folder.exists() && !folder.as_os_str().is_empty());
    match rustix::fs::statvfs(folder.unwrap_or(Path::new("."))) {
        Ok(disk) => {
            let free = disk.f_bavail.saturating_mul(disk.f_frsize);
            let text = format!("{} MiB free", free >> 20);
            if free < LOW_DISK_BYTES {
                Finding::warning("disk", text, "free space, or move data.dir to a larger disk")
            } else {
                Finding::fine("disk", text)
            }
        }
        Err(error) => {
            Finding::warning("disk", format!("cannot be asked: {error}"), "check that data.dir exists")
        }
    }
}
