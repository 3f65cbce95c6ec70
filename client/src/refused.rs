//! What the service says when it does not do what it was asked for.

use std::fmt;

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use crate::error::Effect;

/// An answer with errors. It has at least one [`Reason`].
#[derive(Debug)]
pub struct Refused {
    pub(crate) status: u16,
    pub(crate) reasons: Vec<Reason>,
    pub(crate) data: Option<Box<RawValue>>,
    pub(crate) effect: Effect,
}

impl Refused {
    /// The status of the HTTP response; 200 is usual once the request was understood.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The errors, in the order of the answer.
    pub fn reasons(&self) -> &[Reason] {
        &self.reasons
    }

    /// What kind of error the first one is.
    pub fn code(&self) -> &Code {
        &self.first().code
    }

    /// The words of the first error, in the language of the contract.
    pub fn message(&self) -> &str {
        &self.first().message
    }

    /// Every argument that breaks a rule, of all errors.
    pub fn violations(&self) -> impl Iterator<Item = &Violation> {
        let reasons = self.reasons.iter();
        reasons.flat_map(|reason| &reason.violations)
    }

    /// What to tell the operator: the log of the service has it beside the cause.
    pub fn reference(&self) -> Option<&str> {
        let mut reasons = self.reasons.iter();
        reasons.find_map(|reason| reason.reference.as_deref())
    }

    /// What was answered beside the errors: for a query with several fields, of which some failed.
    /// `T` is the fragment that was asked for.
    pub fn data<T: DeserializeOwned>(&self) -> Option<Result<T, serde_json::Error>> {
        let data = self.data.as_deref()?;
        Some(serde_json::from_str(data.get()))
    }

    /// For a mutation: whether anything was stored.
    pub fn effect(&self) -> Effect {
        self.effect
    }

    fn first(&self) -> &Reason {
        self.reasons.first().expect("a refusal has a reason")
    }

    /// Whether the same request may succeed later.
    pub(crate) fn is_temporary(&self) -> bool {
        self.reasons
            .iter()
            .any(|reason| reason.code == Code::ServiceUnavailable)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the vehicle catalogue refused: ")?;
        for (index, reason) in self.reasons.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{reason}")?;
        }
        write!(f, "{}", self.effect)
    }
}

impl std::error::Error for Refused {}

/// One error of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reason {
    /// What kind of error it is.
    pub code: Code,
    /// What is wrong, in a sentence for people.
    pub message: String,
    /// Which field of the answer it belongs to; empty if the request was not executed.
    pub path: Vec<PathSegment>,
    /// Each argument that breaks a rule of the contract; only with [`Code::BadUserInput`].
    pub violations: Vec<Violation>,
    /// What the log of the service has beside the cause; only with [`Code::ServiceUnavailable`] and
    /// [`Code::InternalServerError`].
    pub reference: Option<String>,
    /// The limit of the server that was exceeded.
    pub limit: Option<Limit>,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)?;
        if let Some(reference) = &self.reference {
            write!(f, ", reference {reference}")?;
        }
        Ok(())
    }
}

/// What kind of error a [`Reason`] is: `extensions.code` of the contract.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Code {
    /// An argument breaks a rule of the contract.
    BadUserInput,
    /// The query is not GraphQL.
    GraphqlParseFailed,
    /// The query does not fit the contract of the running service.
    GraphqlValidationFailed,
    /// No operation, or more than one, matches the request.
    OperationResolutionFailure,
    /// The hash of a query is not known.
    PersistedQueryNotFound,
    /// The request is not one of GraphQL over HTTP, or not one that the operator allows.
    BadRequest,
    /// The server wants a token, or does not trust that of the request.
    Unauthenticated,
    /// The token of the request does not grant what it asks for.
    Forbidden,
    /// The request asks for more than the server allows.
    LimitExceeded,
    /// The database is away or too slow, or the server has too much to do.
    ServiceUnavailable,
    /// Anything unexpected.
    InternalServerError,
    /// A code that this client does not know, or the empty text for none.
    Other(String),
}

impl Code {
    const KNOWN: [(&str, Self); 11] = [
        ("BAD_USER_INPUT", Self::BadUserInput),
        ("GRAPHQL_PARSE_FAILED", Self::GraphqlParseFailed),
        ("GRAPHQL_VALIDATION_FAILED", Self::GraphqlValidationFailed),
        (
            "OPERATION_RESOLUTION_FAILURE",
            Self::OperationResolutionFailure,
        ),
        ("PERSISTED_QUERY_NOT_FOUND", Self::PersistedQueryNotFound),
        ("BAD_REQUEST", Self::BadRequest),
        ("UNAUTHENTICATED", Self::Unauthenticated),
        ("FORBIDDEN", Self::Forbidden),
        ("LIMIT_EXCEEDED", Self::LimitExceeded),
        ("SERVICE_UNAVAILABLE", Self::ServiceUnavailable),
        ("INTERNAL_SERVER_ERROR", Self::InternalServerError),
    ];

    fn parse(text: String) -> Self {
        let known = Self::KNOWN.into_iter().find(|(name, _)| *name == text);
        known.map_or(Self::Other(text), |(_, code)| code)
    }

    /// The name of the code in the contract.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Other(text) => text,
            code => {
                let known = Self::KNOWN.iter().find(|(_, known)| known == code);
                known.expect("all but the others are in the table").0
            }
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            "" => f.write_str("no code"),
            name => f.write_str(name),
        }
    }
}

/// One argument that breaks one rule.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Violation {
    /// The argument, as the contract names it: `modelCode`.
    pub argument: String,
    /// The stable name of the rule: `required`, `not_blank`, `max_length`, `no_nul`, `date_form`,
    /// `date_exists`, `date_range`, `range`.
    pub rule: String,
    /// What is wrong and what would be right, in a sentence for people.
    pub message: String,
}

/// A limit of the server.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Limit {
    /// The name of the operator's setting: `cost-limit`.
    pub name: String,
    /// How much is allowed.
    pub value: u64,
    /// How much the request asked for, if it was counted.
    pub actual: Option<u64>,
}

/// A step from the root of an answer to one of its fields.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum PathSegment {
    /// A field, by its name in the answer.
    Field(String),
    /// An item of a list.
    Index(u64),
}

/// An error as it is written in an answer.
#[derive(Deserialize)]
pub(crate) struct Written {
    message: String,
    #[serde(default)]
    path: Option<Vec<PathSegment>>,
    #[serde(default)]
    extensions: Option<Extensions>,
}

#[derive(Default, Deserialize)]
struct Extensions {
    #[serde(default)]
    code: Option<String>,
    #[serde(default)]
    violations: Option<Vec<Violation>>,
    #[serde(default)]
    reference: Option<String>,
    #[serde(default)]
    limit: Option<Limit>,
}

impl From<Written> for Reason {
    fn from(written: Written) -> Self {
        let extensions = written.extensions.unwrap_or_default();
        Self {
            code: Code::parse(extensions.code.unwrap_or_default()),
            message: written.message,
            path: written.path.unwrap_or_default(),
            violations: extensions.violations.unwrap_or_default(),
            reference: extensions.reference,
            limit: extensions.limit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_and_written_under_the_same_name() {
        for (name, code) in Code::KNOWN {
            assert_eq!(Code::parse(name.to_owned()), code);
            assert_eq!(code.as_str(), name);
        }
        let unknown = Code::parse("TEAPOT".to_owned());
        assert_eq!(unknown, Code::Other("TEAPOT".to_owned()));
        assert_eq!(unknown.to_string(), "TEAPOT");
    }
}
