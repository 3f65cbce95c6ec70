//! Converts an introspection response to SDL.

use apollo_compiler::{
    Name, Node,
    ast::{self, Definition, Document, Selection},
    parser::Parser,
};
use serde_json::Value;

use crate::{MAX_NESTING, built_in, excerpt, executable};

/// The full introspection query, in one operation;
/// [`Schema::from_introspection`](crate::Schema::from_introspection) reads the response.
///
/// A server that implements an older edition of the specification refuses the query because of fields and arguments that it does
/// not know; what a response without them does not state is [unknown](crate::Schema::omits).
pub const INTROSPECTION: &str = include_str!("introspection.graphql");

/// The SDL of the schema in the response and the fields of introspection that it omits, or what is wrong with the response.
pub(crate) fn to_sdl(response: &Value) -> Result<(String, Vec<&'static str>), String> {
    let schema =
        [response.pointer("/data/__schema"), response.get("__schema"), response.get("types").map(|_| response)];
    let schema = schema.into_iter().flatten().next();
    let Some(schema) = schema.filter(|schema| schema.is_object()) else {
        let message = response["errors"][0]["message"].as_str();
        return Err(message.map_or_else(
            || "is not an introspection response: it has no object at data.__schema or __schema".to_owned(),
            |message| format!("the introspection response has an error: {:?}", excerpt(message)),
        ));
    };
    let sdl = || -> Result<String, String> {
        let sdl = schema_definition(schema)? + &each(schema, "directives", directive)?;
        Ok(sdl + &each(schema, "types", type_definition)?)
    };
    let sdl = sdl().map_err(|lacks| format!("is not a complete introspection response: {lacks}"))?;
    Ok((sdl, omitted(schema)))
}

/// The members of lists of this name.
fn all<'v>(name: &str, of: &[&'v Value]) -> Vec<&'v Value> {
    of.iter().filter_map(|of| of[name].as_array()).flatten().collect()
}

/// The fields of introspection that the schema in a response omits.
fn omitted(schema: &Value) -> Vec<&'static str> {
    let types = all("types", &[schema]);
    let directives = all("directives", &[schema]);
    let of_kind = |kind: &'static str| types.iter().filter(move |found| found["kind"] == kind);
    let mut scalars = of_kind("SCALAR").filter(|found| !found["name"].as_str().is_some_and(built_in::is_type));
    let with_arguments = [all("fields", &types), directives.clone()].concat();
    let inputs = [all("args", &with_arguments), all("inputFields", &types)].concat();
    let is_omitted = [
        ("__Schema.description", schema.get("description").is_none()),
        ("__Type.specifiedByURL", scalars.any(|found| found.get("specifiedByURL").is_none())),
        ("__Type.isOneOf", of_kind("INPUT_OBJECT").any(|found| !found["isOneOf"].is_boolean())),
        ("__Directive.isRepeatable", directives.iter().any(|found| !found["isRepeatable"].is_boolean())),
        ("__InputValue.isDeprecated", inputs.iter().any(|found| !found["isDeprecated"].is_boolean())),
    ];
    is_omitted.into_iter().filter(|(_, is_omitted)| *is_omitted).map(|(field, _)| field).collect()
}

fn schema_definition(schema: &Value) -> Result<String, String> {
    if !schema["queryType"].is_object() {
        return Err("the schema has no \"queryType\"".into());
    }
    let mut sdl = description(schema)? + "schema {";
    for (operation, field) in
        [("query", "queryType"), ("mutation", "mutationType"), ("subscription", "subscriptionType")]
    {
        if !schema[field].is_null() {
            sdl.extend([" ", operation, ": ", name(&schema[field])?]);
        }
    }
    Ok(sdl + " }\n")
}

fn directive(found: &Value) -> Result<String, String> {
    let directive = name(found)?;
    if built_in::is_directive(directive) {
        return Ok(String::new());
    }
    let (description, arguments) = (description(found)?, arguments(found)?);
    let repeatable = if is_true(found, "isRepeatable")? { " repeatable" } else { "" };
    let locations = list(found, "locations")?.iter();
    let locations: Option<Vec<&str>> =
        locations.map(|location| location.as_str().filter(|location| Name::is_valid_syntax(location))).collect();
    let locations = locations.ok_or("a location of a directive is not a name")?;
    let locations = locations.join(" | ");
    Ok(format!("{description}directive @{directive}{arguments}{repeatable} on {locations}\n"))
}

fn type_definition(found: &Value) -> Result<String, String> {
    let ty = name(found)?;
    if built_in::is_type(ty) {
        return Ok(String::new());
    }
    let definition = match found["kind"].as_str() {
        Some("SCALAR") => {
            let url = optional_text(found, "specifiedByURL")?;
            let url = url.map(|url| format!(" @specifiedBy(url: {})", text(url)));
            format!("scalar {ty}{}", url.unwrap_or_default())
        }
        Some(kind @ ("OBJECT" | "INTERFACE")) => {
            let keyword = if kind == "OBJECT" { "type" } else { "interface" };
            let interfaces = names(found, "interfaces", " implements ", " & ")?;
            format!("{keyword} {ty}{interfaces}{}", block(found, "fields", field)?)
        }
        Some("UNION") => format!("union {ty}{}", names(found, "possibleTypes", " = ", " | ")?),
        Some("ENUM") => format!("enum {ty}{}", block(found, "enumValues", enum_value)?),
        Some("INPUT_OBJECT") => {
            let one_of = if is_true(found, "isOneOf")? { " @oneOf" } else { "" };
            format!("input {ty}{one_of}{}", block(found, "inputFields", input_value)?)
        }
        _ => return Err(format!("the type {:?} has no kind", excerpt(ty))),
    };
    Ok(format!("{}{definition}\n", description(found)?))
}

/// The SDL of every part in a list.
fn each(found: &Value, member: &str, write: impl Fn(&Value) -> Result<String, String>) -> Result<String, String> {
    list(found, member)?.iter().map(write).collect()
}

/// `{ … }`, with one part per line.
fn block(found: &Value, member: &str, write: impl Fn(&Value) -> Result<String, String>) -> Result<String, String> {
    Ok(format!(" {{\n{}}}", lines(found, member, write)?))
}

/// The SDL of every part in a list, each with its description and on a line of its own.
fn lines(found: &Value, member: &str, write: impl Fn(&Value) -> Result<String, String>) -> Result<String, String> {
    each(found, member, |part| Ok(description(part)? + &write(part)? + "\n"))
}

fn field(found: &Value) -> Result<String, String> {
    Ok(format!("{}{}: {}{}", name(found)?, arguments(found)?, type_reference(&found["type"])?, deprecation(found)?))
}

fn enum_value(found: &Value) -> Result<String, String> {
    Ok(name(found)?.to_owned() + &deprecation(found)?)
}

fn arguments(found: &Value) -> Result<String, String> {
    if list(found, "args")?.is_empty() {
        return Ok(String::new());
    }
    Ok(format!("(\n{})", lines(found, "args", input_value)?))
}

fn input_value(found: &Value) -> Result<String, String> {
    Ok(format!("{}: {}{}{}", name(found)?, type_reference(&found["type"])?, default_value(found)?, deprecation(found)?))
}

/// A default value, which is the text of one value; anything else could inject SDL.
fn default_value(found: &Value) -> Result<String, String> {
    let Some(text) = optional_text(found, "defaultValue")? else {
        return Ok(String::new());
    };
    // The line end is the end of a comment.
    let document = format!("{{ a(b: {text}\n) }}");
    let mut parser = Parser::new().recursion_limit(MAX_NESTING);
    let parsed = parser.parse_ast(executable(&document), "default value");
    match parsed.ok().and_then(|document| only_value(&document)) {
        Some(value) => Ok(format!(" = {}", value.serialize().no_indent())),
        None => Err(format!(
            "the default value of {} is {}, which is not a value",
            quoted(&found["name"]),
            quoted(&found["defaultValue"])
        )),
    }
}

/// The value of the only argument of the only field of a document, if it has nothing else.
fn only_value(document: &Document) -> Option<Node<ast::Value>> {
    let [Definition::OperationDefinition(operation)] = &document.definitions[..] else {
        return None;
    };
    let [Selection::Field(field)] = &operation.selection_set[..] else {
        return None;
    };
    let [argument] = &field.arguments[..] else {
        return None;
    };
    let is_only = field.directives.is_empty() && field.selection_set.is_empty();
    is_only.then(|| argument.value.clone())
}

fn type_reference(found: &Value) -> Result<String, String> {
    match found["kind"].as_str() {
        Some("LIST") => Ok(format!("[{}]", type_reference(&found["ofType"])?)),
        Some("NON_NULL") => Ok(type_reference(&found["ofType"])? + "!"),
        Some(_) => Ok(name(found)?.to_owned()),
        None => Err("a type has more list and non-null wrappers than the query selects".into()),
    }
}

fn names(found: &Value, member: &str, before: &str, between: &str) -> Result<String, String> {
    if found[member].is_null() {
        return Ok(String::new());
    }
    let members: Vec<&str> = list(found, member)?.iter().map(name).collect::<Result<_, _>>()?;
    let before = if members.is_empty() { "" } else { before };
    Ok(before.to_owned() + &members.join(between))
}

fn deprecation(found: &Value) -> Result<String, String> {
    let reason = optional_text(found, "deprecationReason")?;
    Ok(match reason {
        _ if !is_true(found, "isDeprecated")? => String::new(),
        Some(reason) => format!(" @deprecated(reason: {})", text(reason)),
        None => " @deprecated".to_owned(),
    })
}

fn description(found: &Value) -> Result<String, String> {
    let description = optional_text(found, "description")?;
    Ok(description.map_or_else(String::new, |description| text(description) + "\n"))
}

fn optional_text<'a>(found: &'a Value, member: &str) -> Result<Option<&'a str>, String> {
    match &found[member] {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text)),
        other => Err(wrong(found, member, other, "text")),
    }
}

fn is_true(found: &Value, member: &str) -> Result<bool, String> {
    match &found[member] {
        Value::Null => Ok(false),
        Value::Bool(is_true) => Ok(*is_true),
        other => Err(wrong(found, member, other, "Boolean")),
    }
}

fn wrong(found: &Value, member: &str, value: &Value, kind: &str) -> String {
    let (name, value) = (quoted(&found["name"]), quoted(value));
    format!("{member:?} of {name} is {value}, which is not a {kind}")
}

/// A string literal; GraphQL reads the escapes of JSON the same way.
fn text(value: &str) -> String {
    Value::from(value).to_string()
}

fn list<'a>(found: &'a Value, member: &str) -> Result<&'a [Value], String> {
    let members = found[member].as_array().map(Vec::as_slice);
    members.ok_or_else(|| format!("{} has no list {member:?}", quoted(&found["name"])))
}

/// A valid GraphQL name; anything else could inject SDL.
fn name(found: &Value) -> Result<&str, String> {
    let name = found["name"].as_str().filter(|name| Name::is_valid_syntax(name));
    name.ok_or_else(|| format!("{} is not a name", quoted(&found["name"])))
}

/// A part of the response in a message.
fn quoted(found: &Value) -> String {
    excerpt(&found.to_string()).into_owned()
}
