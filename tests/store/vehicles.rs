//! Storing vehicles and getting them back.

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
        Some(stored.clone())
    );
    assert_eq!(store.list(10).await.expect("it can be read"), [stored]);
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
            .into_iter()
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
    assert_eq!(store.list(1).await.expect("it can be read"), []);
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
                    assert_eq!(store.find(stored.id).await?, Some(stored));
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
