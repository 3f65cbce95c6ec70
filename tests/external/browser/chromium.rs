//! Headless Chromium without access to other hosts.

use std::{
    env, fs,
    io::{BufRead, BufReader},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    process::{Child, ChildStderr, Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;
use testkit::variable;

const START_TIMEOUT: Duration = Duration::from_secs(30);

const END_TIMEOUT: Duration = Duration::from_secs(5);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

const FLAGS: [&str; 13] = [
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,800",
    "--remote-debugging-port=0",
    // Names of other hosts do not resolve, and requests to their addresses go to a proxy that does
    // not exist. Chromium uses no proxy for the loopback interface.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--proxy-server=http://127.0.0.1:9",
    "about:blank",
];

/// A running browser with its own profile, killed when it is dropped.
pub(crate) struct Browser {
    process: Child,
    /// The DevTools endpoint: the URL of a web socket.
    pub(crate) devtools: String,
    profile: TempDir,
}

impl Browser {
    pub(crate) fn start() -> Self {
        let program = installed().expect("availability was checked before");
        let profile = TempDir::with_prefix("testkit-browser-").unwrap();
        let mut command = Command::new(program);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        if is_root() {
            command.arg("--no-sandbox");
        }
        command.args(FLAGS).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let stderr = process.stderr.take().unwrap();
        let devtools = devtools_endpoint(stderr);
        if devtools.is_none() {
            // No `Browser` exists yet that kills the process on drop.
            let _ = process.kill();
            let _ = process.wait();
        }
        Self { process, devtools: devtools.expect("the browser prints its DevTools endpoint"), profile }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        // Child processes exit later and can still write to the profile.
        let start = Instant::now();
        while fs::remove_dir_all(self.profile.path()).is_err() && start.elapsed() < END_TIMEOUT {
            thread::sleep(POLL_INTERVAL);
        }
    }
}

/// Why there is no browser.
pub(crate) fn availability() -> Result<(), String> {
    installed().map(|_| ()).ok_or_else(|| "Chromium is not installed".to_owned())
}

/// The installed browser, from `PATH`.
fn installed() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let folders: Vec<_> = env::split_paths(&variable("PATH")?).collect();
    let candidates = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    candidates.into_iter().find(|path| path.is_file())
}

/// Reads stderr until the browser exits, so that it never blocks on a full pipe.
fn devtools_endpoint(stderr: ChildStderr) -> Option<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            if let Some(address) = line.strip_prefix("DevTools listening on ") {
                let _ = sender.send(address.to_owned());
            }
        }
    });
    receiver.recv_timeout(START_TIMEOUT).ok()
}

/// Chromium's sandbox does not work for root.
fn is_root() -> bool {
    Path::new("/proc/self").metadata().is_ok_and(|metadata| metadata.uid() == 0)
}
