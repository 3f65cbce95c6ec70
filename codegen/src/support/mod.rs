//! What every generated contract carries along. It depends on async-graphql only.

pub(crate) mod arguments;
pub(crate) mod execution;
pub(crate) mod json;
pub(crate) mod plain;
pub(crate) mod plans;
pub(crate) mod registration;
pub(crate) mod subscription;
