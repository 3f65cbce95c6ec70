//! The program with an empty database and a temporary folder.

use std::{
    fmt::Write as _,
    fs,
    io::Write as _,
    ops::RangeInclusive,
    path::PathBuf,
    process::{Child, ChildStdin, Command, Stdio},
    sync::{Arc, OnceLock},
};

use testkit::{Backend, CommandOutput, Context, Program, TestDatabase};

use crate::support::{migrations, program};

/// The columns that the tests set, as an export writes them.
const COLUMNS: &str = "id,type,modelCode,brandName,launchDate";

/// An empty database and a folder.
pub(crate) struct Fixture {
    pub(crate) backend: Backend,
    database: Arc<TestDatabase>,
    program: Program,
}

impl From<Context> for Fixture {
    fn from(context: Context) -> Self {
        let database = context.database();
        let program = program()
            .with_variable("DATABASE_URL", database.url())
            .with_variable("CATALOGUE_DATABASE_TIMEOUT_SECONDS", "20")
            .with_variable("CATALOGUE_LOG", "warn");
        Self { backend: context.backend, database, program }
    }
}

impl Fixture {
    /// The URL of the database.
    pub(crate) fn database_url(&self) -> &str {
        self.database.url()
    }

    /// A path in the folder, which is the working directory of the processes.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.program.path(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.program.command(arguments)
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> CommandOutput {
        self.program.run(arguments)
    }

    /// Runs a command that must succeed.
    pub(crate) fn succeed(&self, arguments: &[&str]) -> CommandOutput {
        let output = self.run(arguments);
        assert_eq!(output.code, Some(0), "{arguments:?}: {}", output.stderr);
        output
    }

    /// Starts an import from stdin, and writes these bytes.
    ///
    /// Afterwards all of them have been read, except what a pipe and two buffers hold.
    pub(crate) fn import_from_stdin(&self, arguments: &[&str], bytes: &str) -> (Child, ChildStdin) {
        let arguments = [&["import", "-", "--format", "csv"], arguments].concat();
        let mut process = self.command(&arguments).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = process.stdin.take().unwrap();
        stdin.write_all(bytes.as_bytes()).unwrap();
        (process, stdin)
    }

    /// Every vehicle, as CSV.
    pub(crate) fn exported(&self) -> String {
        self.succeed(&["export", "--format", "csv"]).stdout
    }

    /// The number of vehicles.
    pub(crate) fn count(&self) -> usize {
        self.exported().lines().count() - 1
    }

    /// Deletes every vehicle.
    pub(crate) fn clear(&self) {
        let steps = migrations().len().to_string();
        self.succeed(&["migrate", "down", "--steps", &steps, "--yes"]);
    }
}

/// A file with a header and these rows, as an export writes it. Each has the first version.
pub(crate) fn table(rows: &str) -> String {
    let rows: Vec<_> = rows.lines().map(|row| table_row(row, "1")).collect();
    format!("{COLUMNS}{}\n{}", other_columns(), rows.concat())
}

/// A line of a file: the values of [`COLUMNS`], and the version. Other columns, which the tests do not set, are empty.
pub(crate) fn table_row(values: &str, version: &str) -> String {
    let other = other_columns().split(',').skip(1);
    let other = other.map(|column| match column {
        "version" => format!(",{version}"),
        _ => ",".to_owned(),
    });
    format!("{values}{}\n", other.collect::<String>())
}

/// The end of the header of an export, after [`COLUMNS`].
fn other_columns() -> &'static str {
    static OTHER_COLUMNS: OnceLock<String> = OnceLock::new();
    OTHER_COLUMNS.get_or_init(|| {
        let program = program();
        assert_eq!(program.run(&["migrate", "up"]).code, Some(0));
        let header = program.run(&["export", "--format", "csv"]).stdout;
        let other = header.trim_end().strip_prefix(COLUMNS);
        other.expect("columns are only added").to_owned()
    })
}

/// Rows of vehicles with these ids, for [`table`].
pub(crate) fn rows(ids: RangeInclusive<u64>) -> String {
    let mut rows = String::new();
    for id in ids {
        writeln!(rows, "{id},SUV,XC{id},Brand {id},2017-03-07").unwrap();
    }
    rows
}

/// The same vehicles without ids, with a header.
pub(crate) fn without_ids(ids: RangeInclusive<u64>) -> String {
    let mut file = "type,modelCode,brandName,launchDate\n".to_owned();
    for id in ids {
        writeln!(file, "SUV,XC{id},Brand {id},2017-03-07").unwrap();
    }
    file
}
