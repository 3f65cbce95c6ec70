// Generated from schema.graphql; do not edit. Each item names its line there.

/// Answers for the type `Vehicle` of the contract.
///
/// A vehicle of the catalogue.
///
/// Every field is answered as it was given to `createVehicle`, byte for byte:
/// nothing is trimmed, normalised or changed in case.
pub trait VehicleResolver: Send + Sync { // schema.graphql:7:6
    /// The number that the database gave the vehicle when it was created: an integer
    /// from 1 to 9223372036854775807, written in decimal without sign or leading
    /// zeros. It never changes and is never used again.
    fn id(&self) -> async_graphql::ID; // schema.graphql:13:3
    /// What kind of vehicle it is, for example `SUV`. 1 to 255 characters, not blank.
    fn r#type(&self) -> Option<::std::borrow::Cow<'_, str>>; // schema.graphql:16:3
    /// The manufacturer's code of the model, for example `XC60`. 1 to 255 characters, not blank.
    fn model_code(&self) -> Option<::std::borrow::Cow<'_, str>>; // schema.graphql:19:3
    /// The brand it is sold under. Up to 255 characters; null when none was given.
    fn brand_name(&self) -> Option<::std::borrow::Cow<'_, str>>; // schema.graphql:22:3
    /// The day of its launch, in the form `YYYY-MM-DD`: a calendar date without time
    /// of day or time zone, from 1000-01-01 to 9999-12-31. Null when none was given.
    fn launch_date(&self) -> Option<::std::borrow::Cow<'_, str>>; // schema.graphql:28:3
}

/// Resolves the type `Query` of the contract.
///
/// What can be asked. Asking changes nothing.
pub trait QueryResolver: Send + Sync { // schema.graphql:32:6
    /// What a resolver fails with. Its conversion decides what clients are told.
    type Error: Into<async_graphql::Error> + Send;
    /// The vehicles in ascending order of `id`.
    ///
    /// Neither the list nor an item of it is null unless `errors` says why.
    fn vehicles( // schema.graphql:38:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryVehiclesArguments<Option<i32>>, // schema.graphql:38:3
    ) -> impl ::std::future::Future< // schema.graphql:38:3
        Output = Result<Option<Vec<Option<crate::catalogue::Vehicle>>>, Self::Error>, // schema.graphql:38:3
    > + Send;
    /// The vehicle with this `id`, or null, without an error, if there is none.
    fn vehicle( // schema.graphql:52:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryVehicleArguments<Option<async_graphql::ID>>, // schema.graphql:52:3
    ) -> impl ::std::future::Future< // schema.graphql:52:3
        Output = Result<Option<crate::catalogue::Vehicle>, Self::Error>, // schema.graphql:52:3
    > + Send;
}

/// The arguments of `Query.vehicles(count: Int)`.
#[derive(Clone, Debug)]
pub struct QueryVehiclesArguments<Count> { // schema.graphql:38:3
    /// How many vehicles to answer at most, from 0 (an empty list) to the list limit
    /// of the server, 1000 unless its operator has set another. A negative number or
    /// one above the limit is refused with the code `BAD_USER_INPUT`.
    ///
    /// When it is omitted or null, the list ends at the limit, and if there are more
    /// vehicles than that, the response says so in `extensions.truncated`, a list of
    /// `{path, returned, limit}`.
    pub count: Count, // schema.graphql:48:5
}

/// The arguments of `Query.vehicle(id: ID)`.
#[derive(Clone, Debug)]
pub struct QueryVehicleArguments<Id> { // schema.graphql:52:3
    /// The `id` of the vehicle. Any text that is not in the form of `Vehicle.id` is
    /// the id of no vehicle. When it is omitted or null there is nothing to look up:
    /// that is refused with the code `BAD_USER_INPUT`.
    pub id: Id, // schema.graphql:58:5
}

/// What can be asked. Asking changes nothing.
pub struct Query<R>(pub R);

/// Resolves the type `Mutation` of the contract.
///
/// What can be changed.
pub trait MutationResolver: Send + Sync { // schema.graphql:63:6
    /// What a resolver fails with. Its conversion decides what clients are told.
    type Error: Into<async_graphql::Error> + Send;
    /// Creates a vehicle and answers it as it was stored. It is stored durably before
    /// it is answered.
    ///
    /// Lengths count characters (Unicode scalar values). No text may contain the
    /// character U+0000. Arguments that break a rule are refused together, in one
    /// error with the code `BAD_USER_INPUT` and the list `extensions.violations` of
    /// `{argument, rule, message}`; nothing is stored then.
    fn create_vehicle( // schema.graphql:73:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: MutationCreateVehicleArguments< // schema.graphql:73:3
            String,
            String,
            Option<String>,
            Option<String>,
        >,
    ) -> impl ::std::future::Future< // schema.graphql:73:3
        Output = Result<Option<crate::catalogue::Vehicle>, Self::Error>, // schema.graphql:73:3
    > + Send;
}

/// The arguments of `Mutation.createVehicle(type: String!, modelCode: String!, brandName: String, launchDate: String)`.
#[derive(Clone, Debug)]
pub struct MutationCreateVehicleArguments<Type, ModelCode, BrandName, LaunchDate> { // schema.graphql:73:3
    /// What kind of vehicle it is. 1 to 255 characters, not blank (not white space alone).
    pub r#type: Type, // schema.graphql:75:5
    /// The manufacturer's code of the model. 1 to 255 characters, not blank (not white space alone).
    pub model_code: ModelCode, // schema.graphql:78:5
    /// The brand it is sold under. Up to 255 characters; the empty text is a text. Omitted and null mean none.
    pub brand_name: BrandName, // schema.graphql:81:5
    /// The day of its launch in the form `YYYY-MM-DD`, a date that exists, from
    /// 1000-01-01 to 9999-12-31. Omitted and null mean none.
    pub launch_date: LaunchDate, // schema.graphql:87:5
}

/// What can be changed.
pub struct Mutation<R>(pub R);

impl support::PlainObject for crate::catalogue::Vehicle {
    const NAME: &'static str = "Vehicle";
    const FIELDS: &'static [&'static str] = &[
        "id",
        "type",
        "modelCode",
        "brandName",
        "launchDate",
    ];
    const CONDITIONS: &'static [&'static str] = &["Vehicle"];
    fn field(&self, field: usize, plan: &support::Plan) -> async_graphql::Value {
        match field {
            0usize => support::Plain::into_value(VehicleResolver::id(self), plan),
            1usize => support::Plain::into_value(VehicleResolver::r#type(self), plan),
            2usize => support::Plain::into_value(VehicleResolver::model_code(self), plan),
            3usize => support::Plain::into_value(VehicleResolver::brand_name(self), plan),
            4usize => {
                support::Plain::into_value(VehicleResolver::launch_date(self), plan)
            }
            _ => async_graphql::Value::Null,
        }
    }
    fn write_field(&self, field: usize, plan: &support::Plan, json: &mut Vec<u8>) {
        match field {
            0usize => support::Plain::write(&VehicleResolver::id(self), plan, json),
            1usize => support::Plain::write(&VehicleResolver::r#type(self), plan, json),
            2usize => {
                support::Plain::write(&VehicleResolver::model_code(self), plan, json)
            }
            3usize => {
                support::Plain::write(&VehicleResolver::brand_name(self), plan, json)
            }
            4usize => {
                support::Plain::write(&VehicleResolver::launch_date(self), plan, json)
            }
            _ => {}
        }
    }
}

impl support::Plain for crate::catalogue::Vehicle {
    fn plan(
        fragments: &support::Fragments,
        selections: &[&async_graphql::parser::types::SelectionSet],
    ) -> async_graphql::ServerResult<support::Plan> {
        Ok(support::Plan::Object(support::steps::<Self>(fragments, selections)?))
    }
    fn value(&self, plan: &support::Plan) -> async_graphql::Value {
        let support::Plan::Object(steps) = plan else {
            return async_graphql::Value::Null
        };
        support::object(self, steps)
    }
    fn write(&self, plan: &support::Plan, json: &mut Vec<u8>) {
        let support::Plan::Object(steps) = plan else { return };
        support::write_object(self, steps, json);
    }
}

impl async_graphql::OutputType for crate::catalogue::Vehicle {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Vehicle")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<
            Self,
        >(
            registry,
            "Vehicle",
            Some(
                "A vehicle of the catalogue.\n\nEvery field is answered as it was given to `createVehicle`, byte for byte:\nnothing is trimmed, normalised or changed in case.",
            ),
            &[],
            &[
                support::Field {
                    name: "id",
                    description: Some(
                        "The number that the database gave the vehicle when it was created: an integer\nfrom 1 to 9223372036854775807, written in decimal without sign or leading\nzeros. It never changes and is never used again.",
                    ),
                    arguments: &[],
                    ty: "ID!",
                    deprecated: None,
                },
                support::Field {
                    name: "type",
                    description: Some(
                        "What kind of vehicle it is, for example `SUV`. 1 to 255 characters, not blank.",
                    ),
                    arguments: &[],
                    ty: "String",
                    deprecated: None,
                },
                support::Field {
                    name: "modelCode",
                    description: Some(
                        "The manufacturer's code of the model, for example `XC60`. 1 to 255 characters, not blank.",
                    ),
                    arguments: &[],
                    ty: "String",
                    deprecated: None,
                },
                support::Field {
                    name: "brandName",
                    description: Some(
                        "The brand it is sold under. Up to 255 characters; null when none was given.",
                    ),
                    arguments: &[],
                    ty: "String",
                    deprecated: None,
                },
                support::Field {
                    name: "launchDate",
                    description: Some(
                        "The day of its launch, in the form `YYYY-MM-DD`: a calendar date without time\nof day or time zone, from 1000-01-01 to 9999-12-31. Null when none was given.",
                    ),
                    arguments: &[],
                    ty: "String",
                    deprecated: None,
                },
            ],
            &[],
        )
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::answer_borrowed(ctx, self)
    }
}

async fn resolve_query_vehicles<R: QueryResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let arguments = QueryVehiclesArguments {
        count: support::argument(ctx, "count", None)?,
    };
    let answer = QueryResolver::vehicles(resolver, ctx, arguments)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

async fn resolve_query_vehicle<R: QueryResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let arguments = QueryVehicleArguments {
        id: support::argument(ctx, "id", None)?,
    };
    let answer = QueryResolver::vehicle(resolver, ctx, arguments)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

impl<R: QueryResolver> async_graphql::ContainerType for Query<R> {
    async fn resolve_field(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
        match ctx.item.node.name.node.as_str() {
            "vehicles" => {
                Ok(
                    Some(
                        support::nullable(
                            ctx,
                            resolve_query_vehicles(&self.0, ctx).await,
                        ),
                    ),
                )
            }
            "vehicle" => {
                Ok(
                    Some(
                        support::nullable(ctx, resolve_query_vehicle(&self.0, ctx).await),
                    ),
                )
            }
            _ => Ok(None),
        }
    }
}

impl<R: QueryResolver> async_graphql::OutputType for Query<R> {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Query")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<
            Self,
        >(
            registry,
            "Query",
            Some("What can be asked. Asking changes nothing."),
            &[],
            &[
                support::Field {
                    name: "vehicles",
                    description: Some(
                        "The vehicles in ascending order of `id`.\n\nNeither the list nor an item of it is null unless `errors` says why.",
                    ),
                    arguments: &[
                        support::Input {
                            name: "count",
                            description: Some(
                                "How many vehicles to answer at most, from 0 (an empty list) to the list limit\nof the server, 1000 unless its operator has set another. A negative number or\none above the limit is refused with the code `BAD_USER_INPUT`.\n\nWhen it is omitted or null, the list ends at the limit, and if there are more\nvehicles than that, the response says so in `extensions.truncated`, a list of\n`{path, returned, limit}`.",
                            ),
                            ty: "Int",
                            default: None,
                            deprecated: None,
                        },
                    ],
                    ty: "[Vehicle]",
                    deprecated: None,
                },
                support::Field {
                    name: "vehicle",
                    description: Some(
                        "The vehicle with this `id`, or null, without an error, if there is none.",
                    ),
                    arguments: &[
                        support::Input {
                            name: "id",
                            description: Some(
                                "The `id` of the vehicle. Any text that is not in the form of `Vehicle.id` is\nthe id of no vehicle. When it is omitted or null there is nothing to look up:\nthat is refused with the code `BAD_USER_INPUT`.",
                            ),
                            ty: "ID",
                            default: None,
                            deprecated: None,
                        },
                    ],
                    ty: "Vehicle",
                    deprecated: None,
                },
            ],
            &[<crate::catalogue::Vehicle as async_graphql::OutputType>::create_type_info],
        )
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        async_graphql::resolver_utils::resolve_container(ctx, self).await
    }
}

impl<R: QueryResolver> async_graphql::ObjectType for Query<R> {}
impl<R: QueryResolver> support::Root for Query<R> {
    fn plan(
        field: &str,
        fragments: &support::Fragments,
        selections: &[&async_graphql::parser::types::SelectionSet],
    ) -> Option<async_graphql::ServerResult<support::Plan>> {
        match field {
            "vehicles" => {
                Some(
                    <crate::catalogue::Vehicle as support::Plain>::plan(
                        fragments,
                        selections,
                    ),
                )
            }
            "vehicle" => {
                Some(
                    <crate::catalogue::Vehicle as support::Plain>::plan(
                        fragments,
                        selections,
                    ),
                )
            }
            _ => None,
        }
    }
}

async fn resolve_mutation_create_vehicle<R: MutationResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let arguments = MutationCreateVehicleArguments {
        r#type: support::argument(ctx, "type", None)?,
        model_code: support::argument(ctx, "modelCode", None)?,
        brand_name: support::argument(ctx, "brandName", None)?,
        launch_date: support::argument(ctx, "launchDate", None)?,
    };
    let answer = MutationResolver::create_vehicle(resolver, ctx, arguments)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

impl<R: MutationResolver> async_graphql::ContainerType for Mutation<R> {
    async fn resolve_field(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
        match ctx.item.node.name.node.as_str() {
            "createVehicle" => {
                Ok(
                    Some(
                        support::nullable(
                            ctx,
                            resolve_mutation_create_vehicle(&self.0, ctx).await,
                        ),
                    ),
                )
            }
            _ => Ok(None),
        }
    }
}

impl<R: MutationResolver> async_graphql::OutputType for Mutation<R> {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Mutation")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<
            Self,
        >(
            registry,
            "Mutation",
            Some("What can be changed."),
            &[],
            &[
                support::Field {
                    name: "createVehicle",
                    description: Some(
                        "Creates a vehicle and answers it as it was stored. It is stored durably before\nit is answered.\n\nLengths count characters (Unicode scalar values). No text may contain the\ncharacter U+0000. Arguments that break a rule are refused together, in one\nerror with the code `BAD_USER_INPUT` and the list `extensions.violations` of\n`{argument, rule, message}`; nothing is stored then.",
                    ),
                    arguments: &[
                        support::Input {
                            name: "type",
                            description: Some(
                                "What kind of vehicle it is. 1 to 255 characters, not blank (not white space alone).",
                            ),
                            ty: "String!",
                            default: None,
                            deprecated: None,
                        },
                        support::Input {
                            name: "modelCode",
                            description: Some(
                                "The manufacturer's code of the model. 1 to 255 characters, not blank (not white space alone).",
                            ),
                            ty: "String!",
                            default: None,
                            deprecated: None,
                        },
                        support::Input {
                            name: "brandName",
                            description: Some(
                                "The brand it is sold under. Up to 255 characters; the empty text is a text. Omitted and null mean none.",
                            ),
                            ty: "String",
                            default: None,
                            deprecated: None,
                        },
                        support::Input {
                            name: "launchDate",
                            description: Some(
                                "The day of its launch in the form `YYYY-MM-DD`, a date that exists, from\n1000-01-01 to 9999-12-31. Omitted and null mean none.",
                            ),
                            ty: "String",
                            default: None,
                            deprecated: None,
                        },
                    ],
                    ty: "Vehicle",
                    deprecated: None,
                },
            ],
            &[<crate::catalogue::Vehicle as async_graphql::OutputType>::create_type_info],
        )
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        async_graphql::resolver_utils::resolve_container(ctx, self).await
    }
}

impl<R: MutationResolver> async_graphql::ObjectType for Mutation<R> {}
impl<R: MutationResolver> support::Root for Mutation<R> {
    fn plan(
        field: &str,
        fragments: &support::Fragments,
        selections: &[&async_graphql::parser::types::SelectionSet],
    ) -> Option<async_graphql::ServerResult<support::Plan>> {
        match field {
            "createVehicle" => {
                Some(
                    <crate::catalogue::Vehicle as support::Plain>::plan(
                        fragments,
                        selections,
                    ),
                )
            }
            _ => None,
        }
    }
}
