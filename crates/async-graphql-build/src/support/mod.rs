//! What generated code needs beside async-graphql: values without resolvers are written as JSON text by one loop, and
//! objects with resolvers are executed as the GraphQL specification says (section 6).
//!
//! async-graphql 7.2 executes the fields of nested objects in the order of completion, leaves out those that failed, and
//! does not propagate nulls (<https://github.com/async-graphql/async-graphql/issues/1746>); it replaces the path of an error
//! in a list. [`resolve_object`] and [`Complete`] do not. They need items that its documentation hides:
//! `query_env.fragments`, `item`, `with_field` and `resolve_list`; the traits name `Registry`, and those of subscriptions
//! `futures_util`. [`register_object`] and its like use what the derives register.

/// The name of an output type is that of another one.
macro_rules! type_of {
    ($type:ty) => {
        fn type_name() -> Cow<'static, str> {
            <$type as OutputType>::type_name()
        }

        fn qualified_type_name() -> String {
            <$type as OutputType>::qualified_type_name()
        }

        fn create_type_info(registry: &mut Registry) -> String {
            <$type as OutputType>::create_type_info(registry)
        }
    };
}

mod complete;
mod constraints;
mod events;
mod json;
mod omitted;
mod registered;
mod resolving;
mod selections;
mod served;
mod write_json;

pub use self::{
    complete::{Complete, Completed, nullable, resolve_object},
    constraints::{
        Checking, Constrained, Constraint, List, ParseText, Unchecked, Violation, Violations,
    },
    events::{Event, events},
    json::{Json, ResponseBytes, written},
    registered::{
        FieldInfo, InputInfo, TypeInfo, register_interface, register_object, register_union,
    },
    resolving::{
        Applied, Resolving, applied, argument, completed_field, default_scalar, guarded,
        written_field,
    },
    selections::Selections,
    served::{Described, DirectiveInfo, Served, build},
    write_json::{JsonWriter, Plan, Text, WriteJson, plan_object, write_object},
};
