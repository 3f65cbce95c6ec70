//! Root types and objects with asynchronous resolvers: a trait, and the functions that call it.

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    docs::{description_docs, doc_lines, docs, resolver_docs},
    printed::Printed,
    registered,
};
use crate::model::{Implementation, Object};

/// A root type.
pub(super) fn root(object: &Object) -> Printed {
    let ident = &object.header.ident;
    let (arguments, resolver_trait) = (arguments(object), resolver_trait(object));
    let docs = description_docs(&object.header);
    let items = quote! {
        #resolver_trait
        #arguments
        #docs
        pub struct #ident<R>(pub R);
    };
    let impls = if matches!(object.implementation, Implementation::Subscription) {
        registered::subscription(object)
    } else {
        let resolver = &object.resolver_ident;
        let (generics, rust) = (quote!(<R: #resolver>), quote!(#ident<R>));
        registered::resolved_object(object, &generics, &rust, &quote!(&self.0))
    };
    Printed { items, impls }
}

/// An object type that a Rust type named in the build script resolves.
pub(super) fn object(object: &Object, rust: &TokenStream) -> Printed {
    let (arguments, resolver_trait) = (arguments(object), resolver_trait(object));
    Printed {
        items: quote!(#resolver_trait #arguments),
        impls: registered::resolved_object(object, &TokenStream::new(), rust, &quote!(self)),
    }
}

/// The structs of arguments. They are named, so that arguments cannot be swapped, and generic, so that resolvers
/// declare the types and compiler messages about a wrong type show both locations.
fn arguments(object: &Object) -> TokenStream {
    let structs = object.fields.iter().filter_map(|field| {
        let ident = field.arguments_ident.as_ref()?;
        let types = field
            .arguments
            .iter()
            .map(|argument| format!("{}: {}", argument.header.name, argument.ty.sdl));
        let types = types.collect::<Vec<_>>().join(", ");
        let summary = format!(
            "The arguments of `{}.{}({types})`.",
            object.header.name, field.header.name
        );
        let summary = doc_lines(&summary);
        let location = super::locations::marker(field.header.location);
        let parameters = field.arguments.iter().map(|argument| &argument.parameter);
        let members = field.arguments.iter().map(|argument| {
            let (docs, ident, ty) = (
                docs(&argument.header),
                &argument.header.ident,
                &argument.parameter,
            );
            quote!(#docs pub #ident: #ty)
        });
        Some(quote! {
            #summary
            #[derive(Clone, Debug)]
            #location
            pub struct #ident<#(#parameters),*> { #(#members),* }
        })
    });
    quote!(#(#structs)*)
}

fn resolver_trait(object: &Object) -> TokenStream {
    let (ident, docs_of_trait) = (&object.resolver_ident, resolver_docs(&object.header));
    let methods = object.fields.iter().map(|field| {
        let (docs, method, value) = (docs(&field.header), &field.header.ident, &field.ty.rust);
        let ty = match object.implementation {
            Implementation::Subscription => {
                quote!(impl async_graphql::futures_util::Stream<Item = Result<#value, Self::Error>> + Send)
            }
            _ => value.clone(),
        };
        let types = field.arguments.iter().map(|argument| &argument.ty.rust);
        let arguments = field
            .arguments_ident
            .as_ref()
            .map(|ident| quote!(, arguments: #ident<#(#types),*>));
        quote! {
            #docs
            fn #method(&self, ctx: &async_graphql::Context<'_> #arguments)
                -> impl ::std::future::Future<Output = Result<#ty, Self::Error>> + Send;
        }
    });
    quote! {
        #docs_of_trait
        pub trait #ident: Send + Sync {
            #[doc = " The error of a resolver. Its conversion determines what clients receive."]
            type Error: Into<async_graphql::Error> + Send;
            #(#methods)*
        }
    }
}
