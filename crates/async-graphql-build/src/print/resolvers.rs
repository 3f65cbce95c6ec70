//! Root types and objects with asynchronous resolvers: a trait, and the functions that call it.

use super::{
    constraints,
    docs::{docs, published_docs, resolver_docs},
    inputs::{attribute, graphql},
    registered,
    source::Source,
};
use crate::{
    model::{Field, Header, Implementation, Input, Object, Resolution},
    name,
};

/// The trait and the structs of arguments; and the wrapper of a root type.
pub(super) fn items(source: &mut Source, object: &Object) {
    for ident in &object.resolver_idents {
        resolver_trait(source, object, ident);
    }
    for field in &object.fields {
        if let Some(ident) = &field.arguments_ident {
            arguments(source, object, field, ident);
        }
    }
    if !matches!(object.implementation, Implementation::Resolvers(_)) {
        docs(source, &object.header);
        let wrapper = format!("pub struct {}<R>(pub R);", object.header.ident);
        source.located(&wrapper, object.header.location);
    }
}

/// The arguments of a field. They are named, so that they cannot be swapped, and generic, so that resolvers declare the
/// types and compiler messages about a wrong type show both locations.
fn arguments(source: &mut Source, object: &Object, field: &Field, ident: &str) {
    let arguments = field.arguments.iter();
    let types: Vec<_> = arguments.map(|argument| format!("{}: {}", argument.header.name, argument.ty.sdl)).collect();
    source.doc(&format!("The arguments of `{}.{}({})`.", object.header.name, field.header.name, types.join(", ")));
    source.line("#[derive(Clone, Debug)]");
    let parameters: Vec<_> = field.arguments.iter().map(type_parameter).collect();
    let structure = format!("pub struct {ident}<{}> {{", parameters.join(", "));
    source.located(&structure, field.header.location);
    for argument in &field.arguments {
        docs(source, &argument.header);
        let member = format!("pub {}: {},", argument.header.ident, type_parameter(argument));
        source.located(&member, argument.header.location);
    }
    source.line("}");
    let bounds =
        field.arguments.iter().zip(&parameters).map(|(argument, parameter)| match constraints::bound(argument) {
            Some(bound) => format!("{parameter}: {bound}"),
            None => parameter.clone(),
        });
    let (bounds, rust) = (bounds.collect::<Vec<_>>().join(", "), format!("{ident}<{}>", parameters.join(", ")));
    constraints::check(source, &field.arguments, &format!("<{bounds}>"), &rust, false);
}

/// A name of the type of an argument that is that of no type, since the compiler suggests it as one.
fn type_parameter(argument: &Input) -> String {
    format!("TypeOf{}", argument.parameter.trim_start_matches("r#"))
}

/// The parameter of a resolver for the arguments of a field, after the others.
pub(super) fn arguments_parameter(field: &Field) -> Option<String> {
    let ident = field.arguments_ident.as_ref()?;
    let arguments = field.arguments.iter();
    let types: Vec<&str> = arguments.map(|argument| &*argument.ty.rust).collect();
    let arguments = format!("{ident}<{}>", types.join(", "));
    let (wrapper, close) =
        if constraints::is_constrained(&field.arguments) { ("support::Unchecked<", ">") } else { ("", "") };
    Some(format!("arguments: {wrapper}{arguments}{close}"))
}

/// The type of a value of a resolver: that of the field, or a stream.
pub(super) fn resolved_type(object: &Object, field: &Field) -> String {
    let value = &field.ty.rust;
    match object.implementation {
        Implementation::Subscription => {
            format!("impl async_graphql::futures_util::Stream<Item = Result<{value}, Self::Error>> + Send")
        }
        _ => value.clone(),
    }
}

fn resolver_trait(source: &mut Source, object: &Object, ident: &str) {
    resolver_docs(source, &object.header);
    source.located(&format!("pub trait {ident}: Send + Sync {{"), object.header.location);
    source.doc("The error of a resolver. Its conversion determines what clients receive.");
    source.line("type Error: Into<async_graphql::Error> + Send;");
    let fields = object.fields.iter().filter(|field| !field.is_read);
    for field in fields.filter(|field| field.resolver_ident == ident) {
        let location = field.header.location;
        docs(source, &field.header);
        source.located(&format!("fn {}(", field.header.ident), location);
        source.lines("&self,\nctx: &async_graphql::Context<'_>,");
        if let Some(arguments) = arguments_parameter(field) {
            source.located(&format!("{arguments},"), location);
        }
        let ty = resolved_type(object, field);
        source
            .located(&format!(") -> impl ::std::future::Future<Output = Result<{ty}, Self::Error>> + Send;"), location);
    }
    source.line("}");
}

/// What resolves an object type: the implementation of a Rust type, and what has its resolver trait.
pub(super) fn impls(source: &mut Source, object: &Object, generics: &str, rust: &str, resolvers: &str) {
    registered::output_type(source, &object.header, generics, rust, "register_object", true);
    let info = name::info_ident(&object.header.name);
    source.lines(&format!(
        "impl{generics} async_graphql::ObjectType for {rust} {{}}
        impl{generics} support::Complete for {rust} {{
            fn complete(
                &self,
                ctx: &async_graphql::ContextSelectionSet<'_>,
                _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
            ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {{
                support::resolve_object(ctx, self, &{info})
            }}
        }}
        impl{generics} async_graphql::ContainerType for {rust} {{
            async fn resolve_field(
                &self,
                ctx: &async_graphql::Context<'_>,
            ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {{
                support::nullable(ctx, &{info}, async move {{
                let resolving: support::Resolving<'_> = match ctx.item.node.name.node.as_str() {{"
    ));
    for field in &object.fields {
        resolve_field(source, field, resolvers);
    }
    source.lines("_ => return Ok(None),\n};\nresolving.await.map(Some)\n}).await\n}\n}");
}

/// Calls the resolver of a field with its arguments.
fn resolve_field(source: &mut Source, field: &Field, resolvers: &str) {
    let resolve = match field.ty.resolution {
        Resolution::Leaf | Resolution::Plain => "written_field",
        Resolution::Resolved => "completed_field",
    };
    let Header { name, ident, .. } = &field.header;
    if field.is_read {
        let ty = &field.ty.rust;
        let value = format!("Ok::<&{ty}, async_graphql::Error>(&{resolvers}.{ident})");
        source.located(
            &format!("{name:?} => support::written_field(ctx, ::std::future::ready({value})),"),
            field.header.location,
        );
        return;
    }
    let guards = field.guards.iter();
    let guards = guards.map(|guard| format!("support::guarded(ctx, {guard}, "));
    let guards = guards.collect::<Vec<_>>().concat();
    let end = ")".repeat(field.guards.len());
    let start =
        format!("{name:?} => support::{resolve}(ctx, {guards}{}::{ident}({resolvers}, ctx", field.resolver_ident);
    let Some(ident) = &field.arguments_ident else {
        source.line(&format!("{start})){end},"));
        return;
    };
    let (wrapper, close) = unchecked(field);
    source.line(&format!("{start}, {wrapper}{ident} {{"));
    for argument in &field.arguments {
        source.line(&format!(
            "{}: support::argument(ctx, {:?}, {})?,",
            argument.header.ident,
            argument.header.name,
            registered::default(argument)
        ));
    }
    source.line(&format!("}}{close})){end},"));
}

/// What is around the arguments of a field that can violate a constraint.
fn unchecked(field: &Field) -> (&'static str, &'static str) {
    if constraints::is_constrained(&field.arguments) { ("support::Unchecked::from(", ")") } else { ("", "") }
}

/// The methods of the root type of subscriptions.
pub(super) fn subscription(source: &mut Source, object: &Object) {
    let header = &object.header;
    published_docs(source, header);
    source.lines(&format!(
        "#[async_graphql::Subscription(name = {:?})]
        impl<R: {}> {}<R> {{",
        header.name,
        object.resolver_idents.join(" + "),
        header.ident
    ));
    for field in &object.fields {
        subscribe(source, field);
    }
    source.line("}");
}

fn subscribe(source: &mut Source, field: &Field) {
    let (header, resolver) = (&field.header, &field.resolver_ident);
    published_docs(source, header);
    source.lines(&format!(
        "{}
        async fn {}<'a>(
        &'a self,
        ctx: &'a async_graphql::Context<'a>,",
        graphql(header, None),
        name::forwarder_ident(&header.name)
    ));
    let completed = match field.ty.resolution {
        Resolution::Leaf | Resolution::Plain => "support::Json",
        Resolution::Resolved => "support::Completed",
    };
    let mut members = Vec::new();
    for (position, argument) in field.arguments.iter().enumerate() {
        let attribute = attribute(&argument.header, argument.default.as_ref());
        let description = argument.header.description.as_ref();
        let description = description.map(|text| format!(", desc = {text:?}"));
        source.line(&format!(
            "#[graphql({attribute}{})] argument_{position}: {},",
            description.unwrap_or_default(),
            argument.ty.rust
        ));
        members.push(format!("{}: argument_{position}", argument.header.ident));
    }
    let guards = field.guards.iter();
    let guards = guards.map(|guard| format!("async_graphql::Guard::check(&{guard}, ctx).await?;\n"));
    let guards = guards.collect::<Vec<_>>().concat();
    let arguments = field.arguments_ident.as_ref();
    let (wrapper, close) = unchecked(field);
    let arguments = arguments.map(|ident| format!(", {wrapper}{ident} {{ {} }}{close}", members.join(", ")));
    source.lines(&format!(
        ") -> Result<impl async_graphql::futures_util::Stream<Item = Result<support::Event<{completed}<{}>>, async_graphql::Error>> + use<'a, R>, async_graphql::Error> {{
            {}let events = {resolver}::{}(&self.0, ctx{}).await.map_err(Into::<async_graphql::Error>::into)?;
            Ok(support::events(events, {completed}))
        }}",
        field.ty.rust,
        guards,
        header.ident,
        arguments.unwrap_or_default()
    ));
}
