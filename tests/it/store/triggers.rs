//! Triggers that set ids, and triggers that delete rows.

use futures_util::future::join_all;
use sea_orm::ConnectionTrait;
use testkit::Backend;
use vehicle_catalogue::store::StoreError;

use super::{Fixture, new_vehicle};

testkit::tests![
    // The other databases generate the ids after the trigger.
    returns_the_right_vehicles_when_a_trigger_sets_the_ids on Postgres,
    // A trigger of MySQL cannot delete a row of its own table.
    a_vehicle_that_a_trigger_deletes_has_an_unknown_outcome on Sqlite Postgres,
];

async fn returns_the_right_vehicles_when_a_trigger_sets_the_ids(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let db = fixture.connect().await;
    for statement in [
        "CREATE FUNCTION number() RETURNS trigger LANGUAGE plpgsql AS \
         'BEGIN NEW.id := 1000000 - NEW.id; RETURN NEW; END'",
        "CREATE TRIGGER number BEFORE INSERT ON vehicle FOR EACH ROW EXECUTE FUNCTION number()",
    ] {
        let result = db.execute_unprepared(statement).await;
        result.unwrap_or_else(|error| panic!("{statement}: {error}"));
    }
    let model_codes: Vec<_> = (0..100).map(|number| format!("M{number}")).collect();
    let inserts = model_codes.iter();
    let inserts = inserts.map(|code| store.insert(new_vehicle(code)));
    for (stored, model_code) in join_all(inserts).await.into_iter().zip(&model_codes) {
        let stored = stored.expect("it can be stored");
        assert_eq!(&stored.model_code, model_code);
        let found = store.find(stored.id).await.expect("it can be read");
        assert_eq!(found, Some(stored.into()));
    }
}

async fn a_vehicle_that_a_trigger_deletes_has_an_unknown_outcome(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let triggers = match fixture.backend {
        Backend::Sqlite => vec![vec![
            "CREATE TRIGGER remove AFTER INSERT ON vehicle BEGIN \
             DELETE FROM vehicle WHERE id = NEW.id; END",
        ]],
        _ => vec![
            vec![
                "CREATE FUNCTION remove() RETURNS trigger LANGUAGE plpgsql AS \
                 'BEGIN DELETE FROM vehicle WHERE id = NEW.id; RETURN NEW; END'",
                "CREATE TRIGGER remove AFTER INSERT ON vehicle \
                 FOR EACH ROW EXECUTE FUNCTION remove()",
            ],
            vec![
                "DROP TRIGGER remove ON vehicle",
                "CREATE FUNCTION leave_out() RETURNS trigger LANGUAGE plpgsql AS \
                 'BEGIN RETURN NULL; END'",
                "CREATE TRIGGER leave_out BEFORE INSERT ON vehicle \
                 FOR EACH ROW EXECUTE FUNCTION leave_out()",
            ],
        ],
    };
    let db = fixture.connect().await;
    for statements in triggers {
        for statement in statements {
            let result = db.execute_unprepared(statement).await;
            result.unwrap_or_else(|error| panic!("{statement}: {error}"));
        }
        let error = store
            .insert(new_vehicle("XC60"))
            .await
            .expect_err("it is gone");
        assert!(matches!(error, StoreError::OutcomeUnknown(_)), "{error:?}");
    }
}
