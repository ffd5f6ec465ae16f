use clap::Args;
use memoir_model::SpaceId;
use serde_json::json;
use std::process::ExitCode;

use crate::commands::import;
use crate::output::Output;
use crate::settings::Settings;
use crate::wiring;

#[derive(Args)]
pub(crate) struct Erase {
    /// The space, such as user:alice.
    space: String,
    /// Really do it; without this the command only says what it would erase.
    #[arg(long)]
    yes: bool,
    /// The tenant.
    #[arg(long)]
    tenant: Option<String>,
}

impl Erase {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> anyhow::Result<ExitCode> {
        let opened = wiring::open_existing(settings).await?;
        let (caller, id) = (wiring::operator(self.tenant.as_deref())?, self.space.parse::<SpaceId>()?);
        let space = opened.engine.space(&caller, &id).await?;
        let value = json!({ "space": id, "messages": space.last_seq, "sessions": space.last_session, "erased": self.yes });
        if !self.yes {
            output.result(&value, || {
                let (messages, sessions) = (space.last_seq, space.last_session);
                format!("{id} has {messages} messages in {sessions} sessions. Nothing was erased; repeat with --yes.")
            })?;
            return Ok(ExitCode::FAILURE);
        }
        opened.engine.erase_space(&caller, &id).await?;
        // An import that was interrupted starts at the beginning again: what it had stored is gone.
        import::forget_marks(&settings.data.dir);
        output.result(&value, || {
            format!("{id} is erased: {} messages. The audit log keeps that it happened.", space.last_seq)
        })?;
        Ok(ExitCode::SUCCESS)
    }
}
