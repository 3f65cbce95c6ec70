//! Scalars, enums and input objects.

use super::{
    docs::{docs, published_docs},
    source::Source,
};
use crate::{
    model::{Default, Enum, Header, InputObject, Scalar},
    name,
};

/// A scalar whose values are those of a type that serde knows; the Rust type of another one is in the crate.
pub(super) fn scalar(source: &mut Source, scalar: &Scalar) {
    let (rust, ident, name) = (&scalar.rust, &scalar.header.ident, &scalar.header.name);
    if !scalar.is_serde {
        source.import(rust, &scalar.header, "implement `async_graphql::ScalarType` for it");
        return;
    }
    docs(source, &scalar.header);
    source.line("#[derive(Clone, Debug, PartialEq)]");
    source.located(&format!("pub struct {ident}(pub {rust});"), &scalar.header.location);
    published_docs(source, &scalar.header);
    let specified_by = scalar.specified_by.as_ref();
    let specified_by = specified_by.map(|url| format!(", specified_by_url = {url:?}"));
    let specified_by = specified_by.unwrap_or_default();
    source.lines(&format!(
        "#[async_graphql::Scalar(name = {name:?}{specified_by})]
        impl async_graphql::ScalarType for {ident} {{
            fn parse(value: async_graphql::Value) -> async_graphql::InputValueResult<Self> {{
                let parsed = async_graphql::from_value(value);
                parsed.map(Self).map_err(async_graphql::InputValueError::custom)
            }}
            fn to_value(&self) -> async_graphql::Value {{
                let value = async_graphql::to_value(&self.0);
                value.expect(\"serde represents the scalar as a GraphQL value\")
            }}
        }}"
    ));
}

pub(super) fn scalar_impls(source: &mut Source, scalar: &Scalar) {
    let value = "json.value(&async_graphql::InputType::to_value(self));";
    write_leaf(source, &scalar.header.ident, value);
}

pub(super) fn enumeration(source: &mut Source, definition: &Enum) {
    let header = &definition.header;
    published_docs(source, header);
    source.line("#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq, async_graphql::Enum)]");
    source.line(&graphql(header, None));
    source.located(&format!("pub enum {} {{", header.ident), &header.location);
    for value in &definition.values {
        published_docs(source, value);
        source.line(&graphql(value, None));
        source.located(&format!("{},", value.ident), &value.location);
    }
    source.line("}");
}

pub(super) fn enumeration_impls(source: &mut Source, definition: &Enum) {
    let ident = &definition.header.ident;
    source.lines(&format!(
        "impl {ident} {{
            /// The name of the value in the contract.
            pub const fn as_str(self) -> &'static str {{
                match self {{"
    ));
    for value in &definition.values {
        source.line(&format!("Self::{} => {:?},", value.ident, value.name));
    }
    source.lines("}\n}\n}");
    write_leaf(source, ident, "json.string(self.as_str());");
}

/// Writes the value of a scalar or an enum.
fn write_leaf(source: &mut Source, rust: &str, value: &str) {
    source.lines(&format!(
        "impl support::WriteJson for {rust} {{
            fn write(&self, _: &support::Plan, json: &mut support::JsonWriter) {{
                {value}
            }}
        }}
        impl support::Constrained for {rust} {{}}"
    ));
}

pub(super) fn input_object(source: &mut Source, input: &InputObject) {
    let (derive, item) = if input.one_of { ("OneofObject", "enum") } else { ("InputObject", "struct") };
    let header = &input.header;
    published_docs(source, header);
    source.line(&format!("#[derive(Clone, Debug, PartialEq, async_graphql::{derive})]"));
    let name = &header.name;
    source.line(&format!("#[graphql(name = {name:?})]"));
    source.located(&format!("pub {item} {} {{", header.ident), &header.location);
    for field in &input.fields {
        let (header, ty) = (&field.header, &field.ty);
        published_docs(source, header);
        source.line(&graphql(header, field.default.as_ref()));
        let member = if input.one_of {
            format!("{}({}),", header.ident, ty.rust_non_null)
        } else {
            format!("pub {}: {},", header.ident, ty.rust)
        };
        source.located(&member, &header.location);
    }
    source.line("}");
}

/// The default values of fields, which those of other types call.
pub(super) fn default_values(source: &mut Source, input: &InputObject) {
    let fields = input.fields.iter();
    let mut fields = fields.filter_map(|field| Some((field, field.default.as_ref()?))).peekable();
    if fields.peek().is_none() {
        return;
    }
    source.line(&format!("impl {} {{", input.header.ident));
    for (field, default) in fields {
        let (name, ty) = (name::default_ident(&field.header.name), &field.ty.rust);
        source.line(&format!("fn {name}() -> {ty} {{"));
        source.lines(&format!("{}\n}}", default.rust));
    }
    source.line("}");
}

/// The attribute of async-graphql's macros for a field, an enum value or an input.
pub(super) fn graphql(header: &Header, default: Option<&Default>) -> String {
    let reason = header.deprecated.as_ref();
    let reason = reason.map(|reason| format!(", deprecation = {reason:?}"));
    let default = default.map(|default| format!(", default_with = {:?}", default.rust));
    let (reason, default) = (reason.unwrap_or_default(), default.unwrap_or_default());
    format!("#[graphql(name = {:?}{reason}{default})]", header.name)
}
