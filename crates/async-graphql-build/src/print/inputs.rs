//! Scalars, enums and input objects.

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    docs::{docs_and, published_docs, published_docs_and},
    printed::Printed,
};
use crate::model::{Default, Enum, Header, InputObject, Scalar};

/// Writes the scalar that the mapped Rust type implements, or a type around it.
pub(super) fn scalar(scalar: &Scalar) -> Printed {
    let (bound, ident) = (&scalar.rust, &scalar.header.ident);
    let around = scalar.is_serde.then(|| serde_scalar(scalar));
    let rust = if scalar.is_serde {
        quote!(#ident)
    } else {
        bound.clone()
    };
    Printed {
        items: around.unwrap_or_default(),
        impls: quote! {
            impl support::WriteJson for #rust {
                fn write(&self, _: &support::Plan, json: &mut support::JsonWriter) {
                    json.value(&async_graphql::ScalarType::to_value(self));
                }
            }
        },
    }
}

/// A scalar whose values are those of a type that serde knows.
fn serde_scalar(scalar: &Scalar) -> TokenStream {
    let (rust, ident, name) = (&scalar.rust, &scalar.header.ident, &scalar.header.name);
    let specified_by = scalar.specified_by.as_ref();
    let specified_by = specified_by.map(|url| quote!(, specified_by_url = #url));
    let derives = quote!(#[derive(Clone, Debug, PartialEq)]);
    let docs = docs_and(&scalar.header, &derives);
    let description = published_docs(&scalar.header);
    quote! {
        #docs
        pub struct #ident(pub #rust);
        #description
        #[async_graphql::Scalar(name = #name #specified_by)]
        impl async_graphql::ScalarType for #ident {
            fn parse(value: async_graphql::Value) -> async_graphql::InputValueResult<Self> {
                let parsed = async_graphql::from_value(value);
                parsed.map(Self).map_err(async_graphql::InputValueError::custom)
            }
            fn to_value(&self) -> async_graphql::Value {
                let value = async_graphql::to_value(&self.0);
                value.expect("serde represents the scalar as a GraphQL value")
            }
        }
    }
}

pub(super) fn enumeration(definition: &Enum) -> Printed {
    let (name, ident) = (&definition.header.name, &definition.header.ident);
    let docs_of_type = published_docs_and(
        &definition.header,
        &quote! {
            #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq, async_graphql::Enum)]
            #[graphql(name = #name)]
        },
    );
    let variants = definition.values.iter().map(|value| {
        let (docs, variant) = (
            published_docs_and(value, &graphql(value, None)),
            &value.ident,
        );
        quote!(#docs #variant)
    });
    let idents: Vec<_> = definition.values.iter().map(|value| &value.ident).collect();
    let names: Vec<_> = definition.values.iter().map(|value| &value.name).collect();
    let impls = quote! {
        impl #ident {
            #[doc = " The name of the value in the contract."]
            pub const fn as_str(self) -> &'static str {
                match self { #(Self::#idents => #names),* }
            }
        }
        impl support::WriteJson for #ident {
            fn write(&self, _: &support::Plan, json: &mut support::JsonWriter) {
                json.string(self.as_str());
            }
        }
    };
    Printed {
        items: quote!(#docs_of_type pub enum #ident { #(#variants),* }),
        impls,
    }
}

pub(super) fn input_object(input: &InputObject) -> Printed {
    let (name, ident) = (&input.header.name, &input.header.ident);
    let (derive, item) = if input.one_of {
        let variants = input.fields.iter().map(|field| {
            let (docs, variant) = (
                published_docs_and(&field.header, &graphql(&field.header, None)),
                &field.parameter,
            );
            let ty = &field.ty.rust_non_null;
            quote!(#docs #variant(#ty))
        });
        (
            quote!(OneofObject),
            quote!(pub enum #ident { #(#variants),* }),
        )
    } else {
        let fields = input.fields.iter().map(|field| {
            let docs = published_docs_and(
                &field.header,
                &graphql(&field.header, field.default.as_ref()),
            );
            let (ident, ty) = (&field.header.ident, &field.ty.rust);
            quote!(#docs pub #ident: #ty)
        });
        (
            quote!(InputObject),
            quote!(pub struct #ident { #(#fields),* }),
        )
    };
    let docs = published_docs_and(
        &input.header,
        &quote! {
            #[derive(Clone, Debug, PartialEq, async_graphql::#derive)]
            #[graphql(name = #name)]
        },
    );
    Printed {
        items: quote!(#docs #item),
        impls: TokenStream::new(),
    }
}

/// The attribute of async-graphql's macros for a field, an enum value or an input.
pub(super) fn graphql(header: &Header, default: Option<&Default>) -> TokenStream {
    let arguments = attribute(header, default);
    quote!(#[graphql(#arguments)])
}

/// Its arguments.
pub(super) fn attribute(header: &Header, default: Option<&Default>) -> TokenStream {
    let name = &header.name;
    let deprecation = header.deprecated.as_ref();
    let deprecation = deprecation.map(|reason| quote!(, deprecation = #reason));
    let default = default.map(|default| {
        let rust = default.rust.to_string();
        quote!(, default_with = #rust)
    });
    quote!(name = #name #deprecation #default)
}
