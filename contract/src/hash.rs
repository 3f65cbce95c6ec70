//! The identity of a contract.

use std::{fmt, str::FromStr};

use sha2::{Digest, Sha256};

use crate::{Schema, canonical};

/// The identity of a contract: the SHA-256 of its canonical form, written as 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Hash([u8; 32]);

/// A text that is not the hash of a contract.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("a hash of a contract is written as 64 hexadecimal digits in lower case")]
pub struct NotAHash;

/// The identity of a contract.
///
/// ```
/// let one = contract::Schema::parse("one", "type Query { a: Int b(x: ID, y: ID): Int }").unwrap();
/// let other = contract::Schema::parse("other", "type Query { b(y: ID x: ID): Int, a: Int }").unwrap();
/// assert_eq!(contract::hash(&one), contract::hash(&other));
/// ```
pub fn hash(schema: &Schema) -> Hash {
    Hash(Sha256::digest(canonical(schema)).into())
}

impl fmt::Display for Hash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl FromStr for Hash {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Self, NotAHash> {
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Ok(byte - b'0'),
            b'a'..=b'f' => Ok(byte - b'a' + 10),
            _ => Err(NotAHash),
        };
        let digits: &[u8; 64] = text.as_bytes().try_into().map_err(|_| NotAHash)?;
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::{Hash, NotAHash, hash};
    use crate::Schema;

    fn schema(sdl: &str) -> Schema {
        Schema::parse("test.graphql", sdl).expect("it is valid")
    }

    /// A hash that changes with a version of this library would tell every client that its
    /// contract had changed.
    #[test]
    fn the_hash_of_a_contract_stays_the_same() {
        let hash = hash(&schema(
            "\"Asked.\" type Query { a(x: Int = 1): Int! @deprecated }",
        ));
        let expected = "dbe131998d32e4de1db328eb399ca733894c2d76991d64285a5dbf7b0140a684";
        assert_eq!(hash.to_string(), expected);
        assert_eq!(expected.parse(), Ok(hash));
    }

    #[test]
    fn only_64_hexadecimal_digits_are_a_hash() {
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
            assert_eq!(wrong.parse::<Hash>(), Err(NotAHash), "{wrong}");
        }
    }
}
