//! Chromium without a window, cut off from every other host.

use std::{
    env,
    io::{BufRead, BufReader},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    process::{Child, ChildStderr, Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use tempfile::TempDir;

const START_TIMEOUT: Duration = Duration::from_secs(30);

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
    // Names of other hosts do not resolve, and what asks for their addresses goes to a proxy
    // that is not there. Chromium does not use a proxy for the loopback interface.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--proxy-server=http://127.0.0.1:9",
    "about:blank",
];

/// A running browser with a profile of its own; killed when it is dropped.
pub(crate) struct Browser {
    process: Child,
    /// Where it can be driven: the address of a web socket.
    pub(crate) devtools: String,
    _profile: TempDir,
}

impl Browser {
    pub(crate) fn start(program: &Path) -> Self {
        let profile = TempDir::with_prefix("vehicle-page-").unwrap();
        let mut command = Command::new(program);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        if is_root() {
            command.arg("--no-sandbox");
        }
        command.args(FLAGS).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let stderr = process.stderr.take().unwrap();
        let devtools = address_of_devtools(stderr);
        if devtools.is_none() {
            // It is not held by a value yet that would do so when dropped.
            let _ = process.kill();
            let _ = process.wait();
        }
        Self {
            process,
            devtools: devtools.expect("the browser says where it can be driven"),
            _profile: profile,
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The browser of this machine.
#[expect(
    clippy::disallowed_methods,
    reason = "tests have settings of their own"
)]
pub(crate) fn installed() -> Option<PathBuf> {
    let names = [
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
    ];
    let folders: Vec<_> = env::split_paths(&env::var_os("PATH")?).collect();
    let candidates = names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    candidates.into_iter().find(|path| path.is_file())
}

/// Reads on for as long as the browser lives, so that it never waits for a reader.
fn address_of_devtools(stderr: ChildStderr) -> Option<String> {
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

/// Chromium's sandbox refuses to work for root.
fn is_root() -> bool {
    Path::new("/proc/self")
        .metadata()
        .is_ok_and(|metadata| metadata.uid() == 0)
}
