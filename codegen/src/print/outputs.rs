//! What plain objects, interfaces and unions share, and the latter two.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Printed, docs_and, inputs, option, registers, type_name};
use crate::model::{Abstract, Field, Member};

/// What introspection says of fields.
pub(super) fn metas(fields: &[Field]) -> TokenStream {
    let metas = fields.iter().map(|field| {
        let (name, ty) = (&field.header.name, &field.ty.sdl);
        let description = option(field.header.description.as_ref());
        let deprecated = option(field.header.deprecated.as_ref());
        let arguments = field.arguments.iter().map(inputs::meta);
        quote! {
            support::Field {
                name: #name,
                description: #description,
                arguments: &[#(#arguments),*],
                ty: #ty,
                deprecated: #deprecated,
            }
        }
    });
    quote!(&[#(#metas),*])
}

/// The functions that register what fields and their arguments refer to.
pub(super) fn registers_of(fields: &[Field]) -> Vec<TokenStream> {
    let arguments = fields
        .iter()
        .flat_map(|field| &field.arguments)
        .map(|argument| &argument.ty);
    let mut all = registers(
        fields.iter().map(|field| &field.ty),
        &quote!(async_graphql::OutputType),
    );
    all.extend(registers(arguments, &quote!(async_graphql::InputType)));
    all
}

pub(super) fn abstract_type(definition: &Abstract) -> Printed {
    let (name, ident) = (&definition.header.name, &definition.header.ident);
    let docs = docs_and(&definition.header, &quote!(#[derive(Clone, Debug)]));
    let variants: Vec<_> = definition
        .members
        .iter()
        .map(|member| &member.variant)
        .collect();
    let types: Vec<_> = definition
        .members
        .iter()
        .map(|member| &member.rust)
        .collect();
    let variant_docs = definition.members.iter().map(|member| {
        let text = format!(" A `{}`.", member.name);
        quote!(#[doc = #text])
    });
    let positions: Vec<_> = (0..definition.members.len()).collect();
    let output = output_type(&quote!(#ident), name, &register(definition));
    let items = quote!(#docs pub enum #ident { #(#variant_docs #variants(#types)),* });
    let machinery = quote! {
        #(impl From<#types> for #ident {
            fn from(value: #types) -> Self { Self::#variants(value) }
        })*
        impl support::Plain for #ident {
            fn plan(
                fragments: &support::Fragments,
                selections: &[&async_graphql::parser::types::SelectionSet],
            ) -> async_graphql::ServerResult<support::Plan> {
                Ok(support::Plan::Abstract(vec![#(support::steps::<#types>(fragments, selections)?),*]))
            }
            fn value(&self, plan: &support::Plan) -> async_graphql::Value {
                let support::Plan::Abstract(plans) = plan else { return async_graphql::Value::Null };
                match self {
                    #(Self::#variants(value) => support::object(value, &plans[#positions])),*
                }
            }
            fn write(&self, plan: &support::Plan, json: &mut Vec<u8>) {
                let support::Plan::Abstract(plans) = plan else { return };
                match self {
                    #(Self::#variants(value) => support::write_object(value, &plans[#positions], json)),*
                }
            }
        }
        #output
    };
    Printed { items, machinery }
}

fn register(definition: &Abstract) -> TokenStream {
    let name = &definition.header.name;
    let description = option(definition.header.description.as_ref());
    let names = definition.members.iter().map(|member| &member.name);
    let of_members = definition
        .members
        .iter()
        .map(|Member { rust, .. }| quote!(<#rust as async_graphql::OutputType>::create_type_info));
    match &definition.interface {
        None => quote! {
            support::register_union::<Self>(registry, #name, #description, &[#(#names),*], &[#(#of_members),*])
        },
        Some(interface) => {
            let (fields, interfaces) = (metas(&interface.fields), &interface.interfaces);
            let of_fields = registers_of(&interface.fields);
            quote! {
                support::register_interface::<Self>(
                    registry, #name, #description, &[#(#interfaces),*], #fields,
                    &[#(#names),*], &[#(#of_fields,)* #(#of_members),*],
                )
            }
        }
    }
}

/// Makes a plain type an async-graphql type.
pub(super) fn output_type(rust: &TokenStream, name: &str, register: &TokenStream) -> TokenStream {
    let type_name = type_name(name);
    quote! {
        impl async_graphql::OutputType for #rust {
            #type_name
            fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String { #register }
            async fn resolve(
                &self,
                ctx: &async_graphql::ContextSelectionSet<'_>,
                _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
            ) -> async_graphql::ServerResult<async_graphql::Value> {
                support::answer_borrowed(ctx, self)
            }
        }
    }
}
