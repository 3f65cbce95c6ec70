//! The bindings of types, constants and functions of the crate to the contract.

use std::collections::{BTreeMap, BTreeSet};

use apollo_compiler::{Schema, schema::ExtendedType};

use crate::{names::Names, reachability::own_types};

/// What the build script determines about types, by their GraphQL names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bindings {
    /// The paths of Rust types.
    pub(crate) scalars: BTreeMap<String, String>,
    /// The paths of Rust types around which a type is generated.
    pub(crate) serde_scalars: BTreeMap<String, String>,
    /// The module of the Rust types of other scalars.
    pub(crate) scalars_in: Option<String>,
    /// The paths of Rust types.
    pub(crate) objects: BTreeMap<String, String>,
    /// The module of the Rust types of other objects with resolvers.
    pub(crate) objects_in: Option<String>,
    /// The objects whose fields are resolved asynchronously, whether or not they have arguments.
    pub(crate) resolved: BTreeSet<String>,
    /// The objects whose fields are read from a struct, unless they have arguments or such a type.
    pub(crate) read: BTreeSet<String>,
    /// Whether a root type has a trait for each file.
    pub(crate) resolvers_by_file: bool,
    /// The paths of functions that make a guard of the arguments of a directive.
    pub(crate) guard_directives: BTreeMap<String, String>,
    /// The directives without an effect.
    pub(crate) documentation: BTreeSet<String>,
    /// Input objects.
    pub(crate) distinguish_omitted: BTreeSet<String>,
    /// Names in Rust, by the coordinate of an element.
    pub(crate) renames: BTreeMap<String, String>,
    /// The guards of resolvers as Rust expressions, by the coordinate of a field.
    pub(crate) guards: BTreeMap<String, String>,
    /// The complexities as Rust expressions, by the coordinate of a field.
    pub(crate) complexities: BTreeMap<String, String>,
    /// The paths of functions, by the argument of `@constraint` and its value.
    pub(crate) parsers: BTreeMap<(&'static str, String), String>,
}

impl Bindings {
    /// The bindings in which each type that a module has to contain is named.
    pub(crate) fn with_modules(&self, schema: &Schema, resolved: &BTreeMap<String, String>, names: &Names) -> Self {
        let mut bindings = self.clone();
        for definition in own_types(schema) {
            let name = definition.name().as_str();
            let (module, types) = match definition {
                ExtendedType::Scalar(_) if self.serde_scalars.contains_key(name) => continue,
                ExtendedType::Scalar(_) => (&self.scalars_in, &mut bindings.scalars),
                ExtendedType::Object(_) if resolved.contains_key(name) => (&self.objects_in, &mut bindings.objects),
                _ => continue,
            };
            // One that is no path is a problem, which is reported once.
            if let Some(module) = module.as_ref().filter(|module| is_path(module)) {
                let path = || format!("{module}::{}", names.type_ident(name));
                types.entry(name.to_owned()).or_insert_with(path);
            }
        }
        bindings
    }
}

/// Whether the text is the path of a Rust item, without a comment, which would hide what is printed after it.
pub(crate) fn is_path(text: &str) -> bool {
    syn::parse_str::<syn::Path>(text).is_ok() && !text.contains("//")
}
