//! Storing and reading vehicles.

use futures_util::future::join_all;
use sea_orm::ConnectionTrait;
use serde_json::json;
use testkit::Backend;
use vehicle_catalogue::catalogue::VehicleId;
use vehicle_catalogue::store::StoreError;

use super::{Fixture, new_vehicle};

testkit::tests![
    finds_a_vehicle_as_it_was_returned,
    texts_are_stored_exactly,
    dates_are_stored_exactly,
    a_list_is_in_ascending_order_and_limited,
    an_unknown_id_finds_nothing,
    an_id_is_never_reused,
    // SQLite cannot narrow a column; the next test checks its length limit.
    a_text_too_long_for_its_column_is_rejected_and_not_truncated on Postgres Mariadb Mysql,
    a_column_accepts_at_most_255_characters,
    concurrent_clients_read_their_own_writes,
    concurrent_inserts_get_unique_ids,
    a_rejected_vehicle_does_not_fail_its_batch,
    concurrent_lookups_find_their_own_vehicles,
    concurrent_lists_have_their_own_limits,
    // The unit tests of the pools check SQLite; MySQL has no such setting per session.
    an_acknowledged_insert_is_on_disk on Postgres,
    a_prepared_statement_keeps_its_plan on Postgres,
];

async fn finds_a_vehicle_as_it_was_returned(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let new_vehicle =
        new_vehicle::with(json!({ "brandName": "Volvo", "launchDate": "2017-03-07" }));
    let stored = store.insert(new_vehicle).await.expect("it can be stored");
    assert_eq!(stored.id.get(), 1);
    let date = stored.launch_date.map(|date| date.to_string());
    assert_eq!(date.as_deref(), Some("2017-03-07"));
    assert_eq!(
        store.find(stored.id).await.expect("it can be read"),
        Some(stored.clone().into())
    );
    let list = store.list(10).await.expect("it can be read");
    assert_eq!(list[..], [stored]);
    store.database().ping().await.expect("the database answers");
}

async fn texts_are_stored_exactly(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let longest = "🚗".repeat(255);
    for text in [
        "XC60",
        "xc60",
        " XC60",
        "XC60 ",
        "XC60  ",
        "\tXC60\r\n",
        "é",
        "e\u{301}",
        "ß",
        "Ñ",
        "🚗",
        "\u{10ffff}",
        "\u{feff}x",
        "'; DROP TABLE vehicle; --",
        "\" OR 1=1",
        "\\",
        "\\'",
        "%_",
        "$1",
        "?",
        "NULL",
        &longest,
    ] {
        let text = text.to_owned();
        let new_vehicle =
            new_vehicle::with(json!({ "type": text, "modelCode": text, "brandName": text }));
        let id = store
            .insert(new_vehicle)
            .await
            .expect("it can be stored")
            .id;
        let found = store
            .find(id)
            .await
            .expect("it can be read")
            .expect("it is there");
        assert_eq!((&found.r#type, &found.model_code), (&text, &text));
        assert_eq!(found.brand_name.as_deref(), Some(text.as_str()));
    }
    let empty = new_vehicle::with(json!({ "brandName": "" }));
    let id = store.insert(empty).await.expect("it can be stored").id;
    let found = store
        .find(id)
        .await
        .expect("it can be read")
        .expect("it is there");
    assert_eq!(
        found.brand_name.as_deref(),
        Some(""),
        "an empty text is not null"
    );
}

async fn dates_are_stored_exactly(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    for date in [
        "1000-01-01",
        "1582-10-10",
        "1900-02-28",
        "2000-02-29",
        "2024-02-29",
        "9999-12-31",
    ] {
        let new_vehicle = new_vehicle::with(json!({ "launchDate": date }));
        let id = store
            .insert(new_vehicle)
            .await
            .expect("it can be stored")
            .id;
        let found = store
            .find(id)
            .await
            .expect("it can be read")
            .expect("it is there");
        let found = found.launch_date.map(|date| date.to_string());
        assert_eq!(found.as_deref(), Some(date));
    }
}

async fn a_list_is_in_ascending_order_and_limited(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    for number in 0..12 {
        store
            .insert(new_vehicle(&format!("M{number}")))
            .await
            .expect("it can be stored");
    }
    let ids = async |limit| {
        let vehicles = store.list(limit).await.expect("it can be read");
        vehicles
            .iter()
            .map(|vehicle| vehicle.id.get())
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(0).await, [0; 0]);
    assert_eq!(ids(3).await, [1, 2, 3]);
    assert_eq!(ids(100_001).await, (1..=12).collect::<Vec<_>>());
}

async fn an_unknown_id_finds_nothing(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    for id in [1, i64::MAX] {
        assert_eq!(
            store
                .find(VehicleId::from_key(id))
                .await
                .expect("it can be asked"),
            None
        );
    }
}

async fn an_id_is_never_reused(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let first = store
        .insert(new_vehicle("A"))
        .await
        .expect("it can be stored")
        .id;
    let db = fixture.connect().await;
    db.execute_unprepared("DELETE FROM vehicle")
        .await
        .expect("it is a table");
    let second = store
        .insert(new_vehicle("B"))
        .await
        .expect("it can be stored")
        .id;
    assert!(second > first);
}

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

async fn concurrent_clients_read_their_own_writes(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let writers: Vec<_> = (0..16)
        .map(|writer| {
            let store = store.clone();
            tokio::spawn(async move {
                for number in 0..10 {
                    let model_code = format!("{writer}-{number}");
                    let stored = store.insert(new_vehicle(&model_code)).await?;
                    assert_eq!(stored.model_code, model_code);
                    assert_eq!(store.find(stored.id).await?, Some(stored.into()));
                }
                Ok::<_, StoreError>(())
            })
        })
        .collect();
    for writer in writers {
        writer
            .await
            .expect("what was written is found")
            .expect("the database answers");
    }
    assert_eq!(store.list(1000).await.expect("it can be read").len(), 160);
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

async fn concurrent_lists_have_their_own_limits(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let inserts = (0..30).map(|number| store.insert(new_vehicle(&format!("M{number}"))));
    for inserted in join_all(inserts).await {
        inserted.expect("it can be stored");
    }
    let limits: Vec<u64> = (0..60).map(|number| number % 6 * 8).collect();
    let lists = join_all(limits.iter().map(|limit| store.list(*limit))).await;
    for (limit, list) in limits.into_iter().zip(lists) {
        let ids: Vec<_> = list
            .expect("it can be read")
            .iter()
            .map(|vehicle| vehicle.id)
            .collect();
        assert_eq!(ids.len() as u64, limit.min(30));
        assert!(ids.is_sorted());
    }
}

async fn an_acknowledged_insert_is_on_disk(fixture: &Fixture) {
    let off = "ALTER DATABASE %I SET synchronous_commit = off";
    let off = format!("DO $$ BEGIN EXECUTE format('{off}', current_database()); END $$");
    let db = fixture.connect().await;
    db.execute_unprepared(&off).await.expect("it is valid");
    let waits = "current_setting('synchronous_commit') <> 'off'";
    inserts_in_a_session_where(waits, fixture).await;
}

async fn a_prepared_statement_keeps_its_plan(fixture: &Fixture) {
    let keeps = "current_setting('plan_cache_mode') = 'force_generic_plan'";
    inserts_in_a_session_where(keeps, fixture).await;
}

/// Inserts a vehicle, which a trigger refuses in other sessions.
async fn inserts_in_a_session_where(condition: &str, fixture: &Fixture) {
    fixture.migrated_store().await.database().close().await;
    let db = fixture.connect().await;
    let trigger = format!(
        "CREATE TRIGGER refuse BEFORE INSERT ON vehicle \
         FOR EACH ROW WHEN (NOT ({condition})) EXECUTE FUNCTION refuse()"
    );
    for statement in [
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         RAISE EXCEPTION 'another session'; END $$",
        &trigger,
    ] {
        db.execute_unprepared(statement).await.expect(statement);
    }
    let inserted = fixture.store().await.insert(new_vehicle("XC60")).await;
    inserted.expect(condition);
}
