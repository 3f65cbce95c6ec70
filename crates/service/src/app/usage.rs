//! The file of the recorded use of the contract.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime},
};

use engine::Engine;
use schema::{Schema, UnreadableUsage, UsageSnapshot};
use tokio::{sync::oneshot, task::spawn_blocking, time::timeout};
use uuid::Uuid;

use super::StartError;

/// The interval of saving.
const INTERVAL: Duration = Duration::from_mins(1);

/// Whether the service still records use.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Recording {
    Continues,
    Ends,
}

/// The use in a file, to be continued, or a new recording if there is no file.
pub(super) fn read(path: &Path, contract: &Schema) -> Result<UsageSnapshot, UnreadableUsage> {
    let now = SystemTime::now().into();
    match UsageSnapshot::read(path) {
        Ok(mut usage) => {
            usage.resume(contract, now);
            Ok(usage)
        }
        Err(UnreadableUsage::Io(_, error)) if error.kind() == io::ErrorKind::NotFound => {
            let instance = Uuid::new_v4().to_string();
            Ok(UsageSnapshot::new(contract, instance, now))
        }
        Err(error) => Err(error),
    }
}

/// Saves the use to a file while the service runs.
pub(super) struct UsageFile {
    pub(super) engine: Arc<Engine>,
    pub(super) path: PathBuf,
}

impl UsageFile {
    /// Saves the use for the first time, so that a file that cannot be written prevents the start.
    pub(super) async fn create(&self) -> Result<(), StartError> {
        let saved = self.save(Recording::Continues).await;
        saved.map_err(|error| StartError::UsageFile(self.path.clone(), error))
    }

    /// Saves the use once a minute, and for the last time when the recording ends.
    pub(super) async fn run(self, mut end: oneshot::Receiver<()>) {
        while timeout(INTERVAL, &mut end).await.is_err() {
            self.save_or_log(Recording::Continues).await;
        }
        self.save_or_log(Recording::Ends).await;
    }

    async fn save_or_log(&self, recording: Recording) {
        if let Err(error) = self.save(recording).await {
            let path = self.path.display();
            tracing::error!(%path, %error, "cannot save the recorded use; check the folder of --usage-file");
        }
    }

    async fn save(&self, recording: Recording) -> io::Result<()> {
        let Some(mut usage) = self.engine.usage(SystemTime::now()) else {
            return Ok(());
        };
        usage.stopped = recording == Recording::Ends;
        let path = self.path.clone();
        spawn_blocking(move || usage.save(&path)).await?
    }
}
