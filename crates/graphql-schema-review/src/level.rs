//! How much a change affects clients.

use serde::{Deserialize, Deserializer, de::IntoDeserializer};

use crate::named::named;

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
        let level = T::deserialize(name.into_deserializer()).map(Some).map(Self);
        level.map_err(|error: D::Error| {
            let known = error.to_string();
            serde::de::Error::custom(format!("{}, or `off`", known.trim_end()))
        })
    }
}
