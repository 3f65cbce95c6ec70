//! The batches of an import.

use vehicle_catalogue::store::{Batch, OnConflict};

use super::support::{Fixture, create, models, vehicle};

testkit::tests![
    a_vehicle_with_an_id_is_stored_once,
    ids_continue_behind_imported_ones,
    a_batch_survives_a_lost_connection on Postgres Mariadb Mysql,
];

async fn a_vehicle_with_an_id_is_stored_once(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let row = |model: &str, id| vehicle(model).with_identity(Some(id), Some(3));
    let first = store
        .import(vec![row("one", 5), row("two", 6)], OnConflict::Stop)
        .await;
    let expected = Batch {
        stored: 2,
        ..Batch::default()
    };
    assert_eq!(first.expect("they are new"), expected);
    let rows = || {
        vec![
            row("one", 5),
            row("new", 7),
            row("other", 6),
            row("last", 8),
        ]
    };
    let stopped = store.import(rows(), OnConflict::Stop).await;
    let expected = Batch {
        stored: 1,
        unchanged: 1,
        conflicting: vec![2],
    };
    assert_eq!(stopped.expect("the rows before are stored"), expected);
    let skipped = store.import(rows(), OnConflict::Skip).await;
    let expected = Batch {
        stored: 1,
        unchanged: 2,
        conflicting: vec![2],
    };
    assert_eq!(skipped.expect("the others are stored"), expected);
    assert_eq!(models(&store).await, ["one", "two", "new", "last"]);
    let vehicles = store.list(9).await.expect("they can be read");
    assert_eq!(vehicles[0].version, 3);
}

async fn ids_continue_behind_imported_ones(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let row = vehicle("one").with_identity(Some(1000), None);
    store
        .import(vec![row], OnConflict::Stop)
        .await
        .expect("it is new");
    assert!(create(&store, "two").await.id > 1000);
}

async fn a_batch_survives_a_lost_connection(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    for stored in 1..=3 {
        let batch = store.import(vec![vehicle("XC60")], OnConflict::Stop).await;
        assert_eq!(batch.expect("a batch is sent again").stored, 1);
        assert_eq!(models(&store).await.len(), stored);
        fixture.kill_all_connections().await;
    }
}
