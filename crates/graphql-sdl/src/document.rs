//! Validates documents where apollo-compiler 1 does not: selects its errors that are not consequences of others or
//! wrong, and finds values that it accepts: variables in lists and input objects, variables whose default is null,
//! `@oneOf` input objects, and repeated fields of input objects.

use std::collections::HashSet;

use apollo_compiler::{
    Name, Node, Schema,
    ast::{Argument, DirectiveList, InputValueDefinition, Type, Value, VariableDefinition},
    diagnostic::ToCliReport,
    executable::{ExecutableDocument, Selection, SelectionSet},
    parser::SourceSpan,
    validation::{DiagnosticData, DiagnosticList},
};

use crate::excerpt;

/// The errors of a document, without those that follow from others: apollo-compiler omits what is not defined from the
/// document, and then reports what the rest lacks or does not use.
pub fn causes(errors: &DiagnosticList) -> Vec<&DiagnosticData> {
    let errors: Vec<_> = errors.iter().map(|found| found.error).collect();
    let name = |error: &DiagnosticData| error.unstable_error_name().unwrap_or_default();
    let has_unknown_type = errors.iter().any(|error| name(error) == "UndefinedDefinition");
    let can_follow = |error: &DiagnosticData| match name(error) {
        "MissingSubselection" | "UndefinedFragment" | "UnusedFragment" | "UnusedVariable" => true,
        // The type of the variable may be unknown.
        "DisallowedVariableUsage" => has_unknown_type,
        _ => false,
    };
    let spans: Vec<_> = errors.iter().filter(|error| !can_follow(error)).map(ToCliReport::location).collect();
    let is_cause = |error: &&DiagnosticData| {
        if name(error) == "MissingSubselection" {
            let is_inside = |other: SourceSpan| error.location().is_some_and(|field| contains(field, other));
            return !spans.iter().any(|other| other.is_some_and(is_inside));
        }
        spans.is_empty() || !can_follow(error)
    };
    errors.iter().copied().filter(is_cause).collect()
}

/// Whether a span is inside of another one.
pub fn contains(outer: SourceSpan, inner: SourceSpan) -> bool {
    outer.file_id() == inner.file_id() && outer.offset() <= inner.offset() && inner.end_offset() <= outer.end_offset()
}

/// Whether an error of a document is that a subscription has several root fields, although they have one response name
/// and so are one field (GraphQL specification, section 5.2.4.1): apollo-compiler counts the selections.
pub fn is_one_root_field(document: &ExecutableDocument, error: &DiagnosticData) -> bool {
    if error.unstable_error_name() != Some("SubscriptionUsesMultipleFields") {
        return false;
    }
    let operation = document.operations.iter().find(|operation| operation.location() == error.location());
    operation.is_some_and(|operation| {
        let names: HashSet<_> = operation.root_fields(document).map(|field| field.response_key()).collect();
        names.len() == 1
    })
}

/// The maximum number of invalid values that are found.
const MAX_FOUND: usize = 20;

/// A value that is not valid at its position, or a variable that may have such a value.
#[derive(Clone, Debug)]
pub struct InvalidValue {
    /// Where it is.
    pub span: Option<SourceSpan>,
    /// Why it is not valid.
    pub message: String,
}

/// The first invalid values of a document (GraphQL specification, sections 5.6 and 5.8.5), of those that apollo-compiler
/// accepts. A schema from introspection may lack `@oneOf`.
pub fn invalid_values(schema: &Schema, document: &ExecutableDocument, validates_one_of: bool) -> Vec<InvalidValue> {
    let mut found = Vec::new();
    for operation in document.operations.iter() {
        let mut validation = Validation {
            schema,
            document,
            validates_one_of,
            variables: &operation.variables,
            fragments: HashSet::new(),
            pending: vec![&operation.selection_set],
            found,
        };
        validation.directives(&operation.directives);
        for variable in &operation.variables {
            validation.directives(&variable.directives);
            if let Some(value) = &variable.default_value {
                validation.value(value, &Place::of_type(&variable.ty));
            }
        }
        while let Some(selections) = validation.pending.pop() {
            validation.selections(selections);
        }
        found = validation.found;
    }
    found.truncate(MAX_FOUND);
    found
}

/// The validation of one operation.
struct Validation<'a> {
    schema: &'a Schema,
    document: &'a ExecutableDocument,
    validates_one_of: bool,
    variables: &'a [Node<VariableDefinition>],
    /// The names of the fragments that are spread.
    fragments: HashSet<&'a Name>,
    /// The selections to be validated: fragments are not nested, so that a chain of them does not overflow the stack.
    pending: Vec<&'a SelectionSet>,
    found: Vec<InvalidValue>,
}

/// The position of a value.
struct Place<'a> {
    ty: &'a Type,
    /// Whether a value that is absent at run time is replaced by a default value.
    has_default: bool,
    /// Whether it is a field of a `@oneOf` input object.
    is_one_of: bool,
}

impl<'a> Place<'a> {
    fn of_type(ty: &'a Type) -> Self {
        Self { ty, has_default: false, is_one_of: false }
    }

    fn of(input: &'a InputValueDefinition) -> Self {
        Self { has_default: input.default_value.is_some(), ..Self::of_type(&input.ty) }
    }
}

impl<'a> Validation<'a> {
    fn selections(&mut self, set: &'a SelectionSet) {
        for selection in &set.selections {
            if self.found.len() >= MAX_FOUND {
                return;
            }
            self.directives(selection.directives());
            match selection {
                Selection::Field(field) => {
                    self.arguments(&field.definition.arguments, &field.arguments);
                    self.selections(&field.selection_set);
                }
                Selection::InlineFragment(inline) => self.selections(&inline.selection_set),
                Selection::FragmentSpread(spread) => {
                    let fragment = self.document.fragments.get(&spread.fragment_name);
                    if let Some(fragment) = fragment
                        && self.fragments.insert(&fragment.name)
                    {
                        self.directives(&fragment.directives);
                        self.pending.push(&fragment.selection_set);
                    }
                }
            }
        }
    }

    fn directives(&mut self, directives: &DirectiveList) {
        for directive in directives {
            let schema = self.schema;
            if let Some(definition) = schema.directive_definitions.get(&directive.name) {
                self.arguments(&definition.arguments, &directive.arguments);
            }
        }
    }

    fn arguments(&mut self, definitions: &[Node<InputValueDefinition>], given: &[Node<Argument>]) {
        for argument in given {
            if let Some(definition) = definitions.iter().find(|definition| definition.name == argument.name) {
                self.value(&argument.value, &Place::of(definition));
            }
        }
    }

    fn value(&mut self, value: &Node<Value>, place: &Place) {
        match &**value {
            Value::Variable(variable) => self.variable(variable, place, value.location()),
            Value::List(items) => {
                let place = Place::of_type(place.ty.item_type());
                for item in items {
                    self.value(item, &place);
                }
            }
            Value::Object(given) => {
                self.object(given, place.ty.inner_named_type(), value.location());
            }
            _ => {}
        }
    }

    fn object(&mut self, given: &[(Name, Node<Value>)], ty: &Name, span: Option<SourceSpan>) {
        let schema = self.schema;
        let Some(input) = schema.get_input_object(ty) else {
            return;
        };
        let is_one_of = self.validates_one_of && input.directives.has("oneOf");
        if is_one_of && !matches!(given, [(_, value)] if !value.is_null()) {
            let ty = excerpt(ty);
            let message = format!("{ty:?} requires exactly one field, which is not null");
            self.found.push(InvalidValue { span, message });
        }
        let mut names = HashSet::new();
        for (name, value) in given {
            if !names.insert(name) {
                let (span, name) = (value.location(), excerpt(name));
                let message = format!("the field {name:?} is given more than once");
                self.found.push(InvalidValue { span, message });
            }
            if let Some(field) = input.fields.get(name) {
                let place = Place { is_one_of, ..Place::of(field) };
                self.value(value, &place);
            }
        }
    }

    /// Validates that a variable can have only values that are allowed at a position
    /// (GraphQL specification, section 5.8.5).
    fn variable(&mut self, name: &Name, place: &Place, span: Option<SourceSpan>) {
        let Some(variable) = self.variables.iter().find(|variable| variable.name == *name) else {
            return;
        };
        let (ty, expected) = (&*variable.ty, place.ty);
        let default = variable.default_value.as_ref();
        let has_default = place.has_default || default.is_some_and(|value| !value.is_null());
        let is_allowed = if expected.is_non_null() && !ty.is_non_null() {
            has_default && ty.is_assignable_to(&expected.clone().nullable())
        } else {
            ty.is_assignable_to(expected)
        };
        let name = excerpt(name);
        let message = if !is_allowed {
            format!("the variable \"${name}\" of the type {ty} cannot be used where {expected} is expected")
        } else if place.is_one_of && !ty.is_non_null() {
            format!("the variable \"${name}\" in a @oneOf input object must be non-null")
        } else {
            return;
        };
        self.found.push(InvalidValue { span, message });
    }
}
