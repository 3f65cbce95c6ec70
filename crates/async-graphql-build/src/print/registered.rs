//! What async-graphql registers and calls: its traits `OutputType`, `ContainerType` and `ObjectType`.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{
    docs::published_docs,
    inputs::{attribute, graphql},
};
use crate::{
    model::{Abstract, Default, Field, Header, Input, Object, Reference, Resolution},
    name,
};

/// An object type with resolvers: the implementation of a Rust type, and what has its resolver trait.
pub(super) fn resolved_object(
    object: &Object,
    generics: &TokenStream,
    rust: &TokenStream,
    resolvers: &TokenStream,
) -> TokenStream {
    let info = object_info(object);
    let register = quote!(register_object);
    let output = output_type(&object.header, generics, rust, &register, true);
    let resolve_field = resolve_field(object, resolvers);
    let ident = name::info_ident(&object.header.name);
    quote! {
        #info
        #output
        impl #generics async_graphql::ObjectType for #rust {}
        impl #generics async_graphql::ContainerType for #rust { #resolve_field }
        impl #generics support::Complete for #rust {
            fn complete(
                &self,
                ctx: &async_graphql::ContextSelectionSet<'_>,
                _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
            ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
                support::resolve_object(ctx, self, &#ident)
            }
        }
    }
}

/// The methods of the root type of subscriptions.
pub(super) fn subscription(object: &Object) -> TokenStream {
    let (resolver, ident) = (&object.resolver_ident, &object.header.ident);
    let (docs, name) = (published_docs(&object.header), &object.header.name);
    let methods = object.fields.iter().map(|field| {
        let (method, ty) = (&field.header.ident, &field.ty.rust);
        let (docs, named) = (published_docs(&field.header), graphql(&field.header, None));
        let forwarder = name::forwarder_ident(&field.header.name);
        let completed = match field.ty.resolution {
            Resolution::Leaf | Resolution::Plain => quote!(support::Json),
            Resolution::Resolved => quote!(support::Completed),
        };
        let arguments = field.arguments.iter().enumerate();
        let parameters = arguments.clone().map(|(position, argument)| {
            let (ident, ty) = (parameter_ident(position), &argument.ty.rust);
            let attribute = attribute(&argument.header, argument.default.as_ref());
            let description = argument.header.description.as_ref();
            let description = description.map(|text| quote!(, desc = #text));
            quote!(#[graphql(#attribute #description)] #ident: #ty)
        });
        let call = field.arguments_ident.as_ref().map(|ident| {
            let members = arguments.map(|(position, argument)| {
                let (member, value) = (&argument.header.ident, parameter_ident(position));
                quote!(#member: #value)
            });
            quote!(, #ident { #(#members),* })
        });
        quote! {
            #docs
            #named
            async fn #forwarder(
                &self,
                ctx: &async_graphql::Context<'_>
                #(, #parameters)*
            ) -> Result<
                impl async_graphql::futures_util::Stream<
                    Item = Result<support::Event<#completed<#ty>>, async_graphql::Error>
                >,
                <R as #resolver>::Error
            > {
                let events = #resolver::#method(&self.0, ctx #call).await?;
                Ok(support::events(events, #completed))
            }
        }
    });
    quote! {
        #docs
        #[async_graphql::Subscription(name = #name)]
        impl<R: #resolver> #ident<R> { #(#methods)* }
    }
}

fn parameter_ident(position: usize) -> Ident {
    format_ident!("argument_{position}")
}

/// An object type without resolvers.
pub(super) fn plain_object(object: &Object, rust: &TokenStream) -> TokenStream {
    let (info, register) = (object_info(object), quote!(register_object));
    let output = output_type(&object.header, &TokenStream::new(), rust, &register, false);
    quote!(#info #output)
}

fn object_info(object: &Object) -> TokenStream {
    let (header, fields) = (&object.header, &object.fields);
    info(header, &object.interfaces, &[], &object.conditions, fields)
}

/// An interface or union.
pub(super) fn abstract_type(definition: &Abstract) -> TokenStream {
    let header = &definition.header;
    let members = definition.members.iter().map(|member| Reference {
        name: member.name.clone(),
        rust: member.rust.clone(),
    });
    let members: Vec<_> = members.collect();
    let (info, register) = match &definition.interface {
        Some(interface) => (
            info(
                header,
                &interface.interfaces,
                &members,
                &[],
                &interface.fields,
            ),
            quote!(register_interface),
        ),
        None => (
            info(header, &[], &members, &[], &[]),
            quote!(register_union),
        ),
    };
    let ident = &header.ident;
    let no_generics = TokenStream::new();
    let output = output_type(
        header,
        &no_generics,
        &quote!(#ident),
        &register,
        definition.is_resolved,
    );
    quote!(#info #output)
}

/// What is registered of a type.
fn info(
    header: &Header,
    interfaces: &[Reference],
    possible_types: &[Reference],
    conditions: &[String],
    fields: &[Field],
) -> TokenStream {
    let (name, ident) = (&header.name, name::info_ident(&header.name));
    let description = optional(header.description.as_ref().map(|text| quote!(#text)));
    let references = |references: &[Reference]| {
        let references = references.iter().map(|Reference { name, rust }| {
            quote!((#name, <#rust as async_graphql::OutputType>::create_type_info))
        });
        quote!(&[#(#references),*])
    };
    let (interfaces, possible_types) = (references(interfaces), references(possible_types));
    let fields = fields.iter().map(field_info);
    quote! {
        static #ident: support::TypeInfo = support::TypeInfo {
            name: #name,
            description: #description,
            interfaces: #interfaces,
            possible_types: #possible_types,
            conditions: &[#(#conditions),*],
            fields: &[#(#fields),*],
        };
    }
}

fn field_info(field: &Field) -> TokenStream {
    let common = described(&field.header);
    let (name, ty, rust) = (&field.header.name, &field.ty.sdl, &field.ty.named);
    let arguments = field.arguments.iter().map(argument_info);
    let arguments = field
        .arguments_ident
        .as_ref()
        .map(|_| quote!(.arguments(&[#(#arguments),*])));
    let complexity = field.complexity.as_ref().map(|expression| {
        let arguments = field.arguments.iter().map(|argument| {
            let (ident, name, ty) = (
                &argument.header.ident,
                &argument.header.name,
                &argument.ty.rust,
            );
            let default = default(argument);
            quote!(let #ident: #ty = ctx.param_value(variables, field, #name, #default)?;)
        });
        quote! {
            .complexity(|ctx, variables, field, child_complexity| {
                #(#arguments)*
                Ok(#expression)
            })
        }
    });
    quote! {
        support::FieldInfo::new(#name, #ty, <#rust as async_graphql::OutputType>::create_type_info)
            #common #arguments #complexity
    }
}

fn argument_info(argument: &Input) -> TokenStream {
    let common = described(&argument.header);
    let (name, ty) = (&argument.header.name, &argument.ty);
    let (sdl, named, rust) = (&ty.sdl, &ty.named, &ty.rust);
    let default = argument.default.as_ref().map(|default| {
        let (sdl, value) = (&default.sdl, &default.rust);
        quote!(.default(#sdl, || { let _: #rust = #value; }))
    });
    quote! {
        support::InputInfo::new(#name, #sdl, <#named as async_graphql::InputType>::create_type_info)
            #common #default
    }
}

fn described(header: &Header) -> TokenStream {
    let description = header.description.as_ref();
    let description = description.map(|text| quote!(.description(#text)));
    let deprecated = header.deprecated.as_ref();
    let deprecated = deprecated.map(|reason| quote!(.deprecated(#reason)));
    quote!(#description #deprecated)
}

/// The default value as a function.
fn default(argument: &Input) -> TokenStream {
    let default = argument.default.as_ref();
    optional(default.map(|Default { rust, .. }| quote!(|| #rust)))
}

fn optional(value: Option<TokenStream>) -> TokenStream {
    value.map_or(quote!(None), |value| quote!(Some(#value)))
}

/// Implements `OutputType` for a Rust type. Its interfaces are registered with it.
fn output_type(
    header: &Header,
    generics: &TokenStream,
    rust: &TokenStream,
    register: &TokenStream,
    is_resolved: bool,
) -> TokenStream {
    let (name, info) = (&header.name, name::info_ident(&header.name));
    let (field, resolve) = if is_resolved {
        (
            quote!(field),
            quote!(support::Complete::complete(self, ctx, field)),
        )
    } else {
        (
            quote!(_),
            quote!(::std::future::ready(support::written(self, ctx))),
        )
    };
    quote! {
        impl #generics async_graphql::OutputType for #rust {
            fn type_name() -> ::std::borrow::Cow<'static, str> {
                ::std::borrow::Cow::Borrowed(#name)
            }
            fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
                support::#register::<Self>(registry, &#info)
            }
            fn resolve(
                &self,
                ctx: &async_graphql::ContextSelectionSet<'_>,
                #field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
            ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
                #resolve
            }
        }
    }
}

/// Calls the resolver of a field with its arguments.
fn resolve_field(object: &Object, resolvers: &TokenStream) -> TokenStream {
    let resolver = &object.resolver_ident;
    let arms = object.fields.iter().map(|field| {
        let (name, method) = (&field.header.name, &field.header.ident);
        let arguments = field.arguments_ident.as_ref().map(|ident| {
            let members = field.arguments.iter().map(|argument| {
                let (member, name) = (&argument.header.ident, &argument.header.name);
                let default = default(argument);
                quote!(#member: support::argument(ctx, #name, #default)?)
            });
            quote!(, #ident { #(#members),* })
        });
        let mut value = quote!(#resolver::#method(#resolvers, ctx #arguments));
        if let Some(guard) = &field.guard {
            value = quote!(support::guarded(ctx, #guard, #value));
        }
        let resolve = match field.ty.resolution {
            Resolution::Leaf | Resolution::Plain => quote!(written_field),
            Resolution::Resolved => quote!(completed_field),
        };
        quote!(#name => support::#resolve(ctx, #value))
    });
    quote! {
        async fn resolve_field(
            &self,
            ctx: &async_graphql::Context<'_>,
        ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
            let resolving: support::Resolving<'_> = match ctx.item.node.name.node.as_str() {
                #(#arms,)*
                _ => return Ok(None),
            };
            resolving.await.map(Some)
        }
    }
}
