//! The use of a schema as Prometheus counted it: who uses what is deprecated, and which breaking changes affect nobody.

mod evidence;
mod read;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt,
};

use anstyle::AnsiColor;
use graphql_sdl::{Element, Location, Schema, counted};
use serde::Serialize;

pub(crate) use self::evidence::Judge;
pub use self::{evidence::Evidence, read::InvalidUsage};
use crate::{
    annotation::{Annotation, Severity, sorted},
    report::{Entry, Report, first, one_line, shortened},
};

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
        for (client, requests) in coordinates.into_iter().filter_map(|one| self.requests.get(one)).flatten() {
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
        let deprecated = schema.elements().into_iter().filter_map(|element| {
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

impl Deprecated {
    /// Each deprecated element with its clients, that with the most requests first.
    pub fn report(&self) -> Report {
        let summary = match (self.used().count(), self.deprecated.len()) {
            (_, 0) => "nothing is deprecated".to_owned(),
            (0, 1) => "the deprecated element is not used".to_owned(),
            (_, 1) => "the deprecated element is used".to_owned(),
            (1, all) => format!("1 of {all} deprecated elements is used"),
            (used, all) => format!("{used} of {all} deprecated elements are used"),
        };
        Report {
            subject: "Deprecated",
            summary: format!("{summary}; {}", self.seen),
            entries: self.deprecated.iter().map(entry).collect(),
            folded: "",
            notes: Vec::new(),
            lists_all_notes: false,
        }
    }

    /// What is deprecated and used.
    pub fn annotations(&self) -> Vec<Annotation> {
        sorted(self.used().map(|element| {
            let (kind, coordinate) = (element.kind, &element.coordinate);
            let lines = [format!("{kind} '{coordinate}' is deprecated and used")];
            let lines = lines.into_iter().chain(first(element.clients.iter()));
            let location = element.location.as_ref();
            Annotation::new(Severity::Warning, location, "DEPRECATED", lines)
        }))
    }

    fn used(&self) -> impl Iterator<Item = &DeprecatedUse> {
        self.deprecated.iter().filter(|element| !element.clients.is_empty())
    }
}

fn clients(element: &DeprecatedUse) -> Vec<String> {
    let mut lines: Vec<_> = element.clients.iter().map(ClientUse::to_string).collect();
    match &element.in_variables {
        Some(ty) => lines.push(format!("clients give '{ty}' in variables, whose values are not counted")),
        None if lines.is_empty() => lines.push("no use was recorded".to_owned()),
        None => {}
    }
    lines
}

fn entry(element: &DeprecatedUse) -> Entry {
    let is_unused = element.clients.is_empty() && element.in_variables.is_none();
    let reason = element.reason.as_deref().map(shortened);
    let reason = reason.map(|reason| format!(": {reason}"));
    let (kind, coordinate) = (element.kind, &element.coordinate);
    Entry {
        label: "deprecated",
        colour: if is_unused { AnsiColor::Green } else { AnsiColor::Yellow },
        message: format!("{kind} '{coordinate}'{}", reason.unwrap_or_default()),
        rule: None,
        details: clients(element),
        locations: element.location.iter().cloned().collect(),
        is_folded: false,
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
