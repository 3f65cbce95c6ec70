//! Installed server programs, and the user to run them as.

use std::env;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::backend::Backend;
use crate::variables::variable;

/// A folder whose files are in memory.
const MEMORY_FOLDER: &str = "/dev/shm";

/// The program of a server; for PostgreSQL the folder of `initdb` and `postgres`.
pub(super) fn server(backend: Backend) -> Option<PathBuf> {
    const COUNT: usize = Backend::ALL.len();
    static FOUND: [OnceLock<Option<PathBuf>>; COUNT] = [const { OnceLock::new() }; COUNT];
    let find = || match backend {
        Backend::Sqlite => None,
        Backend::Postgres => postgres_folders()
            .into_iter()
            .find(|folder| folder.join("initdb").is_file() && folder.join("postgres").is_file()),
        Backend::Mariadb => program(&["mariadbd", "mysqld"], is_mariadb),
        // MariaDB also installs a `mysqld`.
        Backend::Mysql => program(&["mysqld"], |path| !is_mariadb(path)).or_else(fetched_mysql),
    };
    FOUND[backend as usize].get_or_init(find).clone()
}

/// The program that copies a running PostgreSQL server.
pub(super) fn pg_basebackup() -> Option<PathBuf> {
    let folder = server(Backend::Postgres);
    let mut folders = folder.into_iter().chain(postgres_folders());
    folders.find_map(|folder| Some(folder.join("pg_basebackup")).filter(|path| path.is_file()))
}

/// The folders that may have programs of PostgreSQL.
fn postgres_folders() -> Vec<PathBuf> {
    let configured = Command::new("pg_config").arg("--bindir").output().ok();
    let configured = configured.and_then(|output| String::from_utf8(output.stdout).ok());
    let mut folders = search_path();
    folders.extend(configured.map(|folder| PathBuf::from(folder.trim())));
    folders.extend(packaged_postgres());
    folders
}

/// The server of MySQL that `.ci/fetch-mysql` has fetched.
fn fetched_mysql() -> Option<PathBuf> {
    let folder = variable("TEST_MYSQL_FOLDER").unwrap_or_else(|| "target/mysql".to_owned());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Some(root.join(folder).join("mysqld")).filter(|path| path.is_file())
}

fn is_mariadb(program: &Path) -> bool {
    let version = Command::new(program).arg("--version").output();
    version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("MariaDB"))
}

/// MariaDB's program that makes a data folder; MySQL's server does that itself.
pub(super) fn mariadb_install() -> Option<PathBuf> {
    program(&["mariadb-install-db", "mysql_install_db"], |_| true)
}

/// A user and group by number.
#[derive(Clone, Copy)]
pub(super) struct User {
    pub(super) uid: u32,
    pub(super) gid: u32,
}

/// The user to run a server as: the current one, or another if this process is root, which PostgreSQL
/// refuses.
pub(super) fn server_user(preferred: &str) -> Option<User> {
    if id(&["-u"])? != 0 {
        return None;
    }
    [preferred, "nobody"].into_iter().find_map(|name| Some(User { uid: id(&["-u", name])?, gid: id(&["-g", name])? }))
}

/// A folder for temporary files that `user` can access: that of `TMPDIR`, or in memory if there is room.
pub(super) fn temporary_folder(user: Option<User>) -> PathBuf {
    let configured = variable("TMPDIR").map(PathBuf::from);
    let is_accessible =
        |folder: &Path| folder.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o001 != 0);
    match configured {
        Some(folder) if user.is_none() || folder.ancestors().all(is_accessible) => folder,
        None if has_room(MEMORY_FOLDER) => PathBuf::from(MEMORY_FOLDER),
        _ => PathBuf::from("/tmp"),
    }
}

/// Whether the data of several servers fits into this folder.
fn has_room(folder: &str) -> bool {
    static HAS_ROOM: OnceLock<bool> = OnceLock::new();
    *HAS_ROOM.get_or_init(|| {
        let free = output("df", &["--output=avail", "--block-size=1M", folder]);
        let free = free.and_then(|table| table.lines().nth(1)?.trim().parse().ok());
        free.is_some_and(|mebibytes: u64| mebibytes >= 4096)
    })
}

fn id(arguments: &[&str]) -> Option<u32> {
    output("id", arguments)?.trim().parse().ok()
}

fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    String::from_utf8(output.stdout).ok()
}

fn program(names: &[&str], accepts: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let mut folders = search_path();
    // Servers are often missing in the search path of unprivileged users.
    folders.extend(["/usr/sbin", "/usr/local/sbin", "/usr/libexec", "/usr/local/mysql/bin"].map(PathBuf::from));
    let paths = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let mut paths = paths.filter(|path| path.is_file());
    paths.find(|path| accepts(path))
}

fn search_path() -> Vec<PathBuf> {
    variable("PATH").map_or_else(Vec::new, |path| env::split_paths(&path).collect())
}

/// Debian installs every version in its own folder; newest first.
fn packaged_postgres() -> Vec<PathBuf> {
    let Ok(versions) = Path::new("/usr/lib/postgresql").read_dir() else {
        return Vec::new();
    };
    let versions = versions.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut versions: Vec<u32> = versions.filter_map(|version| version.parse().ok()).collect();
    versions.sort_unstable_by(|a, b| b.cmp(a));
    let folder = |version| PathBuf::from(format!("/usr/lib/postgresql/{version}/bin"));
    versions.into_iter().map(folder).collect()
}
