//! Counts requests by coordinate of the contract and by client, to show what can be removed.

use std::sync::{
    OnceLock,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use super::Sample;

/// The number of clients with a name of their own; the first is that of requests without a name.
const MAX_CLIENTS: usize = 32;

/// The maximum length of the name of a client in bytes.
const MAX_NAME_BYTES: usize = 64;

/// Placeholders for a name. No valid name of a client begins with a parenthesis.
const ANONYMOUS: &str = "(anonymous)";
const OTHER: &str = "(other)";

/// The name of a client, and its requests by coordinate.
type Client = (String, Box<[AtomicU64]>);

/// The number of requests that name each coordinate, by client.
#[derive(Debug)]
pub(super) struct FieldRequests {
    coordinates: Vec<String>,
    /// In the order of their first requests.
    clients: [OnceLock<Client>; MAX_CLIENTS],
    other: Client,
}

impl FieldRequests {
    pub(super) fn new(coordinates: Vec<String>) -> Self {
        let requests = Self {
            clients: std::array::from_fn(|_| OnceLock::new()),
            other: client(OTHER, coordinates.len()),
            coordinates,
        };
        requests.clients[0].get_or_init(|| client(ANONYMOUS, requests.coordinates.len()));
        requests
    }

    /// Counts a request of the client with this name whose document names these coordinates.
    pub(super) fn record(&self, coordinates: &[u32], name: Option<&str>) {
        let counts = self.of(name);
        for index in coordinates {
            counts[*index as usize].fetch_add(1, Relaxed);
        }
    }

    fn of(&self, name: Option<&str>) -> &[AtomicU64] {
        let name = match name {
            None => ANONYMOUS,
            Some(name) if is_valid(name) => name,
            Some(_) => return &self.other.1,
        };
        for slot in &self.clients {
            let (known, counts) = slot.get_or_init(|| client(name, self.coordinates.len()));
            if known == name {
                return counts;
            }
        }
        &self.other.1
    }

    /// The samples above zero: most clients use few of the coordinates.
    pub(super) fn samples(&self) -> Vec<Sample> {
        let clients = self.clients.iter().filter_map(OnceLock::get);
        let samples = clients.chain([&self.other]).flat_map(|(name, counts)| {
            let counts = self.coordinates.iter().zip(counts);
            counts.filter_map(move |(coordinate, count)| {
                let count = Some(count.load(Relaxed)).filter(|count| *count > 0)?;
                let sample = Sample::new(count).with("coordinate", coordinate);
                Some(sample.with("client", name))
            })
        });
        samples.collect()
    }
}

fn client(name: &str, coordinates: usize) -> Client {
    let counts = (0..coordinates).map(|_| AtomicU64::new(0));
    (name.to_owned(), counts.collect())
}

fn is_valid(name: &str) -> bool {
    (1..=MAX_NAME_BYTES).contains(&name.len())
        && !name.starts_with('(')
        && !name.contains(char::is_control)
}
