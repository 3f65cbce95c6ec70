//! The query plans of pages: each reads only the page, from an index that has its order.

use sea_orm::sea_query::{PostgresQueryBuilder, Query, Value};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use testkit::Backend;
use vehicle_catalogue::catalogue::{PageArguments, PageRequest, Position, parse_launch_date};
use vehicle_catalogue::catalogue::{VehicleFilter, VehicleOrder};
use vehicle_catalogue::store::page_statement;

use super::support::Fixture;

testkit::tests![every_page_reads_one_index_and_no_more_than_the_page];

const PAGE: u32 = 10;
const VEHICLES: u32 = 12_000;

/// A form of the statement: a description and a request.
type Form = (String, PageRequest);

async fn every_page_reads_one_index_and_no_more_than_the_page(fixture: &Fixture) {
    let _store = fixture.migrated_store().await;
    let db = fixture.connect().await;
    insert_vehicles(&db).await;
    let analyze = match fixture.backend {
        Backend::Sqlite | Backend::Postgres => "ANALYZE",
        Backend::Mariadb | Backend::Mysql => "ANALYZE TABLE vehicle",
    };
    db.execute_unprepared(analyze).await.unwrap();
    let mut wrong = Vec::new();
    for (form, request) in forms() {
        let statement = page_statement(db.get_database_backend(), &request);
        let statement = statement.expect("a vehicle can be on the page");
        let rows = db.query_all_raw(statement.clone()).await.unwrap();
        assert!(!rows.is_empty(), "{form}: the page is empty");
        let problem = match fixture.backend {
            Backend::Sqlite => sqlite_problem(&db, &request, &statement).await,
            Backend::Postgres => postgres_problem(&db, &statement).await,
            Backend::Mariadb | Backend::Mysql => mysql_problem(&db, &statement).await,
        };
        wrong.extend(problem.map(|problem| format!("{form}: {problem}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A third of the vehicles has no launch date, a third was launched on the same day, and the others on
/// different days.
async fn insert_vehicles(db: &DatabaseConnection) {
    for start in (0..VEHICLES).step_by(1000) {
        let rows = (start..start + 1000).map(|number| {
            let date = match number % 3 {
                0 => "NULL".to_owned(),
                1 => "'2020-06-15'".to_owned(),
                _ => {
                    let day = number / 3;
                    format!("'{}-{:02}-{:02}'", 2000 + day / 336 * 3, day / 28 % 12 + 1, day % 28 + 1)
                }
            };
            let (kind, model, brand) = (number / 3 % 2, number / 3 % 5, number / 3 % 4);
            // Texts that differ only in trailing spaces are others.
            ["", " ", "  ", "   "].map(|end| format!("('T{kind}{end}', 'M{model}{end}', 'B{brand}{end}', {date})"))
        });
        let rows: Vec<_> = rows.flatten().collect();
        let insert = "INSERT INTO vehicle (type, model_code, brand_name, launch_date) VALUES ";
        let insert = format!("{insert}{}", rows.join(", "));
        db.execute_unprepared(&insert).await.unwrap();
    }
}

fn forms() -> Vec<Form> {
    let text = |value: &str| Some(value.to_owned());
    let filter = |r#type, model_code, brand_name| VehicleFilter {
        r#type,
        model_code,
        brand_name,
        launched_from: None,
        launched_until: None,
    };
    let texts = [
        filter(None, None, None),
        filter(text("T1"), None, None),
        filter(None, text("M1"), None),
        filter(None, None, text("B1")),
    ];
    let crowded_day = parse_launch_date("2020-06-15").unwrap();
    let position = |launch_date| Position { launch_date, id: i64::from(VEHICLES / 2) };
    let positions = [None, Some(position(Some(crowded_day))), Some(position(None))];
    let mut forms = Vec::new();
    for order in [VehicleOrder::IdAsc, VehicleOrder::IdDesc, VehicleOrder::LaunchDateAsc, VehicleOrder::LaunchDateDesc]
    {
        for filter in &texts {
            for (from, until) in [
                (None, None),
                (text("2010-01-01"), None),
                (None, text("2025-01-01")),
                (text("2010-01-01"), text("2025-01-01")),
            ] {
                for after in positions {
                    let filter =
                        VehicleFilter { launched_from: from.clone(), launched_until: until.clone(), ..filter.clone() };
                    let has_dates = from.is_some() || until.is_some();
                    let is_undated = after.is_some_and(|after| after.launch_date.is_none());
                    let is_by_id = is_by_id(order);
                    let has_condition = has_dates || filter != texts[0];
                    let is_impossible = if is_by_id { has_condition } else { has_dates && is_undated };
                    if is_impossible {
                        continue;
                    }
                    let arguments = PageArguments {
                        filter: Some(filter),
                        order_by: Some(order),
                        first: Some(PAGE.cast_signed()),
                        after: after.map(|position| position.cursor(order)),
                    };
                    let form = format!("{arguments:?}");
                    let request = PageRequest::parse(arguments, 1000);
                    forms.push((form, request.expect("the request is valid")));
                }
            }
        }
    }
    forms
}

fn is_by_id(order: VehicleOrder) -> bool {
    matches!(order, VehicleOrder::IdAsc | VehicleOrder::IdDesc)
}

async fn sqlite_problem(db: &DatabaseConnection, request: &PageRequest, statement: &Statement) -> Option<String> {
    let steps = sqlite_plan(db, statement).await;
    // The first page in an order by id starts at an end of the table.
    let is_scan = is_by_id(request.order) && request.after.is_none();
    let wrong = steps.iter().any(|step| step.contains("TEMP B-TREE") || step.starts_with("SCAN vehicle") && !is_scan);
    wrong.then(|| steps.join("\n"))
}

async fn sqlite_plan(db: &DatabaseConnection, statement: &Statement) -> Vec<String> {
    let mut explain = statement.clone();
    explain.sql.insert_str(0, "EXPLAIN QUERY PLAN ");
    let plan = db.query_all_raw(explain).await.unwrap();
    let steps = plan.iter().map(|row| row.try_get::<String>("", "detail"));
    steps.map(Result::unwrap).collect()
}

async fn postgres_problem(db: &DatabaseConnection, statement: &Statement) -> Option<String> {
    let plan = postgres_plan(db, statement).await;
    let wrong = ["Sort", "Seq Scan on vehicle", "Bitmap", "Rows Removed by Filter"];
    let is_wrong = wrong.iter().any(|wrong| plan.contains(wrong));
    is_wrong.then_some(plan)
}

async fn postgres_plan(db: &DatabaseConnection, statement: &Statement) -> String {
    let backend = db.get_database_backend();
    let literal = |value: &Value| {
        let select = Query::select().expr(value.clone()).to_owned();
        let select = select.to_string(PostgresQueryBuilder);
        select.trim_start_matches("SELECT ").to_owned()
    };
    let values = statement.values.iter().flat_map(|values| &values.0);
    let values: Vec<_> = values.map(literal).collect();
    for sql in ["SET plan_cache_mode = force_generic_plan".to_owned(), format!("PREPARE page AS {}", statement.sql)] {
        db.execute_unprepared(&sql).await.unwrap();
    }
    let values = values.join(", ");
    let explain = format!("EXPLAIN (ANALYZE, TIMING OFF) EXECUTE page ({values})");
    let explain = Statement::from_string(backend, explain);
    let plan = db.query_all_raw(explain).await.unwrap();
    db.execute_unprepared("DEALLOCATE page").await.unwrap();
    let lines = plan.iter().map(|row| row.try_get_by_index::<String>(0));
    lines.map(Result::unwrap).collect::<Vec<_>>().join("\n")
}

async fn mysql_problem(db: &DatabaseConnection, statement: &Statement) -> Option<String> {
    db.execute_unprepared("FLUSH STATUS").await.unwrap();
    db.query_all_raw(statement.clone()).await.unwrap();
    let backend = db.get_database_backend();
    let status = "SHOW SESSION STATUS WHERE Variable_name LIKE 'Handler_read%' OR Variable_name = 'Sort_rows'";
    let status = db.query_all_raw(Statement::from_string(backend, status));
    let counters = status.await.unwrap();
    let counters = counters.iter().map(|row| {
        let name: String = row.try_get_by_index(0).unwrap();
        let value: String = row.try_get_by_index(1).unwrap();
        (name, value.parse::<u64>().unwrap())
    });
    let counters: Vec<_> = counters.collect();
    let of = |sort: bool| {
        let counters = counters.iter().filter(|(name, _)| (name == "Sort_rows") == sort);
        counters.map(|(_, value)| value).sum::<u64>()
    };
    // Each of three ranges is read, and read again from its temporary table.
    let is_wrong = of(true) > 0 || of(false) > 3 * 2 * u64::from(PAGE + 3);
    is_wrong.then(|| format!("{counters:?}\n{}", statement.sql))
}
