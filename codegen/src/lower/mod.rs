//! A valid schema to the plain model: decides every name, type and text, and refuses what can't be
//! translated whole.

mod checks;
mod inputs;
mod objects;

use std::collections::{BTreeMap, BTreeSet};

use apollo_compiler::{Schema, ast, parser::SourceSpan, schema::ExtendedType};

use self::inputs::{argument_of, path_of};
use crate::{
    Bindings,
    model::{Contract, Definition, Enum, Scalar},
    name,
    problem::{Place, Problems},
    reach::Boxing,
    read,
};

/// Lowers the schema; gives none if there were problems.
pub(crate) fn lower(
    schema: &Schema,
    bindings: &Bindings,
    problems: &mut Problems,
) -> Option<Contract> {
    let roots: BTreeMap<String, ast::OperationType> = schema
        .schema_definition
        .iter_root_operations()
        .map(|(operation, root)| (root.name.to_string(), operation))
        .collect();
    let elsewhere = bindings.objects.keys().cloned().collect();
    let boxing = Boxing::new(schema, &elsewhere);
    let resolved = resolved(schema, &roots);
    let mut lowering = Lowering {
        schema,
        bindings,
        roots,
        boxing,
        resolved,
        problems,
    };
    lowering.check_bindings();
    lowering.check_whole();
    let definitions = lowering.definitions();
    lowering.check_names(&definitions);
    problems.is_empty().then_some(Contract { definitions })
}

/// The object types that need resolvers of their own: a field takes arguments, or leads to such a type.
fn resolved(schema: &Schema, roots: &BTreeMap<String, ast::OperationType>) -> BTreeSet<String> {
    let objects = || schema.types.values().filter_map(ExtendedType::as_object);
    let mut resolved: BTreeSet<String> = objects()
        .filter(|object| !roots.contains_key(object.name.as_str()))
        .filter(|object| {
            object
                .fields
                .values()
                .any(|field| !field.arguments.is_empty())
        })
        .map(|object| object.name.to_string())
        .collect();
    loop {
        let leads_there = objects().find(|object| {
            !resolved.contains(object.name.as_str())
                && !roots.contains_key(object.name.as_str())
                && object
                    .fields
                    .values()
                    .any(|field| resolved.contains(field.ty.inner_named_type().as_str()))
        });
        match leads_there {
            Some(object) => resolved.insert(object.name.to_string()),
            None => return resolved,
        };
    }
}

struct Lowering<'a> {
    schema: &'a Schema,
    bindings: &'a Bindings,
    roots: BTreeMap<String, ast::OperationType>,
    boxing: Boxing,
    resolved: BTreeSet<String>,
    problems: &'a mut Problems,
}

impl Lowering<'_> {
    fn place(&self, span: Option<SourceSpan>) -> Place {
        read::place(&self.schema.sources, span).unwrap_or_default()
    }

    fn add(&mut self, span: Option<SourceSpan>, message: impl Into<String>) {
        let place = read::place(&self.schema.sources, span);
        self.problems.add(place, message);
    }

    fn definitions(&mut self) -> Vec<Definition> {
        let schema = self.schema;
        let own = schema
            .types
            .values()
            .filter(|definition| !definition.is_built_in());
        own.filter_map(|definition| self.definition(definition))
            .collect()
    }

    fn definition(&mut self, definition: &ExtendedType) -> Option<Definition> {
        match definition {
            ExtendedType::Scalar(scalar) => {
                let header = self.type_header(&scalar.name, scalar.description.as_deref());
                let specified_by = argument_of(&scalar.directives, "specifiedBy", "url");
                if let Some(path) = self.bindings.scalars.get(scalar.name.as_str()) {
                    Some(Definition::Scalar(Scalar {
                        header,
                        rust: path_of(path),
                        specified_by,
                    }))
                } else {
                    let message = format!(
                        "the scalar \"{0}\" has no Rust type; name one in build.rs: .scalar(\"{0}\", \"crate::…\")",
                        scalar.name
                    );
                    self.add(scalar.name.location(), message);
                    None
                }
            }
            ExtendedType::Enum(definition) => {
                let header = self.type_header(&definition.name, definition.description.as_deref());
                let values = definition.values.values().map(|value| {
                    let ident = name::of_enum_value(&value.value);
                    self.header(
                        &value.value,
                        ident,
                        value.description.as_deref(),
                        &value.directives,
                    )
                });
                let values = values.collect();
                Some(Definition::Enum(Enum { header, values }))
            }
            ExtendedType::InputObject(input) => {
                Some(Definition::InputObject(self.input_object(input)))
            }
            ExtendedType::Object(object) => Some(self.object(object)),
            ExtendedType::Interface(interface) => {
                Some(Definition::Abstract(self.interface(interface)))
            }
            ExtendedType::Union(union) => Some(Definition::Abstract(self.union(union))),
        }
    }
}
