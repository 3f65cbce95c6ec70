//! A schema that operations are validated against, in a time that depends on the operation and not on
//! the size of the schema.

use apollo_compiler::{
    ExecutableDocument, Name, Schema,
    collections::{HashMap, IndexMap},
    parser::SourceMap,
    schema::ExtendedType,
    validation::Valid,
};
use graphql_sdl::Element;

/// A schema that operations are validated against.
pub(super) struct Target<'a> {
    pub(super) schema: &'a Valid<Schema>,
    /// Whether values of `@oneOf` input objects are validated.
    pub(super) validates_one_of: bool,
    /// The object types that a change concerns.
    pub(super) changed_objects: Vec<&'a Name>,
    /// The object types of each union, and of each interface that has some.
    objects: HashMap<&'a Name, Vec<&'a Name>>,
}

impl<'a> Target<'a> {
    /// `changed` are the coordinates of changes.
    pub(super) fn new<'c>(schema: &'a Valid<Schema>, changed: impl IntoIterator<Item = &'c str>) -> Self {
        let mut objects: HashMap<&Name, Vec<&Name>> = HashMap::default();
        for (name, ty) in &schema.types {
            match ty {
                ExtendedType::Object(object) => {
                    for interface in &object.implements_interfaces {
                        objects.entry(&interface.name).or_default().push(name);
                    }
                }
                ExtendedType::Union(union) => {
                    objects.insert(name, union.members.iter().map(|member| &member.name).collect());
                }
                _ => {}
            }
        }
        let changed = changed.into_iter().filter_map(|coordinate| schema.get_object(coordinate));
        Self { schema, validates_one_of: true, changed_objects: changed.map(|object| &object.name).collect(), objects }
    }

    /// The definitions that the validation of a document reads: apollo-compiler visits every type of
    /// the schema for each document that has a fragment. `used` are the elements that the document uses.
    pub(super) fn part<'t>(
        &'t self,
        document: &ExecutableDocument,
        used: impl Iterator<Item = Element<'t>>,
    ) -> Valid<Schema> {
        let mut part = Schema {
            sources: SourceMap::default(),
            schema_definition: self.schema.schema_definition.clone(),
            directive_definitions: IndexMap::default(),
            types: IndexMap::default(),
        };
        let roots = document.operations.iter().map(|one| &one.selection_set.ty);
        for used in roots.filter_map(|root| self.schema.types.get(root).map(Element::Type)).chain(used) {
            match used {
                Element::Type(ty) if !part.types.contains_key(ty.name()) => {
                    part.types.insert(ty.name().clone(), ty.clone());
                }
                Element::Directive(definition) => {
                    let definitions = &mut part.directive_definitions;
                    definitions.insert(definition.name.clone(), definition.clone());
                }
                _ => {}
            }
        }
        Valid::assume_valid(part)
    }

    /// An object type that two types have in common, if both are interfaces or unions.
    pub(super) fn common_object(&self, one: &Name, other: &Name) -> Option<&'a Name> {
        let (objects, others) = (self.objects.get(one)?, self.objects.get(other)?);
        let (fewer, other) = if objects.len() < others.len() { (objects, other) } else { (others, one) };
        fewer.iter().find(|object| self.schema.is_subtype(other, object)).copied()
    }
}
