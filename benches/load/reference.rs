//! The reference server: the same work written by hand, with a poem handler, one statement for each
//! vehicle or list, and `serde_json`. It has no GraphQL, batching, limits or metrics.

use std::{collections::BTreeMap, error::Error, net::SocketAddr};

use chrono::NaiveDate;
use futures_util::future::try_join_all;
use poem::{
    EndpointExt, Route, Server, handler,
    http::StatusCode,
    listener::TcpListener,
    post,
    web::{Data, Json, Path},
};
use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend, DbErr, QueryResult, Statement,
    Value as Parameter,
};
use serde::Serialize;
use serde_json::Value;
use tokio::signal::unix::{SignalKind, signal};

const COLUMNS: &str = "id, type, model_code, brand_name, launch_date";

#[derive(Clone)]
struct Pools {
    read: DatabaseConnection,
    write: DatabaseConnection,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Vehicle {
    id: String,
    r#type: String,
    model_code: String,
    brand_name: Option<String>,
    launch_date: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    nodes: Vec<Vehicle>,
    page_info: PageInfo,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PageInfo {
    has_next_page: bool,
}

#[derive(Serialize)]
struct Response {
    data: Fields,
}

/// The fields of the GraphQL response.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Fields {
    Vehicle(Option<Vehicle>),
    Vehicles(Vec<Vehicle>),
    VehiclesConnection(Page),
    CreateVehicle(Vehicle),
    #[serde(rename = "__typename")]
    Typename(&'static str),
    #[serde(untagged)]
    Aliased(BTreeMap<String, Option<Vehicle>>),
}

impl Vehicle {
    fn from_row(row: &QueryResult) -> Result<Self, DbErr> {
        let date: Option<NaiveDate> = row.try_get_by_index(4)?;
        Ok(Self {
            id: row.try_get_by_index::<i64>(0)?.to_string(),
            r#type: row.try_get_by_index(1)?,
            model_code: row.try_get_by_index(2)?,
            brand_name: row.try_get_by_index(3)?,
            launch_date: date.map(|date| date.to_string()),
        })
    }
}

/// Serves until SIGTERM.
#[tokio::main]
pub(crate) async fn serve(listen: SocketAddr, database_url: &str) {
    let pools = if database_url.starts_with("sqlite:") {
        // A SQLite file has one writer at a time.
        Pools { read: connect(database_url, 4).await, write: connect(database_url, 1).await }
    } else {
        // Enough concurrent writers share the commits of the server.
        let pool = connect(database_url, 32).await;
        Pools { read: pool.clone(), write: pool }
    };
    let app = Route::new().at("/:workload", post(handle)).data(pools.clone());
    let mut terminate = signal(SignalKind::terminate()).expect("signals can be handled");
    let server = Server::new(TcpListener::bind(listen));
    tokio::select! {
        result = server.run(app) => result.expect("the port is free"),
        _ = terminate.recv() => {}
    }
    // Closing checkpoints a SQLite file, which the service would do otherwise at its start.
    for pool in [pools.write, pools.read] {
        pool.close().await.expect("closing does not fail");
    }
}

async fn connect(url: &str, connections: u32) -> DatabaseConnection {
    let mut options = ConnectOptions::new(url);
    options.max_connections(connections).sqlx_logging(false);
    options.test_before_acquire(false);
    let connected = Database::connect(options).await;
    connected.expect("the database is reachable")
}

#[handler]
async fn handle(
    Path(workload): Path<String>,
    Json(variables): Json<Value>,
    Data(Pools { read, write }): Data<&Pools>,
) -> poem::Result<Json<Response>> {
    let data = match workload.as_str() {
        "W1" => find(read, &variables["id"]).await.map(Fields::Vehicle),
        "W2" => list(read, 20).await.map(Fields::Vehicles),
        "W3" => list(read, 1000).await.map(Fields::Vehicles),
        "W4" => create(write, &variables).await.map(Fields::CreateVehicle),
        "W5" => find_all(read, &variables).await.map(Fields::Aliased),
        "W7" => page(read, &variables["brand"]).await.map(Fields::VehiclesConnection),
        _ => Ok(Fields::Typename("Query")),
    };
    let failure = |error: Box<dyn Error + Send + Sync>| {
        poem::Error::from_string(error.to_string(), StatusCode::INTERNAL_SERVER_ERROR)
    };
    let data = data.map_err(failure)?;
    Ok(Json(Response { data }))
}

type Found<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn statement(db: &DatabaseConnection, sql: &str, parameters: impl IntoIterator<Item = Parameter>) -> Statement {
    let backend = db.get_database_backend();
    let mut sql = sql.to_owned();
    if backend == DbBackend::Postgres {
        for number in 1..=sql.matches('?').count() {
            sql = sql.replacen('?', &format!("${number}"), 1);
        }
    }
    Statement::from_sql_and_values(backend, sql, parameters)
}

async fn find(db: &DatabaseConnection, id: &Value) -> Found<Option<Vehicle>> {
    let id: i64 = id.as_str().ok_or("an id is a string")?.parse()?;
    let sql = format!("SELECT {COLUMNS} FROM vehicle WHERE id = ?");
    let row = db.query_one_raw(statement(db, &sql, [id.into()])).await?;
    Ok(row.as_ref().map(Vehicle::from_row).transpose()?)
}

async fn find_all(db: &DatabaseConnection, ids: &Value) -> Found<BTreeMap<String, Option<Vehicle>>> {
    let ids = ids.as_object().ok_or("the variables are an object")?;
    let found = try_join_all(ids.values().map(|id| find(db, id))).await?;
    Ok(ids.keys().cloned().zip(found).collect())
}

async fn list(db: &DatabaseConnection, count: i64) -> Found<Vec<Vehicle>> {
    let sql = format!("SELECT {COLUMNS} FROM vehicle ORDER BY id LIMIT ?");
    let statement = statement(db, &sql, [count.into()]);
    let rows = db.query_all_raw(statement).await?;
    Ok(rows.iter().map(Vehicle::from_row).collect::<Result<_, _>>()?)
}

/// Vehicles of a brand by launch date, those without one last: two ranges of an index.
async fn page(db: &DatabaseConnection, brand: &Value) -> Found<Page> {
    const SIZE: usize = 50;
    let brand = brand.as_str().ok_or("a brand is a string")?;
    let range = |condition| {
        format!(
            "SELECT * FROM (SELECT {COLUMNS} FROM vehicle WHERE brand_name = ? AND launch_date {condition} \
             ORDER BY launch_date, id LIMIT ?) AS vehicles"
        )
    };
    let (dated, undated) = (range("IS NOT NULL"), range("IS NULL"));
    let sql = format!("{dated} UNION ALL {undated} LIMIT ?");
    let limit = i64::try_from(SIZE + 1)?;
    let parameters = [brand.into(), limit.into(), brand.into(), limit.into(), limit.into()];
    let rows = db.query_all_raw(statement(db, &sql, parameters)).await?;
    let nodes = rows.iter().take(SIZE).map(Vehicle::from_row);
    Ok(Page { nodes: nodes.collect::<Result<_, _>>()?, page_info: PageInfo { has_next_page: rows.len() > SIZE } })
}

async fn create(db: &DatabaseConnection, variables: &Value) -> Found<Vehicle> {
    let text = |name: &str| variables[name].as_str().map(str::to_owned);
    let mut vehicle = Vehicle {
        id: String::new(),
        r#type: text("type").ok_or("type is required")?,
        model_code: text("modelCode").ok_or("modelCode is required")?,
        brand_name: text("brandName"),
        launch_date: text("launchDate"),
    };
    let date: Option<NaiveDate> = vehicle.launch_date.as_deref().map(str::parse).transpose()?;
    let parameters = [
        vehicle.r#type.clone().into(),
        vehicle.model_code.clone().into(),
        vehicle.brand_name.clone().into(),
        date.into(),
    ];
    let sql = "INSERT INTO vehicle (type, model_code, brand_name, launch_date) VALUES (?, ?, ?, ?)";
    vehicle.id = if db.get_database_backend() == DbBackend::MySql {
        let inserted = db.execute_raw(statement(db, sql, parameters)).await?;
        inserted.last_insert_id().to_string()
    } else {
        let sql = format!("{sql} RETURNING id");
        let row = db.query_one_raw(statement(db, &sql, parameters)).await?;
        let row = row.ok_or("RETURNING gives a row")?;
        row.try_get_by_index::<i64>(0)?.to_string()
    };
    Ok(vehicle)
}
