//! The definitions that the GraphQL specification provides (sections 3.5 and 3.13).

/// The scalars.
pub const SCALARS: [&str; 5] = ["Boolean", "Float", "ID", "Int", "String"];

/// The directives.
pub const DIRECTIVES: [&str; 5] = ["deprecated", "include", "oneOf", "skip", "specifiedBy"];

/// The default value of `@deprecated(reason:)`.
pub const DEPRECATION_REASON: &str = "No longer supported";

/// Whether the name is that of a built-in scalar.
pub fn is_scalar(name: &str) -> bool {
    SCALARS.contains(&name)
}

/// Whether the name is that of a built-in type: a scalar, or a type of introspection.
pub fn is_type(name: &str) -> bool {
    name.starts_with("__") || is_scalar(name)
}

/// Whether the name is that of a built-in directive.
pub fn is_directive(name: &str) -> bool {
    DIRECTIVES.contains(&name)
}
