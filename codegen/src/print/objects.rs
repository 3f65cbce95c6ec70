//! Object types: as structs, or as traits of getters for Rust types that exist already.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{Printed, docs, docs_and, introduced, option, outputs, resolvers};
use crate::model::{AnsweredBy, Object, Plainness};

pub(super) fn object(object: &Object) -> Printed {
    match &object.answered_by {
        AnsweredBy::Struct => {
            let ident = &object.header.ident;
            let machinery = plain_object(object, &quote!(#ident), |field| Getter {
                value: quote!(support::Plain::value(&self.#field, plan)),
                write: quote!(support::Plain::write(&self.#field, plan, json)),
            });
            Printed {
                items: structure(object),
                machinery,
            }
        }
        AnsweredBy::Getters(rust) => {
            let resolver = &object.resolver_ident;
            let machinery = plain_object(object, rust, |field| Getter {
                value: quote!(support::Plain::into_value(#resolver::#field(self), plan)),
                write: quote!(support::Plain::write(&#resolver::#field(self), plan, json)),
            });
            Printed {
                items: getters(object),
                machinery,
            }
        }
        AnsweredBy::Resolvers(rust) => resolvers::resolved_object(object, rust),
        AnsweredBy::Root => resolvers::root(object),
    }
}

/// How a field of a plain object is answered: as a tree, and as JSON.
struct Getter {
    value: TokenStream,
    write: TokenStream,
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
    let ident = &object.resolver_ident;
    let summary = format!(
        "Answers for the type `{}` of the contract.",
        object.header.name
    );
    let docs_of_trait = introduced(&summary, &object.header, &TokenStream::new());
    let methods = object.fields.iter().map(|field| {
        let (docs, ident, ty) = (docs(&field.header), &field.header.ident, &field.ty.borrowed);
        quote!(#docs fn #ident(&self) -> #ty;)
    });
    quote! {
        #docs_of_trait
        pub trait #ident: Send + Sync { #(#methods)* }
    }
}

fn plain_object(
    object: &Object,
    rust: &TokenStream,
    getter: impl Fn(&Ident) -> Getter,
) -> TokenStream {
    let name = &object.header.name;
    let names: Vec<_> = object
        .fields
        .iter()
        .map(|field| &field.header.name)
        .collect();
    let conditions = &object.conditions;
    let positions: Vec<_> = (0..names.len()).collect();
    let getters: Vec<_> = object
        .fields
        .iter()
        .map(|field| getter(&field.header.ident))
        .collect();
    let values = getters.iter().map(|getter| &getter.value);
    let writes = getters.iter().map(|getter| &getter.write);
    let plan_field = plan_field(object);
    let description = option(object.header.description.as_ref());
    let (interfaces, fields) = (&object.interfaces, outputs::metas(&object.fields));
    let registers = outputs::registers_of(&object.fields);
    let register = quote! {
        support::register_object::<Self>(registry, #name, #description, &[#(#interfaces),*], #fields, &[#(#registers),*])
    };
    let output = outputs::output_type(rust, name, &register);
    quote! {
        impl support::PlainObject for #rust {
            const NAME: &'static str = #name;
            const FIELDS: &'static [&'static str] = &[#(#names),*];
            const CONDITIONS: &'static [&'static str] = &[#(#conditions),*];
            #plan_field
            fn field(&self, field: usize, plan: &support::Plan) -> async_graphql::Value {
                match field {
                    #(#positions => #values,)*
                    _ => async_graphql::Value::Null,
                }
            }
            fn write_field(&self, field: usize, plan: &support::Plan, json: &mut Vec<u8>) {
                match field {
                    #(#positions => #writes,)*
                    _ => {}
                }
            }
        }
        impl support::Plain for #rust {
            fn plan(
                fragments: &support::Fragments,
                selections: &[&async_graphql::parser::types::SelectionSet],
            ) -> async_graphql::ServerResult<support::Plan> {
                Ok(support::Plan::Object(support::steps::<Self>(fragments, selections)?))
            }
            fn value(&self, plan: &support::Plan) -> async_graphql::Value {
                let support::Plan::Object(steps) = plan else { return async_graphql::Value::Null };
                support::object(self, steps)
            }
            fn write(&self, plan: &support::Plan, json: &mut Vec<u8>) {
                let support::Plan::Object(steps) = plan else { return };
                support::write_object(self, steps, json);
            }
        }
        #output
    }
}

/// Only fields that lead to objects need a plan of their own.
fn plan_field(object: &Object) -> Option<TokenStream> {
    let plans: Vec<_> = object
        .fields
        .iter()
        .enumerate()
        .filter(|(_, field)| field.ty.plainness == Plainness::Plain)
        .map(|(position, field)| {
            let named = &field.ty.named;
            quote!(#position => <#named as support::Plain>::plan(fragments, selections))
        })
        .collect();
    (!plans.is_empty()).then(|| {
        quote! {
            fn plan_field(
                fragments: &support::Fragments,
                field: usize,
                selections: &[&async_graphql::parser::types::SelectionSet],
            ) -> async_graphql::ServerResult<support::Plan> {
                match field {
                    #(#plans,)*
                    _ => Ok(support::Plan::Leaf),
                }
            }
        }
    })
}
