//! Ids of concurrently inserted vehicles.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement};
use testkit::{Context, Extras, OwnServer, Running, until};

use crate::support::{Vehicles as _, serve};

testkit::tests![
    ids_of_returned_rows_belong_to_their_vehicles on Postgres Mariadb Mysql,
    ids_belong_to_their_vehicles_when_the_increment_changes on Mariadb Mysql,
];

async fn ids_of_returned_rows_belong_to_their_vehicles(context: Context) {
    let server = OwnServer::start(context.backend, &Extras::default());
    let database = server.database();
    let instances = [serve(&database, &[]).await, serve(&database, &[]).await];
    insert_through(&instances).await;
}

async fn ids_belong_to_their_vehicles_when_the_increment_changes(context: Context) {
    let server = OwnServer::start(context.backend, &Extras::default());
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

/// Inserts vehicles concurrently through two instances and finds each by its returned id.
async fn insert_through(instances: &[Running; 2]) {
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
        assert!(ids.insert(id.clone()), "{id} was returned twice");
    }
}
