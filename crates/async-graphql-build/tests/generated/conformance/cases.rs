//! What section 6 of the GraphQL specification (September 2025) requires of an executor, case by case.

/// A request to the schema of this test, and the response that the specification requires.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    /// What it shows.
    pub(crate) name: &'static str,
    /// The document.
    pub(crate) document: &'static str,
    /// The variables as JSON.
    pub(crate) variables: &'static str,
    /// The required `data` as JSON.
    pub(crate) data: &'static str,
    /// The message and the path of each required error, in any order; a message of `*` is not compared.
    pub(crate) errors: &'static [(&'static str, &'static str)],
    /// The counting resolvers that must be called, in order.
    pub(crate) calls: &'static [&'static str],
}

const CASE: Case = Case {
    name: "",
    document: "",
    variables: "{}",
    data: "",
    errors: &[],
    calls: &[],
};

/// The cases.
pub(crate) const CASES: &[Case] = &[
    Case {
        name: "root fields in the order of the document",
        document: "{ slow fast }",
        data: r#"{"slow":1,"fast":2}"#,
        ..CASE
    },
    Case {
        name: "fields of an object in the order of the document",
        document: "{ item { slow fast } }",
        data: r#"{"item":{"slow":1,"fast":2}}"#,
        ..CASE
    },
    Case {
        name: "aliases",
        document: "{ b: fast a: slow }",
        data: r#"{"b":2,"a":1}"#,
        ..CASE
    },
    Case {
        name: "__typename at the root",
        document: "{ __typename fast }",
        data: r#"{"__typename":"Query","fast":2}"#,
        ..CASE
    },
    Case {
        name: "__typename last",
        document: "{ slow __typename }",
        data: r#"{"slow":1,"__typename":"Query"}"#,
        ..CASE
    },
    Case {
        name: "a failed nullable field is null",
        document: "{ fast fails }",
        data: r#"{"fast":2,"fails":null}"#,
        errors: &[("no", "fails")],
        ..CASE
    },
    Case {
        name: "a failed non-null root field nulls data",
        document: "{ fast requiredFails }",
        data: "null",
        errors: &[("required", "requiredFails")],
        ..CASE
    },
    Case {
        name: "a failed non-null field nulls its nullable parent",
        document: "{ item { id requiredFails } fast }",
        data: r#"{"item":null,"fast":2}"#,
        errors: &[("required", "item.requiredFails")],
        ..CASE
    },
    Case {
        name: "a null propagates through non-null parents",
        document: "{ item { requiredChild { requiredFails } } fast }",
        data: r#"{"item":null,"fast":2}"#,
        errors: &[("required", "item.requiredChild.requiredFails")],
        ..CASE
    },
    Case {
        name: "a null propagates to data",
        document: "{ requiredItem { requiredFails } fast }",
        data: "null",
        errors: &[("required", "requiredItem.requiredFails")],
        ..CASE
    },
    Case {
        name: "a late failure propagates",
        document: "{ item { fast requiredFailsLate } }",
        data: r#"{"item":null}"#,
        errors: &[("late", "item.requiredFailsLate")],
        ..CASE
    },
    Case {
        name: "a failed item of a nullable list",
        document: "{ items { half } }",
        data: r#"{"items":[{"half":1},{"half":null}]}"#,
        errors: &[("half", "items.1.half")],
        ..CASE
    },
    Case {
        name: "a failed non-null field nulls the item",
        document: "{ items { requiredHalf } }",
        data: r#"{"items":[{"requiredHalf":1},null]}"#,
        errors: &[("half", "items.1.requiredHalf")],
        ..CASE
    },
    Case {
        name: "a failed non-null item nulls the list",
        document: "{ requiredItems { requiredHalf } fast }",
        data: r#"{"requiredItems":null,"fast":2}"#,
        errors: &[("half", "requiredItems.1.requiredHalf")],
        ..CASE
    },
    Case {
        name: "an item that is an error nulls the list of non-null items",
        document: "{ itemResults { id } }",
        data: r#"{"itemResults":null}"#,
        errors: &[("second", "itemResults.1")],
        ..CASE
    },
    Case {
        name: "lists with nulls",
        document: "{ item { children { id } } }",
        data: r#"{"item":{"children":[{"id":1},null,{"id":2}]}}"#,
        ..CASE
    },
    Case {
        name: "lists of lists",
        document: "{ matrix { id } }",
        data: r#"{"matrix":[[{"id":1},null],[]]}"#,
        ..CASE
    },
    Case {
        name: "merged fields resolve once",
        document: "{ counted { id } counted { name } }",
        data: r#"{"counted":{"id":1,"name":"item 1"}}"#,
        calls: &["counted"],
        ..CASE
    },
    Case {
        name: "merged nested fields",
        document: "{ item { child { id } child { name } } }",
        data: r#"{"item":{"child":{"id":2,"name":"item 2"}}}"#,
        ..CASE
    },
    Case {
        name: "merged fields keep the first position",
        document: "{ a: fast b: slow a: fast }",
        data: r#"{"a":2,"b":1}"#,
        ..CASE
    },
    Case {
        name: "merged fields of lists",
        document: "{ items { id } items { name } }",
        data: r#"{"items":[{"id":1,"name":"item 1"},{"id":2,"name":"item 2"}]}"#,
        ..CASE
    },
    Case {
        name: "merged fields through fragments",
        document: "{ ...A item { name } } fragment A on Query { item { id } }",
        data: r#"{"item":{"id":1,"name":"item 1"}}"#,
        ..CASE
    },
    Case {
        name: "a mutation runs once though selected twice",
        document: "mutation { first { id } first { name } }",
        data: r#"{"first":{"id":1,"name":"item 1"}}"#,
        calls: &["first"],
        ..CASE
    },
    Case {
        name: "mutations run serially",
        document: "mutation { first { id } second }",
        data: r#"{"first":{"id":1},"second":2}"#,
        calls: &["first", "second"],
        ..CASE
    },
    Case {
        name: "a failed non-null mutation nulls data",
        document: "mutation { second requiredFails }",
        data: "null",
        errors: &[("required", "requiredFails")],
        calls: &["second"],
        ..CASE
    },
    Case {
        name: "a mutation after a failed nullable one runs",
        document: "mutation { fails second }",
        data: r#"{"fails":null,"second":2}"#,
        errors: &[("no", "fails")],
        calls: &["second"],
        ..CASE
    },
    Case {
        name: "mutation order across a fragment",
        document: "mutation { ...F second } fragment F on Mutation { first { id } }",
        data: r#"{"first":{"id":1},"second":2}"#,
        calls: &["first", "second"],
        ..CASE
    },
    Case {
        name: "an empty selection after skip is an empty object",
        document: "{ item { id @skip(if: true) } }",
        data: r#"{"item":{}}"#,
        ..CASE
    },
    Case {
        name: "an empty selection at the root",
        document: "{ fast @skip(if: true) }",
        data: "{}",
        ..CASE
    },
    Case {
        name: "an empty selection of items",
        document: "{ items { id @include(if: false) } }",
        data: r#"{"items":[{},{}]}"#,
        ..CASE
    },
    Case {
        name: "skip and include by variable",
        document: "query($a: Boolean!, $b: Boolean!) { fast @skip(if: $a) slow @include(if: $b) }",
        variables: r#"{"a":true,"b":true}"#,
        data: r#"{"slow":1}"#,
        ..CASE
    },
    Case {
        name: "skip and include with the default of a variable",
        document: "query($a: Boolean = true) { fast @skip(if: $a) slow }",
        data: r#"{"slow":1}"#,
        ..CASE
    },
    Case {
        name: "include of a fragment with the default of a variable",
        document: "query($a: Boolean! = false) { ...F @include(if: $a) slow } fragment F on Query { fast }",
        data: r#"{"slow":1}"#,
        ..CASE
    },
    Case {
        name: "skip and include both",
        document: "{ fast @skip(if: false) @include(if: false) slow }",
        data: r#"{"slow":1}"#,
        ..CASE
    },
    Case {
        name: "an omitted nullable variable uses the default of the argument",
        document: "query($n: Int) { echoNullableDefault(first: $n) }",
        data: r#"{"echoNullableDefault":7}"#,
        ..CASE
    },
    Case {
        name: "an omitted variable for a non-null argument with default",
        document: "query($n: Int) { echo(first: $n) }",
        data: r#"{"echo":50}"#,
        ..CASE
    },
    Case {
        name: "a null variable for a non-null argument with default is an error",
        document: "query($n: Int) { echo(first: $n) }",
        variables: r#"{"n":null}"#,
        data: "null",
        errors: &[("*", "echo")],
        ..CASE
    },
    Case {
        name: "an explicit null is not the default",
        document: "{ echoNullableDefault(first: null) }",
        data: r#"{"echoNullableDefault":null}"#,
        ..CASE
    },
    Case {
        name: "an omitted argument",
        document: "{ echoMaybe }",
        data: r#"{"echoMaybe":"absent"}"#,
        ..CASE
    },
    Case {
        name: "an omitted variable is an omitted argument",
        document: "query($n: Int) { echoMaybe(first: $n) }",
        data: r#"{"echoMaybe":"absent"}"#,
        ..CASE
    },
    Case {
        name: "a null variable is a null argument",
        document: "query($n: Int) { echoMaybe(first: $n) }",
        variables: r#"{"n":null}"#,
        data: r#"{"echoMaybe":"null"}"#,
        ..CASE
    },
    Case {
        name: "the default of a variable",
        document: "query($n: Int = 4) { echo(first: $n) }",
        data: r#"{"echo":4}"#,
        ..CASE
    },
    Case {
        name: "an item is coerced to a list",
        document: "{ echoList(list: 3) }",
        data: r#"{"echoList":[3]}"#,
        ..CASE
    },
    Case {
        name: "a variable is coerced to a list",
        document: "query($l: [Int!]!) { echoList(list: $l) }",
        variables: r#"{"l":3}"#,
        data: r#"{"echoList":[3]}"#,
        ..CASE
    },
    Case {
        name: "a variable within a list",
        document: "query($n: Int!) { echoList(list: [1, $n]) }",
        variables: r#"{"n":3}"#,
        data: r#"{"echoList":[1,3]}"#,
        ..CASE
    },
    Case {
        name: "defaults of input fields",
        document: "{ echoInput(input: {}) }",
        data: r#"{"echoInput":"3 None Undefined"}"#,
        ..CASE
    },
    Case {
        name: "an omitted variable within an input object",
        document: "query($n: Int) { echoInput(input: {count: 1, more: $n}) }",
        data: r#"{"echoInput":"1 None Undefined"}"#,
        ..CASE
    },
    Case {
        name: "an omitted variable for an input field with default",
        document: "query($n: Int) { echoInput(input: {count: $n}) }",
        data: r#"{"echoInput":"3 None Undefined"}"#,
        ..CASE
    },
    Case {
        name: "an integer is a Float",
        document: "{ echoFloat(value: 3) }",
        data: r#"{"echoFloat":3.0}"#,
        ..CASE
    },
    Case {
        name: "an integer is an ID",
        document: "{ echoId(id: 3) }",
        data: r#"{"echoId":"3"}"#,
        ..CASE
    },
    Case {
        name: "an enum variable",
        document: "query($c: Color!) { echoColor(color: $c) }",
        variables: r#"{"c":"GREEN"}"#,
        data: r#"{"echoColor":"GREEN"}"#,
        ..CASE
    },
    Case {
        name: "surrogate pairs in strings",
        document: r#"{ echoText(text: "\uD83D\uDE00") }"#,
        data: r#"{"echoText":"😀"}"#,
        ..CASE
    },
    Case {
        name: "escaped quotes in block strings",
        document: "{ echoText(text: \"\"\"a\\\"\"\"b\"\"\") }",
        data: r#"{"echoText":"a\"\"\"b"}"#,
        ..CASE
    },
    Case {
        name: "braced Unicode escapes",
        document: r#"{ echoText(text: "\u{1F600}") }"#,
        data: r#"{"echoText":"😀"}"#,
        ..CASE
    },
    Case {
        name: "a fragment on an interface",
        document: "{ node { id ... on Item { name } ... on Other { other } } }",
        data: r#"{"node":{"id":1,"name":"item 1"}}"#,
        ..CASE
    },
    Case {
        name: "merged fields through type conditions",
        document: "{ nodes { ... on Item { child { id } } ... on Node { ... on Item { child { name } } } __typename } }",
        data: r#"{"nodes":[{"child":{"id":2,"name":"item 2"},"__typename":"Item"},{"__typename":"Other"}]}"#,
        ..CASE
    },
    Case {
        name: "a union by its members",
        document: "{ found { __typename ... on Item { id } ... on Other { other } } }",
        data: r#"{"found":[{"__typename":"Item","id":1},{"__typename":"Other","other":"other"}]}"#,
        ..CASE
    },
    Case {
        name: "an interface condition in a union",
        document: "{ found { ... on Node { id } } }",
        data: r#"{"found":[{"id":1},{"id":9}]}"#,
        ..CASE
    },
    Case {
        name: "a union condition on a concrete parent",
        document: "{ item { ... on Found { ... on Item { id } } } }",
        data: r#"{"item":{"id":1}}"#,
        ..CASE
    },
    Case {
        name: "an interface condition on a concrete parent",
        document: "{ item { ... on Node { id } } }",
        data: r#"{"item":{"id":1}}"#,
        ..CASE
    },
    Case {
        name: "a condition on another type",
        document: "{ node { ... on Other { other } } }",
        data: r#"{"node":{}}"#,
        ..CASE
    },
    Case {
        name: "null objects",
        document: "{ none { id } }",
        data: r#"{"none":null}"#,
        ..CASE
    },
    Case {
        name: "an interface field and its condition are merged",
        document: "{ node { a: id ... on Item { a: id b: name } } }",
        data: r#"{"node":{"a":1,"b":"item 1"}}"#,
        ..CASE
    },
    Case {
        name: "two failures are both reported",
        document: "{ a: fails b: fails }",
        data: r#"{"a":null,"b":null}"#,
        errors: &[("no", "a"), ("no", "b")],
        ..CASE
    },
    Case {
        name: "__typename of an interface",
        document: "{ node { __typename } }",
        data: r#"{"node":{"__typename":"Item"}}"#,
        ..CASE
    },
    Case {
        name: "introspection beside other fields",
        document: r#"{ fast a: __schema { queryType { name } } b: __type(name: "Item") { name kind } }"#,
        data: r#"{"fast":2,"a":{"queryType":{"name":"Query"}},"b":{"name":"Item","kind":"OBJECT"}}"#,
        ..CASE
    },
    Case {
        name: "introspection alone",
        document: r#"{ __type(name: "Found") { possibleTypes { name } } }"#,
        data: r#"{"__type":{"possibleTypes":[{"name":"Item"},{"name":"Other"}]}}"#,
        ..CASE
    },
];
