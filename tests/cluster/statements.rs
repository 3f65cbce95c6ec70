//! The statements that the service sends are those of `operate/scale.md`, and no others.

use std::collections::BTreeSet;
use std::fs;

use sea_orm::{ConnectionTrait, DbBackend, Statement};

use crate::{
    cases,
    databases::{Backend, Extras, OwnServer},
    postgres::stranger,
    running::Running,
};

cases![the_statements_are_those_of_the_page];

async fn the_statements_are_those_of_the_page() {
    let preload = "shared_preload_libraries=pg_stat_statements";
    let server = OwnServer::start(
        Backend::Postgres,
        &Extras {
            arguments: vec!["-c".to_owned(), preload.to_owned()],
            ..Extras::default()
        },
    );
    let url = server.database();
    let observer = stranger(&url).await;
    let observe = "CREATE EXTENSION pg_stat_statements";
    observer.execute_unprepared(observe).await.unwrap();
    for _ in 0..2 {
        // The second start finds the work of the first one done.
        let running = Running::start(&url, &[]).await;
        for query in [
            r#"mutation { createVehicle(type: "SUV", modelCode: "XC60") { id } }"#,
            r#"{ vehicle(id: "1") { id } }"#,
            r#"{ a: vehicle(id: "1") { id } b: vehicle(id: "2") { id } c: vehicles(count: 3) { id } }"#,
        ] {
            let answer = running.ask(query).await.unwrap();
            assert!(answer.get("errors").is_none(), "{answer}");
        }
        assert_eq!(running.readiness().await, 200);
    }
    let sent = "SELECT DISTINCT query FROM pg_stat_statements JOIN pg_database ON oid = dbid \
         WHERE datname = current_database() AND query NOT LIKE '%pg_stat_statements%'";
    let sent = Statement::from_string(DbBackend::Postgres, sent);
    let rows = observer.query_all_raw(sent).await.unwrap();
    let sent = rows
        .iter()
        .map(|row| row.try_get_by_index::<String>(0).unwrap());
    let sent: BTreeSet<String> = sent.map(|sql| shortened(&sql)).collect();

    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/operate/scale.md");
    let page = fs::read_to_string(page).unwrap();
    let listed = page.split("```sql\n").nth(1).unwrap();
    let listed = listed.split("```").next().unwrap().lines();
    let listed = listed.map(|line| line.trim_end_matches(';').to_owned());
    let listed: BTreeSet<String> = listed.filter(|line| !line.starts_with("--")).collect();

    let unlisted: Vec<_> = sent.difference(&listed).cloned().collect();
    let unsent: Vec<_> = listed.difference(&sent).cloned().collect();
    assert!(
        unlisted.is_empty() && unsent.is_empty(),
        "operate/scale.md lacks\n{}\nand has too much\n{}",
        unlisted.join("\n"),
        unsent.join("\n")
    );
}

/// On one line, and with one parameter or row where there may be many.
fn shortened(sql: &str) -> String {
    let words: Vec<_> = sql.split_whitespace().collect();
    let mut sql = words.join(" ");
    if let Some(list) = sql.find(" IN ($") {
        sql.truncate(list);
        sql.push_str(" IN ($1, …)");
    }
    if sql.starts_with("INSERT INTO \"vehicle\" ")
        && let (Some(values), Some(returning)) = (sql.find(" VALUES "), sql.find(" RETURNING "))
    {
        sql.replace_range(values..returning, " VALUES ($1, …), …");
    }
    sql
}
