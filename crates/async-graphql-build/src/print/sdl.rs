//! The plain model as SDL. A test compares it with the file that was read, so that nothing is lost between them.

use std::fmt::Write;

use apollo_compiler::ast::Value;

use crate::model::{Abstract, Contract, Definition, Field, Header, Input, Reference};

/// Prints every type of the contract.
pub(super) fn print(contract: &Contract) -> String {
    let mut sdl = description(contract.description.as_deref(), "");
    sdl.extend(["schema", &contract.applied, " {\n"]);
    for (operation, ty) in &contract.roots {
        sdl.extend(["  ", operation, ": ", ty, "\n"]);
    }
    sdl.push_str("}\n");
    for directive in &contract.directives {
        sdl.extend(["\n", directive.sdl.trim_end(), "\n"]);
    }
    for definition in &contract.definitions {
        let Header { name, description: text, directives, .. } = definition.header();
        let description = description(text.as_deref(), "");
        let (keyword, interfaces, contents): (_, &[Reference], _) = match definition {
            Definition::Scalar(_) => ("scalar", &[], String::new()),
            Definition::Enum(definition) => {
                let values = definition.values.iter();
                ("enum", &[], block(values.map(|value| member(value, "  ", ""))))
            }
            Definition::InputObject(definition) => {
                let fields = definition.fields.iter();
                ("input", &[], block(fields.map(|field| input(field, "  "))))
            }
            Definition::Object(object) => ("type", &object.interfaces, fields(&object.fields)),
            Definition::Abstract(Abstract { interface: Some(interface), .. }) => {
                ("interface", &interface.interfaces, fields(&interface.fields))
            }
            Definition::Abstract(Abstract { members, .. }) => {
                let members: Vec<_> = members.iter().map(|member| &*member.reference.name).collect();
                ("union", &[], format!(" = {}", members.join(" | ")))
            }
        };
        let implements = if interfaces.is_empty() {
            String::new()
        } else {
            let names = interfaces.iter().map(|interface| interface.name.as_str());
            format!(" implements {}", names.collect::<Vec<_>>().join(" & "))
        };
        let _ = writeln!(sdl, "\n{description}{keyword} {name}{implements}{directives}{contents}");
    }
    sdl
}

fn block(lines: impl Iterator<Item = String>) -> String {
    format!(" {{\n{}}}", lines.collect::<String>())
}

fn fields(fields: &[Field]) -> String {
    block(fields.iter().map(|field| {
        let mut arguments = String::new();
        if !field.arguments.is_empty() {
            arguments.push_str("(\n");
            arguments.extend(field.arguments.iter().map(|argument| input(argument, "    ")));
            arguments.push_str("  )");
        }
        member(&field.header, "  ", &format!("{arguments}: {}", field.ty.sdl))
    }))
}

fn input(input: &Input, indent: &str) -> String {
    let default = input.default.as_ref();
    let default = default.map_or_else(String::new, |default| format!(" = {}", default.sdl));
    member(&input.header, indent, &format!(": {}{default}", input.ty.sdl))
}

/// A line with a name, what follows it, and its directives, after its description.
fn member(header: &Header, indent: &str, rest: &str) -> String {
    let description = description(header.description.as_deref(), indent);
    let (name, directives) = (&header.name, &header.directives);
    format!("{description}{indent}{name}{rest}{directives}\n")
}

/// A block string, or a string if white space or control characters would be lost.
fn description(text: Option<&str>, indent: &str) -> String {
    let Some(text) = text else {
        return String::new();
    };
    let is_block =
        text.trim() == text && !text.is_empty() && !text.contains(|letter: char| letter.is_control() && letter != '\n');
    if !is_block {
        return format!("{indent}{}\n", Value::from(text).serialize().no_indent());
    }
    let text = text.replace("\"\"\"", "\\\"\"\"");
    let lines = text.lines().map(|line| {
        let indent = if line.is_empty() { "" } else { indent };
        format!("{indent}{line}\n")
    });
    format!("{indent}\"\"\"\n{}{indent}\"\"\"\n", lines.collect::<String>())
}
