//! The plain model as SDL. A test compares it with the file that was read, so that nothing is lost between them.

use std::fmt::Write;

use crate::model::{
    Abstract, Contract, Definition, Enum, Field, Header, Input, InputObject, Object, Scalar,
};

/// Prints every type of the contract.
pub(super) fn print(contract: &Contract) -> String {
    let mut sdl = description(contract.header.description.as_deref(), "");
    sdl.extend(["schema", &contract.header.directives, " {\n"]);
    for (operation, ty) in &contract.roots {
        sdl.extend(["  ", operation, ": ", ty, "\n"]);
    }
    sdl.push_str("}\n");
    for directive in &contract.directives {
        sdl.extend(["\n", directive.trim_end(), "\n"]);
    }
    for definition in &contract.definitions {
        sdl.push('\n');
        let (header, text) = match definition {
            Definition::Scalar(Scalar { header, .. }) => (
                header,
                format!("scalar {}{}", header.name, header.directives),
            ),
            Definition::Enum(definition) => (&definition.header, enumeration(definition)),
            Definition::InputObject(input) => (&input.header, input_object(input)),
            Definition::Object(object) => (&object.header, object_type(object)),
            Definition::Abstract(definition) => (&definition.header, abstract_type(definition)),
        };
        sdl.push_str(&description(header.description.as_deref(), ""));
        sdl.push_str(&text);
        sdl.push('\n');
    }
    sdl
}

fn enumeration(definition: &Enum) -> String {
    let values = definition.values.iter();
    let values = values.map(|value| member(value, "", ""));
    format!(
        "enum {}{} {{\n{}}}",
        definition.header.name,
        definition.header.directives,
        values.collect::<String>()
    )
}

fn input_object(input: &InputObject) -> String {
    let fields = input.fields.iter().map(|field| {
        let ty = format!(": {}{}", field.ty.sdl, default(field));
        member(&field.header, "", &ty)
    });
    format!(
        "input {}{} {{\n{}}}",
        input.header.name,
        input.header.directives,
        fields.collect::<String>()
    )
}

fn object_type(object: &Object) -> String {
    let implements = implements(&object.interfaces);
    format!(
        "type {}{implements}{} {{\n{}}}",
        object.header.name,
        object.header.directives,
        fields(&object.fields)
    )
}

fn abstract_type(definition: &Abstract) -> String {
    let Header {
        name, directives, ..
    } = &definition.header;
    if let Some(interface) = &definition.interface {
        let (implements, fields) = (implements(&interface.interfaces), fields(&interface.fields));
        return format!("interface {name}{implements}{directives} {{\n{fields}}}");
    }
    let members = definition.members.iter();
    let members: Vec<_> = members.map(|member| member.name.as_str()).collect();
    format!("union {name}{directives} = {}", members.join(" | "))
}

fn implements(interfaces: &[String]) -> String {
    if interfaces.is_empty() {
        String::new()
    } else {
        format!(" implements {}", interfaces.join(" & "))
    }
}

fn fields(fields: &[Field]) -> String {
    let fields = fields.iter().map(|field| {
        let arguments = if field.arguments.is_empty() {
            String::new()
        } else {
            let arguments = field.arguments.iter().map(|argument| {
                let Header {
                    name, directives, ..
                } = &argument.header;
                let (default, ty) = (default(argument), &argument.ty.sdl);
                let description = description(argument.header.description.as_deref(), "    ");
                format!("{description}    {name}: {ty}{default}{directives}\n")
            });
            format!("(\n{}  )", arguments.collect::<String>())
        };
        member(&field.header, &arguments, &format!(": {}", field.ty.sdl))
    });
    fields.collect()
}

/// A line of a type, with its description.
fn member(header: &Header, arguments: &str, ty: &str) -> String {
    let description = description(header.description.as_deref(), "  ");
    let Header {
        name, directives, ..
    } = header;
    format!("{description}  {name}{arguments}{ty}{directives}\n")
}

fn default(input: &Input) -> String {
    let default = input.default.as_ref();
    default.map_or_else(String::new, |default| format!(" = {}", default.sdl))
}

/// A block string, or a string if white space or control characters would be lost.
fn description(text: Option<&str>, indent: &str) -> String {
    let Some(text) = text else {
        return String::new();
    };
    let is_block = text.trim() == text
        && !text.is_empty()
        && !text.contains(|letter: char| letter.is_control() && letter != '\n');
    if !is_block {
        return format!("{indent}{}\n", quoted(text));
    }
    let text = text.replace("\"\"\"", "\\\"\"\"");
    let lines = text.lines().map(|line| {
        let indent = if line.is_empty() { "" } else { indent };
        format!("{indent}{line}\n")
    });
    format!(
        "{indent}\"\"\"\n{}{indent}\"\"\"\n",
        lines.collect::<String>()
    )
}

/// A string of GraphQL.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\n' => quoted.push_str("\\n"),
            letter if letter.is_control() => {
                write!(quoted, "\\u{:04x}", u32::from(letter)).expect("a text can be written to");
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
