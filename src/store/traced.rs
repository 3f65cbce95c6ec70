//! Records the spans of batched statements.

use database::Observer;

use telemetry::trace::{Queued, Statement};

/// Records one span per request in the queue and one per request of a statement.
pub(super) struct Traced;

impl Observer for Traced {
    type Queued = Queued;
    type Statement = Statement;

    fn queued() -> Queued {
        Queued::now()
    }

    fn begin<'a>(
        name: &'static str,
        batch: impl ExactSizeIterator<Item = &'a Queued>,
    ) -> Statement {
        Statement::begin(name, batch)
    }
}
