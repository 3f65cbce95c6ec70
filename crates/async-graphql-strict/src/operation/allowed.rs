//! The operations that a request is authorized for, from its HTTP method and the scopes of its token.

use apollo_compiler::executable::OperationType;

use crate::error::{ErrorCode, RequestError, RequestErrorKind};

/// The names of the scopes in tokens and messages.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ScopeNames {
    /// The scope of queries and subscriptions.
    pub read: &'static str,
    /// The scope of mutations.
    pub write: &'static str,
}

/// The scopes that a token grants.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Scopes {
    /// Queries and subscriptions.
    pub read: bool,
    /// Mutations.
    pub write: bool,
}

/// The operations that a request is authorized for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct AllowedOperations {
    mutations: bool,
    scopes: Option<Scopes>,
}

impl AllowedOperations {
    /// Queries, and subscriptions where responses are streamed.
    pub const QUERIES: Self = Self { mutations: false, scopes: None };

    /// Queries, mutations, and subscriptions where responses are streamed.
    pub const ALL: Self = Self { mutations: true, scopes: None };

    /// The same restricted to the scopes of a token, if tokens are required.
    #[must_use]
    pub fn within(self, scopes: Option<Scopes>) -> Self {
        Self { scopes, ..self }
    }

    /// Refuses an operation that is not among them.
    pub(crate) fn check(self, kind: OperationType, names: ScopeNames) -> Result<(), RequestError> {
        let is_mutation = kind == OperationType::Mutation;
        if is_mutation && !self.mutations {
            return Err(RequestError {
                kind: RequestErrorKind::MutationNotAllowed,
                ..RequestError::new(ErrorCode::BadRequest, "mutations require the method POST")
            });
        }
        let (is_granted, scope) = match self.scopes {
            None => return Ok(()),
            Some(scopes) if is_mutation => (scopes.write, names.write),
            Some(scopes) => (scopes.read, names.read),
        };
        if is_granted {
            return Ok(());
        }
        let kind = kind.name();
        let message = format!("a {kind} requires a token with the scope {scope}");
        Err(RequestError {
            kind: RequestErrorKind::ScopeMissing(scope),
            ..RequestError::new(ErrorCode::Forbidden, message)
        })
    }
}
