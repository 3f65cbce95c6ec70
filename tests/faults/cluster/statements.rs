//! Checks that the service sends exactly the statements listed in `docs/scale.md`.

use std::collections::BTreeSet;
use std::fs;

use schema::Schema;
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use testkit::{Backend, Extras, OwnServer};
use vehicle_catalogue::graphql::CONTRACT;

use super::postgres::connect;
use crate::support::serve;

testkit::tests![
    the_documentation_lists_all_statements,
    every_root_field_is_executed,
];

/// Every root field of the contract, with the requests that send other statements.
const DOCUMENTS: [&str; 9] = [
    r#"mutation { createVehicle(type: "SUV", modelCode: "XC60") { id } }"#,
    r#"mutation { updateVehicle(id: "1", changes: { type: "Car" }) { id } }"#,
    r#"mutation { updateVehicle(id: "1", changes: { type: "SUV" }) { id } }"#,
    r#"mutation { createVehicle(type: "SUV", modelCode: "XC90") { id } }"#,
    r#"mutation { a: deleteVehicle(id: "2") { id } b: deleteVehicle(id: "2") { id } }"#,
    r#"mutation { createVehicles(vehicles: [{ type: "SUV", modelCode: "XC40" }]) { id } }"#,
    r#"{ vehicle(id: "1") { id } }"#,
    r#"{ a: vehicle(id: "1") { id } b: vehicle(id: "2") { id } c: vehicles(count: 3) { id } }"#,
    r#"{ vehiclesConnection(filter: { type: "SUV" }) { nodes { id } } }"#,
];

async fn every_root_field_is_executed() {
    let contract = Schema::parse("schema.graphql", CONTRACT.sdl()).unwrap();
    for root in ["Query", "Mutation"] {
        let fields = contract.tree().get_object(root).unwrap().fields.keys();
        let is_executed = |field: &str| {
            let mut documents = DOCUMENTS.iter();
            let (with_arguments, alone) = (format!(" {field}("), format!(" {field} "));
            documents.any(|text| text.contains(&with_arguments) || text.contains(&alone))
        };
        let missing: Vec<_> = fields.filter(|field| !is_executed(field)).collect();
        assert!(missing.is_empty(), "DOCUMENTS lacks {missing:?}");
    }
}

async fn the_documentation_lists_all_statements() {
    let preload = "shared_preload_libraries=pg_stat_statements";
    let server = OwnServer::start(
        Backend::Postgres,
        &Extras {
            arguments: vec!["-c".to_owned(), preload.to_owned()],
            ..Extras::default()
        },
    );
    let url = server.database();
    let observer = connect(&url).await;
    let observe = "CREATE EXTENSION pg_stat_statements";
    observer.execute_unprepared(observe).await.unwrap();
    for _ in 0..2 {
        // On the second start nothing is left to migrate.
        let running = serve(&url, &[]).await;
        for query in DOCUMENTS {
            let response = running.query(query).await.unwrap();
            assert!(response.get("errors").is_none(), "{response}");
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
    let sent: BTreeSet<String> = sent.map(|sql| normalized(&sql)).collect();

    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/scale.md");
    let page = fs::read_to_string(page).unwrap();
    let listed = page.split("```sql\n").nth(1).unwrap();
    let listed = listed.split("```").next().unwrap().lines();
    let listed = listed.map(|line| line.trim_end_matches(';').to_owned());
    let listed: BTreeSet<String> = listed.filter(|line| !line.starts_with("--")).collect();

    let unlisted: Vec<_> = sent.difference(&listed).cloned().collect();
    let unsent: Vec<_> = listed.difference(&sent).cloned().collect();
    assert!(
        unlisted.is_empty() && unsent.is_empty(),
        "docs/scale.md lacks\n{}\nand has too much\n{}",
        unlisted.join("\n"),
        unsent.join("\n")
    );
}

/// The statement on one line, with a variable number of rows reduced to one.
fn normalized(sql: &str) -> String {
    let words: Vec<_> = sql.split_whitespace().collect();
    let mut sql = words.join(" ");
    if sql.starts_with("INSERT INTO \"vehicle\" ")
        && let (Some(values), Some(end)) = (sql.find("(VALUES "), sql.find(") AS \"new\""))
    {
        sql.replace_range(values..end, "(VALUES ($1, …), …");
    }
    sql
}
