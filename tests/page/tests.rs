//! What the page does for a person.

use std::path::PathBuf;

use serde_json::json;

use crate::{
    Test,
    graphiql::{Editor, Graphiql},
    proxy,
    service::Service,
};

macro_rules! tests {
    ($($name:ident),* $(,)?) => {
        pub(crate) const TESTS: &[Test] = &[$(Test {
            name: stringify!($name),
            run: |chromium| Box::pin($name(chromium)),
        }),*];
    };
}

tests![
    the_documentation_shows_the_schema_and_its_descriptions,
    the_first_query_is_answered,
    a_query_that_is_typed_is_answered,
    a_query_that_is_typed_can_be_formatted,
    a_vehicle_that_is_created_on_the_page_is_in_the_catalogue,
    the_headers_are_sent,
    the_history_keeps_what_was_run,
    the_explorer_shows_what_can_be_asked,
    it_is_dark_where_the_system_is,
    it_works_under_a_path_prefix,
];

const DOCUMENTATION: &str = "button[aria-label='Show Documentation Explorer']";
const PLUGIN: &str = ".graphiql-plugin";

async fn the_documentation_shows_the_schema_and_its_descriptions(chromium: PathBuf) {
    let service = Service::start();
    let mut page = Graphiql::open(&chromium, &service.url).await;
    let title = page.devtools.evaluate("document.title").await;
    assert_eq!(title, "Vehicle catalogue");
    page.click(DOCUMENTATION).await;
    page.click_text(&format!("{PLUGIN} a"), "Query").await;
    page.wait_for_text(PLUGIN, "The vehicles in ascending order of id.")
        .await;
    page.click_text(&format!("{PLUGIN} a"), "Vehicle").await;
    page.wait_for_text(PLUGIN, "A vehicle of the catalogue.")
        .await;
    let shown = page.text(PLUGIN).await;
    for field in ["id: ID!", "modelCode: String", "launchDate: String"] {
        assert!(shown.contains(field), "{shown}");
    }
    page.close().await;
}

async fn the_first_query_is_answered(chromium: PathBuf) {
    let service = Service::start();
    let create = "mutation { createVehicle(type: \"SUV\", modelCode: \"XC90\") { id } }";
    service.ask(create).await;
    let mut page = Graphiql::open(&chromium, &service.url).await;
    page.run().await;
    page.wait_for_answer("\"modelCode\": \"XC90\"").await;
    page.close().await;
}

async fn a_query_that_is_typed_is_answered(chromium: PathBuf) {
    let service = Service::start();
    let mut page = Graphiql::open(&chromium, &service.url).await;
    page.write(Editor::Query, "query Mine { vehicle(id: 7) { brandName } }")
        .await;
    page.run_by_keyboard().await;
    page.wait_for_answer("\"vehicle\": null").await;
    let query = "query Negative { vehicles(count: -1) { id } }";
    page.write(Editor::Query, query).await;
    page.run_by_keyboard().await;
    page.wait_for_answer("BAD_USER_INPUT").await;
    page.close().await;
}

async fn a_query_that_is_typed_can_be_formatted(chromium: PathBuf) {
    let service = Service::start();
    let mut page = Graphiql::open(&chromium, &service.url).await;
    page.write(Editor::Query, "query Mine { vehicle(id: 7) { brandName } }")
        .await;
    page.click(".graphiql-toolbar button[aria-label^='Prettify']")
        .await;
    page.wait_until_read("  vehicle(id: 7) {\n    brandName\n")
        .await;
    page.close().await;
}

async fn a_vehicle_that_is_created_on_the_page_is_in_the_catalogue(chromium: PathBuf) {
    let service = Service::start();
    let mut page = Graphiql::open(&chromium, &service.url).await;
    page.click_text(".graphiql-tab-button", "CreateVehicle")
        .await;
    page.wait_until_read("mutation CreateVehicle").await;
    page.run().await;
    page.wait_for_answer("\"id\": \"1\"").await;
    page.close().await;
    let stored = service
        .ask("{ vehicles { id type modelCode brandName launchDate } }")
        .await;
    let vehicle = json!({
        "id": "1", "type": "SUV", "modelCode": "XC60", "brandName": "Volvo", "launchDate": "2017-03-07",
    });
    assert_eq!(stored, json!({ "data": { "vehicles": [vehicle] } }));
}

async fn the_headers_are_sent(chromium: PathBuf) {
    let service = Service::start();
    let mut page = Graphiql::open(&chromium, &service.url).await;
    page.click_text(".graphiql-editor-tools button", "Headers")
        .await;
    page.write(Editor::Headers, r#"{"Authorization": "Bearer key"}"#)
        .await;
    page.run().await;
    page.wait_for_answer("\"vehicles\": []").await;
    assert_eq!(page.devtools.authorizations, ["Bearer key"]);
    page.close().await;
}

async fn the_history_keeps_what_was_run(chromium: PathBuf) {
    let service = Service::start();
    let mut page = Graphiql::open(&chromium, &service.url).await;
    page.run().await;
    page.wait_for_answer("\"vehicles\": []").await;
    page.click("button[aria-label='Show History']").await;
    page.wait_for_text(PLUGIN, "Vehicles").await;
    page.close().await;
}

async fn the_explorer_shows_what_can_be_asked(chromium: PathBuf) {
    let service = Service::start();
    let mut page = Graphiql::open(&chromium, &service.url).await;
    page.click("button[aria-label='Show GraphiQL Explorer']")
        .await;
    page.wait_for_text(PLUGIN, "launchDate").await;
    page.close().await;
}

async fn it_is_dark_where_the_system_is(chromium: PathBuf) {
    let service = Service::start();
    for (colour_scheme, dark) in [("dark", true), ("light", false)] {
        let mut page = Graphiql::open_in(&chromium, &service.url, colour_scheme).await;
        assert_eq!(page.is_dark().await, dark, "{colour_scheme}");
        page.close().await;
    }
}

async fn it_works_under_a_path_prefix(chromium: PathBuf) {
    let service = Service::start();
    let url = proxy::start(&service.url).await;
    let mut page = Graphiql::open(&chromium, &url).await;
    page.run().await;
    page.wait_for_answer("\"vehicles\": []").await;
    page.click(DOCUMENTATION).await;
    page.wait_for_text(PLUGIN, "Query").await;
    page.close().await;
}
