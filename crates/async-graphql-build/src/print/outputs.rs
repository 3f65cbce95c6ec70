//! Interfaces and unions.

use proc_macro2::TokenStream;
use quote::quote;

use super::{docs::docs_and, printed::Printed, registered};
use crate::model::{Abstract, Member};

pub(super) fn abstract_type(definition: &Abstract) -> Printed {
    let ident = &definition.header.ident;
    // The Rust types of objects with resolvers hold connections, which nothing needs to print.
    let debug = (!definition.is_resolved).then(|| quote!(, Debug));
    let docs = docs_and(&definition.header, &quote!(#[derive(Clone #debug)]));
    let members = &definition.members;
    let variants: Vec<_> = members.iter().map(|member| &member.variant).collect();
    let types: Vec<_> = members.iter().map(|member| &member.rust).collect();
    let variant_docs = members.iter().map(|member| {
        let text = format!(" A `{}`.", member.name);
        quote!(#[doc = #text])
    });
    let items = quote!(#docs pub enum #ident { #(#variant_docs #variants(#types)),* });
    let (registered, values) = (registered::abstract_type(definition), values(definition));
    let impls = quote! {
        #(impl From<#types> for #ident {
            fn from(value: #types) -> Self { Self::#variants(value) }
        })*
        #registered
        #values
    };
    Printed { items, impls }
}

/// Writes or completes a value as its possible type.
fn values(definition: &Abstract) -> TokenStream {
    let ident = &definition.header.ident;
    let members = definition.members.iter().enumerate();
    if !definition.is_resolved {
        let types = definition.members.iter().map(|member| &member.rust);
        let arms = members.map(|(position, Member { variant, .. })| {
            quote!(Self::#variant(value) => support::WriteJson::write(value, plan.member(#position), json))
        });
        return quote! {
            impl support::WriteJson for #ident {
                fn plan(selections: &support::Selections<'_>) -> support::Plan {
                    support::Plan::Abstract(vec![#(<#types as support::WriteJson>::plan(selections)),*])
                }
                fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
                    match self { #(#arms),* }
                }
            }
        };
    }
    let arms = definition.members.iter().map(|Member { variant, is_resolved, .. }| {
        if *is_resolved {
            quote!(Self::#variant(value) => support::Complete::complete(value, ctx, field).await)
        } else {
            quote!(Self::#variant(value) => support::written(value, ctx))
        }
    });
    quote! {
        impl support::Complete for #ident {
            async fn complete(
                &self,
                ctx: &async_graphql::ContextSelectionSet<'_>,
                field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
            ) -> async_graphql::ServerResult<async_graphql::Value> {
                match self { #(#arms),* }
            }
        }
    }
}
