//! The plan of an operation, computed once for all requests with the same document.

use std::sync::atomic::AtomicUsize;

use async_graphql::{Name, Pos, ServerError};
use async_graphql_value::Value as InputValue;

use super::json::JsonKey;

/// The plan of merged selection sets. It is applied to every item of a list.
pub enum Plan {
    /// A value without fields.
    Leaf,
    /// The fields of an object.
    Object(Box<[Step]>),
    /// The plan of each possible type of a union or an interface, in order.
    Abstract(Box<[Self]>),
}

/// A selected field of an object.
pub struct Step {
    /// The response key as JSON, with the preceding comma and the following colon.
    pub(crate) json_key: JsonKey,
    /// The position of the field in the type, or none for `__typename`.
    pub(crate) field: Option<usize>,
    pub(crate) plan: Plan,
    /// The call of its resolver, unless the object is plain.
    pub(crate) call: Option<Box<Call>>,
}

/// The call of a resolver.
pub(crate) struct Call {
    /// Its position among the root fields that create something, if it is one of them.
    pub(crate) creation: Option<usize>,
    /// The response key.
    pub(crate) key: Name,
    pub(crate) pos: Pos,
    pub(crate) arguments: Box<[Argument]>,
    /// Why its value cannot be selected.
    pub(crate) invalid: Option<Box<Invalid>>,
    /// The size of the last value, as an estimate of the next one.
    pub(crate) last_bytes: AtomicUsize,
}

/// The error of a field whose selections have a condition that is null.
pub(crate) struct Invalid {
    pub(crate) error: ServerError,
    /// Whether the field may be null.
    pub(crate) is_nullable: bool,
}

/// An argument of a call, with its variables.
pub(crate) struct Argument {
    pub(crate) name: Name,
    pub(crate) value: InputValue,
    pub(crate) pos: Pos,
}

impl Plan {
    /// The steps of an object type.
    pub(crate) fn steps(&self) -> &[Step] {
        match self {
            Self::Object(steps) => steps,
            Self::Leaf | Self::Abstract(_) => &[],
        }
    }

    /// The plan of the possible type at this position of an abstract type.
    pub fn member(&self, position: usize) -> &Self {
        match self {
            Self::Abstract(plans) => &plans[position],
            Self::Leaf | Self::Object(_) => self,
        }
    }
}
