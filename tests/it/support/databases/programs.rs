//! What the machine offers: variables, installed programs, and the user to run them as.

use std::env;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A variable of the environment.
#[expect(
    clippy::disallowed_methods,
    reason = "tests have settings of their own"
)]
pub(super) fn variable(name: &str) -> Option<String> {
    env::var(name).ok()
}

/// The folder with `initdb` and `postgres`.
pub(super) fn postgres_folder() -> Option<PathBuf> {
    let configured = Command::new("pg_config").arg("--bindir").output().ok();
    let configured = configured.and_then(|output| String::from_utf8(output.stdout).ok());
    let configured = configured.map(|folder| PathBuf::from(folder.trim()));
    let mut candidates = search_path();
    candidates.extend(configured);
    candidates.extend(packaged_postgres());
    candidates
        .into_iter()
        .find(|folder| folder.join("initdb").is_file() && folder.join("postgres").is_file())
}

/// The program that copies a running PostgreSQL server.
pub(super) fn postgres_copy() -> Option<PathBuf> {
    let mut folders: Vec<_> = postgres_folder().into_iter().collect();
    folders.extend(search_path());
    folders.extend(packaged_postgres());
    let paths = folders.iter().map(|folder| folder.join("pg_basebackup"));
    paths.into_iter().find(|path| path.is_file())
}

/// The server of MariaDB or MySQL.
pub(super) fn mysql_server() -> Option<PathBuf> {
    program(&["mariadbd", "mysqld"])
}

/// MariaDB's program that makes a data folder; MySQL's server does that itself.
pub(super) fn mariadb_install() -> Option<PathBuf> {
    program(&["mariadb-install-db", "mysql_install_db"])
}

/// A user and group by number.
#[derive(Clone, Copy)]
pub(super) struct User {
    pub(super) uid: u32,
    pub(super) gid: u32,
}

/// Whom to run a server as: nobody special, unless this process is root, which PostgreSQL refuses.
pub(super) fn server_user(preferred: &str) -> Option<User> {
    if number(&["-u"])? != 0 {
        return None;
    }
    [preferred, "nobody"].into_iter().find_map(|name| {
        Some(User {
            uid: number(&["-u", name])?,
            gid: number(&["-g", name])?,
        })
    })
}

/// A folder for temporary files that `user` can get into.
pub(super) fn temporary_folder(user: Option<User>) -> PathBuf {
    let usual = env::temp_dir();
    let open = |folder: &Path| {
        folder
            .metadata()
            .is_ok_and(|metadata| metadata.permissions().mode() & 0o001 != 0)
    };
    if user.is_none() || usual.ancestors().all(open) {
        usual
    } else {
        PathBuf::from("/tmp")
    }
}

fn number(arguments: &[&str]) -> Option<u32> {
    let output = Command::new("id").args(arguments).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

fn program(names: &[&str]) -> Option<PathBuf> {
    let mut folders = search_path();
    // Servers are often left out of the search path of people who are not administrators.
    folders.extend(
        [
            "/usr/sbin",
            "/usr/local/sbin",
            "/usr/libexec",
            "/usr/local/mysql/bin",
        ]
        .map(PathBuf::from),
    );
    let paths = names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    paths.into_iter().find(|path| path.is_file())
}

fn search_path() -> Vec<PathBuf> {
    variable("PATH").map_or_else(Vec::new, |path| env::split_paths(&path).collect())
}

/// Debian keeps every version in a folder of its own; the newest comes first.
fn packaged_postgres() -> Vec<PathBuf> {
    let Ok(versions) = Path::new("/usr/lib/postgresql").read_dir() else {
        return Vec::new();
    };
    let versions = versions.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut versions: Vec<u32> = versions
        .filter_map(|version| version.parse().ok())
        .collect();
    versions.sort_unstable_by(|a, b| b.cmp(a));
    let folder = |version| PathBuf::from(format!("/usr/lib/postgresql/{version}/bin"));
    versions.into_iter().map(folder).collect()
}
