//! The kinds of changes, with the names of graphql-inspector.

use apollo_compiler::ast::OperationType;
use graphql_sdl::Element;

use crate::named::named;

named! {
    /// The kind of a change of a schema.
    ChangeKind {
        FieldAdded "FIELD_ADDED" "A field was added to an object type or interface.",
        FieldRemoved "FIELD_REMOVED" "A field was removed from an object type or interface.",
        FieldTypeChanged "FIELD_TYPE_CHANGED" "The type of a field changed.",
        FieldDescriptionAdded "FIELD_DESCRIPTION_ADDED" "The description of a field was added.",
        FieldDescriptionChanged "FIELD_DESCRIPTION_CHANGED" "The description of a field changed.",
        FieldDescriptionRemoved "FIELD_DESCRIPTION_REMOVED" "The description of a field was removed.",
        FieldDeprecationAdded "FIELD_DEPRECATION_ADDED" "A field was deprecated.",
        FieldDeprecationRemoved "FIELD_DEPRECATION_REMOVED" "A field is no longer deprecated.",
        FieldDeprecationReasonAdded "FIELD_DEPRECATION_REASON_ADDED" "The deprecation reason of a field was added.",
        FieldDeprecationReasonChanged "FIELD_DEPRECATION_REASON_CHANGED" "The deprecation reason of a field changed.",
        FieldDeprecationReasonRemoved "FIELD_DEPRECATION_REASON_REMOVED" "The deprecation reason of a field was removed.",
        FieldArgumentAdded "FIELD_ARGUMENT_ADDED" "An argument was added to a field.",
        FieldArgumentRemoved "FIELD_ARGUMENT_REMOVED" "An argument was removed from a field.",
        FieldArgumentTypeChanged "FIELD_ARGUMENT_TYPE_CHANGED" "The type of an argument of a field changed.",
        FieldArgumentDefaultChanged "FIELD_ARGUMENT_DEFAULT_CHANGED" "The default value of an argument of a field was added, changed or removed.",
        FieldArgumentDescriptionChanged "FIELD_ARGUMENT_DESCRIPTION_CHANGED" "The description of an argument of a field was added, changed or removed.",
        InputFieldAdded "INPUT_FIELD_ADDED" "A field was added to an input object type.",
        InputFieldRemoved "INPUT_FIELD_REMOVED" "A field was removed from an input object type.",
        InputFieldTypeChanged "INPUT_FIELD_TYPE_CHANGED" "The type of an input field changed.",
        InputFieldDefaultValueChanged "INPUT_FIELD_DEFAULT_VALUE_CHANGED" "The default value of an input field was added, changed or removed.",
        InputFieldDescriptionAdded "INPUT_FIELD_DESCRIPTION_ADDED" "The description of an input field was added.",
        InputFieldDescriptionChanged "INPUT_FIELD_DESCRIPTION_CHANGED" "The description of an input field changed.",
        InputFieldDescriptionRemoved "INPUT_FIELD_DESCRIPTION_REMOVED" "The description of an input field was removed.",
        EnumValueAdded "ENUM_VALUE_ADDED" "A value was added to an enum.",
        EnumValueRemoved "ENUM_VALUE_REMOVED" "A value was removed from an enum.",
        EnumValueDescriptionChanged "ENUM_VALUE_DESCRIPTION_CHANGED" "The description of an enum value was added, changed or removed.",
        EnumValueDeprecationReasonAdded "ENUM_VALUE_DEPRECATION_REASON_ADDED" "An enum value was deprecated, or its deprecation reason was added.",
        EnumValueDeprecationReasonChanged "ENUM_VALUE_DEPRECATION_REASON_CHANGED" "The deprecation reason of an enum value changed.",
        EnumValueDeprecationReasonRemoved "ENUM_VALUE_DEPRECATION_REASON_REMOVED" "An enum value is no longer deprecated, or its deprecation reason was removed.",
        ObjectTypeInterfaceAdded "OBJECT_TYPE_INTERFACE_ADDED" "An interface was added to an object type or interface.",
        ObjectTypeInterfaceRemoved "OBJECT_TYPE_INTERFACE_REMOVED" "An interface was removed from an object type or interface.",
        UnionMemberAdded "UNION_MEMBER_ADDED" "A member was added to a union.",
        UnionMemberRemoved "UNION_MEMBER_REMOVED" "A member was removed from a union.",
        TypeAdded "TYPE_ADDED" "A type was added.",
        TypeRemoved "TYPE_REMOVED" "A type was removed.",
        TypeKindChanged "TYPE_KIND_CHANGED" "The kind of a type changed.",
        TypeDescriptionAdded "TYPE_DESCRIPTION_ADDED" "The description of a type was added.",
        TypeDescriptionChanged "TYPE_DESCRIPTION_CHANGED" "The description of a type changed.",
        TypeDescriptionRemoved "TYPE_DESCRIPTION_REMOVED" "The description of a type was removed.",
        SchemaQueryTypeChanged "SCHEMA_QUERY_TYPE_CHANGED" "The query root type was added, changed or removed.",
        SchemaMutationTypeChanged "SCHEMA_MUTATION_TYPE_CHANGED" "The mutation root type was added, changed or removed.",
        SchemaSubscriptionTypeChanged "SCHEMA_SUBSCRIPTION_TYPE_CHANGED" "The subscription root type was added, changed or removed.",
        SchemaDescriptionChanged "SCHEMA_DESCRIPTION_CHANGED" "The description of the schema was added, changed or removed.",
        DirectiveAdded "DIRECTIVE_ADDED" "The definition of a directive was added.",
        DirectiveRemoved "DIRECTIVE_REMOVED" "The definition of a directive was removed.",
        DirectiveDescriptionChanged "DIRECTIVE_DESCRIPTION_CHANGED" "The description of a directive was added, changed or removed.",
        DirectiveLocationAdded "DIRECTIVE_LOCATION_ADDED" "A location was added to a directive.",
        DirectiveLocationRemoved "DIRECTIVE_LOCATION_REMOVED" "A location was removed from a directive.",
        DirectiveRepeatableAdded "DIRECTIVE_REPEATABLE_ADDED" "A directive became repeatable.",
        DirectiveRepeatableRemoved "DIRECTIVE_REPEATABLE_REMOVED" "A directive is no longer repeatable.",
        DirectiveArgumentAdded "DIRECTIVE_ARGUMENT_ADDED" "An argument was added to a directive.",
        DirectiveArgumentRemoved "DIRECTIVE_ARGUMENT_REMOVED" "An argument was removed from a directive.",
        DirectiveArgumentTypeChanged "DIRECTIVE_ARGUMENT_TYPE_CHANGED" "The type of an argument of a directive changed.",
        DirectiveArgumentDefaultValueChanged "DIRECTIVE_ARGUMENT_DEFAULT_VALUE_CHANGED" "The default value of an argument of a directive was added, changed or removed.",
        DirectiveArgumentDescriptionChanged "DIRECTIVE_ARGUMENT_DESCRIPTION_CHANGED" "The description of an argument of a directive was added, changed or removed.",
        DirectiveUsageSchemaAdded "DIRECTIVE_USAGE_SCHEMA_ADDED" "A directive was applied to the schema.",
        DirectiveUsageSchemaRemoved "DIRECTIVE_USAGE_SCHEMA_REMOVED" "A directive was removed from the schema.",
        DirectiveUsageScalarAdded "DIRECTIVE_USAGE_SCALAR_ADDED" "A directive was applied to a scalar.",
        DirectiveUsageScalarRemoved "DIRECTIVE_USAGE_SCALAR_REMOVED" "A directive was removed from a scalar.",
        DirectiveUsageObjectAdded "DIRECTIVE_USAGE_OBJECT_ADDED" "A directive was applied to an object type.",
        DirectiveUsageObjectRemoved "DIRECTIVE_USAGE_OBJECT_REMOVED" "A directive was removed from an object type.",
        DirectiveUsageInterfaceAdded "DIRECTIVE_USAGE_INTERFACE_ADDED" "A directive was applied to an interface.",
        DirectiveUsageInterfaceRemoved "DIRECTIVE_USAGE_INTERFACE_REMOVED" "A directive was removed from an interface.",
        DirectiveUsageUnionMemberAdded "DIRECTIVE_USAGE_UNION_MEMBER_ADDED" "A directive was applied to a union.",
        DirectiveUsageUnionMemberRemoved "DIRECTIVE_USAGE_UNION_MEMBER_REMOVED" "A directive was removed from a union.",
        DirectiveUsageEnumAdded "DIRECTIVE_USAGE_ENUM_ADDED" "A directive was applied to an enum.",
        DirectiveUsageEnumRemoved "DIRECTIVE_USAGE_ENUM_REMOVED" "A directive was removed from an enum.",
        DirectiveUsageInputObjectAdded "DIRECTIVE_USAGE_INPUT_OBJECT_ADDED" "A directive was applied to an input object type.",
        DirectiveUsageInputObjectRemoved "DIRECTIVE_USAGE_INPUT_OBJECT_REMOVED" "A directive was removed from an input object type.",
        DirectiveUsageFieldDefinitionAdded "DIRECTIVE_USAGE_FIELD_DEFINITION_ADDED" "A directive was applied to a field.",
        DirectiveUsageFieldDefinitionRemoved "DIRECTIVE_USAGE_FIELD_DEFINITION_REMOVED" "A directive was removed from a field.",
        DirectiveUsageArgumentDefinitionAdded "DIRECTIVE_USAGE_ARGUMENT_DEFINITION_ADDED" "A directive was applied to an argument of a field or of a directive.",
        DirectiveUsageArgumentDefinitionRemoved "DIRECTIVE_USAGE_ARGUMENT_DEFINITION_REMOVED" "A directive was removed from an argument of a field or of a directive.",
        DirectiveUsageInputFieldDefinitionAdded "DIRECTIVE_USAGE_INPUT_FIELD_DEFINITION_ADDED" "A directive was applied to an input field.",
        DirectiveUsageInputFieldDefinitionRemoved "DIRECTIVE_USAGE_INPUT_FIELD_DEFINITION_REMOVED" "A directive was removed from an input field.",
        DirectiveUsageEnumValueAdded "DIRECTIVE_USAGE_ENUM_VALUE_ADDED" "A directive was applied to an enum value.",
        DirectiveUsageEnumValueRemoved "DIRECTIVE_USAGE_ENUM_VALUE_REMOVED" "A directive was removed from an enum value.",
        DirectiveUsageArgumentAdded "DIRECTIVE_USAGE_ARGUMENT_ADDED" "An argument was added to an applied directive.",
        DirectiveUsageArgumentChanged "DIRECTIVE_USAGE_ARGUMENT_CHANGED" "The value of an argument of an applied directive changed.",
        DirectiveUsageArgumentRemoved "DIRECTIVE_USAGE_ARGUMENT_REMOVED" "An argument was removed from an applied directive.",
    }
}

impl ChangeKind {
    pub(crate) fn of_root(operation: OperationType) -> Self {
        match operation {
            OperationType::Query => Self::SchemaQueryTypeChanged,
            OperationType::Mutation => Self::SchemaMutationTypeChanged,
            OperationType::Subscription => Self::SchemaSubscriptionTypeChanged,
        }
    }

    /// The kind of a change of an element: the first of these, such as `REMOVED`, that there is for the element.
    pub(crate) fn of(element: Element, changes: &[&str]) -> Self {
        let of = match element {
            Element::Schema(_) => "SCHEMA",
            Element::Type(_) => "TYPE",
            Element::Field(..) => "FIELD",
            Element::Argument(..) => "FIELD_ARGUMENT",
            Element::InputField(..) => "INPUT_FIELD",
            Element::EnumValue(..) => "ENUM_VALUE",
            Element::Directive(_) => "DIRECTIVE",
            Element::DirectiveArgument(..) => "DIRECTIVE_ARGUMENT",
        };
        let kind = changes.iter().find_map(|change| Self::named(&format!("{of}_{change}")));
        kind.expect("every element has a kind for its changes")
    }

    /// The kind with a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
