//! Storing vehicles and getting them back.

use std::error::Error;
use std::time::{Duration, Instant};

use sea_orm::{ConnectionTrait, Statement};
use vehicle_catalogue::catalogue::{NewVehicle, VehicleId};
use vehicle_catalogue::store::{DatabaseSettings, Store, StoreError};

use crate::databases::Backend;
use crate::{Fixture, cases, new_vehicle};

cases![
    a_vehicle_is_found_as_it_was_answered,
    texts_come_back_exactly,
    dates_come_back_exactly,
    a_list_is_in_ascending_order_and_has_a_bound,
    an_unknown_id_finds_nothing,
    an_id_is_never_used_again,
    a_text_too_long_for_its_column_is_refused_and_not_cut,
    the_column_itself_takes_255_characters_at_most,
    everybody_reads_their_own_writes,
    an_answered_insert_is_on_disk,
    a_read_survives_a_lost_connection,
    a_missing_table_is_unexpected,
    a_closed_store_is_unavailable,
    a_database_out_of_reach_says_why,
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
        // SQLite cannot narrow a column; the next test shows that its own bound holds.
        Backend::Sqlite => return,
        Backend::Postgres => "ALTER TABLE vehicle ALTER COLUMN model_code TYPE varchar(3)",
        Backend::Mysql => "ALTER TABLE vehicle MODIFY model_code varchar(3) NOT NULL",
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
    if fixture.backend != Backend::Postgres {
        return; // SQLite's settings are read back beside the pools; MySQL has none per session.
    }
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

async fn a_read_survives_a_lost_connection(fixture: &Fixture) {
    let settings = DatabaseSettings {
        pool_size: 1,
        ..fixture.settings()
    };
    let store = Store::connect(&settings)
        .await
        .expect("the database is there");
    store
        .migrate_up()
        .await
        .expect("an empty database can be migrated");
    let stored = store
        .insert(new_vehicle("XC60"))
        .await
        .expect("it can be stored");
    cut_every_connection(fixture).await;
    assert_eq!(
        store.find(stored.id).await.expect("a read is sent again"),
        Some(stored)
    );
}

async fn cut_every_connection(fixture: &Fixture) {
    let stranger = fixture.stranger().await;
    let others = match fixture.backend {
        Backend::Sqlite => return,
        Backend::Postgres => {
            "SELECT pid::bigint, pg_terminate_backend(pid) FROM pg_stat_activity \
             WHERE datname = current_database() AND pid <> pg_backend_pid()"
        }
        Backend::Mysql => {
            "SELECT CAST(id AS SIGNED) FROM information_schema.processlist \
             WHERE db = DATABASE() AND id <> CONNECTION_ID()"
        }
    };
    let others = Statement::from_string(stranger.get_database_backend(), others);
    let others = stranger
        .query_all_raw(others)
        .await
        .expect("the server lists its connections");
    assert_eq!(others.len(), 1, "the store has one connection");
    if fixture.backend == Backend::Mysql {
        let id: i64 = others[0].try_get_by_index(0).expect("it is a number");
        stranger
            .execute_unprepared(&format!("KILL {id}"))
            .await
            .expect("it is a connection");
    }
}

async fn a_missing_table_is_unexpected(fixture: &Fixture) {
    let store = fixture.store().await;
    let error = store.list(1).await.expect_err("there is no table");
    assert!(matches!(error, StoreError::Unexpected(_)), "{error:?}");
    assert!(
        !error.to_string().to_lowercase().contains("vehicle"),
        "{error}"
    );
}

async fn a_closed_store_is_unavailable(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    store.close().await;
    for error in [
        store.insert(new_vehicle("XC60")).await.map(|_| ()),
        store.find(VehicleId::from_key(1)).await.map(|_| ()),
        store.list(1).await.map(|_| ()),
        store.ping().await,
    ] {
        assert!(
            matches!(error, Err(StoreError::Unavailable(_))),
            "{error:?}"
        );
    }
}

async fn a_database_out_of_reach_says_why(fixture: &Fixture) {
    let (url, reason) = match fixture.backend {
        Backend::Sqlite => (
            "sqlite:/no/such/folder/vehicles.db".to_owned(),
            "unable to open",
        ),
        Backend::Postgres => ("postgres://u:secret@127.0.0.1:1/shop".to_owned(), "refused"),
        Backend::Mysql => ("mysql://u:secret@127.0.0.1:1/shop".to_owned(), "refused"),
    };
    let settings = DatabaseSettings {
        url,
        connect_timeout: Duration::from_millis(300),
        ..fixture.settings()
    };
    let started = Instant::now();
    let error = Store::connect(&settings)
        .await
        .expect_err("nobody is there");
    assert!(started.elapsed() < Duration::from_secs(5));
    assert!(
        error.to_string().starts_with("cannot connect to the "),
        "{error}"
    );
    let cause = error.source().map(ToString::to_string).unwrap_or_default();
    assert!(cause.contains(reason), "{cause}");
    let everything = format!("{settings:?} {error} {error:?} {cause}");
    assert!(!everything.contains("secret"), "{everything}");
}
