//! Object types: generated structs, traits of getters for existing Rust types, and what registers and resolves them.

use super::{
    docs::{docs, resolver_docs},
    registered, resolvers,
    source::Source,
};
use crate::{
    model::{Bound, Field, Header, Implementation, Object, Resolution},
    name,
};

/// A struct with a public member of a Rust type for each field or argument.
pub(super) fn structure<'a>(
    source: &mut Source,
    header: &Header,
    members: impl Iterator<Item = (&'a Header, &'a str)>,
) {
    docs(source, header);
    source.line("#[derive(Clone, Debug)]");
    source.located(&format!("pub struct {} {{", header.ident), &header.location);
    for (member, ty) in members {
        docs(source, member);
        source.located(&format!("pub {}: {ty},", member.ident), &member.location);
    }
    source.line("}");
}

/// The import of the type of the crate.
pub(super) fn bound(source: &mut Source, object: &Object, bound: &Bound) {
    let advice = if let Implementation::Fields(_) = object.implementation {
        "give it the fields of the contract".to_owned()
    } else {
        let traits = object.resolver_idents.join(" and ");
        format!("implement {traits} for it, because {}", bound.reason)
    };
    source.import(&bound.path, &object.header, &advice);
}

pub(super) fn getters(source: &mut Source, object: &Object) {
    resolver_docs(source, &object.header);
    let resolver = object.resolver_idents.join("");
    source.located(&format!("pub trait {resolver} {{"), &object.header.location);
    for field in &object.fields {
        docs(source, &field.header);
        let method = format!("fn {}(&self) -> {};", field.header.ident, field.ty.returned);
        source.located(&method, &field.header.location);
    }
    source.line("}");
}

pub(super) fn impls(source: &mut Source, object: &Object) {
    let (ident, resolver) = (&object.header.ident, object.resolver_idents.join(" + "));
    registered::object_info(source, object);
    match &object.implementation {
        Implementation::Struct => {
            plain_object(source, object, ident, |field| format!("&self.{}", field.header.ident));
        }
        Implementation::Fields(_) => plain_object(source, object, ident, |field| {
            let Header { ident, .. } = &field.header;
            format!("{{ let value: &{} = &self.{ident}; value }}", field.ty.rust)
        }),
        Implementation::Getters(_) => {
            plain_object(source, object, ident, |field| format!("&{resolver}::{}(self)", field.header.ident));
        }
        Implementation::Resolvers(_) => resolvers::impls(source, object, "", ident, "self"),
        Implementation::Root => {
            let (generics, rust) = (format!("<R: {resolver}>"), format!("{ident}<R>"));
            resolvers::impls(source, object, &generics, &rust, "&self.0");
        }
        Implementation::Subscription => resolvers::subscription(source, object),
    }
}

/// An object type without resolvers, which is written as JSON text.
fn plain_object(source: &mut Source, object: &Object, rust: &str, value: impl Fn(&Field) -> String) {
    registered::output_type(source, &object.header, "", rust, false);
    let info = name::info_ident(&object.header.name);
    source.lines(&format!(
        "impl support::WriteJson for {rust} {{
            fn plan(selections: &support::Selections<'_>) -> support::Plan {{"
    ));
    let fields = object.fields.iter().enumerate();
    let mut plans = fields.clone().filter(|(_, field)| field.ty.resolution != Resolution::Leaf).peekable();
    if plans.peek().is_none() {
        source.line(&format!("support::plan_object(selections, &{info}, |_, _| support::Plan::Leaf)"));
    } else {
        source.line(&format!("support::plan_object(selections, &{info}, |field, selections| match field {{"));
        for (position, field) in plans {
            source.line(&format!("{position} => <{} as support::WriteJson>::plan(selections),", field.ty.named));
        }
        source.lines("_ => support::Plan::Leaf,\n})");
    }
    source.lines(&format!(
        "}}
        fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {{
            use support::WriteJson;
            support::write_object(plan, json, &{info}, |field, plan, json| match field {{"
    ));
    for (position, field) in fields {
        let written = format!("{position} => WriteJson::write({}, plan, json),", value(field));
        match object.implementation {
            // The compiler shows the line if the Rust type has no such field.
            Implementation::Fields(_) => source.located(&written, &field.header.location),
            _ => source.line(&written),
        }
    }
    source.lines("_ => {}\n});\n}\n}");
}
