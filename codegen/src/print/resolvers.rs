//! Root types and objects with resolvers of their own: a trait to implement and what forwards to it.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{Printed, described, docs, inputs, introduced, lines, option, outputs, type_name};
use crate::{
    model::{Field, Object, Plainness},
    name,
};

/// A root type for queries or mutations.
pub(super) fn root(object: &Object) -> Printed {
    let (resolver, ident) = (&object.resolver_ident, &object.header.ident);
    let (arguments, resolver_trait, forwarders) = (
        arguments(object),
        resolver_trait(object, Kind::Field),
        forwarders(object),
    );
    let docs = described(&object.header);
    let served = container(
        object,
        &quote!(impl<R: #resolver>),
        &quote!(#ident<R>),
        &quote!(&self.0),
    );
    let items = quote! {
        #resolver_trait
        #arguments
        #docs
        pub struct #ident<R>(pub R);
    };
    let planned = planned(object);
    Printed {
        items,
        machinery: quote!(#forwarders #served #planned),
    }
}

/// What is known of the answers of a root type before they are there.
fn planned(object: &Object) -> TokenStream {
    let (resolver, ident) = (&object.resolver_ident, &object.header.ident);
    let is_planned = |field: &&Field| field.ty.plainness != Plainness::Resolved;
    let arms = object.fields.iter().filter(is_planned).map(|field| {
        let (name, named) = (&field.header.name, &field.ty.named);
        quote!(#name => Some(<#named as support::Plain>::plan(fragments, selections)))
    });
    quote! {
        impl<R: #resolver> support::Root for #ident<R> {
            fn plan(
                field: &str,
                fragments: &support::Fragments,
                selections: &[&async_graphql::parser::types::SelectionSet],
            ) -> Option<async_graphql::ServerResult<support::Plan>> {
                match field {
                    #(#arms,)*
                    _ => None,
                }
            }
        }
    }
}

/// An object type that a Rust type named in `build.rs` resolves.
pub(super) fn resolved_object(object: &Object, rust: &TokenStream) -> Printed {
    let (arguments, resolver_trait, forwarders) = (
        arguments(object),
        resolver_trait(object, Kind::Field),
        forwarders(object),
    );
    let served = container(object, &quote!(impl), rust, &quote!(self));
    Printed {
        items: quote!(#resolver_trait #arguments),
        machinery: quote!(#forwarders #served),
    }
}

/// The root type for subscriptions.
pub(super) fn subscription(object: &Object) -> Printed {
    let (resolver, ident, name) = (
        &object.resolver_ident,
        &object.header.ident,
        &object.header.name,
    );
    let (arguments, resolver_trait) = (arguments(object), resolver_trait(object, Kind::Stream));
    let (docs, type_name) = (described(&object.header), type_name(name));
    let register = register(object, &quote!(support::register_subscription), None);
    let arms = object.fields.iter().map(|field| {
        let (name, method) = (&field.header.name, &field.header.ident);
        let (given, parsed) = parsed_arguments(field);
        let ty = &field.ty.rust;
        quote! {
            #name => Some(support::responses::<#ty, _, _, _>(ctx, async move {
                #parsed
                self.0.#method(ctx #given).await.map_err(|error| support::failed(ctx, error))
            }))
        }
    });
    let items = quote! {
        #resolver_trait
        #arguments
        #docs
        pub struct #ident<R>(pub R);
    };
    let machinery = quote! {
        impl<R: #resolver> async_graphql::SubscriptionType for #ident<R> {
            #type_name
            fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String { #register }
            fn create_field_stream<'a>(
                &'a self,
                ctx: &'a async_graphql::Context<'_>,
            ) -> Option<async_graphql::futures_util::stream::BoxStream<'a, async_graphql::Response>> {
                match ctx.item.node.name.node.as_str() {
                    #(#arms,)*
                    _ => None,
                }
            }
        }
    };
    Printed { items, machinery }
}

/// What a resolver answers with: a value, or a stream of values.
#[derive(Clone, Copy)]
enum Kind {
    Field,
    Stream,
}

/// The structs that carry arguments: by name, so that no two can be mistaken for each other, and
/// generic, so that a resolver states their types and a message about a wrong one shows both places.
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
        let summary = lines(&summary);
        let place = super::places::marker(field.header.place);
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
            #place
            pub struct #ident<#(#parameters),*> { #(#members),* }
        })
    });
    quote!(#(#structs)*)
}

fn resolver_trait(object: &Object, kind: Kind) -> TokenStream {
    let (ident, name) = (&object.resolver_ident, &object.header.name);
    let summary = format!("Resolves the type `{name}` of the contract.");
    let docs_of_trait = introduced(&summary, &object.header, &TokenStream::new());
    let methods = object.fields.iter().map(|field| {
        let (docs, method, ty) = (docs(&field.header), &field.header.ident, &field.ty.rust);
        let types = field.arguments.iter().map(|argument| &argument.ty.rust);
        let arguments = field
            .arguments_ident
            .as_ref()
            .map(|ident| quote!(, arguments: #ident<#(#types),*>));
        let answer = match kind {
            Kind::Field => quote!(#ty),
            Kind::Stream => quote! {
                impl async_graphql::futures_util::Stream<Item = Result<#ty, Self::Error>> + Send
            },
        };
        quote! {
            #docs
            fn #method(&self, ctx: &async_graphql::Context<'_> #arguments)
                -> impl ::std::future::Future<Output = Result<#answer, Self::Error>> + Send;
        }
    });
    quote! {
        #docs_of_trait
        pub trait #ident: Send + Sync {
            #[doc = " What a resolver fails with. Its conversion decides what clients are told."]
            type Error: Into<async_graphql::Error> + Send;
            #(#methods)*
        }
    }
}

/// One function a field: arguments in, the resolver called, the answer resolved.
fn forwarders(object: &Object) -> TokenStream {
    let resolver = &object.resolver_ident;
    let forwarders = object.fields.iter().map(|field| {
        let (ident, method) = (forwarder(object, field), &field.header.ident);
        let (given, parsed) = parsed_arguments(field);
        let resolve = match field.ty.plainness {
            Plainness::Leaf | Plainness::Plain => quote!(support::answer(ctx, answer)),
            Plainness::Resolved => quote!(support::resolve(ctx, &answer).await),
        };
        quote! {
            async fn #ident<R: #resolver>(
                resolver: &R,
                ctx: &async_graphql::Context<'_>,
            ) -> async_graphql::ServerResult<async_graphql::Value> {
                #parsed
                let answer = #resolver::#method(resolver, ctx #given).await.map_err(|error| support::failed(ctx, error))?;
                #resolve
            }
        }
    });
    quote!(#(#forwarders)*)
}

fn forwarder(object: &Object, field: &Field) -> Ident {
    name::of_forwarder(&object.header.name, &field.header.name)
}

/// How the arguments are passed on, and the statement that makes them.
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
        quote!(#member: support::argument(ctx, #name, #default)?)
    });
    (
        Some(quote!(, arguments)),
        Some(quote!(let arguments = #ident { #(#members),* };)),
    )
}

/// Makes the type an async-graphql object.
fn container(
    object: &Object,
    implement: &TokenStream,
    rust: &TokenStream,
    resolver: &TokenStream,
) -> TokenStream {
    let type_name = type_name(&object.header.name);
    let interfaces = &object.interfaces;
    let interfaces = Some(quote!(&[#(#interfaces),*]));
    let register = register(object, &quote!(support::register_object), interfaces);
    let arms = object.fields.iter().map(|field| {
        let (name, forwarder) = (&field.header.name, forwarder(object, field));
        if field.ty.nullable {
            quote!(#name => Ok(Some(support::nullable(ctx, #forwarder(#resolver, ctx).await))))
        } else {
            quote!(#name => #forwarder(#resolver, ctx).await.map(Some))
        }
    });
    quote! {
        #implement async_graphql::ContainerType for #rust {
            async fn resolve_field(
                &self,
                ctx: &async_graphql::Context<'_>,
            ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
                match ctx.item.node.name.node.as_str() {
                    #(#arms,)*
                    _ => Ok(None),
                }
            }
        }
        #implement async_graphql::OutputType for #rust {
            #type_name
            fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String { #register }
            async fn resolve(
                &self,
                ctx: &async_graphql::ContextSelectionSet<'_>,
                _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
            ) -> async_graphql::ServerResult<async_graphql::Value> {
                async_graphql::resolver_utils::resolve_container(ctx, self).await
            }
        }
        #implement async_graphql::ObjectType for #rust {}
    }
}

/// The call of a registration function; `interfaces` is the argument that only objects have.
fn register(object: &Object, with: &TokenStream, interfaces: Option<TokenStream>) -> TokenStream {
    let name = &object.header.name;
    let description = option(object.header.description.as_ref());
    let fields = outputs::metas(&object.fields);
    let registers = outputs::registers_of(&object.fields);
    let interfaces = interfaces.map(|names| quote!(#names,));
    quote!(#with::<Self>(registry, #name, #description, #interfaces #fields, &[#(#registers),*]))
}
