//! Which types operations can use, and how.

use std::{
    cell::OnceCell,
    collections::{HashMap, HashSet},
};

use apollo_compiler::{
    Name,
    ast::{DirectiveLocation, Type},
    schema::ExtendedType,
};
use graphql_sdl::{Element, Schema};

/// The types of a schema that operations can use.
pub(crate) struct Reach<'a> {
    reachable: HashSet<&'a Name>,
    /// The types of arguments and input fields.
    inputs: HashSet<&'a Name>,
    /// The types of fields.
    outputs: HashSet<&'a Name>,
    /// The unions of each type, and the interfaces that it implements or is.
    owners: HashMap<&'a Name, Vec<&'a Name>>,
    /// The union or interface, the name and the shape of each field, once they are needed.
    shapes: OnceCell<HashSet<(&'a Name, &'a Name, String)>>,
    schema: &'a Schema,
}

impl<'a> Reach<'a> {
    pub(crate) fn new(schema: &'a Schema) -> Self {
        let reachable = reachable_types(schema, |_| false);
        let (mut inputs, mut outputs) = (HashSet::new(), HashSet::new());
        for element in schema.elements() {
            let Some(ty) = element.ty().map(Type::inner_named_type) else {
                continue;
            };
            let is_usable = match element {
                Element::DirectiveArgument(directive, _) => is_in_operations(schema, directive),
                _ => element.owner().is_some_and(|owner| reachable.contains(owner)),
            };
            if !is_usable {
                continue;
            }
            match element {
                Element::Field(..) => outputs.insert(ty),
                _ => inputs.insert(ty),
            };
        }
        let mut reach = Self { reachable, inputs, outputs, owners: HashMap::new(), shapes: OnceCell::new(), schema };
        for (name, definition) in &schema.tree().types {
            match definition {
                ExtendedType::Object(object) => {
                    reach.add_owners(name, object.implements_interfaces.iter().map(|of| &of.name));
                }
                ExtendedType::Interface(interface) => {
                    let interfaces = interface.implements_interfaces.iter().map(|of| &of.name);
                    reach.add_owners(name, interfaces.chain([name]));
                }
                ExtendedType::Union(union) => {
                    for member in &union.members {
                        reach.add_owners(&member.name, [name]);
                    }
                }
                _ => {}
            }
        }
        reach
    }

    fn add_owners(&mut self, member: &'a Name, owners: impl IntoIterator<Item = &'a Name>) {
        self.owners.entry(member).or_default().extend(owners);
    }

    /// Whether the root types or directives reach a type.
    pub(crate) fn reaches(&self, ty: &Name) -> bool {
        self.reachable.contains(ty)
    }

    /// Whether operations can give values of a type.
    pub(crate) fn is_input(&self, ty: &Name) -> bool {
        self.inputs.contains(ty)
    }

    /// Whether fields return a type.
    pub(crate) fn is_output(&self, ty: &Name) -> bool {
        self.outputs.contains(ty)
    }

    /// Whether a type has a field of this name and shape, and fields of an interface or union return it as well as
    /// `ty`.
    pub(crate) fn is_selected_beside(&self, ty: &Name, field: &Name, of: &Type) -> bool {
        let shapes = self.shapes.get_or_init(|| self.find_shapes());
        let shape = shape(self.schema, of);
        let mut owners = self.owners.get(ty).into_iter().flatten();
        owners.any(|owner| shapes.contains(&(owner, field, shape.clone())))
    }

    /// The fields that can be selected of interfaces and unions that fields return.
    fn find_shapes(&self) -> HashSet<(&'a Name, &'a Name, String)> {
        let mut shapes = HashSet::new();
        for (ty, owners) in &self.owners {
            let fields = match self.schema.tree().types.get(*ty) {
                Some(ExtendedType::Object(object)) => &object.fields,
                Some(ExtendedType::Interface(interface)) => &interface.fields,
                _ => continue,
            };
            for owner in owners.iter().filter(|owner| self.is_output(owner)) {
                let fields = fields.iter().map(|(name, field)| (name, shape(self.schema, &field.ty)));
                shapes.extend(fields.map(|(name, shape)| (*owner, name, shape)));
            }
        }
        shapes
    }
}

/// A type as it is written, without the name of a type that has selections: two fields under one response key have equal
/// shapes.
fn shape(schema: &Schema, ty: &Type) -> String {
    let (name, text) = (ty.inner_named_type(), ty.to_string());
    match schema.tree().types.get(name) {
        Some(found) if found.is_object() || found.is_interface() || found.is_union() => {
            text.replace(name.as_str(), "{}")
        }
        _ => text,
    }
}

/// Whether operations can have a directive.
pub(crate) fn is_in_operations(schema: &Schema, directive: &Name) -> bool {
    let definition = schema.tree().directive_definitions.get(directive);
    definition.is_some_and(|found| found.locations.iter().copied().any(is_executable))
}

/// Whether a location is in executable documents, not in type systems.
pub(crate) fn is_executable(location: DirectiveLocation) -> bool {
    matches!(
        location,
        DirectiveLocation::Query
            | DirectiveLocation::Mutation
            | DirectiveLocation::Subscription
            | DirectiveLocation::Field
            | DirectiveLocation::FragmentDefinition
            | DirectiveLocation::FragmentSpread
            | DirectiveLocation::InlineFragment
            | DirectiveLocation::VariableDefinition
    )
}

/// The types that can be reached from the root types, the directives, the entities (`@key`) and others that are used:
/// types of fields and arguments, implementations and members of reached types, and the interfaces they implement.
pub(crate) fn reachable_types(schema: &Schema, is_used: fn(&str) -> bool) -> HashSet<&Name> {
    let tree = schema.tree();
    let roots = tree.schema_definition.iter_root_operations();
    let mut pending: Vec<&Name> = roots.map(|(_, root)| &root.name).collect();
    let mut references: HashMap<&Name, Vec<&Name>> = HashMap::new();
    for element in schema.elements() {
        if let Some(ty) = element.ty().map(Type::inner_named_type) {
            match element.owner() {
                Some(owner) => references.entry(owner).or_default().push(ty),
                None => pending.push(ty),
            }
        }
    }
    for (name, definition) in &tree.types {
        // An entity of a federated graph is reached from other subgraphs.
        if definition.directives().has("key") || is_used(name) {
            pending.push(name);
        }
        let interfaces = match definition {
            ExtendedType::Object(object) => &object.implements_interfaces,
            ExtendedType::Interface(interface) => &interface.implements_interfaces,
            ExtendedType::Union(union) => {
                let members = union.members.iter().map(|member| &member.name);
                references.entry(name).or_default().extend(members);
                continue;
            }
            _ => continue,
        };
        for interface in interfaces {
            references.entry(&interface.name).or_default().push(name);
            references.entry(name).or_default().push(&interface.name);
        }
    }
    let mut reachable = HashSet::new();
    while let Some(name) = pending.pop() {
        if reachable.insert(name) {
            pending.extend(references.get(name).into_iter().flatten());
        }
    }
    reachable
}
