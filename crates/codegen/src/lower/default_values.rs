//! Default values as Rust expressions.

use apollo_compiler::{
    Name, Node,
    ast::{Type, Value},
    schema::{ExtendedType, InputObjectType},
};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::lowering::Lowering;
use crate::name;

/// Why the value has its type: the reader of the schema validates default values.
const VALID: &str = "the default value was validated";

impl Lowering<'_> {
    /// The Rust expression for a default value of this type in a field of the input object `owner` (empty for an
    /// argument), or why it is not supported.
    pub(super) fn default_value(
        &self,
        owner: &str,
        ty: &Type,
        value: &Value,
    ) -> Result<TokenStream, String> {
        match (ty, value) {
            (_, Value::Null) => Ok(quote!(None)),
            (Type::Named(_) | Type::List(_), value) => {
                let value = self.default_value(owner, &ty.clone().non_null(), value)?;
                Ok(quote!(Some(#value)))
            }
            (Type::NonNullList(item), Value::List(values)) => {
                let items = values
                    .iter()
                    .map(|value| self.default_value("", item, value));
                let items = items.collect::<Result<Vec<_>, _>>()?;
                Ok(quote!(vec![#(#items),*]))
            }
            // A single value is a list of one (GraphQL specification, section 3.11).
            (Type::NonNullList(item), value) => {
                let item = self.default_value("", item, value)?;
                Ok(quote!(vec![#item]))
            }
            (Type::NonNullNamed(named), value) => match (&self.schema.types[named], value) {
                (ExtendedType::InputObject(definition), Value::Object(given)) => {
                    let object = self.default_object(definition, given)?;
                    Ok(if self.boxing.is_boxed(owner, ty) {
                        quote!(Box::new(#object))
                    } else {
                        object
                    })
                }
                (ExtendedType::Enum(_), Value::Enum(variant)) => {
                    let (ty, value) = (name::type_ident(named), name::enum_value_ident(variant));
                    Ok(quote!(#ty::#value))
                }
                _ => scalar(named, value),
            },
        }
    }

    fn default_object(
        &self,
        definition: &InputObjectType,
        given: &[(Name, Node<Value>)],
    ) -> Result<TokenStream, String> {
        let named = &definition.name;
        if definition.directives.has("oneOf") {
            return Err(format!(
                "{named} is a @oneOf type; remove the default value"
            ));
        }
        if self.bindings.distinguish_omitted.contains(named.as_str()) {
            return Err(format!(
                "the build script distinguishes omitted fields of {named}; remove the default value"
            ));
        }
        let mut fields = Vec::new();
        for (name, field) in &definition.fields {
            let given = given.iter().find(|(given, _)| given == name);
            let ident = name::field_ident(name);
            let value = given
                .map(|(_, value)| value)
                .or(field.default_value.as_ref());
            let value = value.map_or(Ok(quote!(None)), |value| {
                self.default_value(named, &field.ty, value)
            })?;
            fields.push(quote!(#ident: #value));
        }
        let ident = name::type_ident(named);
        Ok(quote!(#ident { #(#fields),* }))
    }
}

fn scalar(named: &str, value: &Value) -> Result<TokenStream, String> {
    Ok(match (named, value) {
        ("Int", Value::Int(number)) => {
            let number = Literal::i32_unsuffixed(number.try_to_i32().expect(VALID));
            quote!(#number)
        }
        ("Float", Value::Float(number)) => float(number.try_to_f64().expect(VALID)),
        ("Float", Value::Int(number)) => float(number.try_to_f64().expect(VALID)),
        ("String", Value::String(text)) => quote!(#text.to_owned()),
        ("Boolean", Value::Boolean(literal)) => quote!(#literal),
        ("ID", Value::String(text)) => quote!(async_graphql::ID(#text.to_owned())),
        ("ID", Value::Int(digits)) => {
            let digits = digits.as_str();
            quote!(async_graphql::ID(#digits.to_owned()))
        }
        _ => {
            return Err(format!(
                "{named} is a custom scalar; remove the default value and document the behaviour in the description"
            ));
        }
    })
}

fn float(number: f64) -> TokenStream {
    let literal = Literal::f64_unsuffixed(number);
    quote!(#literal)
}
