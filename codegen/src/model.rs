//! The contract as a plain model: every name, type and text that is printed is decided here.

use proc_macro2::{Ident, TokenStream};

use crate::problem::Place;

/// A whole contract.
pub(crate) struct Contract {
    pub(crate) definitions: Vec<Definition>,
}

/// One type of the contract and the Rust item it becomes.
pub(crate) enum Definition {
    Scalar(Scalar),
    Enum(Enum),
    InputObject(InputObject),
    Object(Object),
    Abstract(Abstract),
    Subscription(Object),
}

/// What everything with a name in the SDL has.
pub(crate) struct Header {
    pub(crate) place: Place,
    /// The GraphQL name.
    pub(crate) name: String,
    pub(crate) ident: Ident,
    pub(crate) description: Option<String>,
    pub(crate) deprecated: Option<String>,
}

/// A reference to a type.
pub(crate) struct TypeRef {
    /// As in SDL: `[Vehicle]`.
    pub(crate) sdl: String,
    /// As in Rust: `Option<Vec<Option<Vehicle>>>`.
    pub(crate) rust: TokenStream,
    /// The same where a value may lend it: `Option<Cow<'_, str>>` for a `String`.
    pub(crate) borrowed: TokenStream,
    /// The same without null: `Vec<Option<Vehicle>>`.
    pub(crate) rust_non_null: TokenStream,
    /// The named type alone, as in Rust.
    pub(crate) named: TokenStream,
    pub(crate) nullable: bool,
    /// Whether introspection must be told of the named type; it knows the built-in scalars.
    pub(crate) built_in: bool,
    pub(crate) plainness: Plainness,
}

/// How the values of an output type are resolved.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(crate) enum Plainness {
    /// A scalar or enum.
    Leaf,
    /// An object, interface or union that is complete when it is answered.
    Plain,
    /// An object with resolvers of its own.
    Resolved,
}

/// An argument, or a field of an input object.
pub(crate) struct Input {
    pub(crate) header: Header,
    /// Its name where types are named: the parameter of an argument, the variant of a `@oneOf` field.
    pub(crate) parameter: Ident,
    pub(crate) ty: TypeRef,
    pub(crate) default: Option<Default>,
}

/// A default value.
pub(crate) struct Default {
    /// As in SDL.
    pub(crate) sdl: String,
    /// As a Rust expression of the type of its input.
    pub(crate) rust: TokenStream,
}

pub(crate) struct Scalar {
    pub(crate) header: Header,
    pub(crate) rust: TokenStream,
    pub(crate) specified_by: Option<String>,
}

pub(crate) struct Enum {
    pub(crate) header: Header,
    pub(crate) values: Vec<Header>,
}

pub(crate) struct InputObject {
    pub(crate) header: Header,
    pub(crate) fields: Vec<Input>,
    pub(crate) one_of: bool,
}

/// A field of an object or interface.
pub(crate) struct Field {
    pub(crate) header: Header,
    pub(crate) arguments: Vec<Input>,
    /// The struct that carries the arguments, where there are any.
    pub(crate) arguments_ident: Option<Ident>,
    pub(crate) ty: TypeRef,
}

/// An object type, and how Rust answers for it.
pub(crate) struct Object {
    pub(crate) header: Header,
    pub(crate) resolver_ident: Ident,
    /// The names of its interfaces.
    pub(crate) interfaces: Vec<String>,
    /// The type conditions that hold for it: itself, its interfaces and unions.
    pub(crate) conditions: Vec<String>,
    pub(crate) fields: Vec<Field>,
    pub(crate) answered_by: AnsweredBy,
}

pub(crate) enum AnsweredBy {
    /// A generated struct with a field for each field.
    Struct,
    /// A Rust type named in `build.rs`, through a trait of getters.
    Getters(TokenStream),
    /// A Rust type named in `build.rs`, through a trait of asynchronous resolvers.
    Resolvers(TokenStream),
    /// Any implementation of the resolver trait, in a generic wrapper: a root type.
    Root,
}

/// An interface or union.
pub(crate) struct Abstract {
    pub(crate) header: Header,
    /// Fields and interfaces; none for a union.
    pub(crate) interface: Option<Interface>,
    pub(crate) members: Vec<Member>,
}

pub(crate) struct Interface {
    pub(crate) fields: Vec<Field>,
    pub(crate) interfaces: Vec<String>,
}

/// An object type that a union or an interface may be.
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) variant: Ident,
    pub(crate) rust: TokenStream,
}
