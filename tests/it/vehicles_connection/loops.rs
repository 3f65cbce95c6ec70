//! Loops over all pages of `vehiclesConnection`, with random vehicles.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::support::{TestApp, tests};

tests![pages_together_are_the_sorted_list, every_vehicle_that_stays_is_met_once_while_others_come_and_go,];

const CASES: usize = 12;

const FIRST_DAY: u32 = 3;

/// A vehicle of the model: its brand, and the day of June 2020 of its launch. Few values, so that many are equal.
type Row = (u8, Option<u32>);

fn rows(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Row>> {
    let day = prop_oneof![1 => Just(None), 2 => (FIRST_DAY..FIRST_DAY + 5).prop_map(Some)];
    proptest::collection::vec((0..2_u8, day), count)
}

fn date(day: u32) -> String {
    format!("2020-06-{day:02}")
}

fn values((brand, day): &Row) -> String {
    let date = day.map_or("NULL".to_owned(), |day| format!("'{}'", date(day)));
    format!("('SUV', 'XC60', 'B{brand}', {date})")
}

fn insert(rows: &[Row]) -> String {
    let rows: Vec<_> = rows.iter().map(values).collect();
    let columns = "(type, model_code, brand_name, launch_date)";
    format!("INSERT INTO vehicle {columns} VALUES {}", rows.join(", "))
}

impl TestApp {
    /// The ids of all vehicles, in ascending order.
    async fn ids(&self) -> Vec<i64> {
        let vehicles = self.vehicles(1000).await.data()["vehicles"].take();
        let vehicles = vehicles.as_array().expect("it is a list").iter();
        let ids = vehicles.map(|vehicle| vehicle["id"].as_str().and_then(|id| id.parse().ok()));
        ids.map(|id| id.expect("an id is a number")).collect()
    }

    /// The ids of all pages, and the number of pages.
    async fn all_pages(&self, mut arguments: Value) -> (Vec<i64>, usize) {
        let mut ids = Vec::new();
        for pages in 1.. {
            let page = self.page(arguments.clone()).await;
            assert_eq!(page.has_previous, pages > 1, "{page:?}");
            ids.extend(page.ids.iter().map(|id| id.parse::<i64>().unwrap()));
            if !page.has_next {
                return (ids, pages);
            }
            arguments["after"] = json!(page.end_cursor.expect("the page is not empty"));
        }
        unreachable!("the loop ends at the last page")
    }
}

async fn pages_together_are_the_sorted_list(app: TestApp) {
    let mut runner = TestRunner::deterministic();
    let brand = proptest::option::of(0..2_u8);
    let bound = || proptest::option::weighted(0.3, FIRST_DAY..FIRST_DAY + 5);
    let strategy = (rows(1..40), 1..9_usize, brand, bound(), bound());
    for _ in 0..CASES {
        let case = strategy.new_tree(&mut runner).expect("it can be generated").current();
        let (rows, first, brand, from, until) = &case;
        app.execute("DELETE FROM vehicle").await;
        app.execute(&insert(rows)).await;
        let ids = app.ids().await;
        assert_eq!(ids.len(), rows.len());
        let has_condition = brand.is_some() || from.is_some() || until.is_some();
        let matching = |(_, (of_brand, day)): &(i64, Row)| {
            brand.is_none_or(|brand| brand == *of_brand)
                && from.is_none_or(|from| day.is_some_and(|day| day >= from))
                && until.is_none_or(|until| day.is_some_and(|day| day <= until))
        };
        let vehicles = ids.into_iter().zip(rows.iter().copied());
        let vehicles: Vec<_> = vehicles.filter(matching).collect();
        for order in ["ID_ASC", "ID_DESC", "LAUNCH_DATE_ASC", "LAUNCH_DATE_DESC"] {
            if has_condition && order.starts_with("ID") {
                continue;
            }
            let mut expected = vehicles.clone();
            expected.sort_by_key(|(id, (_, day))| {
                let undated = day.is_none();
                let day = i64::from(day.unwrap_or_default());
                match order {
                    "ID_ASC" => (false, 0, *id),
                    "ID_DESC" => (false, 0, -id),
                    "LAUNCH_DATE_ASC" => (undated, day, *id),
                    _ => (undated, -day, -id),
                }
            });
            let expected: Vec<_> = expected.into_iter().map(|(id, _)| id).collect();
            let filter = json!({
                "brandName": brand.map(|brand| format!("B{brand}")),
                "launchedFrom": from.map(date),
                "launchedUntil": until.map(date),
            });
            let arguments = json!({ "filter": filter, "orderBy": order, "first": first });
            let (ids, pages) = app.all_pages(arguments).await;
            assert_eq!(ids, expected, "{order} {case:?}");
            assert_eq!(pages, expected.len().div_ceil(*first).max(1), "{order} {case:?}");
        }
    }
}

/// What happens between two pages.
#[derive(Clone, Debug)]
enum Change {
    Insert(Vec<Row>),
    /// Deletes the vehicle at this part of the list.
    Delete(prop::sample::Index),
}

async fn every_vehicle_that_stays_is_met_once_while_others_come_and_go(app: TestApp) {
    let mut runner = TestRunner::deterministic();
    let change =
        prop_oneof![rows(1..4).prop_map(Change::Insert), any::<prop::sample::Index>().prop_map(Change::Delete),];
    let changes = proptest::collection::vec(change, 0..12);
    let strategy = (rows(5..40), 1..6_usize, any::<bool>(), changes);
    for _ in 0..CASES {
        let case = strategy.new_tree(&mut runner).expect("it can be generated").current();
        let (rows, first, ascending, changes) = &case;
        app.execute("DELETE FROM vehicle").await;
        app.execute(&insert(rows)).await;
        let mut staying = app.ids().await;
        let order = if *ascending { "ID_ASC" } else { "ID_DESC" };
        let mut arguments = json!({ "orderBy": order, "first": first });
        let mut met: Vec<i64> = Vec::new();
        let mut changes = changes.iter();
        loop {
            let page = app.page(arguments.clone()).await;
            met.extend(page.ids.iter().map(|id| id.parse::<i64>().unwrap()));
            if !page.has_next {
                break;
            }
            arguments["after"] = json!(page.end_cursor);
            match changes.next() {
                Some(Change::Insert(rows)) => app.execute(&insert(rows)).await,
                Some(Change::Delete(index)) if !staying.is_empty() => {
                    let id = staying.remove(index.index(staying.len()));
                    app.execute(&format!("DELETE FROM vehicle WHERE id = {id}")).await;
                }
                Some(Change::Delete(_)) | None => {}
            }
        }
        if !ascending {
            staying.reverse();
        }
        let is_ordered = |pair: &[i64]| (pair[0] < pair[1]) == *ascending && pair[0] != pair[1];
        assert!(met.windows(2).all(is_ordered), "{met:?} {case:?}");
        let met_staying: Vec<_> = met.into_iter().filter(|id| staying.contains(id)).collect();
        assert_eq!(met_staying, staying, "{case:?}");
    }
}
