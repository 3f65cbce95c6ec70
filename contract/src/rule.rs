//! Which change has which level, and why: the one table of verdicts.

use crate::{ChangeKind, ChangeKind as Kind, Level};

/// A verdict: changes of these kinds, in these circumstances, have this level for this reason.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Rule {
    /// The kinds that it judges.
    pub kinds: &'static [ChangeKind],
    /// The circumstances; `always` if there are no others for these kinds.
    pub when: &'static str,
    /// What the change means for clients.
    pub level: Level,
    /// Why.
    pub reason: &'static str,
}

/// Defines the rules, and the list of all of them.
macro_rules! rules {
    ($($name:ident $level:ident [$($kind:ident)*] $when:literal $reason:literal;)*) => {
        $(
            pub(crate) const $name: Rule = Rule {
                kinds: &[$(Kind::$kind,)*],
                when: $when,
                level: Level::$level,
                reason: $reason,
            };
        )*

        impl Rule {
            /// Every rule there is.
            pub const ALL: &[Self] = &[$($name,)*];
        }
    };
}

rules! {
    FIELD_ADDED Safe [FieldAdded] "always"
        "An operation is answered with the fields that it selects, and none selects this one yet.";
    FIELD_REMOVED Breaking [FieldRemoved] "not deprecated"
        "Operations that select the field are no longer valid, and nothing warned their authors.";
    DEPRECATED_FIELD_REMOVED Breaking [FieldRemoved] "deprecated before"
        "Operations that select the field are no longer valid. It was deprecated: look at who still selects it.";
    ANSWER_NARROWED Safe [FieldTypeChanged] "null is answered in fewer places"
        "Every answer of the new type is an answer of the old one.";
    ANSWER_CHANGED Breaking [FieldTypeChanged] "otherwise"
        "A client can get what it does not expect: null, a list, or a value of another type.";

    REQUIRED_ADDED Breaking [FieldArgumentAdded InputFieldAdded DirectiveArgumentAdded] "required: not null, no default"
        "Operations that do not give it are no longer valid, and none gives it yet.";
    ARGUMENT_ADDED Dangerous [FieldArgumentAdded] "optional"
        "Operations stay valid, but what the field answers when the argument is omitted can differ from before.";
    INPUT_FIELD_ADDED Safe [InputFieldAdded] "optional, no default"
        "Operations that omit it mean what they meant.";
    INPUT_FIELD_WITH_DEFAULT_ADDED Dangerous [InputFieldAdded] "optional, with a default"
        "Operations that omit it are executed with the default, which they were not before.";
    DIRECTIVE_ARGUMENT_ADDED Safe [DirectiveArgumentAdded] "optional"
        "Uses of the directive that omit the argument stay valid.";
    INPUT_REMOVED Breaking [FieldArgumentRemoved InputFieldRemoved DirectiveArgumentRemoved] "not deprecated"
        "Operations that give it are no longer valid, and nothing warned their authors.";
    DEPRECATED_INPUT_REMOVED Breaking [FieldArgumentRemoved InputFieldRemoved DirectiveArgumentRemoved] "deprecated before"
        "Operations that give it are no longer valid. It was deprecated: look at who still gives it.";
    INPUT_WIDENED Safe [FieldArgumentTypeChanged InputFieldTypeChanged DirectiveArgumentTypeChanged] "null is taken in more places"
        "Every value that the old type takes is taken by the new one.";
    INPUT_CHANGED Breaking [FieldArgumentTypeChanged InputFieldTypeChanged DirectiveArgumentTypeChanged] "otherwise"
        "Values and variables that operations give are no longer of the right type.";
    DEFAULT_CHANGED Dangerous [FieldArgumentDefaultChanged InputFieldDefaultValueChanged DirectiveArgumentDefaultValueChanged] "omitting it was and is allowed"
        "Operations that omit it stay valid but mean something else.";
    DEFAULT_REQUIRED Breaking [FieldArgumentDefaultChanged InputFieldDefaultValueChanged DirectiveArgumentDefaultValueChanged] "required since the default is gone"
        "It is not null and has no default any more: operations that omit it are no longer valid.";
    DEFAULT_ALLOWED Safe [FieldArgumentDefaultChanged InputFieldDefaultValueChanged DirectiveArgumentDefaultValueChanged] "required before"
        "It had to be given, so no operation omits it and meets the default.";

    ENUM_VALUE_ADDED Dangerous [EnumValueAdded] "always"
        "A client can get a value that it does not know.";
    ENUM_VALUE_REMOVED Breaking [EnumValueRemoved] "not deprecated"
        "Operations that give the value are no longer valid, and nothing warned their authors.";
    DEPRECATED_ENUM_VALUE_REMOVED Breaking [EnumValueRemoved] "deprecated before"
        "Operations that give the value are no longer valid. It was deprecated: look at who still gives it.";

    INTERFACE_ADDED Dangerous [ObjectTypeInterfaceAdded] "always"
        "Where the interface is answered, a client can get a type that it does not know.";
    INTERFACE_REMOVED Breaking [ObjectTypeInterfaceRemoved] "always"
        "Fragments that select the type where the interface is answered are no longer valid.";
    MEMBER_ADDED Dangerous [UnionMemberAdded] "always"
        "Where the union is answered, a client can get a type that it does not know.";
    MEMBER_REMOVED Breaking [UnionMemberRemoved] "always"
        "Fragments that select the type where the union is answered are no longer valid.";

    TYPE_ADDED Safe [TypeAdded] "always"
        "No operation uses it yet.";
    TYPE_REMOVED Breaking [TypeRemoved] "always, whatever was deprecated"
        "Fragments and variables of the type are no longer valid, and clients generated from the schema lose it.";
    TYPE_KIND_CHANGED Breaking [TypeKindChanged] "always"
        "What may be selected from the type, or given for it, is not what it was.";

    ROOT_SET Safe [SchemaQueryTypeChanged SchemaMutationTypeChanged SchemaSubscriptionTypeChanged] "there was none"
        "There were no operations of this sort.";
    ROOT_CHANGED Breaking [SchemaQueryTypeChanged SchemaMutationTypeChanged SchemaSubscriptionTypeChanged] "changed or removed"
        "Operations of this sort start at a type that is not theirs, or at none.";

    DIRECTIVE_ADDED Safe [DirectiveAdded] "always"
        "No operation uses it yet.";
    DIRECTIVE_REMOVED Breaking [DirectiveRemoved] "always"
        "Operations, and schemas composed with this one, that use the directive are no longer valid.";
    LOCATION_ADDED Safe [DirectiveLocationAdded] "always"
        "Every use of the directive stays valid.";
    LOCATION_REMOVED Breaking [DirectiveLocationRemoved] "always"
        "Uses of the directive in that place are no longer valid.";
    REPEATABLE_ADDED Safe [DirectiveRepeatableAdded] "always"
        "Every use of the directive stays valid.";
    REPEATABLE_REMOVED Breaking [DirectiveRepeatableRemoved] "operations may use the directive"
        "Operations that repeat the directive are no longer valid.";
    REPEATABLE_REMOVED_IN_SCHEMA Dangerous [DirectiveRepeatableRemoved] "only schemas may use the directive"
        "No operation can use the directive, but schemas composed with this one may repeat it.";

    DESCRIPTION Safe [
        TypeDescriptionAdded TypeDescriptionChanged TypeDescriptionRemoved
        FieldDescriptionAdded FieldDescriptionChanged FieldDescriptionRemoved
        FieldArgumentDescriptionChanged
        InputFieldDescriptionAdded InputFieldDescriptionChanged InputFieldDescriptionRemoved
        EnumValueDescriptionChanged SchemaDescriptionChanged
        DirectiveDescriptionChanged DirectiveArgumentDescriptionChanged
    ] "always"
        "No operation and no answer depends on a description. Read it all the same: it can promise something else.";
    DEPRECATION Safe [
        FieldDeprecationAdded FieldDeprecationRemoved
        FieldDeprecationReasonAdded FieldDeprecationReasonChanged FieldDeprecationReasonRemoved
        EnumValueDeprecationReasonAdded EnumValueDeprecationReasonChanged EnumValueDeprecationReasonRemoved
    ] "always"
        "A deprecation only advises: operations stay valid and are answered as before.";
    DEPRECATED_PUT_OR_TAKEN Safe [
        DirectiveUsageArgumentDefinitionAdded DirectiveUsageArgumentDefinitionRemoved
        DirectiveUsageInputFieldDefinitionAdded DirectiveUsageInputFieldDefinitionRemoved
        DirectiveUsageArgumentAdded DirectiveUsageArgumentChanged DirectiveUsageArgumentRemoved
    ] "`@deprecated`"
        "A deprecation only advises: operations stay valid and are answered as before.";
    ONE_OF_ADDED Breaking [DirectiveUsageInputObjectAdded] "`@oneOf`"
        "Operations that give none or several of the fields are no longer valid.";
    ONE_OF_REMOVED Safe [DirectiveUsageInputObjectRemoved] "`@oneOf`"
        "Exactly one field may still be given.";

    INPUT_TIGHTENED Breaking [
        DirectiveUsageArgumentDefinitionAdded DirectiveUsageArgumentDefinitionRemoved
        DirectiveUsageInputFieldDefinitionAdded DirectiveUsageInputFieldDefinitionRemoved
        DirectiveUsageScalarAdded DirectiveUsageScalarRemoved
        DirectiveUsageArgumentAdded DirectiveUsageArgumentChanged DirectiveUsageArgumentRemoved
    ] "a constraint on what is given, tightened"
        "Values that operations give are refused now.";
    INPUT_LOOSENED Safe [
        DirectiveUsageArgumentDefinitionAdded DirectiveUsageArgumentDefinitionRemoved
        DirectiveUsageInputFieldDefinitionAdded DirectiveUsageInputFieldDefinitionRemoved
        DirectiveUsageScalarAdded DirectiveUsageScalarRemoved
        DirectiveUsageArgumentAdded DirectiveUsageArgumentChanged DirectiveUsageArgumentRemoved
    ] "a constraint on what is given, loosened"
        "Every value that was taken is still taken.";
    OUTPUT_TIGHTENED Safe [
        DirectiveUsageFieldDefinitionAdded DirectiveUsageFieldDefinitionRemoved
        DirectiveUsageScalarAdded DirectiveUsageScalarRemoved
        DirectiveUsageArgumentAdded DirectiveUsageArgumentChanged DirectiveUsageArgumentRemoved
    ] "a constraint on what is answered, tightened"
        "Every answer keeps within the limits that clients know.";
    OUTPUT_LOOSENED Breaking [
        DirectiveUsageFieldDefinitionAdded DirectiveUsageFieldDefinitionRemoved
        DirectiveUsageScalarAdded DirectiveUsageScalarRemoved
        DirectiveUsageArgumentAdded DirectiveUsageArgumentChanged DirectiveUsageArgumentRemoved
    ] "a constraint on what is answered, loosened"
        "Answers can exceed the limits that clients rely on.";
    UNKNOWN_DIRECTIVE Dangerous [
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
    ] "any other directive, or a constraint whose direction is not clear"
        "What the directive does is not known here: it can change what is taken or answered.";
}
