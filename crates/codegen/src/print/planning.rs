//! The planning of objects, plain and with resolvers.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::{Implementation, Object, Resolution};

/// Implements the planning of an object type: its name, its fields, and the plans of those that have fields.
pub(super) fn planning(object: &Object, generics: &TokenStream, rust: &TokenStream) -> TokenStream {
    let name = &object.header.name;
    let names = object.fields.iter().map(|field| &field.header.name);
    let conditions = &object.conditions;
    let plans: Vec<_> = object
        .fields
        .iter()
        .enumerate()
        .filter(|(_, field)| field.ty.resolution != Resolution::Leaf)
        .map(|(position, field)| {
            let ty = &field.ty.named;
            quote!(#position => <#ty as ::engine::runtime::Planned>::plan(planner, sets))
        })
        .collect();
    let plan_field = (!plans.is_empty()).then(|| {
        quote! {
            fn plan_field(
                planner: &::engine::runtime::Planner<'_>,
                field: usize,
                sets: &[&::engine::runtime::SelectionSet],
            ) -> ::engine::runtime::Plan {
                match field {
                    #(#plans,)*
                    _ => ::engine::runtime::Plan::Leaf,
                }
            }
        }
    });
    let has_resolvers = match &object.implementation {
        Implementation::Struct | Implementation::Getters(_) => None,
        Implementation::Resolvers(_) | Implementation::Root => Some(quote!(
            const HAS_RESOLVERS: bool = true;
        )),
    };
    quote! {
        impl #generics ::engine::runtime::Object for #rust {
            const NAME: &'static str = #name;
            const FIELDS: &'static [&'static str] = &[#(#names),*];
            const CONDITIONS: &'static [&'static str] = &[#(#conditions),*];
            #has_resolvers
            #plan_field
        }
    }
}
