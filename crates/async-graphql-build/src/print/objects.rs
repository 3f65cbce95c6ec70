//! Object types: generated structs, or traits of getters for existing Rust types.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{
    docs::{docs, docs_and, resolver_docs},
    printed::Printed,
    registered, resolvers,
};
use crate::{
    model::{Implementation, Object, Resolution},
    name,
};

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
        Implementation::Resolvers(rust) => resolvers::object(object, rust),
        Implementation::Root | Implementation::Subscription => resolvers::root(object),
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
    let registered = registered::plain_object(object, rust);
    let info = name::info_ident(&object.header.name);
    let plans = object.fields.iter().enumerate();
    let plans = plans.filter(|(_, field)| field.ty.resolution != Resolution::Leaf);
    let plans: Vec<_> = plans
        .map(|(position, field)| {
            let ty = &field.ty.named;
            quote!(#position => <#ty as support::WriteJson>::plan(selections))
        })
        .collect();
    let plan = if plans.is_empty() {
        quote!(|_, _| support::Plan::Leaf)
    } else {
        quote! {
            |field, selections| match field {
                #(#plans,)*
                _ => support::Plan::Leaf,
            }
        }
    };
    let positions = 0..object.fields.len();
    let values = object.fields.iter().map(|field| value(&field.header.ident));
    quote! {
        #registered
        impl support::WriteJson for #rust {
            fn plan(selections: &support::Selections<'_>) -> support::Plan {
                support::plan_object(selections, &#info, #plan)
            }
            fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
                use support::WriteJson;
                support::write_object(plan, json, &#info, |field, plan, json| match field {
                    #(#positions => WriteJson::write(&#values, plan, json),)*
                    _ => {}
                });
            }
        }
    }
}
