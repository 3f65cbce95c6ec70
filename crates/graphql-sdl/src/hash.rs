//! The hash that identifies a schema or a document.

use std::fmt;

use sha2::{Digest, Sha256};

/// A SHA-256, written as 64 hexadecimal digits in lower case; that of its canonical form identifies a schema.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Hash([u8; 32]);

impl Hash {
    /// The hash of a text.
    pub fn of(text: &str) -> Self {
        Self(Sha256::digest(text).into())
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use crate::Schema;

    /// A different hash in a new version of this library would report a changed schema to every client.
    #[test]
    fn the_hash_of_a_schema_stays_the_same() {
        let sdl = "\"Asked.\" type Query { a(x: Int = 1): Int! @deprecated }";
        let schema = Schema::parse("test.graphql", sdl).expect("it is valid");
        assert_eq!(schema.hash().to_string(), "dbe131998d32e4de1db328eb399ca733894c2d76991d64285a5dbf7b0140a684");
    }
}
