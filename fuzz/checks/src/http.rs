//! Requests through the whole service, without sockets: parsing, limits, document cache, execution on an
//! in-memory database, response.

use std::cell::RefCell;
use std::time::Duration;

use async_graphql_strict::{ErrorCode, Limits};
use poem::endpoint::BoxEndpoint;
use poem::http::{Method, StatusCode, Uri};
use poem::{Endpoint, EndpointExt, Request, Response, Route};
use poem_graphql::{Check, GraphQL, GraphQLSettings, catch_panics, check_head};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use vehicle_catalogue::catalogue::{Checked, MutationCreateVehicleArguments};
use vehicle_catalogue::graphql::{self, Resolvers};
use vehicle_catalogue::store::{Database, DatabaseUrl, Settings, Store};

/// Number of inputs after which the service is replaced.
const INPUTS_PER_SERVICE: u32 = 500;

/// Maximum size of the responses to a request, and of what surrounds them: the errors of a refused
/// request repeat parts of it.
const RESPONSE_BYTES: u32 = 64 * 1024;
const ENVELOPE_BYTES: usize = 128 * 1024;

const BODY_BYTES: usize = 64 * 1024;
const URL_BYTES: usize = 16 * 1024;

/// Longer than any in-memory operation, so that results do not depend on the speed of the machine.
const TIMEOUT: Duration = Duration::from_mins(5);

struct Service {
    runtime: Runtime,
    endpoint: BoxEndpoint<'static, Response>,
    inputs: u32,
}

thread_local! {
    static SERVICE: RefCell<Option<Service>> = const { RefCell::new(None) };
}

pub(super) fn check(input: &[u8]) {
    SERVICE.with_borrow_mut(|slot| {
        let mut service = slot.take().unwrap_or_else(Service::start);
        let first = service.execute(input);
        if may_be_mutation(input) {
            return;
        }
        // The second execution is a hit in the document cache.
        let second = service.execute(input);
        assert_eq!(first, second, "the repeated query has another response");
        service.inputs += 1;
        *slot = Some(service).filter(|service| service.inputs < INPUTS_PER_SERVICE);
    });
}

/// Whether the input may be a mutation, which changes the database.
fn may_be_mutation(input: &[u8]) -> bool {
    // The keyword can be escaped, so any escape counts as a mutation.
    let keyword = b"mutation";
    let plain = input.windows(keyword.len()).any(|window| window == keyword);
    plain || input.contains(&b'\\') || input.contains(&b'%')
}

impl Service {
    fn start() -> Self {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime can be created");
        let endpoint = runtime.block_on(async {
            let resolvers = Resolvers { store: store().await, list_limit: 1000, bulk_limit: 100 };
            let defaults = async_graphql_strict::Settings::default();
            let settings = async_graphql_strict::Settings {
                limits: Limits { response_bytes: RESPONSE_BYTES, ..defaults.limits },
                ..defaults
            };
            let limits = GraphQLSettings {
                body_limit_bytes: BODY_BYTES,
                body_timeout: TIMEOUT,
                execution_timeout: TIMEOUT,
                ..GraphQLSettings::default()
            };
            let endpoint = GraphQL::new(graphql::strict(resolvers, settings), limits);
            Route::new()
                .at("/graphql", endpoint)
                .with(Check(|request: &mut Request| check_head(request, URL_BYTES)))
                .with(catch_panics())
                .boxed()
        });
        Self { runtime, endpoint, inputs: 0 }
    }

    /// The status and the checked body of the response.
    fn execute(&self, input: &[u8]) -> (StatusCode, Value) {
        let Some(request) = request(input) else {
            return (StatusCode::BAD_REQUEST, Value::Null);
        };
        self.runtime.block_on(async {
            let response = self.endpoint.get_response(request).await;
            let status = response.status();
            assert!(matches!(status.as_u16(), 200 | 400 | 405 | 413 | 414), "status {status}");
            let body = response.into_body().into_vec().await;
            let body = body.expect("the body is in memory");
            let max_bytes = RESPONSE_BYTES as usize + ENVELOPE_BYTES;
            assert!(body.len() <= max_bytes, "a response of {} bytes", body.len());
            if status == StatusCode::URI_TOO_LONG {
                return (status, Value::Null);
            }
            let body: Value = serde_json::from_slice(&body).expect("a response is JSON");
            check_response(&body);
            (status, body)
        })
    }
}

fn request(input: &[u8]) -> Option<Request> {
    let accept = "application/graphql-response+json, application/json;q=0.9";
    let request = Request::builder().header("host", "localhost").header("accept", accept);
    let Some(parameters) = input.strip_prefix(b"?") else {
        let request = request.method(Method::POST).uri(Uri::from_static("/graphql"));
        let request = request.header("content-type", "application/json");
        return Some(request.body(input.to_vec()));
    };
    // An HTTP server rejects an invalid URL.
    let uri = [b"/graphql?", parameters].concat();
    let uri = Uri::try_from(uri).ok()?;
    Some(request.method(Method::GET).uri(uri).finish())
}

/// Checks the response format of the specification and the error format of this service.
fn check_response(response: &Value) {
    let members = response.as_object().expect("a response is an object");
    let known = |name: &String| matches!(name.as_str(), "data" | "errors" | "extensions");
    assert!(members.keys().all(known), "{response}");
    let errors = members.get("errors").map(|errors| {
        let errors = errors.as_array().expect("errors are a list");
        assert!(!errors.is_empty(), "the list of errors is empty");
        errors
    });
    assert!(errors.is_some() || members.contains_key("data"), "{response}");
    for error in errors.into_iter().flatten() {
        assert!(error["message"].is_string(), "{error}");
        let code = error["extensions"]["code"].as_str().expect("an error has a code");
        assert_ne!(code, ErrorCode::InternalServerError.as_str(), "{error}");
        assert_ne!(code, ErrorCode::ServiceUnavailable.as_str(), "{error}");
        assert!(ErrorCode::ALL.iter().any(|known| known.as_str() == code), "{error}");
        if code == ErrorCode::LimitExceeded.as_str() {
            assert!(error["extensions"]["limit"]["name"].is_string(), "{error}");
        }
        let locations = error.get("locations").cloned().unwrap_or(json!([]));
        for location in locations.as_array().expect("locations are a list") {
            assert!(location["line"].as_u64() > Some(0), "{error}");
            assert!(location["column"].as_u64() > Some(0), "{error}");
        }
    }
}

async fn store() -> Store {
    let settings = Settings {
        url: DatabaseUrl::memory(),
        pool_size: 1,
        timeout: TIMEOUT,
        connect_timeout: TIMEOUT,
        migration_lock_timeout: TIMEOUT,
    };
    let database = Database::connect(settings).await;
    let store = Store::new(database.expect("an in-memory database opens"));
    store.database().migrate_up().await.expect("the database is empty");
    let vehicles = [
        ("XC40", None, None),
        ("XC60", Some("Volvo"), Some("2017-03-07")),
        ("\u{1F697}\"\\", Some(""), Some("9999-12-31")),
    ];
    let vehicles = vehicles.map(|(model_code, brand_name, launch_date)| {
        let vehicle = Checked::new_vehicle(MutationCreateVehicleArguments {
            r#type: "SUV".to_owned(),
            model_code: model_code.to_owned(),
            brand_name: brand_name.map(str::to_owned),
            launch_date: launch_date.map(str::to_owned),
        });
        vehicle.expect("the vehicle is valid")
    });
    let created = store.create(vehicles.into()).await;
    created.expect("the database accepts vehicles");
    store
}
