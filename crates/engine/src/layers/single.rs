use memoir_model::{Period, SpaceNo};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::OwnedMutexGuard;

type Door = Arc<tokio::sync::Mutex<()>>;

/// Lets one at a time make the summary of a period in this process. Whoever comes second finds it made, and no model is
/// asked twice.
#[derive(Default)]
pub(crate) struct SingleFile {
    doors: Mutex<HashMap<(SpaceNo, Period), Door>>,
}

/// From how many doors on those that nobody stands at are forgotten.
const MANY: usize = 256;

impl SingleFile {
    pub(crate) async fn enter(&self, space: SpaceNo, period: &Period) -> OwnedMutexGuard<()> {
        let door = {
            let mut doors = self.doors.lock();
            if doors.len() >= MANY {
                doors.retain(|_, door| Arc::strong_count(door) > 1);
            }
            doors.entry((space, period.clone())).or_default().clone()
        };
        door.lock_owned().await
    }
}
