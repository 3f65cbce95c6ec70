//! One difference between two schemas, and how much it affects clients.

use graphql_sdl::Location;
use serde::{Deserialize, Deserializer, Serialize, de::IntoDeserializer};

use crate::{ChangeKind, named::named};

/// A difference between two schemas, with its level.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Change {
    /// The schema coordinate of what changed: `Book.title`, `Query.books(first:)`,
    /// `@constraint(max:)`; `schema` for the root types and the directives of the schema itself.
    pub coordinate: String,
    /// What happened.
    pub kind: ChangeKind,
    /// How much it affects clients.
    pub level: Level,
    /// What happened, in a sentence.
    pub message: String,
    /// Why it has this level.
    pub reason: &'static str,
    /// The location in the old schema; `None` if absent there or read by introspection.
    pub old: Option<Location>,
    /// The location in the new schema; `None` if absent there or read by introspection.
    pub new: Option<Location>,
}

named! {
    /// How much a change affects clients; ordered, the worst first.
    Level {
        Breaking "breaking" "A valid operation can become invalid, or its response can violate the old contract.",
        Dangerous "dangerous" "A response or the meaning of an omitted value can change, or an operation becomes invalid that few clients have.",
        Safe "safe" "No existing operation is affected.",
    }
}

/// A level in a policy; `None` is written as `off`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelOrOff<T>(pub(crate) Option<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for LevelOrOff<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        if name == "off" {
            return Ok(Self(None));
        }
        T::deserialize(name.into_deserializer()).map(Some).map(Self).map_err(|error: D::Error| {
            let known = error.to_string();
            serde::de::Error::custom(format!("{}, or `off`", known.trim_end()))
        })
    }
}
