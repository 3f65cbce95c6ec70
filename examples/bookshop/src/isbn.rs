//! The custom scalar `Isbn`.

use async_graphql::Value;
use engine::{InputError, Scalar};

/// A valid ISBN of 13 digits.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) struct Isbn(String);

impl Scalar for Isbn {
    /// Parses 13 digits, the last of which is the check digit.
    fn parse(value: Value) -> Result<Self, InputError> {
        let Value::String(text) = &value else {
            return Err(InputError::expected("Isbn", &value));
        };
        let digits: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(10)).collect();
        let digits = digits.filter(|digits| digits.len() == 13);
        let weighted_sum = |digits: Vec<u32>| -> u32 {
            let weights = [1, 3].into_iter().cycle();
            digits
                .iter()
                .zip(weights)
                .map(|(d, weight)| d * weight)
                .sum()
        };
        if digits
            .map(weighted_sum)
            .is_some_and(|sum| sum.is_multiple_of(10))
        {
            Ok(Self(text.clone()))
        } else {
            Err(InputError::new(format!(
                "{value} is not an ISBN: it has 13 digits, the last of which is the check digit"
            )))
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.clone())
    }
}

impl From<Isbn> for sea_orm::Value {
    fn from(isbn: Isbn) -> Self {
        isbn.0.into()
    }
}
