//! The ids of vehicles that are stored at the same moment, on servers that tell them in different ways.

use std::collections::BTreeSet;

use futures_util::future::join_all;

use crate::{
    Context, cases,
    databases::{Backend, Extras, OwnServer},
    running::Running,
};

cases![
    ids_of_returned_rows_belong_to_their_vehicles on Postgres Mysql,
    ids_told_by_the_first_belong_to_their_vehicles on Mysql,
    ids_with_a_step_belong_to_their_vehicles on Mysql,
];

/// MariaDB lets its version be chosen; as MySQL it is asked for no rows.
const AS_MYSQL: &str = "--version=8.4.0-pretended";

async fn ids_of_returned_rows_belong_to_their_vehicles(context: Context) {
    store_at_once(context.backend, &[]).await;
}

async fn ids_told_by_the_first_belong_to_their_vehicles(context: Context) {
    let ids = store_at_once(context.backend, &[AS_MYSQL]).await;
    assert_eq!(ids, (1..=400).collect::<Vec<_>>(), "none is left out");
}

async fn ids_with_a_step_belong_to_their_vehicles(context: Context) {
    let steps = ["--auto-increment-increment=3", "--auto-increment-offset=2"];
    let ids = store_at_once(context.backend, &[AS_MYSQL, steps[0], steps[1]]).await;
    assert!(ids.iter().all(|id| id % 3 == 2), "{ids:?}");
}

/// Has two instances store vehicles at the same moment, and looks each of them up by the id that was
/// answered. Answers the ids in ascending order.
async fn store_at_once(backend: Backend, arguments: &[&str]) -> Vec<u64> {
    let extras = Extras {
        arguments: arguments.iter().map(|&argument| argument.into()).collect(),
        ..Extras::default()
    };
    let server = OwnServer::start(backend, &extras);
    let database = server.database();
    let instances = [
        Running::start(&database, &[]).await,
        Running::start(&database, &[]).await,
    ];
    let creations = (0..400).map(|number| {
        let instance = &instances[number % 2];
        async move {
            let model = format!("M{number}");
            let answer = instance.create(&model).await.unwrap();
            let id = answer["data"]["createVehicle"]["id"].as_str();
            let id = id.unwrap_or_else(|| panic!("{answer}\n{}", instance.log()));
            (id.to_owned(), model)
        }
    });
    let mut ids = BTreeSet::new();
    for (id, model) in join_all(creations).await {
        let query = format!(r#"{{ vehicle(id: "{id}") {{ modelCode }} }}"#);
        let answer = instances[0].ask(&query).await.unwrap();
        assert_eq!(answer["data"]["vehicle"]["modelCode"], *model, "{id}");
        assert!(ids.insert(id.parse().unwrap()), "{id} was answered twice");
    }
    ids.into_iter().collect()
}
