//! The tests of GraphiQL.

use serde_json::json;

use testkit::Running;

use super::{
    graphiql::{Editor, Graphiql},
    proxy,
};
use crate::support::serve;

testkit::tests![
    the_documentation_shows_the_schema_and_its_descriptions,
    the_default_query_returns_vehicles,
    the_tab_of_the_next_page_takes_the_cursor_of_the_first_one,
    a_typed_query_is_executed,
    a_typed_query_can_be_formatted,
    a_vehicle_created_on_the_page_is_stored,
    the_headers_are_sent,
    the_history_contains_executed_operations,
    the_explorer_shows_the_fields,
    the_theme_follows_the_system,
    it_works_under_a_path_prefix,
];

const DOCUMENTATION: &str = "button[aria-label='Show Documentation Explorer']";
const PLUGIN: &str = ".graphiql-plugin";

async fn service() -> Running {
    serve("sqlite:test.db", &["--log-level=error"]).await
}

async fn the_documentation_shows_the_schema_and_its_descriptions() {
    let service = service().await;
    let mut page = Graphiql::open(&service.url("")).await;
    let title = page.devtools.evaluate("document.title").await;
    assert_eq!(title, "Vehicle catalogue");
    page.click(DOCUMENTATION).await;
    page.click_text(&format!("{PLUGIN} a"), "Query").await;
    page.wait_for_text(PLUGIN, "The vehicles in ascending order of id.").await;
    page.click_text(&format!("{PLUGIN} a"), "Vehicle").await;
    page.wait_for_text(PLUGIN, "A vehicle of the catalogue.").await;
    let shown = page.text(PLUGIN).await;
    for field in ["id: ID!", "modelCode: String", "launchDate: String"] {
        assert!(shown.contains(field), "{shown}");
    }
    page.close().await;
}

async fn the_default_query_returns_vehicles() {
    let service = service().await;
    let create = "mutation { createVehicle(type: \"SUV\", modelCode: \"XC90\") { id } }";
    service.query(create).await.unwrap();
    let mut page = Graphiql::open(&service.url("")).await;
    page.run().await;
    page.wait_for_response("\"modelCode\": \"XC90\"").await;
    page.close().await;
}

async fn the_tab_of_the_next_page_takes_the_cursor_of_the_first_one() {
    let service = service().await;
    for model_code in 1..=11 {
        let create = format!("mutation {{ createVehicle(type: \"SUV\", modelCode: \"M{model_code}\") {{ id }} }}");
        service.query(&create).await.unwrap();
    }
    let first = "{ vehiclesConnection(first: 10, orderBy: ID_DESC) { pageInfo { endCursor } } }";
    let first = service.query(first).await.unwrap();
    let cursor = &first["data"]["vehiclesConnection"]["pageInfo"]["endCursor"];
    let mut page = Graphiql::open(&service.url("")).await;
    let open_pane = ".graphiql-editor-tools .active";
    assert_eq!(page.text(open_pane).await, "", "nothing to fill in");
    page.click_text(".graphiql-tab-button", "NextPage").await;
    page.wait_until_stored("query NextPage").await;
    page.wait_for_text(open_pane, "Variables").await;
    page.write(Editor::Variables, &format!("{{\"after\": {cursor}}}")).await;
    page.run().await;
    page.wait_for_response("\"modelCode\": \"M1\"").await;
    page.close().await;
}

async fn a_typed_query_is_executed() {
    let service = service().await;
    let mut page = Graphiql::open(&service.url("")).await;
    page.write(Editor::Query, "query Mine { vehicle(id: 7) { brandName } }").await;
    page.run_by_keyboard().await;
    page.wait_for_response("\"vehicle\": null").await;
    let query = "query Negative { vehicles(count: -1) { id } }";
    page.write(Editor::Query, query).await;
    page.run_by_keyboard().await;
    page.wait_for_response("BAD_USER_INPUT").await;
    page.close().await;
}

async fn a_typed_query_can_be_formatted() {
    let service = service().await;
    let mut page = Graphiql::open(&service.url("")).await;
    page.write(Editor::Query, "query Mine { vehicle(id: 7) { brandName } }").await;
    page.click(".graphiql-toolbar button[aria-label^='Prettify']").await;
    page.wait_until_stored("  vehicle(id: 7) {\n    brandName\n").await;
    page.close().await;
}

async fn a_vehicle_created_on_the_page_is_stored() {
    let service = service().await;
    let mut page = Graphiql::open(&service.url("")).await;
    page.click_text(".graphiql-tab-button", "CreateVehicle").await;
    page.wait_until_stored("mutation CreateVehicle").await;
    page.run().await;
    page.wait_for_response("\"id\": \"1\"").await;
    page.close().await;
    let stored = service.query("{ vehicles { id type modelCode brandName launchDate } }").await.unwrap();
    let vehicle = json!({
        "id": "1", "type": "SUV", "modelCode": "XC60", "brandName": "Volvo", "launchDate": "2017-03-07",
    });
    assert_eq!(stored, json!({ "data": { "vehicles": [vehicle] } }));
}

async fn the_headers_are_sent() {
    let service = service().await;
    let mut page = Graphiql::open(&service.url("")).await;
    page.click_text(".graphiql-editor-tools button", "Headers").await;
    page.write(Editor::Headers, r#"{"Authorization": "Bearer key"}"#).await;
    page.run().await;
    page.wait_for_response("\"nodes\": []").await;
    assert_eq!(page.devtools.authorizations, ["Bearer key"]);
    page.close().await;
}

async fn the_history_contains_executed_operations() {
    let service = service().await;
    let mut page = Graphiql::open(&service.url("")).await;
    page.run().await;
    page.wait_for_response("\"nodes\": []").await;
    page.click("button[aria-label='Show History']").await;
    page.wait_for_text(PLUGIN, "FirstPage").await;
    page.close().await;
}

async fn the_explorer_shows_the_fields() {
    let service = service().await;
    let mut page = Graphiql::open(&service.url("")).await;
    page.click("button[aria-label='Show GraphiQL Explorer']").await;
    page.wait_for_text(PLUGIN, "launchDate").await;
    page.close().await;
}

async fn the_theme_follows_the_system() {
    let service = service().await;
    for (colour_scheme, dark) in [("dark", true), ("light", false)] {
        let mut page = Graphiql::open_in(&service.url(""), colour_scheme).await;
        assert_eq!(page.is_dark().await, dark, "{colour_scheme}");
        page.close().await;
    }
}

async fn it_works_under_a_path_prefix() {
    let service = service().await;
    let url = proxy::start(&service.url("")).await;
    let mut page = Graphiql::open(&url).await;
    page.run().await;
    page.wait_for_response("\"nodes\": []").await;
    page.click(DOCUMENTATION).await;
    page.wait_for_text(PLUGIN, "Query").await;
    page.close().await;
}
