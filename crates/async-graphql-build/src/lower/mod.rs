//! Lowers a valid schema to the plain model: determines every name, type and text, and refuses constructs that
//! cannot be translated completely.

mod checks;
mod constraints;
mod default_values;
mod directives;
mod inputs;
mod lowering;
mod objects;

use std::collections::{BTreeMap, BTreeSet};

use apollo_compiler::{
    Node, Schema,
    ast::{DirectiveDefinition, DirectiveLocation, OperationType},
    schema::ExtendedType,
};
use graphql_sdl::{Element, Problems, built_in};

use self::{
    lowering::{Constraints, Lowering},
    objects::BOUND,
};
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
    let resolved = resolved_types(schema, &roots, objects, bindings);
    let names = Names::new(schema, &bindings.renames);
    let bindings = bindings.with_modules(schema, &resolved, &names);
    let external = bindings.objects.keys().cloned().collect();
    let mut lowering = Lowering {
        source,
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

/// The types with asynchronous resolvers, each with the reason: a root type that is resolved like other objects, an object that
/// the build script names, whose fields have arguments, or have such a type, and an interface or union with such a possible
/// type.
fn resolved_types(
    schema: &Schema,
    roots: &BTreeSet<String>,
    root_objects: BTreeSet<String>,
    bindings: &Bindings,
) -> BTreeMap<String, String> {
    let of_root = "it is a root type and also the type of a field, a member of a union, or has interfaces";
    let bound = bindings.resolved.iter().map(|name| (name.clone(), BOUND.to_owned()));
    let mut resolved: BTreeMap<_, _> = bound.collect();
    resolved.extend(root_objects.into_iter().map(|name| (name, of_root.to_owned())));
    loop {
        let before = resolved.len();
        for definition in schema.types.values() {
            let name = definition.name().as_str();
            let reason = match definition {
                _ if resolved.contains_key(name) || roots.contains(name) => None,
                ExtendedType::Object(object) => object.fields.values().find_map(|field| {
                    let (field, named, arguments) = (&field.name, field.ty.inner_named_type(), &field.arguments);
                    let returns = || format!("{field} returns {named}, which has resolvers");
                    let has_arguments = (!arguments.is_empty()).then(|| format!("{field} has arguments"));
                    has_arguments.or_else(|| resolved.contains_key(named.as_str()).then(returns))
                }),
                ExtendedType::Interface(_) | ExtendedType::Union(_) => {
                    let possible = reachability::possible_types(schema, definition);
                    let resolved = possible.into_iter().find(|name| resolved.contains_key(name));
                    resolved.map(|possible| format!("{possible} has resolvers"))
                }
                _ => None,
            };
            resolved.extend(reason.map(|reason| (name.to_owned(), reason)));
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
                    let message = format!(
                        "the scalar \"{name}\" has no Rust type; name one in the build script: .scalar(\"{name}\", \"crate::…\")"
                    );
                    self.unbound_scalars.push((scalar.name.clone(), message));
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
            ExtendedType::Interface(_) | ExtendedType::Union(_) => Definition::Abstract(self.abstract_type(definition)),
        })
    }
}
