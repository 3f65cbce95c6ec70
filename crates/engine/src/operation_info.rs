//! Information about the operations of a valid document, for logs and metrics.

use std::sync::{Arc, atomic::AtomicUsize};

use apollo_compiler::executable::{Operation, OperationType};
use schema::excerpt;

/// Information about an operation of a valid document, for logs and metrics.
#[derive(Debug)]
pub struct OperationInfo {
    /// Its kind.
    pub kind: OperationType,
    /// Its name, if any, shortened to the length of a quote.
    pub name: Option<String>,
    /// The coordinates of the contract that its document names, as indices of
    /// [`Engine::coordinates`](crate::Engine::coordinates).
    pub coordinates: Arc<[u32]>,
    /// The slot of the operation's counters, which saves metrics a lookup by name; initially 0.
    pub metrics_slot: AtomicUsize,
}

impl OperationInfo {
    /// Information about an operation of a valid document with these coordinates.
    pub(crate) fn new(operation: &Operation, coordinates: Arc<[u32]>) -> Self {
        let name = operation.name.as_ref();
        Self {
            kind: operation.operation_type,
            name: name.map(|name| excerpt(name).into_owned()),
            coordinates,
            metrics_slot: AtomicUsize::new(0),
        }
    }
}
