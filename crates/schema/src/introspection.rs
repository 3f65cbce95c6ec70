//! Converts an introspection response to SDL.

use std::fmt::Write;

use serde_json::Value;

use crate::built_in;

/// The full introspection query, in one operation;
/// [`Schema::from_introspection`](crate::Schema::from_introspection) reads the response.
pub const INTROSPECTION: &str = include_str!("introspection.graphql");

/// The SDL of the schema in the response, or what the response lacks.
///
/// Descriptions, deprecated parts and repeatable directives that were not queried are missing from
/// the schema.
pub(crate) fn to_sdl(response: &Value) -> Result<String, String> {
    let schema = [
        response.pointer("/data/__schema"),
        response.get("__schema"),
        response.get("types").map(|_| response),
    ];
    let schema = schema.into_iter().flatten().next();
    let Some(schema) = schema.filter(|schema| schema.is_object()) else {
        return Err(no_schema(response));
    };
    let mut sdl = String::new();
    let written = schema_definition(schema, &mut sdl)
        .and_then(|()| {
            let directives = list(schema, "directives")?;
            directives
                .iter()
                .try_for_each(|found| directive(found, &mut sdl))
        })
        .and_then(|()| {
            let types = list(schema, "types")?;
            types
                .iter()
                .try_for_each(|found| type_definition(found, &mut sdl))
        });
    written.map_err(|lacks| format!("is not a complete introspection response: {lacks}"))?;
    Ok(sdl)
}

/// Why there is no schema in a response.
fn no_schema(response: &Value) -> String {
    let errors = response.get("errors").and_then(Value::as_array);
    let first = errors
        .and_then(|errors| errors.first())
        .and_then(|error| error["message"].as_str());
    match first {
        Some(message) => format!("the introspection response has an error: {message:?}"),
        None => {
            "is not an introspection response: it has no object at data.__schema or __schema".into()
        }
    }
}

fn schema_definition(schema: &Value, sdl: &mut String) -> Result<(), String> {
    description(schema, sdl);
    sdl.push_str("schema {");
    for (operation, field) in [
        ("query", "queryType"),
        ("mutation", "mutationType"),
        ("subscription", "subscriptionType"),
    ] {
        if schema[field].is_object() {
            let _ = write!(sdl, " {operation}: {}", name(&schema[field])?);
        }
    }
    sdl.push_str(" }\n");
    Ok(())
}

fn directive(found: &Value, sdl: &mut String) -> Result<(), String> {
    let directive = name(found)?;
    if built_in::is_directive(directive) {
        return Ok(());
    }
    description(found, sdl);
    let _ = write!(sdl, "directive @{directive}");
    arguments(found, sdl)?;
    if found["isRepeatable"] == true {
        sdl.push_str(" repeatable");
    }
    let locations = list(found, "locations")?.iter();
    let locations: Option<Vec<&str>> = locations
        .map(|location| location.as_str().filter(|location| is_name(location)))
        .collect();
    let locations = locations.ok_or("a location of a directive is not a name")?;
    let _ = writeln!(sdl, " on {}", locations.join(" | "));
    Ok(())
}

fn type_definition(found: &Value, sdl: &mut String) -> Result<(), String> {
    let ty = name(found)?;
    if built_in::is_type(ty) {
        return Ok(());
    }
    description(found, sdl);
    match found["kind"].as_str() {
        Some("SCALAR") => {
            let _ = write!(sdl, "scalar {ty}");
            if let Some(url) = found["specifiedByURL"].as_str() {
                let _ = write!(sdl, " @specifiedBy(url: {})", text(url));
            }
        }
        Some(kind @ ("OBJECT" | "INTERFACE")) => {
            let keyword = if kind == "OBJECT" {
                "type"
            } else {
                "interface"
            };
            let _ = write!(sdl, "{keyword} {ty}");
            names(found, "interfaces", " implements ", " & ", sdl)?;
            block(list(found, "fields")?, sdl, field)?;
        }
        Some("UNION") => {
            let _ = write!(sdl, "union {ty}");
            names(found, "possibleTypes", " = ", " | ", sdl)?;
        }
        Some("ENUM") => {
            let _ = write!(sdl, "enum {ty}");
            block(list(found, "enumValues")?, sdl, |value, sdl| {
                sdl.push_str(name(value)?);
                deprecation(value, sdl);
                Ok(())
            })?;
        }
        Some("INPUT_OBJECT") => {
            let _ = write!(sdl, "input {ty}");
            if found["isOneOf"] == true {
                sdl.push_str(" @oneOf");
            }
            block(list(found, "inputFields")?, sdl, input_value)?;
        }
        _ => return Err(format!("the type {ty:?} has no kind")),
    }
    sdl.push('\n');
    Ok(())
}

/// `{ … }`, with one part per line.
fn block(
    parts: &[Value],
    sdl: &mut String,
    write_part: impl Fn(&Value, &mut String) -> Result<(), String>,
) -> Result<(), String> {
    sdl.push_str(" {\n");
    for part in parts {
        description(part, sdl);
        write_part(part, sdl)?;
        sdl.push('\n');
    }
    sdl.push('}');
    Ok(())
}

fn field(found: &Value, sdl: &mut String) -> Result<(), String> {
    sdl.push_str(name(found)?);
    arguments(found, sdl)?;
    sdl.push_str(": ");
    type_reference(&found["type"], sdl)?;
    deprecation(found, sdl);
    Ok(())
}

fn arguments(found: &Value, sdl: &mut String) -> Result<(), String> {
    let arguments = list(found, "args")?;
    if !arguments.is_empty() {
        sdl.push_str("(\n");
        for argument in arguments {
            description(argument, sdl);
            input_value(argument, sdl)?;
            sdl.push('\n');
        }
        sdl.push(')');
    }
    Ok(())
}

fn input_value(found: &Value, sdl: &mut String) -> Result<(), String> {
    sdl.push_str(name(found)?);
    sdl.push_str(": ");
    type_reference(&found["type"], sdl)?;
    if let Some(value) = found["defaultValue"].as_str() {
        let _ = write!(sdl, " = {value}");
    }
    deprecation(found, sdl);
    Ok(())
}

fn type_reference(found: &Value, sdl: &mut String) -> Result<(), String> {
    match found["kind"].as_str() {
        Some("LIST") => {
            sdl.push('[');
            type_reference(&found["ofType"], sdl)?;
            sdl.push(']');
        }
        Some("NON_NULL") => {
            type_reference(&found["ofType"], sdl)?;
            sdl.push('!');
        }
        Some(_) => sdl.push_str(name(found)?),
        None => {
            return Err("a type has more list and non-null wrappers than the query selects".into());
        }
    }
    Ok(())
}

fn names(
    found: &Value,
    member: &str,
    before: &str,
    between: &str,
    sdl: &mut String,
) -> Result<(), String> {
    let members = found[member].as_array().map_or(&[][..], Vec::as_slice);
    let members: Vec<&str> = members.iter().map(name).collect::<Result<_, _>>()?;
    if !members.is_empty() {
        let _ = write!(sdl, "{before}{}", members.join(between));
    }
    Ok(())
}

fn deprecation(found: &Value, sdl: &mut String) {
    if found["isDeprecated"] == true {
        sdl.push_str(" @deprecated");
        if let Some(reason) = found["deprecationReason"].as_str() {
            let _ = write!(sdl, "(reason: {})", text(reason));
        }
    }
}

fn description(found: &Value, sdl: &mut String) {
    if let Some(description) = found["description"].as_str() {
        sdl.push_str(&text(description));
        sdl.push('\n');
    }
}

/// A string literal; GraphQL reads the escapes of JSON the same way.
fn text(value: &str) -> String {
    Value::from(value).to_string()
}

fn list<'a>(found: &'a Value, member: &str) -> Result<&'a [Value], String> {
    let members = found[member].as_array().map(Vec::as_slice);
    members.ok_or_else(|| format!("{:?} has no list {member:?}", found["name"]))
}

/// A valid GraphQL name; anything else could inject SDL.
fn name(found: &Value) -> Result<&str, String> {
    let name = found["name"].as_str().filter(|name| is_name(name));
    name.ok_or_else(|| format!("{} is not a name", found["name"]))
}

fn is_name(text: &str) -> bool {
    let is_start = |letter: char| letter.is_ascii_alphabetic() || letter == '_';
    text.starts_with(is_start)
        && text
            .chars()
            .all(|letter| is_start(letter) || letter.is_ascii_digit())
}
