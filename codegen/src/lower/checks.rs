//! What is refused: bindings that do not fit, what would not be served, names that clash.

use std::collections::BTreeMap;

use apollo_compiler::schema::ExtendedType;
use proc_macro2::Ident;

use super::Lowering;
use crate::{
    model::{Definition, Header},
    name,
    problem::{Place, suggestion},
    reach,
};

const BUILT_IN_DIRECTIVES: [&str; 5] = ["skip", "include", "deprecated", "specifiedBy", "oneOf"];

impl Lowering<'_> {
    /// Every binding names a type of the right kind and a Rust path.
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
                    let known = self.schema.types.values().filter(|known| matches(known));
                    let suggestion = suggestion(name, known.map(|known| known.name().as_str()));
                    let message = format!(
                        "build.rs names a Rust type for the {kind} \"{name}\", which this file does not define{suggestion}"
                    );
                    self.problems.add(None, message);
                } else if self.roots.contains_key(name) {
                    let message = format!(
                        "build.rs names a Rust type for the root type \"{name}\"; leave it out and implement {} for it",
                        name::of_resolver(name)
                    );
                    self.problems.add(None, message);
                }
                if syn::parse_str::<syn::Path>(path).is_err() {
                    let message = format!(
                        "build.rs names \"{path}\" for \"{name}\", which is not the path of a Rust type"
                    );
                    self.problems.add(None, message);
                }
            }
        }
    }

    /// Everything in the file can be served: nothing is left out silently.
    pub(super) fn check_whole(&mut self) {
        let schema = self.schema;
        if let Some(description) = &schema.schema_definition.description {
            self.add(description.location(), "the description of the schema can't be served by async-graphql; move it to the root types");
        }
        for definition in schema.directive_definitions.values() {
            if !definition.is_built_in() && !BUILT_IN_DIRECTIVES.contains(&definition.name.as_str())
            {
                let message = format!(
                    "the directive \"@{}\" can't be served by async-graphql; remove its definition and its uses",
                    definition.name
                );
                self.add(definition.location(), message);
            }
        }
        let served = reach::served(schema);
        for (name, definition) in &schema.types {
            if !definition.is_built_in() && !served.contains(name.as_str()) {
                let message = format!(
                    "no field of a served type leads to the type \"{name}\", so async-graphql would leave it out; use it or remove it"
                );
                self.add(definition.name().location(), message);
            }
        }
    }

    /// No two things of the contract get the same Rust name.
    pub(super) fn check_names(&mut self, definitions: &[Definition]) {
        let mut items = Names::new("the crate's module");
        let mut clashes = Vec::new();
        for definition in definitions {
            let header = definition.header();
            items.take(&header.ident, header, &mut clashes);
            let mut inner = Names::new(&header.name);
            for child in definition.children() {
                inner.take(&child.ident, child, &mut clashes);
            }
            if let Definition::Object(object) | Definition::Subscription(object) = definition {
                items.take(&object.resolver_ident, header, &mut clashes);
                for field in &object.fields {
                    if let Some(ident) = &field.arguments_ident {
                        items.take(ident, &field.header, &mut clashes);
                    }
                    let mut inner = Names::new(&field.header.name);
                    for argument in &field.arguments {
                        inner.take(&argument.header.ident, &argument.header, &mut clashes);
                    }
                }
            }
        }
        for (place, message) in clashes {
            self.problems.add(place, message);
        }
    }
}

/// The Rust names taken in one scope.
struct Names {
    scope: String,
    taken: BTreeMap<String, String>,
}

impl Names {
    pub(super) fn new(scope: &str) -> Self {
        Self {
            scope: scope.to_owned(),
            taken: BTreeMap::new(),
        }
    }

    pub(super) fn take(
        &mut self,
        ident: &Ident,
        header: &Header,
        clashes: &mut Vec<(Place, String)>,
    ) {
        if let Some(other) = self.taken.insert(ident.to_string(), header.name.clone()) {
            let message = format!(
                "\"{}\" and \"{other}\" would both be `{ident}` in Rust (in {}); rename one",
                header.name, self.scope
            );
            clashes.push((header.place, message));
        }
    }
}

impl Definition {
    pub(super) fn header(&self) -> &Header {
        match self {
            Self::Scalar(scalar) => &scalar.header,
            Self::Enum(definition) => &definition.header,
            Self::InputObject(input) => &input.header,
            Self::Object(object) | Self::Subscription(object) => &object.header,
            Self::Abstract(definition) => &definition.header,
        }
    }

    pub(super) fn children(&self) -> Vec<&Header> {
        match self {
            Self::Scalar(_) | Self::Abstract(_) => Vec::new(),
            Self::Enum(definition) => definition.values.iter().collect(),
            Self::InputObject(input) => input.fields.iter().map(|field| &field.header).collect(),
            Self::Object(object) | Self::Subscription(object) => {
                object.fields.iter().map(|field| &field.header).collect()
            }
        }
    }
}
