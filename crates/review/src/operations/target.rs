//! A schema that operations are validated against, in a time that depends on the operation and not on
//! the size of the schema.

use apollo_compiler::{
    ExecutableDocument, Name, Schema,
    collections::{HashMap, IndexMap},
    parser::SourceMap,
    schema::ExtendedType,
    validation::Valid,
};

use super::walk::{Use, Used};

/// A schema that operations are validated against.
pub(super) struct Target<'a> {
    pub(super) schema: &'a Valid<Schema>,
    /// The object types that a change concerns.
    pub(super) changed_objects: Vec<&'a Name>,
    /// The object types of each union, and of each interface that has some.
    objects: HashMap<&'a Name, Vec<&'a Name>>,
}

impl<'a> Target<'a> {
    /// `changed` are the coordinates of changes.
    pub(super) fn new<'c>(
        schema: &'a Valid<Schema>,
        changed: impl IntoIterator<Item = &'c str>,
    ) -> Self {
        let mut objects: HashMap<&Name, Vec<&Name>> = HashMap::default();
        for (name, ty) in &schema.types {
            match ty {
                ExtendedType::Object(object) => {
                    for interface in &object.implements_interfaces {
                        objects.entry(&interface.name).or_default().push(name);
                    }
                }
                ExtendedType::Union(union) => {
                    let members = union.members.iter().map(|member| &member.name);
                    objects.insert(name, members.collect());
                }
                _ => {}
            }
        }
        let changed = changed.into_iter();
        let changed = changed.filter_map(|coordinate| schema.get_object(coordinate));
        Self {
            schema,
            changed_objects: changed.map(|object| &object.name).collect(),
            objects,
        }
    }

    /// The definitions that the validation of a document reads: apollo-compiler visits every type of
    /// the schema for each document that has a fragment.
    pub(super) fn part(&self, document: &ExecutableDocument, uses: &[Use]) -> Valid<Schema> {
        let mut part = Schema {
            sources: SourceMap::default(),
            schema_definition: self.schema.schema_definition.clone(),
            directive_definitions: IndexMap::default(),
            types: IndexMap::default(),
        };
        let mut directives = Vec::new();
        let operations = document.operations.iter();
        let mut types: Vec<&str> = operations
            .map(|one| one.selection_set.ty.as_str())
            .collect();
        for used in uses {
            match used.used {
                Used::Type(name) => types.push(name),
                Used::Directive(name) => directives.push(name),
                _ => {}
            }
        }
        for name in types {
            if let Some((name, ty)) = self.schema.types.get_key_value(name) {
                part.types.entry(name.clone()).or_insert_with(|| ty.clone());
            }
        }
        for name in directives {
            let definitions = &self.schema.directive_definitions;
            if let Some((name, definition)) = definitions.get_key_value(name) {
                let definitions = &mut part.directive_definitions;
                definitions.insert(name.clone(), definition.clone());
            }
        }
        Valid::assume_valid(part)
    }

    /// An object type that two types have in common, if both are interfaces or unions.
    pub(super) fn common_object(&self, one: &Name, other: &Name) -> Option<&'a Name> {
        let (objects, others) = (self.objects.get(one)?, self.objects.get(other)?);
        let (fewer, other) = if objects.len() < others.len() {
            (objects, other)
        } else {
            (others, one)
        };
        let mut fewer = fewer.iter();
        fewer
            .find(|object| self.schema.is_subtype(other, object))
            .copied()
    }
}
