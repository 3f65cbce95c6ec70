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
        let is_valid = digits.is_some_and(|digits| {
            let weighted = digits.iter().zip([1, 3].into_iter().cycle());
            let sum: u32 = weighted.map(|(digit, weight)| digit * weight).sum();
            digits.len() == 13 && sum.is_multiple_of(10)
        });
        if is_valid {
            Ok(Self(text.clone()))
        } else {
            Err(InputError::new(format!(
                "must have 13 digits, the last of which is the check digit, it is {value}"
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
