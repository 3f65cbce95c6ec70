//! The workloads: request bodies for both servers, and a part of every correct response.

use std::fmt::Write;

use clap::ValueEnum;
use serde_json::{Value, json};

const FIELDS: &str = "{id type modelCode brandName launchDate}";

/// The brand of a tenth of the vehicles.
pub(crate) const FREQUENT_BRAND: &str = "Brand 000";

/// A request for the cursors of W8, which are on the 10,000th page of the brand if there are 10,000,000 vehicles.
pub(crate) const CURSORS: &str = r#"{"query": "{vehiclesConnection(filter: {brandName: \"Brand 000\", launchedFrom: \"2005-10-06\"}, first: 50) {edges {cursor}}}"}"#;

/// A kind of server.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Service,
    /// See `reference.rs`.
    Reference,
}

/// A kind of request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub(crate) enum Workload {
    /// One vehicle by a random id.
    W1,
    /// The first 20 vehicles.
    W2,
    /// The first 1,000 vehicles.
    W3,
    /// One vehicle is created.
    W4,
    /// Ten vehicles by random ids in one request.
    W5,
    /// `{__typename}`, which needs no database.
    W6,
    /// The first 50 vehicles of a random brand, ordered by launch date.
    W7,
    /// The 50 vehicles after a random cursor in the middle of the most frequent brand.
    W8,
}

impl Workload {
    pub(crate) fn path(self, kind: Kind) -> String {
        match kind {
            Kind::Service => "/graphql".to_owned(),
            Kind::Reference => format!("/{self:?}"),
        }
    }

    /// The request body: a GraphQL request, or its variables alone for the reference server. `load.lua`
    /// replaces `@ID@` by a random id, `@N@` by a unique number, `@BRAND@` by a random brand and
    /// `@CURSOR@` by a random one of the cursors.
    pub(crate) fn body(self, kind: Kind) -> String {
        let (query, variables) = match self {
            Self::W1 => (format!("query($id: ID!) {{vehicle(id: $id) {FIELDS}}}"), json!({ "id": "@ID@" })),
            Self::W2 => (format!("{{vehicles(count: 20) {FIELDS}}}"), json!({})),
            Self::W3 => (format!("{{vehicles(count: 1000) {FIELDS}}}"), json!({})),
            Self::W4 => (
                format!(
                    "mutation($type: String!, $modelCode: String!, $brandName: String, $launchDate: String) \
                     {{createVehicle(type: $type, modelCode: $modelCode, brandName: $brandName, \
                     launchDate: $launchDate) {FIELDS}}}"
                ),
                json!({
                    "type": "CAR", "modelCode": "LOAD-@N@", "brandName": "Load", "launchDate": "2024-02-29",
                }),
            ),
            Self::W5 => {
                let (mut declared, mut lookups) = (String::new(), String::new());
                for index in 0..10 {
                    let _ = write!(declared, "$v{index}: ID! ");
                    let _ = write!(lookups, "v{index}: vehicle(id: $v{index}) {FIELDS} ");
                }
                let ids = (0..10).map(|index| (format!("v{index}"), json!("@ID@")));
                (format!("query({declared}) {{{lookups}}}"), Value::Object(ids.collect()))
            }
            Self::W6 => ("{__typename}".to_owned(), json!({})),
            Self::W7 => (page("$brand: String!", "first: 50"), json!({ "brand": "Brand @BRAND@" })),
            Self::W8 => (
                page("$brand: String!, $after: String!", "first: 50, after: $after"),
                json!({ "brand": FREQUENT_BRAND, "after": "@CURSOR@" }),
            ),
        };
        match kind {
            Kind::Service => json!({ "query": query, "variables": variables }).to_string(),
            Kind::Reference => variables.to_string(),
        }
    }

    /// The title in the tables, and a substring of every correct response, which `load.lua` checks.
    pub(crate) fn title_and_expected(self) -> (&'static str, &'static str) {
        match self {
            Self::W1 => ("W1 one by id", r#"{"data":{"vehicle":{"id":""#),
            Self::W2 => ("W2 list of 20", r#"{"id":"20","#),
            Self::W3 => ("W3 list of 1,000", r#"{"id":"1000","#),
            Self::W4 => ("W4 create", r#""modelCode":"LOAD-"#),
            Self::W5 => ("W5 ten by id", r#""v9":{"id":""#),
            Self::W6 => ("W6 `{__typename}`", r#"{"data":{"__typename":"Query"}}"#),
            Self::W7 => ("W7 first page of 50", r#""pageInfo":{"hasNextPage":"#),
            Self::W8 => ("W8 later page of 50", r#""pageInfo":{"hasNextPage":"#),
        }
    }
}

fn page(variables: &str, arguments: &str) -> String {
    format!(
        "query({variables}) {{vehiclesConnection(filter: {{brandName: $brand}}, \
         orderBy: LAUNCH_DATE_ASC, {arguments}) {{nodes {FIELDS} pageInfo {{hasNextPage}}}}}}"
    )
}
