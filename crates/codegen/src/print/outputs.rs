//! Interfaces and unions.

use proc_macro2::TokenStream;
use quote::quote;

use super::{docs::docs_and, printed::Printed};
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
    let values = values(definition);
    let impls = quote! {
        #(impl From<#types> for #ident {
            fn from(value: #types) -> Self { Self::#variants(value) }
        })*
        impl ::engine::runtime::Planned for #ident {
            fn plan(
                planner: &::engine::runtime::Planner<'_>,
                sets: &[&::engine::runtime::SelectionSet],
            ) -> ::engine::runtime::Plan {
                ::engine::runtime::Plan::Abstract(Box::new([#(planner.object::<#types>(sets)),*]))
            }
        }
        #values
    };
    Printed { items, impls }
}

/// Writes or resolves a value as its possible type.
fn values(definition: &Abstract) -> TokenStream {
    let ident = &definition.header.ident;
    let members = definition.members.iter().enumerate();
    if !definition.is_resolved {
        let arms = members.map(|(position, Member { variant, .. })| {
            quote!(Self::#variant(value) => ::engine::runtime::Plain::write(value, plan.member(#position), json))
        });
        return quote! {
            impl ::engine::runtime::Plain for #ident {
                fn write(&self, plan: &::engine::runtime::Plan, json: &mut ::engine::runtime::JsonWriter) {
                    match self { #(#arms),* }
                }
            }
        };
    }
    let arms = members.map(|(position, Member { variant, is_resolved, .. })| {
        if *is_resolved {
            quote!(Self::#variant(value) => ::engine::runtime::Resolve::resolve(value, at, plan.member(#position)).await)
        } else {
            quote!(Self::#variant(value) => at.write(value, plan.member(#position)))
        }
    });
    quote! {
        impl ::engine::runtime::Resolve for #ident {
            async fn resolve(
                &self,
                at: ::engine::runtime::At<'_>,
                plan: &::engine::runtime::Plan,
            ) -> ::engine::runtime::ServerResult<Vec<u8>> {
                match self { #(#arms),* }
            }
        }
    }
}
