//! A schema that operations are validated against, in a time that depends on the operation and not on
//! the size of the schema.

use apollo_compiler::{
    ExecutableDocument, Name, Node, Schema,
    ast::{Argument, DirectiveList, Document, InputValueDefinition, Type, Value},
    collections::{HashMap, IndexMap},
    executable::{Selection, SelectionSet},
    parser::SourceMap,
    schema::ExtendedType,
    validation::{DiagnosticList, Valid},
};

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

    /// Validates a document.
    pub(super) fn validate(
        &self,
        document: &Document,
    ) -> Result<Valid<ExecutableDocument>, DiagnosticList> {
        let (document, mut errors) = match document.to_executable(self.schema) {
            Ok(document) => (document, DiagnosticList::new(SourceMap::default())),
            Err(failed) => (failed.partial, failed.errors),
        };
        // apollo-compiler visits every type of the schema for each document that has a fragment.
        let part = Valid::assume_valid(self.part(&document));
        match document.validate(&part) {
            Ok(document) if errors.is_empty() => Ok(document),
            Ok(_) => Err(errors),
            Err(failed) => {
                errors.merge(failed.errors);
                Err(errors)
            }
        }
    }

    /// The definitions that the validation of a document reads.
    fn part(&self, document: &ExecutableDocument) -> Schema {
        let mut part = Part {
            target: self,
            document,
            schema: Schema {
                sources: SourceMap::default(),
                schema_definition: self.schema.schema_definition.clone(),
                directive_definitions: IndexMap::default(),
                types: IndexMap::default(),
            },
        };
        for operation in document.operations.iter() {
            part.directives(&operation.directives);
            for variable in &operation.variables {
                part.directives(&variable.directives);
                part.named_type(variable.ty.inner_named_type());
                if let Some(value) = &variable.default_value {
                    part.value(&variable.ty, value);
                }
            }
            part.selections(&operation.selection_set);
        }
        for fragment in document.fragments.values() {
            part.directives(&fragment.directives);
            part.selections(&fragment.selection_set);
        }
        part.schema
    }

    /// An object type that two types have in common, if both are interfaces or unions.
    fn common_object(&self, one: &Name, other: &Name) -> Option<&'a Name> {
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

/// Collects the definitions that the validation of a document reads.
struct Part<'a> {
    target: &'a Target<'a>,
    document: &'a ExecutableDocument,
    schema: Schema,
}

impl Part<'_> {
    fn named_type(&mut self, name: &Name) {
        if !self.schema.types.contains_key(name)
            && let Some(ty) = self.target.schema.types.get(name)
        {
            self.schema.types.insert(name.clone(), ty.clone());
        }
    }

    fn selections(&mut self, set: &SelectionSet) {
        self.named_type(&set.ty);
        for selection in &set.selections {
            self.directives(selection.directives());
            match selection {
                Selection::Field(field) => {
                    self.arguments(&field.definition.arguments, &field.arguments);
                    self.selections(&field.selection_set);
                }
                Selection::InlineFragment(inline) => {
                    self.condition(&set.ty, &inline.selection_set.ty);
                    self.selections(&inline.selection_set);
                }
                Selection::FragmentSpread(spread) => {
                    if let Some(fragment) = self.document.fragments.get(&spread.fragment_name) {
                        self.condition(&set.ty, fragment.type_condition());
                    }
                }
            }
        }
    }

    /// A fragment on a type in a selection of another: valid if they have an object type in common.
    fn condition(&mut self, parent: &Name, condition: &Name) {
        if parent != condition
            && let Some(object) = self.target.common_object(parent, condition)
        {
            self.named_type(object);
        }
    }

    fn directives(&mut self, directives: &DirectiveList) {
        for directive in directives {
            let definitions = &self.target.schema.directive_definitions;
            if let Some(definition) = definitions.get(&directive.name) {
                let definitions = &mut self.schema.directive_definitions;
                definitions.insert(directive.name.clone(), definition.clone());
                self.arguments(&definition.arguments, &directive.arguments);
            }
        }
    }

    fn arguments(
        &mut self,
        definitions: &[Node<InputValueDefinition>],
        arguments: &[Node<Argument>],
    ) {
        for argument in arguments {
            let mut definitions = definitions.iter();
            if let Some(definition) = definitions.find(|one| one.name == argument.name) {
                self.value(&definition.ty, &argument.value);
            }
        }
    }

    fn value(&mut self, ty: &Type, value: &Value) {
        let name = ty.inner_named_type();
        self.named_type(name);
        match value {
            Value::List(items) => {
                for item in items {
                    self.value(ty, item);
                }
            }
            Value::Object(given) => {
                let Some(input) = self.target.schema.get_input_object(name) else {
                    return;
                };
                for (name, value) in given {
                    if let Some(field) = input.fields.get(name) {
                        self.value(&field.ty, value);
                    }
                }
            }
            _ => {}
        }
    }
}
