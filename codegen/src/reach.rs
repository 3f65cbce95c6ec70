//! Which types contain, use or reach which others.

use std::collections::{BTreeMap, BTreeSet};

use apollo_compiler::{
    Schema,
    ast::Type,
    schema::{ExtendedType, FieldDefinition},
};

/// The types that can be reached from the root types: what is served. That an object implements an
/// interface does not count: async-graphql leaves out interfaces that are the type of no field.
pub(crate) fn served(schema: &Schema) -> BTreeSet<String> {
    let mut graph = BTreeMap::new();
    for (name, definition) in &schema.types {
        graph.insert(name.to_string(), referred(schema, definition));
    }
    let roots = schema
        .schema_definition
        .iter_root_operations()
        .map(|(_, root)| root.name.to_string());
    closure(&graph, roots)
}

fn referred(schema: &Schema, definition: &ExtendedType) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    match definition {
        ExtendedType::Object(object) => {
            of_fields(object.fields.values().map(|field| &***field), &mut names);
        }
        ExtendedType::Interface(interface) => {
            of_fields(interface.fields.values().map(|field| &***field), &mut names);
            names.extend(possible_types(schema, definition));
        }
        ExtendedType::Union(_) => names.extend(possible_types(schema, definition)),
        ExtendedType::InputObject(input) => {
            names.extend(
                input
                    .fields
                    .values()
                    .map(|field| field.ty.inner_named_type().to_string()),
            );
        }
        ExtendedType::Scalar(_) | ExtendedType::Enum(_) => {}
    }
    names
}

fn of_fields<'a>(fields: impl Iterator<Item = &'a FieldDefinition>, names: &mut BTreeSet<String>) {
    for field in fields {
        names.insert(field.ty.inner_named_type().to_string());
        let arguments = field.arguments.iter();
        names.extend(arguments.map(|argument| argument.ty.inner_named_type().to_string()));
    }
}

/// The object types that a type may be: the members of a union, the implementers of an interface.
pub(crate) fn possible_types(schema: &Schema, definition: &ExtendedType) -> Vec<String> {
    match definition {
        ExtendedType::Union(union) => union
            .members
            .iter()
            .map(std::string::ToString::to_string)
            .collect(),
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

/// Where a Rust type would hold itself by value, and so needs a box.
pub(crate) struct Boxing {
    /// What each type holds by value, lists aside.
    held: BTreeMap<String, BTreeSet<String>>,
}

impl Boxing {
    /// `elsewhere` names the types whose Rust types are not generated.
    pub(crate) fn new(schema: &Schema, elsewhere: &BTreeSet<String>) -> Self {
        let held = schema.types.iter().map(|(name, definition)| {
            let held: BTreeSet<String> = match definition {
                _ if elsewhere.contains(name.as_str()) => BTreeSet::new(),
                ExtendedType::Object(object) => object
                    .fields
                    .values()
                    .filter_map(|field| not_in_list(&field.ty))
                    .collect(),
                ExtendedType::InputObject(input) => input
                    .fields
                    .values()
                    .filter_map(|field| not_in_list(&field.ty))
                    .collect(),
                ExtendedType::Union(_) | ExtendedType::Interface(_) => {
                    possible_types(schema, definition).into_iter().collect()
                }
                ExtendedType::Scalar(_) | ExtendedType::Enum(_) => BTreeSet::new(),
            };
            (name.to_string(), held)
        });
        Self {
            held: held.collect(),
        }
    }

    /// Whether a field of this type in the type `owner` needs a box.
    pub(crate) fn is_boxed(&self, owner: &str, ty: &Type) -> bool {
        not_in_list(ty).is_some_and(|held| closure(&self.held, [held]).contains(owner))
    }
}

fn not_in_list(ty: &Type) -> Option<String> {
    match ty {
        Type::Named(name) | Type::NonNullNamed(name) => Some(name.to_string()),
        Type::List(_) | Type::NonNullList(_) => None,
    }
}

/// Everything that can be reached from these, themselves included.
fn closure(
    graph: &BTreeMap<String, BTreeSet<String>>,
    from: impl IntoIterator<Item = String>,
) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<String> = from.into_iter().collect();
    while let Some(name) = open.pop() {
        if let Some(next) = graph.get(&name)
            && reached.insert(name)
        {
            open.extend(next.iter().cloned());
        }
    }
    reached
}
