//! Installs the packages of the peers with npm.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Output},
};

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peers");

/// The installation folder.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("peers")
}

/// Installs the packages unless the same versions are installed; the error is the reason to skip.
pub(crate) fn install() -> Result<PathBuf, String> {
    let node = Command::new("node").arg("--version").output();
    node.map_err(|error| format!("Node cannot be started: {error}"))?;
    let (folder, lock) = (folder(), "package-lock.json");
    let read = |path: PathBuf| fs::read(path).ok();
    let installed = folder.join("installed-lock.json");
    let source = Path::new(SOURCES);
    let copy = |file: &str| fs::copy(source.join(file), folder.join(file));
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    for script in ["measure.js", "peers.js", "validate.js"] {
        copy(script).map_err(|error| error.to_string())?;
    }
    if read(installed.clone()) == read(source.join(lock)) {
        return Ok(folder);
    }
    for file in ["package.json", lock] {
        copy(file).map_err(|error| error.to_string())?;
    }
    let npm = Command::new("npm")
        .current_dir(&folder)
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .args(["--fetch-retries=2", "--fetch-timeout=20000"])
        .output()
        .map_err(|error| format!("npm, which comes with Node, cannot be started: {error}"))?;
    succeeded("npm ci", npm).map_err(|error| error.to_string())?;
    fs::copy(source.join(lock), installed).map_err(|error| error.to_string())?;
    Ok(folder)
}

pub(crate) fn succeeded(command: &str, output: Output) -> io::Result<Output> {
    if output.status.success() {
        return Ok(output);
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(format!("{command} fails: {stderr}")))
}
