//! The printed code of a definition.

use proc_macro2::TokenStream;

/// The Rust code of a definition.
pub(super) struct Printed {
    /// The items that the crate implements and uses.
    pub(super) items: TokenStream,
    /// What registers, writes and resolves them.
    pub(super) impls: TokenStream,
}
