//! Random introspection queries.

use proptest::{prelude::*, sample::select};

/// The fields of a type: those without fields of their own, and the others with their types.
fn fields(
    ty: &str,
) -> (
    &'static [&'static str],
    &'static [(&'static str, &'static str)],
) {
    match ty {
        "__Schema" => (
            &["description"],
            &[
                ("types", "__Type"),
                ("queryType", "__Type"),
                ("mutationType", "__Type"),
                ("subscriptionType", "__Type"),
                ("directives", "__Directive"),
            ],
        ),
        "__Type" => (
            &["kind", "name", "description", "specifiedByURL"],
            &[
                ("fields", "__Field"),
                ("interfaces", "__Type"),
                ("possibleTypes", "__Type"),
                ("enumValues", "__EnumValue"),
                ("inputFields", "__InputValue"),
                ("ofType", "__Type"),
            ],
        ),
        "__Field" => (
            &["name", "description", "isDeprecated", "deprecationReason"],
            &[("args", "__InputValue"), ("type", "__Type")],
        ),
        "__InputValue" => (
            &[
                "name",
                "description",
                "defaultValue",
                "isDeprecated",
                "deprecationReason",
            ],
            &[("type", "__Type")],
        ),
        "__EnumValue" => (
            &["name", "description", "isDeprecated", "deprecationReason"],
            &[],
        ),
        _ => (
            &["name", "description", "locations", "isRepeatable"],
            &[("args", "__InputValue")],
        ),
    }
}

/// Argument lists. Their index is part of the alias, so that fields with the same response key can be merged.
fn arguments(field: &str) -> &'static [&'static str] {
    match field {
        "fields" | "enumValues" | "inputFields" | "args" => &[
            "",
            "(includeDeprecated: true)",
            "(includeDeprecated: $yes)",
            "(includeDeprecated: $no)",
            "(includeDeprecated: $absent)",
        ],
        _ => &["", ""],
    }
}

const DIRECTIVES: [&str; 5] = [
    "",
    "",
    "",
    "@include(if: $no)",
    "@skip(if: $no) @include(if: $yes)",
];

fn set(ty: &'static str, depth: u32) -> BoxedStrategy<String> {
    let (leaves, objects) = fields(ty);
    let leaf = (select(leaves), any::<bool>(), select(&DIRECTIVES[..]));
    let leaf = leaf.prop_map(|(name, alias, directive)| {
        let alias = if alias {
            format!("{name}_: ")
        } else {
            String::new()
        };
        format!("{alias}{name} {directive}")
    });
    let leaf = prop_oneof![6 => leaf, 1 => Just("__typename".to_owned())].boxed();
    let mut selection = leaf.clone();
    if depth > 0 {
        let inline = (select(&DIRECTIVES[..]), set(ty, depth - 1));
        let inline =
            inline.prop_map(move |(directive, set)| format!("... on {ty} {directive} {set}"));
        let spread = Just(format!("...F{ty}")).boxed();
        selection = prop_oneof![6 => leaf, 1 => inline, 1 => spread].boxed();
        if !objects.is_empty() {
            let object = select(objects).prop_flat_map(move |(name, of)| {
                let arguments = arguments(name);
                (0..arguments.len(), set(of, depth - 1)).prop_map(move |(number, set)| {
                    format!("{name}_{number}: {name}{} {set}", arguments[number])
                })
            });
            selection = prop_oneof![1 => selection, 1 => object].boxed();
        }
    }
    let selections = prop::collection::vec(selection, 1..5);
    selections
        .prop_map(|selections| format!("{{ {} }}", selections.join(" ")))
        .boxed()
}

/// A query for the test schema.
pub(super) fn query() -> impl Strategy<Value = String> {
    let fragments = [
        "__Schema",
        "__Type",
        "__Field",
        "__InputValue",
        "__EnumValue",
        "__Directive",
    ];
    let fragments =
        fragments.map(|ty| set(ty, 0).prop_map(move |set| format!("fragment F{ty} on {ty} {set}")));
    let names = [
        "Query", "Car", "Kind", "Filter", "One", "Thing", "Node", "Parent", "Date", "No", "__Type",
    ];
    let roots = (
        set("__Schema", 3),
        select(names.to_vec()),
        set("__Type", 3),
        set("__Type", 2),
    );
    (roots, fragments).prop_map(|((schema, name, ty, named), fragments)| {
        format!(
            "query ($yes: Boolean!, $no: Boolean = false, $absent: Boolean, $name: String!) {{
                __schema {schema} id ...Roots t: __type(name: \"{name}\") {ty} __type(name: $name) {named}
             }} fragment Roots on Query {{ __schema @include(if: $yes) @skip(if: $no) {{ ...F__Schema }} }}
             fragment Used on Query {{ __schema {{ types {{ ...F__Type u: fields(includeDeprecated: $absent) {{ name }} fields {{ ...F__Field }}
             inputFields {{ ...F__InputValue }} enumValues {{ ...F__EnumValue }} }} directives {{ ...F__Directive }} }} }}
             {}",
            fragments.join("\n")
        )
        .replace("...Roots", "...Roots ...Used")
    })
}
