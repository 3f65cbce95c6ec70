//! The bindings of types, constants and functions of the crate to the contract.

use std::collections::{BTreeMap, BTreeSet};

/// What the build script determines about types, by their GraphQL names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bindings {
    /// The paths of Rust types.
    pub(crate) scalars: BTreeMap<String, String>,
    /// The paths of Rust types.
    pub(crate) objects: BTreeMap<String, String>,
    /// The objects whose fields are resolved asynchronously, whether or not they have arguments.
    pub(crate) resolved: BTreeSet<String>,
    /// Input objects.
    pub(crate) distinguish_omitted: BTreeSet<String>,
    /// The paths of constants, by the coordinate or name of an element and the argument of `@constraint`.
    pub(crate) limits: BTreeMap<(String, String), String>,
    /// The paths of functions, by the argument of `@constraint` and its value.
    pub(crate) parsers: BTreeMap<(&'static str, String), String>,
}
