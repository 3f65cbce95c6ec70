//! Scalars, enums and input objects.

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    docs::{docs, docs_and},
    printed::Printed,
};
use crate::model::{Enum, Input, InputObject, Scalar};

/// Implements the scalar for the mapped Rust type.
pub(super) fn scalar(scalar: &Scalar) -> Printed {
    let rust = &scalar.rust;
    let input = input_type(
        rust,
        &quote!(::engine::Scalar::parse(value.unwrap_or_default())),
    );
    Printed {
        items: TokenStream::new(),
        impls: quote! {
            #input
            impl ::engine::runtime::Plain for #rust {
                const INFALLIBLE: bool = true;
                fn write(&self, _: &::engine::runtime::Plan, json: &mut ::engine::runtime::JsonWriter) {
                    json.value(&::engine::Scalar::to_value(self));
                }
            }
        },
    }
}

pub(super) fn enumeration(definition: &Enum) -> Printed {
    let (name, ident) = (&definition.header.name, &definition.header.ident);
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
    let input = input_type(
        &quote!(#ident),
        &quote!(::engine::runtime::enum_value(#name, value, &[#((#names, Self::#idents)),*])),
    );
    let output = quote! {
        impl #ident {
            #[doc = " The name of the value in the contract."]
            pub const fn as_str(self) -> &'static str {
                match self { #(Self::#idents => #names),* }
            }
        }
        impl ::engine::runtime::Plain for #ident {
            const INFALLIBLE: bool = true;
            fn write(&self, _: &::engine::runtime::Plan, json: &mut ::engine::runtime::JsonWriter) {
                json.text(self.as_str());
            }
        }
    };
    Printed {
        items: quote!(#docs_of_type pub enum #ident { #(#variants),* }),
        impls: quote!(#input #output),
    }
}

pub(super) fn input_object(input: &InputObject) -> Printed {
    let ident = &input.header.ident;
    let docs = docs_and(&input.header, &quote!(#[derive(Clone, Debug, PartialEq)]));
    let (item, parse) = if input.one_of {
        one_of_parts(input)
    } else {
        struct_parts(input)
    };
    Printed {
        items: quote!(#docs #item),
        impls: input_type(&quote!(#ident), &parse),
    }
}

/// The item, and the expression that parses it.
type Parts = (TokenStream, TokenStream);

fn struct_parts(input: &InputObject) -> Parts {
    let (name, ident) = (&input.header.name, &input.header.ident);
    let fields = input.fields.iter().map(|field| {
        let (docs, ident, ty) = (docs(&field.header), &field.header.ident, &field.ty.rust);
        quote!(#docs pub #ident: #ty)
    });
    let parsed = input.fields.iter().map(|field| {
        let (ident, name, default) = (&field.header.ident, &field.header.name, default_fn(field));
        quote!(#ident: ::engine::runtime::member(&mut members, #name, #default)?)
    });
    let item = quote!(pub struct #ident { #(#fields),* });
    let parse = quote! {
        let mut members = ::engine::runtime::members(#name, value)?;
        Ok(Self { #(#parsed),* })
    };
    (item, parse)
}

fn one_of_parts(input: &InputObject) -> Parts {
    let (name, ident) = (&input.header.name, &input.header.ident);
    let variants: Vec<_> = input.fields.iter().map(|field| &field.parameter).collect();
    let names: Vec<_> = input
        .fields
        .iter()
        .map(|field| &field.header.name)
        .collect();
    let docs = input.fields.iter().map(|field| docs(&field.header));
    let types = input.fields.iter().map(|field| &field.ty.rust_non_null);
    let item = quote!(pub enum #ident { #(#docs #variants(#types)),* });
    let unknown = format!("must have a field of {name}");
    let parse = quote! {
        let (name, mut members) = ::engine::runtime::only_member(#name, value)?;
        match name.as_str() {
            #(#names => ::engine::runtime::member(&mut members, #names, None).map(Self::#variants),)*
            _ => Err(::engine::InputError::new(#unknown)),
        }
    };
    (item, parse)
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

fn input_type(rust: &TokenStream, parse: &TokenStream) -> TokenStream {
    quote! {
        impl ::engine::runtime::Input for #rust {
            fn parse(value: Option<::engine::runtime::Value>) -> Result<Self, ::engine::InputError> { #parse }
        }
    }
}
