//! What a service gives to the engine: the objects that resolve its root types.

use std::any::Any;

use apollo_compiler::{
    Node,
    executable::{Field, SelectionSet},
};
use async_graphql::ServerResult;
use futures_util::future::BoxFuture;

use crate::{
    document::Executable,
    permitted::ScopeNames,
    runtime::{NoMutation, Planner, RequestState, Resolvers, Step, resolve_steps},
};

/// The root types of a contract, which `codegen` generates, with their resolvers.
pub trait Service: Send + Sync + 'static {
    /// The names of the scopes in tokens.
    const SCOPES: ScopeNames = ScopeNames {
        read: "read",
        write: "write",
    };

    /// The root type of queries.
    type Query: Resolvers;
    /// The root type of mutations; [`NoMutation`] if the contract has none.
    type Mutation: Resolvers;

    /// Resolves queries.
    fn query(&self) -> &Self::Query;

    /// Resolves mutations.
    fn mutation(&self) -> &Self::Mutation;

    /// A span that begins before a document is parsed and validated; dropped afterwards.
    fn parse_span() -> Option<Box<dyn Any>> {
        None
    }
}

/// A service of any type, so that the engine and the HTTP server are compiled once, not for each service.
pub(crate) trait DynService: Send + Sync {
    fn scopes(&self) -> ScopeNames;

    fn parse_span(&self) -> Option<Box<dyn Any>>;

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
        executable: &'a Executable,
        request: &'a RequestState,
    ) -> BoxFuture<'a, Vec<ServerResult<Vec<u8>>>>;
}

/// A root type.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Root {
    Query,
    Mutation,
}

impl<S: Service> DynService for S {
    fn scopes(&self) -> ScopeNames {
        S::SCOPES
    }

    fn parse_span(&self) -> Option<Box<dyn Any>> {
        S::parse_span()
    }

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
            Root::Query => planner.step::<S::Query>(index, key, field, sets),
            Root::Mutation => planner.step::<S::Mutation>(index, key, field, sets),
        }
    }

    fn resolve<'a>(
        &'a self,
        root: Root,
        executable: &'a Executable,
        request: &'a RequestState,
    ) -> BoxFuture<'a, Vec<ServerResult<Vec<u8>>>> {
        let steps = &executable.steps;
        match root {
            Root::Query => Box::pin(resolve_steps(self.query(), root, request, steps)),
            Root::Mutation => Box::pin(resolve_steps(self.mutation(), root, request, steps)),
        }
    }
}

impl<Q: Resolvers + 'static, M: Resolvers + 'static> Service for (Q, M) {
    type Query = Q;
    type Mutation = M;

    fn query(&self) -> &Q {
        &self.0
    }

    fn mutation(&self) -> &M {
        &self.1
    }
}

/// A service without mutations.
impl<Q: Resolvers + 'static> Service for (Q,) {
    type Query = Q;
    type Mutation = NoMutation;

    fn query(&self) -> &Q {
        &self.0
    }

    fn mutation(&self) -> &NoMutation {
        &NoMutation
    }
}
