use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

use super::close_idle::CloseIdle;
use super::dispatcher::Dispatcher;
use super::seal::Seal;
use super::work::Work;
use crate::embedding::Fill;
use crate::engine::Engine;
use crate::layers::{Backfill, RollUp, SummariseSession};

impl Engine {
    /// Starts the background work of this process.
    pub fn start_workers(&self) -> Workers {
        self.start_workers_with(Vec::new())
    }

    /// Starts the background work together with further kinds of it.
    pub fn start_workers_with(&self, further: Vec<Arc<dyn Work>>) -> Workers {
        let at_once = self.settings().layers_at_once.max(1);
        let mut works: Vec<Arc<dyn Work>> = vec![
            Arc::new(CloseIdle),
            Arc::new(Seal),
            Arc::new(Fill),
            Arc::new(SummariseSession { at_once }),
            Arc::new(RollUp { at_once }),
            Arc::new(Backfill),
        ];
        works.extend(further);
        let (stop, stopped) = watch::channel(false);
        let dispatcher = Dispatcher::new(self.clone(), works);
        Workers { stop, task: tokio::spawn(dispatcher.run(stopped)) }
    }
}

/// The background work of a process.
pub struct Workers {
    stop: watch::Sender<bool>,
    task: tokio::task::JoinHandle<()>,
}

impl Workers {
    /// Takes no more jobs and waits for those that run, but not longer than `grace`. What is cut off is leased again
    /// when its lease ends.
    pub async fn drain(mut self, grace: Duration) {
        self.stop.send_replace(true);
        if tokio::time::timeout(grace, &mut self.task).await.is_err() {
            tracing::warn!(
                "background jobs were still running at the end of the grace period; they will run again"
            );
            self.task.abort();
        }
    }
}
