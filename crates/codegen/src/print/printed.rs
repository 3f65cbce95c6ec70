//! The printed code of a definition.

use proc_macro2::TokenStream;

/// The Rust code of a definition.
pub(super) struct Printed {
    /// The items that the crate implements and uses.
    pub(super) items: TokenStream,
    /// The implementations of the traits of `engine::runtime`.
    pub(super) impls: TokenStream,
}
