//! The operations that a request is authorized for, from its HTTP method and the scopes of its token.

use apollo_compiler::executable::Operation;

use super::{
    error_code::ErrorCode,
    response::{Outcome, Refused, refused},
};

/// The names of the scopes in tokens and messages.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ScopeNames {
    /// The scope of queries.
    pub read: &'static str,
    /// The scope of mutations.
    pub write: &'static str,
}

/// The scopes that a token grants.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Scopes {
    /// Queries.
    pub read: bool,
    /// Mutations.
    pub write: bool,
}

/// The operations that a request is authorized for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Permitted {
    mutations: bool,
    scopes: Option<Scopes>,
}

impl Permitted {
    /// Queries, and subscriptions where responses are streamed.
    pub const QUERIES: Self = Self {
        mutations: false,
        scopes: None,
    };

    /// Queries, mutations, and subscriptions where responses are streamed.
    pub const QUERIES_AND_MUTATIONS: Self = Self {
        mutations: true,
        scopes: None,
    };

    /// The same restricted to the scopes, if any.
    #[must_use]
    pub fn within(self, scopes: Option<Scopes>) -> Self {
        Self { scopes, ..self }
    }

    /// Refuses an operation that is not authorized.
    pub(super) fn check(self, operation: &Operation, names: ScopeNames) -> Result<(), Refused> {
        let is_mutation = operation.is_mutation();
        if is_mutation && !self.mutations {
            let mut refused = refused(ErrorCode::BadRequest, "mutations require the method POST");
            refused.outcome = Outcome::MutationNotPermitted;
            return Err(refused);
        }
        let Some(scopes) = self.scopes else {
            return Ok(());
        };
        let (kind, is_granted, scope) = if is_mutation {
            ("mutation", scopes.write, names.write)
        } else {
            (operation.operation_type.name(), scopes.read, names.read)
        };
        if is_granted {
            return Ok(());
        }
        let message = format!("a {kind} requires a token with the scope {scope}");
        let mut refused = refused(ErrorCode::Forbidden, message);
        refused.outcome = Outcome::ScopeMissing(scope);
        Err(refused)
    }
}
