//! The file of a SQLite database that is removed or replaced below the running service.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use testkit::Running;

use crate::support::{Vehicles as _, program, serve};

testkit::tests![
    a_create_below_which_the_file_was_removed_is_refused on Sqlite,
    a_create_below_which_the_file_was_replaced_is_refused on Sqlite,
    a_create_below_which_the_log_was_removed_is_refused_and_nothing_is_lost on Sqlite,
    a_readiness_check_creates_no_file on Sqlite,
    a_file_that_is_moved_back_is_used_again on Sqlite,
];

/// A running service with a vehicle, and its database file.
async fn running() -> (TempDir, PathBuf, Running) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("v.db");
    let running = serve(&url(&file), &[]).await;
    running.create("XC60").await.unwrap();
    (folder, file, running)
}

fn url(file: &Path) -> String {
    format!("sqlite:{}", file.display())
}

fn beside(file: &Path, suffix: &str) -> PathBuf {
    file.with_file_name(format!("v.db{suffix}"))
}

/// The file with its log.
fn remove(file: &Path) {
    for suffix in ["", "-wal", "-shm"] {
        fs::remove_file(beside(file, suffix)).unwrap();
    }
}

async fn assert_refused(running: &Running, remedy: &str) {
    for _ in 0..3 {
        let response = running.create("XC90").await.unwrap();
        let code = &response["errors"][0]["extensions"]["code"];
        assert_eq!(*code, "SERVICE_UNAVAILABLE", "{response}");
    }
    assert_eq!(running.readiness().await, 503, "{}", running.log());
    running
        .logged("was removed or replaced while it was open")
        .await;
    running.logged(remedy).await;
}

async fn a_create_below_which_the_file_was_removed_is_refused() {
    let (_folder, file, running) = running().await;
    remove(&file);
    assert_refused(&running, "move the original file back").await;
    assert!(!file.exists(), "a refused create makes no file");
}

async fn a_create_below_which_the_file_was_replaced_is_refused() {
    let (folder, file, running) = running().await;
    let backup = folder.path().join("backup");
    let migrated = program().run(&["--database-url", &url(&backup), "migrate", "up"]);
    assert_eq!(migrated.code, Some(0), "{migrated:?}");
    fs::rename(&backup, &file).unwrap();
    assert_refused(&running, "start it on the file").await;
    drop(running);
    for suffix in ["-wal", "-shm"] {
        drop(fs::remove_file(beside(&file, suffix)));
    }
    let restarted = serve(&url(&file), &[]).await;
    assert_eq!(restarted.models().await, [""; 0], "nothing was written");
}

async fn a_create_below_which_the_log_was_removed_is_refused_and_nothing_is_lost() {
    let (_folder, file, running) = running().await;
    fs::remove_file(beside(&file, "-wal")).unwrap();
    assert_refused(
        &running,
        "end the service, which stores the log in the file",
    )
    .await;
    running.stop();
    let restarted = serve(&url(&file), &[]).await;
    assert_eq!(restarted.models().await, ["XC60"]);
}

async fn a_readiness_check_creates_no_file() {
    let (folder, file, running) = running().await;
    remove(&file);
    for _ in 0..3 {
        assert_eq!(running.readiness().await, 503, "{}", running.log());
    }
    let left = fs::read_dir(folder.path()).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.is_empty(), "{left:?}");
}

async fn a_file_that_is_moved_back_is_used_again() {
    let (folder, file, running) = running().await;
    let moved = folder.path().join("moved");
    fs::rename(&file, &moved).unwrap();
    assert_refused(&running, "move the original file back").await;
    fs::rename(&moved, &file).unwrap();
    let created = running.create("XC40").await.unwrap();
    assert!(created["errors"].is_null(), "{created}");
    assert_eq!(running.models().await, ["XC60", "XC40"]);
    running.stop();
    let restarted = serve(&url(&file), &[]).await;
    assert_eq!(restarted.models().await, ["XC60", "XC40"]);
}
