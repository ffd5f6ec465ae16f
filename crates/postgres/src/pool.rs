use deadpool_postgres::{
    Manager, ManagerConfig, Object, Pool as Connections, RecyclingMethod, Runtime, Timeouts,
};
use memoir_model::{Error, ErrorCode, Result};
use memoir_store::Durability;
use rustls::{ClientConfig, RootCertStore};
use std::sync::Arc;
use std::time::Duration;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Config, Row};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::Options;
use crate::error::Fault;
use crate::patience::Patience;
use crate::scope::{ENTER, Scope};
use crate::transaction::{Mode, Transaction};

/// How long one attempt to connect may take.
const CONNECT: Duration = Duration::from_secs(5);

/// What a statement is given.
pub(crate) type Given<'a> = &'a (dyn ToSql + Sync);

/// The connections of this process.
pub(crate) struct Pool {
    connections: Connections,
    patience: Duration,
}

impl Pool {
    pub(crate) fn new(options: &Options) -> Result<Self> {
        let config = config(options)?;
        let manager =
            Manager::from_config(config, tls()?, ManagerConfig { recycling_method: RecyclingMethod::Fast });
        let timeouts =
            Timeouts { wait: Some(options.patience), create: Some(CONNECT), recycle: Some(CONNECT) };
        let connections = Connections::builder(manager)
            .max_size(options.connections.max(1))
            .timeouts(timeouts)
            .runtime(Runtime::Tokio1)
            .build()
            .map_err(|e| Error::internal(e.to_string()))?;
        Ok(Pool { connections, patience: options.patience })
    }

    pub(crate) fn patience(&self) -> Patience {
        Patience::new(self.patience)
    }

    pub(crate) async fn get(&self) -> Result<Object, Fault> {
        Ok(self.connections.get().await?)
    }

    /// The rows of one query, in a transaction of its own. Everything goes out at once, so that it takes one round trip.
    pub(crate) async fn read(&self, scope: Scope<'_>, sql: &str, given: &[Given<'_>]) -> Result<Vec<Row>> {
        let mut patience = self.patience();
        loop {
            match self.try_read(scope, sql, given).await {
                Ok(rows) => return Ok(rows),
                Err(fault) => patience.after(fault).await?,
            }
        }
    }

    async fn try_read(&self, scope: Scope<'_>, sql: &str, given: &[Given<'_>]) -> Result<Vec<Row>, Fault> {
        let client = self.get().await?;
        let (enter, query) = (client.prepare_cached(ENTER).await?, client.prepare_cached(sql).await?);
        let mut transaction = Transaction::over(client);
        let [role, tenant, space, key] = scope.settings();
        let settings: [Given<'_>; 4] = [&role, &tenant, &space, &key];
        let client = transaction.client()?;
        let (begun, entered, rows, ended) = futures::join!(
            client.batch_execute(Mode::Read.begin()),
            client.query_one(&enter, &settings),
            client.query(&query, given),
            client.batch_execute("COMMIT"),
        );
        if ended.is_ok() {
            transaction.has_ended();
        }
        begun?;
        entered?;
        let rows = rows?;
        ended?;
        Ok(rows)
    }

    /// The first row of a query.
    pub(crate) async fn first(
        &self,
        scope: Scope<'_>,
        sql: &str,
        given: &[Given<'_>],
    ) -> Result<Option<Row>> {
        Ok(self.read(scope, sql, given).await?.into_iter().next())
    }
}

fn config(options: &Options) -> Result<Config> {
    let refused = |why: String| Error::new(ErrorCode::Invalid, why).at("store.url");
    let mut config: Config =
        options.url.parse().map_err(|e| refused(format!("is no PostgreSQL URL: {e}")))?;
    if config.get_dbname().is_none() {
        return Err(refused("must name a database, as in postgres://user@host/memoir".into()));
    }
    let timeout = options.statement_timeout.as_millis();
    // A statement that waits for a lock longer than this would only be cut off a moment later.
    let synchronous = match options.durability {
        Durability::Full => "on",
        Durability::Normal => "off",
    };
    let ours = format!(
        "-c search_path=memoir -c statement_timeout={timeout} -c lock_timeout={timeout} \
         -c idle_in_transaction_session_timeout={timeout} -c synchronous_commit={synchronous} -c timezone=UTC \
         -c client_min_messages=warning"
    );
    let theirs = config.get_options().unwrap_or_default().to_owned();
    config.options(format!("{theirs} {ours}").trim());
    if config.get_application_name().is_none() {
        config.application_name("memoir");
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECT);
    }
    Ok(config)
}

/// TLS with the certificates that this machine trusts; used when the URL says `sslmode=require`, or the server offers it.
fn tls() -> Result<MakeRustlsConnect> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|e| Error::internal(format!("TLS cannot be set up: {e}")))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}
