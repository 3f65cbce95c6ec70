//! The way of a request through the service: reading, limits, documents, execution on vehicles that
//! are kept in memory, the answer. Only the sockets are missing.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use poem::endpoint::BoxEndpoint;
use poem::http::{Method, StatusCode, Uri};
use poem::{Endpoint, EndpointExt, Request, Response};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use vehicle_catalogue::access::Access;
use vehicle_catalogue::catalogue::NewVehicle;
use vehicle_catalogue::graphql::{Engine, EngineSettings, ErrorCode};
use vehicle_catalogue::http::{Graphiql, HttpSettings, Origins, SchemaDocument, Watch, routes};
use vehicle_catalogue::store::{DatabaseSettings, DatabaseUrl, Store};
use vehicle_catalogue::telemetry::Metrics;

/// How many requests a service answers before another takes its place.
const TURNS: u32 = 500;

/// Longer than anything takes in memory: nothing may depend on how fast this machine is.
const PATIENCE: Duration = Duration::from_mins(5);

struct Service {
    runtime: Runtime,
    endpoint: BoxEndpoint<'static, Response>,
    turns: u32,
}

thread_local! {
    static SERVICE: RefCell<Option<Service>> = const { RefCell::new(None) };
}

pub(super) fn check(input: &[u8]) {
    SERVICE.with_borrow_mut(|kept| {
        let mut service = kept.take().unwrap_or_else(Service::start);
        let first = service.answer(input);
        if changes_something(input) {
            return;
        }
        // Documents are kept: the second time another way is taken to the same answer.
        let second = service.answer(input);
        assert_eq!(first, second, "asked again");
        service.turns += 1;
        *kept = Some(service).filter(|service| service.turns < TURNS);
    });
}

/// Whether it may be a mutation, after which the service is not the same.
fn changes_something(input: &[u8]) -> bool {
    // The word can be written with escapes; what is not ASCII letters alone, might be one.
    let word = b"mutation";
    let plain = input.windows(word.len()).any(|window| window == word);
    plain || input.contains(&b'\\') || input.contains(&b'%')
}

impl Service {
    fn start() -> Self {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime needs nothing");
        let endpoint = runtime.block_on(async {
            let store = store().await;
            let engine = Engine::new(store, EngineSettings::default());
            let settings = settings();
            let limits = settings.limits();
            let documents = engine.document_limits().list();
            let names = limits.iter().map(|limit| limit.name);
            let names = names.chain(documents.map(|(name, ..)| name));
            let watch = Watch {
                metrics: Arc::new(Metrics::new(10, &[], names)),
                slow: None,
                traces: None,
            };
            let access = Arc::new(Access::default());
            routes(Arc::new(engine), watch, None, access, &settings, &limits).boxed()
        });
        Self {
            runtime,
            endpoint,
            turns: 0,
        }
    }

    /// The status and the body of an answer that keeps every promise.
    fn answer(&self, input: &[u8]) -> (StatusCode, Value) {
        let Some(request) = request(input) else {
            return (StatusCode::BAD_REQUEST, Value::Null);
        };
        let is_list = input.trim_ascii_start().starts_with(b"[");
        self.runtime.block_on(async {
            let response = self.endpoint.get_response(request).await;
            let status = response.status();
            assert!(
                matches!(status.as_u16(), 200 | 400 | 405 | 413 | 414),
                "status {status}"
            );
            let body = response.into_body().into_vec().await;
            let body = body.expect("it is in memory");
            if status == StatusCode::URI_TOO_LONG {
                return (status, Value::Null);
            }
            let answer: Value = serde_json::from_slice(&body).expect("an answer is JSON");
            match &answer {
                Value::Array(answers) if is_list => answers.iter().for_each(sound),
                answer => sound(answer),
            }
            (status, answer)
        })
    }
}

fn request(input: &[u8]) -> Option<Request> {
    let accept = "application/graphql-response+json, application/json;q=0.9";
    let request = Request::builder().header("accept", accept);
    let Some(parameters) = input.strip_prefix(b"?") else {
        let request = request
            .method(Method::POST)
            .uri(Uri::from_static("/graphql"));
        let request = request.header("content-type", "application/json");
        return Some(request.body(input.to_vec()));
    };
    // A server of HTTP refuses what is no URL.
    let uri = [b"/graphql?", parameters].concat();
    let uri = Uri::try_from(uri).ok()?;
    Some(request.method(Method::GET).uri(uri).finish())
}

/// What the specification asks of a response, and this service of its errors.
fn sound(answer: &Value) {
    let members = answer.as_object().expect("a response is an object");
    let known = |name: &String| matches!(name.as_str(), "data" | "errors" | "extensions");
    assert!(members.keys().all(known), "{answer}");
    let errors = members.get("errors").map(|errors| {
        let errors = errors.as_array().expect("errors are a list");
        assert!(!errors.is_empty(), "an empty list of errors");
        errors
    });
    assert!(errors.is_some() || members.contains_key("data"), "{answer}");
    for error in errors.into_iter().flatten() {
        assert!(error["message"].is_string(), "{error}");
        let code = error["extensions"]["code"].as_str().expect("a code");
        assert_ne!(code, ErrorCode::InternalServerError.as_str(), "{error}");
        assert_ne!(code, ErrorCode::ServiceUnavailable.as_str(), "{error}");
        assert!(
            ErrorCode::ALL.iter().any(|known| known.as_str() == code),
            "{error}"
        );
        if code == ErrorCode::LimitExceeded.as_str() {
            assert!(error["extensions"]["limit"]["name"].is_string(), "{error}");
        }
        let places = error.get("locations").cloned().unwrap_or(json!([]));
        for place in places.as_array().expect("places are a list") {
            assert!(place["line"].as_u64() > Some(0), "{error}");
            assert!(place["column"].as_u64() > Some(0), "{error}");
        }
    }
}

async fn store() -> Store {
    let settings = DatabaseSettings {
        url: DatabaseUrl::parse("sqlite::memory:").expect("it has a supported form"),
        pool_size: 1,
        statements: 1,
        queue_limit: 100_000,
        timeout: PATIENCE,
        connect_timeout: PATIENCE,
        migration_lock_timeout: PATIENCE,
    };
    let store = Store::connect(&settings)
        .await
        .expect("memory needs nothing");
    store.migrate_up().await.expect("the tables are new");
    for (model_code, brand_name, launch_date) in [
        ("XC40", None, None),
        ("XC60", Some("Volvo"), Some("2017-03-07")),
        ("\u{1F697}\"\\", Some(""), Some("9999-12-31")),
    ] {
        let owned = |text: &str| text.to_owned();
        let (brand_name, launch_date) = (brand_name.map(owned), launch_date.map(owned));
        let vehicle = NewVehicle::parse(owned("SUV"), owned(model_code), brand_name, launch_date);
        let vehicle = vehicle.expect("it keeps the rules");
        store.insert(vehicle).await.expect("it can be stored");
    }
    store
}

fn settings() -> HttpSettings {
    HttpSettings {
        body_limit_bytes: 64 * 1024,
        url_limit_bytes: 16 * 1024,
        concurrency_limit: 10,
        connection_limit: 10,
        read_timeout: PATIENCE,
        batch_limit: 3,
        compression_threshold_bytes: usize::MAX,
        cors_origins: Origins::None,
        graphiql: Graphiql::Off,
        schema_document: SchemaDocument::Off,
        drain_pause: Duration::ZERO,
        drain_timeout: PATIENCE,
    }
}
