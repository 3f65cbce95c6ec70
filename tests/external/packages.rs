//! Packages of npm, installed from a lock file into `target/`.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// The folder of installed packages.
pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Installs the packages of `tests/external/NAME` unless the same versions are installed, and copies the scripts beside them.
/// The error states why they are not available.
pub(crate) fn install_packages(name: &str, scripts: &[&str]) -> Result<(), String> {
    let node = Command::new("node").arg("--version").output();
    node.map_err(|error| format!("Node cannot be started: {error}"))?;
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/external");
    let source = source.join(name);
    let (folder, lock) = (folder(name), "package-lock.json");
    let read = |path: PathBuf| fs::read(path).ok();
    let installed = folder.join("installed-lock.json");
    let copy = |file: &str| fs::copy(source.join(file), folder.join(file));
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    for script in scripts {
        copy(script).map_err(|error| error.to_string())?;
    }
    if read(installed.clone()) == read(source.join(lock)) {
        return Ok(());
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
    Ok(())
}

/// The output of a command that must succeed.
pub(crate) fn succeeded(command: &str, output: Output) -> io::Result<Output> {
    if output.status.success() {
        return Ok(output);
    }
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(format!(
        "{command} fails: {stdout}{stderr}"
    )))
}
