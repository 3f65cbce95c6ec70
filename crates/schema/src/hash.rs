//! The identity of a schema.

use std::{fmt, str::FromStr};

use sha2::{Digest, Sha256};

/// The identity of a schema: the SHA-256 of its canonical form, written as 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Hash([u8; 32]);

/// A string is not the hash of a schema.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("the hash of a schema is 64 hexadecimal digits in lower case")]
pub struct InvalidHash;

impl Hash {
    /// The hash of a canonical form.
    pub(crate) fn of(canonical: &str) -> Self {
        Self(Sha256::digest(canonical).into())
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl FromStr for Hash {
    type Err = InvalidHash;

    fn from_str(text: &str) -> Result<Self, InvalidHash> {
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Ok(byte - b'0'),
            b'a'..=b'f' => Ok(byte - b'a' + 10),
            _ => Err(InvalidHash),
        };
        let digits: &[u8; 64] = text.as_bytes().try_into().map_err(|_| InvalidHash)?;
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::{Hash, InvalidHash};
    use crate::Schema;

    fn schema(sdl: &str) -> Schema {
        Schema::parse("test.graphql", sdl).expect("it is valid")
    }

    /// A different hash in a new version of this library would report a changed schema to every client.
    #[test]
    fn the_hash_of_a_schema_stays_the_same() {
        let sdl = "\"Asked.\" type Query { a(x: Int = 1): Int! @deprecated }";
        let hash = schema(sdl).hash();
        let expected = "dbe131998d32e4de1db328eb399ca733894c2d76991d64285a5dbf7b0140a684";
        assert_eq!(hash.to_string(), expected);
        assert_eq!(expected.parse(), Ok(hash));
    }

    #[test]
    fn parses_exactly_64_hexadecimal_digits() {
        let right = "0123456789abcdef".repeat(4);
        assert_eq!(
            right.parse::<Hash>().map(|hash| hash.to_string()),
            Ok(right.clone())
        );
        for wrong in [
            String::new(),
            right.to_uppercase(),
            right[1..].to_owned(),
            format!("{right}0"),
            right.replace('a', "g"),
        ] {
            assert_eq!(wrong.parse::<Hash>(), Err(InvalidHash), "{wrong}");
        }
    }
}
