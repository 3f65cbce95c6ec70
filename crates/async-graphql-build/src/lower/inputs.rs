//! Inputs, leaf types and references to types.

use apollo_compiler::{
    Name,
    ast::Type,
    schema::{ExtendedType, InputObjectType},
};
use graphql_sdl::{Element, built_in};

use super::{default_values::is_too_large, lowering::Lowering};
use crate::{
    model::{Default, Header, Input, InputObject, Resolution, TypeRef},
    name,
    names::Convert,
};

impl Lowering<'_> {
    pub(super) fn input_object(&mut self, input: &InputObjectType) -> InputObject {
        let fields = input.fields.values();
        let fields = fields.filter_map(|field| self.input(Element::InputField(&input.name, field)));
        let mut fields: Vec<_> = fields.collect();
        if self.bindings.distinguish_omitted.contains(input.name.as_str()) {
            // A field with a default value is never omitted.
            let fields = fields.iter_mut().filter(|field| field.default.is_none());
            for Input { ty, .. } in fields.filter(|field| field.ty.nullable) {
                ty.rust = format!("async_graphql::MaybeUndefined<{}>", ty.rust_non_null);
            }
        }
        let one_of = input.directives.has("oneOf");
        for Input { header, parameter, .. } in fields.iter_mut().filter(|_| one_of) {
            // A variant.
            header.ident.clone_from(parameter);
        }
        InputObject { header: self.type_header(&input.name), fields, one_of }
    }

    pub(super) fn input(&mut self, element: Element) -> Option<Input> {
        let input = element.input()?;
        let owner = element.owner().map_or("", Name::as_str);
        let default = input.default_value.as_ref();
        if let Some(value) = default.filter(|value| is_too_large(value))
            && input.ty.inner_named_type() != "ID"
        {
            let message = format!(
                "the default value of \"{}\" has a number that is too large (limit 1.7e308); use a string",
                input.name
            );
            self.add(value.location(), message);
            return None;
        }
        let default = default.map(|value| Default {
            sdl: value.serialize().no_indent().to_string(),
            rust: self.default_value(owner, &input.ty, value),
        });
        Some(Input {
            header: self.header(element, name::field_ident),
            parameter: self.names.ident(&element.coordinate(), &input.name, name::type_ident),
            ty: self.type_ref(&input.ty, owner),
            default,
            constraint: self.constraints.of(element, &input.ty),
        })
    }

    pub(super) fn type_ref(&self, ty: &Type, owner: &str) -> TypeRef {
        let named = ty.inner_named_type();
        let named_rust = self.named_rust(named);
        let boxed = self.boxing.is_boxed(owner, ty) && !self.bindings.objects.contains_key(owner);
        let innermost = if boxed { format!("Box<{named_rust}>") } else { named_rust.clone() };
        let resolution = match &self.schema.types[named] {
            ExtendedType::Scalar(_) | ExtendedType::Enum(_) | ExtendedType::InputObject(_) => Resolution::Leaf,
            _ if self.resolved.contains_key(named.as_str()) => Resolution::Resolved,
            _ => Resolution::Plain,
        };
        let returned = match named.as_str() {
            "String" | "ID" => "support::Text<'_>".to_owned(),
            _ => innermost.clone(),
        };
        TypeRef {
            sdl: ty.to_string(),
            rust: rust_type(ty, &innermost),
            returned: rust_type(ty, &returned),
            rust_non_null: rust_type(&ty.clone().non_null(), &innermost),
            named: named_rust,
            nullable: !ty.is_non_null(),
            resolution,
        }
    }

    pub(super) fn named_rust(&self, named: &str) -> String {
        let rust = match named {
            "Int" => "i32",
            "Float" => "f64",
            "String" => "String",
            "Boolean" => "bool",
            "ID" => "async_graphql::ID",
            named => return self.names.type_ident(named),
        };
        rust.to_owned()
    }

    pub(super) fn type_header(&self, name: &Name) -> Header {
        let definition = Element::Type(&self.schema.types[name]);
        self.header(definition, name::type_ident)
    }

    pub(super) fn header(&self, element: Element, convert: Convert) -> Header {
        let name = element.name().map_or("", Name::as_str);
        let directives = element.directives();
        let deprecated = directives.iter().find(|applied| applied.name == "deprecated");
        let deprecated = deprecated.map(|directive| {
            let reason = directive.specified_argument_by_name("reason");
            let reason = reason.and_then(|reason| reason.as_str());
            reason.unwrap_or(built_in::DEPRECATION_REASON).to_owned()
        });
        Header {
            location: self.location(element.name_span()),
            ident: self.names.ident(&element.coordinate(), name, convert),
            name: name.to_owned(),
            description: element.description().map(ToString::to_string),
            deprecated,
        }
    }
}

fn rust_type(ty: &Type, innermost: &str) -> String {
    match ty {
        Type::NonNullNamed(_) => innermost.to_owned(),
        Type::Named(_) => format!("Option<{innermost}>"),
        Type::NonNullList(item) => format!("Vec<{}>", rust_type(item, innermost)),
        Type::List(item) => format!("Option<Vec<{}>>", rust_type(item, innermost)),
    }
}
