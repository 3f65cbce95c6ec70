//! The typed facts about the operation of a request, in the data of its response. They are not sent: the log, the
//! metrics and the span of the request are written from them.

use std::{sync::Arc, time::Duration};

use async_graphql::ServerError;
use schema::excerpt;
use telemetry::metrics::{Operation, OperationKind};

use engine::{Cause, EngineResponse, ErrorCode, ErrorFacts, OperationInfo, OperationType};

/// The report of an operation, or of a refused request, in the data of its response; there is none for other paths.
#[derive(Debug, Default)]
pub(super) struct OperationReport {
    pub(super) info: Option<Arc<OperationInfo>>,
    /// The requested operation name, if there is no such operation.
    requested_name: Option<String>,
    errors: Vec<Arc<ErrorFacts>>,
    /// The execution time; `None` for refused requests, which are not executed.
    pub(super) elapsed: Option<Duration>,
}

impl OperationReport {
    /// The report of an operation that the engine has executed or refused within this time, and its response as JSON.
    pub(super) fn new(executed: EngineResponse, elapsed: Duration) -> (Self, Vec<u8>) {
        let requested_name = executed.requested_name.as_deref();
        let report = Self {
            requested_name: requested_name.map(|name| excerpt(name).into_owned()),
            info: executed.operation,
            elapsed: Some(elapsed),
            ..Self::from_errors(&executed.errors)
        };
        (report, executed.json)
    }

    /// The report of a request that did not reach the engine.
    pub(super) fn from_errors(errors: &[ServerError]) -> Self {
        Self {
            errors: errors.iter().filter_map(ErrorFacts::of).collect(),
            ..Self::default()
        }
    }

    /// The operation name for the log, truncated like an excerpt.
    pub(super) fn name(&self) -> Option<&str> {
        let known = self.info.as_ref().and_then(|info| info.name.as_ref());
        known.or(self.requested_name.as_ref()).map(String::as_str)
    }

    /// The operation for metrics.
    pub(super) fn metrics_operation(&self) -> Option<Operation<'_>> {
        let info = self.info.as_deref()?;
        Some(Operation {
            kind: match info.kind {
                OperationType::Query => OperationKind::Query,
                OperationType::Mutation => OperationKind::Mutation,
                OperationType::Subscription => OperationKind::Subscription,
            },
            name: info.name.as_deref(),
            coordinates: &info.coordinates,
            slot: &info.metrics_slot,
        })
    }

    /// The operation type for the log.
    pub(super) fn kind(&self) -> Option<&'static str> {
        self.info.as_ref().map(|info| info.kind.name())
    }

    /// The code of the most severe error.
    pub(super) fn code(&self) -> Option<ErrorCode> {
        self.errors.iter().map(|error| error.code).max()
    }

    /// The name of the exceeded limit.
    pub(super) fn limit(&self) -> Option<&'static str> {
        let mut limits = self.errors.iter().filter_map(|error| error.limit);
        limits.next().map(|limit| limit.name)
    }

    /// The causes of masked errors with their codes. The client gets only their references.
    pub(super) fn causes(&self) -> impl Iterator<Item = (ErrorCode, &Cause)> {
        let errors = self.errors.iter();
        errors.filter_map(|error| Some((error.code, error.cause.as_ref()?)))
    }

    /// Whether the operation took longer than this. A refused request was not executed, so only its client can have been
    /// slow.
    pub(super) fn is_slower_than(&self, threshold: Option<Duration>) -> bool {
        threshold.is_some_and(|threshold| self.elapsed.is_some_and(|took| took > threshold))
    }

    /// How long the client should wait before a retry: the longest wait of all errors.
    pub(super) fn wait(&self) -> Option<Duration> {
        self.causes().filter_map(|(_, cause)| cause.wait).max()
    }
}
