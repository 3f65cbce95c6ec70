//! Inputs, leaf types and references to types.

use apollo_compiler::{
    Name,
    ast::{self, Directive, Type, Value},
    schema::{DirectiveList, ExtendedType, InputObjectType},
};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::Lowering;
use crate::{
    default_value,
    model::{Default, Header, Input, InputObject, Plainness, TypeRef},
    name,
};

const BUILT_IN_SCALARS: [&str; 5] = ["Int", "Float", "String", "Boolean", "ID"];

impl Lowering<'_> {
    pub(super) fn input_object(&mut self, input: &InputObjectType) -> InputObject {
        let one_of = input.directives.has("oneOf");
        if one_of {
            for field in input.fields.values() {
                if field.ty.is_non_null() || field.default_value.is_some() {
                    let message = format!(
                        "the field \"{}\" of the @oneOf type {} must be nullable and have no default",
                        field.name, input.name
                    );
                    self.add(field.name.location(), message);
                }
            }
        }
        let fields = input.fields.values();
        let fields = fields.map(|field| self.input(field, &input.name)).collect();
        let header = self.type_header(&input.name, input.description.as_deref());
        InputObject {
            header,
            fields,
            one_of,
        }
    }

    pub(super) fn input(&mut self, input: &ast::InputValueDefinition, owner: &str) -> Input {
        let mut default = None;
        if let Some(value) = &input.default_value {
            let custom = self.schema.get_scalar(input.ty.inner_named_type());
            let custom = custom.filter(|scalar| !BUILT_IN_SCALARS.contains(&scalar.name.as_str()));
            let rust = match (custom, &**value) {
                (Some(scalar), value) if *value != Value::Null => Err(format!(
                    "a default value of the custom scalar {} can't be checked here; leave it out and say in the description what is assumed",
                    scalar.name
                )),
                _ => default_value::expression(self.schema, &self.boxing, owner, &input.ty, value),
            };
            match rust {
                Ok(rust) => {
                    default = Some(Default {
                        sdl: value.serialize().no_indent().to_string(),
                        rust,
                    });
                }
                Err(message) => self.add(
                    value.location(),
                    format!("default of \"{}\": {message}", input.name),
                ),
            }
        }
        Input {
            header: self.header(
                &input.name,
                name::of_field(&input.name),
                input.description.as_deref(),
                &input.directives,
            ),
            parameter: name::of_type(&input.name),
            ty: self.type_ref(&input.ty, owner),
            default,
        }
    }

    pub(super) fn type_ref(&self, ty: &Type, owner: &str) -> TypeRef {
        let named = ty.inner_named_type();
        let named_rust = self.named_rust(named);
        let boxed = self.boxing.is_boxed(owner, ty) && !self.bindings.objects.contains_key(owner);
        let innermost = if boxed {
            quote!(Box<#named_rust>)
        } else {
            named_rust.clone()
        };
        let plainness = match &self.schema.types[named] {
            ExtendedType::Scalar(_) | ExtendedType::Enum(_) | ExtendedType::InputObject(_) => {
                Plainness::Leaf
            }
            _ if self.resolved.contains(named.as_str()) => Plainness::Resolved,
            _ => Plainness::Plain,
        };
        let lent = if named == "String" {
            quote!(::std::borrow::Cow<'_, str>)
        } else {
            innermost.clone()
        };
        TypeRef {
            sdl: ty.to_string(),
            rust: rust_type(ty, &innermost),
            borrowed: rust_type(ty, &lent),
            rust_non_null: rust_type(&ty.clone().non_null(), &innermost),
            named: named_rust,
            nullable: !ty.is_non_null(),
            built_in: BUILT_IN_SCALARS.contains(&named.as_str()),
            plainness,
        }
    }

    pub(super) fn named_rust(&self, named: &str) -> TokenStream {
        let bound = self
            .bindings
            .objects
            .get(named)
            .or_else(|| self.bindings.scalars.get(named));
        match (named, bound) {
            ("Int", _) => quote!(i32),
            ("Float", _) => quote!(f64),
            ("String", _) => quote!(String),
            ("Boolean", _) => quote!(bool),
            ("ID", _) => quote!(async_graphql::ID),
            (_, Some(path)) => path_of(path),
            (named, None) => {
                let ident = name::of_type(named);
                quote!(#ident)
            }
        }
    }

    pub(super) fn type_header(&self, name: &Name, description: Option<&str>) -> Header {
        self.header(
            name,
            name::of_type(name),
            description,
            &ast::DirectiveList::default(),
        )
    }

    pub(super) fn header(
        &self,
        name: &Name,
        ident: Ident,
        description: Option<&str>,
        directives: &ast::DirectiveList,
    ) -> Header {
        let deprecated = directives.get("deprecated").map(|directive| {
            reason_of(directive).unwrap_or_else(|| "No longer supported".to_owned())
        });
        Header {
            place: self.place(name.location()),
            name: name.to_string(),
            ident,
            description: description.map(str::to_owned),
            deprecated,
        }
    }
}

fn rust_type(ty: &Type, innermost: &TokenStream) -> TokenStream {
    match ty {
        Type::NonNullNamed(_) => innermost.clone(),
        Type::Named(_) => quote!(Option<#innermost>),
        Type::NonNullList(item) => {
            let item = rust_type(item, innermost);
            quote!(Vec<#item>)
        }
        Type::List(item) => {
            let item = rust_type(item, innermost);
            quote!(Option<Vec<#item>>)
        }
    }
}

pub(super) fn path_of(path: &str) -> TokenStream {
    // A path that can't be parsed has been reported; nothing is printed then.
    path.parse().unwrap_or_default()
}

pub(super) fn reason_of(directive: &Directive) -> Option<String> {
    directive
        .specified_argument_by_name("reason")
        .and_then(|value| value.as_str())
        .map(str::to_owned)
}

pub(super) fn argument_of(
    directives: &DirectiveList,
    directive: &str,
    argument: &str,
) -> Option<String> {
    let directive = directives.get(directive)?;
    directive
        .specified_argument_by_name(argument)?
        .as_str()
        .map(str::to_owned)
}
