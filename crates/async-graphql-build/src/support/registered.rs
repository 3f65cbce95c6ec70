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
pub type Complexity = fn(&VisitorContext<'_>, &[Positioned<VariableDefinition>], &Field, usize) -> ServerResult<usize>;

/// An object type, interface or union of the contract.
pub struct TypeInfo {
    pub kind: MetaTypeId,
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
        self.fields.iter().position(|field| field.name == name)
    }
}

/// A field of an object or interface, or an argument.
pub struct FieldInfo {
    name: &'static str,
    ty: &'static str,
    register: Register,
    description: Option<&'static str>,
    deprecated: Option<&'static str>,
    arguments: &'static [FieldInfo],
    complexity: Option<Complexity>,
    default: Option<(&'static str, fn())>,
}

impl FieldInfo {
    /// One of this type, which is written as in SDL.
    pub const fn new(name: &'static str, ty: &'static str, register: Register) -> Self {
        Self {
            name,
            ty,
            register,
            description: None,
            deprecated: None,
            arguments: &[],
            complexity: None,
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

    pub const fn arguments(mut self, arguments: &'static [FieldInfo]) -> Self {
        self.arguments = arguments;
        self
    }

    pub const fn complexity(mut self, complexity: Complexity) -> Self {
        self.complexity = Some(complexity);
        self
    }

    /// The default value as in SDL; `check` panics if a scalar refuses it.
    pub const fn default(mut self, sdl: &'static str, check: fn()) -> Self {
        self.default = Some((sdl, check));
        self
    }

    pub(super) fn is_nullable(&self) -> bool {
        !self.ty.ends_with('!')
    }

    fn deprecation(&self) -> Deprecation {
        match self.deprecated {
            Some(reason) => Deprecation::Deprecated { reason: Some(reason.to_owned()) },
            None => Deprecation::NoDeprecated,
        }
    }
}

/// What async-graphql's macros register. Members of the registered types that are not part of the contract are copied from
/// it, so that the code compiles with versions of async-graphql that have more of them.
static TEMPLATES: LazyLock<Registry> = LazyLock::new(|| {
    let mut registry = Registry::default();
    TemplateInterface::create_type_info(&mut registry);
    TemplateUnion::create_type_info(&mut registry);
    registry
});

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

/// Registers an object type, interface or union.
pub fn register<T: OutputType>(registry: &mut Registry, info: &TypeInfo) -> String {
    registry.create_output_type::<T, _>(info.kind, create(info, type_name::<T>()))
}

/// Replaces what the macro for subscriptions has registered by what the file says.
pub fn register_fields(registry: &mut Registry, info: &TypeInfo) -> String {
    if registry.types.contains_key(info.name) {
        let registered: Vec<_> = registered_fields(registry, info);
        if let Some(MetaType::Object { description, fields, .. }) = registry.types.get_mut(info.name) {
            *description = info.description.map(str::to_owned);
            fields.extend(registered);
        }
    }
    info.name.to_owned()
}

/// Creates a type. It is the same function for every Rust type, so that what async-graphql does with it is compiled once.
fn create<'a>(info: &'a TypeInfo, rust: &'static str) -> impl FnMut(&mut Registry) -> MetaType + 'a {
    move |registry| {
        let mut ty = TEMPLATES.types[&format!("Template{}", info.kind)].clone();
        if let MetaType::Object { name, description, rust_typename, .. }
        | MetaType::Interface { name, description, rust_typename, .. }
        | MetaType::Union { name, description, rust_typename, .. } = &mut ty
        {
            *name = info.name.into();
            *description = info.description.map(str::to_owned);
            *rust_typename = Some(rust);
        }
        if let MetaType::Object { fields, .. } | MetaType::Interface { fields, .. } = &mut ty {
            *fields = registered_fields(registry, info);
        }
        if let MetaType::Interface { possible_types, .. } | MetaType::Union { possible_types, .. } = &mut ty {
            let types = info.possible_types.iter().map(|(name, register)| {
                register(registry);
                (*name).to_owned()
            });
            *possible_types = types.collect();
        }
        for (interface, register) in info.interfaces {
            register(registry);
            registry.add_implements(info.name, interface);
        }
        ty
    }
}

fn registered_fields<M: FromIterator<(String, MetaField)>>(registry: &mut Registry, info: &TypeInfo) -> M {
    let template = TEMPLATES.types["TemplateObject"].field_by_name("field");
    let template = template.expect("it is registered");
    let fields = info.fields.iter().map(|info| {
        let mut field = template.clone();
        field.args = registered_arguments(registry, info.arguments);
        (info.register)(registry);
        field.name = info.name.into();
        field.ty = info.ty.into();
        field.description = info.description.map(str::to_owned);
        field.deprecation = info.deprecation();
        field.compute_complexity = info.complexity;
        (info.name.to_owned(), field)
    });
    fields.collect()
}

/// The arguments of a field or directive.
pub(super) fn registered_arguments<M: FromIterator<(String, MetaInputValue)>>(
    registry: &mut Registry,
    arguments: &[FieldInfo],
) -> M {
    let template = TEMPLATES.types["TemplateObject"].field_by_name("field");
    let template = &template.expect("it is registered").args["argument"];
    let arguments = arguments.iter().map(|info| {
        (info.register)(registry);
        let mut argument = template.clone();
        argument.name = info.name.into();
        argument.ty = info.ty.into();
        argument.description = info.description.map(str::to_owned);
        argument.deprecation = info.deprecation();
        argument.default_value = info.default.map(|(sdl, check)| {
            check();
            sdl.to_owned()
        });
        (info.name.to_owned(), argument)
    });
    arguments.collect()
}
