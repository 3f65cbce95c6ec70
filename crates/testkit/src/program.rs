//! The program under test, in a temporary folder and without the surrounding environment.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// The program of the package under test: `program!("name")`.
///
/// A macro, because Cargo names the executable only to the tests and benchmarks of its package.
#[macro_export]
macro_rules! program {
    ($name:literal) => {
        $crate::Program::new(env!(concat!("CARGO_BIN_EXE_", $name)))
    };
}

/// A program, its environment, and its working directory, which is removed with this value.
pub struct Program {
    wrapper: Vec<String>,
    executable: PathBuf,
    arguments: Vec<String>,
    variables: Vec<(String, String)>,
    folder: TempDir,
}

/// The exit code and the output of a command.
#[derive(Debug)]
pub struct CommandOutput {
    /// Exit code, unless a signal ended the process.
    pub code: Option<i32>,
    /// Text on stdout.
    pub stdout: String,
    /// Text on stderr.
    pub stderr: String,
}

impl Program {
    /// An executable with an empty environment and an empty working directory.
    pub fn new(executable: impl Into<PathBuf>) -> Self {
        Self {
            wrapper: Vec::new(),
            executable: executable.into(),
            arguments: Vec::new(),
            variables: Vec::new(),
            folder: TempDir::with_prefix("testkit-program-").unwrap(),
        }
    }

    /// Runs it by a wrapper program such as `prlimit`, which takes the command as its last arguments.
    #[must_use]
    pub fn under(mut self, wrapper: &[&str]) -> Self {
        self.wrapper = wrapper.iter().map(ToString::to_string).collect();
        self
    }

    /// Puts arguments before those of each command.
    #[must_use]
    pub fn with_arguments(mut self, arguments: &[&str]) -> Self {
        self.arguments.extend(arguments.iter().map(ToString::to_string));
        self
    }

    /// Sets an environment variable.
    #[must_use]
    pub fn with_variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Writes a file into the working directory.
    #[must_use]
    pub fn with_file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        fs::write(self.path(name), content).unwrap();
        self
    }

    /// The working directory.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A path in the working directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// A command with these arguments. Its stdin is empty; its output is piped.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = match self.wrapper.split_first() {
            None => Command::new(&self.executable),
            Some((wrapper, arguments)) => {
                let mut command = Command::new(wrapper);
                command.args(arguments).arg(&self.executable);
                command
            }
        };
        command
            .env_clear()
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(self.folder())
            .args(&self.arguments)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs a command to its end.
    pub fn run(&self, arguments: &[&str]) -> CommandOutput {
        self.run_with(&[], arguments)
    }

    /// Runs a command to its end, with further environment variables.
    pub fn run_with(&self, variables: &[(&str, &str)], arguments: &[&str]) -> CommandOutput {
        let mut command = self.command(arguments);
        let output = command.envs(variables.iter().copied()).output().unwrap();
        output.into()
    }
}

impl From<Output> for CommandOutput {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl CommandOutput {
    /// Asserts that the command was rejected with exactly these messages.
    #[track_caller]
    pub fn assert_rejected(&self, messages: &[&str]) {
        let expected = format!("error: {}\n", messages.join("\nerror: "));
        assert_eq!(self.stderr, expected);
        assert_eq!(self.code, Some(2), "{self:?}");
        assert_eq!(self.stdout, "");
    }
}
