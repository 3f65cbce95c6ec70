//! Tells async-graphql what the contract says: names, descriptions, types, defaults, deprecations.

use async_graphql::{
    InputType, OutputType,
    indexmap::{IndexMap, IndexSet},
    registry::{
        Deprecation, MetaEnumValue, MetaField, MetaInputValue, MetaType, MetaTypeId, Registry,
    },
};

/// A text of the contract.
pub(crate) type Text = &'static str;

/// A function that registers a type, for the types that another one refers to.
pub(crate) type Register = fn(&mut Registry) -> String;

/// What introspection says of a field.
pub(crate) struct Field {
    pub name: Text,
    pub description: Option<Text>,
    pub arguments: &'static [Input],
    pub ty: Text,
    pub deprecated: Option<Text>,
}

/// What introspection says of an argument or of a field of an input object.
pub(crate) struct Input {
    pub name: Text,
    pub description: Option<Text>,
    pub ty: Text,
    pub default: Option<Text>,
    pub deprecated: Option<Text>,
}

/// What introspection says of a value of an enum.
pub(crate) struct EnumValue {
    pub name: Text,
    pub description: Option<Text>,
    pub deprecated: Option<Text>,
}

fn owned(text: Option<Text>) -> Option<String> {
    text.map(str::to_owned)
}

fn deprecation(reason: Option<Text>) -> Deprecation {
    match reason {
        None => Deprecation::NoDeprecated,
        Some(reason) => Deprecation::Deprecated {
            reason: Some(reason.to_owned()),
        },
    }
}

fn inputs(inputs: &[Input]) -> IndexMap<String, MetaInputValue> {
    let described = inputs.iter().map(|input| {
        let meta = MetaInputValue {
            name: input.name.to_owned(),
            description: owned(input.description),
            ty: input.ty.to_owned(),
            deprecation: deprecation(input.deprecated),
            default_value: owned(input.default),
            visible: None,
            inaccessible: false,
            tags: Vec::new(),
            is_secret: false,
            directive_invocations: Vec::new(),
        };
        (input.name.to_owned(), meta)
    });
    described.collect()
}

fn fields(fields: &[Field]) -> IndexMap<String, MetaField> {
    let described = fields.iter().map(|field| {
        let meta = MetaField {
            name: field.name.to_owned(),
            description: owned(field.description),
            args: inputs(field.arguments),
            ty: field.ty.to_owned(),
            deprecation: deprecation(field.deprecated),
            cache_control: async_graphql::CacheControl::default(),
            external: false,
            requires: None,
            provides: None,
            visible: None,
            shareable: false,
            inaccessible: false,
            tags: Vec::new(),
            override_from: None,
            compute_complexity: None,
            directive_invocations: Vec::new(),
            requires_scopes: Vec::new(),
        };
        (field.name.to_owned(), meta)
    });
    described.collect()
}

fn object_type(
    name: Text,
    description: Option<Text>,
    of: &[Field],
    is_subscription: bool,
    rust_typename: Text,
) -> MetaType {
    MetaType::Object {
        name: name.to_owned(),
        description: owned(description),
        fields: fields(of),
        cache_control: async_graphql::CacheControl::default(),
        extends: false,
        shareable: false,
        resolvable: true,
        inaccessible: false,
        interface_object: false,
        tags: Vec::new(),
        keys: None,
        visible: None,
        is_subscription,
        rust_typename: Some(rust_typename),
        directive_invocations: Vec::new(),
        requires_scopes: Vec::new(),
    }
}

/// Registers an object type and the types it refers to.
pub(crate) fn register_object<T: OutputType>(
    registry: &mut Registry,
    name: Text,
    description: Option<Text>,
    interfaces: &[Text],
    of: &[Field],
    referred: &[Register],
) -> String {
    registry.create_output_type::<T, _>(MetaTypeId::Object, |registry| {
        for interface in interfaces {
            registry.add_implements(name, interface);
        }
        for register in referred {
            register(registry);
        }
        object_type(name, description, of, false, std::any::type_name::<T>())
    })
}

/// Registers the root type of subscriptions and the types it refers to.
pub(crate) fn register_subscription<T: async_graphql::SubscriptionType>(
    registry: &mut Registry,
    name: Text,
    description: Option<Text>,
    of: &[Field],
    referred: &[Register],
) -> String {
    registry.create_subscription_type::<T, _>(|registry| {
        for register in referred {
            register(registry);
        }
        object_type(name, description, of, true, std::any::type_name::<T>())
    })
}

/// Registers an interface, the types it refers to and those that implement it.
pub(crate) fn register_interface<T: OutputType>(
    registry: &mut Registry,
    name: Text,
    description: Option<Text>,
    interfaces: &[Text],
    of: &[Field],
    possible_types: &[Text],
    referred: &[Register],
) -> String {
    registry.create_output_type::<T, _>(MetaTypeId::Interface, |registry| {
        for interface in interfaces {
            registry.add_implements(name, interface);
        }
        for register in referred {
            register(registry);
        }
        MetaType::Interface {
            name: name.to_owned(),
            description: owned(description),
            fields: fields(of),
            possible_types: possible_types.iter().map(|&name| name.to_owned()).collect(),
            extends: false,
            inaccessible: false,
            tags: Vec::new(),
            keys: None,
            visible: None,
            rust_typename: Some(std::any::type_name::<T>()),
            directive_invocations: Vec::new(),
            requires_scopes: Vec::new(),
        }
    })
}

/// Registers a union and its members.
pub(crate) fn register_union<T: OutputType>(
    registry: &mut Registry,
    name: Text,
    description: Option<Text>,
    members: &[Text],
    referred: &[Register],
) -> String {
    registry.create_output_type::<T, _>(MetaTypeId::Union, |registry| {
        for register in referred {
            register(registry);
        }
        MetaType::Union {
            name: name.to_owned(),
            description: owned(description),
            possible_types: members
                .iter()
                .map(|&name| name.to_owned())
                .collect::<IndexSet<_>>(),
            visible: None,
            inaccessible: false,
            tags: Vec::new(),
            rust_typename: Some(std::any::type_name::<T>()),
            directive_invocations: Vec::new(),
        }
    })
}

/// Registers an enum.
pub(crate) fn register_enum<T: InputType>(
    registry: &mut Registry,
    name: Text,
    description: Option<Text>,
    values: &[EnumValue],
) -> String {
    registry.create_input_type::<T, _>(MetaTypeId::Enum, |_| MetaType::Enum {
        name: name.to_owned(),
        description: owned(description),
        enum_values: values
            .iter()
            .map(|value| {
                let meta = MetaEnumValue {
                    name: value.name.to_owned(),
                    description: owned(value.description),
                    deprecation: deprecation(value.deprecated),
                    visible: None,
                    inaccessible: false,
                    tags: Vec::new(),
                    directive_invocations: Vec::new(),
                };
                (value.name.to_owned(), meta)
            })
            .collect(),
        visible: None,
        inaccessible: false,
        tags: Vec::new(),
        rust_typename: Some(std::any::type_name::<T>()),
        directive_invocations: Vec::new(),
        requires_scopes: Vec::new(),
    })
}

/// Registers an input object and the types it refers to.
pub(crate) fn register_input_object<T: InputType>(
    registry: &mut Registry,
    name: Text,
    description: Option<Text>,
    of: &[Input],
    oneof: bool,
    referred: &[Register],
) -> String {
    registry.create_input_type::<T, _>(MetaTypeId::InputObject, |registry| {
        for register in referred {
            register(registry);
        }
        MetaType::InputObject {
            name: name.to_owned(),
            description: owned(description),
            input_fields: inputs(of),
            visible: None,
            inaccessible: false,
            tags: Vec::new(),
            rust_typename: Some(std::any::type_name::<T>()),
            oneof,
            directive_invocations: Vec::new(),
        }
    })
}

/// Registers a custom scalar.
pub(crate) fn register_scalar<T: InputType + async_graphql::ScalarType + 'static>(
    registry: &mut Registry,
    name: Text,
    description: Option<Text>,
    specified_by_url: Option<Text>,
) -> String {
    registry.create_input_type::<T, _>(MetaTypeId::Scalar, |_| MetaType::Scalar {
        name: name.to_owned(),
        description: owned(description),
        is_valid: Some(std::sync::Arc::new(
            <T as async_graphql::ScalarType>::is_valid,
        )),
        visible: None,
        inaccessible: false,
        tags: Vec::new(),
        specified_by_url: owned(specified_by_url),
        directive_invocations: Vec::new(),
        requires_scopes: Vec::new(),
    })
}
