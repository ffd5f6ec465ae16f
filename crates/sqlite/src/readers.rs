use memoir_model::{Error, Result};
use parking_lot::Mutex;
use rusqlite::Connection;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::Semaphore;

use crate::{Options, connection};

/// A bounded pool of connections that only read, opened when first needed.
pub(crate) struct Readers {
    path: PathBuf,
    idle: Arc<Mutex<Vec<Connection>>>,
    places: Arc<Semaphore>,
}

impl Readers {
    pub(crate) fn new(options: &Options) -> Self {
        Readers {
            path: options.path.clone(),
            idle: Arc::default(),
            places: Arc::new(Semaphore::new(options.readers.max(1))),
        }
    }

    /// Runs `work` on a reader, away from the async workers.
    pub(crate) async fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let place =
            self.places.clone().acquire_owned().await.map_err(|_| Error::internal("the readers are gone"))?;
        let (idle, path) = (self.idle.clone(), self.path.clone());
        tokio::task::spawn_blocking(move || {
            let waiting = idle.lock().pop();
            let mut connection = match waiting {
                Some(connection) => connection,
                None => connection::open_reader(&path)?,
            };
            let result = work(&mut connection);
            idle.lock().push(connection);
            drop(place);
            result
        })
        .await
        .map_err(|_| Error::internal("a read was cut short"))?
    }
}
