//! Whether a replica is read from.

use std::fmt;

/// What a replica is good for at the moment. Displays as the end of "the replica …".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It keeps up: it is asked for everything that is read.
    KeepsUp,
    /// It is further behind than it may be: it is asked for single vehicles, since those that it has
    /// are right, and not for lists.
    Lags,
    /// It does not answer: it is asked for nothing.
    Away,
    /// It takes writes itself, or has what the primary does not have: it is asked for nothing.
    Astray,
}

impl Standing {
    /// Every one there is.
    pub const ALL: [Self; 4] = [Self::KeepsUp, Self::Lags, Self::Away, Self::Astray];

    /// Its name in figures.
    pub fn name(self) -> &'static str {
        match self {
            Self::KeepsUp => "keeps_up",
            Self::Lags => "lags",
            Self::Away => "away",
            Self::Astray => "astray",
        }
    }

    pub(super) fn answers_lookups(self) -> bool {
        matches!(self, Self::KeepsUp | Self::Lags)
    }

    pub(super) fn answers_lists(self) -> bool {
        self == Self::KeepsUp
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::KeepsUp => "keeps up: reads go to it",
            Self::Lags => "is too far behind: lists are read from the primary",
            Self::Away => "does not answer: everything is read from the primary",
            Self::Astray => {
                "does not follow the primary (was it promoted?): everything is read from the primary"
            }
        })
    }
}
