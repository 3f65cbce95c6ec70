//! The contract as a plain model, which contains every name, type and text that is printed.

use std::{collections::BTreeMap, sync::Arc};

use graphql_sdl::Position;

/// A position in one of the files.
#[derive(Clone, Copy, Default)]
pub(crate) struct Place {
    /// The index of its name in [`Contract::files`].
    pub(crate) file: usize,
    pub(crate) position: Position,
}

/// A whole contract.
pub(crate) struct Contract {
    /// The names of the files.
    pub(crate) files: Vec<Arc<str>>,
    /// The whole schema as SDL.
    pub(crate) sdl: String,
    pub(crate) directives: Vec<Directive>,
    /// The operations and their root types: `("query", "Query")`.
    pub(crate) roots: Vec<(String, String)>,
    pub(crate) definitions: Vec<Definition>,
    pub(crate) constraints: Vec<Constraint>,
}

/// The definition of a directive.
pub(crate) struct Directive {
    /// Its identifier is that of the struct of its arguments.
    pub(crate) header: Header,
    pub(crate) arguments: Vec<Input>,
    pub(crate) locations: Vec<String>,
    pub(crate) is_repeatable: bool,
    /// Whether there is a struct of its arguments: resolvers or a guard read them.
    pub(crate) is_read: bool,
    /// Whether documents can apply it where resolvers see it: to their field, or to the operation.
    pub(crate) is_executable: bool,
}

impl Contract {
    /// How deep the compiler descends into the types of fields.
    pub(crate) fn depth(&self) -> usize {
        let types = self.definitions.iter();
        let types = types.map(|ty| (ty.header().ident.as_str(), ty)).collect();
        let mut depths = BTreeMap::new();
        let definitions = self.definitions.iter();
        let depths = definitions.map(|ty| ty.depth(&types, &mut depths));
        depths.max().unwrap_or_default()
    }
}

/// A type of the contract and its Rust item.
pub(crate) enum Definition {
    Scalar(Scalar),
    Enum(Enum),
    InputObject(InputObject),
    Object(Object),
    Abstract(Abstract),
}

impl Definition {
    /// The depth of what its fields contain. That of a list in Rust is two more than that of `Option`.
    fn depth<'c>(&'c self, types: &BTreeMap<&str, &'c Self>, depths: &mut BTreeMap<&'c str, usize>) -> usize {
        let ident = self.header().ident.as_str();
        if let Some(depth) = depths.get(ident) {
            return *depth;
        }
        // A type that contains itself ends there.
        depths.insert(ident, 0);
        let of_type = |ty: &'c TypeRef| (&*ty.named, &*ty.rust);
        let contained: Vec<(&str, &str)> = match self {
            Self::Object(object) => object.fields.iter().map(|field| of_type(&field.ty)).collect(),
            Self::InputObject(input) => input.fields.iter().map(|field| of_type(&field.ty)).collect(),
            Self::Abstract(Abstract { members, .. }) => {
                members.iter().map(|member| (&*member.reference.rust, "")).collect()
            }
            Self::Scalar(_) | Self::Enum(_) => Vec::new(),
        };
        let contained = contained.into_iter().map(|(named, rust)| {
            let is_value = |ty: &&&Self| !matches!(ty, Self::Object(object) if !matches!(object.implementation, Implementation::Struct));
            let inner = types.get(named).filter(is_value);
            let around = 1 + rust.matches('<').count() + rust.matches("Vec<").count();
            around + inner.map_or(0, |ty| ty.depth(types, depths))
        });
        let depth = contained.max().unwrap_or_default();
        depths.insert(ident, depth);
        depth
    }

    pub(crate) fn header(&self) -> &Header {
        match self {
            Self::Scalar(scalar) => &scalar.header,
            Self::Enum(definition) => &definition.header,
            Self::InputObject(input) => &input.header,
            Self::Object(object) => &object.header,
            Self::Abstract(definition) => &definition.header,
        }
    }

    /// The values or fields, with their names in Rust.
    pub(crate) fn children(&self) -> Vec<(&String, &Header)> {
        fn named(header: &Header) -> (&String, &Header) {
            (&header.ident, header)
        }
        match self {
            Self::Scalar(_) | Self::Abstract(_) => Vec::new(),
            Self::Enum(definition) => definition.values.iter().map(named).collect(),
            Self::InputObject(input) if input.one_of => {
                let fields = input.fields.iter();
                fields.map(|field| (&field.parameter, &field.header)).collect()
            }
            Self::InputObject(input) => input.fields.iter().map(|field| named(&field.header)).collect(),
            Self::Object(object) => object.fields.iter().map(|field| named(&field.header)).collect(),
        }
    }
}

/// The common properties of everything that has a name in the SDL.
pub(crate) struct Header {
    pub(crate) location: Place,
    /// The GraphQL name.
    pub(crate) name: String,
    pub(crate) ident: String,
    pub(crate) description: Option<String>,
    pub(crate) deprecated: Option<String>,
}

/// A reference to a type.
pub(crate) struct TypeRef {
    /// As in SDL: `[Book]`.
    pub(crate) sdl: String,
    /// As in Rust: `Option<Vec<Option<Book>>>`.
    pub(crate) rust: String,
    /// The same for getters, which may borrow: `Option<Text<'_>>` for a `String`.
    pub(crate) returned: String,
    /// The same, non-null: `Vec<Option<Book>>`.
    pub(crate) rust_non_null: String,
    /// The named type alone, as in Rust.
    pub(crate) named: String,
    pub(crate) nullable: bool,
    pub(crate) resolution: Resolution,
}

/// How the values of an output type are resolved.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(crate) enum Resolution {
    /// A scalar or enum.
    Leaf,
    /// An object, interface or union that is resolved synchronously.
    Plain,
    /// An object with asynchronous resolvers, or an interface or union with such a possible type.
    Resolved,
}

/// An argument, or a field of an input object.
pub(crate) struct Input {
    pub(crate) header: Header,
    /// Its name as a type parameter of an argument, or as the variant of a `@oneOf` field.
    pub(crate) parameter: String,
    pub(crate) ty: TypeRef,
    pub(crate) default: Option<Default>,
    /// What is checked of its value.
    pub(crate) check: Option<Check>,
}

/// A default value.
pub(crate) struct Default {
    /// As in SDL.
    pub(crate) sdl: String,
    /// As a Rust expression of the type of its input.
    pub(crate) rust: String,
}

pub(crate) struct Scalar {
    pub(crate) header: Header,
    /// The Rust type named in the build script.
    pub(crate) rust: String,
    /// Whether a type around it is generated.
    pub(crate) is_serde: bool,
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
    /// The struct of the arguments, if any.
    pub(crate) arguments_ident: Option<String>,
    pub(crate) ty: TypeRef,
    /// The trait of its resolver.
    pub(crate) resolver_ident: String,
    /// Whether it is read from a field of the Rust type, instead of resolved.
    pub(crate) is_read: bool,
    /// The guards of its resolver in their order, as Rust expressions.
    pub(crate) guards: Vec<String>,
    /// Its complexity, as a Rust expression.
    pub(crate) complexity: Option<String>,
}

/// A type and its Rust type.
pub(crate) struct Reference {
    pub(crate) name: String,
    pub(crate) rust: String,
}

/// An object type and its Rust implementation.
pub(crate) struct Object {
    pub(crate) header: Header,
    /// The traits of its resolvers: more than one if those of a root type are in several files.
    pub(crate) resolver_idents: Vec<String>,
    pub(crate) interfaces: Vec<Reference>,
    /// The type conditions that apply to it: its own name, its interfaces and unions.
    pub(crate) conditions: Vec<String>,
    pub(crate) fields: Vec<Field>,
    pub(crate) implementation: Implementation,
}

pub(crate) enum Implementation {
    /// A generated struct with a field for each field.
    Struct,
    /// A Rust type named in the build script, whose fields are read.
    Fields(Bound),
    /// A Rust type named in the build script, through a trait of getters.
    Getters(Bound),
    /// A Rust type named in the build script, through a trait of asynchronous resolvers.
    Resolvers(Bound),
    /// Any implementation of the resolver trait, in a generic wrapper: the root type of queries or mutations.
    Root,
    /// The same, whose methods return streams: the root type of subscriptions.
    Subscription,
}

/// A Rust type named in the build script.
pub(crate) struct Bound {
    pub(crate) path: String,
    /// Why there is one.
    pub(crate) reason: String,
}

/// An interface or union.
pub(crate) struct Abstract {
    pub(crate) header: Header,
    /// Fields and interfaces; `None` for a union.
    pub(crate) interface: Option<Interface>,
    pub(crate) members: Vec<Member>,
    /// Whether a member has asynchronous resolvers.
    pub(crate) is_resolved: bool,
}

pub(crate) struct Interface {
    pub(crate) fields: Vec<Field>,
    pub(crate) interfaces: Vec<Reference>,
}

/// A possible type of a union or an interface.
pub(crate) struct Member {
    pub(crate) reference: Reference,
    pub(crate) variant: String,
    pub(crate) is_resolved: bool,
}

/// What `@constraint` states about a value.
pub(crate) struct Constraint {
    pub(crate) coordinate: String,
    /// As a Rust expression.
    pub(crate) rust: String,
    pub(crate) location: Place,
}

/// What is checked of the value of an argument or an input field.
pub(crate) struct Check {
    /// The index of its own constraint in [`Contract::constraints`].
    pub(crate) index: Option<usize>,
    /// Whether it is a list of values without constraints.
    pub(crate) is_length_only: bool,
}
