//! How much a change affects clients.

use std::fmt;

use serde::Serialize;

/// How much a change affects clients; ordered, the worst first.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// A valid operation can become invalid, or its response can violate the old contract.
    Breaking,
    /// Every operation stays valid, but a response or the meaning of an omitted value can change.
    Dangerous,
    /// No existing operation is affected.
    Safe,
}

impl Level {
    /// Every level, the worst first.
    pub const ALL: [Self; 3] = [Self::Breaking, Self::Dangerous, Self::Safe];

    /// The level in lower case, as reports write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Breaking => "breaking",
            Self::Dangerous => "dangerous",
            Self::Safe => "safe",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}
