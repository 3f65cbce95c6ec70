//! The kinds of changes, with the names that graphql-inspector made known.

use std::fmt;

use serde::{Serialize, Serializer};

/// Defines [`ChangeKind`]: its variants, their names and what they mean, in one list.
macro_rules! kinds {
    ($($variant:ident $name:literal $meaning:literal,)*) => {
        /// What happened to a part of a schema.
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        pub enum ChangeKind {
            $(#[doc = $meaning] $variant,)*
        }

        impl ChangeKind {
            /// Every kind.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name in reports and in the file of accepted changes: `FIELD_REMOVED`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// What it means, in a sentence.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Self::$variant => $meaning,)*
                }
            }
        }
    };
}

kinds! {
    FieldAdded "FIELD_ADDED" "A field is new in an object type or interface.",
    FieldRemoved "FIELD_REMOVED" "A field is gone from an object type or interface.",
    FieldTypeChanged "FIELD_TYPE_CHANGED" "A field answers another type.",
    FieldDescriptionAdded "FIELD_DESCRIPTION_ADDED" "A field is described now.",
    FieldDescriptionChanged "FIELD_DESCRIPTION_CHANGED" "A field is described in other words.",
    FieldDescriptionRemoved "FIELD_DESCRIPTION_REMOVED" "A field is no longer described.",
    FieldDeprecationAdded "FIELD_DEPRECATION_ADDED" "A field is deprecated now.",
    FieldDeprecationRemoved "FIELD_DEPRECATION_REMOVED" "A field is no longer deprecated.",
    FieldDeprecationReasonAdded "FIELD_DEPRECATION_REASON_ADDED" "A deprecated field says why.",
    FieldDeprecationReasonChanged "FIELD_DEPRECATION_REASON_CHANGED" "A deprecated field gives another reason.",
    FieldDeprecationReasonRemoved "FIELD_DEPRECATION_REASON_REMOVED" "A deprecated field no longer says why.",
    FieldArgumentAdded "FIELD_ARGUMENT_ADDED" "An argument is new on a field.",
    FieldArgumentRemoved "FIELD_ARGUMENT_REMOVED" "An argument is gone from a field.",
    FieldArgumentTypeChanged "FIELD_ARGUMENT_TYPE_CHANGED" "An argument of a field takes another type.",
    FieldArgumentDefaultChanged "FIELD_ARGUMENT_DEFAULT_CHANGED" "An argument of a field means something else when it is omitted.",
    FieldArgumentDescriptionChanged "FIELD_ARGUMENT_DESCRIPTION_CHANGED" "The description of an argument of a field was added, changed or removed.",
    InputFieldAdded "INPUT_FIELD_ADDED" "A field is new in an input object type.",
    InputFieldRemoved "INPUT_FIELD_REMOVED" "A field is gone from an input object type.",
    InputFieldTypeChanged "INPUT_FIELD_TYPE_CHANGED" "An input field takes another type.",
    InputFieldDefaultValueChanged "INPUT_FIELD_DEFAULT_VALUE_CHANGED" "An input field means something else when it is omitted.",
    InputFieldDescriptionAdded "INPUT_FIELD_DESCRIPTION_ADDED" "An input field is described now.",
    InputFieldDescriptionChanged "INPUT_FIELD_DESCRIPTION_CHANGED" "An input field is described in other words.",
    InputFieldDescriptionRemoved "INPUT_FIELD_DESCRIPTION_REMOVED" "An input field is no longer described.",
    EnumValueAdded "ENUM_VALUE_ADDED" "A value is new in an enum.",
    EnumValueRemoved "ENUM_VALUE_REMOVED" "A value is gone from an enum.",
    EnumValueDescriptionChanged "ENUM_VALUE_DESCRIPTION_CHANGED" "The description of an enum value was added, changed or removed.",
    EnumValueDeprecationReasonAdded "ENUM_VALUE_DEPRECATION_REASON_ADDED" "An enum value is deprecated now, or says why.",
    EnumValueDeprecationReasonChanged "ENUM_VALUE_DEPRECATION_REASON_CHANGED" "A deprecated enum value gives another reason.",
    EnumValueDeprecationReasonRemoved "ENUM_VALUE_DEPRECATION_REASON_REMOVED" "An enum value is no longer deprecated, or no longer says why.",
    ObjectTypeInterfaceAdded "OBJECT_TYPE_INTERFACE_ADDED" "An object type or interface implements one more interface.",
    ObjectTypeInterfaceRemoved "OBJECT_TYPE_INTERFACE_REMOVED" "An object type or interface implements one interface less.",
    UnionMemberAdded "UNION_MEMBER_ADDED" "A type is new in a union.",
    UnionMemberRemoved "UNION_MEMBER_REMOVED" "A type is gone from a union.",
    TypeAdded "TYPE_ADDED" "A type is new.",
    TypeRemoved "TYPE_REMOVED" "A type is gone.",
    TypeKindChanged "TYPE_KIND_CHANGED" "A name stands for a type of another kind.",
    TypeDescriptionAdded "TYPE_DESCRIPTION_ADDED" "A type is described now.",
    TypeDescriptionChanged "TYPE_DESCRIPTION_CHANGED" "A type is described in other words.",
    TypeDescriptionRemoved "TYPE_DESCRIPTION_REMOVED" "A type is no longer described.",
    SchemaQueryTypeChanged "SCHEMA_QUERY_TYPE_CHANGED" "Queries start at another type.",
    SchemaMutationTypeChanged "SCHEMA_MUTATION_TYPE_CHANGED" "Mutations start at another type, or were added or removed.",
    SchemaSubscriptionTypeChanged "SCHEMA_SUBSCRIPTION_TYPE_CHANGED" "Subscriptions start at another type, or were added or removed.",
    SchemaDescriptionChanged "SCHEMA_DESCRIPTION_CHANGED" "The description of the schema was added, changed or removed.",
    DirectiveAdded "DIRECTIVE_ADDED" "A directive is newly defined.",
    DirectiveRemoved "DIRECTIVE_REMOVED" "The definition of a directive is gone.",
    DirectiveDescriptionChanged "DIRECTIVE_DESCRIPTION_CHANGED" "The description of a directive was added, changed or removed.",
    DirectiveLocationAdded "DIRECTIVE_LOCATION_ADDED" "A directive may stand in one more place.",
    DirectiveLocationRemoved "DIRECTIVE_LOCATION_REMOVED" "A directive may stand in one place less.",
    DirectiveRepeatableAdded "DIRECTIVE_REPEATABLE_ADDED" "A directive may be repeated now.",
    DirectiveRepeatableRemoved "DIRECTIVE_REPEATABLE_REMOVED" "A directive may no longer be repeated.",
    DirectiveArgumentAdded "DIRECTIVE_ARGUMENT_ADDED" "An argument is new on a directive.",
    DirectiveArgumentRemoved "DIRECTIVE_ARGUMENT_REMOVED" "An argument is gone from a directive.",
    DirectiveArgumentTypeChanged "DIRECTIVE_ARGUMENT_TYPE_CHANGED" "An argument of a directive takes another type.",
    DirectiveArgumentDefaultValueChanged "DIRECTIVE_ARGUMENT_DEFAULT_VALUE_CHANGED" "An argument of a directive means something else when it is omitted.",
    DirectiveArgumentDescriptionChanged "DIRECTIVE_ARGUMENT_DESCRIPTION_CHANGED" "The description of an argument of a directive was added, changed or removed.",
    DirectiveUsageSchemaAdded "DIRECTIVE_USAGE_SCHEMA_ADDED" "A directive was put on the schema.",
    DirectiveUsageSchemaRemoved "DIRECTIVE_USAGE_SCHEMA_REMOVED" "A directive was taken from the schema.",
    DirectiveUsageScalarAdded "DIRECTIVE_USAGE_SCALAR_ADDED" "A directive was put on a scalar.",
    DirectiveUsageScalarRemoved "DIRECTIVE_USAGE_SCALAR_REMOVED" "A directive was taken from a scalar.",
    DirectiveUsageObjectAdded "DIRECTIVE_USAGE_OBJECT_ADDED" "A directive was put on an object type.",
    DirectiveUsageObjectRemoved "DIRECTIVE_USAGE_OBJECT_REMOVED" "A directive was taken from an object type.",
    DirectiveUsageInterfaceAdded "DIRECTIVE_USAGE_INTERFACE_ADDED" "A directive was put on an interface.",
    DirectiveUsageInterfaceRemoved "DIRECTIVE_USAGE_INTERFACE_REMOVED" "A directive was taken from an interface.",
    DirectiveUsageUnionMemberAdded "DIRECTIVE_USAGE_UNION_MEMBER_ADDED" "A directive was put on a union.",
    DirectiveUsageUnionMemberRemoved "DIRECTIVE_USAGE_UNION_MEMBER_REMOVED" "A directive was taken from a union.",
    DirectiveUsageEnumAdded "DIRECTIVE_USAGE_ENUM_ADDED" "A directive was put on an enum.",
    DirectiveUsageEnumRemoved "DIRECTIVE_USAGE_ENUM_REMOVED" "A directive was taken from an enum.",
    DirectiveUsageInputObjectAdded "DIRECTIVE_USAGE_INPUT_OBJECT_ADDED" "A directive was put on an input object type.",
    DirectiveUsageInputObjectRemoved "DIRECTIVE_USAGE_INPUT_OBJECT_REMOVED" "A directive was taken from an input object type.",
    DirectiveUsageFieldDefinitionAdded "DIRECTIVE_USAGE_FIELD_DEFINITION_ADDED" "A directive was put on a field.",
    DirectiveUsageFieldDefinitionRemoved "DIRECTIVE_USAGE_FIELD_DEFINITION_REMOVED" "A directive was taken from a field.",
    DirectiveUsageArgumentDefinitionAdded "DIRECTIVE_USAGE_ARGUMENT_DEFINITION_ADDED" "A directive was put on an argument of a field or of a directive.",
    DirectiveUsageArgumentDefinitionRemoved "DIRECTIVE_USAGE_ARGUMENT_DEFINITION_REMOVED" "A directive was taken from an argument of a field or of a directive.",
    DirectiveUsageInputFieldDefinitionAdded "DIRECTIVE_USAGE_INPUT_FIELD_DEFINITION_ADDED" "A directive was put on an input field.",
    DirectiveUsageInputFieldDefinitionRemoved "DIRECTIVE_USAGE_INPUT_FIELD_DEFINITION_REMOVED" "A directive was taken from an input field.",
    DirectiveUsageEnumValueAdded "DIRECTIVE_USAGE_ENUM_VALUE_ADDED" "A directive was put on an enum value.",
    DirectiveUsageEnumValueRemoved "DIRECTIVE_USAGE_ENUM_VALUE_REMOVED" "A directive was taken from an enum value.",
    DirectiveUsageArgumentAdded "DIRECTIVE_USAGE_ARGUMENT_ADDED" "A directive that stands somewhere is given one argument more.",
    DirectiveUsageArgumentChanged "DIRECTIVE_USAGE_ARGUMENT_CHANGED" "A directive that stands somewhere is given another value.",
    DirectiveUsageArgumentRemoved "DIRECTIVE_USAGE_ARGUMENT_REMOVED" "A directive that stands somewhere is given one argument less.",
}

impl ChangeKind {
    /// The kind with this name, if there is one.
    pub fn find(name: &str) -> Option<Self> {
        let mut kinds = Self::ALL.iter().copied();
        kinds.find(|kind| kind.name() == name)
    }
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl Serialize for ChangeKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
