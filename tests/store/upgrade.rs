//! Databases of version 0.1.0, from dumps that were made with it: `migrate up`, and an import of two vehicles.

use async_graphql::MaybeUndefined::{Undefined, Value};
use testkit::Backend;
use vehicle_catalogue::catalogue::{Checked, MutationUpdateVehicleArguments, VehicleChanges};
use vehicle_catalogue::store::schema_check;

use super::support::{Fixture, create};

testkit::tests![a_database_of_version_0_1_0_is_used_as_it_is on Sqlite Postgres Mariadb];

async fn a_database_of_version_0_1_0_is_used_as_it_is(fixture: &Fixture) {
    let dump = match fixture.backend {
        Backend::Sqlite => include_str!("dumps/sqlite.sql"),
        Backend::Postgres => include_str!("dumps/postgres.sql"),
        Backend::Mariadb | Backend::Mysql => include_str!("dumps/mariadb.sql"),
    };
    let dump: Vec<_> = dump.trim_end().split_inclusive(";\n").collect();
    // Creates the file of SQLite.
    let store = fixture.store().await;
    fixture.execute(&dump).await;
    let database = store.database();
    assert_eq!(database.migrate_up().await.expect("it is known"), [""; 0]);
    assert_eq!(schema_check::check(database).await.expect("it can be read").1, []);
    let vehicles = store.list(9).await.expect("they can be read");
    let shown = vehicles.iter().map(|it| {
        let date = it.launch_date.map(|date| date.to_string());
        (it.id, it.model_code.clone(), it.brand_name.clone(), date, it.version)
    });
    let expected = [
        (1, "XC60".to_owned(), Some("Volvo".to_owned()), Some("2024-02-29".to_owned()), 3),
        (2, "T 🚐".to_owned(), None, None, 1),
    ];
    assert_eq!(shown.collect::<Vec<_>>(), expected);
    assert_eq!(create(&store, "new").await.id, 3);
    // Vehicles of requests without an idempotency key have no key.
    let changes = VehicleChanges {
        r#type: Undefined,
        model_code: Value("XC90".to_owned()),
        brand_name: Undefined,
        launch_date: Undefined,
    };
    let changes = Checked::changes(MutationUpdateVehicleArguments { id: 2, changes, expected_version: Some(1) });
    let (id, changes, expected_version) = changes.expect("XC90 is a valid model code");
    let updated = store.update(id, changes, expected_version).await;
    let updated = updated.expect("the database responds");
    assert_eq!(updated.map(|it| it.version), Ok(2));
    let deleted = store.delete(1, Some(3)).await.expect("it can be changed");
    assert!(matches!(deleted, Ok(Some(_))), "{deleted:?}");
}
