//! The custom scalar `Isbn`.

use std::fmt;

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};

/// A valid ISBN of 13 digits.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) struct Isbn(String);

#[Scalar(name = "Isbn", specified_by_url = "https://www.iso.org/standard/65483.html")]
impl ScalarType for Isbn {
    fn parse(value: Value) -> InputValueResult<Self> {
        let Value::String(text) = value else {
            return Err(InputValueError::expected_type(value));
        };
        Self::new(&text).ok_or_else(|| {
            InputValueError::custom(format!(
                "must have 13 digits, the last of which is the check digit, it is {text:?}"
            ))
        })
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.clone())
    }
}

impl Isbn {
    /// Parses 13 digits, the last of which is the check digit.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let digits: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(10)).collect();
        let digits = digits.filter(|digits| {
            let weighted = digits.iter().zip([1, 3].into_iter().cycle());
            let sum: u32 = weighted.map(|(digit, weight)| digit * weight).sum();
            digits.len() == 13 && sum.is_multiple_of(10)
        });
        digits.map(|_| Self(text.to_owned()))
    }
}

impl fmt::Display for Isbn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<Isbn> for sea_orm::Value {
    fn from(isbn: Isbn) -> Self {
        isbn.0.into()
    }
}
