//! The custom scalar `Isbn`.

use async_graphql::Value;
use engine::{InputError, Scalar};

/// A valid ISBN of 13 digits.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(crate) struct Isbn(String);

impl Isbn {
    /// Parses 13 digits, the last of which is the check digit.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(10)).collect();
        let digits = digits.filter(|digits| digits.len() == 13)?;
        let weights = [1, 3].into_iter().cycle();
        let sum: u32 = digits
            .iter()
            .zip(weights)
            .map(|(d, weight)| d * weight)
            .sum();
        sum.is_multiple_of(10).then(|| Self(text.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Scalar for Isbn {
    fn parse(value: Value) -> Result<Self, InputError> {
        let Value::String(text) = &value else {
            return Err(InputError::expected("Isbn", &value));
        };
        Self::parse(text).ok_or_else(|| {
            InputError::new(format!(
                "{value} is not an ISBN: it has 13 digits, the last of which is the check digit"
            ))
        })
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.clone())
    }
}
