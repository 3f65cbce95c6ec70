//! Walks an operation: which elements of the schema it uses, and where.

use std::iter;

use apollo_compiler::{
    Name, Node,
    ast::{Argument, DirectiveList, InputValueDefinition, Value},
    executable::{ExecutableDocument, Field, Operation, Selection, SelectionSet},
    parser::SourceSpan,
    schema::Type,
};
use graphql_sdl::Element;

use super::target::Target;

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
