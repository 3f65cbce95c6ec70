//! What the rules accept.

use super::name::Case;

/// What the rules accept beside what they know.
#[derive(Clone, Debug, Default)]
pub(super) struct Options {
    /// Words that are written in capitals, also at the start of a name.
    pub(super) abbreviations: Vec<String>,
    /// What precedes a name and follows no convention.
    pub(super) prefixes: Vec<String>,
    /// The convention of enum values.
    pub(super) enum_values: Option<Case>,
    /// Verbs beside the known ones.
    pub(super) verbs: Vec<String>,
    /// The arguments that bound a list, beside the known ones.
    pub(super) limits: Vec<String>,
}
