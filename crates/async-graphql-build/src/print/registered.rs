//! What async-graphql's macros register and dispatch: an implementation for each root type, and for each other composite
//! output type a type of its own, whose methods call the getters or resolvers.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{
    docs::published_docs,
    inputs::{attribute, graphql},
};
use crate::{
    model::{Abstract, Field, Header, Implementation, Input, Object, Resolution},
    name,
};

/// The methods of a root type.
pub(super) fn root(object: &Object) -> TokenStream {
    let (resolver, ident) = (&object.resolver_ident, &object.header.ident);
    let (docs, name) = (published_docs(&object.header), &object.header.name);
    let methods = object.fields.iter();
    let methods =
        methods.map(|field| resolver_method(field, resolver, &quote!(&self.0), &quote!(R)));
    quote! {
        #docs
        #[async_graphql::Object(name = #name)]
        impl<R: #resolver> #ident<R> { #(#methods)* }
    }
}

/// The methods of the root type of subscriptions.
pub(super) fn subscription(object: &Object) -> TokenStream {
    let (resolver, ident) = (&object.resolver_ident, &object.header.ident);
    let (docs, name) = (published_docs(&object.header), &object.header.name);
    let methods = object.fields.iter().map(|field| {
        let (method, ty) = (&field.header.ident, &field.ty.rust);
        let (head, forwarder) = method_head(field);
        let (completed, complete) = completion(field.ty.resolution);
        let (parameters, call) = call(field);
        quote! {
            #head
            async fn #forwarder(
                &self,
                ctx: &async_graphql::Context<'_>
                #(, #parameters)*
            ) -> Result<
                impl async_graphql::futures_util::Stream<Item = Result<#completed<#ty>, async_graphql::Error>>,
                <R as #resolver>::Error
            > {
                let events = #resolver::#method(&self.0, ctx #call).await?;
                Ok(support::events(events, #complete))
            }
        }
    });
    quote! {
        #docs
        #[async_graphql::Subscription(name = #name)]
        impl<R: #resolver> #ident<R> { #(#methods)* }
    }
}

/// The methods of an object type, and its output type.
pub(super) fn object(object: &Object, rust: &TokenStream) -> TokenStream {
    let (resolver, name) = (&object.resolver_ident, &object.header.name);
    let (docs, twin) = (published_docs(&object.header), name::registered_ident(name));
    let is_resolved = matches!(object.implementation, Implementation::Resolvers(_));
    let methods = object
        .fields
        .iter()
        .map(|field| match &object.implementation {
            Implementation::Struct => struct_method(field),
            Implementation::Getters(_) => getter_method(field, resolver),
            Implementation::Resolvers(_) | Implementation::Root | Implementation::Subscription => {
                resolver_method(field, resolver, &quote!(self.0), rust)
            }
        });
    let conditions = &object.conditions;
    let fields = object.fields.iter().map(|field| {
        let (name, nullable) = (&field.header.name, field.ty.nullable);
        quote!((#name, #nullable))
    });
    let complete = is_resolved.then(|| {
        quote! {
            impl support::Complete for #rust {
                async fn complete(
                    &self,
                    ctx: &async_graphql::ContextSelectionSet<'_>,
                    _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
                ) -> async_graphql::ServerResult<async_graphql::Value> {
                    support::resolve_object(ctx, &#twin(self), &#twin::INFO).await
                }
            }
        }
    });
    let output = output_type(&object.header, rust, &object.interfaces, is_resolved);
    let root = object.is_root.then(|| {
        quote! {
            impl async_graphql::ObjectType for #rust {}
            impl async_graphql::ContainerType for #rust {
                async fn resolve_field(
                    &self,
                    ctx: &async_graphql::Context<'_>,
                ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
                    async_graphql::ContainerType::resolve_field(&#twin(self), ctx).await
                }
            }
        }
    });
    quote! {
        struct #twin<'a>(&'a #rust);
        impl #twin<'_> {
            const INFO: support::ObjectInfo = support::ObjectInfo {
                name: #name,
                conditions: &[#(#conditions),*],
                fields: &[#(#fields),*],
            };
        }
        #docs
        #[async_graphql::Object(name = #name)]
        impl<'a> #twin<'a> { #(#methods)* }
        #complete
        #output
        #root
    }
}

/// An interface or union of registered types, and its output type.
pub(super) fn abstract_type(definition: &Abstract) -> TokenStream {
    let (name, ident) = (&definition.header.name, &definition.header.ident);
    let (docs, twin) = (
        published_docs(&definition.header),
        name::registered_ident(name),
    );
    let variants = definition.members.iter().map(|member| {
        let (variant, member) = (&member.variant, name::registered_ident(&member.name));
        quote!(#variant(#member<'a>))
    });
    let (derive, fields) = match &definition.interface {
        Some(interface) => {
            let fields = interface.fields.iter().map(interface_field);
            (quote!(Interface), Some(quote!(#(, #fields)*)))
        }
        None => (quote!(Union), None),
    };
    let output = output_type(
        &definition.header,
        &quote!(#ident),
        &[],
        definition.is_resolved,
    );
    quote! {
        #docs
        #[derive(async_graphql::#derive)]
        #[graphql(name = #name #fields)]
        enum #twin<'a> { #(#variants),* }
        #output
    }
}

/// Implements `OutputType` for a Rust type. Its interfaces are registered with it.
fn output_type(
    header: &Header,
    rust: &TokenStream,
    interfaces: &[String],
    is_resolved: bool,
) -> TokenStream {
    let (name, twin) = (&header.name, name::registered_ident(&header.name));
    let interfaces = interfaces
        .iter()
        .map(|interface| name::registered_ident(interface));
    let (field, resolve) = if is_resolved {
        let resolve = quote!(support::Complete::complete(self, ctx, field).await);
        (quote!(field), resolve)
    } else {
        (quote!(_), quote!(support::written(self, ctx)))
    };
    quote! {
        impl async_graphql::OutputType for #rust {
            fn type_name() -> ::std::borrow::Cow<'static, str> {
                ::std::borrow::Cow::Borrowed(#name)
            }
            fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
                #(<#interfaces<'static> as async_graphql::OutputType>::create_type_info(registry);)*
                <#twin<'static> as async_graphql::OutputType>::create_type_info(registry)
            }
            async fn resolve(
                &self,
                ctx: &async_graphql::ContextSelectionSet<'_>,
                #field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
            ) -> async_graphql::ServerResult<async_graphql::Value> {
                #resolve
            }
        }
    }
}

fn struct_method(field: &Field) -> TokenStream {
    let (ident, ty) = (&field.header.ident, &field.ty.rust);
    let (head, method) = method_head(field);
    quote! {
        #head
        async fn #method(&self) -> support::Json<&#ty> { support::Json::new(&self.0.#ident) }
    }
}

fn getter_method(field: &Field, resolver: &Ident) -> TokenStream {
    let (ident, ty, declared) = (&field.header.ident, &field.ty.returned, &field.ty.rust);
    let (head, method) = method_head(field);
    quote! {
        #head
        async fn #method(&self) -> support::Json<#ty, #declared> {
            support::Json::new(#resolver::#ident(self.0))
        }
    }
}

/// A method that calls a resolver with the arguments that async-graphql has coerced.
fn resolver_method(
    field: &Field,
    resolver: &Ident,
    object: &TokenStream,
    rust: &TokenStream,
) -> TokenStream {
    let (ident, ty) = (&field.header.ident, &field.ty.rust);
    let (head, method) = method_head(field);
    let (completed, complete) = completion(field.ty.resolution);
    let (parameters, call) = call(field);
    quote! {
        #head
        async fn #method(
            &self,
            ctx: &async_graphql::Context<'_>
            #(, #parameters)*
        ) -> Result<#completed<#ty>, <#rust as #resolver>::Error> {
            #resolver::#ident(#object, ctx #call).await.map(#complete)
        }
    }
}

/// The type of a completed value, and its constructor.
fn completion(resolution: Resolution) -> (TokenStream, TokenStream) {
    match resolution {
        Resolution::Leaf | Resolution::Plain => (quote!(support::Json), quote!(support::Json::new)),
        Resolution::Resolved => (quote!(support::Completed), quote!(support::Completed)),
    }
}

/// The parameters of a method, and the struct of arguments that it passes on.
fn call(field: &Field) -> (Vec<TokenStream>, Option<TokenStream>) {
    let arguments = field.arguments.iter().enumerate();
    let parameters = arguments
        .clone()
        .map(|(position, argument)| parameter(position, argument));
    let call = field.arguments_ident.as_ref().map(|ident| {
        let members = arguments.map(|(position, argument)| {
            let (member, value) = (&argument.header.ident, parameter_ident(position));
            quote!(#member: #value)
        });
        quote!(, #ident { #(#members),* })
    });
    (parameters.collect(), call)
}

fn method_head(field: &Field) -> (TokenStream, Ident) {
    let (docs, attribute) = (published_docs(&field.header), graphql(&field.header, None));
    let method = name::forwarder_ident(&field.header.name);
    (quote!(#docs #attribute), method)
}

fn parameter_ident(position: usize) -> Ident {
    format_ident!("argument_{position}")
}

fn parameter(position: usize, argument: &Input) -> TokenStream {
    let (ident, ty) = (parameter_ident(position), &argument.ty.rust);
    let attribute = described(argument);
    quote!(#[graphql(#attribute)] #ident: #ty)
}

fn described(argument: &Input) -> TokenStream {
    let attribute = attribute(&argument.header, argument.default.as_ref());
    let description = argument.header.description.as_ref();
    let description = description.map(|text| quote!(, desc = #text));
    quote!(#attribute #description)
}

/// The declaration of a field of an interface. No value has its type.
fn interface_field(field: &Field) -> TokenStream {
    let attribute = attribute(&field.header, None);
    let method = name::forwarder_ident(&field.header.name).to_string();
    let (rust, description) = (&field.ty.rust, field.header.description.as_ref());
    let ty = quote!(support::Declared<#rust>).to_string();
    let description = description.map(|text| quote!(, desc = #text));
    let arguments = field.arguments.iter().map(|argument| {
        let (attribute, ty) = (described(argument), argument.ty.rust.to_string());
        quote!(, arg(#attribute, ty = #ty))
    });
    quote!(field(#attribute, method = #method, ty = #ty #description #(#arguments)*))
}
