//! Storing vehicles and getting them back.

use std::sync::Arc;

use futures_util::future::join_all;
use sea_orm::ConnectionTrait;
use vehicle_catalogue::catalogue::{NewVehicle, VehicleId};
use vehicle_catalogue::store::StoreError;

use crate::databases::Backend;
use crate::{Fixture, cases, new_vehicle};

cases![
    a_vehicle_is_found_as_it_was_answered,
    texts_come_back_exactly,
    dates_come_back_exactly,
    a_list_is_in_ascending_order_and_has_a_bound,
    an_unknown_id_finds_nothing,
    an_id_is_never_used_again,
    // SQLite cannot narrow a column; the next test shows that its own bound holds.
    a_text_too_long_for_its_column_is_refused_and_not_cut on Postgres Mysql,
    the_column_itself_takes_255_characters_at_most,
    everybody_reads_their_own_writes,
    vehicles_stored_at_the_same_moment_have_ids_of_their_own,
    a_vehicle_that_is_refused_fails_alone,
    lookups_of_the_same_moment_find_what_each_asked_for,
    lists_of_the_same_moment_have_the_length_each_asked_for,
    // SQLite's settings are read back beside the pools; MySQL has none per session.
    an_answered_insert_is_on_disk on Postgres,
];

async fn a_vehicle_is_found_as_it_was_answered(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let new_vehicle = NewVehicle::parse(
        "SUV".to_owned(),
        "XC60".to_owned(),
        Some("Volvo".to_owned()),
        Some("2017-03-07".to_owned()),
    )
    .expect("nothing is wrong");
    let stored = store.insert(new_vehicle).await.expect("it can be stored");
    assert_eq!(stored.id.get(), 1);
    assert_eq!(stored.formatted_date().as_deref(), Some("2017-03-07"));
    assert_eq!(
        store.find(stored.id).await.expect("it can be read"),
        Some(stored.clone().into())
    );
    let list = store.list(10).await.expect("it can be read");
    assert_eq!(list[..], [Arc::new(stored)]);
    store.ping().await.expect("the database answers");
}

async fn texts_come_back_exactly(fixture: &Fixture) {
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
        let new_vehicle = NewVehicle::parse(text.clone(), text.clone(), Some(text.clone()), None)
            .expect("nothing is wrong");
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
    let empty = NewVehicle::parse("t".to_owned(), "m".to_owned(), Some(String::new()), None);
    let id = store
        .insert(empty.expect("nothing is wrong"))
        .await
        .expect("it can be stored")
        .id;
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

async fn dates_come_back_exactly(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    for date in [
        "1000-01-01",
        "1582-10-10",
        "1900-02-28",
        "2000-02-29",
        "2024-02-29",
        "9999-12-31",
    ] {
        let new_vehicle = NewVehicle::parse(
            "SUV".to_owned(),
            "X".to_owned(),
            None,
            Some(date.to_owned()),
        )
        .expect("nothing is wrong");
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
        assert_eq!(found.formatted_date().as_deref(), Some(date));
    }
}

async fn a_list_is_in_ascending_order_and_has_a_bound(fixture: &Fixture) {
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

async fn an_id_is_never_used_again(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let first = store
        .insert(new_vehicle("A"))
        .await
        .expect("it can be stored")
        .id;
    let stranger = fixture.stranger().await;
    stranger
        .execute_unprepared("DELETE FROM vehicle")
        .await
        .expect("it is a table");
    let second = store
        .insert(new_vehicle("B"))
        .await
        .expect("it can be stored")
        .id;
    assert!(second > first);
}

async fn a_text_too_long_for_its_column_is_refused_and_not_cut(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let stranger = fixture.stranger().await;
    let narrow = match fixture.backend {
        Backend::Mysql => "ALTER TABLE vehicle MODIFY model_code varchar(3) NOT NULL",
        _ => "ALTER TABLE vehicle ALTER COLUMN model_code TYPE varchar(3)",
    };
    stranger
        .execute_unprepared(narrow)
        .await
        .expect("the table is empty");
    let error = store
        .insert(new_vehicle("XC60"))
        .await
        .expect_err("it is too long");
    assert!(matches!(error, StoreError::Unexpected(_)), "{error:?}");
    assert!(store.list(1).await.expect("it can be read").is_empty());
}

async fn the_column_itself_takes_255_characters_at_most(fixture: &Fixture) {
    let _store = fixture.migrated_store().await;
    let stranger = fixture.stranger().await;
    if fixture.backend == Backend::Mysql {
        let strict = "SET SESSION sql_mode = 'STRICT_ALL_TABLES'";
        stranger
            .execute_unprepared(strict)
            .await
            .expect("it is a mode");
    }
    for (characters, fits) in [(255, true), (256, false)] {
        let text = "🚗".repeat(characters);
        for column in ["type", "model_code", "brand_name"] {
            let of = |name| if name == column { text.as_str() } else { "x" };
            let insert = format!(
                "INSERT INTO vehicle (type, model_code, brand_name) VALUES ('{}', '{}', '{}')",
                of("type"),
                of("model_code"),
                of("brand_name")
            );
            let result = stranger.execute_unprepared(&insert).await;
            assert_eq!(
                result.is_ok(),
                fits,
                "{characters} characters for {column}: {result:?}"
            );
        }
    }
}

async fn everybody_reads_their_own_writes(fixture: &Fixture) {
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

/// Several times as many as fit into a statement, some of them with the same content.
async fn vehicles_stored_at_the_same_moment_have_ids_of_their_own(fixture: &Fixture) {
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

async fn a_vehicle_that_is_refused_fails_alone(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let stranger = fixture.stranger().await;
    let refusal = match fixture.backend {
        Backend::Sqlite => {
            "CREATE TRIGGER picky BEFORE INSERT ON vehicle WHEN NEW.model_code = 'bad' \
             BEGIN SELECT RAISE(ABORT, 'picky'); END"
        }
        _ => "ALTER TABLE vehicle ADD CONSTRAINT picky CHECK (model_code <> 'bad')",
    };
    stranger
        .execute_unprepared(refusal)
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
            Err(error) => assert!(matches!(error, StoreError::Unexpected(_)), "{error:?}"),
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

async fn lookups_of_the_same_moment_find_what_each_asked_for(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let inserts = (0..50).map(|number| store.insert(new_vehicle(&format!("M{number}"))));
    let mut stored = Vec::new();
    for inserted in join_all(inserts).await {
        stored.push(inserted.expect("it can be stored"));
    }
    // More than fit into a statement; every vehicle several times, and ids of no vehicle between them.
    let keys: Vec<i64> = (0..400).map(|number| number % 70 + 1).collect();
    let find = |key: &i64| store.find(VehicleId::from_key(*key));
    for (key, found) in keys.iter().zip(join_all(keys.iter().map(find)).await) {
        let expected = stored.iter().find(|vehicle| vehicle.id.get() == *key);
        assert_eq!(found.expect("it can be read").as_deref(), expected);
    }
}

async fn lists_of_the_same_moment_have_the_length_each_asked_for(fixture: &Fixture) {
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

async fn an_answered_insert_is_on_disk(fixture: &Fixture) {
    fixture.migrated_store().await.close().await;
    let stranger = fixture.stranger().await;
    for statement in [
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); END $$",
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         RAISE EXCEPTION 'answered before it is on disk'; END $$",
        "CREATE TRIGGER refuse BEFORE INSERT ON vehicle \
         FOR EACH ROW WHEN (current_setting('synchronous_commit') = 'off') EXECUTE FUNCTION refuse()",
    ] {
        stranger
            .execute_unprepared(statement)
            .await
            .expect(statement);
    }
    let store = fixture.store().await;
    store
        .insert(new_vehicle("XC60"))
        .await
        .expect("the session waits for the disk");
}
