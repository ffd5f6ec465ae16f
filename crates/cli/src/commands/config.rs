use clap::Args;
use std::process::ExitCode;

use crate::output::Output;
use crate::settings::Resolved;

#[derive(Args)]
pub(crate) struct Config {
    /// Print a commented configuration file with every default.
    #[arg(long)]
    pub(crate) example: bool,
}

impl Config {
    pub(crate) fn run(self, resolved: &Resolved, output: Output) -> anyhow::Result<ExitCode> {
        let rows = resolved.rows();
        output.result(&rows, || {
            let width =
                |text: fn(&crate::settings::Row) -> usize| rows.iter().map(text).max().unwrap_or_default();
            let (names, values) = (width(|row| row.name.len()), width(|row| row.value.len()));
            let line = |row: &crate::settings::Row| {
                format!(
                    "{:names$}  {:values$}  {:12}  {}",
                    row.name,
                    row.value,
                    row.source.to_string(),
                    row.doc
                )
            };
            rows.iter().map(line).collect::<Vec<_>>().join("\n")
        })?;
        Ok(ExitCode::SUCCESS)
    }
}
