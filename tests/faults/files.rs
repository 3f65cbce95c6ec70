//! SQLite: full disk, locked file, unusable files.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use testkit::{Backend, Context, until};
use tokio::time::sleep;

use crate::load::{Load, Operation, Outcome, Target};
use crate::oracle::Oracle;
use crate::stopping::lock_writes;
use crate::support::{Vehicles as _, serve, start, start_under};
use crate::table::Stats;
use crate::{cases, rows};

cases![
    the_disk_is_full_for_a_while on Sqlite {
        fault: "file size limit reached (`RLIMIT_FSIZE`), then `kill -9`, then a higher limit",
        promise: "creates fail with `SERVICE_UNAVAILABLE` and are not stored, reads succeed, the process survives; creates recover with the higher limit",
        how: "`prlimit` on the running process under load; comparison with the stored rows after the kill and at the end",
    },
    the_disk_is_full_at_startup on Sqlite {
        fault: "file size limit too low for the tables at startup",
        promise: "a one-line error with the remedy, exit code 1; the next start with a higher limit succeeds",
        how: "a start under `prlimit`, a second start without",
    },
    another_process_holds_the_write_lock on Sqlite {
        fault: "another process holds the write lock of the file (`BEGIN IMMEDIATE`) for less and for more than the timeout",
        promise: "reads succeed; creates wait, and those that wait longer than the timeout fail with `SERVICE_UNAVAILABLE` and are not stored; none is lost or duplicated",
        how: "clients create and read meanwhile; each create ends within its own timeout and those of the creates before it",
    },
    an_unusable_file on Sqlite {
        fault: "a file that is not a database, damaged, a directory, in a missing directory, without permission, read-only, or in a read-only directory",
        promise: "a one-line error with the remedy, exit code 1, the file unchanged",
        how: "started on each of them as an unprivileged user",
    },
];

/// File size limit, smaller than the write-ahead log before its first checkpoint.
const FILE_LIMIT_BYTES: u32 = 1_200_000;

async fn the_disk_is_full_for_a_while(context: Context) -> Stats {
    let database = context.database();
    let flags = ["--log-level=info,access=off"];
    let limit = format!("--fsize={FILE_LIMIT_BYTES}:");
    let started = start_under(&["prlimit", &limit], database.url(), &flags);
    let mut running = started.listening().await;
    let (oracle, target) = (Arc::new(Oracle::default()), Target::new(running.addr));
    let load = Load::start(&oracle, &target, 16, 4);
    let wait_for_refusals = async |more: usize| {
        let expected = oracle.refusals() + more;
        until("creates are refused", async || oracle.refusals() >= expected).await;
    };
    wait_for_refusals(50).await;
    assert_eq!(running.readiness().await, 200, "it can still be read");
    running.signal("KILL");
    running.ended().await;
    let table = rows::all(database.url()).await;
    running = start_under(&["prlimit", &limit], database.url(), &flags).listening().await;
    target.set(running.addr);
    wait_for_refusals(50).await;
    let id = running.id().to_string();
    let raise_limit = ["--fsize=unlimited:", "--pid", &id];
    let raised = Command::new("prlimit").args(raise_limit).status();
    assert!(raised.unwrap().success());
    load.wait_for_acknowledged(200).await;
    let exchanges = load.stop().await;

    let mut stats = Stats { faults: 3, ..Stats::default() };
    exchanges.record(&mut stats);
    let unexpected = exchanges.count(|one| matches!(one.outcome, Outcome::Unexpected(_)));
    let failed_reads = exchanges.count(|one| {
        one.operation == Operation::Read && !matches!(one.outcome, Outcome::Success | Outcome::NoResponse(_))
    });
    assert_eq!((unexpected, failed_reads), (0, 0));
    oracle.compare(&rows::all(database.url()).await, &mut stats).assert_sound();
    assert!(table.len() > 100, "it stored until the disk was full: {}", table.len());
    running.signal("TERM");
    assert_eq!(running.ended().await.code(), Some(0), "{}", running.log());
    stats
}

/// The database timeout: how long a create waits for the lock.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

async fn another_process_holds_the_write_lock(context: Context) -> Stats {
    let database = context.database();
    let timeout_flag = format!("--database-timeout-seconds={}", LOCK_TIMEOUT.as_secs());
    let running = serve(database.url(), &[timeout_flag.as_str()]).await;
    let (oracle, target) = (Arc::new(Oracle::default()), Target::new(running.addr));
    let load = Load::start(&oracle, &target, 16, 4);
    let held_for = [LOCK_TIMEOUT / 2, LOCK_TIMEOUT * 2];
    let mut refusals = Vec::new();
    for held_for in held_for {
        load.wait_for_acknowledged(50).await;
        let lock = lock_writes(Backend::Sqlite, database.url()).await;
        sleep(held_for).await;
        lock.close().await.unwrap();
        load.wait_for_acknowledged(50).await;
        refusals.push(oracle.refusals());
    }
    let exchanges = load.stop().await;

    let mut stats = Stats { faults: held_for.len(), ..Stats::default() };
    exchanges.record(&mut stats);
    exchanges.assert_completed_within(LOCK_TIMEOUT * 2 + Duration::from_secs(1));
    let failed_reads = exchanges.count(|one| one.operation == Operation::Read && one.outcome != Outcome::Success);
    assert_eq!(failed_reads, 0, "reads go on");
    let reads = exchanges.all.iter().filter(|one| one.operation == Operation::Read);
    let slowest = reads.map(|one| one.took).max().unwrap();
    assert!(slowest < LOCK_TIMEOUT / 2, "a read waited for {slowest:?}");
    assert_eq!(refusals[0], 0, "who waits for less than the timeout is served");
    assert!(refusals[1] > 0, "nobody waited for longer than the timeout");
    let table = rows::all(database.url()).await;
    oracle.compare(&table, &mut stats).assert_sound();
    assert_eq!(stats.unknown, 0, "what is not begun is not stored");
    let slowest = format!("{} ms", slowest.as_millis());
    stats.further.insert("slowest read".to_owned(), slowest);
    stats
}

async fn the_disk_is_full_at_startup(context: Context) -> Stats {
    let database = context.database();
    let mut started = start_under(&["prlimit", "--fsize=6000"], database.url(), &[]);
    assert_eq!(started.ended().await.code(), Some(1), "{}", started.log());
    let log = started.log();
    let last = log.lines().last().unwrap_or_default();
    assert!(last.starts_with("error: ") && last.contains("the disk must have room"), "{log}");
    let running = serve(database.url(), &[]).await;
    assert_eq!(running.models().await, [""; 0]);
    rows::assert_migrated_once(database.url()).await;
    Stats { faults: 1, ..Stats::default() }
}

/// Makes a database file unusable.
type Damage = fn(&Path);

async fn an_unusable_file(_: Context) -> Stats {
    let cases: &[(&str, Damage, &str)] = &[
        ("no database", |file| fs::write(file, "hello").unwrap(), "the file is something else"),
        ("noise", |file| fs::write(file, vec![0xAA; 100_000]).unwrap(), "the file is something else"),
        ("cut off", |file| truncate(file, 5000), "the file is damaged"),
        ("a folder", make_folder, "the folder of the file must exist"),
        ("no folder", |file| fs::remove_dir_all(folder(file)).unwrap(), "the folder of the file must exist"),
        ("unreadable", |file| set_mode(file, 0o000), "must be allowed to read and write the file"),
        ("read-only", |file| set_mode(file, 0o444), "is read-only; the user of the service must be allowed"),
        (
            "in a read-only folder",
            |file| set_mode(folder(file), 0o555),
            "must be allowed to write the file and its folder, where SQLite keeps the log of the file; to read a file that \
             nobody writes, end the URL with ?immutable=1",
        ),
    ];
    for (what, damage, expected) in cases {
        let directory = TempDir::new().unwrap();
        let file = directory.path().join("folder/vehicles.db");
        fs::create_dir(folder(&file)).unwrap();
        let url = format!("sqlite:{}", file.display());
        let mut migrate = start(&url, &["migrate", "up"]);
        assert_eq!(migrate.ended().await.code(), Some(0), "{}", migrate.log());
        damage(&file);
        let before = fs::read(&file).ok();
        let mut started = start_under(without_rights(directory.path()), &url, &[]);
        assert_eq!(started.ended().await.code(), Some(1), "{what}: {}", started.log());
        restore_modes(&file);
        let log = started.log();
        assert!(log.contains(expected), "{what}: {log}");
        assert!(log.starts_with("error: cannot use the database: ") && log.lines().count() == 1, "{what}: {log}");
        assert!(before.is_none() || fs::read(&file).ok() == before, "{what}: it was written");
    }
    // What the last message proposes.
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("folder/vehicles.db");
    fs::create_dir(folder(&file)).unwrap();
    let url = format!("sqlite:{}", file.display());
    let mut migrate = start(&url, &["migrate", "up"]);
    assert_eq!(migrate.ended().await.code(), Some(0), "{}", migrate.log());
    set_mode(folder(&file), 0o555);
    let url = format!("{url}?immutable=1");
    let started = start_under(without_rights(directory.path()), &url, &[]);
    let running = started.listening().await;
    assert_eq!(running.readiness().await, 200, "{}", running.log());
    restore_modes(&file);
    Stats { faults: cases.len(), ..Stats::default() }
}

/// A prefix command that drops root's capability to ignore file permissions.
fn without_rights(directory: &Path) -> &'static [&'static str] {
    if fs::metadata(directory).unwrap().uid() == 0 {
        &["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    } else {
        &[]
    }
}

fn folder(file: &Path) -> &Path {
    file.parent().expect("it is in a folder")
}

fn truncate(file: &Path, bytes: u64) {
    fs::File::options().write(true).open(file).unwrap().set_len(bytes).unwrap();
}

fn make_folder(file: &Path) {
    fs::remove_file(file).unwrap();
    fs::create_dir(file).unwrap();
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Restores permissions, so that the file can be read and removed.
fn restore_modes(file: &Path) {
    for path in [folder(file), file] {
        if path.exists() {
            set_mode(path, 0o755);
        }
    }
}
