//! A contract in SDL, parsed once, and its hash, which identifies it in headers, logs and metrics.

use std::sync::OnceLock;

use schema::{Hash, Schema};

/// The contract of a service. It can be a `static`.
#[derive(Debug)]
pub struct Contract {
    file: &'static str,
    sdl: &'static str,
    schema: OnceLock<Schema>,
    hash: OnceLock<Hash>,
}

impl Contract {
    /// The contract in this SDL, which the build has validated. `file` is its name in messages.
    pub const fn new(file: &'static str, sdl: &'static str) -> Self {
        Self {
            file,
            sdl,
            schema: OnceLock::new(),
            hash: OnceLock::new(),
        }
    }

    /// The SDL, word for word.
    pub const fn sdl(&self) -> &'static str {
        self.sdl
    }

    /// The parsed contract.
    pub fn schema(&self) -> &Schema {
        self.schema.get_or_init(|| {
            let schema = Schema::parse(self.file, self.sdl);
            schema.expect("the build translated it, so it is valid")
        })
    }

    /// The hash of the canonical form. It does not depend on the layout of the SDL.
    pub fn hash(&self) -> Hash {
        *self.hash.get_or_init(|| self.schema().hash())
    }
}
