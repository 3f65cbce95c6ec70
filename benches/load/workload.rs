//! The workloads: request bodies for both servers, and the expected responses.

use clap::ValueEnum;
use serde_json::{Map, Value, json};

use crate::{
    Outcome,
    server::{Kind, Server},
    vehicles::vehicle,
};

/// A kind of request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
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
    pub(crate) const ALL: [Self; 6] = [Self::W1, Self::W2, Self::W3, Self::W4, Self::W5, Self::W6];

    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::W1 => "W1 one by id",
            Self::W2 => "W2 list of 20",
            Self::W3 => "W3 list of 1,000",
            Self::W4 => "W4 create",
            Self::W5 => "W5 ten by id",
            Self::W6 => "W6 `{__typename}`",
        }
    }

    pub(crate) fn path(self, kind: Kind) -> String {
        match kind {
            Kind::Service => "/graphql".to_owned(),
            Kind::Reference => format!("/{self:?}"),
        }
    }

    /// The request body: a GraphQL request, or its variables alone for the reference server. `load.lua`
    /// replaces `@ID@` by a random id and `@N@` by a unique number.
    pub(crate) fn body(self, kind: Kind) -> String {
        let fields = "{id type modelCode brandName launchDate}";
        let ten = || (0..10).map(|index| format!("v{index}"));
        let (query, variables) = match self {
            Self::W1 => (
                format!("query($id: ID!) {{vehicle(id: $id) {fields}}}"),
                json!({ "id": "@ID@" }),
            ),
            Self::W2 => (format!("{{vehicles(count: 20) {fields}}}"), json!({})),
            Self::W3 => (format!("{{vehicles(count: 1000) {fields}}}"), json!({})),
            Self::W4 => (
                format!(
                    "mutation($type: String!, $modelCode: String!, $brandName: String, $launchDate: String) \
                     {{createVehicle(type: $type, modelCode: $modelCode, brandName: $brandName, \
                     launchDate: $launchDate) {fields}}}"
                ),
                json!({
                    "type": "CAR", "modelCode": "LOAD-@N@", "brandName": "Load", "launchDate": "2024-02-29",
                }),
            ),
            Self::W5 => {
                let declared: Vec<_> = ten().map(|name| format!("${name}: ID!")).collect();
                let lookups: Vec<_> = ten()
                    .map(|name| format!("{name}: vehicle(id: ${name}) {fields}"))
                    .collect();
                let variables: Map<_, _> = ten().map(|name| (name, json!("@ID@"))).collect();
                (
                    format!("query({}) {{{}}}", declared.join(", "), lookups.join(" ")),
                    Value::Object(variables),
                )
            }
            Self::W6 => ("{__typename}".to_owned(), json!({})),
        };
        match kind {
            Kind::Service => json!({ "query": query, "variables": variables }).to_string(),
            Kind::Reference => variables.to_string(),
        }
    }

    /// A substring of every correct response, which `load.lua` checks.
    pub(crate) fn expected(self) -> &'static str {
        match self {
            Self::W1 => r#"{"data":{"vehicle":{"id":""#,
            Self::W2 => r#"{"id":"20","#,
            Self::W3 => r#"{"id":"1000","#,
            Self::W4 => r#""modelCode":"LOAD-"#,
            Self::W5 => r#""v9":{"id":""#,
            Self::W6 => r#"{"data":{"__typename":"Query"}}"#,
        }
    }

    /// Compares one response with the stored vehicles.
    pub(crate) fn check(self, server: &Server) -> Outcome<()> {
        let rows = server.rows;
        let ids = [1, 10, 13, 130, 777, rows / 2, rows - 1, rows, 26, 400];
        let mut body = self.body(server.kind).replace("@N@", "7");
        for id in ids {
            body = body.replacen("@ID@", &id.to_string(), 1);
        }
        let mut response = server.post(self, &body)?;
        let list = |count| json!({ "vehicles": (1..=count).map(vehicle).collect::<Vec<_>>() });
        let expected = match self {
            Self::W1 => json!({ "vehicle": vehicle(ids[0]) }),
            Self::W2 => list(20),
            Self::W3 => list(1000),
            Self::W4 => {
                let id = response["data"]["createVehicle"]["id"].take();
                if id.as_str().and_then(|id| id.parse().ok()) <= Some(rows) {
                    return Err(format!("W4: the id {id} is not greater than {rows}").into());
                }
                json!({ "createVehicle": {
                    "id": null, "type": "CAR", "modelCode": "LOAD-7", "brandName": "Load",
                    "launchDate": "2024-02-29",
                } })
            }
            Self::W5 => (0..10)
                .map(|index| (format!("v{index}"), vehicle(ids[index])))
                .collect(),
            Self::W6 => json!({ "__typename": "Query" }),
        };
        if response["data"] == expected && response.get("errors").is_none() {
            return Ok(());
        }
        let [response, expected] = [response, expected].map(|value| value.to_string());
        Err(format!("{self:?}: the response is {response:.400}, expected {expected:.400}").into())
    }
}
