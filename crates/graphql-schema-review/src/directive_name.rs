//! The names of directives in a policy.

use apollo_compiler::Name;
use serde::{Deserialize, Deserializer, de::Error as _};

/// The name of a directive, with or without `@`.
#[derive(Clone, Debug)]
pub(crate) struct DirectiveName(pub(crate) Name);

impl DirectiveName {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for DirectiveName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let name = Name::new(text.strip_prefix('@').unwrap_or(&text));
        name.map(Self).map_err(|_| {
            let text = graphql_sdl::excerpt(&text);
            D::Error::custom(format!("{text:?} is not the name of a directive"))
        })
    }
}
