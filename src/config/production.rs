//! One setting for users instead of developers, and the single settings that follow it.
//!
//! They follow it when they are used. Defaults of clap that depend on other settings would not do:
//! they do not see a flag that stands before the command.

use super::checked::{Checked, switch, value};

/// Whether the service is for users and not for development.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Production {
    /// What only developers need is off unless it is turned on.
    On,
    /// It is on unless it is turned off.
    Off,
}

/// Whether there is something that only developers need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ForDevelopment {
    /// There is.
    On,
    /// There is not.
    Off,
    /// There is, but not in production.
    Auto,
}

impl ForDevelopment {
    pub(super) fn choose<T>(self, production: Production, on: T, off: T) -> T {
        match (self, production) {
            (Self::On, _) | (Self::Auto, Production::Off) => on,
            (Self::Off, _) | (Self::Auto, Production::On) => off,
        }
    }
}

pub(super) fn production() -> Checked<Production> {
    switch(Production::On, Production::Off)
}

pub(super) fn for_development() -> Checked<ForDevelopment> {
    value("on, off, or auto", |text| match text {
        "on" => Some(ForDevelopment::On),
        "off" => Some(ForDevelopment::Off),
        "auto" => Some(ForDevelopment::Auto),
        _ => None,
    })
}
