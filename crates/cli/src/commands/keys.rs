use clap::{Args, Subcommand};
use memoir_engine::NewKey;
use memoir_model::{ApiKey, KeyId, Role, SpaceId, TenantId};
use serde_json::json;
use std::process::ExitCode;

use crate::output::Output;
use crate::settings::Settings;
use crate::wiring;

#[derive(Args)]
pub(crate) struct Keys {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Make a key and print its token, this once.
    Create {
        /// admin, write, read, or self (bound to one space).
        #[arg(long)]
        role: String,
        /// The tenant; created when it does not exist.
        #[arg(long, default_value = "default")]
        tenant: String,
        /// The one space that a key of role self reads.
        #[arg(long)]
        space: Option<String>,
        /// What people call it.
        #[arg(long, default_value = "")]
        label: String,
    },
    /// List the keys of a tenant.
    List {
        /// The tenant.
        #[arg(long, default_value = "default")]
        tenant: String,
    },
    /// Revoke a key.
    Revoke {
        /// The public part of the key, as `list` shows it.
        id: String,
    },
}

impl Keys {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> anyhow::Result<ExitCode> {
        // The first key is made before the first start.
        let opened = match self.action {
            Action::Create { .. } => wiring::open(settings).await?,
            Action::List { .. } | Action::Revoke { .. } => wiring::open_existing(settings).await?,
        };
        let (engine, caller) = (&opened.engine, wiring::operator(None)?);
        match self.action {
            Action::Create { role, tenant, space, label } => {
                let (role, tenant) = (role.parse::<Role>()?, TenantId::new(tenant)?);
                let space = space.map(|space| space.parse::<SpaceId>()).transpose()?;
                ApiKey::check_binding(role, space.as_ref())?;
                if !engine.tenants(&caller).await?.iter().any(|known| known.id == tenant) {
                    engine.put_tenant(&caller, tenant.clone(), String::new()).await?;
                }
                let new = NewKey { tenant: Some(tenant), role, space, label };
                let issued = engine.create_key(&caller, new).await?;
                let value = json!({ "token": issued.token, "key": view(&issued.key) });
                output.result(&value, || {
                    format!(
                        "{}\n\nThis is a key of role {} for tenant {}. It is shown this once: keep it safe.\nSend it as: \
                         Authorization: Bearer {}",
                        issued.token,
                        issued.key.role.as_str(),
                        issued.key.tenant,
                        issued.token
                    )
                })?;
            }
            Action::List { tenant } => {
                let keys = engine.keys(&caller, Some(&TenantId::new(tenant)?)).await?;
                let views: Vec<_> = keys.iter().map(view).collect();
                output.result(&views, || {
                    let lines = keys.iter().map(|key| {
                        let state = if key.revoked_at.is_some() { "revoked" } else { "active" };
                        let space = key.space.as_ref().map(ToString::to_string).unwrap_or_default();
                        format!(
                            "{:14} {:7} {:8} {}  {} {}",
                            key.id,
                            key.role.as_str(),
                            state,
                            key.created_at,
                            key.label,
                            space
                        )
                    });
                    if keys.is_empty() { "no keys".to_owned() } else { lines.collect::<Vec<_>>().join("\n") }
                })?;
            }
            Action::Revoke { id } => {
                let key = engine.revoke_key(&caller, &KeyId::new(id)?).await?;
                output.result(&view(&key), || format!("{} is revoked", key.id))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn view(key: &ApiKey) -> serde_json::Value {
    json!({
        "id": key.id, "tenant": key.tenant, "role": key.role, "space": key.space, "label": key.label,
        "created_at": key.created_at, "revoked_at": key.revoked_at,
    })
}
