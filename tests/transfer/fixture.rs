//! The program with an empty database and a folder of its own.

use std::{
    fmt::Write as _,
    fs,
    io::Write as _,
    ops::RangeInclusive,
    path::PathBuf,
    process::{Child, ChildStdin, Command, Output, Stdio},
};

use tempfile::TempDir;

use crate::databases::{Backend, TestDatabase};

/// The columns as an export writes them.
pub(crate) const HEADER: &str = "id,type,modelCode,brandName,launchDate\n";

/// An empty database and a folder.
pub(crate) struct Fixture {
    pub(crate) backend: Backend,
    database: TestDatabase,
    folder: TempDir,
}

/// How a process has ended.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Fixture {
    pub(crate) fn new(backend: Backend, database: TestDatabase) -> Self {
        Self {
            backend,
            database,
            folder: TempDir::with_prefix("vehicle-transfer-").unwrap(),
        }
    }

    /// How others reach the database.
    pub(crate) fn database_url(&self) -> &str {
        self.database.url()
    }

    /// A path in the folder, which is that of the processes, too.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vehicle-catalogue"));
        command
            .env_clear()
            .env("DATABASE_URL", self.database.url())
            .env("CATALOGUE_DATABASE_TIMEOUT_SECONDS", "20")
            .env("CATALOGUE_LOG", "warn")
            .current_dir(self.folder.path())
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        ended(self.command(arguments).output().unwrap())
    }

    /// Runs what has to succeed.
    pub(crate) fn succeed(&self, arguments: &[&str]) -> Ended {
        let ended = self.run(arguments);
        assert_eq!(ended.code, Some(0), "{arguments:?}: {}", ended.stderr);
        ended
    }

    /// Starts an import from stdin that has received these bytes, and more may come.
    ///
    /// When this returns, all of them but what fits into a pipe and two buffers have been read.
    pub(crate) fn import_from_stdin(&self, arguments: &[&str], bytes: &str) -> (Child, ChildStdin) {
        let arguments = [&["import", "-", "--format", "csv"], arguments].concat();
        let mut process = self
            .command(&arguments)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = process.stdin.take().unwrap();
        stdin.write_all(bytes.as_bytes()).unwrap();
        (process, stdin)
    }

    /// Every vehicle, as CSV.
    pub(crate) fn exported(&self) -> String {
        self.succeed(&["export", "--format", "csv"]).stdout
    }

    /// How many vehicles there are.
    pub(crate) fn count(&self) -> usize {
        self.exported().lines().count() - 1
    }

    /// Takes every vehicle away.
    pub(crate) fn clear(&self) {
        self.succeed(&["migrate", "down"]);
    }
}

pub(crate) fn ended(output: Output) -> Ended {
    Ended {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Rows of vehicles with these ids, as an export writes them.
pub(crate) fn rows(ids: RangeInclusive<u64>) -> String {
    let mut rows = String::new();
    for id in ids {
        writeln!(rows, "{id},SUV,XC{id},Brand {id},2017-03-07").unwrap();
    }
    rows
}

/// The same vehicles without ids, and with columns.
pub(crate) fn without_ids(ids: RangeInclusive<u64>) -> String {
    let mut file = "type,modelCode,brandName,launchDate\n".to_owned();
    for id in ids {
        writeln!(file, "SUV,XC{id},Brand {id},2017-03-07").unwrap();
    }
    file
}
