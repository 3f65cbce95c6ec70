//! Detects that the file of a SQLite database, or its write-ahead log, was removed or replaced while it is open: what is
//! written to the open file would be lost.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use sea_orm::{DbErr, RuntimeErr, sqlx};

use crate::error::FileReplaced;

/// The file of an open database. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct DatabaseFile {
    path: Arc<Path>,
    opened: Arc<Mutex<Opened>>,
}

/// The files that are open; `None` is not compared.
#[derive(Debug, Default)]
struct Opened {
    file: Option<FileId>,
    log: Option<(PathBuf, FileId)>,
}

/// Device and inode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileId(u64, u64);

impl FileId {
    fn of(path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(path)?;
        Ok(Self(metadata.dev(), metadata.ino()))
    }
}

impl DatabaseFile {
    /// A file that is not open yet.
    pub(crate) fn new(path: &Path) -> Self {
        Self {
            path: path.into(),
            opened: Arc::default(),
        }
    }

    /// Records the file after a connection was opened, if it is the first one.
    fn record(&self) {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if opened.file.is_none() {
            opened.file = FileId::of(&self.path).ok();
        }
    }

    /// Records the log after a connection that writes was used, if it is not known: the first use opens it.
    fn record_log(&self) {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if opened.log.is_some() {
            return;
        }
        // SQLite names the log after the file to which symbolic links lead.
        let log = fs::canonicalize(&self.path).map(|path| {
            let mut log = OsString::from(path);
            log.push("-wal");
            PathBuf::from(log)
        });
        opened.log = log.ok().and_then(|log| {
            let id = FileId::of(&log).ok()?;
            Some((log, id))
        });
    }

    /// Removes the recorded log before the connection that writes is closed, because the last connection deletes the log. A
    /// log that was replaced stays recorded: a connection that opens another log while the others use the old one damages the file.
    fn clear_log(&self) {
        if self.check().is_ok() {
            let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
            opened.log = None;
        }
    }

    /// Fails if the paths no longer lead to the open files.
    fn check(&self) -> Result<(), FileReplaced> {
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let log = opened.log.as_ref();
        let log = log.map(|(path, id)| (path.as_path(), *id));
        let file = opened.file.map(|id| (&*self.path, id));
        let replaced = file
            .into_iter()
            .chain(log)
            .find(|(path, id)| FileId::of(path).ok() != Some(*id));
        match replaced {
            Some((path, _)) => Err(FileReplaced(path.into())),
            None => Ok(()),
        }
    }
}

/// When a pool checks its file.
#[derive(Clone, Debug)]
pub(crate) enum FileCheck {
    /// Never: the database is not a file.
    Never,
    /// When it opens a connection, which could open another file.
    OnConnect(DatabaseFile),
    /// Also before and after each use of a connection, since what is written is lost otherwise.
    OnUse(DatabaseFile),
}

impl FileCheck {
    /// Fails before a connection is opened.
    pub(crate) fn on_connect(&self) -> Result<(), DbErr> {
        match self {
            Self::Never => Ok(()),
            Self::OnConnect(file) | Self::OnUse(file) => file.check().map_err(before_use),
        }
    }

    /// Fails before a connection is used.
    pub(crate) fn before_use(&self) -> Result<(), DbErr> {
        match self {
            Self::OnUse(file) => file.check().map_err(before_use),
            Self::Never | Self::OnConnect(_) => Ok(()),
        }
    }

    /// Replaces a result if what was written can be lost.
    pub(crate) fn after_use<T>(&self, result: Result<T, DbErr>) -> Result<T, DbErr> {
        match (self, result) {
            (Self::OnUse(file), Ok(result)) => match file.check() {
                Ok(()) => {
                    file.record_log();
                    Ok(result)
                }
                Err(replaced) => {
                    let error = sqlx::Error::Io(io::Error::other(replaced));
                    Err(DbErr::Query(RuntimeErr::SqlxError(error.into())))
                }
            },
            (_, result) => result,
        }
    }

    /// Records the file of a connection that was opened.
    pub(crate) fn opened(&self) {
        if let Self::OnUse(file) = self {
            file.record();
        }
    }

    /// Removes the recorded log of a connection that is closed.
    pub(crate) fn closing(&self) {
        if let Self::OnUse(file) = self {
            file.clear_log();
        }
    }
}

fn before_use(replaced: FileReplaced) -> DbErr {
    let error = sqlx::Error::Io(io::Error::other(replaced));
    DbErr::Conn(RuntimeErr::SqlxError(error.into()))
}
