//! The file of the recorded use of the contract.

use std::{
    fs::{File, TryLockError},
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime},
};

use engine::Engine;
use schema::{Schema, UnreadableUsage, UsageSnapshot};
use tokio::{sync::oneshot, task::spawn_blocking, time::timeout};
use uuid::Uuid;

use super::start_error::StartError;

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

/// Locks the recorded use for this process, so that no other instance overwrites it. The lock is on a file beside it,
/// because saving replaces the file.
pub(super) fn lock(path: &Path) -> Result<File, StartError> {
    let mut lock = path.as_os_str().to_owned();
    lock.push(".lock");
    let file = File::options().create(true).append(true).open(lock);
    let unusable = |error| StartError::UsageFile(path.to_owned(), error);
    let file = file.map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StartError::UsageFileInUse(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(unusable(error)),
    }
}

/// Saves the use to a file while the service runs.
pub(super) struct UsageFile {
    pub(super) engine: Arc<Engine>,
    pub(super) path: PathBuf,
    /// Locked until the service has stopped.
    pub(super) _lock: File,
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
