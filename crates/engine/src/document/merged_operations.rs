//! The merged operations of a document that are cached.

use std::sync::{Arc, OnceLock};

use apollo_compiler::executable::{self, Operation};
use async_graphql::Variables;

use super::shape::{Shape, Shapes};
use crate::merged_operation::MergedOperation;

/// The number of merged operations that are cached for an operation: without and with an optional argument, as for the
/// first page and the next ones.
const CACHED: usize = 2;

/// The merged operation for each of the first few shapes of the variables of an operation.
pub(super) struct MergedOperations {
    shapes: Shapes,
    cached: [OnceLock<(Shape, Arc<MergedOperation>)>; CACHED],
}

impl MergedOperations {
    /// An empty cache for an operation.
    pub(super) fn new(document: &executable::ExecutableDocument, operation: &Operation) -> Self {
        Self {
            shapes: Shapes::new(document, operation),
            cached: Default::default(),
        }
    }

    /// The cached operation for these variables, or their shape.
    pub(super) fn get(&self, variables: &Variables) -> Result<Arc<MergedOperation>, Shape> {
        let shape = self.shapes.of(variables);
        let mut cached = self.cached.iter().filter_map(OnceLock::get);
        match cached.find(|(of, _)| *of == shape) {
            Some((_, merged)) => Ok(Arc::clone(merged)),
            None => Err(shape),
        }
    }

    /// Caches an operation for the variables of this shape, unless the cache is full.
    pub(super) fn insert(&self, shape: Shape, merged: Arc<MergedOperation>) {
        let mut entry = (shape, merged);
        for slot in &self.cached {
            match slot.set(entry) {
                Ok(()) => break,
                Err(unset) => entry = unset,
            }
        }
    }
}
