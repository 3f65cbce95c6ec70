//! Default values: checked against their type, and written as Rust expressions.
//!
//! apollo-compiler 1 does not check default values.

use apollo_compiler::{
    Schema,
    ast::{Type, Value},
    schema::{ExtendedType, InputObjectType},
};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::{name, problem::suggestion, reach::Boxing};

/// The Rust expression for a default value of this type in a field of the input object `owner`
/// (empty for an argument), or what is wrong with it.
pub(crate) fn expression(
    schema: &Schema,
    boxing: &Boxing,
    owner: &str,
    ty: &Type,
    value: &Value,
) -> Result<TokenStream, String> {
    let mismatch = || Err(format!("{value} is not a value of the type {ty}"));
    match (ty, value) {
        (Type::Named(_) | Type::List(_), Value::Null) => Ok(quote!(None)),
        (Type::NonNullNamed(_) | Type::NonNullList(_), Value::Null) => mismatch(),
        (Type::Named(_) | Type::List(_), value) => {
            let given = expression(schema, boxing, owner, &ty.clone().non_null(), value)?;
            Ok(quote!(Some(#given)))
        }
        (Type::NonNullList(item), Value::List(values)) => {
            let items = values
                .iter()
                .map(|value| expression(schema, boxing, "", item, value));
            let items = items.collect::<Result<Vec<_>, _>>()?;
            Ok(quote!(vec![#(#items),*]))
        }
        // A single value is a list of one (GraphQL specification, section 3.11).
        (Type::NonNullList(item), value) => {
            let item = expression(schema, boxing, "", item, value)?;
            Ok(quote!(vec![#item]))
        }
        (Type::NonNullNamed(named), value) => match &schema.types[named] {
            ExtendedType::Scalar(_) => scalar(named, value).map_or_else(mismatch, Ok),
            ExtendedType::Enum(definition) => match value {
                Value::Enum(given) if definition.values.contains_key(given) => {
                    let (ty, value) = (name::of_type(named), name::of_enum_value(given));
                    Ok(quote!(#ty::#value))
                }
                _ => mismatch(),
            },
            ExtendedType::InputObject(definition) => {
                let given = input_object(schema, boxing, definition, value)?;
                Ok(if boxing.is_boxed(owner, ty) {
                    quote!(Box::new(#given))
                } else {
                    given
                })
            }
            ExtendedType::Object(_) | ExtendedType::Interface(_) | ExtendedType::Union(_) => {
                mismatch()
            }
        },
    }
}

fn scalar(named: &str, value: &Value) -> Option<TokenStream> {
    match (named, value) {
        ("Int", Value::Int(given)) => {
            let given = Literal::i32_unsuffixed(given.try_to_i32().ok()?);
            Some(quote!(#given))
        }
        ("Float", Value::Float(given)) => float(given.try_to_f64().ok()?),
        ("Float", Value::Int(given)) => float(given.try_to_f64().ok()?),
        ("String", Value::String(given)) => Some(quote!(#given.to_owned())),
        ("Boolean", Value::Boolean(given)) => Some(quote!(#given)),
        ("ID", Value::String(given)) => Some(quote!(async_graphql::ID(#given.to_owned()))),
        ("ID", Value::Int(given)) => {
            let given = given.as_str();
            Some(quote!(async_graphql::ID(#given.to_owned())))
        }
        _ => None,
    }
}

fn float(value: f64) -> Option<TokenStream> {
    let literal = value.is_finite().then(|| Literal::f64_unsuffixed(value))?;
    Some(quote!(#literal))
}

fn input_object(
    schema: &Schema,
    boxing: &Boxing,
    definition: &InputObjectType,
    value: &Value,
) -> Result<TokenStream, String> {
    let named = &definition.name;
    let Value::Object(members) = value else {
        return Err(format!("{value} is not a value of the type {named}"));
    };
    if let Some((unknown, _)) = members
        .iter()
        .find(|(name, _)| !definition.fields.contains_key(name))
    {
        let known = definition.fields.keys().map(apollo_compiler::Name::as_str);
        let suggestion = suggestion(unknown, known);
        return Err(format!("{named} has no field \"{unknown}\"{suggestion}"));
    }
    if definition.directives.has("oneOf") {
        return Err(format!(
            "a default value of the @oneOf type {named} is not supported; leave it out"
        ));
    }
    let mut fields = Vec::new();
    for (name, field) in &definition.fields {
        let given = members
            .iter()
            .find(|(given, _)| given == name)
            .map(|(_, value)| value);
        let ident = name::of_field(name);
        let value = match given.or(field.default_value.as_ref()) {
            Some(value) => expression(schema, boxing, named, &field.ty, value)?,
            None if field.ty.is_non_null() => {
                return Err(format!(
                    "{value} lacks the field \"{name}\", which {named} requires"
                ));
            }
            None => quote!(None),
        };
        fields.push(quote!(#ident: #value));
    }
    let ident = name::of_type(named);
    Ok(quote!(#ident { #(#fields),* }))
}
