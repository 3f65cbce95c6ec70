//! The output of an export: stdout, or a file that is replaced atomically when it is complete.

use std::{
    fs::{self, File, Permissions},
    io::{self, BufWriter, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use graphql_sdl::file_name;
use tempfile::NamedTempFile;

use super::FileOrStdio;

const BUFFER_BYTES: usize = 1 << 16;

/// A buffered writer. Without [`Sink::complete`] the file is not created or replaced.
pub(super) struct Sink {
    pub(super) bytes: BufWriter<Box<dyn Write + Send>>,
    replacement: Option<Replacement>,
}

/// A temporary file in the folder of the target; removed on drop.
struct Replacement {
    temporary: NamedTempFile,
    /// The permissions of the file that is replaced.
    permissions: Option<Permissions>,
    target: PathBuf,
    folder: File,
}

impl FileOrStdio {
    /// Whether the output is not replaced when it is complete: stdout, pipes and devices.
    pub fn is_written_in_place(&self) -> bool {
        match self {
            Self::Stdio => true,
            Self::File(path) => fs::metadata(path).is_ok_and(|found| !found.is_file()),
        }
    }
}

impl Sink {
    pub(super) fn open(target: &FileOrStdio) -> io::Result<Self> {
        let (bytes, replacement): (Box<dyn Write + Send>, _) = match target {
            FileOrStdio::Stdio => (Box::new(io::stdout()), None),
            FileOrStdio::File(path) if target.is_written_in_place() => {
                (Box::new(File::options().write(true).open(path)?), None)
            }
            FileOrStdio::File(path) => match fs::canonicalize(path) {
                // The target of a symbolic link is replaced, not the link.
                Ok(path) => Self::replace(path)?,
                Err(error) if path.is_symlink() => return Err(error),
                Err(_) => Self::replace(path.clone())?,
            },
        };
        Ok(Self { bytes: BufWriter::with_capacity(BUFFER_BYTES, bytes), replacement })
    }

    fn replace(target: PathBuf) -> io::Result<(Box<dyn Write + Send>, Option<Replacement>)> {
        let name = target.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let folder = match target.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        if !folder.is_dir() {
            let folder = folder.to_string_lossy();
            let message = format!("there is no folder {}; create it", file_name(&folder));
            return Err(io::Error::other(message));
        }
        // The permissions that a file which is created here gets.
        let temporary = tempfile::Builder::new()
            .permissions(Permissions::from_mode(0o666))
            .prefix(&format!(".{}.", name.to_string_lossy()))
            .suffix(".tmp")
            .tempfile_in(folder)?;
        let file = temporary.as_file().try_clone()?;
        let replaced = fs::metadata(&target).ok();
        let permissions = replaced.map(|replaced| replaced.permissions());
        let replacement = Replacement { temporary, permissions, folder: File::open(folder)?, target };
        Ok((Box::new(file), Some(replacement)))
    }

    /// Flushes, syncs the file to disk and renames it to its target. Returns the folder of the file,
    /// which must be synced for the name to be on disk, too.
    pub(super) fn complete(mut self) -> io::Result<Option<File>> {
        self.bytes.flush()?;
        let Some(replacement) = self.replacement else {
            return Ok(None);
        };
        let file = replacement.temporary.as_file();
        file.sync_all()?;
        // Before the file has its name, so that the readers of the replaced file can read this one from the start.
        if let Some(permissions) = replacement.permissions {
            file.set_permissions(permissions)?;
        }
        replacement.temporary.persist(replacement.target)?;
        Ok(Some(replacement.folder))
    }
}
