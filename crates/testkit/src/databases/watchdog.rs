//! The shell process that controls a throwaway server.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

pub(super) const START_TIMEOUT: Duration = Duration::from_mins(2);

/// Runs a server and executes commands from its standard input. At the end of input, which the end of
/// the test process always causes, it stops the server and removes its folder. `$2` is the signal of a
/// crash, `$3` that of a graceful shutdown. PostgreSQL has a child process for each connection.
const SCRIPT: &str = r#"
    folder=$1; crash=$2; shutdown=$3; shift 3
    processes() { echo "$pid" $(cat "/proc/$pid/task/$pid/children"); }
    signal_all() { kill -"$1" $(processes); }
    wait_until_frozen() {
        for process in $(processes); do
            while grep -qs '^State:.[^TZ]' "/proc/$process/status"; do sleep 0.01; done
        done
    }
    "$@" </dev/null & pid=$!
    while read -r command; do
        case $command in
            stop) kill -"$crash" "$pid"; wait "$pid";;
            kill) signal_all KILL; wait "$pid";;
            end) kill -"$shutdown" "$pid"; wait "$pid";;
            freeze) kill -STOP "$pid"; signal_all STOP; wait_until_frozen; : >"$folder/frozen";;
            thaw) signal_all CONT;;
            start) "$@" </dev/null & pid=$!;;
        esac
    done
    signal_all CONT
    kill -"$crash" "$pid"
    wait "$pid"
    rm -rf "$folder"
"#;

/// Adds the script and its arguments to a shell command; those of the server follow. The signals are that
/// of a crash and that of a graceful shutdown.
pub(super) fn arguments(shell: &mut Command, folder: &Path, signals: [&str; 2]) {
    shell.args(["-c", SCRIPT, "watchdog"]).arg(folder);
    shell.args(signals).stdin(Stdio::piped());
}

/// A running throwaway server. Dropping this value stops it and removes its folder.
pub(super) struct Watchdog {
    shell: Child,
    folder: TempDir,
}

impl Watchdog {
    pub(super) fn spawn(mut command: Command, folder: TempDir) -> Self {
        let shell = command.spawn();
        let shell = shell.unwrap_or_else(|error| panic!("{command:?}: {error}"));
        Self { shell, folder }
    }

    /// Sends a command. Does not wait for its completion.
    pub(super) fn send(&mut self, command: &str) {
        let commands = self.shell.stdin.as_mut();
        let commands = commands.expect("it is open until the end");
        writeln!(commands, "{command}").expect("the watchdog listens");
    }

    /// Stops the processes of the server and returns when none of them runs.
    pub(super) fn freeze(&mut self) {
        self.send("freeze");
        let frozen = self.folder.path().join("frozen");
        let started = Instant::now();
        while fs::remove_file(&frozen).is_err() {
            assert!(started.elapsed() < START_TIMEOUT, "the server still runs");
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        let _ = self.shell.wait();
    }
}
