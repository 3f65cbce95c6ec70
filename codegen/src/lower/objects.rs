//! Objects, interfaces and unions.

use apollo_compiler::{
    Name, ast,
    schema::{Component, ExtendedType, InterfaceType, ObjectType, UnionType},
};

use super::{Lowering, inputs::path_of};
use crate::{
    model::{Abstract, AnsweredBy, Definition, Field, Input, Interface, Member, Object},
    name, reach,
};

impl Lowering<'_> {
    pub(super) fn object(&mut self, object: &ObjectType) -> Definition {
        let header = self.type_header(&object.name, object.description.as_deref());
        let operation = self.roots.get(object.name.as_str()).copied();
        let bound = self
            .bindings
            .objects
            .get(object.name.as_str())
            .map(|path| path_of(path));
        let interfaces: Vec<String> = object
            .implements_interfaces
            .iter()
            .map(std::string::ToString::to_string)
            .collect();
        if let (Some(_), Some(interface)) = (operation, object.implements_interfaces.first()) {
            let message = format!(
                "the root type {} can't implement the interface {interface}; let other types implement it",
                object.name
            );
            self.add(interface.name.location(), message);
        }
        let answered_by = match (operation, bound) {
            (Some(_), _) => AnsweredBy::Root,
            (None, Some(path)) if self.resolved.contains(object.name.as_str()) => {
                AnsweredBy::Resolvers(path)
            }
            (None, Some(path)) => AnsweredBy::Getters(path),
            (None, None) => {
                self.refuse_unbound_resolved(object);
                AnsweredBy::Struct
            }
        };
        let unions = self
            .schema
            .types
            .values()
            .filter_map(ExtendedType::as_union);
        let unions = unions
            .filter(|union| union.members.contains(&object.name))
            .map(|union| union.name.to_string());
        let conditions = [header.name.clone()]
            .into_iter()
            .chain(interfaces.clone())
            .chain(unions)
            .collect();
        let object = Object {
            resolver_ident: name::of_resolver(&object.name),
            interfaces,
            conditions,
            fields: self.fields(&object.name, object.fields.values()),
            answered_by,
            header,
        };
        match operation {
            Some(ast::OperationType::Subscription) => Definition::Subscription(object),
            _ => Definition::Object(object),
        }
    }

    pub(super) fn refuse_unbound_resolved(&mut self, object: &ObjectType) {
        if !self.resolved.contains(object.name.as_str()) {
            return;
        }
        let name = &object.name;
        let cause = object.fields.values().find_map(|field| {
            let leads_to = field.ty.inner_named_type();
            if !field.arguments.is_empty() {
                Some((field, "takes arguments".to_owned()))
            } else if self.resolved.contains(leads_to.as_str()) {
                Some((
                    field,
                    format!("leads to {leads_to}, whose fields take arguments"),
                ))
            } else {
                None
            }
        });
        if let Some((field, why)) = cause {
            let message = format!(
                "{name}.{} {why}, so {name} needs a Rust type that resolves it; name one in build.rs: .object(\"{name}\", \"crate::…\")",
                field.name
            );
            self.add(field.name.location(), message);
        }
    }

    pub(super) fn interface(&mut self, interface: &InterfaceType) -> Abstract {
        let header = self.type_header(&interface.name, interface.description.as_deref());
        let fields = self.fields(&interface.name, interface.fields.values());
        let interfaces = interface
            .implements_interfaces
            .iter()
            .map(std::string::ToString::to_string)
            .collect();
        let members = self.members(&interface.name);
        if members.is_empty() {
            let message = format!(
                "no object type implements the interface {0}, so it could never be answered; implement it or remove it",
                interface.name
            );
            self.add(interface.name.location(), message);
        }
        Abstract {
            header,
            interface: Some(Interface { fields, interfaces }),
            members,
        }
    }

    pub(super) fn union(&mut self, union: &UnionType) -> Abstract {
        let header = self.type_header(&union.name, union.description.as_deref());
        Abstract {
            header,
            interface: None,
            members: self.members(&union.name),
        }
    }

    pub(super) fn members(&mut self, abstract_name: &Name) -> Vec<Member> {
        let definition = &self.schema.types[abstract_name];
        let names = reach::possible_types(self.schema, definition);
        let mut members = Vec::new();
        for name in names {
            if self.resolved.contains(&name) {
                let message = format!(
                    "{abstract_name} may be {name}, which has fields with arguments (or leads to one): such types can't be part of an interface or union here; move those fields to another type"
                );
                self.add(abstract_name.location(), message);
            }
            members.push(Member {
                variant: name::of_type(&name),
                rust: self.named_rust(&name),
                name,
            });
        }
        members
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
                .map(|argument| self.input(argument, ""))
                .collect();
            let named = field.ty.inner_named_type();
            if self.roots.contains_key(named.as_str()) {
                let message = format!(
                    "{owner}.{} answers the root type {named}, which only the service as a whole can answer; use another type",
                    field.name
                );
                self.add(field.name.location(), message);
            }
            lowered.push(Field {
                header: self.header(
                    &field.name,
                    name::of_field(&field.name),
                    field.description.as_deref(),
                    &field.directives,
                ),
                arguments_ident: (!arguments.is_empty())
                    .then(|| name::of_arguments(owner, &field.name)),
                arguments,
                ty: self.type_ref(&field.ty, owner),
            });
        }
        lowered
    }
}
