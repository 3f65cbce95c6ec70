//! Ids of concurrently inserted vehicles, on servers that return generated ids in different ways.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement};
use testkit::{Backend, Context, Extras, OwnServer, Running, until};

use crate::support::{Vehicles as _, serve};

testkit::tests![
    ids_of_returned_rows_belong_to_their_vehicles on Postgres Mariadb,
    ids_derived_from_the_first_id_belong_to_their_vehicles on Mariadb Mysql,
    ids_belong_to_their_vehicles_when_the_increment_changes on Mariadb Mysql,
];

/// Arguments of a server without `INSERT … RETURNING`: MySQL, or MariaDB that reports a MySQL version.
fn without_returning(backend: Backend) -> &'static [&'static str] {
    match backend {
        Backend::Mariadb => &["--version=8.4.0-pretended"],
        _ => &[],
    }
}

async fn ids_of_returned_rows_belong_to_their_vehicles(context: Context) {
    insert_concurrently(context.backend, &[]).await;
}

async fn ids_derived_from_the_first_id_belong_to_their_vehicles(context: Context) {
    let ids = insert_concurrently(context.backend, without_returning(context.backend)).await;
    assert_eq!(ids, (1..=400).collect::<Vec<_>>(), "there are no gaps");
}

/// Inserts vehicles concurrently through two instances and finds each by its returned id. Returns the
/// ids in ascending order.
async fn insert_concurrently(backend: Backend, arguments: &[&str]) -> Vec<u64> {
    let extras = Extras {
        arguments: arguments.iter().map(|&argument| argument.into()).collect(),
        ..Extras::default()
    };
    let server = OwnServer::start(backend, &extras);
    let database = server.database();
    let instances = [serve(&database, &[]).await, serve(&database, &[]).await];
    insert_through(&instances).await
}

async fn ids_belong_to_their_vehicles_when_the_increment_changes(context: Context) {
    let extras = Extras {
        arguments: without_returning(context.backend)
            .iter()
            .map(|&argument| argument.into())
            .collect(),
        ..Extras::default()
    };
    let server = OwnServer::start(context.backend, &extras);
    let database = server.database();
    let instances = [serve(&database, &[]).await, serve(&database, &[]).await];
    let admin = testkit::connect(&database).await;
    for increment in [5, 2] {
        let change = format!("SET GLOBAL auto_increment_increment = {increment}");
        admin.execute_unprepared(&change).await.unwrap();
        end_sessions(&admin).await;
        for instance in &instances {
            // A read detects the closed connection and is retried on a new one.
            instance.models().await;
        }
        insert_through(&instances).await;
    }
}

/// Ends all sessions, because a session keeps its increment.
async fn end_sessions(admin: &DatabaseConnection) {
    let sessions = "SELECT CAST(id AS SIGNED) FROM information_schema.processlist \
         WHERE db = DATABASE() AND id <> CONNECTION_ID()";
    until("the sessions have ended", async || {
        let sessions = Statement::from_string(DbBackend::MySql, sessions);
        let sessions = admin.query_all_raw(sessions).await.unwrap();
        for session in &sessions {
            let id: i64 = session.try_get_by_index(0).unwrap();
            // The session may have ended meanwhile.
            drop(admin.execute_unprepared(&format!("KILL {id}")).await);
        }
        sessions.is_empty()
    })
    .await;
}

async fn insert_through(instances: &[Running; 2]) -> Vec<u64> {
    let creations = (0..400).map(|number| {
        let instance = &instances[number % 2];
        async move {
            let model = format!("M{number}");
            let response = instance.create(&model).await.unwrap();
            let id = response["data"]["createVehicle"]["id"].as_str();
            let id = id.unwrap_or_else(|| panic!("{response}\n{}", instance.log()));
            (id.to_owned(), model)
        }
    });
    let mut ids = BTreeSet::new();
    for (id, model) in join_all(creations).await {
        let query = format!(r#"{{ vehicle(id: "{id}") {{ modelCode }} }}"#);
        let response = instances[0].query(&query).await.unwrap();
        assert_eq!(response["data"]["vehicle"]["modelCode"], *model, "{id}");
        assert!(ids.insert(id.parse().unwrap()), "{id} was returned twice");
    }
    ids.into_iter().collect()
}
