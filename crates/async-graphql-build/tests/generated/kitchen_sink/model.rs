//! The Rust types that implement types of the contract.

use std::fmt;

use async_graphql::{Context, Error, InputValueError, InputValueResult, Scalar, ScalarType, Value};

include!(concat!(env!("OUT_DIR"), "/kitchen_sink.rs"));

use contract::{Book, PersonResolver, ShopOffersArguments, ShopResolver, support};

/// A minimal date.
#[derive(Clone, Debug, PartialEq)]
pub struct Day(pub u16, pub u8, pub u8);

impl fmt::Display for Day {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:04}-{:02}-{:02}", self.0, self.1, self.2)
    }
}

#[Scalar(name = "Date", specified_by_url = "https://www.rfc-editor.org/rfc/rfc3339")]
impl ScalarType for Day {
    fn parse(value: Value) -> InputValueResult<Self> {
        let Value::String(text) = &value else {
            return Err(InputValueError::expected_type(value));
        };
        let mut parts = text.split('-').map(str::parse);
        match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some(Ok(year)), Some(Ok(month)), Some(Ok(day)), None) => {
                let small = |part: u16| u8::try_from(part).unwrap_or(u8::MAX);
                Ok(Self(year, small(month), small(day)))
            }
            _ => Err(InputValueError::custom("must be a date")),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.to_string())
    }
}

#[derive(Clone, Debug)]
pub struct Human {
    pub name: &'static str,
    pub friends: Vec<&'static str>,
}

impl PersonResolver for Human {
    fn name(&self) -> support::Text<'_> {
        self.name.into()
    }

    fn born(&self) -> Option<Day> {
        (self.name == "Ada").then_some(Day(1815, 12, 10))
    }

    fn friends(&self) -> Vec<Human> {
        self.friends.iter().map(|name| Human { name, friends: Vec::new() }).collect()
    }
}

pub fn ada() -> Human {
    Human { name: "Ada", friends: vec!["Charles"] }
}

#[derive(Clone, Debug)]
pub struct Store;

impl ShopResolver for Store {
    type Error = Error;

    async fn name(&self, _: &Context<'_>) -> Result<Option<String>, Error> {
        Ok(Some("shop".to_owned()))
    }

    async fn offers(
        &self,
        _: &Context<'_>,
        ShopOffersArguments { first }: ShopOffersArguments<i32>,
    ) -> Result<Vec<Book>, Error> {
        let book = |id: &str| Book { id: id.into(), name: None, pages: 9, sequel: None, related: None };
        Ok(["a", "b"].into_iter().map(book).take(usize::try_from(first)?).collect())
    }

    async fn owner(&self, _: &Context<'_>) -> Result<Human, Error> {
        Ok(ada())
    }
}
