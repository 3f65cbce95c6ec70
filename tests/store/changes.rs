//! Updates and deletions.

use async_graphql::MaybeUndefined::{self, Null, Undefined, Value};
use tokio::task::JoinSet;
use vehicle_catalogue::catalogue::Checked;
use vehicle_catalogue::catalogue::VehicleChanges;
use vehicle_catalogue::store::Refusal;

use super::support::{Fixture, create, models};

testkit::tests![
    a_change_keeps_what_is_omitted_and_counts_the_version,
    a_change_to_what_is_already_so_changes_nothing,
    of_concurrent_changes_with_the_same_version_one_succeeds,
    concurrent_changes_without_a_version_are_all_counted,
    a_vehicle_with_the_highest_version_is_refused,
    a_row_without_a_key_can_be_changed,
];

fn changes(model_code: &str, brand_name: MaybeUndefined<String>) -> Checked {
    Checked::changes(VehicleChanges {
        r#type: Undefined,
        model_code: Value(model_code.to_owned()),
        brand_name,
        launch_date: Undefined,
    })
    .expect("the changes are valid")
}

async fn a_change_keeps_what_is_omitted_and_counts_the_version(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let vehicle = create(&store, "one").await;
    let with_brand = changes("two", Value("Volvo".to_owned()));
    let updated = store
        .update(vehicle.id, with_brand, Some(1))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (
            updated.r#type.as_str(),
            updated.model_code.as_str(),
            updated.brand_name.as_deref(),
            updated.version
        ),
        ("SUV", "two", Some("Volvo"), 2)
    );
    let updated = store
        .update(vehicle.id, changes("two", Null), None)
        .await
        .unwrap()
        .unwrap();
    assert_eq!((updated.brand_name.as_deref(), updated.version), (None, 3));
    let conflict = store
        .update(vehicle.id, changes("x", Undefined), Some(2))
        .await
        .unwrap();
    assert_eq!(
        conflict,
        Err(Refusal::Conflict {
            expected: 2,
            current: 3
        })
    );
    let conflict = store.delete(vehicle.id, Some(1)).await.unwrap();
    assert_eq!(
        conflict,
        Err(Refusal::Conflict {
            expected: 1,
            current: 3
        })
    );
    let deleted = store.delete(vehicle.id, Some(3)).await.unwrap().unwrap();
    assert_eq!(deleted.map(|it| it.version), Some(3));
    assert_eq!(store.delete(vehicle.id, None).await.unwrap(), Ok(None));
    let missing = store
        .update(vehicle.id, changes("x", Undefined), None)
        .await
        .unwrap();
    assert_eq!(missing, Err(Refusal::NotFound));
}

async fn a_change_to_what_is_already_so_changes_nothing(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let vehicle = create(&store, "one").await;
    // Whatever version is expected, since a repetition of a change has to succeed.
    for expected in [None, Some(1), Some(9)] {
        let same = store
            .update(vehicle.id, changes("one", Null), expected)
            .await
            .unwrap();
        assert_eq!(same.map(|it| it.version), Ok(1));
    }
}

async fn of_concurrent_changes_with_the_same_version_one_succeeds(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let vehicle = create(&store, "one").await;
    let mut tasks = JoinSet::new();
    for number in 0..20 {
        let (store, id) = (store.clone(), vehicle.id);
        tasks.spawn(async move {
            let to = changes(&format!("M{number}"), Undefined);
            store.update(id, to, Some(1)).await.unwrap()
        });
    }
    let results = tasks.join_all().await;
    let conflict = Err(Refusal::Conflict {
        expected: 1,
        current: 2,
    });
    assert_eq!(
        results.iter().filter(|it| it.is_ok()).count(),
        1,
        "{results:?}"
    );
    assert_eq!(
        results.iter().filter(|it| **it == conflict).count(),
        19,
        "{results:?}"
    );
}

async fn concurrent_changes_without_a_version_are_all_counted(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let vehicle = create(&store, "one").await;
    let mut tasks = JoinSet::new();
    for number in 0..60 {
        let (store, id) = (store.clone(), vehicle.id);
        tasks.spawn(async move {
            let to = changes(&format!("M{number}"), Undefined);
            store.update(id, to, None).await.unwrap().unwrap().version
        });
    }
    let mut versions = tasks.join_all().await;
    versions.sort_unstable();
    assert_eq!(versions, (2..=61).collect::<Vec<_>>(), "no update is lost");
}

async fn a_vehicle_with_the_highest_version_is_refused(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let vehicle = create(&store, "one").await;
    fixture
        .execute(&["UPDATE vehicle SET version = 2147483647"])
        .await;
    let refused = store
        .update(vehicle.id, changes("two", Undefined), None)
        .await
        .unwrap();
    assert_eq!(refused, Err(Refusal::NoVersionLeft));
    assert_eq!(models(&store).await, ["one"]);
}

/// As version 0.1.0 stores vehicles of requests without an idempotency key.
async fn a_row_without_a_key_can_be_changed(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let insert = "INSERT INTO vehicle (type, model_code) VALUES ('t', 'one')";
    fixture.execute(&[insert, insert]).await;
    let vehicles = store.list(9).await.expect("they can be read");
    let id = vehicles[0].id;
    let updated = store
        .update(id, changes("two", Undefined), Some(1))
        .await
        .unwrap();
    assert_eq!(updated.map(|it| it.version), Ok(2));
    assert_eq!(models(&store).await, ["two", "one"]);
}
