//! Creates: batches, keys and repetitions.

use std::collections::BTreeSet;

use tokio::task::JoinSet;
use vehicle_catalogue::catalogue::FIRST_VERSION;
use vehicle_catalogue::store::{Created, Error};

use super::support::{Fixture, create, dated, models, vehicle};

testkit::tests![
    concurrent_creates_get_their_own_vehicles,
    a_create_with_the_same_key_is_stored_once,
    concurrent_creates_with_the_same_key_are_stored_once,
    a_key_of_another_create_is_refused_and_stores_nothing,
    a_deleted_vehicle_frees_its_key,
    a_bulk_create_is_all_or_none,
    a_refused_create_fails_alone_in_its_batch,
    a_text_of_any_characters_is_stored_as_it_is,
];

async fn concurrent_creates_get_their_own_vehicles(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let mut tasks = JoinSet::new();
    for number in 0..300 {
        let store = store.clone();
        tasks.spawn(async move {
            let created = create(&store, &format!("M{number}")).await;
            assert_eq!(created.model_code, format!("M{number}"));
            assert_eq!(created.version, FIRST_VERSION);
            let found = store.find(created.id).await.expect("it can be read");
            assert_eq!(found.expect("it is stored").model_code, created.model_code);
            created.id
        });
    }
    let ids: BTreeSet<_> = tasks.join_all().await.into_iter().collect();
    assert_eq!(ids.len(), 300, "every vehicle has its own id");
    assert_eq!(models(&store).await.len(), 300);
}

async fn a_create_with_the_same_key_is_stored_once(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let new = || vec![vehicle("XC60").with_key([7; 16], Some([1; 8]))];
    let Ok(Created::New(first)) = store.create(new()).await else {
        panic!("it is new")
    };
    let Ok(Created::Before(again)) = store.create(new()).await else {
        panic!("it is stored")
    };
    assert_eq!(first, again);
    assert_eq!(models(&store).await, ["XC60"]);
}

async fn concurrent_creates_with_the_same_key_are_stored_once(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let mut tasks = JoinSet::new();
    for number in 0..40_u8 {
        let store = store.clone();
        let key = number / 4;
        let new = vehicle(&format!("M{key}")).with_key([key; 16], Some([key; 8]));
        tasks.spawn(async move { store.create(vec![new]).await });
    }
    let results = tasks.join_all().await;
    let new = results
        .iter()
        .filter(|it| matches!(it, Ok(Created::New(_))))
        .count();
    let before = results
        .iter()
        .filter(|it| matches!(it, Ok(Created::Before(_))))
        .count();
    assert_eq!((new, before), (10, 30), "{results:?}");
    assert_eq!(models(&store).await.len(), 10);
}

async fn a_key_of_another_create_is_refused_and_stores_nothing(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let with =
        |model: &str, key: u8, digest: u8| vehicle(model).with_key([key; 16], Some([digest; 8]));
    let first = store
        .create(vec![with("one", 1, 1), with("two", 2, 1)])
        .await;
    assert!(matches!(first, Ok(Created::New(_))), "{first:?}");
    for other in [
        vec![with("other", 1, 2)],
        vec![with("one", 1, 1), with("two", 2, 1), with("three", 3, 1)],
        // A list that is shorter has another digest.
        vec![with("one", 1, 2)],
    ] {
        let refused = store.create(other).await;
        assert!(matches!(refused, Ok(Created::KeyReused)), "{refused:?}");
    }
    assert_eq!(models(&store).await, ["one", "two"]);
}

async fn a_deleted_vehicle_frees_its_key(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let new = || vec![vehicle("XC60").with_key([7; 16], Some([1; 8]))];
    let Ok(Created::New(first)) = store.create(new()).await else {
        panic!("it is new")
    };
    let deleted = store.delete(first[0].id, None).await;
    assert!(matches!(deleted, Ok(Ok(Some(_)))), "{deleted:?}");
    let Ok(Created::New(second)) = store.create(new()).await else {
        panic!("the key is free")
    };
    assert_ne!(first[0].id, second[0].id, "an id is never used again");
}

async fn a_bulk_create_is_all_or_none(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let new: Vec<_> = (0..100)
        .map(|number| vehicle(&format!("M{number}")))
        .collect();
    let Ok(Created::New(created)) = store.create(new).await else {
        panic!("they are new")
    };
    let codes: Vec<_> = created.iter().map(|it| it.model_code.as_str()).collect();
    let expected: Vec<_> = (0..100).map(|number| format!("M{number}")).collect();
    assert_eq!(codes, expected, "they are returned in the order given");
    refuse_model(fixture, "bad").await;
    let mixed = vec![vehicle("good"), vehicle("bad")];
    let refused = store.create(mixed).await;
    assert!(matches!(refused, Err(Error::Unexpected(_))), "{refused:?}");
    assert_eq!(models(&store).await.len(), 100);
}

async fn a_refused_create_fails_alone_in_its_batch(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    refuse_model(fixture, "bad").await;
    let mut tasks = JoinSet::new();
    for number in 0..60 {
        let store = store.clone();
        let model = if number % 10 == 0 { "bad" } else { "good" };
        tasks.spawn(async move { (model, store.create(vec![vehicle(model)]).await) });
    }
    for (model, created) in tasks.join_all().await {
        match model {
            "bad" => assert!(matches!(created, Err(Error::Unexpected(_))), "{created:?}"),
            _ => assert!(matches!(created, Ok(Created::New(_))), "{created:?}"),
        }
    }
    assert_eq!(models(&store).await.len(), 54);
}

/// Makes the database refuse vehicles of a model.
pub(crate) async fn refuse_model(fixture: &Fixture, model: &str) {
    use testkit::Backend::{Mariadb, Mysql, Postgres, Sqlite};
    let statements = match fixture.backend {
        Sqlite => vec![format!(
            "CREATE TRIGGER refuse BEFORE INSERT ON vehicle WHEN NEW.model_code = '{model}' \
             BEGIN SELECT RAISE(ABORT, 'refused'); END"
        )],
        Postgres => vec![
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS \
             'BEGIN RAISE EXCEPTION ''refused''; END'"
                .to_owned(),
            format!(
                "CREATE TRIGGER refuse BEFORE INSERT ON vehicle \
                 FOR EACH ROW WHEN (NEW.model_code = '{model}') EXECUTE FUNCTION refuse()"
            ),
        ],
        Mariadb | Mysql => vec![format!(
            "CREATE TRIGGER `refuse` BEFORE INSERT ON vehicle FOR EACH ROW \
             IF NEW.model_code = '{model}' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused'; END IF"
        )],
    };
    let statements: Vec<_> = statements.iter().map(String::as_str).collect();
    fixture.execute(&statements).await;
}

async fn a_text_of_any_characters_is_stored_as_it_is(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    for text in [
        "🚗 \u{10ffff}",
        "a ",
        "a",
        "A",
        "é",
        "e\u{301}",
        "'; DROP TABLE vehicle; --",
        "\\",
    ] {
        let created = create(&store, text).await;
        let found = store.find(created.id).await.expect("it can be read");
        assert_eq!(found.expect("it is stored").model_code, text);
    }
    let Ok(Created::New(created)) = store.create(vec![dated("M", Some("1000-01-01"))]).await else {
        panic!("it is new")
    };
    let date = created[0].launch_date.map(|date| date.to_string());
    assert_eq!(date.as_deref(), Some("1000-01-01"));
}
