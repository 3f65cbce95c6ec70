//! Objects, interfaces and unions.

use std::path::Path;

use apollo_compiler::{
    Name, ast,
    collections::IndexSet,
    schema::{Component, ExtendedType, ObjectType},
};

use graphql_sdl::Element;

use super::lowering::Lowering;
use crate::{
    model::{Abstract, Bound, Definition, Field, Header, Implementation, Input, Object, Reference, Resolution},
    name,
    reachability::{self, names},
};

/// The reason of a trait for what could be a struct.
pub(super) const BOUND: &str = "the build script names a type";

impl Lowering<'_> {
    pub(super) fn object(&mut self, object: &ObjectType) -> Definition {
        let header = self.type_header(&object.name);
        let is_root = self.roots.contains(object.name.as_str());
        let bound = self.bindings.objects.get(object.name.as_str());
        let interfaces = self.references(names(&object.implements_interfaces));
        let is_subscription = self.subscription.as_ref() == Some(&object.name);
        if is_subscription && reachability::is_value(self.schema, &object.name) {
            let message = format!(
                "{0} is the root type of subscriptions, whose fields have no values, so it cannot be the type of a field, a member of a union or implement an interface; use another type there",
                object.name
            );
            self.add(object.name.location(), message);
        }
        let implementation = match (bound, self.resolved.get(object.name.as_str()).cloned()) {
            _ if is_root && is_subscription => Implementation::Subscription,
            _ if is_root => Implementation::Root,
            (Some(path), reason) => {
                let (path, is_resolved) = (path.clone(), reason.is_some());
                let bound = Bound { path, reason: reason.unwrap_or_else(|| BOUND.to_owned()) };
                if is_resolved {
                    Implementation::Resolvers(bound)
                } else if self.bindings.read.contains(object.name.as_str()) {
                    Implementation::Fields(bound)
                } else {
                    Implementation::Getters(bound)
                }
            }
            (None, reason) => {
                let name = &object.name;
                self.unbound_objects.extend(reason.map(|reason| {
                    let message = format!(
                        "{name} needs a Rust type with resolvers, because {reason}; name one in the build script: .object(\"{name}\", \"crate::…\")"
                    );
                    (name.clone(), message)
                }));
                Implementation::Struct
            }
        };
        let types = self.schema.types.values();
        let unions = types.filter_map(ExtendedType::as_union);
        let unions = unions.filter(|union| union.members.contains(&object.name));
        let mut conditions = vec![header.name.clone()];
        conditions.extend(names(&object.implements_interfaces));
        conditions.extend(unions.map(|union| union.name.to_string()));
        let fields = self.fields(&object.name, object.fields.values());
        let resolved = fields.iter().filter(|field| !field.is_read);
        let resolver_idents: IndexSet<_> = resolved.map(|field| field.resolver_ident.clone()).collect();
        let resolver_idents = resolver_idents.into_iter().collect();
        Definition::Object(Object { header, resolver_idents, interfaces, conditions, fields, implementation })
    }

    /// An interface or union.
    pub(super) fn abstract_type(&mut self, definition: &ExtendedType) -> Abstract {
        let name = definition.name();
        let interface = definition.as_interface();
        Abstract {
            header: self.type_header(name),
            kind: if interface.is_some() { "Interface" } else { "Union" },
            interfaces: interface.map_or_else(Vec::new, |of| self.references(names(&of.implements_interfaces))),
            fields: interface.map_or_else(Vec::new, |of| self.fields(name, of.fields.values())),
            members: self.references(reachability::possible_types(self.schema, definition)),
            is_resolved: self.resolved.contains_key(name.as_str()),
        }
    }

    fn references(&self, names: Vec<String>) -> Vec<Reference> {
        let references = names.into_iter().map(|name| Reference {
            rust: self.named_rust(&name),
            is_resolved: self.resolved.contains_key(&name),
            name,
        });
        references.collect()
    }

    pub(super) fn fields<'f>(
        &mut self,
        owner: &Name,
        fields: impl Iterator<Item = &'f Component<ast::FieldDefinition>>,
    ) -> Vec<Field> {
        let mut lowered = Vec::new();
        for field in fields {
            let arguments: Vec<Input> = field
                .arguments
                .iter()
                .filter_map(|argument| self.input(Element::Argument(owner, &field.name, argument)))
                .collect();
            let coordinate = format!("{owner}.{}", field.name);
            let mut guards: Vec<_> = self.bindings.guards.get(&coordinate).cloned().into_iter().collect();
            guards.extend(self.guards(owner, field));
            let header = self.header(Element::Field(owner, field), name::field_ident);
            let ty = self.type_ref(&field.ty, owner);
            lowered.push(Field {
                resolver_ident: self.resolver_ident(owner, &header),
                is_read: self.bindings.read.contains(owner.as_str())
                    && arguments.is_empty()
                    && guards.is_empty()
                    && ty.resolution != Resolution::Resolved,
                guards,
                complexity: self.bindings.complexities.get(&coordinate).cloned(),
                header,
                arguments_ident: (!arguments.is_empty()).then(|| self.names.arguments_ident(owner, &field.name)),
                arguments,
                ty,
            });
        }
        lowered
    }

    /// The trait of the resolver of a field: that of its type, or of its type and its file.
    fn resolver_ident(&self, owner: &Name, field: &Header) -> String {
        let ident = self.names.resolver_ident(owner);
        if !self.bindings.resolvers_by_file || !self.roots.contains(owner.as_str()) {
            return ident;
        }
        let file = Path::new(&*field.location.file);
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let stem = stem.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_");
        name::pascal_case(&format!("{stem}_{}", ident.trim_start_matches("r#")))
    }
}
