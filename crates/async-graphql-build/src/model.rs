//! The contract as a plain model, which contains every name, type and text that is printed.

use std::collections::BTreeMap;

use graphql_sdl::Location;

/// A whole contract.
pub(crate) struct Contract {
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
            Self::Abstract(Abstract { members, .. }) => members.iter().map(|member| (&*member.rust, "")).collect(),
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

    /// The values or fields.
    pub(crate) fn children(&self) -> Vec<&Header> {
        match self {
            Self::Scalar(_) | Self::Abstract(_) => Vec::new(),
            Self::Enum(definition) => definition.values.iter().collect(),
            Self::InputObject(input) => input.fields.iter().map(|field| &field.header).collect(),
            Self::Object(object) => object.fields.iter().map(|field| &field.header).collect(),
        }
    }
}

/// The common properties of everything that has a name in the SDL.
pub(crate) struct Header {
    pub(crate) location: Location,
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
    /// The name of the type parameter of an argument.
    pub(crate) parameter: String,
    pub(crate) ty: TypeRef,
    pub(crate) default: Option<Default>,
    /// What its value is checked against, as a Rust expression.
    pub(crate) constraint: Option<String>,
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

/// An interface or a possible type.
pub(crate) struct Reference {
    pub(crate) name: String,
    /// Its Rust type, and the variant of it.
    pub(crate) rust: String,
    pub(crate) is_resolved: bool,
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
    /// `Interface` or `Union`.
    pub(crate) kind: &'static str,
    /// Those of an interface.
    pub(crate) interfaces: Vec<Reference>,
    pub(crate) fields: Vec<Field>,
    pub(crate) members: Vec<Reference>,
    /// Whether a member has asynchronous resolvers.
    pub(crate) is_resolved: bool,
}

/// What `@constraint` states about a value.
pub(crate) struct Constraint {
    pub(crate) coordinate: String,
    /// As a Rust expression.
    pub(crate) rust: String,
    pub(crate) location: Location,
}
