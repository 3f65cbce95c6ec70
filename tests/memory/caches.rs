//! Heap memory under client load, measured by the allocator: caches stay within their documented
//! limits, and a response that is too large is refused before memory grows.

use std::time::Duration;

use async_graphql::{Name, Variables, value};
use database::{DatabaseSettings, DatabaseUrl};
use engine::{
    Engine, EngineResponse, EngineSettings, ErrorCode, ErrorFacts, Outcome, Permitted, Request,
};
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::runtime::{Builder, Runtime};
use vehicle_catalogue::graphql::engine;
use vehicle_catalogue::store::{APPLICATION, Commit, NewRow, OnConflict, Store};

use super::{HEAP, exclusive, new_vehicle};

const MIB: usize = 1024 * 1024;

/// Allowance for the hash tables of a cache and one-time allocations of the first request.
const OVERHEAD: usize = MIB / 2;

/// Longer than any operation of these tests.
const TIMEOUT: Duration = Duration::from_mins(5);

struct Service {
    engine: Engine,
    runtime: Runtime,
}

impl Service {
    fn new(settings: EngineSettings) -> Self {
        Self::with_vehicles(settings, 0)
    }

    fn with_vehicles(settings: EngineSettings, count: u32) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime has no requirements");
        // JSON encodes this character in six bytes.
        let text = "\u{1}".repeat(255);
        let arguments = json!({ "type": text, "modelCode": text, "brandName": text });
        let vehicles = (0..count).map(|_| NewRow {
            id: None,
            vehicle: new_vehicle::with(arguments.clone()),
            version: None,
        });
        let vehicles: Vec<_> = vehicles.collect();
        let engine = runtime.block_on(async {
            let opened = database::Database::connect(APPLICATION, &database()).await;
            let opened = opened.expect("memory needs no file and no server");
            opened.migrate_up().await.expect("the tables are new");
            let store = Store::new(opened);
            let bulk = store.bulk(Commit::EachBatch).await;
            let bulk = bulk.expect("memory is not locked");
            let stored = bulk.store(&vehicles, OnConflict::Stop).await;
            stored.expect("memory takes vehicles");
            engine(store, 100, settings)
        });
        Self { engine, runtime }
    }

    fn execute(&self, request: impl Into<Request>) -> EngineResponse {
        let executed = self.engine.execute(request.into(), Permitted::QUERIES);
        self.runtime.block_on(executed)
    }
}

fn database() -> DatabaseSettings {
    DatabaseSettings {
        url: DatabaseUrl::parse("sqlite::memory:").expect("it has a supported form"),
        pool_size: 1,
        statements: 1,
        queue_limit: 1000,
        timeout: TIMEOUT,
        connect_timeout: TIMEOUT,
        migration_lock_timeout: TIMEOUT,
    }
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
        (
            "lookup",
            format!("{{a{number:06}:vehicle(id:0){{id type}}}}"),
        ),
        (
            "fields",
            format!("{{a{number}:vehicle(id:0){{{}}}}}", many("id ")),
        ),
        (
            "aliases",
            format!(
                "{{a{number}:vehicle(id:0){{{}}}}}",
                numbered(|index| format!("a{index}:id "))
            ),
        ),
        (
            "inline fragments",
            format!("{{a{number}:vehicle(id:0){{{}}}}}", many("...{id}")),
        ),
        (
            "expanded fragments",
            [
                format!("{{a{number}:vehiclesConnection(first:0){{...A}}}}"),
                fragment("A on VehicleConnection", "edges{...B}"),
                fragment("B on VehicleEdge", "node{...C}"),
                fragment("C on Vehicle", "id"),
            ]
            .concat(),
        ),
        (
            "root fields",
            format!(
                "{{a{number}:__typename {}}}",
                numbered(|index| format!("b{index}:vehicle{{id}}"))
            ),
        ),
        (
            "variables",
            format!(
                "query a{number}($v:Boolean=true $w:ID){{{} c:vehicle(id:$w)@include(if:$v){{id}}}}",
                numbered(|index| format!("b{index}:vehicle{{id}}"))
            ),
        ),
        (
            "operations",
            format!(
                "query a{number}{{__typename}}{}",
                numbered(|index| format!("query b{index}{{vehicle{{id}}}}"))
            ),
        ),
    ]
}

fn settings(document_cache_bytes: usize) -> EngineSettings {
    let mut settings = EngineSettings {
        document_cache_bytes: u32::try_from(document_cache_bytes).expect("it is small"),
        ..EngineSettings::default()
    };
    for limit in [
        &mut settings.documents.aliases,
        &mut settings.documents.fragments,
        &mut settings.documents.root_fields,
        &mut settings.documents.tokens,
    ] {
        *limit = 100_000;
    }
    settings
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
            while service.engine.document_stats().bytes < bound as u64 / 4 * 3 {
                assert!(executed < 2000, "{name} of {bytes} bytes: it is never full");
                let text;
                (name, text) = documents(executed, bytes)[shape].clone();
                // Values for which the operation differs.
                let variables = match name {
                    "variables" => vec![value!({}), value!({ "w": 0 }), value!({ "v": false })],
                    _ => vec![value!({})],
                };
                for variables in variables {
                    let mut request = Request::from(text.clone());
                    request.variables = Variables::from_value(variables);
                    if name == "operations" {
                        request.operation_name = Some("b0".to_owned());
                    }
                    let answer = service.execute(request);
                    assert_eq!(answer.outcome, Outcome::Executed);
                }
                executed += 1;
            }
            let stats = service.engine.document_stats();
            let taken = HEAP.current_usage().saturating_sub(before);
            eprintln!(
                "{name} of {bytes} bytes: {} documents take {taken} bytes, {} each, estimated {}",
                stats.documents,
                taken / stats.documents.max(1),
                stats.bytes,
            );
            assert!(
                taken <= bound + OVERHEAD,
                "{name} of {bytes} bytes: {taken}"
            );
        }
    }
}

#[test]
fn thousands_of_tiny_documents_take_at_most_the_default_bound() {
    let _guard = exclusive();
    let settings = EngineSettings::default();
    let bound = settings.document_cache_bytes as usize;
    let service = Service::new(settings);
    service.execute("{ __typename vehicle(id: 0) { id } }");
    let before = HEAP.current_usage();
    for number in 0..6_000 {
        service.execute(format!("{{a{number:05}:__typename}}"));
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
        let hash = hash.concat();
        let mut request = Request::from(text);
        let persisted = value!({ "version": 1, "sha256Hash": hash });
        request
            .extensions
            .insert(Name::new("persistedQuery"), persisted);
        let answer = service.execute(request);
        assert!(answer.errors.is_empty());
    }
    let registered = service.engine.persisted_stats().registered;
    let taken = HEAP.current_usage().saturating_sub(before);
    let each = taken / registered;
    eprintln!("16,000 registered queries: {registered} are kept in {taken} bytes, {each} each");
    assert!(registered > 5000, "{registered} are kept");
    assert!(taken <= 4 * MIB + OVERHEAD, "{taken}");
}

#[test]
fn a_response_that_is_too_large_is_refused_before_memory_grows() {
    let _guard = exclusive();
    let service = Service::with_vehicles(EngineSettings::default(), 1000);
    let list = "vehicles { id type modelCode brandName }";
    let answer = service.execute(format!("{{ {list} }}"));
    assert_eq!(answer.outcome, Outcome::Executed);
    assert!(answer.json.len() > 4 * MIB, "{} bytes", answer.json.len());
    drop(answer);
    let lists: Vec<_> = (0..20).map(|number| format!("l{number}: {list}")).collect();
    let before = HEAP.current_usage();
    HEAP.reset_peak_usage();
    let answer = service.execute(format!("{{ {} }}", lists.join(" ")));
    let peak = HEAP.peak_usage() - before;
    eprintln!("20 lists of 1000 maximal vehicles: a peak of {peak} bytes");
    refused(&answer, "response-limit-bytes");
    assert!(peak < 24 * MIB, "{peak}");
}

/// A query of a few hundred bytes can request an arbitrarily large response.
#[test]
fn introspection_is_refused_before_memory_grows() {
    let _guard = exclusive();
    let service = Service::new(EngineSettings::default());
    for levels in [4, 5, 6, 8] {
        let mut text = "{__type(name:\"__Type\"){...F1}}".to_owned();
        for level in 1..levels {
            let below = format!("fields{{type{{...F{}}}}}", level + 1);
            let fields = (0..10).map(|alias| format!("a{alias}:{below}"));
            let fields: Vec<_> = fields.collect();
            let fields = fields.join(" ");
            text = format!("{text}fragment F{level} on __Type{{{fields}}}");
        }
        text = format!("{text}fragment F{levels} on __Type{{name}}");
        let before = HEAP.current_usage();
        HEAP.reset_peak_usage();
        let answer = service.execute(text);
        let peak = HEAP.peak_usage() - before;
        eprintln!("introspection of {levels} levels: a peak of {peak} bytes");
        if levels > 4 {
            refused(&answer, "token-limit");
        }
        assert!(peak < 6 * MIB, "{peak}");
    }
}

#[track_caller]
fn refused(answer: &EngineResponse, limit: &str) {
    let error = answer.errors.first().expect("there is an error");
    assert_eq!(
        ErrorFacts::of(error).map(|facts| facts.code),
        Some(ErrorCode::LimitExceeded)
    );
    assert!(error.message.contains(limit), "{}", error.message);
    assert!(answer.json.starts_with(b"{\"errors\":"), "there are data");
}
