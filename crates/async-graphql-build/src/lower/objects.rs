//! Objects, interfaces and unions.

use std::path::Path;

use apollo_compiler::{
    Name, ast,
    collections::IndexSet,
    schema::{Component, ComponentName, ExtendedType, InterfaceType, ObjectType, UnionType},
};

use graphql_sdl::Element;

use super::lowering::Lowering;
use crate::{
    model::{
        Abstract, Bound, Definition, Field, Header, Implementation, Input, Interface, Member, Object, Reference,
        Resolution,
    },
    name,
    reachability::{self, names},
};

/// The reason of a trait for what could be a struct.
const BOUND: &str = "the build script names a type";

impl Lowering<'_> {
    pub(super) fn object(&mut self, object: &ObjectType) -> Definition {
        let header = self.type_header(&object.name);
        let is_root = self.roots.contains(object.name.as_str());
        let bound = self.bindings.objects.get(object.name.as_str());
        let interfaces = self.references(&object.implements_interfaces);
        let is_subscription = self.subscription.as_ref() == Some(&object.name);
        if is_subscription && reachability::is_value(self.schema, &object.name) {
            let message = format!(
                "{0} is the root type of subscriptions, whose fields have no values, so it cannot be the type of a field, a member of a union or implement an interface; use another type there",
                object.name
            );
            self.add(object.name.location(), message);
        }
        let implementation = match (is_root, bound) {
            (true, _) if is_subscription => Implementation::Subscription,
            (true, _) => Implementation::Root,
            (false, bound) => {
                let reason = self.reason_of_resolvers(object);
                let bound = bound.map(|path| Bound {
                    path: path.clone(),
                    reason: reason.clone().unwrap_or_else(|| BOUND.to_owned()),
                });
                match (bound, reason) {
                    (Some(bound), Some(_)) => Implementation::Resolvers(bound),
                    (Some(bound), None) if self.bindings.read.contains(object.name.as_str()) => {
                        Implementation::Fields(bound)
                    }
                    (Some(bound), None) => Implementation::Getters(bound),
                    (None, reason) => {
                        let unbound = reason.map(|reason| (object.name.clone(), reason));
                        self.unbound_objects.extend(unbound);
                        Implementation::Struct
                    }
                }
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
        let mut resolver_idents = Vec::new();
        for ident in resolved.map(|field| &field.resolver_ident) {
            if !resolver_idents.contains(ident) {
                resolver_idents.push(ident.clone());
            }
        }
        Definition::Object(Object { header, resolver_idents, interfaces, conditions, fields, implementation })
    }

    /// Why the object has resolvers, if it has.
    fn reason_of_resolvers(&self, object: &ObjectType) -> Option<String> {
        let name = &object.name;
        if !self.resolved.contains(name.as_str()) {
            return None;
        }
        let definition = &self.schema.schema_definition;
        let mut roots = definition.iter_root_operations();
        if roots.any(|(_, root)| root.name == *name) {
            let reason = "it is a root type and also the type of a field, a member of a union, or has interfaces";
            return Some(reason.to_owned());
        }
        let mut fields = object.fields.values();
        let reason = fields.find_map(|field| {
            let named = field.ty.inner_named_type();
            if !field.arguments.is_empty() {
                Some(format!("{} has arguments", field.name))
            } else if self.resolved.contains(named.as_str()) {
                let field = &field.name;
                Some(format!("{field} returns {named}, which has resolvers"))
            } else {
                None
            }
        });
        Some(reason.unwrap_or_else(|| BOUND.to_owned()))
    }

    pub(super) fn interface(&mut self, interface: &InterfaceType) -> Abstract {
        let header = self.type_header(&interface.name);
        let fields = self.fields(&interface.name, interface.fields.values());
        let interfaces = self.references(&interface.implements_interfaces);
        let members = self.members(&interface.name);
        Abstract {
            header,
            interface: Some(Interface { fields, interfaces }),
            members,
            is_resolved: self.resolved.contains(interface.name.as_str()),
        }
    }

    pub(super) fn union(&mut self, union: &UnionType) -> Abstract {
        let header = self.type_header(&union.name);
        Abstract {
            header,
            interface: None,
            members: self.members(&union.name),
            is_resolved: self.resolved.contains(union.name.as_str()),
        }
    }

    fn reference(&self, name: String) -> Reference {
        Reference { rust: self.named_rust(&name), name }
    }

    fn references(&self, interfaces: &IndexSet<ComponentName>) -> Vec<Reference> {
        let names = names(interfaces).into_iter();
        names.map(|name| self.reference(name)).collect()
    }

    fn members(&self, abstract_name: &Name) -> Vec<Member> {
        let definition = &self.schema.types[abstract_name];
        let names = reachability::possible_types(self.schema, definition);
        let members = names.into_iter().map(|name| Member {
            variant: self.names.type_ident(&name),
            is_resolved: self.resolved.contains(&name),
            reference: self.reference(name),
        });
        members.collect()
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
        let file = Path::new(&*self.files[field.location.file]);
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let stem = stem.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_");
        name::pascal_case(&format!("{stem}_{}", ident.trim_start_matches("r#")))
    }
}
