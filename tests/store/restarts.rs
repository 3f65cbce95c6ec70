//! A server that is killed, restarted or frozen while vehicles are created.

use std::thread;
use std::time::Duration;

use testkit::{Context, OwnServer};
use tokio::task::JoinSet;
use tokio::time::sleep;
use vehicle_catalogue::store::{Created, Database, DatabaseUrl, Settings, Store};

use super::support::{models, vehicle};

testkit::tests![no_create_is_lost_or_unknown_while_the_server_restarts on Postgres Mariadb];

async fn no_create_is_lost_or_unknown_while_the_server_restarts(context: Context) {
    let mut server = OwnServer::durable(context.backend);
    let settings = Settings {
        url: DatabaseUrl::parse(&server.database()).expect("the URL is right"),
        pool_size: 4,
        held_connections: 2,
        timeout: Duration::from_mins(1),
        connect_timeout: Duration::from_secs(20),
        migration_lock_timeout: Duration::from_secs(20),
    };
    let database = Database::connect(settings)
        .await
        .expect("the server is ready");
    database.migrate_up().await.expect("the database is empty");
    let store = Store::new(database);
    let mut tasks = JoinSet::new();
    for task in 0..8 {
        let store = store.clone();
        tasks.spawn(async move {
            let mut acknowledged = Vec::new();
            for number in 0..60 {
                let model = format!("M{task}-{number}");
                match store.create(vec![vehicle(&model)]).await {
                    Ok(Created::New(_)) => acknowledged.push(model),
                    other => panic!("the outcome is not known: {other:?}"),
                }
                sleep(Duration::from_millis(10)).await;
            }
            acknowledged
        });
    }
    for _ in 0..2 {
        sleep(Duration::from_millis(100)).await;
        server.kill();
        server.start_again();
    }
    while !server.is_listening() {
        sleep(Duration::from_millis(10)).await;
    }
    server.freeze();
    thread::sleep(Duration::from_millis(500));
    server.thaw();
    let mut acknowledged: Vec<_> = tasks.join_all().await.into_iter().flatten().collect();
    let mut stored = models(&store).await;
    acknowledged.sort();
    stored.sort();
    assert_eq!(
        stored, acknowledged,
        "each acknowledged vehicle is stored once"
    );
}
