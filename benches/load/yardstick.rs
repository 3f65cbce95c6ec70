//! The yardstick: the least that does the same work by hand. A poem handler, one statement for each
//! vehicle or list, `serde_json`; no GraphQL, no batching, no limits, no metrics.

use std::{collections::BTreeMap, error::Error, fmt::Display, net::SocketAddr};

use chrono::NaiveDate;
use futures_util::future::try_join_all;
use poem::{
    EndpointExt, Route, Server, handler,
    http::StatusCode,
    listener::TcpListener,
    post,
    web::{self, Json, Path},
};
use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend, DbErr, QueryResult,
    Statement, Value as Parameter,
};
use serde::Serialize;
use serde_json::Value;
use tokio::signal::unix::{SignalKind, signal};

use crate::Outcome;

const COLUMNS: &str = "id, type, model_code, brand_name, launch_date";

/// Connections to a server: enough for the writers to share its commits.
const CONNECTIONS: u32 = 32;

#[derive(Clone)]
struct Connections {
    reading: DatabaseConnection,
    writing: DatabaseConnection,
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

/// What GraphQL would answer.
#[derive(Serialize)]
struct Answer {
    data: Data,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Data {
    Vehicle(Option<Vehicle>),
    Vehicles(Vec<Vehicle>),
    CreateVehicle(Vehicle),
    #[serde(untagged)]
    Found(BTreeMap<String, Option<Vehicle>>),
    #[serde(untagged)]
    Nothing {
        __typename: &'static str,
    },
}

impl Vehicle {
    fn of(row: &QueryResult) -> Result<Self, DbErr> {
        Ok(Self {
            id: row.try_get_by_index::<i64>(0)?.to_string(),
            r#type: row.try_get_by_index(1)?,
            model_code: row.try_get_by_index(2)?,
            brand_name: row.try_get_by_index(3)?,
            launch_date: row
                .try_get_by_index::<Option<NaiveDate>>(4)?
                .map(|date| date.to_string()),
        })
    }
}

/// Serves until it is killed.
pub(crate) fn serve(listen: SocketAddr, database_url: &str) -> Outcome<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let (readers, writers) = if database_url.starts_with("sqlite:") {
            // A SQLite file has one writer at a time.
            (4, Some(1))
        } else {
            (CONNECTIONS, None)
        };
        let reading = connect(database_url, readers).await?;
        let writing = match writers {
            Some(writers) => connect(database_url, writers).await?,
            None => reading.clone(),
        };
        let connections = Connections { reading, writing };
        let app = Route::new()
            .at("/:operation", post(answer))
            .data(connections.clone());
        let mut told = signal(SignalKind::terminate())?;
        let server = Server::new(TcpListener::bind(listen));
        tokio::select! {
            ended = server.run(app) => ended?,
            _ = told.recv() => {}
        }
        // Else the service would begin with tidying up a SQLite file after it.
        connections.writing.close().await?;
        connections.reading.close().await?;
        Ok(())
    })
}

async fn connect(url: &str, connections: u32) -> Result<DatabaseConnection, DbErr> {
    let mut options = ConnectOptions::new(url);
    options.max_connections(connections).sqlx_logging(false);
    options.test_before_acquire(false);
    Database::connect(options).await
}

#[handler]
async fn answer(
    Path(operation): Path<String>,
    Json(body): Json<Value>,
    web::Data(connections): web::Data<&Connections>,
) -> poem::Result<Json<Answer>> {
    let Connections { reading, writing } = connections;
    let data = match operation.as_str() {
        "find" => find(reading, &body["ids"][0]).await.map(Data::Vehicle),
        "find-all" => find_all(reading, &body["ids"]).await.map(Data::Found),
        "list" => list(reading, &body["count"]).await.map(Data::Vehicles),
        "create" => create(writing, &body).await.map(Data::CreateVehicle),
        _ => Ok(Data::Nothing {
            __typename: "Query",
        }),
    };
    let data = data.map_err(|error| failed(&*error))?;
    Ok(Json(Answer { data }))
}

fn failed(error: &dyn Display) -> poem::Error {
    poem::Error::from_string(error.to_string(), StatusCode::INTERNAL_SERVER_ERROR)
}

type Answered<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn statement(
    db: &DatabaseConnection,
    sql: &str,
    parameters: impl IntoIterator<Item = Parameter>,
) -> Statement {
    let backend = db.get_database_backend();
    let mut sql = sql.to_owned();
    if backend == DbBackend::Postgres {
        for number in 1..=sql.matches('?').count() {
            sql = sql.replacen('?', &format!("${number}"), 1);
        }
    }
    Statement::from_sql_and_values(backend, sql, parameters)
}

async fn find(db: &DatabaseConnection, id: &Value) -> Answered<Option<Vehicle>> {
    // The body has ids as texts, as GraphQL does.
    let id: i64 = id.as_str().ok_or("an id is a text")?.parse()?;
    let sql = format!("SELECT {COLUMNS} FROM vehicle WHERE id = ?");
    let row = db.query_one_raw(statement(db, &sql, [id.into()])).await?;
    Ok(row.as_ref().map(Vehicle::of).transpose()?)
}

async fn find_all(
    db: &DatabaseConnection,
    ids: &Value,
) -> Answered<BTreeMap<String, Option<Vehicle>>> {
    let ids = ids.as_array().ok_or("ids is a list")?;
    let found = try_join_all(ids.iter().map(|id| find(db, id))).await?;
    let named = found.into_iter().enumerate();
    let named = named.map(|(at, vehicle)| (format!("v{at}"), vehicle));
    Ok(named.collect())
}

async fn list(db: &DatabaseConnection, count: &Value) -> Answered<Vec<Vehicle>> {
    let count = count.as_i64().ok_or("count is a number")?;
    let sql = format!("SELECT {COLUMNS} FROM vehicle ORDER BY id LIMIT ?");
    let rows = db
        .query_all_raw(statement(db, &sql, [count.into()]))
        .await?;
    Ok(rows.iter().map(Vehicle::of).collect::<Result<_, _>>()?)
}

async fn create(db: &DatabaseConnection, body: &Value) -> Answered<Vehicle> {
    let text = |name: &str| body[name].as_str().map(str::to_owned);
    let (r#type, model_code) = (text("type"), text("modelCode"));
    let (brand_name, launch_date) = (text("brandName"), text("launchDate"));
    let date: Option<NaiveDate> = launch_date.as_deref().map(str::parse).transpose()?;
    let parameters = [
        r#type.clone().into(),
        model_code.clone().into(),
        brand_name.clone().into(),
        date.into(),
    ];
    let sql = "INSERT INTO vehicle (type, model_code, brand_name, launch_date) VALUES (?, ?, ?, ?)";
    let id = if db.get_database_backend() == DbBackend::MySql {
        let inserted = db.execute_raw(statement(db, sql, parameters)).await?;
        inserted.last_insert_id().to_string()
    } else {
        let sql = format!("{sql} RETURNING id");
        let row = db.query_one_raw(statement(db, &sql, parameters)).await?;
        let id: i64 = row
            .ok_or("the insert has answered nothing")?
            .try_get_by_index(0)?;
        id.to_string()
    };
    Ok(Vehicle {
        id,
        r#type: r#type.ok_or("a vehicle has a type")?,
        model_code: model_code.ok_or("a vehicle has a model")?,
        brand_name,
        launch_date,
    })
}
