//! How many operations were answered, with which outcome and how fast: by kind, name and code.
//!
//! Clients choose the names, so only so many are told apart. What is known of an operation has the
//! place of its counters, so that nothing is looked up by name for the second request.

use std::{
    collections::HashMap,
    fmt,
    sync::{Mutex, OnceLock, PoisonError},
    time::Duration,
};

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, NoLabelSet},
    metrics::{MetricType, exemplar::Exemplar},
};

use super::histogram::Histogram;
use crate::graphql::{ErrorCode, OperationKind, Profile};

/// What stands in place of a name. No name of GraphQL has parentheses.
const NONE: &str = "(none)";
const ANONYMOUS: &str = "(anonymous)";
const OTHER: &str = "(other)";

/// Outcomes: no error, and each code.
const OUTCOMES: usize = ErrorCode::ALL.len() + 1;

/// The counters of operations.
#[derive(Debug)]
pub(super) struct ByOperation {
    /// First those of requests that name no operation, then for each kind those of operations
    /// without a name and beyond the limit, then those of names.
    seats: Box<[OnceLock<Seat>]>,
    taken: Mutex<HashMap<(OperationKind, String), usize>>,
}

/// The counters of one name.
#[derive(Debug)]
struct Seat {
    kind: &'static str,
    name: String,
    outcomes: [OnceLock<Histogram>; OUTCOMES],
}

impl Seat {
    fn new(kind: &'static str, name: &str) -> Self {
        Self {
            kind,
            name: name.to_owned(),
            outcomes: Default::default(),
        }
    }
}

impl ByOperation {
    pub(super) fn new(names: usize) -> Self {
        let mut seats = vec![Seat::new(NONE, NONE)];
        for kind in OperationKind::ALL {
            seats.push(Seat::new(kind.as_str(), ANONYMOUS));
            seats.push(Seat::new(kind.as_str(), OTHER));
        }
        let seats = seats.into_iter().map(OnceLock::from);
        let free = (0..names).map(|_| OnceLock::new());
        Self {
            seats: seats.chain(free).collect(),
            taken: Mutex::default(),
        }
    }

    pub(super) fn record(
        &self,
        operation: Option<&Profile>,
        code: Option<ErrorCode>,
        elapsed: Duration,
    ) {
        let place = operation.map_or(0, |operation| {
            *operation.seat.get_or_init(|| self.place(operation))
        });
        let seat = self.seats[place]
            .get()
            .expect("whoever has the place has taken it");
        let outcome = code.map_or(0, |code| code as usize + 1);
        seat.outcomes[outcome]
            .get_or_init(Histogram::default)
            .record(elapsed);
    }

    /// The place of an operation that has none yet: once for a document that is read.
    fn place(&self, operation: &Profile) -> usize {
        let anonymous = 1 + 2 * operation.kind as usize;
        let Some(name) = &operation.name else {
            return anonymous;
        };
        let taken = self.taken.lock();
        let mut taken = taken.unwrap_or_else(PoisonError::into_inner);
        let key = (operation.kind, name.clone());
        if let Some(place) = taken.get(&key) {
            return *place;
        }
        let fixed = 1 + 2 * OperationKind::ALL.len();
        let place = fixed + taken.len();
        let Some(seat) = self.seats.get(place) else {
            return anonymous + 1;
        };
        seat.get_or_init(|| Seat::new(operation.kind.as_str(), name));
        taken.insert(key, place);
        place
    }

    /// Everything that has been counted: the labels and the times.
    fn counted(&self) -> impl Iterator<Item = ([(&str, &str); 3], &Histogram)> {
        let seats = self.seats.iter().filter_map(OnceLock::get);
        seats.flat_map(|seat| {
            let codes = ErrorCode::ALL.into_iter().map(ErrorCode::as_str);
            let outcomes = ["OK"].into_iter().chain(codes).zip(&seat.outcomes);
            outcomes.filter_map(|(code, histogram)| {
                let labels = [
                    ("operation_type", seat.kind),
                    ("operation_name", seat.name.as_str()),
                    ("code", code),
                ];
                histogram.get().map(|histogram| (labels, histogram))
            })
        })
    }
}

impl Collector for ByOperation {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let help = "Answered operations, and requests that name none, by kind, name and code";
        let mut requests =
            encoder.encode_descriptor("catalogue_requests", help, None, MetricType::Counter)?;
        let counted: Vec<_> = self
            .counted()
            .map(|(labels, times)| (labels, times.read()))
            .collect();
        for (labels, times) in &counted {
            let mut family = requests.encode_family(labels)?;
            family.encode_counter(&times.count, None::<&Exemplar<NoLabelSet, f64>>)?;
        }
        let help = "How long they took, from the whole request to the answer";
        let name = "catalogue_request_duration_seconds";
        let mut durations = encoder.encode_descriptor(name, help, None, MetricType::Histogram)?;
        for (labels, times) in &counted {
            let mut histogram = durations.encode_family(labels)?;
            histogram.encode_histogram::<NoLabelSet>(
                times.sum_seconds,
                times.count,
                &times.buckets,
                None,
            )?;
        }
        Ok(())
    }
}
