//! The types of a schema and relations between them: possible types, and types that contain themselves.

use std::collections::{BTreeMap, BTreeSet};

use apollo_compiler::{
    Name, Schema,
    ast::Type,
    collections::IndexSet,
    schema::{ComponentName, ExtendedType},
};
use graphql_sdl::Element;

/// The types that are not built in.
pub(crate) fn own_types(schema: &Schema) -> impl Iterator<Item = &ExtendedType> + Clone {
    let types = schema.types.values();
    types.filter(|definition| !definition.is_built_in())
}

/// The possible types of a type: the members of a union, the implementers of an interface.
pub(crate) fn possible_types(schema: &Schema, definition: &ExtendedType) -> Vec<String> {
    match definition {
        ExtendedType::Union(union) => names(&union.members),
        ExtendedType::Interface(interface) => {
            let objects = schema.types.values().filter_map(ExtendedType::as_object);
            objects
                .filter(|object| object.implements_interfaces.contains(&interface.name))
                .map(|object| object.name.to_string())
                .collect()
        }
        other => vec![other.name().to_string()],
    }
}

/// Whether a field can have this object as its value: it is the type of a field, a member of a union, or implements an
/// interface.
pub(crate) fn is_value(schema: &Schema, object: &Name) -> bool {
    let is_type = |part: Element| part.ty().is_some_and(|ty| ty.inner_named_type() == object);
    let uses = |definition: &ExtendedType| match definition {
        ExtendedType::Union(union) => union.members.contains(object),
        _ => Element::Type(definition).parts().into_iter().any(is_type),
    };
    let object = schema.get_object(object);
    let has_interfaces = object.is_some_and(|object| !object.implements_interfaces.is_empty());
    has_interfaces || schema.types.values().any(uses)
}

pub(crate) fn names(names: &IndexSet<ComponentName>) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

/// Determines which fields need a `Box`, because their type would contain itself.
pub(crate) struct Boxing {
    /// The types that each type contains by value, which excludes lists.
    contained: BTreeMap<String, BTreeSet<String>>,
}

impl Boxing {
    /// `external` contains the types whose Rust types are not generated.
    pub(crate) fn new(schema: &Schema, external: &BTreeSet<String>) -> Self {
        let contained = schema.types.iter().map(|(name, definition)| {
            let contained: BTreeSet<String> = match definition {
                _ if external.contains(name.as_str()) => BTreeSet::new(),
                ExtendedType::Union(_) | ExtendedType::Interface(_) => {
                    possible_types(schema, definition).into_iter().collect()
                }
                _ => Element::Type(definition).parts().into_iter().filter_map(|part| named_type(part.ty()?)).collect(),
            };
            (name.to_string(), contained)
        });
        Self { contained: contained.collect() }
    }

    /// Whether a field of this type in the type `owner` needs a `Box`.
    pub(crate) fn is_boxed(&self, owner: &str, ty: &Type) -> bool {
        let mut visited = BTreeSet::new();
        let mut pending: Vec<String> = named_type(ty).into_iter().collect();
        while let Some(name) = pending.pop() {
            if name == owner {
                return true;
            }
            if let Some(contained) = self.contained.get(&name)
                && visited.insert(name)
            {
                pending.extend(contained.iter().cloned());
            }
        }
        false
    }
}

fn named_type(ty: &Type) -> Option<String> {
    match ty {
        Type::Named(name) | Type::NonNullNamed(name) => Some(name.to_string()),
        Type::List(_) | Type::NonNullList(_) => None,
    }
}
