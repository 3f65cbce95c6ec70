//! What a request may do: the method says it, and the scopes of its token where tokens are asked for.

use apollo_compiler::executable::Operation;

use super::{
    engine::{Answer, Outcome},
    error_code::{ErrorCode, request_error},
};

/// A right that a token grants.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Scope {
    /// Queries.
    Read,
    /// Mutations.
    Write,
}

impl Scope {
    /// The name in a token.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "catalogue:read",
            Self::Write => "catalogue:write",
        }
    }
}

/// The rights that a token grants.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Scopes {
    /// Queries.
    pub read: bool,
    /// Mutations.
    pub write: bool,
}

impl Scopes {
    fn have(self, scope: Scope) -> bool {
        match scope {
            Scope::Read => self.read,
            Scope::Write => self.write,
        }
    }
}

/// What a request may do.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Permitted {
    /// Reading alone.
    Queries,
    /// Reading and writing.
    QueriesAndMutations,
    /// Reading alone, as far as the scopes go.
    QueriesOf(Scopes),
    /// Reading and writing, as far as the scopes go.
    QueriesAndMutationsOf(Scopes),
}

impl Permitted {
    /// The same as far as the scopes go; without any, everything.
    #[must_use]
    pub fn within(self, scopes: Option<Scopes>) -> Self {
        match (self, scopes) {
            (_, None) => self,
            (Self::Queries | Self::QueriesOf(_), Some(scopes)) => Self::QueriesOf(scopes),
            (_, Some(scopes)) => Self::QueriesAndMutationsOf(scopes),
        }
    }

    /// The answer to an operation that may not be executed.
    pub(super) fn refuse(self, operation: &Operation) -> Option<Box<Answer>> {
        let is_mutation = operation.is_mutation();
        if is_mutation && matches!(self, Self::Queries | Self::QueriesOf(_)) {
            let message = "a mutation needs the method POST".to_owned();
            let outcome = Outcome::MutationNotPermitted;
            return Some(refused(ErrorCode::BadRequest, message, outcome));
        }
        let needed = if is_mutation {
            Scope::Write
        } else {
            Scope::Read
        };
        match self {
            Self::QueriesOf(scopes) | Self::QueriesAndMutationsOf(scopes)
                if !scopes.have(needed) =>
            {
                let kind = if is_mutation { "mutation" } else { "query" };
                let scope = needed.as_str();
                let message = format!("a {kind} needs a token with the scope {scope}");
                let outcome = Outcome::ScopeMissing(needed);
                Some(refused(ErrorCode::Forbidden, message, outcome))
            }
            _ => None,
        }
    }
}

fn refused(code: ErrorCode, message: String, outcome: Outcome) -> Box<Answer> {
    Box::new(Answer {
        response: request_error(code, message),
        text: None,
        outcome,
        operation: None,
        asked: None,
    })
}
