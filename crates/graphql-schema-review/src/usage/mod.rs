//! The use of a schema as Prometheus counted it: who uses what is deprecated, and which breaking changes affect nobody.

mod evidence;
mod read;
mod report;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt,
};

use graphql_sdl::{Element, Location, Schema, counted};
use serde::Serialize;

pub(crate) use self::evidence::Judge;
pub use self::{evidence::Evidence, read::InvalidUsage};
use crate::text::one_line;

/// The requests that name each coordinate of a schema, by client.
#[derive(Clone, Debug, Default)]
pub struct Usage {
    samples: usize,
    clients: BTreeSet<String>,
    /// Only counts above zero.
    requests: BTreeMap<String, BTreeMap<String, f64>>,
}

/// The use by a client.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct ClientUse {
    /// Its name.
    pub client: String,
    /// The number of its requests.
    pub requests: u64,
}

/// What is deprecated in a schema, and its clients.
#[derive(Clone, Debug, Serialize)]
pub struct Deprecated {
    /// The number of samples.
    pub samples: usize,
    /// The elements, that with the most requests first.
    pub deprecated: Vec<DeprecatedUse>,
    /// What was read: `41 samples of 3 clients`.
    #[serde(skip)]
    seen: String,
}

/// A deprecated element and its use.
#[derive(Clone, Debug, Serialize)]
pub struct DeprecatedUse {
    /// Its coordinate.
    pub coordinate: String,
    /// What it is: `enum value`.
    pub kind: &'static str,
    /// The reason of its deprecation; `None` if there is none.
    pub reason: Option<String>,
    /// Its location.
    pub location: Option<Location>,
    /// Its clients, that with the most requests first.
    pub clients: Vec<ClientUse>,
    /// The type of variables whose values can use it, which are not counted.
    pub in_variables: Option<String>,
}

impl Usage {
    /// Adds the samples of a text: the exposition of a service, or an answer of Prometheus's query API.
    pub fn add(&mut self, text: &str) -> Result<(), InvalidUsage> {
        let samples = read::samples(text)?;
        self.samples += samples.len();
        for sample in samples {
            if sample.requests > 0.0 {
                let clients = self.requests.entry(sample.coordinate).or_default();
                *clients.entry(sample.client.clone()).or_default() += sample.requests;
            }
            self.clients.insert(sample.client);
        }
        Ok(())
    }

    /// Whether a schema has something that was used; otherwise it is another one.
    pub fn is_of(&self, schema: &Schema) -> bool {
        let coordinates = schema.coordinates();
        self.requests.keys().any(|used| coordinates.contains(used))
    }

    /// The clients that use one of the coordinates, that with the most requests first.
    fn clients_of<'c>(&self, coordinates: impl IntoIterator<Item = &'c String>) -> Vec<ClientUse> {
        let mut by_client: BTreeMap<&String, f64> = BTreeMap::new();
        let used = coordinates.into_iter().filter_map(|one| self.requests.get(one));
        for (client, requests) in used.flatten() {
            // A request can use several coordinates, so the sum would be too large.
            let known = by_client.entry(client).or_default();
            *known = known.max(*requests);
        }
        let mut clients: Vec<_> = by_client
            .into_iter()
            .map(|(client, requests)| ClientUse { client: client.clone(), requests: whole(requests) })
            .collect();
        clients.sort_by_key(|one| Reverse(one.requests));
        clients
    }

    /// The input objects and enums that values of variables can use, which are not counted, each with the type of such
    /// a variable.
    fn in_variables(&self, schema: &Schema) -> HashMap<String, String> {
        let mut of_fields: HashMap<&str, Vec<String>> = HashMap::new();
        let mut types: BTreeSet<&str> = BTreeSet::new();
        let elements = schema.elements();
        for element in &elements {
            match element {
                Element::InputField(owner, _) => {
                    let ty = element.ty().map(|ty| ty.inner_named_type().to_string());
                    of_fields.entry(owner.as_str()).or_default().extend(ty);
                    types.insert(owner);
                }
                Element::EnumValue(owner, _) => drop(types.insert(owner)),
                _ => {}
            }
        }
        let mut found = HashMap::new();
        for given in types.iter().filter(|ty| self.requests.contains_key(**ty)) {
            let mut open = vec![(*given).to_owned()];
            while let Some(ty) = open.pop() {
                if types.contains(&*ty) && !found.contains_key(&ty) {
                    open.extend(of_fields.get(&*ty).into_iter().flatten().cloned());
                    found.insert(ty, (*given).to_owned());
                }
            }
        }
        found
    }

    /// The deprecated elements of a schema, that with the most requests first.
    pub fn deprecated(&self, schema: &Schema) -> Deprecated {
        let in_variables = self.in_variables(schema);
        let elements = schema.elements().into_iter();
        let deprecated = elements.filter_map(|element| {
            let reason = element.deprecation()?;
            let coordinate = element.coordinate();
            // Directives are not counted.
            if coordinate.starts_with('@') {
                return None;
            }
            Some(DeprecatedUse {
                kind: element.kind(),
                reason: (!reason.is_empty()).then(|| reason.to_owned()),
                location: schema.location(element.name_span()),
                clients: self.clients_of([&coordinate]),
                in_variables: in_variables.get(owner(&coordinate)).cloned(),
                coordinate,
            })
        });
        let mut deprecated: Vec<_> = deprecated.collect();
        let requests = |one: &DeprecatedUse| one.clients.iter().map(|one| one.requests).sum::<u64>();
        deprecated.sort_by_cached_key(|one| (Reverse(requests(one)), one.coordinate.clone()));
        Deprecated { samples: self.samples, deprecated, seen: self.to_string() }
    }
}

/// The type of a coordinate.
fn owner(coordinate: &str) -> &str {
    coordinate.split_once('.').map_or(coordinate, |(owner, _)| owner)
}

/// The increase of a counter is extrapolated, so it can have a fraction.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is at least 0, and u64 exceeds every count of requests"
)]
fn whole(requests: f64) -> u64 {
    requests.ceil() as u64
}

/// `web (12 requests)`.
impl fmt::Display for ClientUse {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({})", one_line(&self.client), counted(self.requests, "request"))
    }
}

/// `41 samples of 3 clients`.
impl fmt::Display for Usage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let samples = counted(self.samples, "sample");
        let clients = counted(self.clients.len(), "client");
        write!(formatter, "{samples} of {clients}")
    }
}
