//! What a change means for those who use the contract.

use std::fmt;

use serde::Serialize;

/// How much a change can hurt; ordered, the worst first.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// An operation that is valid and answered as its author expects stops being so.
    Breaking,
    /// Every operation stays valid, but a client can be surprised by an answer or by what an
    /// omitted value means.
    Dangerous,
    /// No client can notice unless it looks for the change.
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
