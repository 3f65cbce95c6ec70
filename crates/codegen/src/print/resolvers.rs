//! Root types and objects with asynchronous resolvers: a trait, and the functions that call it.

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    docs::{description_docs, doc_lines, docs, resolver_docs},
    inputs,
    planning::planning,
    printed::Printed,
};
use crate::{
    model::{Field, Object, Resolution},
    name,
};

/// A root type.
pub(super) fn root(object: &Object) -> Printed {
    let (resolver, ident) = (&object.resolver_ident, &object.header.ident);
    let (arguments, resolver_trait) = (arguments(object), resolver_trait(object));
    let docs = description_docs(&object.header);
    let items = quote! {
        #resolver_trait
        #arguments
        #docs
        pub struct #ident<R>(pub R);
    };
    let impls = resolvers(
        object,
        &quote!(<R: #resolver>),
        &quote!(#ident<R>),
        &quote!(&self.0),
    );
    Printed { items, impls }
}

/// An object type that a Rust type named in the build script resolves.
pub(super) fn resolved_object(object: &Object, rust: &TokenStream) -> Printed {
    let (arguments, resolver_trait) = (arguments(object), resolver_trait(object));
    Printed {
        items: quote!(#resolver_trait #arguments),
        impls: resolvers(object, &TokenStream::new(), rust, &quote!(self)),
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
        let (docs, method, ty) = (docs(&field.header), &field.header.ident, &field.ty.rust);
        let types = field.arguments.iter().map(|argument| &argument.ty.rust);
        let arguments = field
            .arguments_ident
            .as_ref()
            .map(|ident| quote!(, arguments: #ident<#(#types),*>));
        quote! {
            #docs
            fn #method(&self, ctx: &::engine::Context<'_> #arguments)
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

/// Implements the planning and the resolving of an object type, with one function for each field.
fn resolvers(
    object: &Object,
    generics: &TokenStream,
    rust: &TokenStream,
    resolver: &TokenStream,
) -> TokenStream {
    let planning = planning(object, generics, rust);
    let forwarders = object.fields.iter().map(|field| forwarder(object, field));
    let arms = object.fields.iter().enumerate().map(|(position, field)| {
        let forwarder = name::forwarder_ident(&field.header.name);
        if field.ty.nullable {
            quote!(#position => Ok(ctx.nullable(#forwarder(#resolver, ctx).await)))
        } else {
            quote!(#position => #forwarder(#resolver, ctx).await)
        }
    });
    quote! {
        #planning
        impl #generics ::engine::runtime::Resolvers for #rust {
            async fn resolve_field(
                &self,
                field: usize,
                ctx: &::engine::Context<'_>,
            ) -> ::engine::runtime::ServerResult<Vec<u8>> {
                #(#forwarders)*
                match field {
                    #(#arms,)*
                    _ => Ok(b"null".to_vec()),
                }
            }
        }
    }
}

/// A function that coerces the arguments, calls the resolver, and writes its result.
fn forwarder(object: &Object, field: &Field) -> TokenStream {
    let resolver = &object.resolver_ident;
    let (ident, method) = (
        name::forwarder_ident(&field.header.name),
        &field.header.ident,
    );
    let (call, parsed) = parsed_arguments(field);
    let resolve = match field.ty.resolution {
        Resolution::Leaf | Resolution::Plain => quote!(ctx.write(&value)),
        Resolution::Resolved => quote!(::engine::runtime::resolve(ctx, &value).await),
    };
    quote! {
        async fn #ident<R: #resolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            #parsed
            let value = #resolver::#method(resolver, ctx #call).await.map_err(|error| ctx.failed(error))?;
            #resolve
        }
    }
}

/// The argument expression of the resolver call, and the statement that coerces the arguments.
fn parsed_arguments(field: &Field) -> (Option<TokenStream>, Option<TokenStream>) {
    let Some(ident) = &field.arguments_ident else {
        return (None, None);
    };
    let members = field.arguments.iter().map(|argument| {
        let (member, name, default) = (
            &argument.header.ident,
            &argument.header.name,
            inputs::default_fn(argument),
        );
        quote!(#member: ctx.argument(#name, #default)?)
    });
    (
        Some(quote!(, arguments)),
        Some(quote!(let arguments = #ident { #(#members),* };)),
    )
}
