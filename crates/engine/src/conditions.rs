//! The conditions of selections.

use apollo_compiler::{
    ast::{self, Value},
    parser::SourceSpan,
};
use async_graphql::{Pos, ServerError};
use schema::excerpt;

/// Evaluates `@skip` and `@include` (GraphQL specification, sections 3.13.1 and 3.13.2), with the value of a variable at
/// a location. The variable can be null: validation permits a nullable one with a default value.
pub(crate) fn includes(
    directives: &ast::DirectiveList,
    variable: impl Fn(&ast::Directive, &str, Option<SourceSpan>) -> bool,
) -> bool {
    let is_true = |directive: &ast::Directive| {
        let condition = directive.specified_argument_by_name("if");
        condition.is_some_and(|condition| match &**condition {
            Value::Boolean(value) => *value,
            Value::Variable(name) => variable(directive, name, condition.location()),
            _ => false,
        })
    };
    !directives.get("skip").is_some_and(|skip| is_true(skip))
        && directives
            .get("include")
            .is_none_or(|include| is_true(include))
}

/// The error of a non-null argument whose variable is null.
pub(crate) fn null_argument(
    (argument, of, ty): (&str, &str, &str),
    variable: &str,
    pos: Pos,
) -> ServerError {
    let variable = excerpt(variable);
    let message =
        format!("${variable} must not be null, the argument {argument:?} of {of} is {ty}");
    ServerError::new(message, Some(pos))
}
