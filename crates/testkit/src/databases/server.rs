//! Starts throwaway servers.
//!
//! They have the least favourable defaults, so that no test depends on server settings:
//! MySQL truncates long strings and uses Latin-1, PostgreSQL acknowledges a commit before it is on disk.

use std::fs::{self, File, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::backend::Backend;
use super::own_server::OwnServer;
use super::watchdog::{self, START_TIMEOUT, Watchdog};
use super::{admin, programs};

/// Extra files and arguments of a throwaway server.
#[derive(Default)]
pub struct Extras {
    /// Names and contents of files in the folder of the server.
    pub files: Vec<(&'static str, String)>,
    /// Arguments; `{folder}` in one is replaced by the server's folder.
    pub arguments: Vec<String>,
}

impl OwnServer {
    /// Starts a server of this kind.
    pub fn start(backend: Backend, extras: &Extras) -> Self {
        if backend.is_mysql_family() { mysql_family(backend, extras) } else { postgres(extras) }
    }

    /// A streaming standby of this PostgreSQL server.
    #[must_use]
    pub fn standby(&self, extras: &Extras) -> Self {
        postgres_standby(&self.admin_url, extras)
    }

    /// A server with durable commits, which survive a crash.
    pub fn durable(backend: Backend) -> Self {
        let mut extras = Extras::default();
        // `synchronous_commit` of PostgreSQL is off by default here; the service turns it on.
        if backend.is_mysql_family() {
            let durable = "--innodb-flush-log-at-trx-commit=1";
            extras.arguments.push(durable.to_owned());
        }
        Self::start(backend, &extras)
    }
}

fn postgres(extras: &Extras) -> OwnServer {
    let programs = server_program(Backend::Postgres);
    let folder = ServerFolder::new("postgres");
    let data = folder.path("data");
    let mut init = folder.command(&programs.join("initdb"));
    init.args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]);
    run_to_completion(init.arg("--pgdata").arg(&data));
    run_postgres(folder, extras)
}

/// A read-only streaming standby of another throwaway server.
fn postgres_standby(primary_url: &str, extras: &Extras) -> OwnServer {
    let backup = programs::pg_basebackup().expect("availability was asked before");
    let folder = ServerFolder::new("postgres");
    let mut backup = folder.command(&backup);
    backup
        .args(["--write-recovery-conf", "--checkpoint=fast", "--no-sync"])
        .args(["--dbname", primary_url])
        .arg("--pgdata")
        .arg(folder.path("data"));
    run_to_completion(&mut backup);
    run_postgres(folder, extras)
}

fn run_postgres(folder: ServerFolder, extras: &Extras) -> OwnServer {
    let programs = server_program(Backend::Postgres);
    let data = folder.path("data");
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
    arguments.extend(folder.write_extras(extras));
    folder.start(&programs.join("postgres"), &arguments, ["QUIT", "INT"], url)
}

/// A server of MariaDB or MySQL.
fn mysql_family(backend: Backend, extras: &Extras) -> OwnServer {
    const SMALL: &[&str] = &["--innodb-redo-log-capacity=8M", "--secure-file-priv=NULL"];
    let server = server_program(backend);
    let (init_program, init, own_arguments): (_, &[&str], _) = if backend == Backend::Mysql {
        (server.clone(), &["--initialize-insecure"], SMALL)
    } else {
        let install = programs::mariadb_install();
        let install = install.expect("MariaDB is installed with the program that makes a data folder");
        let init = &["--auth-root-authentication-method=normal", "--skip-test-db"];
        (install, init, &[])
    };
    let folder = ServerFolder::new("mysql");
    let data = format!("--datadir={}", folder.path("data").display());
    // A starting server removes the temporary tables of other servers in a shared folder.
    let temporary = format!("--tmpdir={}", folder.temp_dir.path().display());
    run_to_completion(
        folder.command(&init_program).arg("--no-defaults").args(init).args(own_arguments).args([&data, &temporary]),
    );

    let port = free_port();
    let arguments = [
        "--no-defaults",
        &data,
        &temporary,
        &format!("--port={port}"),
        &format!("--socket={}", folder.path("socket").display()),
        &format!("--pid-file={}", folder.path("pid").display()),
        "--bind-address=127.0.0.1",
        "--max-connections=500",
        "--skip-log-bin",
        "--innodb-buffer-pool-size=32M",
        "--innodb-flush-log-at-trx-commit=0",
        // MariaDB ignores it.
        "--loose-mysqlx=OFF",
        "--sql-mode=",
        "--character-set-server=latin1",
    ];
    let arguments = arguments.iter().chain(own_arguments);
    let mut arguments: Vec<_> = arguments.map(ToString::to_string).collect();
    let url = format!("mysql://root@127.0.0.1:{port}/mysql");
    arguments.extend(folder.write_extras(extras));
    folder.start(&server, &arguments, ["KILL", "TERM"], url)
}

fn server_program(backend: Backend) -> PathBuf {
    programs::server(backend).expect("availability was asked before")
}

/// The folder of a server and its owner.
struct ServerFolder {
    temp_dir: TempDir,
    user: Option<programs::User>,
}

impl ServerFolder {
    fn new(name: &str) -> Self {
        let user = programs::server_user(name);
        let temp_dir = tempfile::Builder::new()
            .prefix(&format!("testkit-{name}-"))
            .tempdir_in(programs::temporary_folder(user))
            .expect("a temporary folder can be made");
        if let Some(user) = user {
            chown(temp_dir.path(), Some(user.uid), Some(user.gid)).expect("root can give a folder away");
        }
        Self { temp_dir, user }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.temp_dir.path().join(name)
    }

    /// Writes the extra files, readable by their owner only, and returns the extra arguments.
    fn write_extras(&self, extras: &Extras) -> Vec<String> {
        for (name, content) in &extras.files {
            let path = self.path(name);
            fs::write(&path, content).expect("the folder takes files");
            fs::set_permissions(&path, Permissions::from_mode(0o600)).expect("it is ours");
            if let Some(user) = self.user {
                chown(&path, Some(user.uid), Some(user.gid)).expect("root can give a file away");
            }
        }
        let folder = self.temp_dir.path().display().to_string();
        let arguments = extras.arguments.iter();
        arguments.map(|argument| argument.replace("{folder}", &folder)).collect()
    }

    /// A command that runs as the server's user.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        // Ctrl-C must not reach the servers directly; the watchdog stops them in order.
        command.current_dir(self.temp_dir.path()).stdin(Stdio::null()).process_group(0);
        if let Some(user) = self.user {
            command.uid(user.uid).gid(user.gid).env("HOME", self.temp_dir.path());
        }
        command
    }

    fn start(self, program: &Path, arguments: &[String], signals: [&str; 2], admin_url: String) -> OwnServer {
        let log = self.path("log");
        let log_file = File::create(&log).expect("the folder takes files");
        let mut command = self.command(Path::new("/bin/sh"));
        watchdog::arguments(&mut command, self.temp_dir.path(), signals);
        command.arg(program).args(arguments);
        command.stderr(log_file.try_clone().expect("a file can be shared")).stdout(log_file);
        let server = OwnServer { admin_url, watchdog: Watchdog::spawn(command, self.temp_dir) };
        wait_until_ready(&server, &log);
        server
    }
}

fn wait_until_ready(server: &OwnServer, log: &Path) {
    let started = Instant::now();
    while !server.is_listening() || !admin::is_ready(server.admin_url()) {
        assert!(
            started.elapsed() < START_TIMEOUT,
            "the server at {} does not start:\n{}",
            server.address(),
            fs::read_to_string(log).unwrap_or_default()
        );
        thread::sleep(Duration::from_millis(50));
    }
}

fn run_to_completion(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// A free port of the loopback interface, each time another one. It is below the ephemeral range, so that no other socket
/// gets it before it is bound.
pub fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Test processes start at different ports.
    let first = u16::try_from(std::process::id() % 600).expect("it is small") * 20;
    let mut ports = std::iter::repeat_with(|| {
        let next = first + NEXT.fetch_add(1, Ordering::Relaxed) % 12_000;
        20_000 + next % 12_000
    });
    let free = ports.find(|&port| TcpListener::bind(("127.0.0.1", port)).is_ok());
    free.expect("the ports are repeated without end")
}
