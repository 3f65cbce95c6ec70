//! The conformance of async-graphql's executor with section 6 of the GraphQL specification. The README of this crate
//! lists its deviations.

mod cases;
mod schema;

use std::time::Duration;

use async_graphql::{PathSegment, Request, ServerError, ValidationMode, Variables};
use engine::{Contract, Engine, EngineSettings, Permitted};
use tokio::time::timeout;

use crate::{
    cases::{CASES, Case},
    schema::{Calls, schema},
};

/// The cases in which async-graphql 7.2.1 deviates from the specification.
const DEVIATIONS: &[&str] = &[
    "root fields in the order of the document",
    "fields of an object in the order of the document",
    "__typename last",
    "a failed nullable field is null",
    "a failed non-null root field nulls data",
    "a failed non-null field nulls its nullable parent",
    "a null propagates through non-null parents",
    "a null propagates to data",
    "a late failure propagates",
    "a failed item of a nullable list",
    "a failed non-null item nulls the list",
    "merged fields resolve once",
    "a mutation runs once though selected twice",
    "a failed non-null mutation nulls data",
    "a mutation after a failed nullable one runs",
    "an empty selection after skip is an empty object",
    "an empty selection at the root",
    "an empty selection of items",
    "skip and include with the default of a variable",
    "an omitted nullable variable uses the default of the argument",
    "an omitted variable for a non-null argument with default",
    "a null variable for a non-null argument with default is an error",
    "an omitted variable is an omitted argument",
    "an omitted variable within an input object",
    "an omitted variable for an input field with default",
    "surrogate pairs in strings",
    "escaped quotes in block strings",
    "braced Unicode escapes",
    "a union condition on a concrete parent",
    "a condition on another type",
    "two failures are both reported",
];

/// A response: the data as JSON, and the errors.
type Found = (String, Vec<ServerError>);

/// The cases whose response differs from the required one, each with the response.
async fn deviations<F: Future<Output = Found>>(
    execute: impl Fn(&'static Case, Calls) -> F,
) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    for case in CASES {
        let calls = Calls::default();
        let response = timeout(Duration::from_secs(10), execute(case, Calls::clone(&calls)));
        let response = response.await.expect("each case takes milliseconds");
        let called = calls.lock().expect("nothing panics").clone();
        if !conforms(case, &response) || called != case.calls {
            found.push((case.name, format!("{response:?}, called {called:?}")));
        }
    }
    found
}

fn variables(case: &Case) -> Variables {
    Variables::from_json(serde_json::from_str(case.variables).expect("the variables are JSON"))
}

fn conforms(case: &Case, (data, errors): &Found) -> bool {
    let mut errors: Vec<_> = errors.iter().collect();
    errors.sort_by_key(|error| path(error));
    let expected = case.errors.iter();
    data == case.data
        && errors.len() == case.errors.len()
        && errors.iter().zip(expected).all(|(error, expected)| {
            (expected.0 == "*" || error.message == expected.0) && path(error) == expected.1
        })
}

fn path(error: &ServerError) -> String {
    let segments = error.path.iter().map(|segment| match segment {
        PathSegment::Field(key) => key.clone(),
        PathSegment::Index(index) => index.to_string(),
    });
    segments.collect::<Vec<_>>().join(".")
}

#[tokio::test]
async fn async_graphql_deviates_in_the_listed_cases_only() {
    let schema = schema(ValidationMode::Strict);
    let execute = async |case: &'static Case, calls| {
        let request = Request::new(case.document).variables(variables(case));
        let response = schema.execute(request.data::<Calls>(calls)).await;
        let data = serde_json::to_string(&response.data).expect("values are JSON");
        (data, response.errors)
    };
    assert_deviations(&deviations(execute).await, DEVIATIONS);
}

/// The cases that remain behind an [`Engine`]: fields of objects with asynchronous resolvers, and empty objects.
const REMAINING: &[&str] = &[
    "fields of an object in the order of the document",
    "a failed non-null field nulls its nullable parent",
    "a null propagates through non-null parents",
    "a late failure propagates",
    "a failed item of a nullable list",
    "a failed non-null item nulls the list",
    "an empty selection after skip is an empty object",
    "an empty selection of items",
    "a condition on another type",
];

#[tokio::test]
async fn an_engine_leaves_the_deviations_of_nested_objects() {
    let schema = schema(ValidationMode::Fast);
    let contract = Contract::new("schema.graphql", schema.sdl().leak());
    let contract: &'static Contract = Box::leak(Box::new(contract));
    let engine = Engine::new(contract, schema, EngineSettings::default());
    let execute = async |case: &'static Case, calls| {
        let request = engine::Request {
            query: case.document.to_owned(),
            variables: variables(case),
            ..engine::Request::default()
        };
        let prepared = engine.prepare(request, Permitted::QUERIES_AND_MUTATIONS);
        let prepared = prepared.map(|mut prepared| {
            prepared.insert_data::<Calls>(calls);
            prepared
        });
        let response = engine.run(prepared).await;
        let json = String::from_utf8(response.json).expect("it is UTF-8");
        let (data, _) = json
            .split_once(",\"errors\":")
            .unwrap_or_else(|| json.split_at(json.len() - 1));
        let data = data.strip_prefix("{\"data\":").unwrap_or("absent");
        (data.to_owned(), response.errors)
    };
    assert_deviations(&deviations(execute).await, REMAINING);
}

fn assert_deviations(found: &[(&str, String)], expected: &[&str]) {
    let names: Vec<_> = found.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, expected, "{found:#?}");
}
