//! Databases that are away, broken or closed.

use std::error::Error;
use std::time::{Duration, Instant};

use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use vehicle_catalogue::catalogue::VehicleId;
use vehicle_catalogue::store::{DatabaseSettings, DatabaseUrl, Store, StoreError};

use crate::databases::Backend;
use crate::{Fixture, cases, new_vehicle};

cases![
    a_read_survives_a_lost_connection on Postgres Mysql,
    a_missing_table_is_unexpected,
    a_closed_store_is_unavailable,
    a_database_out_of_reach_says_why,
];

async fn a_read_survives_a_lost_connection(fixture: &Fixture) {
    let settings = DatabaseSettings {
        pool_size: 1,
        ..fixture.settings()
    };
    let store = Store::connect(&settings)
        .await
        .expect("the database is there");
    store
        .migrate_up()
        .await
        .expect("an empty database can be migrated");
    let stored = store
        .insert(new_vehicle("XC60"))
        .await
        .expect("it can be stored");
    cut_every_connection(fixture).await;
    assert_eq!(
        store.find(stored.id).await.expect("a read is sent again"),
        Some(stored.into())
    );
}

/// Those of requests, and those beside them.
async fn cut_every_connection(fixture: &Fixture) {
    let stranger = fixture.stranger().await;
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let others = other_connections(fixture.backend, &stranger).await;
        if others.is_empty() {
            return;
        }
        assert!(Instant::now() < deadline, "{others:?} do not go");
        for id in others {
            let cut = match fixture.backend {
                Backend::Mysql => format!("KILL {id}"),
                _ => format!("SELECT pg_terminate_backend({id})"),
            };
            // One that was going anyway may be gone meanwhile.
            drop(stranger.execute_unprepared(&cut).await);
        }
    }
}

async fn other_connections(backend: Backend, stranger: &DatabaseConnection) -> Vec<i64> {
    let others = match backend {
        Backend::Mysql => {
            "SELECT CAST(id AS SIGNED) FROM information_schema.processlist \
             WHERE db = DATABASE() AND id <> CONNECTION_ID()"
        }
        _ => {
            "SELECT pid::bigint FROM pg_stat_activity \
             WHERE datname = current_database() AND pid <> pg_backend_pid()"
        }
    };
    let list = Statement::from_string(stranger.get_database_backend(), others);
    let list = stranger.query_all_raw(list).await;
    let list = list.expect("the server lists its connections");
    list.iter()
        .map(|row| row.try_get_by_index(0).expect("it is a number"))
        .collect()
}

async fn a_missing_table_is_unexpected(fixture: &Fixture) {
    let store = fixture.store().await;
    let error = store.list(1).await.expect_err("there is no table");
    assert!(matches!(error, StoreError::Unexpected(_)), "{error:?}");
    assert!(
        !error.to_string().to_lowercase().contains("vehicle"),
        "{error}"
    );
}

async fn a_closed_store_is_unavailable(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    store.close().await;
    for error in [
        store.insert(new_vehicle("XC60")).await.map(|_| ()),
        store.find(VehicleId::from_key(1)).await.map(|_| ()),
        store.list(1).await.map(|_| ()),
        store.ping().await,
    ] {
        assert!(
            matches!(error, Err(StoreError::Unavailable(_))),
            "{error:?}"
        );
    }
}

async fn a_database_out_of_reach_says_why(fixture: &Fixture) {
    let (url, reason) = match fixture.backend {
        Backend::Sqlite => (
            "sqlite:/no/such/folder/vehicles.db".to_owned(),
            "unable to open",
        ),
        Backend::Postgres => ("postgres://u:secret@127.0.0.1:1/shop".to_owned(), "refused"),
        Backend::Mysql => ("mysql://u:secret@127.0.0.1:1/shop".to_owned(), "refused"),
    };
    let settings = DatabaseSettings {
        url: DatabaseUrl::parse(&url).expect("the URL is right"),
        connect_timeout: Duration::from_millis(300),
        ..fixture.settings()
    };
    let started = Instant::now();
    let error = Store::connect(&settings)
        .await
        .expect_err("nobody is there");
    assert!(started.elapsed() < Duration::from_secs(5));
    assert!(
        error.to_string().starts_with("cannot connect to the "),
        "{error}"
    );
    let cause = error.source().map(ToString::to_string).unwrap_or_default();
    assert!(cause.contains(reason), "{cause}");
    let everything = format!("{settings:?} {error} {error:?} {cause}");
    assert!(!everything.contains("secret"), "{everything}");
}
