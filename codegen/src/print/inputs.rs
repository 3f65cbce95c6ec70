//! Scalars, enums and input objects.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Printed, docs, docs_and, option, registers, type_name};
use crate::model::{Enum, Input, InputObject, Scalar};

/// Makes the mapped Rust type the scalar of the contract.
pub(super) fn scalar(scalar: &Scalar) -> Printed {
    let (name, rust) = (&scalar.header.name, &scalar.rust);
    let description = option(scalar.header.description.as_ref());
    let specified_by = option(scalar.specified_by.as_ref());
    let register =
        quote!(support::register_scalar::<Self>(registry, #name, #description, #specified_by));
    let input = input_type(
        rust,
        name,
        &register,
        &quote!(async_graphql::ScalarType::parse(value.unwrap_or_default())),
        &quote!(async_graphql::ScalarType::to_value(self)),
    );
    let output = leaf_output(rust, name);
    Printed {
        items: TokenStream::new(),
        machinery: quote!(#input #output),
    }
}

pub(super) fn enumeration(definition: &Enum) -> Printed {
    let (name, ident) = (&definition.header.name, &definition.header.ident);
    let description = option(definition.header.description.as_ref());
    let docs_of_type = docs_and(
        &definition.header,
        &quote!(#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]),
    );
    let variants = definition.values.iter().map(|value| {
        let (docs, variant) = (docs(value), &value.ident);
        quote!(#docs #variant)
    });
    let idents: Vec<_> = definition.values.iter().map(|value| &value.ident).collect();
    let names: Vec<_> = definition.values.iter().map(|value| &value.name).collect();
    let values = definition.values.iter().map(|value| {
        let (name, description, deprecated) =
            (&value.name, option(value.description.as_ref()), option(value.deprecated.as_ref()));
        quote!(support::EnumValue { name: #name, description: #description, deprecated: #deprecated })
    });
    let input = input_type(
        &quote!(#ident),
        name,
        &quote!(support::register_enum::<Self>(registry, #name, #description, &[#(#values),*])),
        &quote!(support::enum_value(value, &[#((#names, Self::#idents)),*])),
        &quote! {
            async_graphql::Value::Enum(async_graphql::Name::new(match self {
                #(Self::#idents => #names),*
            }))
        },
    );
    let output = leaf_output(&quote!(#ident), name);
    Printed {
        items: quote!(#docs_of_type pub enum #ident { #(#variants),* }),
        machinery: quote!(#input #output),
    }
}

pub(super) fn input_object(input: &InputObject) -> Printed {
    let (name, ident) = (&input.header.name, &input.header.ident);
    let docs = docs_and(&input.header, &quote!(#[derive(Clone, Debug, PartialEq)]));
    let description = option(input.header.description.as_ref());
    let fields = input.fields.iter().map(meta);
    let registers = registers(
        input.fields.iter().map(|field| &field.ty),
        &quote!(async_graphql::InputType),
    );
    let one_of = input.one_of;
    let register = quote! {
        support::register_input_object::<Self>(registry, #name, #description, &[#(#fields),*], #one_of, &[#(#registers),*])
    };
    let (item, parse, to_value) = if one_of {
        one_of_parts(input)
    } else {
        struct_parts(input)
    };
    let machinery = input_type(&quote!(#ident), name, &register, &parse, &to_value);
    Printed {
        items: quote!(#docs #item),
        machinery,
    }
}

type Parts = (TokenStream, TokenStream, TokenStream);

fn struct_parts(input: &InputObject) -> Parts {
    let ident = &input.header.ident;
    let fields = input.fields.iter().map(|field| {
        let (docs, ident, ty) = (docs(&field.header), &field.header.ident, &field.ty.rust);
        quote!(#docs pub #ident: #ty)
    });
    let parsed = input.fields.iter().map(|field| {
        let (ident, name, default) = (&field.header.ident, &field.header.name, default_fn(field));
        quote!(#ident: support::member(&mut members, #name, #default)?)
    });
    let idents: Vec<_> = input
        .fields
        .iter()
        .map(|field| &field.header.ident)
        .collect();
    let names: Vec<_> = input
        .fields
        .iter()
        .map(|field| &field.header.name)
        .collect();
    let item = quote!(pub struct #ident { #(#fields),* });
    let parse = quote! {
        let mut members = support::members::<Self>(value)?;
        Ok(Self { #(#parsed),* })
    };
    let to_value = quote! {
        async_graphql::Value::Object(async_graphql::indexmap::IndexMap::from([
            #((async_graphql::Name::new(#names), async_graphql::InputType::to_value(&self.#idents))),*
        ]))
    };
    (item, parse, to_value)
}

fn one_of_parts(input: &InputObject) -> Parts {
    let ident = &input.header.ident;
    let variants: Vec<_> = input.fields.iter().map(|field| &field.parameter).collect();
    let names: Vec<_> = input
        .fields
        .iter()
        .map(|field| &field.header.name)
        .collect();
    let docs = input.fields.iter().map(|field| docs(&field.header));
    let types = input.fields.iter().map(|field| &field.ty.rust_non_null);
    let item = quote!(pub enum #ident { #(#docs #variants(#types)),* });
    let parse = quote! {
        let (name, value) = support::only_member::<Self>(value)?;
        match name.as_str() {
            #(#names => async_graphql::InputType::parse(Some(value))
                .map(Self::#variants)
                .map_err(async_graphql::InputValueError::propagate),)*
            unknown => Err(async_graphql::InputValueError::custom(format_args!("it has no field {unknown:?}"))),
        }
    };
    let to_value = quote! {
        let (name, value) = match self {
            #(Self::#variants(value) => (#names, async_graphql::InputType::to_value(value))),*
        };
        async_graphql::Value::Object(async_graphql::indexmap::IndexMap::from([(async_graphql::Name::new(name), value)]))
    };
    (item, parse, to_value)
}

/// `Some(|| …)` with the default value, or `None`.
pub(super) fn default_fn(input: &Input) -> TokenStream {
    if let Some(default) = &input.default {
        let value = &default.rust;
        quote!(Some(|| #value))
    } else {
        quote!(None)
    }
}

/// What introspection says of an input.
pub(super) fn meta(input: &Input) -> TokenStream {
    let (name, ty) = (&input.header.name, &input.ty.sdl);
    let description = option(input.header.description.as_ref());
    let default = option(input.default.as_ref().map(|default| &default.sdl));
    let deprecated = option(input.header.deprecated.as_ref());
    quote! {
        support::Input { name: #name, description: #description, ty: #ty, default: #default, deprecated: #deprecated }
    }
}

fn input_type(
    rust: &TokenStream,
    name: &str,
    register: &TokenStream,
    parse: &TokenStream,
    to_value: &TokenStream,
) -> TokenStream {
    let type_name = type_name(name);
    quote! {
        impl async_graphql::InputType for #rust {
            type RawValueType = Self;
            #type_name
            fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String { #register }
            fn parse(value: Option<async_graphql::Value>) -> async_graphql::InputValueResult<Self> { #parse }
            fn to_value(&self) -> async_graphql::Value { #to_value }
            fn as_raw_value(&self) -> Option<&Self> { Some(self) }
        }
    }
}

fn leaf_output(rust: &TokenStream, name: &str) -> TokenStream {
    let type_name = type_name(name);
    quote! {
        impl async_graphql::OutputType for #rust {
            #type_name
            fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
                <Self as async_graphql::InputType>::create_type_info(registry)
            }
            async fn resolve(
                &self,
                _: &async_graphql::ContextSelectionSet<'_>,
                _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
            ) -> async_graphql::ServerResult<async_graphql::Value> {
                Ok(async_graphql::InputType::to_value(self))
            }
        }
        impl support::Plain for #rust {
            fn value(&self, _: &support::Plan) -> async_graphql::Value {
                async_graphql::InputType::to_value(self)
            }
            fn write(&self, _: &support::Plan, json: &mut Vec<u8>) {
                support::write_value(&async_graphql::InputType::to_value(self), json);
            }
        }
    }
}
