//! The table of rules: which change has which level, and why.

use crate::{ChangeKind, ChangeKind as Kind, Level};

/// Changes of these kinds, under this condition, have this level for this reason.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Rule {
    /// The kinds that the rule applies to.
    pub kinds: &'static [ChangeKind],
    /// The condition; `always` if the rule applies to every change of these kinds.
    pub when: &'static str,
    /// How much the change affects clients.
    pub level: Level,
    /// The reason for the level.
    pub reason: &'static str,
}

macro_rules! kinds {
    ([$($kind:ident)*]) => { &[$(Kind::$kind,)*] };
    ($list:ident) => { $list };
}

/// The changes of applied directives.
const USAGES: &[Kind] = kinds!([
    DirectiveUsageSchemaAdded DirectiveUsageSchemaRemoved
    DirectiveUsageScalarAdded DirectiveUsageScalarRemoved
    DirectiveUsageObjectAdded DirectiveUsageObjectRemoved
    DirectiveUsageInterfaceAdded DirectiveUsageInterfaceRemoved
    DirectiveUsageUnionMemberAdded DirectiveUsageUnionMemberRemoved
    DirectiveUsageEnumAdded DirectiveUsageEnumRemoved
    DirectiveUsageInputObjectAdded DirectiveUsageInputObjectRemoved
    DirectiveUsageFieldDefinitionAdded DirectiveUsageFieldDefinitionRemoved
    DirectiveUsageArgumentDefinitionAdded DirectiveUsageArgumentDefinitionRemoved
    DirectiveUsageInputFieldDefinitionAdded DirectiveUsageInputFieldDefinitionRemoved
    DirectiveUsageEnumValueAdded DirectiveUsageEnumValueRemoved
    DirectiveUsageArgumentAdded DirectiveUsageArgumentChanged DirectiveUsageArgumentRemoved
]);

/// Those that concern an input.
const INPUT_USAGES: &[Kind] = kinds!([
    DirectiveUsageArgumentDefinitionAdded DirectiveUsageArgumentDefinitionRemoved
    DirectiveUsageInputFieldDefinitionAdded DirectiveUsageInputFieldDefinitionRemoved
    DirectiveUsageScalarAdded DirectiveUsageScalarRemoved
    DirectiveUsageArgumentAdded DirectiveUsageArgumentChanged DirectiveUsageArgumentRemoved
]);

/// Those that concern an output.
const OUTPUT_USAGES: &[Kind] = kinds!([
    DirectiveUsageFieldDefinitionAdded DirectiveUsageFieldDefinitionRemoved
    DirectiveUsageScalarAdded DirectiveUsageScalarRemoved
    DirectiveUsageArgumentAdded DirectiveUsageArgumentChanged DirectiveUsageArgumentRemoved
]);

/// Defines the rules, and the list of all of them.
macro_rules! rules {
    ($($name:ident $level:ident $kinds:tt $when:literal $reason:literal;)*) => {
        $(
            pub(crate) const $name: Rule = Rule {
                kinds: kinds!($kinds),
                when: $when,
                level: Level::$level,
                reason: $reason,
            };
        )*

        impl Rule {
            /// Every rule.
            pub const ALL: &[Self] = &[$($name,)*];
        }
    };
}

rules! {
    FIELD_ADDED Safe [FieldAdded] "always"
        "A response contains only selected fields, and no existing operation selects this one.";
    FIELD_REMOVED Breaking [FieldRemoved] "not deprecated"
        "Operations that select the field become invalid, and it was not deprecated first.";
    DEPRECATED_FIELD_REMOVED Breaking [FieldRemoved] "deprecated before"
        "Operations that select the field become invalid. It was deprecated: check whether clients still select it.";
    OUTPUT_TYPE_NARROWED Safe [FieldTypeChanged] "same type, null in fewer positions"
        "Every value of the new type is a value of the old type.";
    OUTPUT_TYPE_CONFLICTS Dangerous [FieldTypeChanged] "same type, null in fewer positions; another type of the same interface or union has the field with the old type"
        "Every value of the new type is a value of the old type, but operations that select both fields under one response key become invalid.";
    OUTPUT_TYPE_CHANGED Breaking [FieldTypeChanged] "otherwise"
        "Clients can receive a value that the old type excludes: null, a list, or a value of another type.";

    REQUIRED_ADDED Breaking [FieldArgumentAdded InputFieldAdded DirectiveArgumentAdded] "required: non-null without a default value"
        "Operations that omit it are invalid, and no existing operation provides it.";
    ARGUMENT_ADDED Dangerous [FieldArgumentAdded] "optional"
        "Existing operations stay valid, but the result of the field without the argument can differ.";
    INPUT_FIELD_ADDED Safe [InputFieldAdded] "optional, without a default value"
        "Operations that omit it keep their meaning.";
    INPUT_FIELD_WITH_DEFAULT_ADDED Dangerous [InputFieldAdded] "optional, with a default value"
        "Operations that omit it are executed with the default value, which is new.";
    DIRECTIVE_ARGUMENT_ADDED Safe [DirectiveArgumentAdded] "optional"
        "Uses of the directive that omit the argument stay valid.";
    INPUT_REMOVED Breaking [FieldArgumentRemoved InputFieldRemoved DirectiveArgumentRemoved] "not deprecated"
        "Operations that provide it become invalid, and it was not deprecated first.";
    DEPRECATED_INPUT_REMOVED Breaking [FieldArgumentRemoved InputFieldRemoved DirectiveArgumentRemoved] "deprecated before"
        "Operations that provide it become invalid. It was deprecated: check whether clients still provide it.";
    INPUT_WIDENED Safe [FieldArgumentTypeChanged InputFieldTypeChanged DirectiveArgumentTypeChanged] "same type, null in more positions"
        "Every value of the old type is a value of the new type.";
    INPUT_CHANGED Breaking [FieldArgumentTypeChanged InputFieldTypeChanged DirectiveArgumentTypeChanged] "otherwise"
        "Values and variables in existing operations can have the wrong type.";
    DEFAULT_CHANGED Dangerous [FieldArgumentDefaultChanged InputFieldDefaultValueChanged DirectiveArgumentDefaultValueChanged] "optional before and after"
        "Operations that omit it stay valid, but their meaning changes.";
    DEFAULT_REQUIRED Breaking [FieldArgumentDefaultChanged InputFieldDefaultValueChanged DirectiveArgumentDefaultValueChanged] "required because the default value was removed"
        "It is non-null and no longer has a default value: operations that omit it become invalid.";
    DEFAULT_ALLOWED Safe [FieldArgumentDefaultChanged InputFieldDefaultValueChanged DirectiveArgumentDefaultValueChanged] "required before"
        "It was required, so no existing operation omits it.";

    ENUM_VALUE_ADDED_TO_INPUT Safe [EnumValueAdded] "no field returns the enum"
        "Clients cannot receive the value, and no existing operation provides it.";
    ENUM_VALUE_ADDED Dangerous [EnumValueAdded] "otherwise"
        "Clients can receive a value that they do not know.";
    ENUM_VALUE_REMOVED_FROM_OUTPUT Dangerous [EnumValueRemoved] "no argument or input field has the enum"
        "No operation can provide the value, but code of clients can name it.";
    ENUM_VALUE_REMOVED Breaking [EnumValueRemoved] "not deprecated"
        "Operations that use the value become invalid, and it was not deprecated first.";
    DEPRECATED_ENUM_VALUE_REMOVED Breaking [EnumValueRemoved] "deprecated before"
        "Operations that use the value become invalid. It was deprecated: check whether clients still use it.";

    INTERFACE_ADDED Dangerous [ObjectTypeInterfaceAdded] "always"
        "Fields of the interface type can return an object type that clients do not know.";
    INTERFACE_REMOVED Breaking [ObjectTypeInterfaceRemoved] "always"
        "Fragments on the type in selections of the interface become invalid.";
    MEMBER_ADDED Dangerous [UnionMemberAdded] "always"
        "Fields of the union type can return an object type that clients do not know.";
    MEMBER_REMOVED Breaking [UnionMemberRemoved] "always"
        "Fragments on the type in selections of the union become invalid.";

    IMPLEMENTATION_ADDED Dangerous [TypeAdded] "it implements an interface that fields returned before"
        "Fields of the interface can return an object type that clients do not know.";
    TYPE_ADDED Safe [TypeAdded] "otherwise"
        "No existing operation uses it.";
    TYPE_REMOVED Breaking [TypeRemoved] "always, even if all uses were deprecated"
        "Fragments and variables of the type become invalid, and generated clients lose the type.";
    TYPE_KIND_CHANGED Breaking [TypeKindChanged] "always"
        "Selections and input values of the old kind are not valid for the new kind.";

    ROOT_ADDED Safe [SchemaQueryTypeChanged SchemaMutationTypeChanged SchemaSubscriptionTypeChanged] "added"
        "There were no operations of this kind before.";
    ROOT_CHANGED Breaking [SchemaQueryTypeChanged SchemaMutationTypeChanged SchemaSubscriptionTypeChanged] "changed or removed"
        "Operations of this kind start at another root type, or are not possible.";

    DIRECTIVE_ADDED Safe [DirectiveAdded] "always"
        "No existing operation uses it.";
    DIRECTIVE_REMOVED Breaking [DirectiveRemoved] "always"
        "Operations, and schemas composed with this one, become invalid if they use the directive.";
    LOCATION_ADDED Safe [DirectiveLocationAdded] "always"
        "Every use of the directive stays valid.";
    LOCATION_REMOVED Breaking [DirectiveLocationRemoved] "an executable location"
        "Uses of the directive at this location become invalid.";
    LOCATION_REMOVED_IN_SCHEMA Dangerous [DirectiveLocationRemoved] "a type system location"
        "Operations cannot use the directive there, but schemas composed with this one can.";
    REPEATABLE_ADDED Safe [DirectiveRepeatableAdded] "always"
        "Every use of the directive stays valid.";
    REPEATABLE_REMOVED Breaking [DirectiveRepeatableRemoved] "the directive has executable locations"
        "Operations that repeat the directive become invalid.";
    REPEATABLE_REMOVED_IN_SCHEMA Dangerous [DirectiveRepeatableRemoved] "the directive has only type system locations"
        "Operations cannot use the directive, but schemas composed with this one can repeat it.";
    IN_SCHEMA Dangerous [
        DirectiveRemoved DirectiveArgumentAdded DirectiveArgumentRemoved DirectiveArgumentTypeChanged DirectiveArgumentDefaultValueChanged
    ] "breaking or dangerous otherwise, but the directive had only type system locations"
        "Operations cannot use the directive, but schemas composed with this one can.";

    UNREACHABLE Safe [
        FieldRemoved FieldTypeChanged
        FieldArgumentAdded FieldArgumentRemoved FieldArgumentTypeChanged FieldArgumentDefaultChanged
        InputFieldAdded InputFieldRemoved InputFieldTypeChanged InputFieldDefaultValueChanged
        EnumValueRemoved ObjectTypeInterfaceAdded ObjectTypeInterfaceRemoved UnionMemberAdded UnionMemberRemoved
        TypeRemoved TypeKindChanged
        DirectiveUsageInputObjectAdded
        DirectiveUsageArgumentDefinitionAdded DirectiveUsageArgumentDefinitionRemoved
        DirectiveUsageInputFieldDefinitionAdded DirectiveUsageInputFieldDefinitionRemoved
        DirectiveUsageFieldDefinitionAdded DirectiveUsageFieldDefinitionRemoved
        DirectiveUsageArgumentAdded DirectiveUsageArgumentChanged DirectiveUsageArgumentRemoved
    ] "breaking or dangerous otherwise, but neither root types nor directives reached the type"
        "No operation can use the type.";

    DESCRIPTION Safe [
        TypeDescriptionAdded TypeDescriptionChanged TypeDescriptionRemoved
        FieldDescriptionAdded FieldDescriptionChanged FieldDescriptionRemoved
        FieldArgumentDescriptionChanged
        InputFieldDescriptionAdded InputFieldDescriptionChanged InputFieldDescriptionRemoved
        EnumValueDescriptionChanged SchemaDescriptionChanged
        DirectiveDescriptionChanged DirectiveArgumentDescriptionChanged
    ] "always"
        "Operations and responses do not depend on descriptions. Review the text: it can change the documented behaviour.";
    DEPRECATION Safe [
        FieldDeprecationAdded FieldDeprecationRemoved
        FieldDeprecationReasonAdded FieldDeprecationReasonChanged FieldDeprecationReasonRemoved
        EnumValueDeprecationReasonAdded EnumValueDeprecationReasonChanged EnumValueDeprecationReasonRemoved
    ] "always"
        "A deprecation is only a notice: operations stay valid and return the same results.";
    DEPRECATED_USAGE_CHANGED Safe [
        DirectiveUsageArgumentDefinitionAdded DirectiveUsageArgumentDefinitionRemoved
        DirectiveUsageInputFieldDefinitionAdded DirectiveUsageInputFieldDefinitionRemoved
        DirectiveUsageArgumentAdded DirectiveUsageArgumentChanged DirectiveUsageArgumentRemoved
    ] "`@deprecated`"
        "A deprecation is only a notice: operations stay valid and return the same results.";
    ONE_OF_ADDED Breaking [DirectiveUsageInputObjectAdded] "`@oneOf`"
        "Operations that provide no field or several fields become invalid.";
    ONE_OF_REMOVED Safe [DirectiveUsageInputObjectRemoved] "`@oneOf`"
        "Operations that provide exactly one field stay valid.";

    SPECIFICATION_STATED Safe [DirectiveUsageScalarAdded DirectiveUsageScalarRemoved] "`@specifiedBy`"
        "It names the specification of the values, and changes none of them.";
    SPECIFICATION_CHANGED Dangerous [DirectiveUsageArgumentAdded DirectiveUsageArgumentChanged DirectiveUsageArgumentRemoved] "`@specifiedBy`"
        "Values can have the format of another specification.";

    INPUT_TIGHTENED Breaking INPUT_USAGES "a constraint on an input, tightened"
        "Values in existing operations can be rejected.";
    INPUT_LOOSENED Safe INPUT_USAGES "a constraint on an input, loosened"
        "Every accepted value is still accepted.";
    OUTPUT_TIGHTENED Safe OUTPUT_USAGES "a constraint on an output, tightened"
        "Every result stays within the previous limits.";
    OUTPUT_LOOSENED Breaking OUTPUT_USAGES "a constraint on an output, loosened"
        "Results can exceed the previous limits.";
    DOCUMENTATION Safe USAGES "a directive that is documentation by the policy"
        "The directive is documentation: operations and responses do not depend on it.";
    UNKNOWN_DIRECTIVE Dangerous USAGES "any other directive, or a constraint whose effect is unknown"
        "The effect of the directive is unknown: it can change accepted values or results.";
}
