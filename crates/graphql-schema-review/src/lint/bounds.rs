//! Lists without a limit.

use std::collections::HashSet;

use apollo_compiler::{
    Name,
    ast::{FieldDefinition, InputValueDefinition, OperationType, Type},
    schema::ExtendedType,
};
use graphql_sdl::Schema;

use super::relay::{CONNECTION, Relay};

/// The arguments that bound a list, in lower case without underscores.
const LIMITS: [&str; 7] = ["count", "first", "last", "limit", "pagesize", "perpage", "take"];

/// The lists of a schema that can grow.
pub(super) struct Lists<'a> {
    schema: &'a Schema,
    relay: &'a Relay<'a>,
    /// The names of other arguments that bound a list.
    limits: &'a [String],
    /// The input objects that bound a list.
    bounding: HashSet<&'a Name>,
    /// The types of objects that have an `id`, and the unions of some of them.
    with_id: HashSet<&'a Name>,
    /// The root type of mutations, and the types of its fields whose fields are mutations.
    mutations: HashSet<&'a Name>,
    /// The types without an `id` that mutations return.
    payloads: HashSet<&'a Name>,
}

impl<'a> Lists<'a> {
    pub(super) fn new(schema: &'a Schema, relay: &'a Relay<'a>, limits: &'a [String]) -> Self {
        let mut lists = Self {
            schema,
            relay,
            limits,
            bounding: HashSet::new(),
            with_id: HashSet::new(),
            mutations: HashSet::new(),
            payloads: HashSet::new(),
        };
        let types = &schema.tree().types;
        // An input object bounds a list if one of its fields does: `filter: { page: { limit } }`.
        loop {
            let found: Vec<_> = types
                .iter()
                .filter(|(name, _)| !lists.bounding.contains(name))
                .filter_map(|(name, ty)| Some((name, ty.as_input_object()?)))
                .filter(|(_, input)| input.fields.values().any(|one| lists.is_bound(one)))
                .map(|(name, _)| name)
                .collect();
            if found.is_empty() {
                break;
            }
            lists.bounding.extend(found);
        }
        for name in types.keys() {
            if schema.tree().type_field(name, "id").is_ok() {
                lists.with_id.insert(name);
            }
        }
        for (name, definition) in types {
            if let ExtendedType::Union(union) = definition
                && union.members.iter().any(|one| lists.with_id.contains(&one.name))
            {
                lists.with_id.insert(name);
            }
        }
        let mutation = lists.root(OperationType::Mutation);
        let fields = |ty: &Name| {
            let object = schema.tree().get_object(ty);
            object.into_iter().flat_map(|object| object.fields.values())
        };
        // The mutations of a namespace: `mutation { books { create(title: "…") { id } } }`.
        let is_namespace = |field: &&FieldDefinition| {
            let mut parts = fields(field.ty.inner_named_type());
            field.arguments.is_empty() && parts.any(|part| !part.arguments.is_empty())
        };
        if let Some(root) = mutation {
            let namespaces = fields(root).map(|field| &***field).filter(is_namespace);
            let namespaces = namespaces.map(|field| field.ty.inner_named_type());
            lists.mutations.extend(namespaces.filter(|ty| !lists.with_id.contains(ty)));
            lists.mutations.insert(root);
        }
        let returned = lists.mutations.iter().flat_map(|ty| fields(ty));
        let returned = returned.map(|field| field.ty.inner_named_type());
        lists.payloads = returned.filter(|ty| !lists.with_id.contains(ty)).collect();
        lists
    }

    /// What is wrong with a field that returns a list without a limit. Objects without an `id` are parts of the object
    /// that lists them, and their number is part of its design.
    pub(super) fn missing_bound(&self, ty: &Name, field: &FieldDefinition) -> Option<String> {
        let output = field.ty.inner_named_type();
        let is_root = |operation| self.root(operation) == Some(ty);
        let can_grow = if field.ty.is_list() {
            // A mutation returns what it changes, which its arguments bound.
            !self.relay.lists_page(ty)
                && !ty.ends_with(CONNECTION)
                && !self.mutations.contains(ty)
                && !is_root(OperationType::Subscription)
                && !self.payloads.contains(ty)
                && (self.with_id.contains(output) || is_root(OperationType::Query) && self.is_object(output))
        } else {
            output.ends_with(CONNECTION) && self.is_object(output) && !self.relay.is_connection(output)
        };
        let is_bounded = || field.arguments.iter().any(|argument| self.bounds(argument));
        (can_grow && !is_bounded())
            .then(|| "returns a list without a limit: add an Int argument named first, last, limit or count".to_owned())
    }

    /// Whether an argument bounds a list: a number with a known name, also in an input object, or a list of what is
    /// wanted.
    fn bounds(&self, argument: &InputValueDefinition) -> bool {
        matches!(&*argument.ty, Type::NonNullList(_)) || self.is_bound(argument)
    }

    fn is_bound(&self, input: &InputValueDefinition) -> bool {
        self.is_limit(input) || !input.ty.is_list() && self.bounding.contains(input.ty.inner_named_type())
    }

    /// Whether the fields of a type are mutations.
    pub(super) fn is_mutation(&self, ty: &Name) -> bool {
        self.mutations.contains(ty)
    }

    fn is_limit(&self, input: &InputValueDefinition) -> bool {
        // `PositiveInt` and others.
        let is_number = input.ty.inner_named_type().ends_with("Int") && !input.ty.is_list();
        let name = input.name.replace('_', "").to_lowercase();
        let is_other = |limit: &String| input.name == limit.as_str();
        is_number && (LIMITS.contains(&&*name) || self.limits.iter().any(is_other))
    }

    fn is_object(&self, ty: &Name) -> bool {
        let definition = self.schema.tree().types.get(ty);
        definition.is_some_and(|ty| ty.is_object() || ty.is_interface() || ty.is_union())
    }

    fn root(&self, operation: OperationType) -> Option<&'a Name> {
        self.schema.tree().root_operation(operation)
    }
}
