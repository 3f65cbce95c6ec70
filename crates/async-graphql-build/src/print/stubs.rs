//! Implementations of the generated traits, to be completed by hand.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    resolvers::{parameters, resolved_type},
    source::Source,
};
use crate::model::{Contract, Definition, Field, Header, Implementation, Object};

/// The traits that a crate implements, each with the methods.
pub(crate) type Written = BTreeMap<String, BTreeSet<String>>;

/// Prints an implementation of each trait, whose methods are not implemented, and the function that builds the schema.
/// It belongs to the module that includes the generated code and contains the Rust types of objects.
pub(crate) fn stubs(contract: &Contract, module: &str) -> String {
    let resolvers = resolvers_ident(contract);
    let mut source = Source::default();
    source.lines(&format!(
        "/// Resolves the root types.
        #[derive(Clone, Debug)]
        pub struct {resolvers};\n"
    ));
    let mut text = source.into_text();
    text.push_str(&missing(contract, module, &Written::new(), None));
    let mut source = Source::default();
    schema(&mut source, contract, module, &resolvers);
    text + "\n" + &source.into_text()
}

/// Prints the implementations and methods that are not written, or those of `only`, a type or field.
pub(crate) fn missing(contract: &Contract, module: &str, written: &Written, only: Option<&str>) -> String {
    let mut source = Source::default();
    let resolvers = resolvers_ident(contract);
    for definition in &contract.definitions {
        if let Definition::Object(object) = definition {
            object_stub(&mut source, object, [module, &resolvers], written, only);
        }
    }
    source.into_text()
}

/// The type that resolves the root types, which no type of the contract has as its name.
fn resolvers_ident(contract: &Contract) -> String {
    let mut ident = "Resolvers".to_owned();
    let is_taken = |ident: &str| {
        let mut types = contract.definitions.iter();
        types.any(|ty| ty.header().ident == ident)
    };
    while is_taken(&ident) {
        ident.push('_');
    }
    ident
}

fn object_stub(
    source: &mut Source,
    object: &Object,
    [module, resolvers]: [&str; 2],
    written: &Written,
    only: Option<&str>,
) {
    let header = &object.header;
    let (rust, is_root) = match &object.implementation {
        Implementation::Struct | Implementation::Fields(_) => return,
        Implementation::Getters(bound) | Implementation::Resolvers(bound) => {
            (bound.path.rsplit("::").next().unwrap_or_default(), false)
        }
        Implementation::Root | Implementation::Subscription => (resolvers, true),
    };
    for resolver in &object.resolver_idents {
        let methods = written.get(resolver);
        let is_missing = |field: &&Field| match only {
            Some(only) => only == header.name || only == format!("{}.{}", header.name, field.header.name),
            None => methods.is_none_or(|methods| !methods.contains(&field.header.ident)),
        };
        let fields = object.fields.iter();
        let fields = fields.filter(|field| field.resolver_ident == *resolver && !field.is_read);
        let missing: Vec<_> = fields.filter(is_missing).collect();
        if missing.is_empty() {
            continue;
        }
        if methods.is_none() && !is_root {
            source.lines(&format!(
                "/// Resolves the type `{}`.
                #[derive(Clone, Debug)]
                pub struct {rust};",
                header.name
            ));
        }
        source.line(&format!("impl {module}::{resolver} for {rust} {{"));
        if methods.is_none() && !matches!(object.implementation, Implementation::Getters(_)) {
            source.line("type Error = async_graphql::Error;");
        }
        for field in missing {
            method(source, object, field);
        }
        source.line("}");
    }
}

fn method(source: &mut Source, object: &Object, field: &Field) {
    if matches!(object.implementation, Implementation::Getters(_)) {
        let (Header { ident, location, .. }, ty) = (&field.header, &field.ty.returned);
        source.located(&format!("fn {ident}(&self) -> {ty} {{"), location);
        source.lines("todo!()\n}");
        return;
    }
    parameters(source, "async fn", field);
    let ty = resolved_type(object, field);
    source.line(&format!(") -> Result<{ty}, Self::Error> {{"));
    source.line(match object.implementation {
        Implementation::Subscription => "Ok(async_graphql::futures_util::stream::pending())",
        _ => "todo!()",
    });
    source.line("}");
}

fn schema(source: &mut Source, contract: &Contract, module: &str, resolvers: &str) {
    let root = |operation| root(contract, operation, module, resolvers);
    let empty = |ty: &str| (format!("async_graphql::{ty}"), format!("async_graphql::{ty}"));
    let (query, query_value) = root("query").expect("a valid schema has queries");
    let (mutation, mutation_value) = root("mutation").unwrap_or_else(|| empty("EmptyMutation"));
    let (subscription, subscription_value) = root("subscription").unwrap_or_else(|| empty("EmptySubscription"));
    source.lines(&format!(
        "/// The schema, for any integration of async-graphql.
        pub fn schema() -> async_graphql::Schema<{query}, {mutation}, {subscription}> {{
            contract::build({query_value}, {mutation_value}, {subscription_value}).finish()
        }}"
    ));
}

/// The Rust type of a root type, and its value.
fn root(contract: &Contract, operation: &str, module: &str, resolvers: &str) -> Option<(String, String)> {
    let (_, name) = contract.roots.iter().find(|(root, _)| root == operation)?;
    let header = |definition: &&Definition| definition.header().name == *name;
    let Definition::Object(object) = contract.definitions.iter().find(header)? else {
        return None;
    };
    let ident = &object.header.ident;
    Some(match object.implementation {
        Implementation::Resolvers(_) => (ident.clone(), ident.clone()),
        _ => (format!("{module}::{ident}<{resolvers}>"), format!("{module}::{ident}({resolvers})")),
    })
}
