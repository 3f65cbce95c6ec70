//! The one form of a contract: what of it a client can see, without layout and in one order.
//!
//! Two contracts have the same canonical form, and so the same [`Hash`], exactly if no client can
//! tell them apart by reading them. Descriptions, deprecations and applied directives belong to it;
//! comments, white space, the order of definitions, of fields, of arguments and of values, and
//! whether something is said in a definition or in an extension of it do not. What GraphQL itself
//! defines is left out, and what it implies (`schema { query: Query }`, the reason that
//! `@deprecated` has of its own) is written out. The form is SDL again.

use std::{fmt, fmt::Write, str::FromStr};

use apollo_compiler::{
    Name, Node,
    ast::{Directive, DirectiveDefinition, FieldDefinition, InputValueDefinition, Value},
    schema::{Component, ExtendedType},
};
use sha2::{Digest, Sha256};

use crate::Schema;

/// The directives that GraphQL defines.
const BUILT_IN_DIRECTIVES: [&str; 5] = ["deprecated", "include", "oneOf", "skip", "specifiedBy"];

/// The scalars that GraphQL defines.
const BUILT_IN_SCALARS: [&str; 5] = ["Boolean", "Float", "ID", "Int", "String"];

/// The reason of a `@deprecated` without one.
const NO_REASON: &str = "No longer supported";

/// The identity of a contract: the SHA-256 of its canonical form, written as 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Hash([u8; 32]);

/// A text that is not the hash of a contract.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("a hash of a contract is written as 64 hexadecimal digits in lower case")]
pub struct NotAHash;

/// The identity of a contract.
///
/// ```
/// let one = contract::Schema::parse("one", "type Query { a: Int b(x: ID, y: ID): Int }").unwrap();
/// let other = contract::Schema::parse("other", "type Query { b(y: ID x: ID): Int, a: Int }").unwrap();
/// assert_eq!(contract::hash(&one), contract::hash(&other));
/// ```
pub fn hash(schema: &Schema) -> Hash {
    Hash(Sha256::digest(canonical(schema)).into())
}

/// The canonical form of a contract, as SDL.
pub fn canonical(schema: &Schema) -> String {
    let schema = schema.tree();
    let mut text = String::new();
    head(&mut text, schema);
    let mut directives: Vec<_> = schema.directive_definitions.values().collect();
    directives.retain(|directive| !BUILT_IN_DIRECTIVES.contains(&directive.name.as_str()));
    directives.sort_by_key(|directive| &directive.name);
    for directive in directives {
        directive_definition(&mut text, directive);
    }
    let mut types: Vec<_> = schema.types.values().collect();
    types.retain(|definition| !is_built_in(definition.name()));
    types.sort_by_key(|definition| definition.name());
    for definition in types {
        type_definition(&mut text, definition);
    }
    text
}

impl fmt::Display for Hash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl FromStr for Hash {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Self, NotAHash> {
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Ok(byte - b'0'),
            b'a'..=b'f' => Ok(byte - b'a' + 10),
            _ => Err(NotAHash),
        };
        let digits: &[u8; 64] = text.as_bytes().try_into().map_err(|_| NotAHash)?;
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Ok(Self(bytes))
    }
}

fn is_built_in(name: &Name) -> bool {
    name.starts_with("__") || BUILT_IN_SCALARS.contains(&name.as_str())
}

fn head(text: &mut String, schema: &apollo_compiler::Schema) {
    let definition = &schema.schema_definition;
    description(text, definition.description.as_ref());
    text.push_str("schema");
    applied(
        text,
        definition
            .directives
            .iter()
            .map(|directive| &directive.node),
    );
    text.push_str(" {\n");
    for (operation, root) in schema.schema_definition.iter_root_operations() {
        line(text, format_args!("{operation}: {}", root.name));
    }
    text.push_str("}\n");
}

fn directive_definition(text: &mut String, directive: &DirectiveDefinition) {
    description(text, directive.description.as_ref());
    push(text, format_args!("directive @{}", directive.name));
    arguments(text, &directive.arguments);
    if directive.repeatable {
        text.push_str(" repeatable");
    }
    let mut locations: Vec<_> = directive.locations.iter().map(|at| at.name()).collect();
    locations.sort_unstable();
    locations.dedup();
    line(text, format_args!(" on {}", locations.join(" | ")));
}

fn type_definition(text: &mut String, definition: &ExtendedType) {
    description(text, definition.description());
    let keyword = match definition {
        ExtendedType::Scalar(_) => "scalar",
        ExtendedType::Object(_) => "type",
        ExtendedType::Interface(_) => "interface",
        ExtendedType::Union(_) => "union",
        ExtendedType::Enum(_) => "enum",
        ExtendedType::InputObject(_) => "input",
    };
    push(text, format_args!("{keyword} {}", definition.name()));
    let interfaces = match definition {
        ExtendedType::Object(object) => sorted_names(object.implements_interfaces.iter()),
        ExtendedType::Interface(interface) => sorted_names(interface.implements_interfaces.iter()),
        _ => Vec::new(),
    };
    if !interfaces.is_empty() {
        push(text, format_args!(" implements {}", interfaces.join(" & ")));
    }
    applied(
        text,
        definition
            .directives()
            .iter()
            .map(|directive| &directive.node),
    );
    match definition {
        ExtendedType::Scalar(_) => text.push('\n'),
        ExtendedType::Object(object) => fields(text, object.fields.values()),
        ExtendedType::Interface(interface) => fields(text, interface.fields.values()),
        ExtendedType::Union(union) => {
            let members = sorted_names(union.members.iter());
            line(text, format_args!(" = {}", members.join(" | ")));
        }
        ExtendedType::Enum(of) => {
            let mut values: Vec<_> = of.values.values().collect();
            values.sort_by_key(|value| &value.value);
            text.push_str(" {\n");
            for value in values {
                description(text, value.description.as_ref());
                text.push_str(&value.value);
                applied(text, value.directives.iter());
                text.push('\n');
            }
            text.push_str("}\n");
        }
        ExtendedType::InputObject(input) => {
            let mut fields: Vec<_> = input.fields.values().collect();
            fields.sort_by_key(|field| &field.name);
            text.push_str(" {\n");
            for field in fields {
                input_value(text, field);
            }
            text.push_str("}\n");
        }
    }
}

fn sorted_names<'a>(
    names: impl Iterator<Item = &'a apollo_compiler::schema::ComponentName>,
) -> Vec<&'a str> {
    let mut names: Vec<_> = names.map(|name| name.name.as_str()).collect();
    names.sort_unstable();
    names
}

fn fields<'a>(text: &mut String, fields: impl Iterator<Item = &'a Component<FieldDefinition>>) {
    let mut fields: Vec<_> = fields.collect();
    fields.sort_by_key(|field| &field.name);
    text.push_str(" {\n");
    for field in fields {
        description(text, field.description.as_ref());
        text.push_str(&field.name);
        arguments(text, &field.arguments);
        push(text, format_args!(": {}", field.ty));
        applied(text, field.directives.iter());
        text.push('\n');
    }
    text.push_str("}\n");
}

fn arguments(text: &mut String, arguments: &[Node<InputValueDefinition>]) {
    if arguments.is_empty() {
        return;
    }
    let mut arguments: Vec<_> = arguments.iter().collect();
    arguments.sort_by_key(|argument| &argument.name);
    text.push_str("(\n");
    for argument in arguments {
        input_value(text, argument);
    }
    text.push(')');
}

fn input_value(text: &mut String, input: &InputValueDefinition) {
    description(text, input.description.as_ref());
    push(text, format_args!("{}: {}", input.name, input.ty));
    if let Some(default) = &input.default_value {
        text.push_str(" = ");
        value(text, default);
    }
    applied(text, input.directives.iter());
    text.push('\n');
}

/// The order of directives may matter to whoever reads them, so it is kept.
fn applied<'a>(text: &mut String, directives: impl Iterator<Item = &'a Node<Directive>>) {
    for directive in directives {
        push(text, format_args!(" @{}", directive.name));
        let mut given: Vec<_> = directive.arguments.iter().collect();
        given.sort_by_key(|argument| &argument.name);
        if directive.name == "deprecated" && given.is_empty() {
            push(text, format_args!("(reason: {NO_REASON:?})"));
        }
        for (position, argument) in given.iter().enumerate() {
            text.push_str(if position == 0 { "(" } else { ", " });
            push(text, format_args!("{}: ", argument.name));
            value(text, &argument.value);
        }
        if !given.is_empty() {
            text.push(')');
        }
    }
}

fn value(text: &mut String, of: &Value) {
    match of {
        Value::Null => text.push_str("null"),
        Value::Enum(name) => text.push_str(name),
        Value::Variable(name) => push(text, format_args!("${name}")),
        Value::String(characters) => string(text, characters),
        Value::Float(number) => push(text, format_args!("{number}")),
        Value::Int(number) => push(text, format_args!("{number}")),
        Value::Boolean(yes) => push(text, format_args!("{yes}")),
        Value::List(items) => {
            text.push('[');
            for (position, item) in items.iter().enumerate() {
                text.push_str(if position == 0 { "" } else { ", " });
                value(text, item);
            }
            text.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| name);
            text.push('{');
            for (position, (name, member)) in members.into_iter().enumerate() {
                text.push_str(if position == 0 { "" } else { ", " });
                push(text, format_args!("{name}: "));
                value(text, member);
            }
            text.push('}');
        }
    }
}

fn description(text: &mut String, of: Option<&Node<str>>) {
    if let Some(words) = of {
        string(text, words);
        text.push('\n');
    }
}

/// JSON escapes the same characters as GraphQL in the same ways.
fn string(text: &mut String, characters: &str) {
    let quoted = serde_json::to_string(characters).expect("every text is a JSON string");
    text.push_str(&quoted);
}

fn line(text: &mut String, words: fmt::Arguments<'_>) {
    push(text, words);
    text.push('\n');
}

fn push(text: &mut String, words: fmt::Arguments<'_>) {
    text.write_fmt(words).expect("a text can grow");
}

#[cfg(test)]
mod tests {
    use super::{NotAHash, canonical, hash};
    use crate::{Hash, Schema};

    fn schema(sdl: &str) -> Schema {
        Schema::parse("test.graphql", sdl).expect("it is valid")
    }

    const ONE: &str = r#"
        "Words"
        type Query implements B & A {
          a(y: [I!] = [{ y: 2, x: 1 }], x: String = "é\n\"" @deprecated): Int
          "More words" b: Int @deprecated(reason: "old")
        }
        interface A { b: Int } interface B { a(x: String, y: [I!]): Int }
        input I { x: Int = 1, y: Int }
        enum E { ONE TWO @deprecated } union U = Query | M type M { e: E u: U }
        directive @d(z: Int, a: Int) repeatable on FIELD_DEFINITION | ENUM
        scalar Date @specifiedBy(url: "https://a.example")
    "#;

    /// The same as [`ONE`] for everybody who reads it.
    const OTHER: &str = r#"
        schema { query: Query }
        # A comment.
        scalar Date
        extend scalar Date @specifiedBy(url: "https://a.example")
        directive @d(a: Int z: Int) repeatable on | ENUM | FIELD_DEFINITION
        type M { u: U e: E } union U = M | Query enum E { TWO @deprecated(reason: "No longer supported") ONE }
        input I { y: Int x: Int = 1 }
        interface B { a(y: [I!], x: String): Int } interface A { b: Int }
        """
          Words
        """
        type Query implements A & B { """More words""" b: Int @deprecated(reason: """old""") }
        extend type Query { a(x: String = "\u00e9\u000a\"" @deprecated, y: [I!] = [{ x: 1 y: 2 }]): Int }
        directive @skip(if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
    "#;

    #[test]
    fn layout_order_extensions_and_what_is_implied_do_not_count() {
        assert_eq!(canonical(&schema(ONE)), canonical(&schema(OTHER)));
        assert_eq!(hash(&schema(ONE)), hash(&schema(OTHER)));
    }

    #[test]
    fn the_canonical_form_is_sdl_and_its_own_canonical_form() {
        let form = canonical(&schema(ONE));
        assert_eq!(canonical(&schema(&form)), form);
    }

    #[test]
    fn whatever_a_client_can_see_counts() {
        for (from, to) in [
            ("\"Words\"", "\"words\""),
            ("\"Words\"", ""),
            ("reason: \"old\"", "reason: \"ancient\""),
            (" b: Int @deprecated(reason: \"old\")", " b: Int"),
            ("y: 2", "y: 3"),
            ("e: E", "e: E!"),
            ("scalar Date @specifiedBy", "scalar Day @specifiedBy"),
            ("a.example", "b.example"),
            ("repeatable ", ""),
            ("| ENUM", "| ENUM | SCALAR"),
            ("ONE TWO", "ONE TWO THREE"),
            ("= Query | M", "= M"),
            ("implements B & A", "implements A"),
        ] {
            let changed = ONE.replacen(from, to, 1);
            assert_ne!(changed, ONE, "{from}");
            assert_ne!(hash(&schema(&changed)), hash(&schema(ONE)), "{from}: {to}");
        }
    }

    /// A hash that changes with a version of this library would tell every client that its
    /// contract had changed.
    #[test]
    fn the_hash_of_a_contract_stays_the_same() {
        let hash = hash(&schema(
            "\"Asked.\" type Query { a(x: Int = 1): Int! @deprecated }",
        ));
        let expected = "dbe131998d32e4de1db328eb399ca733894c2d76991d64285a5dbf7b0140a684";
        assert_eq!(hash.to_string(), expected);
        assert_eq!(expected.parse(), Ok(hash));
    }

    #[test]
    fn only_64_hexadecimal_digits_are_a_hash() {
        let right = "0123456789abcdef".repeat(4);
        assert_eq!(
            right.parse::<Hash>().map(|hash| hash.to_string()),
            Ok(right.clone())
        );
        for wrong in [
            String::new(),
            right.to_uppercase(),
            right[1..].to_owned(),
            format!("{right}0"),
            right.replace('a', "g"),
        ] {
            assert_eq!(wrong.parse::<Hash>(), Err(NotAHash), "{wrong}");
        }
    }
}
