use tokio::sync::Notify;

/// Wakes the workers when something was asked for, so that nothing waits for the next look at the queue.
#[derive(Default)]
pub(crate) struct Bell {
    notify: Notify,
}

impl Bell {
    pub(crate) fn ring(&self) {
        self.notify.notify_one();
    }

    pub(crate) async fn heard(&self) {
        self.notify.notified().await;
    }
}
