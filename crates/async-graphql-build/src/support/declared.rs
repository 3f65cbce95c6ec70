//! The types of the fields of interfaces, and the default values of custom scalars.

use std::{any::type_name, borrow::Cow, marker::PhantomData};

use async_graphql::{
    ContextSelectionSet, InputType, OutputType, Pos, Positioned, ServerResult, Value,
    parser::types::Field, registry::Registry,
};

use super::{complete::Completed, json::Json};

/// The type of a field that interfaces declare, for any value of an object.
pub struct Declared<T>(PhantomData<fn() -> T>);

impl<T, U, D> From<Json<U, D>> for Declared<T> {
    fn from(_: Json<U, D>) -> Self {
        Self(PhantomData)
    }
}

impl<T, U> From<Completed<U>> for Declared<T> {
    fn from(_: Completed<U>) -> Self {
        Self(PhantomData)
    }
}

impl<T: OutputType> OutputType for Declared<T> {
    type_of!(T);

    async fn resolve(
        &self,
        _: &ContextSelectionSet<'_>,
        _: &Positioned<Field>,
    ) -> ServerResult<Value> {
        Ok(Value::Null)
    }
}

/// The default value at a location of the contract. async-graphql describes it when the schema is built.
///
/// # Panics
///
/// If the Rust type of the scalar refuses it.
pub fn default_scalar<T: InputType>(value: Value, location: &str) -> T {
    T::parse(Some(value)).unwrap_or_else(|error| {
        let message = error.into_server_error(Pos::default()).message;
        panic!(
            "{location}: the default value is not one of {}: {message}",
            type_name::<T>()
        )
    })
}
