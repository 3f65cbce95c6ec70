//! The types of the fields of interfaces.

use std::{borrow::Cow, marker::PhantomData};

use async_graphql::{
    ContextSelectionSet, OutputType, Positioned, ServerResult, Value, parser::types::Field,
    registry::Registry,
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
