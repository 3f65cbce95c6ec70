//! Headers of the requests for schemas, whose values can be secrets.

use reqwest::header::{HeaderName, HeaderValue};

/// A header; `${NAME}` in its value is a variable of the environment.
#[derive(Clone)]
pub(super) struct Header {
    name: HeaderName,
    value: HeaderValue,
}

impl Header {
    /// Parses `Name: value`. The error does not contain the value.
    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        let (name, mut rest) = text.split_once(':').ok_or("it has no colon")?;
        let name = HeaderName::from_bytes(name.trim().as_bytes());
        let name = name.map_err(|_| "what is before the colon is no name")?;
        let mut value = String::new();
        while let Some((before, after)) = rest.split_once("${") {
            let (variable_name, after) = after.split_once('}').ok_or("a ${ has no }")?;
            #[expect(clippy::disallowed_methods, reason = "the header names it")]
            let set = std::env::var(variable_name).ok();
            value += before;
            value += &set.ok_or("a variable in it is not set")?;
            rest = after;
        }
        value += rest;
        let value = HeaderValue::from_str(value.trim());
        let mut value = value.map_err(|_| "its value has control characters")?;
        value.set_sensitive(true);
        Ok(Self { name, value })
    }

    pub(super) fn pair(&self) -> (HeaderName, HeaderValue) {
        (self.name.clone(), self.value.clone())
    }
}
