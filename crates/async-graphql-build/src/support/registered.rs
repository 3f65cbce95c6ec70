//! The types of the contract as async-graphql registers them.

use std::{any::type_name, sync::LazyLock};

use async_graphql::{
    Interface, Object, OutputType, Positioned, ServerResult, Union, VisitorContext,
    parser::types::{Field, VariableDefinition},
    registry::{Deprecation, MetaField, MetaInputValue, MetaType, MetaTypeId, Registry},
};

/// Registers a type, and returns its name.
pub type Register = fn(&mut Registry) -> String;

/// The complexity of a field, from that of its selection set.
pub type Complexity = fn(
    &VisitorContext<'_>,
    &[Positioned<VariableDefinition>],
    &Field,
    usize,
) -> ServerResult<usize>;

/// An object type, interface or union of the contract.
pub struct TypeInfo {
    /// Its name.
    pub name: &'static str,
    pub description: Option<&'static str>,
    /// Its interfaces.
    pub interfaces: &'static [(&'static str, Register)],
    /// The possible types of an interface or union.
    pub possible_types: &'static [(&'static str, Register)],
    /// The type conditions that apply to an object: its own name, its interfaces and unions.
    pub conditions: &'static [&'static str],
    /// The fields of an object or interface.
    pub fields: &'static [FieldInfo],
}

impl TypeInfo {
    pub(super) fn field(&self, name: &str) -> Option<usize> {
        self.fields
            .iter()
            .position(|field| field.input.name == name)
    }
}

/// A field of an object or interface.
pub struct FieldInfo {
    input: InputInfo,
    arguments: &'static [InputInfo],
    complexity: Option<Complexity>,
}

impl FieldInfo {
    /// A field of this type, which is written as in SDL.
    pub const fn new(name: &'static str, ty: &'static str, register: Register) -> Self {
        Self {
            input: InputInfo::new(name, ty, register),
            arguments: &[],
            complexity: None,
        }
    }

    pub const fn description(mut self, description: &'static str) -> Self {
        self.input = self.input.description(description);
        self
    }

    pub const fn deprecated(mut self, reason: &'static str) -> Self {
        self.input = self.input.deprecated(reason);
        self
    }

    pub const fn arguments(mut self, arguments: &'static [InputInfo]) -> Self {
        self.arguments = arguments;
        self
    }

    pub const fn complexity(mut self, complexity: Complexity) -> Self {
        self.complexity = Some(complexity);
        self
    }

    pub(super) fn is_nullable(&self) -> bool {
        !self.input.ty.ends_with('!')
    }
}

/// An argument.
#[derive(Clone, Copy)]
pub struct InputInfo {
    name: &'static str,
    ty: &'static str,
    register: Register,
    description: Option<&'static str>,
    deprecated: Option<&'static str>,
    default: Option<(&'static str, fn())>,
}

impl InputInfo {
    /// An argument of this type, which is written as in SDL.
    pub const fn new(name: &'static str, ty: &'static str, register: Register) -> Self {
        Self {
            name,
            ty,
            register,
            description: None,
            deprecated: None,
            default: None,
        }
    }

    pub const fn description(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    pub const fn deprecated(mut self, reason: &'static str) -> Self {
        self.deprecated = Some(reason);
        self
    }

    /// The default value as in SDL; `check` panics if a scalar refuses it.
    pub const fn default(mut self, sdl: &'static str, check: fn()) -> Self {
        self.default = Some((sdl, check));
        self
    }
}

/// What async-graphql's macros register. Members of the registered types that are not part of the contract are copied from
/// it, so that the code compiles with versions of async-graphql that have more of them.
struct Templates {
    object: MetaType,
    interface: MetaType,
    union: MetaType,
    field: MetaField,
    argument: MetaInputValue,
}

struct TemplateObject;

#[Object]
impl TemplateObject {
    async fn field(&self, argument: bool) -> bool {
        argument
    }
}

#[derive(Interface)]
#[graphql(field(name = "field", ty = "bool", arg(name = "argument", ty = "bool")))]
enum TemplateInterface {
    Object(TemplateObject),
}

#[derive(Union)]
enum TemplateUnion {
    Object(TemplateObject),
}

static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| {
    let mut registry = Registry::default();
    TemplateInterface::create_type_info(&mut registry);
    TemplateUnion::create_type_info(&mut registry);
    let mut ty = |name: &str| registry.types.remove(name).expect("it is registered");
    let (mut object, mut interface) = (ty("TemplateObject"), ty("TemplateInterface"));
    let mut field = None;
    for ty in [&mut object, &mut interface] {
        if let MetaType::Object { fields, .. } | MetaType::Interface { fields, .. } = ty {
            field = fields.drain(..).next().map(|(_, field)| field);
        }
    }
    let mut field = field.expect("it has a field");
    let (_, argument) = field.args.drain(..).next().expect("it has an argument");
    Templates {
        object,
        interface,
        union: ty("TemplateUnion"),
        field,
        argument,
    }
});

/// Registers an object type.
pub fn register_object<T: OutputType>(registry: &mut Registry, info: &TypeInfo) -> String {
    let create = create(&TEMPLATES.object, info, type_name::<T>());
    registry.create_output_type::<T, _>(MetaTypeId::Object, create)
}

/// Registers an interface.
pub fn register_interface<T: OutputType>(registry: &mut Registry, info: &TypeInfo) -> String {
    let create = create(&TEMPLATES.interface, info, type_name::<T>());
    registry.create_output_type::<T, _>(MetaTypeId::Interface, create)
}

/// Registers a union.
pub fn register_union<T: OutputType>(registry: &mut Registry, info: &TypeInfo) -> String {
    let create = create(&TEMPLATES.union, info, type_name::<T>());
    registry.create_output_type::<T, _>(MetaTypeId::Union, create)
}

/// Creates a type. It is the same function for every Rust type, so that what async-graphql does with it is compiled once.
fn create<'a>(
    template: &'a MetaType,
    info: &'a TypeInfo,
    rust: &'static str,
) -> impl FnMut(&mut Registry) -> MetaType + 'a {
    move |registry| {
        let mut ty = template.clone();
        if let MetaType::Object {
            name,
            description,
            rust_typename,
            ..
        }
        | MetaType::Interface {
            name,
            description,
            rust_typename,
            ..
        }
        | MetaType::Union {
            name,
            description,
            rust_typename,
            ..
        } = &mut ty
        {
            *name = info.name.into();
            *description = info.description.map(str::to_owned);
            *rust_typename = Some(rust);
        }
        if let MetaType::Object { fields, .. } | MetaType::Interface { fields, .. } = &mut ty {
            *fields = registered_fields(registry, info);
        }
        if let MetaType::Interface { possible_types, .. } | MetaType::Union { possible_types, .. } =
            &mut ty
        {
            *possible_types = possible(registry, info);
        }
        for (interface, register) in info.interfaces {
            register(registry);
            registry.add_implements(info.name, interface);
        }
        ty
    }
}

fn possible<S: FromIterator<String>>(registry: &mut Registry, info: &TypeInfo) -> S {
    let types = info.possible_types.iter().map(|(name, register)| {
        register(registry);
        (*name).to_owned()
    });
    types.collect()
}

fn registered_fields<M: FromIterator<(String, MetaField)>>(
    registry: &mut Registry,
    info: &TypeInfo,
) -> M {
    let fields = info.fields.iter().map(|info| {
        let mut field = TEMPLATES.field.clone();
        field.args = registered_arguments(registry, info.arguments);
        let input = &info.input;
        (input.register)(registry);
        field.name = input.name.into();
        field.ty = input.ty.into();
        field.description = input.description.map(str::to_owned);
        field.deprecation = deprecation(input);
        field.compute_complexity = info.complexity;
        (input.name.to_owned(), field)
    });
    fields.collect()
}

/// The arguments of a field or directive.
pub(super) fn registered_arguments<M: FromIterator<(String, MetaInputValue)>>(
    registry: &mut Registry,
    arguments: &[InputInfo],
) -> M {
    let arguments = arguments.iter().map(|argument| {
        let registered = registered_argument(registry, argument);
        (argument.name.to_owned(), registered)
    });
    arguments.collect()
}

fn registered_argument(registry: &mut Registry, info: &InputInfo) -> MetaInputValue {
    (info.register)(registry);
    let mut argument = TEMPLATES.argument.clone();
    argument.name = info.name.into();
    argument.ty = info.ty.into();
    argument.description = info.description.map(str::to_owned);
    argument.deprecation = deprecation(info);
    argument.default_value = info.default.map(|(sdl, check)| {
        check();
        sdl.to_owned()
    });
    argument
}

fn deprecation(info: &InputInfo) -> Deprecation {
    match info.deprecated {
        Some(reason) => Deprecation::Deprecated {
            reason: Some(reason.to_owned()),
        },
        None => Deprecation::NoDeprecated,
    }
}
