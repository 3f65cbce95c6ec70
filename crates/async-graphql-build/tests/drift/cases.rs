//! The resolvers that are compiled: three files that agree with their contract, and edits of them that do not.

/// The part of the generated code that a message must show.
pub(crate) enum Shows {
    /// A line with this location in an SDL file.
    Location(&'static str),
    /// Only the item.
    Item(&'static str),
    /// This text, and no line of the case: a constant or function is missing or differs.
    Assertion(&'static str),
}

const AGREES: &str = include_str!("agrees.rs");
const WITH_PAGES: &str = include_str!("agrees_with_pages.rs");
const CONSTRAINED: &str = include_str!("constrained.rs");

/// The cases that compile.
pub(crate) const COMPILES: [(&str, &str); 3] = [
    ("agrees", AGREES),
    ("agrees_with_pages", WITH_PAGES),
    ("constrained", CONSTRAINED),
];

/// A name, a file that compiles, the texts that are replaced in it, the code of the error, and what its message shows.
pub(crate) type Case = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static str,
    Shows,
);

pub(crate) const CASES: [Case; 24] = [
    (
        "resolver_missing",
        AGREES,
        &[(
            "    async fn vehicles(\n        &self,\n        _: &Context<'_>,\n        QueryVehiclesArguments { count }: QueryVehiclesArguments<Option<i32>>,\n    ) -> Result<Option<Vec<Option<Car>>>, Error> {\n        Ok(count.map(|_| vec![Some(Car)]))\n    }\n",
            "",
        )],
        "E0046",
        Shows::Location("schema.graphql:9:3"),
    ),
    (
        "getter_missing",
        AGREES,
        &[(
            "    fn brand_name(&self) -> Option<Text<'_>> {\n        None\n    }\n",
            "\n",
        )],
        "E0046",
        Shows::Location("schema.graphql:4:3"),
    ),
    (
        "resolver_unknown",
        AGREES,
        &[(
            "vec![Some(Car)]))\n    }\n",
            "vec![Some(Car)]))\n    }\n\n    async fn cars(&self, _: &Context<'_>) -> Result<Option<i32>, Error> {\n        Ok(None)\n    }\n",
        )],
        "E0407",
        Shows::Item("`QueryResolver`"),
    ),
    (
        "getter_unknown",
        AGREES,
        &[(
            "        None\n    }\n",
            "        None\n    }\n\n    fn colour(&self) -> Option<Text<'_>> {\n        None\n    }\n",
        )],
        "E0407",
        Shows::Item("`VehicleResolver`"),
    ),
    (
        "argument_missing",
        AGREES,
        &[
            (
                "{ r#type, model_code }: MutationCreateArguments<String, String>",
                "{ model_code }: MutationCreateArguments<String>",
            ),
            ("r#type == model_code", "model_code.is_empty()"),
        ],
        "E0107",
        Shows::Location("schema.graphql:13:3"),
    ),
    (
        "argument_unknown",
        AGREES,
        &[("{ count }", "{ first }"), ("count.map", "first.map")],
        "E0026",
        Shows::Item("QueryVehiclesArguments` has a field named `count`"),
    ),
    (
        "argument_type_differs",
        AGREES,
        &[("Option<i32>", "Option<String>")],
        "E0053",
        Shows::Location("schema.graphql:9:3"),
    ),
    (
        "arguments_type_differs",
        AGREES,
        &[(
            "QueryVehiclesArguments { count }: QueryVehiclesArguments<Option<i32>>",
            "count: Option<i32>",
        )],
        "E0053",
        Shows::Location("schema.graphql:9:3"),
    ),
    // Arguments are matched by name, so only a wrong name is an error.
    (
        "argument_order_differs",
        AGREES,
        &[(
            "Arguments { r#type, model_code }",
            "Arguments(model_code, r#type)",
        )],
        "E0532",
        Shows::Location("schema.graphql:13:3"),
    ),
    (
        "argument_nullability_differs",
        AGREES,
        &[
            ("<String, String>", "<Option<String>, String>"),
            (
                "(r#type == model_code).then_some(Car)",
                "r#type.filter(|_| model_code.is_empty()).map(|_| Car)",
            ),
        ],
        "E0053",
        Shows::Location("schema.graphql:13:3"),
    ),
    (
        "omitted_not_distinguished",
        AGREES,
        &[(
            "Ok(changes.brand_name.is_undefined().then_some(Car))",
            "let brand_name: Option<String> = changes.brand_name;\n        Ok(brand_name.map(|_| Car))",
        )],
        "E0308",
        Shows::Item("expected `Option<String>`, found `MaybeUndefined<String>`"),
    ),
    (
        "result_type_differs",
        AGREES,
        &[
            (
                "Result<Option<Car>, Error> {\n        Ok((r#type",
                "Result<Option<String>, Error> {\n        Ok((r#type",
            ),
            (
                "then_some(Car))\n    }\n\n",
                "then_some(model_code))\n    }\n\n",
            ),
        ],
        "E0271",
        Shows::Location("schema.graphql:13:3"),
    ),
    (
        "result_nullability_differs",
        AGREES,
        &[
            ("Vec<Option<Car>>", "Vec<Car>"),
            ("vec![Some(Car)]", "vec![Car]"),
        ],
        "E0271",
        Shows::Location("schema.graphql:9:3"),
    ),
    (
        "getter_type_differs",
        AGREES,
        &[("-> Text<'_>", "-> i64"), ("Text::from(\"1\")", "1")],
        "E0053",
        Shows::Location("schema.graphql:3:3"),
    ),
    (
        "getter_nullability_differs",
        AGREES,
        &[(
            "Option<Text<'_>> {\n        None",
            "Text<'_> {\n        Text::Borrowed(\"\")",
        )],
        "E0053",
        Shows::Location("schema.graphql:4:3"),
    ),
    (
        "enum_value_missing",
        WITH_PAGES,
        &[
            ("    IdDesc,\n", ""),
            ("            Order::IdDesc => Self::IdDesc,\n", ""),
        ],
        "E0004",
        Shows::Location("pages.graphql:7:3"),
    ),
    (
        "enum_value_unknown",
        WITH_PAGES,
        &[(
            "Self::IdDesc,\n",
            "Self::IdDesc,\n            Order::LaunchDateAsc => Self::IdAsc,\n",
        )],
        "E0599",
        Shows::Item("named `LaunchDateAsc` found for enum"),
    ),
    (
        "connection_getter_missing",
        WITH_PAGES,
        &[(
            "\n    fn page_info(&self) -> PageInfo {\n        PageInfo {\n            has_next_page: matches!(self.0, SortOrder::IdAsc),\n            end_cursor: None,\n        }\n    }\n",
            "",
        )],
        "E0046",
        Shows::Location("pages.graphql:16:3"),
    ),
    (
        "connection_field_missing",
        WITH_PAGES,
        &[("            end_cursor: None,\n", "")],
        "E0063",
        Shows::Item("missing field `end_cursor` in initializer of `contract::PageInfo`"),
    ),
    (
        "omitted_distinction_removed",
        WITH_PAGES,
        &[
            ("ID}", "ID, MaybeUndefined}"),
            (
                "let brand_name = filter.and_then(|filter| filter.brand_name);\n        Ok(brand_name.and(order)",
                "let Some(filter) = filter else {\n            return Ok(None);\n        };\n        let brand_name: MaybeUndefined<String> = filter.brand_name;\n        Ok(order.filter(|_| brand_name.is_null())",
            ),
        ],
        "E0308",
        Shows::Item("expected `MaybeUndefined<String>`, found `Option<String>`"),
    ),
    (
        "limit_differs",
        CONSTRAINED,
        &[("MIN: u32 = 0", "MIN: u32 = 1")],
        "E0080",
        Shows::Assertion("schema.graphql:3:16: Query.vehicles(count:) has min: 0"),
    ),
    (
        "limit_missing",
        CONSTRAINED,
        &[("MAX_PRICE", "HIGHEST_PRICE")],
        "E0425",
        Shows::Assertion("// schema.graphql:4:18"),
    ),
    (
        "parser_differs",
        CONSTRAINED,
        &[(
            "impl Date {\n    pub fn parse(text: &str)",
            "impl Date {\n    pub fn parse(text: u32)",
        )],
        "E0308",
        Shows::Assertion("// schema.graphql:5:16"),
    ),
    (
        "pattern_parser_differs",
        CONSTRAINED,
        &[(
            "impl Code {\n    pub fn parse(text: &str)",
            "impl Code {\n    pub fn parse(text: u32)",
        )],
        "E0308",
        Shows::Assertion("// schema.graphql:6:18"),
    ),
];
