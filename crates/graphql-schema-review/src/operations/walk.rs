//! Walks an operation: which elements of a schema it uses, and where. Its validation takes a time that depends on the
//! operation and not on the size of the schema.

use std::iter;

use apollo_compiler::{
    Name, Node, Schema,
    ast::{Argument, DirectiveList, InputValueDefinition, Value},
    collections::{HashMap, IndexMap},
    executable::{ExecutableDocument, Field, Operation, Selection, SelectionSet},
    parser::{SourceMap, SourceSpan},
    schema::{ExtendedType, Type},
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

/// A use of an element of the schema.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use<'a> {
    pub(super) used: Element<'a>,
    pub(super) span: SourceSpan,
    /// The response key of the field, for a field and its types.
    pub(super) key: Option<&'a str>,
    /// Whether it is an input without a value in the operation.
    pub(super) is_omitted: bool,
}

/// The walk of one operation.
pub(super) struct Walk<'a> {
    target: &'a Target<'a>,
    document: &'a ExecutableDocument,
    pub(super) uses: Vec<Use<'a>>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(target: &'a Target<'a>, document: &'a ExecutableDocument) -> Self {
        let mut walk = Self { target, document, uses: Vec::new() };
        for operation in document.operations.iter() {
            walk.operation(operation);
        }
        // Each fragment is walked once, and without recursion through its spreads.
        for fragment in document.fragments.values() {
            walk.add_type(fragment.type_condition(), fragment.location());
            walk.directives(&fragment.directives);
            walk.selections(&fragment.selection_set);
        }
        walk
    }

    fn operation(&mut self, operation: &'a Node<Operation>) {
        let definition = &self.target.schema.schema_definition;
        self.add(Element::Schema(definition), operation.location());
        self.directives(&operation.directives);
        for variable in &operation.variables {
            let ty = &*variable.ty;
            self.add_type(ty.inner_named_type(), variable.location());
            self.directives(&variable.directives);
            if let Some(value) = &variable.default_value {
                self.value(value, ty);
            }
        }
        self.selections(&operation.selection_set);
    }

    fn add_type(&mut self, name: &Name, span: Option<SourceSpan>) {
        if let Some(definition) = self.target.schema.types.get(name) {
            self.add(Element::Type(definition), span);
        }
    }

    fn add(&mut self, used: Element<'a>, span: Option<SourceSpan>) {
        self.uses.extend(span.map(|span| Use { used, span, key: None, is_omitted: false }));
    }

    fn selections(&mut self, set: &'a SelectionSet) {
        for selection in &set.selections {
            self.directives(selection.directives());
            match selection {
                Selection::Field(field) => self.field(&set.ty, field),
                Selection::InlineFragment(inline) => {
                    if let Some(condition) = &inline.type_condition {
                        self.condition(&set.ty, condition, inline.location());
                    }
                    self.selections(&inline.selection_set);
                }
                Selection::FragmentSpread(spread) => {
                    if let Some(fragment) = self.document.fragments.get(&spread.fragment_name) {
                        self.condition(&set.ty, fragment.type_condition(), spread.location());
                    }
                }
            }
        }
    }

    fn field(&mut self, ty: &'a Name, field: &'a Node<Field>) {
        let Some(span) = field.location() else { return };
        let definition = &field.definition;
        let types = &self.target.schema.types;
        let types = [types.get(ty), types.get(definition.ty.inner_named_type())];
        let types = types.into_iter().flatten().map(Element::Type);
        let uses = iter::once(Element::Field(ty, definition)).chain(types);
        self.uses.extend(uses.map(|used| Use { used, span, key: Some(field.response_key()), is_omitted: false }));
        self.arguments(&definition.arguments, &field.arguments, span, |argument| {
            Element::Argument(ty, &field.name, argument)
        });
        self.selections(&field.selection_set);
    }

    /// A fragment on a type in a selection of another. It uses the object types that both have in
    /// common, of which only those with changes matter, and one that makes the fragment valid.
    fn condition(&mut self, parent: &'a Name, condition: &'a Name, span: Option<SourceSpan>) {
        self.add_type(condition, condition.location());
        self.add_type(condition, span);
        if parent == condition {
            return;
        }
        self.add_type(parent, span);
        let target = self.target;
        let is_subtype = |ty: &Name, object: &Name| target.schema.is_subtype(ty, object);
        let changed = target.changed_objects.iter().copied();
        let changed = changed.filter(|object| is_subtype(parent, object) && is_subtype(condition, object));
        for object in changed.chain(target.common_object(parent, condition)) {
            self.add_type(object, span);
        }
    }

    fn directives(&mut self, directives: &'a DirectiveList) {
        for directive in directives {
            let Some(span) = directive.location() else {
                continue;
            };
            let definitions = &self.target.schema.directive_definitions;
            if let Some(definition) = definitions.get(&directive.name) {
                self.add(Element::Directive(definition), Some(span));
                self.arguments(&definition.arguments, &directive.arguments, span, |argument| {
                    Element::DirectiveArgument(&directive.name, argument)
                });
            }
        }
    }

    fn arguments(
        &mut self,
        definitions: &'a [Node<InputValueDefinition>],
        given: &'a [Node<Argument>],
        span: SourceSpan,
        used: impl Fn(&'a Node<InputValueDefinition>) -> Element<'a>,
    ) {
        for definition in definitions {
            // An invalid document can give an argument twice.
            let given = given.iter().filter(|given| given.name == definition.name);
            let values = given.map(|given| (&given.value, given.location()));
            self.input(used(definition), &definition.ty, values, Some(span));
        }
    }

    /// An input with the values that are given for it in a part of the operation.
    fn input(
        &mut self,
        used: Element<'a>,
        ty: &'a Type,
        values: impl Iterator<Item = (&'a Node<Value>, Option<SourceSpan>)>,
        span: Option<SourceSpan>,
    ) {
        let mut is_omitted = true;
        for (value, span) in values {
            self.add(used, span);
            self.value(value, ty);
            is_omitted = false;
        }
        self.uses.extend(span.filter(|_| is_omitted).map(|span| Use { used, span, key: None, is_omitted }));
    }

    fn value(&mut self, value: &'a Node<Value>, ty: &'a Type) {
        let (name, span) = (ty.inner_named_type(), value.location());
        self.add_type(name, span);
        match &**value {
            Value::Enum(value) => {
                let definition = self.target.schema.get_enum(name);
                if let Some(value) = definition.and_then(|found| found.values.get(value)) {
                    self.add(Element::EnumValue(name, &value.node), span);
                }
            }
            Value::List(items) => {
                for item in items {
                    self.value(item, ty.item_type());
                }
            }
            Value::Object(given) => self.object(given, name, span),
            _ => {}
        }
    }

    fn object(&mut self, given: &'a [(Name, Node<Value>)], ty: &'a Name, span: Option<SourceSpan>) {
        let Some(input) = self.target.schema.get_input_object(ty) else {
            return;
        };
        for field in input.fields.values() {
            let given = given.iter().filter(|(name, _)| *name == field.name);
            let values = given.map(|(_, value)| (value, value.location()));
            self.input(Element::InputField(ty, &field.node), &field.ty, values, span);
        }
    }
}
