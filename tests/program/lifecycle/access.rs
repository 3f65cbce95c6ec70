//! The lines at the start that say what is open to whom.

use testkit::Context;

use crate::support::serve;

testkit::tests![
    the_start_says_what_is_open_to_whom on Sqlite,
];

const WARNING: &str = "can read and change the data: set --auth-keys-file";

async fn the_start_says_what_is_open_to_whom(context: Context) {
    let database = context.database();
    let flags = ["--admin-listen=127.0.0.1:0", "--production"];
    let running = serve(database.url(), &flags).await;
    running.logged("open to clients and operators").await;
    let log = running.log();
    let line = log.lines().find(|line| line.contains("open to clients"));
    let line = line.unwrap_or_else(|| panic!("{log}"));
    let clients = format!("\"clients\":\"{}\"", running.addr);
    for part in [
        &clients,
        "\"operators\":\"127.0.0.1:",
        "\"tls\":\"off\"",
        "\"authentication\":\"off\"",
        "\"production\":\"on\"",
        "\"graphiql\":\"off\"",
        "\"introspection\":\"off\"",
    ] {
        assert!(line.contains(part), "{part} in {line}");
    }
    assert!(!log.contains(WARNING), "{log}");
    drop(running);
    let running = serve(database.url(), &["--listen=0.0.0.0:0"]).await;
    running.logged(WARNING).await;
}
