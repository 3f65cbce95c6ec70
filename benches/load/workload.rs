//! The workloads: request bodies for both servers, and a part of every correct response.

use std::fmt::Write;

use clap::ValueEnum;
use serde_json::{Value, json};

use crate::measure::Kind;

const FIELDS: &str = "{id type modelCode brandName launchDate}";

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
}

impl Workload {
    pub(crate) fn path(self, kind: Kind) -> String {
        match kind {
            Kind::Service => "/graphql".to_owned(),
            Kind::Reference => format!("/{self:?}"),
        }
    }

    /// The request body: a GraphQL request, or its variables alone for the reference server. `load.lua`
    /// replaces `@ID@` by a random id and `@N@` by a unique number.
    pub(crate) fn body(self, kind: Kind) -> String {
        let (query, variables) = match self {
            Self::W1 => (
                format!("query($id: ID!) {{vehicle(id: $id) {FIELDS}}}"),
                json!({ "id": "@ID@" }),
            ),
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
                (
                    format!("query({declared}) {{{lookups}}}"),
                    Value::Object(ids.collect()),
                )
            }
            Self::W6 => ("{__typename}".to_owned(), json!({})),
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
        }
    }
}
