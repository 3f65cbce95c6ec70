//! What is asked: the same work in GraphQL, and as plain JSON for the yardstick.

use clap::ValueEnum;
use serde_json::{Value, json};

use crate::{Outcome, server::Kind, vehicles::Vehicle};

/// Every field of a vehicle.
const FIELDS: &str = "{id type modelCode brandName launchDate}";

/// A kind of request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
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
    /// `{__typename}`: everything but the work.
    W6,
}

impl Workload {
    pub(crate) const ALL: [Self; 6] = [Self::W1, Self::W2, Self::W3, Self::W4, Self::W5, Self::W6];

    /// Its name in tables.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::W1 => "W1 one by id",
            Self::W2 => "W2 list of 20",
            Self::W3 => "W3 list of 1,000",
            Self::W4 => "W4 create",
            Self::W5 => "W5 ten by id",
            Self::W6 => "W6 `{__typename}`",
        }
    }

    /// Where it is asked.
    pub(crate) fn path(self, kind: Kind) -> &'static str {
        match (kind, self) {
            (Kind::Service, _) => "/graphql",
            (Kind::Yardstick, Self::W1) => "/find",
            (Kind::Yardstick, Self::W2 | Self::W3) => "/list",
            (Kind::Yardstick, Self::W4) => "/create",
            (Kind::Yardstick, Self::W5) => "/find-all",
            (Kind::Yardstick, Self::W6) => "/nothing",
        }
    }

    /// The body of a request, in which `@ID@` stands for an id and `@N@` for any number.
    pub(crate) fn body(self, kind: Kind) -> String {
        match kind {
            Kind::Service => self.graphql(),
            Kind::Yardstick => self.json(),
        }
        .to_string()
    }

    fn graphql(self) -> Value {
        match self {
            Self::W1 => json!({
                "query": format!("query($id: ID!) {{vehicle(id: $id) {FIELDS}}}"),
                "variables": {"id": "@ID@"},
            }),
            Self::W2 => json!({ "query": format!("{{vehicles(count: 20) {FIELDS}}}") }),
            Self::W3 => json!({ "query": format!("{{vehicles(count: 1000) {FIELDS}}}") }),
            Self::W4 => json!({
                "query": format!(
                    "mutation($t: String!, $m: String!, $b: String, $l: String) \
                     {{createVehicle(type: $t, modelCode: $m, brandName: $b, launchDate: $l) {FIELDS}}}"
                ),
                "variables": {"t": "CAR", "m": "LOAD-@N@", "b": "Load", "l": "2024-02-29"},
            }),
            Self::W5 => {
                let names = 'a'..='j';
                let declared: Vec<_> = names.clone().map(|name| format!("${name}: ID!")).collect();
                let fields = names.clone().enumerate();
                let fields: Vec<_> = fields
                    .map(|(at, name)| format!("v{at}: vehicle(id: ${name}) {FIELDS}"))
                    .collect();
                let variables = names.map(|name| (name.to_string(), json!("@ID@")));
                json!({
                    "query": format!("query({}) {{{}}}", declared.join(", "), fields.join(" ")),
                    "variables": variables.collect::<serde_json::Map<_, _>>(),
                })
            }
            Self::W6 => json!({"query": "{__typename}"}),
        }
    }

    fn json(self) -> Value {
        match self {
            Self::W1 => json!({"ids": ["@ID@"]}),
            Self::W2 => json!({"count": 20}),
            Self::W3 => json!({"count": 1000}),
            Self::W4 => json!({
                "type": "CAR", "modelCode": "LOAD-@N@", "brandName": "Load", "launchDate": "2024-02-29",
            }),
            Self::W5 => json!({ "ids": vec!["@ID@"; 10] }),
            Self::W6 => json!({}),
        }
    }

    /// What every good answer contains.
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

    /// Compares an answer, field by field, with what it has to be in a database of so many rows.
    pub(crate) fn check(
        self,
        kind: Kind,
        ask: impl Fn(&str) -> Outcome<Value>,
        rows: u64,
    ) -> Outcome<()> {
        let ids: Vec<u64> = [1, 10, 13, 130, 777, rows / 2, rows - 1, rows, 26, 400].to_vec();
        let mut body = self.body(kind).replace("@N@", "7");
        for id in &ids {
            body = body.replacen("@ID@", &id.to_string(), 1);
        }
        let mut answer = ask(&body)?;
        let one = |row: u64| Vehicle::of_row(row).answer();
        let list = |count| (1..=count).map(one).collect::<Vec<_>>();
        let right = match self {
            Self::W1 => json!({ "vehicle": one(ids[0]) }),
            Self::W2 => json!({ "vehicles": list(20) }),
            Self::W3 => json!({ "vehicles": list(1000) }),
            Self::W4 => {
                let id = answer["data"]["createVehicle"]["id"].take();
                let made: u64 = id.as_str().unwrap_or_default().parse().unwrap_or_default();
                if made <= rows {
                    return Err(format!("{self:?}: {id} is no new id among {rows} rows").into());
                }
                json!({ "createVehicle": {
                    "id": null, "type": "CAR", "modelCode": "LOAD-7", "brandName": "Load",
                    "launchDate": "2024-02-29",
                } })
            }
            Self::W5 => {
                let found = ids.iter().enumerate();
                let found = found.map(|(at, &id)| (format!("v{at}"), one(id)));
                Value::Object(found.collect())
            }
            Self::W6 => json!({"__typename": "Query"}),
        };
        let right = json!({ "data": right });
        if answer == right {
            return Ok(());
        }
        let beginning = |value: &Value| value.to_string().chars().take(400).collect::<String>();
        let (got, right) = (beginning(&answer), beginning(&right));
        Err(format!("{self:?} of the {kind:?} is answered with\n{got}\ninstead of\n{right}").into())
    }
}
