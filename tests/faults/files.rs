//! SQLite files that cannot be used, or no longer.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use tokio::time::sleep;

use crate::databases::Backend;
use crate::load::{Asked, Got, Load, Target};
use crate::oracle::Oracle;
use crate::running::{Running, Started, until};
use crate::stopping::keep_writes_waiting;
use crate::table::Figures;
use crate::{Context, cases, rows};

cases![
    the_disk_is_full_for_a_while on Sqlite {
        fault: "no room for the file to grow (`RLIMIT_FSIZE`), then `kill -9`, then room again",
        promise: "creates are refused as `SERVICE_UNAVAILABLE` and not stored, reads go on, the process lives; with room it stores again by itself",
        how: "`prlimit` on the running process under load; the oracle looks after the kill and at the end",
    },
    the_disk_is_full_at_the_start on Sqlite {
        fault: "no room for the tables at the start",
        promise: "one sentence that names what to do, exit code 1; the next start with room succeeds",
        how: "`prlimit` around the start, a second start without",
    },
    another_process_keeps_the_write_lock on Sqlite {
        fault: "another process keeps the write lock of the file (`BEGIN IMMEDIATE`), for less and for more than the time-out",
        promise: "reads go on; creates wait, and what waits for longer than the time-out is refused as `SERVICE_UNAVAILABLE` and not stored; none is lost or doubled",
        how: "clients create and read meanwhile; each create is answered within the time-out of those before it and its own",
    },
    a_file_that_cannot_be_used on Sqlite {
        fault: "a file that is no database, damaged, a folder, in no folder, without permission, read-only, or in a read-only folder",
        promise: "one sentence that names what to do, exit code 1, the file untouched",
        how: "started on each of them, without the rights of root",
    },
];

/// Less than the log of the file grows to before it is folded into it.
const ROOM_BYTES: u32 = 400_000;

async fn the_disk_is_full_for_a_while(context: Context) -> Figures {
    let database = context.database();
    let flags = ["--log-level=info,access=off"];
    let limit = format!("--fsize={ROOM_BYTES}:");
    let full = Started::under(&["prlimit", &limit], database.url(), &flags);
    let mut running = full.listening().await;
    let (oracle, target) = (Arc::new(Oracle::default()), Target::new(running.addr));
    let load = Load::start(&oracle, &target, 16, 4);
    let refused = async |more: usize| {
        let enough = oracle.refusals() + more;
        until("creates are refused", async || oracle.refusals() >= enough).await;
    };
    refused(50).await;
    assert_eq!(running.readiness().await, 200, "it can still be read");
    running.signal("KILL");
    running.ended().await;
    let table = rows::all(database.url()).await;
    running = Started::under(&["prlimit", &limit], database.url(), &flags)
        .listening()
        .await;
    target.moves_to(running.addr);
    refused(50).await;
    let id = running.id().to_string();
    let room = ["--fsize=unlimited:", "--pid", &id];
    let given = Command::new("prlimit").args(room).status();
    assert!(given.unwrap().success());
    load.acknowledges(200).await;
    let exchanges = load.stop().await;

    let mut figures = Figures {
        faults: 3,
        ..Figures::default()
    };
    exchanges.note(&mut figures);
    let wrong = exchanges.count(|one| matches!(one.got, Got::Other(_)));
    let unread = exchanges
        .count(|one| one.asked == Asked::Read && !matches!(one.got, Got::Answer | Got::Nothing(_)));
    assert_eq!((wrong, unread), (0, 0));
    oracle
        .compare(&rows::all(database.url()).await, &mut figures)
        .assert_sound();
    assert!(
        table.len() > 100,
        "it stored until the disk was full: {}",
        table.len()
    );
    running.signal("TERM");
    assert_eq!(running.ended().await.code(), Some(0), "{}", running.log());
    figures
}

/// How long creates wait for the lock.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

async fn another_process_keeps_the_write_lock(context: Context) -> Figures {
    let database = context.database();
    let time_out = format!("--database-timeout-seconds={}", LOCK_TIMEOUT.as_secs());
    let running = Running::start(database.url(), &[time_out.as_str()]).await;
    let (oracle, target) = (Arc::new(Oracle::default()), Target::new(running.addr));
    let load = Load::start(&oracle, &target, 16, 4);
    let held = [LOCK_TIMEOUT / 2, LOCK_TIMEOUT * 2];
    let mut refusals = Vec::new();
    for held in held {
        load.acknowledges(50).await;
        let lock = keep_writes_waiting(Backend::Sqlite, database.url()).await;
        sleep(held).await;
        lock.close().await.unwrap();
        load.acknowledges(50).await;
        refusals.push(oracle.refusals());
    }
    let exchanges = load.stop().await;

    let mut figures = Figures {
        faults: held.len(),
        ..Figures::default()
    };
    exchanges.note(&mut figures);
    exchanges.assert_answered_within(LOCK_TIMEOUT * 2 + Duration::from_secs(1));
    let unread = exchanges.count(|one| one.asked == Asked::Read && one.got != Got::Answer);
    assert_eq!(unread, 0, "reads go on");
    let reads = exchanges.all.iter().filter(|one| one.asked == Asked::Read);
    let slowest = reads.map(|one| one.took).max().unwrap();
    assert!(slowest < LOCK_TIMEOUT / 2, "a read waited for {slowest:?}");
    assert_eq!(
        refusals[0], 0,
        "who waits for less than the time-out is served"
    );
    assert!(
        refusals[1] > 0,
        "nobody waited for longer than the time-out"
    );
    let table = rows::all(database.url()).await;
    oracle.compare(&table, &mut figures).assert_sound();
    assert_eq!(figures.unknown, 0, "what is not begun is not stored");
    let slowest = format!("{} ms", slowest.as_millis());
    figures.further.insert("slowest read".to_owned(), slowest);
    figures
}

async fn the_disk_is_full_at_the_start(context: Context) -> Figures {
    let database = context.database();
    let mut started = Started::under(&["prlimit", "--fsize=6000"], database.url(), &[]);
    assert_eq!(started.ended().await.code(), Some(1), "{}", started.log());
    let log = started.log();
    let last = log.lines().last().unwrap_or_default();
    assert!(
        last.starts_with("error: ") && last.contains("the disk must have room"),
        "{log}"
    );
    let running = Running::start(database.url(), &[]).await;
    assert_eq!(running.models().await, [""; 0]);
    rows::assert_migrated_once(database.url()).await;
    Figures {
        faults: 1,
        ..Figures::default()
    }
}

/// What makes a file of no use.
type Spoil = fn(&Path);

async fn a_file_that_cannot_be_used(_: Context) -> Figures {
    let all: &[(&str, Spoil, &str)] = &[
        (
            "no database",
            |file| fs::write(file, "hello").unwrap(),
            "the file is something else",
        ),
        (
            "noise",
            |file| fs::write(file, vec![0xAA; 100_000]).unwrap(),
            "the file is something else",
        ),
        ("cut off", |file| cut(file, 5000), "the file is damaged"),
        ("a folder", make_folder, "the folder of the file must exist"),
        (
            "no folder",
            |file| fs::remove_dir_all(folder(file)).unwrap(),
            "the folder of the file must exist",
        ),
        (
            "unreadable",
            |file| permit(file, 0o000),
            "must be allowed to read and write the file",
        ),
        (
            "read-only",
            |file| permit(file, 0o444),
            "is read-only; the user of the service must be allowed",
        ),
        (
            "in a read-only folder",
            |file| permit(folder(file), 0o555),
            "must be allowed to write the file and its folder",
        ),
    ];
    for (what, spoil, expected) in all {
        let place = TempDir::new().unwrap();
        let file = place.path().join("folder/vehicles.db");
        fs::create_dir(folder(&file)).unwrap();
        let url = format!("sqlite:{}", file.display());
        let mut made = Started::new(&url, &["migrate", "up"]);
        assert_eq!(made.ended().await.code(), Some(0), "{}", made.log());
        spoil(&file);
        let before = fs::read(&file).ok();
        let mut started = Started::under(without_rights(place.path()), &url, &[]);
        assert_eq!(
            started.ended().await.code(),
            Some(1),
            "{what}: {}",
            started.log()
        );
        permit_again(&file);
        let log = started.log();
        assert!(log.contains(expected), "{what}: {log}");
        assert!(
            log.starts_with("error: cannot use the database: ") && log.lines().count() == 1,
            "{what}: {log}"
        );
        assert!(
            before.is_none() || fs::read(&file).ok() == before,
            "{what}: it was written"
        );
    }
    Figures {
        faults: all.len(),
        ..Figures::default()
    }
}

/// Root may do whatever permissions forbid, unless it has given that right up.
fn without_rights(ours: &Path) -> &'static [&'static str] {
    if fs::metadata(ours).unwrap().uid() == 0 {
        &["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    } else {
        &[]
    }
}

fn folder(file: &Path) -> &Path {
    file.parent().expect("it is in a folder")
}

fn cut(file: &Path, bytes: u64) {
    fs::File::options()
        .write(true)
        .open(file)
        .unwrap()
        .set_len(bytes)
        .unwrap();
}

fn make_folder(file: &Path) {
    fs::remove_file(file).unwrap();
    fs::create_dir(file).unwrap();
}

fn permit(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// So that what is left can be looked at and removed.
fn permit_again(file: &Path) {
    for path in [folder(file), file] {
        if path.exists() {
            permit(path, 0o755);
        }
    }
}
