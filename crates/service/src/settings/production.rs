//! The setting on which the defaults of others depend.

use ::settings::{Optional, choice};
use clap::builder::TypedValueParser;

/// Whether the service runs in production.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Production {
    /// Development features are off by default.
    On,
    /// Development features are on by default.
    Off,
}

/// A setting whose default depends on other settings. Conditional defaults of clap ignore flags before
/// the subcommand, so `auto` is resolved when the setting is used.
pub(super) fn on_off_auto<T: Clone + Send + Sync + 'static>(
    on: T,
    off: T,
) -> impl TypedValueParser<Value = Optional<T>> {
    choice([("on", Some(on)), ("off", Some(off)), ("auto", None)])
}
