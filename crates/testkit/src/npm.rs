//! Scripts for Node, whose packages are installed from a lock file.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// A folder with scripts and their packages.
pub struct Packages(PathBuf);

impl Packages {
    /// Copies a folder with `package.json`, `package-lock.json` and scripts, and installs the packages unless the same
    /// versions are installed there. The error states why Node is not available.
    pub fn install(source: &Path, folder: &Path) -> Result<Self, String> {
        let node = Command::new("node").arg("--version").output();
        node.map_err(|error| format!("Node cannot be started: {error}"))?;
        copy(source, folder).map_err(|error| error.to_string())?;
        let read = |file: &str| fs::read(folder.join(file)).ok();
        let (lock, installed) = ("package-lock.json", "installed-lock.json");
        if read(installed) != read(lock) {
            let npm = Command::new("npm")
                .current_dir(folder)
                .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
                .args(["--fetch-retries=2", "--fetch-timeout=20000"])
                .output()
                .map_err(|error| format!("npm, which comes with Node, cannot be started: {error}"))?;
            succeeded("npm ci", npm).map_err(|error| error.to_string())?;
            let copied = fs::copy(folder.join(lock), folder.join(installed));
            copied.map_err(|error| error.to_string())?;
        }
        Ok(Self(folder.to_owned()))
    }

    /// Runs a script; what it prints on stdout.
    pub fn run(&self, script: &str, arguments: &[&str]) -> Vec<u8> {
        let mut node = Command::new("node");
        node.current_dir(&self.0).arg(script).args(arguments);
        succeeded(script, node.output().unwrap()).unwrap().stdout
    }
}

fn copy(source: &Path, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for entry in fs::read_dir(source)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), folder.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// The output of a command that must succeed.
pub fn succeeded(command: &str, output: Output) -> io::Result<Output> {
    if output.status.success() {
        return Ok(output);
    }
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(format!("{command} fails: {stdout}{stderr}")))
}
