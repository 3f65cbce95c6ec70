//! The size of an operation whose fragments are expanded.

use apollo_compiler::{Node, executable::Selection};

/// The size of an operation, in which a fragment counts as often as it is expanded.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MergedSize {
    /// The number of selections.
    pub(super) selections: u64,
    /// The size of their response keys and arguments, each followed by a separator, in bytes.
    pub(super) bytes: u64,
}

impl MergedSize {
    /// This size with one selection more.
    pub(super) fn with(mut self, selection: &Selection) -> Self {
        self.selections += 1;
        if let Selection::Field(field) = selection {
            let arguments = field.arguments.iter();
            let arguments = arguments.filter_map(Node::location);
            let arguments: usize = arguments.map(|span| span.node_len() + 1).sum();
            self.bytes += (field.response_key().len() + 1 + arguments) as u64;
        }
        self
    }

    /// Whether this size is within a maximum.
    pub(super) fn fits(self, max: Self) -> bool {
        self.selections <= max.selections && self.bytes <= max.bytes
    }
}
