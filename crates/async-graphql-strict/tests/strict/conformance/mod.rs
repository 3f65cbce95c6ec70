//! The conformance of async-graphql's executor behind [`Strict`] with section 6 of the GraphQL specification.

mod cases;
mod schema;

use std::time::Duration;

use async_graphql::{PathSegment, Request, Response, ServerError, Variables};
use async_graphql_strict::{Settings, Strict};
use tokio::time::timeout;

use self::{
    cases::{CASES, Case},
    schema::{Calls, schema},
};

/// The cases that remain: async-graphql replaces the path of an error in a list by that of the item.
const DEVIATIONS: &[&str] = &["a failed non-null item nulls the list"];

fn variables(case: &Case) -> Variables {
    Variables::from_json(serde_json::from_str(case.variables).expect("the variables are JSON"))
}

fn conforms(case: &Case, (data, errors): &(String, Vec<ServerError>)) -> bool {
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

/// The cases whose response differs from the required one, each with the response.
async fn deviations() -> Vec<(&'static str, String)> {
    let schema = schema();
    let contract =
        graphql_sdl::Schema::parse("schema.graphql", &schema.sdl()).expect("it is valid");
    let strict = Strict::new(schema, &contract, Settings::default());
    let mut found = Vec::new();
    for case in CASES {
        let calls = Calls::default();
        let request = Request::new(case.document).variables(variables(case));
        let answer = match strict.prepare(request) {
            Ok(mut prepared) => {
                prepared.insert_data::<Calls>(Calls::clone(&calls));
                let response = timeout(Duration::from_secs(10), strict.execute(prepared)).await;
                let response: Response = response.expect("it is fast").expect("it is small");
                let data = serde_json::to_string(&response.data).expect("values are JSON");
                (data, response.errors)
            }
            Err(refused) => ("absent".to_owned(), refused.errors),
        };
        let called = calls.lock().expect("nothing panics").clone();
        if !conforms(case, &answer) || called != case.calls {
            found.push((case.name, format!("{answer:?}, called {called:?}")));
        }
    }
    found
}

#[tokio::test]
async fn all_cases_but_one_conform() {
    let found = deviations().await;
    let names: Vec<_> = found.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, DEVIATIONS, "{found:#?}");
}
