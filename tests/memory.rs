//! Heap memory under client load, measured by the allocator: caches stay within their documented limits.

#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test fails by panicking, and the measured values are printed"
)]

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_graphql::{Variables, value};
use async_graphql_strict::{Limits, Request, Settings, Strict};
use peak_alloc::PeakAlloc;
use sha2::{Digest, Sha256};
use tokio::runtime::{Builder, Runtime};
use vehicle_catalogue::graphql::{self, Resolvers, VehicleSchema};
use vehicle_catalogue::store::{Database, DatabaseUrl, Settings as DatabaseSettings, Store};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

const MIB: usize = 1024 * 1024;

/// Allowance for the hash tables of a cache and one-time allocations of the first request.
const OVERHEAD: usize = MIB / 2;

/// Serializes the tests, because the allocator counts for the whole process.
fn exclusive() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A database in memory, with time-outs longer than any operation.
fn in_memory() -> DatabaseSettings {
    let timeout = Duration::from_mins(5);
    DatabaseSettings {
        url: DatabaseUrl::memory(),
        pool_size: 1,
        timeout,
        connect_timeout: timeout,
        migration_lock_timeout: timeout,
    }
}

struct Service {
    strict: Strict<VehicleSchema>,
    runtime: Runtime,
}

impl Service {
    fn new(settings: Settings) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime has no requirements");
        let strict = runtime.block_on(async {
            let opened = Database::connect(in_memory()).await;
            let opened = opened.expect("memory needs no file and no server");
            opened.migrate_up().await.expect("the tables are new");
            let resolvers = Resolvers { store: Store::new(opened), list_limit: 1000, bulk_limit: 100 };
            graphql::strict(resolvers, settings)
        });
        Self { strict, runtime }
    }

    /// Executes a query. Its fields may have errors.
    fn execute(&self, request: impl Into<Request>) {
        let prepared = self.strict.prepare(request);
        let prepared = prepared.unwrap_or_else(|error| panic!("{:?}", error.errors));
        let executed = self.runtime.block_on(self.strict.execute(prepared));
        executed.unwrap_or_else(|error| panic!("{:?}", error.errors));
    }
}

fn request(graphql: impl Into<async_graphql::Request>) -> Request {
    graphql.into().into()
}

/// Documents of every shape and about this size, made distinct by `number`.
fn documents(number: usize, bytes: usize) -> [(&'static str, String); 9] {
    let many = |part: &str| part.repeat((bytes / part.len()).max(1));
    let numbered = |part: fn(usize) -> String| -> String {
        let parts = (0..).map(part).scan(0, |length, part| {
            *length += part.len();
            (*length < bytes.max(40)).then_some(part)
        });
        parts.collect()
    };
    let fragment = |name: &str, field: &str| {
        let fields = (0..=bytes / 120).map(|index| format!("a{index}:{field} "));
        format!("fragment {name}{{{}}}", fields.collect::<String>())
    };
    [
        ("constant", format!("{{a{number:06}:__typename}}")),
        ("lookup", format!("{{a{number:06}:vehicle(id:0){{id type}}}}")),
        ("fields", format!("{{a{number}:vehicle(id:0){{{}}}}}", many("id "))),
        ("aliases", format!("{{a{number}:vehicle(id:0){{{}}}}}", numbered(|index| format!("a{index}:id ")))),
        ("inline fragments", format!("{{a{number}:vehicle(id:0){{{}}}}}", many("...{id}"))),
        (
            "expanded fragments",
            [
                format!("{{a{number}:vehiclesConnection(first:1){{...A}}}}"),
                fragment("A on VehicleConnection", "edges{...B}"),
                fragment("B on VehicleEdge", "node{...C}"),
                fragment("C on Vehicle", "id"),
            ]
            .concat(),
        ),
        ("root fields", format!("{{a{number}:__typename {}}}", numbered(|index| format!("b{index}:vehicle{{id}}")))),
        (
            "variables",
            format!(
                "query a{number}($v:Boolean=true $w:ID){{{} c:vehicle(id:$w)@include(if:$v){{id}}}}",
                numbered(|index| format!("b{index}:vehicle{{id}}"))
            ),
        ),
        (
            "operations",
            format!("query a{number}{{__typename}}{}", numbered(|index| format!("query b{index}{{vehicle{{id}}}}"))),
        ),
    ]
}

fn settings(document_cache_bytes: usize) -> Settings {
    let many = 100_000;
    Settings {
        document_cache_bytes: u32::try_from(document_cache_bytes).expect("it is small"),
        limits: Limits { aliases: many, fragments: many, root_fields: many, tokens: many, ..Limits::default() },
        ..Settings::default()
    }
}

#[test]
fn cached_documents_take_at_most_document_cache_bytes() {
    let _guard = exclusive();
    let bound = 2 * MIB;
    for bytes in [20, 200, 2000] {
        for shape in 0..9 {
            let service = Service::new(settings(bound));
            service.execute("{ __typename vehicle(id: 0) { id } }");
            let before = HEAP.current_usage();
            let (mut executed, mut name) = (0, "");
            // Until the cache is nearly full by its own estimate.
            while service.strict.document_stats().bytes < bound as u64 / 4 * 3 {
                assert!(executed < 2000, "{name} of {bytes} bytes: it is never full");
                let text;
                (name, text) = documents(executed, bytes)[shape].clone();
                // Values for which the operation differs.
                let variables = match name {
                    "variables" => vec![value!({}), value!({ "w": 0 }), value!({ "v": false })],
                    _ => vec![value!({})],
                };
                for variables in variables {
                    let mut graphql = async_graphql::Request::new(text.clone());
                    graphql.variables = Variables::from_value(variables);
                    if name == "operations" {
                        graphql.operation_name = Some("b0".to_owned());
                    }
                    service.execute(request(graphql));
                }
                executed += 1;
            }
            let stats = service.strict.document_stats();
            let taken = HEAP.current_usage().saturating_sub(before);
            eprintln!(
                "{name} of {bytes} bytes: {} documents take {taken} bytes, estimated {}",
                stats.documents, stats.bytes,
            );
            assert!(taken <= bound + OVERHEAD, "{name} of {bytes} bytes: {taken}");
        }
    }
}

#[test]
fn thousands_of_tiny_documents_take_at_most_the_default_bound() {
    let _guard = exclusive();
    let settings = Settings::default();
    let bound = settings.document_cache_bytes as usize;
    let service = Service::new(settings);
    service.execute("{ __typename vehicle(id: 0) { id } }");
    let before = HEAP.current_usage();
    for number in 0..6_000 {
        service.execute(&*format!("{{a{number:05}:__typename}}"));
    }
    let taken = HEAP.current_usage().saturating_sub(before);
    eprintln!("6,000 documents of 20 bytes: {taken} bytes");
    assert!(taken <= bound + OVERHEAD, "{taken}");
}

#[test]
fn thousands_of_registered_queries_take_at_most_four_mebibytes() {
    let _guard = exclusive();
    let service = Service::new(settings(0));
    service.execute("{ __typename vehicle(id: 0) { id } }");
    let before = HEAP.current_usage();
    for number in 0..16_000 {
        let text = format!("{{a{number:05}:__typename}}");
        let hash = Sha256::digest(text.as_bytes());
        let hash: Vec<_> = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut graphql = async_graphql::Request::new(text);
        let persisted = value!({ "version": 1, "sha256Hash": hash.concat() });
        let extensions = &mut graphql.extensions;
        extensions.insert("persistedQuery".to_owned(), persisted);
        service.execute(request(graphql));
    }
    let registered = service.strict.registered_documents();
    let taken = HEAP.current_usage().saturating_sub(before);
    eprintln!("16,000 registered queries: {registered} are kept in {taken} bytes");
    assert!(registered > 5000, "{registered} are kept");
    assert!(taken <= 4 * MIB + OVERHEAD, "{taken}");
}
