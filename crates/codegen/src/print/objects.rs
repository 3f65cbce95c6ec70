//! Object types: generated structs, or traits of getters for existing Rust types.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{Printed, docs, docs_and, resolver_docs, resolvers};
use crate::model::{Implementation, Object, Resolution};

pub(super) fn object(object: &Object) -> Printed {
    match &object.implementation {
        Implementation::Struct => {
            let ident = &object.header.ident;
            let impls = plain_object(object, &quote!(#ident), |field| quote!(self.#field));
            Printed {
                items: structure(object),
                impls,
            }
        }
        Implementation::Getters(rust) => {
            let resolver = &object.resolver_ident;
            let impls = plain_object(object, rust, |field| quote!(#resolver::#field(self)));
            Printed {
                items: getters(object),
                impls,
            }
        }
        Implementation::Resolvers(rust) => resolvers::resolved_object(object, rust),
        Implementation::Root => resolvers::root(object),
    }
}

fn structure(object: &Object) -> TokenStream {
    let ident = &object.header.ident;
    let docs_of_type = docs_and(&object.header, &quote!(#[derive(Clone, Debug)]));
    let fields = object.fields.iter().map(|field| {
        let (docs, ident, ty) = (docs(&field.header), &field.header.ident, &field.ty.rust);
        quote!(#docs pub #ident: #ty)
    });
    quote! {
        #docs_of_type
        pub struct #ident { #(#fields),* }
    }
}

fn getters(object: &Object) -> TokenStream {
    let (ident, docs_of_trait) = (&object.resolver_ident, resolver_docs(&object.header));
    let methods = object.fields.iter().map(|field| {
        let (docs, ident, ty) = (docs(&field.header), &field.header.ident, &field.ty.returned);
        quote!(#docs fn #ident(&self) -> #ty;)
    });
    quote! {
        #docs_of_trait
        pub trait #ident { #(#methods)* }
    }
}

fn plain_object(
    object: &Object,
    rust: &TokenStream,
    value: impl Fn(&Ident) -> TokenStream,
) -> TokenStream {
    let planning = planning(object, &TokenStream::new(), rust);
    let positions = 0..object.fields.len();
    let values = object.fields.iter().map(|field| value(&field.header.ident));
    quote! {
        #planning
        impl ::engine::runtime::Plain for #rust {
            fn write(&self, plan: &::engine::runtime::Plan, json: &mut ::engine::runtime::JsonWriter) {
                use ::engine::runtime::Plain;
                ::engine::runtime::write_object::<Self>(plan, json, |field, plan, json| match field {
                    #(#positions => Plain::write(&#values, plan, json),)*
                    _ => {}
                });
            }
        }
    }
}

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
