//! Root types and objects with asynchronous resolvers: a trait, and the functions that call it.

use super::{
    constraints,
    docs::{docs, resolver_docs},
    inputs::graphql,
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
        source.located(&wrapper, &object.header.location);
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
    source.located(&structure, &field.header.location);
    for argument in &field.arguments {
        docs(source, &argument.header);
        let member = format!("pub {}: {},", argument.header.ident, type_parameter(argument));
        source.located(&member, &argument.header.location);
    }
    source.line("}");
    if constraints::is_constrained(&field.arguments) {
        let arguments = field.arguments.iter().zip(&parameters);
        let bounds = arguments.map(|(argument, parameter)| match &argument.constraint {
            Some(_) => format!("{parameter}: support::Constrained"),
            None => parameter.clone(),
        });
        let (bounds, rust) = (bounds.collect::<Vec<_>>().join(", "), format!("{ident}<{}>", parameters.join(", ")));
        constraints::check(source, &field.arguments, &format!("<{bounds}>"), &rust, false);
    }
}

/// A name of the type of an argument that is that of no type, since the compiler suggests it as one.
fn type_parameter(argument: &Input) -> String {
    format!("TypeOf{}", argument.parameter.trim_start_matches("r#"))
}

/// The name and the parameters of the resolver of a field.
pub(super) fn parameters(source: &mut Source, keyword: &str, field: &Field) {
    let Header { ident, location, .. } = &field.header;
    source.located(&format!("{keyword} {ident}("), location);
    source.lines("&self,\nctx: &async_graphql::Context<'_>,");
    if let Some(ident) = &field.arguments_ident {
        let types: Vec<&str> = field.arguments.iter().map(|argument| &*argument.ty.rust).collect();
        let is_constrained = constraints::is_constrained(&field.arguments);
        let (wrapper, close) = if is_constrained { ("support::Unchecked<", ">") } else { ("", "") };
        source.located(&format!("arguments: {wrapper}{ident}<{}>{close},", types.join(", ")), location);
    }
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
    source.located(&format!("pub trait {ident}: Send + Sync {{"), &object.header.location);
    source.doc("The error of a resolver. Its conversion determines what clients receive.");
    source.line("type Error: Into<async_graphql::Error> + Send;");
    let fields = object.fields.iter().filter(|field| !field.is_read);
    for field in fields.filter(|field| field.resolver_ident == ident) {
        let location = &field.header.location;
        docs(source, &field.header);
        parameters(source, "fn", field);
        let ty = resolved_type(object, field);
        source
            .located(&format!(") -> impl ::std::future::Future<Output = Result<{ty}, Self::Error>> + Send;"), location);
    }
    source.line("}");
}

/// What resolves an object type: the implementation of a Rust type, and what has its resolver trait.
pub(super) fn impls(source: &mut Source, object: &Object, generics: &str, rust: &str, resolvers: &str) {
    registered::output_type(source, &object.header, generics, rust, true);
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
            &field.header.location,
        );
        return;
    }
    let arguments = field.arguments.iter().map(|argument| {
        let Header { name, ident, .. } = &argument.header;
        format!("{ident}: support::argument(ctx, {name:?}, {})?,", registered::default(argument))
    });
    let call = call(field, resolvers, &arguments.collect::<Vec<_>>());
    source.lines(&format!("{name:?} => support::{resolve}(ctx, {call}),"));
}

/// The call of a resolver with the members of its arguments, in its guards.
fn call(field: &Field, resolvers: &str, members: &[String]) -> String {
    let guards = field.guards.iter().map(|guard| format!("support::guarded(ctx, {guard}, "));
    let (guards, end) = (guards.collect::<Vec<_>>().concat(), ")".repeat(field.guards.len()));
    let arguments = field.arguments_ident.as_ref().map(|ident| {
        let is_constrained = constraints::is_constrained(&field.arguments);
        let (wrapper, close) = if is_constrained { ("support::Unchecked::from(", ")") } else { ("", "") };
        format!(", {wrapper}{ident} {{\n{}\n}}{close}", members.join("\n"))
    });
    let (resolver, ident, arguments) = (&field.resolver_ident, &field.header.ident, arguments.unwrap_or_default());
    format!("{guards}{resolver}::{ident}({resolvers}, ctx{arguments}){end}")
}

/// The methods of the root type of subscriptions.
pub(super) fn subscription(source: &mut Source, object: &Object) {
    let header = &object.header;
    source.lines(&format!(
        "#[async_graphql::Subscription(name = {:?})]
        impl<R: {}> {}<R> {{",
        header.name,
        object.resolver_idents.join(" + "),
        header.ident
    ));
    for (position, field) in object.fields.iter().enumerate() {
        subscribe(source, field, position);
    }
    source.line("}");
}

fn subscribe(source: &mut Source, field: &Field, position: usize) {
    source.lines(&format!(
        "{}
        async fn field_{position}<'a>(
        &'a self,
        ctx: &'a async_graphql::Context<'a>,",
        graphql(&field.header, None)
    ));
    let completed = match field.ty.resolution {
        Resolution::Leaf | Resolution::Plain => "support::Json",
        Resolution::Resolved => "support::Completed",
    };
    let mut members = Vec::new();
    for (position, argument) in field.arguments.iter().enumerate() {
        let attribute = graphql(&argument.header, argument.default.as_ref());
        source.line(&format!("{attribute} argument_{position}: {},", argument.ty.rust));
        members.push(format!("{}: argument_{position},", argument.header.ident));
    }
    source.lines(&format!(
        ") -> Result<impl async_graphql::futures_util::Stream<Item = Result<{completed}<{}>, async_graphql::Error>> + use<'a, R>, async_graphql::Error> {{
            let events = {}.await.map_err(Into::<async_graphql::Error>::into)?;
            Ok(support::events(events, {completed}))
        }}",
        field.ty.rust,
        call(field, "&self.0", &members)
    ));
}
