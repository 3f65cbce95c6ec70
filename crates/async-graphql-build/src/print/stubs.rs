//! Implementations of the generated traits, to be completed by hand.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{docs::doc_lines, format, locations};
use crate::model::{Contract, Definition, Field, Implementation, Object};

/// Prints an implementation of each trait, whose methods are not implemented, and the function that builds the schema.
/// It belongs to the module that includes the generated code and contains the Rust types of objects.
pub(crate) fn stubs(contract: &Contract, file: &str) -> String {
    let objects = contract.definitions.iter().filter_map(|definition| {
        let Definition::Object(object) = definition else {
            return None;
        };
        object_stub(object)
    });
    let stubs: String = objects.map(format).collect();
    let source = format(resolvers()) + &stubs + &format(schema(contract));
    locations::to_comments(&source, file)
}

fn resolvers() -> TokenStream {
    quote! {
        #[doc = " Resolves the root types."]
        #[derive(Clone, Debug)]
        pub struct Resolvers;
    }
}

fn object_stub(object: &Object) -> Option<TokenStream> {
    let header = &object.header;
    let (resolver, bound) = (&object.resolver_ident, &header.ident);
    let summary = doc_lines(&format!("Resolves the type `{}`.", header.name));
    let structure = quote! {
        #summary
        #[derive(Clone, Debug)]
        pub struct #bound;
    };
    let (structure, rust) = match object.implementation {
        Implementation::Struct => return None,
        Implementation::Getters(_) | Implementation::Resolvers(_) => (structure, bound.clone()),
        Implementation::Root | Implementation::Subscription => {
            (TokenStream::new(), Ident::new("Resolvers", bound.span()))
        }
    };
    let has_error = !matches!(object.implementation, Implementation::Getters(_));
    let error = has_error.then(|| {
        quote!(
            type Error = async_graphql::Error;
        )
    });
    let fields = object.fields.iter();
    let methods = fields.map(|field| method(field, &object.implementation));
    Some(quote! {
        #structure
        impl contract::#resolver for #rust {
            #error
            #(#methods)*
        }
    })
}

fn method(field: &Field, implementation: &Implementation) -> TokenStream {
    let (ident, location) = (
        &field.header.ident,
        locations::marker(field.header.location),
    );
    if matches!(implementation, Implementation::Getters(_)) {
        let ty = &field.ty.returned;
        return quote!(#location fn #ident(&self) -> #ty { todo!() });
    }
    let arguments = field.arguments_ident.as_ref().map(|arguments| {
        let types = field.arguments.iter().map(|argument| &argument.ty.rust);
        quote!(, arguments: #arguments<#(#types),*>)
    });
    let value = &field.ty.rust;
    let (ty, body) = match implementation {
        Implementation::Subscription => (
            quote!(impl async_graphql::futures_util::Stream<Item = Result<#value, Self::Error>> + Send),
            quote!(Ok(async_graphql::futures_util::stream::pending())),
        ),
        _ => (value.clone(), quote!(todo!())),
    };
    quote! {
        #location
        async fn #ident(&self, ctx: &async_graphql::Context<'_> #arguments) -> Result<#ty, Self::Error> {
            #body
        }
    }
}

fn schema(contract: &Contract) -> TokenStream {
    let (query, query_value) = root(contract, "query").expect("a valid schema has queries");
    let empty = |ty: TokenStream| (ty.clone(), ty);
    let (mutation, mutation_value) =
        root(contract, "mutation").unwrap_or_else(|| empty(quote!(async_graphql::EmptyMutation)));
    let (subscription, subscription_value) = root(contract, "subscription")
        .unwrap_or_else(|| empty(quote!(async_graphql::EmptySubscription)));
    quote! {
        #[doc = " The schema, for any integration of async-graphql."]
        pub fn schema() -> async_graphql::Schema<#query, #mutation, #subscription> {
            async_graphql::Schema::build(#query_value, #mutation_value, #subscription_value).finish()
        }
    }
}

/// The Rust type of a root type, and its value.
fn root(contract: &Contract, operation: &str) -> Option<(TokenStream, TokenStream)> {
    let (_, name) = contract.roots.iter().find(|(root, _)| root == operation)?;
    let header = |definition: &&Definition| definition.header().name == *name;
    let Definition::Object(object) = contract.definitions.iter().find(header)? else {
        return None;
    };
    let ident = &object.header.ident;
    Some(match object.implementation {
        Implementation::Resolvers(_) => (quote!(#ident), quote!(#ident)),
        _ => (
            quote!(contract::#ident<Resolvers>),
            quote!(contract::#ident(Resolvers)),
        ),
    })
}
