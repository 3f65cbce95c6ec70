//! Test support: a running service with request methods.

mod app;
mod response;

pub(crate) use app::TestApp;
pub(crate) use response::Response;
pub(crate) use testkit::{Backend, http, tests};

use sea_orm::ConnectionTrait as _;

/// Makes the database refuse every `operation`, `UPDATE` or `DELETE`, of a vehicle.
pub(crate) async fn refuse(app: &TestApp, operation: &str) {
    refuse_if(app, operation, "1 = 1").await;
}

/// Makes the database refuse an operation on rows that satisfy a condition.
pub(crate) async fn refuse_if(app: &TestApp, operation: &str, condition: &str) {
    let statements: Vec<String> = match app.backend {
        Backend::Sqlite => vec![format!(
            "CREATE TRIGGER refuse BEFORE {operation} ON vehicle WHEN {condition} \
             BEGIN SELECT RAISE(ABORT, 'refused'); END"
        )],
        Backend::Postgres => vec![
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS \
             'BEGIN RAISE EXCEPTION ''refused''; END'"
                .to_owned(),
            format!(
                "CREATE TRIGGER refuse BEFORE {operation} ON vehicle \
                 FOR EACH ROW WHEN ({condition}) EXECUTE FUNCTION refuse()"
            ),
        ],
        Backend::Mariadb | Backend::Mysql => vec![format!(
            "CREATE TRIGGER `refuse` BEFORE {operation} ON vehicle FOR EACH ROW \
             IF {condition} THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused'; END IF"
        )],
    };
    execute(app, &statements).await;
}

/// Undoes [`refuse`].
pub(crate) async fn permit(app: &TestApp) {
    let statement = match app.backend {
        Backend::Postgres => "DROP FUNCTION refuse CASCADE",
        _ => "DROP TRIGGER `refuse`",
    };
    execute(app, &[statement]).await;
}

/// Executes statements on a connection of its own.
pub(crate) async fn execute(app: &TestApp, statements: &[impl AsRef<str>]) {
    let other_connection = app.other_connection().await;
    for statement in statements {
        let statement = statement.as_ref();
        let done = other_connection.execute_unprepared(statement).await;
        done.unwrap_or_else(|error| panic!("{statement}: {error}"));
    }
    other_connection.close().await.expect("it is open");
}
