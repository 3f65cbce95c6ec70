//! Implementations of the generated traits, to be completed by hand.

use super::{
    resolvers::{arguments_parameter, resolved_type},
    source::Source,
};
use crate::model::{Contract, Definition, Field, Implementation, Object};

/// Prints an implementation of each trait, whose methods are not implemented, and the function that builds the schema.
/// It belongs to the module that includes the generated code and contains the Rust types of objects.
pub(crate) fn stubs(contract: &Contract) -> String {
    let mut source = Source::new(&contract.files);
    source.lines(
        "/// Resolves the root types.
        #[derive(Clone, Debug)]
        pub struct Resolvers;",
    );
    for definition in &contract.definitions {
        if let Definition::Object(object) = definition {
            object_stub(&mut source, object);
        }
    }
    schema(&mut source, contract);
    source.into_text()
}

fn object_stub(source: &mut Source, object: &Object) {
    let header = &object.header;
    let rust = match object.implementation {
        Implementation::Struct | Implementation::Fields(_) => return,
        Implementation::Getters(_) | Implementation::Resolvers(_) => {
            source.lines(&format!(
                "/// Resolves the type `{}`.
                #[derive(Clone, Debug)]
                pub struct {};",
                header.name, header.ident
            ));
            &header.ident
        }
        Implementation::Root | Implementation::Subscription => "Resolvers",
    };
    for ident in &object.resolver_idents {
        source.line(&format!("impl contract::{ident} for {rust} {{"));
        if !matches!(object.implementation, Implementation::Getters(_)) {
            source.line("type Error = async_graphql::Error;");
        }
        let fields = object.fields.iter();
        for field in fields.filter(|field| field.resolver_ident == *ident && !field.is_read) {
            method(source, object, field);
        }
        source.line("}");
    }
}

fn method(source: &mut Source, object: &Object, field: &Field) {
    let (ident, location) = (&field.header.ident, field.header.location);
    let body = match object.implementation {
        Implementation::Subscription => "Ok(async_graphql::futures_util::stream::pending())",
        _ => "todo!()",
    };
    if matches!(object.implementation, Implementation::Getters(_)) {
        let ty = &field.ty.returned;
        source.located(&format!("fn {ident}(&self) -> {ty} {{"), location);
    } else {
        source.located(&format!("async fn {ident}("), location);
        source.lines("&self,\nctx: &async_graphql::Context<'_>,");
        if let Some(arguments) = arguments_parameter(field) {
            source.line(&format!("{arguments},"));
        }
        let ty = resolved_type(object, field);
        source.line(&format!(") -> Result<{ty}, Self::Error> {{"));
    }
    source.line(body);
    source.line("}");
}

fn schema(source: &mut Source, contract: &Contract) {
    let empty = |ty: &str| {
        (
            format!("async_graphql::{ty}"),
            format!("async_graphql::{ty}"),
        )
    };
    let (query, query_value) = root(contract, "query").expect("a valid schema has queries");
    let (mutation, mutation_value) =
        root(contract, "mutation").unwrap_or_else(|| empty("EmptyMutation"));
    let (subscription, subscription_value) =
        root(contract, "subscription").unwrap_or_else(|| empty("EmptySubscription"));
    source.lines(&format!(
        "/// The schema, for any integration of async-graphql.
        pub fn schema() -> async_graphql::Schema<{query}, {mutation}, {subscription}> {{
            contract::build({query_value}, {mutation_value}, {subscription_value}).finish()
        }}"
    ));
}

/// The Rust type of a root type, and its value.
fn root(contract: &Contract, operation: &str) -> Option<(String, String)> {
    let (_, name) = contract.roots.iter().find(|(root, _)| root == operation)?;
    let header = |definition: &&Definition| definition.header().name == *name;
    let Definition::Object(object) = contract.definitions.iter().find(header)? else {
        return None;
    };
    let ident = &object.header.ident;
    Some(match object.implementation {
        Implementation::Resolvers(_) => (ident.clone(), ident.clone()),
        _ => (
            format!("contract::{ident}<Resolvers>"),
            format!("contract::{ident}(Resolvers)"),
        ),
    })
}
