//! Why a command failed, and its exit code.

use std::io;

use graphql_sdl::Problems;

use super::source::Unreadable;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    #[error(
        "the contract has lint errors; correct them, or allow them with # lint:allow RULE reason: WHY or in schema.toml"
    )]
    Lint,
    #[error("breaking changes: {0}; revert them, or accept them in schema.toml with a reason")]
    Breaking(usize),
    #[error("breaking or dangerous changes: {0}; revert them, or accept them in schema.toml with a reason")]
    Dangerous(usize),
    #[error("the new contract is not valid:\n{0}")]
    Invalid(Problems),
    #[error("invalid accepted changes:\n{0}")]
    Accepted(Problems),
    #[error("broken operations: {0}; revert the changes, or change the clients first")]
    Operations(usize),
    #[error("not checked: {0}, the first at {1}; correct them, --exclude their files, or omit --strict")]
    Unchecked(usize, String),
    #[error("cannot write to stdout")]
    Print(#[from] io::Error),
}

impl Failure {
    /// The exit code: 2 for what cannot be read, 1 for everything else.
    pub(super) fn exit_code(&self) -> u8 {
        match self {
            Self::Unreadable(_) => 2,
            _ => 1,
        }
    }
}
