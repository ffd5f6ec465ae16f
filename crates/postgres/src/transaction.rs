use deadpool_postgres::{ClientWrapper, Object};
use futures::future::BoxFuture;
use memoir_model::{Error, ErrorCode};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use crate::error::Fault;
use crate::pool::{Given, Pool};
use crate::scope::{ENTER, Scope};

/// What a transaction is for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Mode {
    /// Several reads of one moment.
    Read,
    /// Writing. What must not move is locked, so that the plain level is enough.
    Write,
}

impl Mode {
    pub(crate) fn begin(self) -> &'static str {
        match self {
            Mode::Read => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            Mode::Write => "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
        }
    }
}

/// A connection inside a transaction. One that is dropped before its end (its caller hung up) is closed rather than
/// given to somebody else.
pub(crate) struct Transaction {
    client: Option<Object>,
    ended: bool,
}

/// How a commit went.
pub(crate) enum End {
    /// It is durable.
    Durable,
    /// It is not, and the database said so.
    Refused(Fault),
    /// The database went away before it said which.
    Unknown(Fault),
}

impl Transaction {
    /// Takes over a connection on which a transaction is about to begin.
    pub(crate) fn over(client: Object) -> Self {
        Transaction { client: Some(client), ended: false }
    }

    /// Begins a transaction for somebody, and makes its first query in the same round trip.
    pub(crate) async fn begin(
        pool: &Pool,
        mode: Mode,
        scope: Scope<'_>,
        sql: &str,
        given: &[Given<'_>],
    ) -> Result<(Self, Vec<Row>), Fault> {
        let client = pool.get().await?;
        let (enter, query) = (client.prepare_cached(ENTER).await?, client.prepare_cached(sql).await?);
        let transaction = Transaction::over(client);
        let [role, tenant, space, key] = scope.settings();
        let settings: [Given<'_>; 4] = [&role, &tenant, &space, &key];
        let client = transaction.client()?;
        let (begun, entered, rows) = futures::join!(
            client.batch_execute(mode.begin()),
            client.query_one(&enter, &settings),
            client.query(&query, given),
        );
        begun?;
        entered?;
        let rows = rows?;
        Ok((transaction, rows))
    }

    pub(crate) fn client(&self) -> Result<&ClientWrapper, Fault> {
        self.client.as_deref().ok_or_else(|| Error::internal("the transaction has ended").into())
    }

    pub(crate) fn has_ended(&mut self) {
        self.ended = true;
    }

    pub(crate) async fn query(&self, sql: &str, given: &[Given<'_>]) -> Result<Vec<Row>, Fault> {
        let client = self.client()?;
        let statement = client.prepare_cached(sql).await?;
        Ok(client.query(&statement, given).await?)
    }

    pub(crate) async fn execute(&self, sql: &str, given: &[Given<'_>]) -> Result<u64, Fault> {
        let client = self.client()?;
        let statement = client.prepare_cached(sql).await?;
        Ok(client.execute(&statement, given).await?)
    }

    /// Makes everything durable.
    pub(crate) async fn commit(mut self) -> End {
        let ended = match self.client() {
            Ok(client) => client.batch_execute("COMMIT").await,
            Err(fault) => return End::Refused(fault),
        };
        self.ended = ended.is_ok();
        match ended {
            Ok(()) => End::Durable,
            // An answer with a reason is a refusal; only silence leaves it open.
            Err(error) if error.as_db_error().is_some() => End::Refused(error.into()),
            Err(error) => End::Unknown(error.into()),
        }
    }

    /// Undoes everything, so that the connection can be used again; unless it leads to a server that has no use any
    /// more, such as one that is no longer the primary.
    pub(crate) async fn give_up(mut self, why: &Fault) {
        let usable = why.error.code() != ErrorCode::StorageUnavailable;
        if let Ok(client) = self.client()
            && usable
        {
            self.ended = client.batch_execute("ROLLBACK").await.is_ok();
        }
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if !self.ended
            && let Some(client) = self.client.take()
        {
            drop(Object::take(client));
        }
    }
}

/// What one statement of a [`Pipeline`] is given.
pub(crate) type Owned<'a> = Box<dyn ToSql + Sync + Send + 'a>;

/// Statements that are sent one behind the other without waiting for answers in between.
pub(crate) struct Pipeline<'a> {
    client: &'a ClientWrapper,
    sent: Vec<Sent<'a>>,
}

/// A statement on its way.
struct Sent<'a> {
    answer: BoxFuture<'a, Result<u64, tokio_postgres::Error>>,
    /// What it means if it does not change exactly one row.
    otherwise: Option<Error>,
}

impl<'a> Pipeline<'a> {
    pub(crate) fn new(transaction: &'a Transaction) -> Result<Self, Fault> {
        Ok(Pipeline { client: transaction.client()?, sent: Vec::new() })
    }

    /// Sends a statement.
    pub(crate) async fn push(&mut self, sql: &str, given: Vec<Owned<'a>>) -> Result<(), Fault> {
        self.send(sql, given, None).await
    }

    /// Sends a statement that must change exactly one row.
    pub(crate) async fn push_one(
        &mut self,
        sql: &str,
        given: Vec<Owned<'a>>,
        otherwise: Error,
    ) -> Result<(), Fault> {
        self.send(sql, given, Some(otherwise)).await
    }

    async fn send(
        &mut self,
        sql: &str,
        given: Vec<Owned<'a>>,
        otherwise: Option<Error>,
    ) -> Result<(), Fault> {
        let client = self.client;
        let statement = match client.prepare_cached(sql).await {
            Ok(statement) => statement,
            // Something before it was refused, and that is the reason.
            Err(error) => {
                self.finish().await?;
                return Err(error.into());
            }
        };
        let mut answer: BoxFuture<'a, _> = Box::pin(async move {
            let given: Vec<Given<'_>> = given.iter().map(|given| given.as_ref() as Given<'_>).collect();
            client.execute(&statement, &given).await
        });
        // The first look at it puts it on the wire.
        let answer = match futures::poll!(&mut answer) {
            std::task::Poll::Ready(answer) => Box::pin(std::future::ready(answer)) as BoxFuture<'a, _>,
            std::task::Poll::Pending => answer,
        };
        self.sent.push(Sent { answer, otherwise });
        Ok(())
    }

    /// Waits for all answers. Fails with the first refusal.
    pub(crate) async fn finish(&mut self) -> Result<(), Fault> {
        let mut first = Ok(());
        for sent in std::mem::take(&mut self.sent) {
            let outcome = match sent.answer.await {
                Ok(rows) => match sent.otherwise {
                    Some(error) if rows != 1 => Err(error.into()),
                    _ => Ok(()),
                },
                Err(error) => Err(error.into()),
            };
            first = first.and(outcome);
        }
        first
    }
}
