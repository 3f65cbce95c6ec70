//! Interfaces and unions.

use super::{docs::docs, registered, source::Source};
use crate::model::{Abstract, Reference};

pub(super) fn abstract_type(source: &mut Source, definition: &Abstract) {
    let header = &definition.header;
    docs(source, header);
    // The Rust types of objects with resolvers hold connections, which nothing needs to print.
    source.line(if definition.is_resolved { "#[derive(Clone)]" } else { "#[derive(Clone, Debug)]" });
    source.located(&format!("pub enum {} {{", header.ident), &header.location);
    for member in &definition.members {
        source.doc(&format!("A `{}`.", member.name));
        source.line(&format!("{0}({0}),", member.rust));
    }
    source.line("}");
}

pub(super) fn impls(source: &mut Source, definition: &Abstract) {
    let ident = &definition.header.ident;
    for Reference { rust, .. } in &definition.members {
        source.lines(&format!(
            "impl From<{rust}> for {ident} {{
                fn from(value: {rust}) -> Self {{
                    Self::{rust}(value)
                }}
            }}"
        ));
    }
    registered::abstract_type(source, definition);
    if definition.is_resolved {
        complete(source, definition);
    } else {
        write_json(source, definition);
    }
}

/// Completes a value as its possible type.
fn complete(source: &mut Source, definition: &Abstract) {
    source.lines(&format!(
        "impl support::Complete for {} {{
            async fn complete(
                &self,
                ctx: &async_graphql::ContextSelectionSet<'_>,
                field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
            ) -> async_graphql::ServerResult<async_graphql::Value> {{
                match self {{",
        definition.header.ident
    ));
    for member in &definition.members {
        let completed = if member.is_resolved {
            "support::Complete::complete(value, ctx, field).await"
        } else {
            "support::written(value, ctx)"
        };
        source.line(&format!("Self::{}(value) => {completed},", member.rust));
    }
    source.lines("}\n}\n}");
}

/// Writes a value as its possible type.
fn write_json(source: &mut Source, definition: &Abstract) {
    source.lines(&format!(
        "impl support::WriteJson for {} {{
            fn plan(selections: &support::Selections<'_>) -> support::Plan {{
                support::Plan::Abstract(vec![",
        definition.header.ident
    ));
    for member in &definition.members {
        source.line(&format!("<{} as support::WriteJson>::plan(selections),", member.rust));
    }
    source.lines(
        "])
        }
        fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {",
    );
    let is_empty = definition.members.is_empty();
    source.line(if is_empty { "match *self {" } else { "match self {" });
    for (position, member) in definition.members.iter().enumerate() {
        source.line(&format!(
            "Self::{}(value) => support::WriteJson::write(value, plan.member({position}), json),",
            member.rust
        ));
    }
    source.lines("}\n}\n}");
}
