//! The rules of Relay's cursor connections specification.

use std::collections::HashSet;

use apollo_compiler::{
    Name,
    ast::{FieldDefinition, Type},
    schema::ExtendedType,
};
use graphql_sdl::{Element, Schema};

use super::finding::Rule;

/// The suffix of types that are pages, whether or not they follow the specification.
pub(super) const CONNECTION: &str = "Connection";

/// The connections and edges of a schema.
pub(super) struct Relay<'a> {
    schema: &'a Schema,
    connections: HashSet<&'a Name>,
    edges: HashSet<&'a Name>,
    /// The types with `pageInfo`, also those that are no connections.
    pages: HashSet<&'a Name>,
}

impl<'a> Relay<'a> {
    /// Finds the connections: the types named `…Connection` that have `edges` or `pageInfo`. Other types of this name have
    /// another meaning, such as the connection to a database.
    pub(super) fn new(schema: &'a Schema) -> Self {
        let (mut connections, mut edges) = (HashSet::new(), HashSet::new());
        let mut pages = HashSet::new();
        for name in schema.tree().types.keys() {
            let field = |field| field_of(schema, name, field);
            let (has_edges, has_page_info) = (field("edges"), field("pageInfo"));
            if name.ends_with(CONNECTION) && (has_edges.is_some() || has_page_info.is_some()) {
                connections.insert(name);
                edges.extend(has_edges.map(|edges| edges.ty.inner_named_type()));
            }
            pages.extend(has_page_info.map(|_| name));
        }
        Self { schema, connections, edges, pages }
    }

    pub(super) fn is_connection(&self, ty: &Name) -> bool {
        self.connections.contains(ty)
    }

    /// Whether a type is a page or one of its items: the field that returns the page bounds its lists.
    pub(super) fn lists_page(&self, ty: &Name) -> bool {
        self.pages.contains(ty) || self.edges.contains(ty)
    }

    /// Whether the specification defines what an element means.
    pub(super) fn defines(&self, element: Element) -> bool {
        match element {
            Element::Field(ty, field) => match field.name.as_str() {
                "edges" | "nodes" | "pageInfo" => self.connections.contains(ty),
                "node" | "cursor" => self.edges.contains(ty),
                "hasNextPage" | "hasPreviousPage" | "startCursor" | "endCursor" => is_page_info(ty),
                _ => false,
            },
            Element::Argument(ty, field, argument) => {
                let field = field_of(self.schema, ty, field);
                matches!(&*argument.name, "first" | "last" | "before" | "after")
                    && field.is_some_and(|field| self.is_connection(field.ty.inner_named_type()))
            }
            Element::Type(ty) => {
                let name = ty.name();
                is_page_info(name) || self.is_connection(name) || self.edges.contains(name)
            }
            _ => false,
        }
    }

    /// The violation of the rules by an element.
    pub(super) fn violation(&self, element: Element) -> Option<(Rule, String)> {
        match element {
            Element::Type(ty) => {
                let name = ty.name();
                let (rule, message) = if self.is_connection(name) {
                    (Rule::RelayConnection, self.wrong_connection(name))
                } else if self.edges.contains(name) {
                    (Rule::RelayEdge, self.wrong_edge(name))
                } else if is_page_info(name) {
                    (Rule::RelayPageInfo, self.wrong_page_info(name))
                } else {
                    return None;
                };
                Some((rule, message?))
            }
            Element::Field(_, field) if self.is_connection(field.ty.inner_named_type()) => {
                Some((Rule::RelayArguments, wrong_arguments(field)?))
            }
            _ => None,
        }
    }

    fn wrong_connection(&self, ty: &Name) -> Option<String> {
        let is_one = |ty: &Type| ty.is_non_null() && !ty.is_list();
        let edges = self.wrong_field(ty, "edges", "[…Edge]", Type::is_list);
        edges.or_else(|| self.wrong_field(ty, "pageInfo", "PageInfo!", is_one))
    }

    fn wrong_edge(&self, ty: &Name) -> Option<String> {
        let node = self.wrong_field(ty, "node", "one item", |ty| !ty.is_list());
        node.or_else(|| self.wrong_field(ty, "cursor", "String!", |ty| self.is_scalar(ty)))
    }

    fn wrong_page_info(&self, ty: &Name) -> Option<String> {
        let is_boolean = |ty: &Type| ty.to_string() == "Boolean!";
        // A page without items has no cursor.
        let is_cursor = |ty: &Type| !ty.is_non_null() && self.is_scalar(ty);
        let has = |name| self.wrong_field(ty, name, "Boolean!", is_boolean);
        let cursor = |name| self.wrong_field(ty, name, "String", is_cursor);
        let wrong = has("hasNextPage").or_else(|| has("hasPreviousPage"));
        wrong.or_else(|| cursor("startCursor").or_else(|| cursor("endCursor")))
    }

    /// What is wrong with a field of a type, which has to exist and to have this type.
    fn wrong_field(&self, ty: &Name, name: &str, expected: &str, is_right: impl Fn(&Type) -> bool) -> Option<String> {
        match field_of(self.schema, ty, name) {
            None => Some(format!("has no field {name}: add it with the type {expected}")),
            Some(field) if !is_right(&field.ty) => {
                let found = &field.ty;
                Some(format!("has {name} of the type {found}: change it to {expected}"))
            }
            Some(_) => None,
        }
    }

    fn is_scalar(&self, ty: &Type) -> bool {
        let named = self.schema.tree().types.get(ty.inner_named_type());
        !ty.is_list() && named.is_some_and(ExtendedType::is_scalar)
    }
}

fn is_page_info(ty: &str) -> bool {
    ty == "PageInfo"
}

fn wrong_arguments(field: &FieldDefinition) -> Option<String> {
    let has = |name| field.argument_by_name(name).is_some();
    let is_paged = has("first") && has("after") || has("last") && has("before");
    (!is_paged).then(|| "returns a connection: add the arguments first and after, or last and before".to_owned())
}

fn field_of<'a>(schema: &'a Schema, ty: &str, name: &str) -> Option<&'a FieldDefinition> {
    let field = schema.tree().type_field(ty, name);
    field.ok().map(|field| &***field)
}
