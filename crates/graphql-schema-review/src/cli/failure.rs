//! Why a command failed, and its exit code.

use std::io;

use graphql_sdl::Problems;

use super::source::Unreadable;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A contract, the accepted changes or documents cannot be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// `lint` found errors.
    #[error(
        "the contract has lint errors; correct them, or allow them with # lint:allow RULE reason: WHY or in schema.toml"
    )]
    Lint,
    /// `diff` found breaking changes.
    #[error(
        "breaking changes: {0}; revert them, or accept them in schema.accepted.toml with a reason"
    )]
    Breaking(usize),
    /// `diff` found changes that the policy refuses.
    #[error(
        "breaking or dangerous changes: {0}; revert them, or accept them in schema.accepted.toml with a reason"
    )]
    Dangerous(usize),
    /// The new contract is not valid.
    #[error("the new contract is not valid:\n{0}")]
    Invalid(Problems),
    /// The file of accepted changes has invalid entries.
    #[error("invalid accepted changes:\n{0}")]
    Accepted(Problems),
    /// `operations` or `diff` found operations that stop working.
    #[error("broken operations: {0}; revert the changes, or change the clients first")]
    Operations(usize),
    /// Documents or operations cannot be checked, where they have to be: how many, and the location of the first.
    #[error(
        "not checked: {0}, the first at {1}; correct them, --exclude their files, or omit --strict"
    )]
    Unchecked(usize, String),
    /// URLs cannot be read.
    #[error("cannot start the runtime for requests")]
    Runtime(#[source] io::Error),
    /// The report could not be written.
    #[error("cannot write to stdout")]
    Print(#[from] io::Error),
}

impl Failure {
    /// The exit code: 2 for what cannot be read, 1 for everything else.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Unreadable(_) => 2,
            _ => 1,
        }
    }
}
