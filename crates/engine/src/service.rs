//! What a service gives to the engine: the objects that resolve its root types.

use apollo_compiler::{
    Node,
    executable::{Field, SelectionSet},
};
use async_graphql::ServerResult;
use futures_util::future::BoxFuture;

use crate::{
    executor::DynExecutor,
    runtime::{Planner, RequestState, Resolvers, Root, Step, resolve_steps},
};

/// What executes the operations of a service.
pub(crate) enum Service {
    /// The root types that `codegen` generates.
    Generated(Box<dyn DynService>),
    /// A schema of async-graphql's.
    Schema(Box<dyn DynExecutor>),
}

/// The root types of any service, so that the engine and the HTTP server are compiled once, not for each service.
pub(crate) trait DynService: Send + Sync {
    /// The step of a root field with its merged selection sets.
    fn plan_field<'a>(
        &self,
        root: Root,
        planner: &Planner<'a>,
        index: usize,
        key: &str,
        field: &'a Node<Field>,
        sets: &[&'a SelectionSet],
    ) -> Step;

    /// Resolves the root fields other than introspection.
    fn resolve<'a>(
        &'a self,
        root: Root,
        steps: &'a [Step],
        request: &'a RequestState,
    ) -> BoxFuture<'a, Vec<ServerResult<Vec<u8>>>>;
}

impl<Q: Resolvers, M: Resolvers> DynService for (Q, M) {
    fn plan_field<'a>(
        &self,
        root: Root,
        planner: &Planner<'a>,
        index: usize,
        key: &str,
        field: &'a Node<Field>,
        sets: &[&'a SelectionSet],
    ) -> Step {
        match root {
            Root::Query => planner.step::<Q>(index, key, field, sets),
            Root::Mutation => planner.step::<M>(index, key, field, sets),
        }
    }

    fn resolve<'a>(
        &'a self,
        root: Root,
        steps: &'a [Step],
        request: &'a RequestState,
    ) -> BoxFuture<'a, Vec<ServerResult<Vec<u8>>>> {
        match root {
            Root::Query => Box::pin(resolve_steps(&self.0, root, request, steps)),
            Root::Mutation => Box::pin(resolve_steps(&self.1, root, request, steps)),
        }
    }
}
