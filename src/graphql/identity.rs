//! Which contract this is: the hash that clients, logs and metrics know it by.

use std::sync::LazyLock;

use ::contract::{Hash, Schema, hash};

use super::SCHEMA;

/// [`SCHEMA`], read once.
pub fn contract() -> &'static Schema {
    static CONTRACT: LazyLock<Schema> = LazyLock::new(|| {
        let schema = Schema::parse("schema.graphql", SCHEMA);
        schema.expect("the build translated it, so it is valid")
    });
    &CONTRACT
}

/// The hash of the canonical form of [`SCHEMA`], computed once: every client that reads the same
/// contract computes the same, whatever its layout.
pub fn contract_hash() -> Hash {
    static HASH: LazyLock<Hash> = LazyLock::new(|| hash(contract()));
    *HASH
}
