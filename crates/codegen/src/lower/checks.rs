//! Refuses invalid bindings, subscriptions, and name clashes.

use std::collections::BTreeMap;

use apollo_compiler::schema::ExtendedType;
use proc_macro2::Ident;
use schema::{Problems, suggestion};

use super::Lowering;
use crate::{
    model::{Definition, Header, Input},
    name,
};

impl Lowering<'_> {
    /// Checks that every binding has a type of the right kind and a Rust path.
    pub(super) fn check_bindings(&mut self) {
        for (kind, method, bound) in [
            ("scalar", "scalar", &self.bindings.scalars),
            ("object type", "object", &self.bindings.objects),
        ] {
            for (name, path) in bound {
                let matches = |definition: &ExtendedType| match method {
                    "scalar" => definition.is_scalar() && !definition.is_built_in(),
                    _ => definition.is_object() && !definition.is_built_in(),
                };
                let definition = self.schema.types.get(name.as_str());
                if !definition.is_some_and(matches) {
                    let candidates = self.schema.types.values().filter(|ty| matches(ty));
                    let suggestion = suggestion(name, candidates.map(|ty| ty.name().as_str()));
                    let message = format!(
                        "the build script names a Rust type for the {kind} \"{name}\", which this file does not define{suggestion}"
                    );
                    self.problems.add(None, message);
                } else if self.roots.contains_key(name) {
                    let message = format!(
                        "the build script names a Rust type for the root type \"{name}\"; remove it and implement {} for it",
                        name::resolver_ident(name)
                    );
                    self.problems.add(None, message);
                }
                if syn::parse_str::<syn::Path>(path).is_err() {
                    let message = format!(
                        "the build script names \"{path}\" for \"{name}\", which is not the path of a Rust type"
                    );
                    self.problems.add(None, message);
                }
            }
        }
    }

    /// Checks that omitted fields are distinguished only of input objects that can have them.
    pub(super) fn check_distinguished(&mut self) {
        for name in &self.bindings.distinguish_omitted {
            let definition = self.schema.types.get(name.as_str());
            let message = match definition.and_then(ExtendedType::as_input_object) {
                None => {
                    let inputs = self.schema.types.values().filter(|ty| ty.is_input_object());
                    let suggestion = suggestion(name, inputs.map(|ty| ty.name().as_str()));
                    format!(
                        "the build script distinguishes omitted fields of the input object \"{name}\", which this file does not define{suggestion}"
                    )
                }
                Some(input) if input.directives.has("oneOf") => format!(
                    "the build script distinguishes omitted fields of \"{name}\", but the only field of a @oneOf type is never null; remove it there"
                ),
                Some(_) => continue,
            };
            self.problems.add(None, message);
        }
    }

    /// Refuses subscriptions, which nothing executes.
    pub(super) fn check_subscription(&mut self) {
        if let Some(root) = &self.schema.schema_definition.subscription {
            let message = format!(
                "subscriptions are not supported; remove the root type \"{}\" from the schema",
                root.name
            );
            // Without a `schema` definition, the location is that of the type.
            let definition = self.schema.types.get(&root.name);
            let location = definition.and_then(|definition| definition.name().location());
            self.add(root.name.location().or(location), message);
        }
    }

    /// Checks that no two items of the contract get the same Rust name.
    pub(super) fn check_names(&mut self, definitions: &[Definition]) {
        let problems = &mut self.problems;
        let mut items = Names::new("the crate's module");
        for definition in definitions {
            let header = definition.header();
            items.declare(&header.ident, header, problems);
            let mut inner = Names::new(&header.name);
            for (ident, child) in definition.children() {
                inner.declare(ident, child, problems);
            }
            if let Definition::Object(object) = definition {
                items.declare(&object.resolver_ident, header, problems);
                for field in &object.fields {
                    let Some(ident) = &field.arguments_ident else {
                        continue;
                    };
                    items.declare(ident, &field.header, problems);
                    let (mut members, mut parameters) = (
                        Names::new(&field.header.name),
                        Names::new(&field.header.name),
                    );
                    parameters.declare(ident, &field.header, problems);
                    for Input {
                        header, parameter, ..
                    } in &field.arguments
                    {
                        // One problem is reported for two names.
                        if members.declare(&header.ident, header, problems) {
                            parameters.declare(parameter, header, problems);
                        }
                    }
                }
            }
        }
    }
}

/// The Rust names declared in one scope.
struct Names<'a> {
    scope: &'a str,
    declared: BTreeMap<String, &'a str>,
}

impl<'a> Names<'a> {
    fn new(scope: &'a str) -> Self {
        Self {
            scope,
            declared: BTreeMap::new(),
        }
    }

    /// Whether the name is new.
    fn declare(&mut self, ident: &Ident, header: &'a Header, problems: &mut Problems) -> bool {
        let other = self.declared.insert(ident.to_string(), &header.name);
        if let Some(other) = other {
            let message = format!(
                "\"{}\" and \"{other}\" would both be `{ident}` in Rust (in {}); rename one",
                header.name, self.scope
            );
            problems.add(header.location, message);
        }
        other.is_none()
    }
}
