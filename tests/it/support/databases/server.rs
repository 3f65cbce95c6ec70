//! A database server: one that is given, or a throwaway one.
//!
//! Throwaway servers have the harshest defaults an operator could have set, so that what the
//! program promises does not depend on them: MySQL cuts long texts and speaks Latin-1, PostgreSQL
//! answers before a commit is on disk.

use std::fs::{self, File, Permissions};
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::{admin, programs};

const START_TIMEOUT: Duration = Duration::from_mins(2);

/// Runs a server, stops and starts it as it is told to, until the other end of its input is closed,
/// which the end of the test process does in any case, however it comes; then removes the server's folder.
/// `$2` ends the server as a crash does, `$3` in order. PostgreSQL's connections are processes of their own.
const WATCHDOG: &str = r#"
    folder=$1; crash=$2; goodbye=$3; shift 3
    everybody() { kill -"$1" "$pid" $(pgrep -P "$pid"); }
    "$@" </dev/null & pid=$!
    while read -r order; do
        case $order in
            stop) kill -"$crash" "$pid"; wait "$pid";;
            kill) everybody KILL; wait "$pid";;
            end) kill -"$goodbye" "$pid"; wait "$pid";;
            freeze) kill -STOP "$pid"; everybody STOP;;
            thaw) everybody CONT;;
            start) "$@" </dev/null & pid=$!;;
        esac
    done
    everybody CONT
    kill -"$crash" "$pid"
    wait "$pid"
    rm -rf "$folder"
"#;

/// What a throwaway server is given beyond the usual: files in its folder, and arguments.
#[derive(Default)]
pub(crate) struct Extras {
    pub(crate) files: Vec<(&'static str, String)>,
    /// `{folder}` in an argument stands for the server's folder.
    pub(crate) arguments: Vec<String>,
}

/// A server and the URL of its administrative database.
pub(super) struct Server {
    admin_url: String,
    throwaway: Option<Throwaway>,
}

impl Server {
    pub(super) fn admin_url(&self) -> &str {
        &self.admin_url
    }

    /// Has a throwaway server's watchdog do something. Does not wait until it is done.
    pub(super) fn order(&mut self, order: &str) {
        let throwaway = self.throwaway.as_mut();
        let watchdog = &mut throwaway.expect("it is a throwaway server").watchdog;
        let orders = watchdog.stdin.as_mut().expect("it is open until the end");
        writeln!(orders, "{order}").expect("the watchdog listens");
    }

    fn given(variable: &str) -> Option<Self> {
        let admin_url = programs::variable(variable)?.replacen("mariadb://", "mysql://", 1);
        Some(Self {
            admin_url,
            throwaway: None,
        })
    }
}

pub(super) fn postgres_availability() -> Result<(), String> {
    let had =
        programs::variable("TEST_POSTGRES_URL").is_some() || programs::postgres_folder().is_some();
    had.then_some(()).ok_or_else(|| {
        "no PostgreSQL: TEST_POSTGRES_URL is not set and `initdb` and `postgres` were not found"
            .to_owned()
    })
}

pub(super) fn mysql_availability() -> Result<(), String> {
    let had = programs::variable("TEST_MYSQL_URL").is_some() || programs::mysql_server().is_some();
    had.then_some(()).ok_or_else(|| {
        "no MySQL or MariaDB: TEST_MYSQL_URL is not set and neither `mariadbd` nor `mysqld` was found"
            .to_owned()
    })
}

pub(super) fn postgres() -> Server {
    Server::given("TEST_POSTGRES_URL").unwrap_or_else(|| throwaway_postgres(&Extras::default()))
}

pub(super) fn throwaway_postgres(extras: &Extras) -> Server {
    let programs = programs::postgres_folder().expect("availability was asked before");
    let place = Place::new("postgres");
    let data = place.folder.path().join("data");
    let mut make = place.command(&programs.join("initdb"));
    make.args([
        "--username=postgres",
        "--auth=trust",
        "--encoding=UTF8",
        "--locale=C",
        "--no-sync",
    ]);
    finish(make.arg("--pgdata").arg(&data));

    let port = free_port();
    let mut arguments = vec!["-D".to_owned(), data.display().to_string()];
    for setting in [
        &format!("port={port}"),
        "listen_addresses=127.0.0.1",
        "unix_socket_directories=",
        "max_connections=500",
        "shared_buffers=32MB",
        "fsync=off",
        "full_page_writes=off",
        "synchronous_commit=off",
    ] {
        arguments.extend(["-c".to_owned(), setting.to_owned()]);
    }
    let url = format!("postgres://postgres@127.0.0.1:{port}/postgres");
    arguments.extend(place.take(extras));
    place.start(&programs.join("postgres"), &arguments, ["QUIT", "INT"], url)
}

pub(super) fn mysql() -> Server {
    Server::given("TEST_MYSQL_URL").unwrap_or_else(|| throwaway_mysql(&Extras::default()))
}

pub(super) fn throwaway_mysql(extras: &Extras) -> Server {
    let program = programs::mysql_server().expect("availability was asked before");
    let place = Place::new("mysql");
    let data = format!("--datadir={}", place.folder.path().join("data").display());
    let install = programs::mariadb_install().filter(|_| is_mariadb(&program));
    let mut make = place.command(install.as_ref().unwrap_or(&program));
    make.args(if install.is_some() {
        &[
            "--no-defaults",
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
        ][..]
    } else {
        &["--no-defaults", "--initialize-insecure"]
    });
    finish(make.arg(&data));

    let port = free_port();
    let socket = place.folder.path().join("socket");
    let arguments = [
        "--no-defaults",
        &data,
        &format!("--port={port}"),
        &format!("--socket={}", socket.display()),
        &format!("--pid-file={}", place.folder.path().join("pid").display()),
        "--bind-address=127.0.0.1",
        "--max-connections=500",
        "--skip-log-bin",
        "--performance-schema=OFF",
        "--innodb-buffer-pool-size=32M",
        "--innodb-flush-log-at-trx-commit=0",
        "--sql-mode=",
        "--character-set-server=latin1",
    ]
    .map(str::to_owned);
    let url = format!("mysql://root@127.0.0.1:{port}/mysql");
    let mut arguments = arguments.to_vec();
    arguments.extend(place.take(extras));
    place.start(&program, &arguments, ["KILL", "TERM"], url)
}

/// A running throwaway server.
struct Throwaway {
    watchdog: Child,
    _folder: TempDir,
}

impl Drop for Throwaway {
    fn drop(&mut self) {
        drop(self.watchdog.stdin.take());
        let _ = self.watchdog.wait();
    }
}

/// A folder for a server, and the user it belongs to.
struct Place {
    folder: TempDir,
    user: Option<programs::User>,
}

impl Place {
    fn new(name: &str) -> Self {
        let user = programs::server_user(name);
        let folder = tempfile::Builder::new()
            .prefix(&format!("vehicle-test-{name}-"))
            .tempdir_in(programs::temporary_folder(user))
            .expect("a temporary folder can be made");
        if let Some(user) = user {
            chown(folder.path(), Some(user.uid), Some(user.gid))
                .expect("root can give a folder away");
        }
        Self { folder, user }
    }

    /// Writes the extra files, which nobody else can read, and answers the extra arguments.
    fn take(&self, extras: &Extras) -> Vec<String> {
        let folder = self.folder.path();
        for (name, content) in &extras.files {
            let path = folder.join(name);
            fs::write(&path, content).expect("the folder takes files");
            fs::set_permissions(&path, Permissions::from_mode(0o600)).expect("it is ours");
            if let Some(user) = self.user {
                chown(&path, Some(user.uid), Some(user.gid)).expect("root can give a file away");
            }
        }
        let folder = folder.display().to_string();
        let arguments = extras.arguments.iter();
        arguments
            .map(|argument| argument.replace("{folder}", &folder))
            .collect()
    }

    /// A command of the server's user.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        // Ctrl-C is for the tests; servers end with them, in order.
        command
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .process_group(0);
        if let Some(user) = self.user {
            command
                .uid(user.uid)
                .gid(user.gid)
                .env("HOME", self.folder.path());
        }
        command
    }

    fn start(
        self,
        program: &Path,
        arguments: &[String],
        signals: [&str; 2],
        admin_url: String,
    ) -> Server {
        let log = self.folder.path().join("log");
        let log_file = File::create(&log).expect("the folder takes files");
        let mut command = self.command(Path::new("/bin/sh"));
        command
            .args(["-c", WATCHDOG, "watchdog"])
            .arg(self.folder.path())
            .args(signals);
        command.arg(program).args(arguments).stdin(Stdio::piped());
        command
            .stderr(log_file.try_clone().expect("a file can be shared"))
            .stdout(log_file);
        let watchdog = command
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let throwaway = Throwaway {
            watchdog,
            _folder: self.folder,
        };
        wait_until_ready(&admin_url, &log);
        Server {
            admin_url,
            throwaway: Some(throwaway),
        }
    }
}

fn finish(command: &mut Command) {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

fn wait_until_ready(admin_url: &str, log: &PathBuf) {
    let started = Instant::now();
    let address = admin_url
        .split(['@', '/'])
        .nth(3)
        .expect("the URL was made here");
    while std::net::TcpStream::connect(address).is_err() || !admin::is_ready(admin_url) {
        assert!(
            started.elapsed() < START_TIMEOUT,
            "the server at {address} does not start:\n{}",
            fs::read_to_string(log).unwrap_or_default()
        );
        thread::sleep(Duration::from_millis(50));
    }
}

fn is_mariadb(program: &Path) -> bool {
    let version = Command::new(program).arg("--version").output();
    version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("MariaDB"))
}

fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("loopback has a free port");
    listener
        .local_addr()
        .expect("a bound socket has an address")
        .port()
}
