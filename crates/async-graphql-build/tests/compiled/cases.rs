//! Resolvers that agree with the contract, and edits of them that do not: one for each kind of difference.

/// The part of the generated code that a message must show.
pub(crate) enum Shows {
    /// A line with this location in the SDL file.
    Location(&'static str),
    /// Only the item.
    Item(&'static str),
    /// This text, and no line of the case.
    Assertion(&'static str),
}

pub(crate) const AGREES: &str = include_str!("agrees.rs");

/// A name, the texts of [`AGREES`] that are replaced, the code of the error, and what its message shows.
pub(crate) type Case = (&'static str, &'static [(&'static str, &'static str)], &'static str, Shows);

pub(crate) const CASES: [Case; 10] = [
    (
        "type_missing",
        &[(
            "pub struct Dealer;\n\nimpl DealerResolver for Dealer {\n    type Error = Error;\n\n    async fn name(\n        &self,\n        _: &Context<'_>,\n        arguments: DealerNameArguments<Option<String>>,\n    ) -> Result<String, Error> {\n        Ok(arguments.language.unwrap_or_default())\n    }\n}\n\n",
            "",
        )],
        "E0432",
        Shows::Assertion(
            "// schema.graphql:38:6: define this type and implement DealerResolver for it, because name has arguments",
        ),
    ),
    (
        "resolver_missing",
        &[(
            "    async fn update(\n        &self,\n        _: &Context<'_>,\n        MutationUpdateArguments { changes }: MutationUpdateArguments<VehicleChanges>,\n    ) -> Result<Option<Car>, Error> {\n        Ok(changes.brand_name.is_undefined().then_some(Car))\n    }\n",
            "",
        )],
        "E0046",
        Shows::Location("schema.graphql:20:3"),
    ),
    (
        "resolver_unknown",
        &[(
            "vec![Some(Car)]))\n    }\n",
            "vec![Some(Car)]))\n    }\n\n    async fn cars(&self, _: &Context<'_>) -> Result<Option<i32>, Error> {\n        Ok(None)\n    }\n",
        )],
        "E0407",
        Shows::Item("`QueryResolver`"),
    ),
    (
        "argument_missing",
        &[
            (
                "{ r#type, model_code }: MutationCreateArguments<String, String>",
                "{ model_code }: MutationCreateArguments<String>",
            ),
            ("r#type == model_code", "model_code.is_empty()"),
        ],
        "E0107",
        Shows::Location("schema.graphql:16:3"),
    ),
    (
        "argument_unknown",
        &[("{ order, count }", "{ order, first }"), ("Ok(count", "Ok(first")],
        "E0026",
        Shows::Item("QueryVehiclesArguments` has a field named `count`"),
    ),
    ("argument_type_differs", &[("Option<i32>", "Option<String>")], "E0053", Shows::Location("schema.graphql:9:3")),
    (
        "omitted_not_distinguished",
        &[(
            "Ok(changes.brand_name.is_undefined().then_some(Car))",
            "let brand_name: Option<String> = changes.brand_name;\n        Ok(brand_name.map(|_| Car))",
        )],
        "E0308",
        Shows::Item("expected `Option<String>`, found `MaybeUndefined<String>`"),
    ),
    (
        "result_type_differs",
        &[
            ("Result<Option<Car>, Error> {\n        Ok((r#type", "Result<Option<String>, Error> {\n        Ok((r#type"),
            ("then_some(Car))\n    }\n\n", "then_some(model_code))\n    }\n\n"),
        ],
        "E0271",
        Shows::Location("schema.graphql:16:3"),
    ),
    (
        "enum_value_missing",
        &[("            Order::IdDesc => Self::IdDesc,\n", "")],
        "E0004",
        Shows::Location("schema.graphql:29:3"),
    ),
    (
        "constraint_unchecked",
        &[
            (
                "Unchecked<QueryVehiclesArguments<Option<Order>, Option<i32>>>",
                "QueryVehiclesArguments<Option<Order>, Option<i32>>",
            ),
            ("arguments.check()?", "arguments"),
        ],
        "E0053",
        Shows::Location("schema.graphql:9:3"),
    ),
];
