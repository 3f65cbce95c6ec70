//! What a service gives to the engine: the objects that resolve its root types.

use crate::{
    permitted::ScopeNames,
    runtime::{NoMutation, Resolvers},
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
    fn parse_span() -> impl Sized {}
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
