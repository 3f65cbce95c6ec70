//! `vehiclesConnection`: pages, filters and orders.

pub(crate) mod loops;
pub(crate) mod refusals;

use serde_json::{Value, json};

use crate::support::{Response, TestApp, execute, tests};

tests![
    a_page_has_its_vehicles_their_cursors_and_its_position,
    has_50_vehicles_by_default_or_as_many_as_the_list_limit,
    vehicles_without_launch_date_are_last_in_both_directions,
    the_default_order_depends_on_the_filter,
    texts_are_compared_byte_for_byte,
    a_text_that_no_vehicle_can_have_finds_none,
    launch_dates_are_filtered_inclusively,
    a_cursor_is_valid_for_another_filter,
    a_cursor_survives_the_deletion_of_its_vehicle,
];

const PAGE: &str = "query ($filter: VehicleFilter, $orderBy: VehicleOrder, $first: Int, $after: String) {
    vehiclesConnection(filter: $filter, orderBy: $orderBy, first: $first, after: $after) {
        edges { cursor node { id } } nodes { id }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }";

/// A page of the response, after the checks that its parts agree.
#[derive(Debug)]
struct Page {
    ids: Vec<String>,
    cursors: Vec<String>,
    has_next: bool,
    has_previous: bool,
    end_cursor: Option<String>,
}

impl Page {
    #[track_caller]
    fn of(response: &Response) -> Self {
        let connection = response.data()["vehiclesConnection"].take();
        let texts = |list: &str, pointer: &str| -> Vec<String> {
            let items = connection[list].as_array().expect("it is a list").iter();
            let texts = items.map(|item| item.pointer(pointer).and_then(Value::as_str));
            texts.map(|text| text.expect("it is a text").to_owned()).collect()
        };
        let (ids, cursors) = (texts("nodes", "/id"), texts("edges", "/cursor"));
        assert_eq!(texts("edges", "/node/id"), ids, "{response}");
        let info = &connection["pageInfo"];
        assert_eq!(info["startCursor"].as_str(), cursors.first().map(String::as_str));
        assert_eq!(info["endCursor"].as_str(), cursors.last().map(String::as_str));
        let flag = |name: &str| info[name].as_bool().expect("it is a Boolean");
        Self {
            has_next: flag("hasNextPage"),
            has_previous: flag("hasPreviousPage"),
            end_cursor: info["endCursor"].as_str().map(str::to_owned),
            ids,
            cursors,
        }
    }
}

impl TestApp {
    async fn page_response(&self, arguments: Value) -> Response {
        self.query(PAGE, arguments).await
    }

    async fn page(&self, arguments: Value) -> Page {
        Page::of(&self.page_response(arguments).await)
    }

    /// The ids of a page.
    async fn page_ids(&self, arguments: Value) -> Vec<String> {
        self.page(arguments).await.ids
    }

    /// Creates a vehicle and returns its id; only the type and the model code have defaults.
    async fn given(&self, arguments: Value) -> String {
        let mut all = json!({ "type": "SUV", "modelCode": "XC60" });
        for (name, value) in arguments.as_object().expect("it is an object") {
            all[name] = value.clone();
        }
        let data = self.create_vehicle(all).await.data();
        data["createVehicle"]["id"].as_str().expect("it has an id").to_owned()
    }

    /// Executes a statement on the database.
    async fn execute(&self, statement: &str) {
        execute(self, &[statement]).await;
    }

    /// Inserts vehicles with the model codes `M0`, `M1` and so on.
    async fn insert_numbered(&self, count: usize) {
        let rows: Vec<_> = (0..count).map(|number| format!("('SUV', 'M{number}')")).collect();
        let rows = rows.join(", ");
        self.execute(&format!("INSERT INTO vehicle (type, model_code) VALUES {rows}")).await;
    }

    /// Creates vehicles with these launch dates and returns their ids.
    async fn given_launched<const N: usize>(&self, dates: [Option<&str>; N]) -> [&'static str; N] {
        let mut ids = [""; N];
        for (id, date) in ids.iter_mut().zip(dates) {
            *id = self.given(json!({ "launchDate": date })).await.leak();
        }
        ids
    }
}

async fn a_page_has_its_vehicles_their_cursors_and_its_position(app: TestApp) {
    let [one, two, three] = app.given_launched([None, None, None]).await;
    let first = app.page(json!({ "first": 2 })).await;
    assert_eq!(first.ids, [one, two]);
    assert!(first.has_next && !first.has_previous, "{first:?}");
    let second = app.page(json!({ "first": 2, "after": first.end_cursor })).await;
    assert_eq!(second.ids, [three]);
    assert!(!second.has_next && second.has_previous, "{second:?}");
    // Each cursor is a position, not only the last one.
    let after_first = app.page(json!({ "first": 2, "after": first.cursors[0] })).await;
    assert_eq!(after_first.ids, [two, three]);
    assert!(!after_first.has_next, "{after_first:?}");
}

async fn has_50_vehicles_by_default_or_as_many_as_the_list_limit(app: TestApp) {
    app.insert_numbered(51).await;
    for arguments in [json!({}), json!({ "first": null }), json!({ "first": 50 })] {
        let page = app.page(arguments).await;
        assert_eq!((page.ids.len(), page.has_next), (50, true));
    }
    let app = app.restart_with(&["--list-limit=20"]).await;
    for arguments in [json!({}), json!({ "first": null }), json!({ "first": 20 })] {
        let page = app.page(arguments).await;
        assert_eq!((page.ids.len(), page.has_next), (20, true));
    }
}

async fn vehicles_without_launch_date_are_last_in_both_directions(app: TestApp) {
    let (early, late) = (Some("1000-01-01"), Some("9999-12-31"));
    let given = app.given_launched([None, late, early, None, late]).await;
    for (order, expected) in [
        ("LAUNCH_DATE_ASC", [2, 1, 4, 0, 3]),
        ("LAUNCH_DATE_DESC", [4, 1, 2, 3, 0]),
        ("ID_ASC", [0, 1, 2, 3, 4]),
        ("ID_DESC", [4, 3, 2, 1, 0]),
    ] {
        let ids = app.page_ids(json!({ "orderBy": order })).await;
        assert_eq!(ids, expected.map(|index: usize| given[index]), "{order}");
    }
}

async fn the_default_order_depends_on_the_filter(app: TestApp) {
    let [later, earlier] = app.given_launched([Some("2020-01-01"), Some("2010-01-01")]).await;
    for arguments in [
        json!({}),
        json!({ "orderBy": null, "filter": null }),
        json!({ "filter": {} }),
        json!({ "filter": { "type": null, "launchedFrom": null }, "orderBy": "ID_ASC" }),
    ] {
        assert_eq!(app.page_ids(arguments).await, [later, earlier]);
    }
    let filter = json!({ "type": "SUV" });
    for arguments in [json!({ "filter": filter }), json!({ "filter": filter, "orderBy": null })] {
        assert_eq!(app.page_ids(arguments).await, [earlier, later]);
    }
}

async fn texts_are_compared_byte_for_byte(app: TestApp) {
    let texts = ["Volvo", "volvo", "Volvo ", " Volvo", "é", "e\u{301}", "%", "_", "'", "", " "];
    let mut ids = Vec::new();
    for text in texts {
        let code = if text.trim().is_empty() { "XC60" } else { text };
        let arguments = json!({ "type": code, "modelCode": code, "brandName": text });
        ids.push(app.given(arguments).await);
    }
    app.given(json!({ "brandName": null })).await;
    for (text, id) in texts.iter().zip(&ids) {
        let by_brand = app.page_ids(json!({ "filter": { "brandName": text } })).await;
        assert_eq!(by_brand, [id.as_str()], "{text:?}");
        if !text.trim().is_empty() {
            for filter in [json!({ "type": text }), json!({ "modelCode": text })] {
                assert_eq!(app.page_ids(json!({ "filter": filter })).await, [id.as_str()]);
            }
        }
    }
}

async fn a_text_that_no_vehicle_can_have_finds_none(app: TestApp) {
    app.given(json!({ "brandName": "Volvo" })).await;
    let too_long = "x".repeat(256);
    for text in ["", "  ", "a\0b", "\0", &too_long, "unknown"] {
        for name in ["type", "modelCode", "brandName"] {
            let page = app.page(json!({ "filter": { name: text } })).await;
            assert!(page.ids.is_empty() && !page.has_next, "{name} {text:?}: {page:?}");
        }
    }
}

async fn launch_dates_are_filtered_inclusively(app: TestApp) {
    let dates = [Some("2019-12-31"), Some("2020-01-01"), Some("2020-12-31"), Some("2021-01-01"), None];
    let [_, first, last, after, _] = app.given_launched(dates).await;
    let year = json!({ "launchedFrom": "2020-01-01", "launchedUntil": "2020-12-31" });
    assert_eq!(app.page_ids(json!({ "filter": year })).await, [first, last]);
    let descending = json!({ "filter": year, "orderBy": "LAUNCH_DATE_DESC" });
    assert_eq!(app.page_ids(descending).await, [last, first]);
    let from = json!({ "filter": { "launchedFrom": "2020-12-31" } });
    assert_eq!(app.page_ids(from).await, [last, after]);
    let day = json!({ "launchedFrom": "2020-01-01", "launchedUntil": "2020-01-01", "type": "SUV" });
    assert_eq!(app.page_ids(json!({ "filter": day })).await, [first]);
    let reversed = json!({ "launchedFrom": "2021-01-01", "launchedUntil": "2020-01-01" });
    let page = app.page(json!({ "filter": reversed })).await;
    assert!(page.ids.is_empty() && !page.has_next, "{page:?}");
}

async fn a_cursor_is_valid_for_another_filter(app: TestApp) {
    let dates = [Some("2010-01-01"), Some("2020-01-01"), Some("2030-01-01"), None];
    let [early, middle, late, undated] = app.given_launched(dates).await;
    for (order, expected) in [
        ("LAUNCH_DATE_ASC", [vec![middle], vec![], vec![], vec![]]),
        ("LAUNCH_DATE_DESC", [vec![], vec![], vec![middle], vec![]]),
    ] {
        let cursors = app.page(json!({ "orderBy": order })).await;
        let filter = json!({ "launchedFrom": "2015-01-01", "launchedUntil": "2025-01-01" });
        for (id, expected) in [early, middle, late, undated].into_iter().zip(expected) {
            let index = cursors.ids.iter().position(|other| *other == id).expect("it is listed");
            let after = &cursors.cursors[index];
            let arguments = json!({ "orderBy": order, "filter": filter, "after": after });
            let ids = app.page_ids(arguments).await;
            assert_eq!(ids, expected, "{order} after {id}");
        }
    }
}

async fn a_cursor_survives_the_deletion_of_its_vehicle(app: TestApp) {
    let [_, deleted, next] = app.given_launched([None, None, None]).await;
    let orders = ["ID_ASC", "LAUNCH_DATE_ASC"];
    let mut cursors = Vec::new();
    for order in orders {
        cursors.push(app.page(json!({ "orderBy": order, "first": 2 })).await.end_cursor);
    }
    app.execute(&format!("DELETE FROM vehicle WHERE id = {deleted}")).await;
    for (order, cursor) in orders.into_iter().zip(cursors) {
        let after = json!({ "orderBy": order, "after": cursor });
        assert_eq!(app.page_ids(after).await, [next]);
    }
}
