//! Storing and reading vehicles.

use futures_util::future::join_all;
use sea_orm::ConnectionTrait;
use testkit::Backend;
use vehicle_catalogue::catalogue::VehicleId;
use vehicle_catalogue::store::StoreError;

use super::{Fixture, new_vehicle};

testkit::tests![
    // SQLite cannot narrow a column; the next test checks its length limit.
    a_text_too_long_for_its_column_is_rejected_and_not_truncated on Postgres Mariadb Mysql,
    a_column_accepts_at_most_255_characters,
    concurrent_inserts_get_unique_ids,
    a_rejected_vehicle_does_not_fail_its_batch,
    concurrent_lookups_find_their_own_vehicles,
];

async fn a_text_too_long_for_its_column_is_rejected_and_not_truncated(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let db = fixture.connect().await;
    let narrow = match fixture.backend {
        Backend::Mariadb | Backend::Mysql => {
            "ALTER TABLE vehicle MODIFY model_code varchar(3) NOT NULL"
        }
        _ => "ALTER TABLE vehicle ALTER COLUMN model_code TYPE varchar(3)",
    };
    db.execute_unprepared(narrow)
        .await
        .expect("the table is empty");
    let error = store
        .insert(new_vehicle("XC60"))
        .await
        .expect_err("it is too long");
    assert!(matches!(error, StoreError::Unexpected(_)), "{error:?}");
    assert!(store.list(1).await.expect("it can be read").is_empty());
}

async fn a_column_accepts_at_most_255_characters(fixture: &Fixture) {
    let _store = fixture.migrated_store().await;
    let db = fixture.connect().await;
    if fixture.backend.is_mysql_family() {
        let strict = "SET SESSION sql_mode = 'STRICT_ALL_TABLES'";
        db.execute_unprepared(strict).await.expect("it is a mode");
    }
    for (characters, fits) in [(255, true), (256, false)] {
        let text = "🚗".repeat(characters);
        for column in ["type", "model_code", "brand_name"] {
            let value = |name| if name == column { text.as_str() } else { "x" };
            let insert = format!(
                "INSERT INTO vehicle (type, model_code, brand_name) VALUES ('{}', '{}', '{}')",
                value("type"),
                value("model_code"),
                value("brand_name")
            );
            let result = db.execute_unprepared(&insert).await;
            assert_eq!(
                result.is_ok(),
                fits,
                "{characters} characters for {column}: {result:?}"
            );
        }
    }
}

/// More vehicles than fit into a statement, some of them with the same content.
async fn concurrent_inserts_get_unique_ids(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let model_codes: Vec<_> = (0..300)
        .map(|number| format!("M{}", number % 100))
        .collect();
    let inserts = model_codes
        .iter()
        .map(|code| store.insert(new_vehicle(code)));
    let stored = join_all(inserts).await;
    let mut ids = Vec::new();
    for (stored, model_code) in stored.into_iter().zip(&model_codes) {
        let stored = stored.expect("it can be stored");
        assert_eq!(&stored.model_code, model_code);
        ids.push(stored.id);
        assert_eq!(
            store.find(stored.id).await.expect("it can be read"),
            Some(stored.into())
        );
    }
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 300, "no id is used twice");
    assert_eq!(store.list(1000).await.expect("it can be read").len(), 300);
}

async fn a_rejected_vehicle_does_not_fail_its_batch(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let db = fixture.connect().await;
    let refusal = match fixture.backend {
        Backend::Sqlite => {
            "CREATE TRIGGER picky BEFORE INSERT ON vehicle WHEN NEW.model_code = 'bad' \
             BEGIN SELECT RAISE(ABORT, 'picky'); END"
        }
        _ => "ALTER TABLE vehicle ADD CONSTRAINT picky CHECK (model_code <> 'bad')",
    };
    db.execute_unprepared(refusal)
        .await
        .expect("the table can be picky");
    let is_bad = |number: &u32| number % 5 == 3;
    let numbers: Vec<u32> = (0..40).collect();
    let stored = join_all(numbers.iter().map(|number| {
        let good = format!("good {number}");
        store.insert(new_vehicle(if is_bad(number) { "bad" } else { &good }))
    }));
    for (number, stored) in numbers.iter().zip(stored.await) {
        match stored {
            Ok(stored) => assert_eq!(stored.model_code, format!("good {number}")),
            Err(error) => {
                assert!(
                    is_bad(number),
                    "{number} is stored, and answered as {error:?}"
                );
                assert!(matches!(error, StoreError::Unexpected(_)), "{error:?}");
            }
        }
    }
    let list = store.list(1000).await.expect("it can be read");
    let kept = list.iter().map(|vehicle| vehicle.model_code.clone());
    let mut kept: Vec<_> = kept.collect();
    kept.sort_unstable();
    let good = numbers.iter().filter(|number| !is_bad(number));
    let mut good: Vec<_> = good.map(|number| format!("good {number}")).collect();
    good.sort_unstable();
    assert_eq!(kept, good, "each is stored once, and no bad one");
}

async fn concurrent_lookups_find_their_own_vehicles(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let inserts = (0..50).map(|number| store.insert(new_vehicle(&format!("M{number}"))));
    let mut stored = Vec::new();
    for inserted in join_all(inserts).await {
        stored.push(inserted.expect("it can be stored"));
    }
    // More ids than fit into a statement; every vehicle several times, and ids without a vehicle.
    let keys: Vec<i64> = (0..400).map(|number| number % 70 + 1).collect();
    let find = |key: &i64| store.find(VehicleId::from_key(*key));
    for (key, found) in keys.iter().zip(join_all(keys.iter().map(find)).await) {
        let expected = stored.iter().find(|vehicle| vehicle.id.get() == *key);
        assert_eq!(found.expect("it can be read").as_deref(), expected);
    }
}
