//! Lowers a valid schema to the plain model: determines every name, type and text, and refuses constructs that
//! cannot be translated completely.

mod checks;
mod constraints;
mod default_values;
mod directives;
mod inputs;
mod lowering;
mod objects;

use std::collections::BTreeSet;

use apollo_compiler::{
    Node, Schema,
    ast::{DirectiveDefinition, DirectiveLocation, OperationType},
    schema::ExtendedType,
};
use graphql_sdl::{Element, Problems, built_in};

use self::lowering::{Constraints, Lowering};
use crate::{
    bindings::Bindings,
    model::{Contract, Definition, Directive, Enum, Scalar},
    name,
    names::Names,
    reachability::{self, Boxing},
};

/// Lowers the schema, or returns every problem.
pub(crate) fn lower(source: &graphql_sdl::Schema, bindings: &Bindings) -> Result<Contract, Problems> {
    let schema: &Schema = source.tree();
    let definition = &schema.schema_definition;
    let subscription = definition.subscription.as_ref();
    // Tools that print SDL leave out the schema definition, although a type that is no root has the name of one.
    let subscription =
        subscription.filter(|root| definition.location().is_some() || !reachability::is_value(schema, root));
    let operations = definition.iter_root_operations();
    let operations =
        operations.filter(|(operation, _)| *operation != OperationType::Subscription || subscription.is_some());
    let operations = operations.map(|(operation, root)| (operation.to_string(), root.to_string()));
    let operations: Vec<(String, String)> = operations.collect();
    let objects = root_objects(schema, bindings);
    let roots = operations.iter().map(|(_, root)| root.clone());
    let roots = roots.filter(|root| !objects.contains(root)).collect();
    let resolved = resolved_types(schema, &roots, &objects, bindings);
    let names = Names::new(schema, &bindings.renames);
    let bindings = bindings.with_modules(schema, &resolved, &names);
    let external = bindings.objects.keys().cloned().collect();
    let mut lowering = Lowering {
        source,
        files: source.files(),
        schema,
        bindings: &bindings,
        names,
        roots,
        boxing: Boxing::new(schema, &external),
        constraints: Constraints::default(),
        resolved,
        subscription: subscription.map(|root| root.name.clone()),
        unbound_objects: Vec::new(),
        unbound_scalars: Vec::new(),
        problems: Problems::new(source.name()),
    };
    // Other problems would follow from it.
    if lowering.refuses_federation() {
        return Err(lowering.problems);
    }
    lowering.check_types();
    lowering.check_bindings();
    lowering.check_directives();
    lowering.check_renames();
    lowering.check_expressions();
    lowering.constraints = lowering.constraints();
    let definitions: Vec<_> =
        reachability::own_types(schema).filter_map(|definition| lowering.definition(definition)).collect();
    let directives = schema.directive_definitions.values();
    let directives = directives.filter(|directive| !built_in::is_directive(&directive.name));
    let directives: Vec<_> = directives.map(|directive| lowering.directive(directive)).collect();
    lowering.check_unbound();
    lowering.check_names(&definitions, &directives);
    lowering.problems.into_result(Contract {
        files: lowering.files,
        sdl: schema.to_string(),
        directives,
        roots: operations,
        definitions,
        constraints: lowering.constraints.table,
    })
}

/// The root types that are resolved like other objects too: those that the build script names, or that are values. The fields of subscriptions are resolved only as those of a root.
fn root_objects(schema: &Schema, bindings: &Bindings) -> BTreeSet<String> {
    let definition = &schema.schema_definition;
    let roots = definition.query.iter().chain(&definition.mutation);
    let roots = roots.filter_map(|root| schema.get_object(root));
    let objects = roots
        .filter(|root| bindings.objects.contains_key(root.name.as_str()) || reachability::is_value(schema, &root.name));
    objects.map(|root| root.name.to_string()).collect()
}

/// The types with asynchronous resolvers: a root type that is resolved like other objects, an object that the build
/// script names, whose fields have arguments, or have such a type, and an interface or union with such a possible type.
fn resolved_types(
    schema: &Schema,
    roots: &BTreeSet<String>,
    root_objects: &BTreeSet<String>,
    bindings: &Bindings,
) -> BTreeSet<String> {
    let mut resolved = &bindings.resolved | root_objects;
    loop {
        let before = resolved.len();
        for definition in schema.types.values() {
            let name = definition.name().as_str();
            let is_resolved = match definition {
                _ if resolved.contains(name) || roots.contains(name) => false,
                ExtendedType::Object(object) => object.fields.values().any(|field| {
                    !field.arguments.is_empty() || resolved.contains(field.ty.inner_named_type().as_str())
                }),
                ExtendedType::Interface(_) | ExtendedType::Union(_) => {
                    let possible = reachability::possible_types(schema, definition);
                    possible.iter().any(|name| resolved.contains(name))
                }
                _ => false,
            };
            if is_resolved {
                resolved.insert(name.to_owned());
            }
        }
        if resolved.len() == before {
            return resolved;
        }
    }
}

impl Lowering<'_> {
    fn directive(&mut self, definition: &Node<DirectiveDefinition>) -> Directive {
        let element = Element::Directive(definition);
        let arguments = element.parts().into_iter();
        let arguments = arguments.filter_map(|argument| self.input(argument));
        let arguments = arguments.collect();
        let header = self.directive_header(element);
        let locations = definition.locations.iter();
        let is_executable = locations.clone().any(|location| {
            use DirectiveLocation::{Field, Mutation, Query, Subscription};
            matches!(location, Field | Mutation | Query | Subscription)
        });
        Directive {
            header,
            arguments,
            locations: locations.map(ToString::to_string).collect(),
            is_repeatable: definition.repeatable,
            is_read: is_executable || self.bindings.guard_directives.contains_key(definition.name.as_str()),
            is_executable,
        }
    }

    fn definition(&mut self, definition: &ExtendedType) -> Option<Definition> {
        Some(match definition {
            ExtendedType::Scalar(scalar) => {
                let header = self.type_header(&scalar.name);
                let (bindings, name) = (self.bindings, scalar.name.as_str());
                let serde = bindings.serde_scalars.get(name);
                let Some(path) = serde.or_else(|| bindings.scalars.get(name)) else {
                    self.unbound_scalars.push(scalar.name.clone());
                    return None;
                };
                let specified_by = scalar.directives.get("specifiedBy");
                let url = specified_by
                    .and_then(|directive| directive.specified_argument_by_name("url")?.as_str().map(str::to_owned));
                Definition::Scalar(Scalar { header, rust: path.clone(), is_serde: serde.is_some(), specified_by: url })
            }
            ExtendedType::Enum(definition) => {
                let header = self.type_header(&definition.name);
                let values = definition.values.values().map(|value| {
                    let element = Element::EnumValue(&definition.name, value);
                    self.header(element, name::enum_value_ident)
                });
                let values = values.collect();
                Definition::Enum(Enum { header, values })
            }
            ExtendedType::InputObject(input) => Definition::InputObject(self.input_object(input)),
            ExtendedType::Object(object) => self.object(object),
            ExtendedType::Interface(interface) => Definition::Abstract(self.interface(interface)),
            ExtendedType::Union(union) => Definition::Abstract(self.union(union)),
        })
    }
}
