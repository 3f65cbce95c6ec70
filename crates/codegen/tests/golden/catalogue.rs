// Generated from schema.graphql; do not edit. Each item names its line there.

/// Resolves the type `Vehicle` of the contract.
///
/// A vehicle of the catalogue.
///
/// Every field has the value as it was given, byte for byte: nothing is trimmed, normalised or changed in case.
pub trait VehicleResolver { // schema.graphql:6:6
    /// The identifier that the database generated: an integer from 1 to 9223372036854775807 in decimal without sign or
    /// leading zeros. It never changes and is never reused, not even after the vehicle was deleted.
    fn id(&self) -> ::engine::runtime::Id; // schema.graphql:11:3
    /// The kind of vehicle, for example `SUV`. 1 to 255 characters, not blank.
    fn r#type(&self) -> Option<::engine::runtime::Text<'_>>; // schema.graphql:14:3
    /// The manufacturer's code of the model, for example `XC60`. 1 to 255 characters, not blank.
    fn model_code(&self) -> Option<::engine::runtime::Text<'_>>; // schema.graphql:17:3
    /// The brand. Up to 255 characters; null if none was given.
    fn brand_name(&self) -> Option<::engine::runtime::Text<'_>>; // schema.graphql:20:3
    /// The launch date in the form `YYYY-MM-DD`: a calendar date without time of day or time zone, from 1000-01-01 to
    /// 9999-12-31. Null if none was given.
    fn launch_date(&self) -> Option<::engine::runtime::Text<'_>>; // schema.graphql:26:3
    /// 1 when the vehicle was created, one more after each change.
    fn version(&self) -> i32; // schema.graphql:31:3
}

/// Resolves the type `Query` of the contract.
///
/// The queries. They have no side effects.
pub trait QueryResolver: Send + Sync { // schema.graphql:35:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// The vehicles in ascending order of `id`.
    ///
    /// The list and its items are null only if `errors` has the reason.
    fn vehicles( // schema.graphql:41:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: QueryVehiclesArguments<Option<i32>>, // schema.graphql:41:3
    ) -> impl ::std::future::Future< // schema.graphql:41:3
        Output = Result<Option<Vec<Option<crate::graphql::SharedVehicle>>>, Self::Error>, // schema.graphql:41:3
    > + Send;
    /// The vehicle with this `id`, or null, without an error, if there is none.
    fn vehicle( // schema.graphql:53:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: QueryVehicleArguments<Option<async_graphql::ID>>, // schema.graphql:53:3
    ) -> impl ::std::future::Future< // schema.graphql:53:3
        Output = Result<Option<crate::graphql::SharedVehicle>, Self::Error>, // schema.graphql:53:3
    > + Send;
    /// The vehicles, page by page. Null only if `errors` has the reason.
    ///
    /// The cost of a page depends neither on its position nor on the number of vehicles. A vehicle that is present from the
    /// first page to the last is on exactly one page in an order by `id`; in an order by launch date also, unless its launch
    /// date changes in between. `id`s are assigned before vehicles are stored, so a vehicle can be stored with an `id` that
    /// is lower than that of a page already read.
    fn vehicles_connection( // schema.graphql:71:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: QueryVehiclesConnectionArguments< // schema.graphql:71:3
            Option<VehicleFilter>,
            Option<VehicleOrder>,
            Option<i32>,
            Option<String>,
        >,
    ) -> impl ::std::future::Future< // schema.graphql:71:3
        Output = Result<Option<crate::graphql::VehiclePage>, Self::Error>, // schema.graphql:71:3
    > + Send;
}

/// The arguments of `Query.vehicles(count: Int)`.
#[derive(Clone, Debug)]
pub struct QueryVehiclesArguments<Count> { // schema.graphql:41:3
    /// The maximum number of vehicles, from 0 (an empty list) to the list limit of the server (1000 by default). Other
    /// numbers are refused with the code `BAD_USER_INPUT`.
    ///
    /// If it is omitted or null, the list ends at the limit, and if there are more vehicles, the response has
    /// `extensions.truncated`, a list of `{path, returned, limit}`.
    pub count: Count, // schema.graphql:49:5
}

/// The arguments of `Query.vehicle(id: ID)`.
#[derive(Clone, Debug)]
pub struct QueryVehicleArguments<Id> { // schema.graphql:53:3
    /// The `id` of the vehicle. A text that does not have the form of `Vehicle.id` is the id of no vehicle. Omitted and
    /// null are refused with the code `BAD_USER_INPUT`.
    pub id: Id, // schema.graphql:58:5
}

/// The arguments of `Query.vehiclesConnection(filter: VehicleFilter, orderBy: VehicleOrder, first: Int, after: String)`.
#[derive(Clone, Debug)]
pub struct QueryVehiclesConnectionArguments<Filter, OrderBy, First, After> { // schema.graphql:71:3
    /// The conditions that the vehicles meet. Omitted, null and `{}` mean all vehicles.
    pub filter: Filter, // schema.graphql:73:5
    /// The order of the vehicles. Omitted and null mean `LAUNCH_DATE_ASC` if `filter` has a condition, else `ID_ASC`. A
    /// condition with an order by `id` is refused with the code `BAD_USER_INPUT`.
    pub order_by: OrderBy, // schema.graphql:79:5
    /// The maximum number of vehicles on the page, from 1 to the list limit of the server (1000 by default). Other numbers
    /// are refused with the code `BAD_USER_INPUT`. Null means the default. If the list limit is lower than the default, the
    /// default means the list limit.
    pub first: First, // schema.graphql:86:5
    /// A `cursor`, `startCursor` or `endCursor` of this field in the same order: the page starts after its vehicle, whether
    /// or not that still exists. Other texts are refused with the code `BAD_USER_INPUT`. Omitted and null mean the first
    /// page.
    pub after: After, // schema.graphql:93:5
}

/// The queries. They have no side effects.
pub struct Query<R>(pub R);

/// Resolves the type `Mutation` of the contract.
///
/// The mutations.
pub trait MutationResolver: Send + Sync { // schema.graphql:98:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// Creates a vehicle and returns it as stored. It is stored durably before the response is sent.
    ///
    /// Lengths count characters (Unicode scalar values). No text may contain the character U+0000. All arguments that violate
    /// a rule are reported in one error with the code `BAD_USER_INPUT` and the list `extensions.violations` of `{argument,
    /// rule, message}`; then nothing is stored.
    fn create_vehicle( // schema.graphql:106:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: MutationCreateVehicleArguments< // schema.graphql:106:3
            String,
            String,
            Option<String>,
            Option<String>,
        >,
    ) -> impl ::std::future::Future< // schema.graphql:106:3
        Output = Result<Option<crate::graphql::SharedVehicle>, Self::Error>, // schema.graphql:106:3
    > + Send;
    /// Creates all of the vehicles or none, and returns them as stored, in the order given. They are stored durably before
    /// the response is sent.
    ///
    /// All values that violate a rule are reported in one error with the code `BAD_USER_INPUT` and the list
    /// `extensions.violations`, for example for the argument `vehicles[3].modelCode`; then nothing is stored.
    fn create_vehicles( // schema.graphql:132:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: MutationCreateVehiclesArguments<Vec<NewVehicle>>, // schema.graphql:132:3
    ) -> impl ::std::future::Future< // schema.graphql:132:3
        Output = Result<Option<Vec<crate::graphql::SharedVehicle>>, Self::Error>, // schema.graphql:132:3
    > + Send;
    /// Changes a vehicle and returns it as stored. It is stored durably before the response is sent. A change to what the
    /// vehicle already is changes nothing, its version included.
    ///
    /// All values that violate a rule are reported in one error with the code `BAD_USER_INPUT`, as for `createVehicle`, for
    /// example for the argument `changes.modelCode`. Without violations, an `id` of no vehicle is refused with the code
    /// `NOT_FOUND`.
    fn update_vehicle( // schema.graphql:148:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: MutationUpdateVehicleArguments< // schema.graphql:148:3
            async_graphql::ID,
            VehicleChanges,
            Option<i32>,
        >,
    ) -> impl ::std::future::Future< // schema.graphql:148:3
        Output = Result<Option<crate::graphql::SharedVehicle>, Self::Error>, // schema.graphql:148:3
    > + Send;
    /// Deletes a vehicle and returns it as it was. The deletion is stored durably before the response is sent. Null, without
    /// an error, if there is no vehicle with this `id`.
    fn delete_vehicle( // schema.graphql:167:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: MutationDeleteVehicleArguments<async_graphql::ID, Option<i32>>, // schema.graphql:167:3
    ) -> impl ::std::future::Future< // schema.graphql:167:3
        Output = Result<Option<crate::graphql::SharedVehicle>, Self::Error>, // schema.graphql:167:3
    > + Send;
}

/// The arguments of `Mutation.createVehicle(type: String!, modelCode: String!, brandName: String, launchDate: String)`.
#[derive(Clone, Debug)]
pub struct MutationCreateVehicleArguments<Type, ModelCode, BrandName, LaunchDate> { // schema.graphql:106:3
    /// The kind of vehicle. 1 to 255 characters, not blank (not only white space).
    pub r#type: Type, // schema.graphql:108:5
    /// The manufacturer's code of the model. 1 to 255 characters, not blank (not only white space).
    pub model_code: ModelCode, // schema.graphql:111:5
    /// The brand. Up to 255 characters, possibly empty. Omitted and null mean none.
    pub brand_name: BrandName, // schema.graphql:114:5
    /// The launch date in the form `YYYY-MM-DD`, a calendar date from 1000-01-01 to 9999-12-31. Omitted and null mean none.
    pub launch_date: LaunchDate, // schema.graphql:119:5
}

/// The arguments of `Mutation.createVehicles(vehicles: [NewVehicle!]!)`.
#[derive(Clone, Debug)]
pub struct MutationCreateVehiclesArguments<Vehicles> { // schema.graphql:132:3
    /// The vehicles, from 1 to the bulk limit of the server (100 by default). Other numbers are refused with the code
    /// `BAD_USER_INPUT`.
    pub vehicles: Vehicles, // schema.graphql:137:5
}

/// The arguments of `Mutation.updateVehicle(id: ID!, changes: VehicleChanges!, expectedVersion: Int)`.
#[derive(Clone, Debug)]
pub struct MutationUpdateVehicleArguments<Id, Changes, ExpectedVersion> { // schema.graphql:148:3
    /// The `id` of the vehicle.
    pub id: Id, // schema.graphql:150:5
    /// The new values. `{}` changes nothing.
    pub changes: Changes, // schema.graphql:153:5
    /// The version on which the change is based, at least 1. If the vehicle has another one, and not already the new
    /// values, the change is refused with the code `CONFLICT` and `extensions.conflict`, `{expectedVersion,
    /// currentVersion}`. Omitted and null change every version: of concurrent changes the last one counts.
    pub expected_version: ExpectedVersion, // schema.graphql:160:5
}

/// The arguments of `Mutation.deleteVehicle(id: ID!, expectedVersion: Int)`.
#[derive(Clone, Debug)]
pub struct MutationDeleteVehicleArguments<Id, ExpectedVersion> { // schema.graphql:167:3
    /// The `id` of the vehicle.
    pub id: Id, // schema.graphql:169:5
    /// The version to be deleted, at least 1. If the vehicle has another one, the deletion is refused with the code
    /// `CONFLICT` and `extensions.conflict`, `{expectedVersion, currentVersion}`. Omitted and null delete every version.
    pub expected_version: ExpectedVersion, // schema.graphql:175:5
}

/// The mutations.
pub struct Mutation<R>(pub R);

/// A vehicle to be created. The rules are those of `createVehicle`.
#[derive(Clone, Debug, PartialEq)]
pub struct NewVehicle { // schema.graphql:180:7
    /// The kind of vehicle. 1 to 255 characters, not blank (not only white space).
    pub r#type: String, // schema.graphql:182:3
    /// The manufacturer's code of the model. 1 to 255 characters, not blank (not only white space).
    pub model_code: String, // schema.graphql:185:3
    /// The brand. Up to 255 characters, possibly empty. Omitted and null mean none.
    pub brand_name: Option<String>, // schema.graphql:188:3
    /// The launch date in the form `YYYY-MM-DD`, a calendar date from 1000-01-01 to 9999-12-31. Omitted and null mean none.
    pub launch_date: Option<String>, // schema.graphql:193:3
}

/// The new values of a vehicle. What is omitted keeps its value.
#[derive(Clone, Debug, PartialEq)]
pub struct VehicleChanges { // schema.graphql:197:7
    /// The kind of vehicle. 1 to 255 characters, not blank (not only white space). Null is refused.
    pub r#type: async_graphql::MaybeUndefined<String>, // schema.graphql:199:3
    /// The manufacturer's code of the model. 1 to 255 characters, not blank (not only white space). Null is refused.
    pub model_code: async_graphql::MaybeUndefined<String>, // schema.graphql:202:3
    /// The brand. Up to 255 characters, possibly empty. Null removes it.
    pub brand_name: async_graphql::MaybeUndefined<String>, // schema.graphql:205:3
    /// The launch date in the form `YYYY-MM-DD`, a calendar date from 1000-01-01 to 9999-12-31. Null removes it.
    pub launch_date: async_graphql::MaybeUndefined<String>, // schema.graphql:210:3
}

/// The conditions that a vehicle must all meet. A field that is omitted or null is no condition. At most one of `type`,
/// `modelCode` and `brandName` is allowed; more are refused with the code `BAD_USER_INPUT`.
///
/// Texts are compared byte for byte. A text that no vehicle can have is met by no vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct VehicleFilter { // schema.graphql:221:7
    /// The vehicle has this `type`.
    pub r#type: Option<String>, // schema.graphql:223:3
    /// The vehicle has this `modelCode`.
    pub model_code: Option<String>, // schema.graphql:226:3
    /// The vehicle has this `brandName`. The empty text is a brand name, not the absence of one.
    pub brand_name: Option<String>, // schema.graphql:229:3
    /// The vehicle has this `launchDate` or a later one: `YYYY-MM-DD`, a calendar date from 1000-01-01 to 9999-12-31. Other
    /// texts are refused with the code `BAD_USER_INPUT`.
    pub launched_from: Option<String>, // schema.graphql:235:3
    /// The vehicle has this `launchDate` or an earlier one: `YYYY-MM-DD`, a calendar date from 1000-01-01 to 9999-12-31.
    /// Other texts are refused with the code `BAD_USER_INPUT`.
    pub launched_until: Option<String>, // schema.graphql:241:3
}

/// The order of the vehicles on pages.
///
/// Vehicles with the same launch date are ordered by `id` in the same direction. Those without a launch date are last in
/// both directions.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum VehicleOrder { // schema.graphql:250:6
    /// By `id`, lowest first.
    IdAsc, // schema.graphql:252:3
    /// By `id`, highest first.
    IdDesc, // schema.graphql:255:3
    /// By `launchDate`, earliest first.
    LaunchDateAsc, // schema.graphql:258:3
    /// By `launchDate`, latest first.
    LaunchDateDesc, // schema.graphql:261:3
}

/// Resolves the type `VehicleConnection` of the contract.
///
/// A page of vehicles.
pub trait VehicleConnectionResolver { // schema.graphql:265:6
    /// The vehicles of the page in order, each with its cursor.
    fn edges(&self) -> Vec<crate::graphql::PagedVehicle>; // schema.graphql:267:3
    /// The vehicles of the page in order.
    fn nodes(&self) -> Vec<crate::graphql::SharedVehicle>; // schema.graphql:270:3
    /// The position of the page.
    fn page_info(&self) -> PageInfo; // schema.graphql:273:3
}

/// Resolves the type `VehicleEdge` of the contract.
///
/// A vehicle on a page.
pub trait VehicleEdgeResolver { // schema.graphql:277:6
    /// The position of the vehicle in the order of the pages, as a value of the argument `after`.
    fn cursor(&self) -> ::engine::runtime::Text<'_>; // schema.graphql:279:3
    /// The vehicle.
    fn node(&self) -> crate::graphql::SharedVehicle; // schema.graphql:282:3
}

/// The position of a page.
#[derive(Clone, Debug)]
pub struct PageInfo { // schema.graphql:286:6
    /// Whether a vehicle follows the page: with `after: endCursor` it is on the next one.
    pub has_next_page: bool, // schema.graphql:288:3
    /// Whether the page was requested with the argument `after`.
    pub has_previous_page: bool, // schema.graphql:291:3
    /// The cursor of the first vehicle on the page. Null if the page is empty.
    pub start_cursor: Option<String>, // schema.graphql:294:3
    /// The cursor of the last vehicle on the page. Null if the page is empty.
    pub end_cursor: Option<String>, // schema.graphql:297:3
}

impl ::engine::runtime::Object for crate::graphql::SharedVehicle {
    const NAME: &'static str = "Vehicle";
    const FIELDS: &'static [&'static str] = &[
        "id",
        "type",
        "modelCode",
        "brandName",
        "launchDate",
        "version",
    ];
    const CONDITIONS: &'static [&'static str] = &["Vehicle"];
}

impl ::engine::runtime::Plain for crate::graphql::SharedVehicle {
    fn write(
        &self,
        plan: &::engine::runtime::Plan,
        json: &mut ::engine::runtime::JsonWriter,
    ) {
        use ::engine::runtime::Plain;
        ::engine::runtime::write_object::<
            Self,
        >(
            plan,
            json,
            |field, plan, json| match field {
                0usize => Plain::write(&VehicleResolver::id(self), plan, json),
                1usize => Plain::write(&VehicleResolver::r#type(self), plan, json),
                2usize => Plain::write(&VehicleResolver::model_code(self), plan, json),
                3usize => Plain::write(&VehicleResolver::brand_name(self), plan, json),
                4usize => Plain::write(&VehicleResolver::launch_date(self), plan, json),
                5usize => Plain::write(&VehicleResolver::version(self), plan, json),
                _ => {}
            },
        );
    }
}

impl<R: QueryResolver> ::engine::runtime::Object for Query<R> {
    const NAME: &'static str = "Query";
    const FIELDS: &'static [&'static str] = &[
        "vehicles",
        "vehicle",
        "vehiclesConnection",
    ];
    const CONDITIONS: &'static [&'static str] = &["Query"];
    const HAS_RESOLVERS: bool = true;
    fn plan_field(
        planner: &::engine::runtime::Planner<'_>,
        field: usize,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        match field {
            0usize => {
                <crate::graphql::SharedVehicle as ::engine::runtime::Planned>::plan(
                    planner,
                    sets,
                )
            }
            1usize => {
                <crate::graphql::SharedVehicle as ::engine::runtime::Planned>::plan(
                    planner,
                    sets,
                )
            }
            2usize => {
                <crate::graphql::VehiclePage as ::engine::runtime::Planned>::plan(
                    planner,
                    sets,
                )
            }
            _ => ::engine::runtime::Plan::Leaf,
        }
    }
}

impl<R: QueryResolver> ::engine::runtime::Resolvers for Query<R> {
    async fn resolve_field(
        &self,
        field: usize,
        ctx: &::engine::Context<'_>,
    ) -> ::engine::runtime::ServerResult<Vec<u8>> {
        async fn resolve_vehicles<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = QueryVehiclesArguments {
                count: ctx.argument("count", None)?,
            };
            let value = QueryResolver::vehicles(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_vehicle<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = QueryVehicleArguments {
                id: ctx.argument("id", None)?,
            };
            let value = QueryResolver::vehicle(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_vehicles_connection<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = QueryVehiclesConnectionArguments {
                filter: ctx.argument("filter", None)?,
                order_by: ctx.argument("orderBy", None)?,
                first: ctx.argument("first", Some(|| Some(50)))?,
                after: ctx.argument("after", None)?,
            };
            let value = QueryResolver::vehicles_connection(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        match field {
            0usize => Ok(ctx.nullable(resolve_vehicles(&self.0, ctx).await)),
            1usize => Ok(ctx.nullable(resolve_vehicle(&self.0, ctx).await)),
            2usize => Ok(ctx.nullable(resolve_vehicles_connection(&self.0, ctx).await)),
            _ => Ok(b"null".to_vec()),
        }
    }
}

impl<R: MutationResolver> ::engine::runtime::Object for Mutation<R> {
    const NAME: &'static str = "Mutation";
    const FIELDS: &'static [&'static str] = &[
        "createVehicle",
        "createVehicles",
        "updateVehicle",
        "deleteVehicle",
    ];
    const CONDITIONS: &'static [&'static str] = &["Mutation"];
    const HAS_RESOLVERS: bool = true;
    fn plan_field(
        planner: &::engine::runtime::Planner<'_>,
        field: usize,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        match field {
            0usize => {
                <crate::graphql::SharedVehicle as ::engine::runtime::Planned>::plan(
                    planner,
                    sets,
                )
            }
            1usize => {
                <crate::graphql::SharedVehicle as ::engine::runtime::Planned>::plan(
                    planner,
                    sets,
                )
            }
            2usize => {
                <crate::graphql::SharedVehicle as ::engine::runtime::Planned>::plan(
                    planner,
                    sets,
                )
            }
            3usize => {
                <crate::graphql::SharedVehicle as ::engine::runtime::Planned>::plan(
                    planner,
                    sets,
                )
            }
            _ => ::engine::runtime::Plan::Leaf,
        }
    }
}

impl<R: MutationResolver> ::engine::runtime::Resolvers for Mutation<R> {
    async fn resolve_field(
        &self,
        field: usize,
        ctx: &::engine::Context<'_>,
    ) -> ::engine::runtime::ServerResult<Vec<u8>> {
        async fn resolve_create_vehicle<R: MutationResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = MutationCreateVehicleArguments {
                r#type: ctx.argument("type", None)?,
                model_code: ctx.argument("modelCode", None)?,
                brand_name: ctx.argument("brandName", None)?,
                launch_date: ctx.argument("launchDate", None)?,
            };
            let value = MutationResolver::create_vehicle(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_create_vehicles<R: MutationResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = MutationCreateVehiclesArguments {
                vehicles: ctx.argument("vehicles", None)?,
            };
            let value = MutationResolver::create_vehicles(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_update_vehicle<R: MutationResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = MutationUpdateVehicleArguments {
                id: ctx.argument("id", None)?,
                changes: ctx.argument("changes", None)?,
                expected_version: ctx.argument("expectedVersion", None)?,
            };
            let value = MutationResolver::update_vehicle(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_delete_vehicle<R: MutationResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = MutationDeleteVehicleArguments {
                id: ctx.argument("id", None)?,
                expected_version: ctx.argument("expectedVersion", None)?,
            };
            let value = MutationResolver::delete_vehicle(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        match field {
            0usize => Ok(ctx.nullable(resolve_create_vehicle(&self.0, ctx).await)),
            1usize => Ok(ctx.nullable(resolve_create_vehicles(&self.0, ctx).await)),
            2usize => Ok(ctx.nullable(resolve_update_vehicle(&self.0, ctx).await)),
            3usize => Ok(ctx.nullable(resolve_delete_vehicle(&self.0, ctx).await)),
            _ => Ok(b"null".to_vec()),
        }
    }
}

impl ::engine::runtime::Input for NewVehicle {
    fn parse(
        value: Option<::engine::runtime::Value>,
    ) -> Result<Self, ::engine::InputError> {
        let mut members = ::engine::runtime::members("NewVehicle", value)?;
        Ok(Self {
            r#type: ::engine::runtime::member(&mut members, "type", None)?,
            model_code: ::engine::runtime::member(&mut members, "modelCode", None)?,
            brand_name: ::engine::runtime::member(&mut members, "brandName", None)?,
            launch_date: ::engine::runtime::member(&mut members, "launchDate", None)?,
        })
    }
}

impl ::engine::runtime::Input for VehicleChanges {
    fn parse(
        value: Option<::engine::runtime::Value>,
    ) -> Result<Self, ::engine::InputError> {
        let mut members = ::engine::runtime::members("VehicleChanges", value)?;
        Ok(Self {
            r#type: ::engine::runtime::member(&mut members, "type", None)?,
            model_code: ::engine::runtime::member(&mut members, "modelCode", None)?,
            brand_name: ::engine::runtime::member(&mut members, "brandName", None)?,
            launch_date: ::engine::runtime::member(&mut members, "launchDate", None)?,
        })
    }
}

impl ::engine::runtime::Input for VehicleFilter {
    fn parse(
        value: Option<::engine::runtime::Value>,
    ) -> Result<Self, ::engine::InputError> {
        let mut members = ::engine::runtime::members("VehicleFilter", value)?;
        Ok(Self {
            r#type: ::engine::runtime::member(&mut members, "type", None)?,
            model_code: ::engine::runtime::member(&mut members, "modelCode", None)?,
            brand_name: ::engine::runtime::member(&mut members, "brandName", None)?,
            launched_from: ::engine::runtime::member(
                &mut members,
                "launchedFrom",
                None,
            )?,
            launched_until: ::engine::runtime::member(
                &mut members,
                "launchedUntil",
                None,
            )?,
        })
    }
}

impl ::engine::runtime::Input for VehicleOrder {
    fn parse(
        value: Option<::engine::runtime::Value>,
    ) -> Result<Self, ::engine::InputError> {
        ::engine::runtime::enum_value(
            "VehicleOrder",
            value,
            &[
                ("ID_ASC", Self::IdAsc),
                ("ID_DESC", Self::IdDesc),
                ("LAUNCH_DATE_ASC", Self::LaunchDateAsc),
                ("LAUNCH_DATE_DESC", Self::LaunchDateDesc),
            ],
        )
    }
}

impl VehicleOrder {
    /// The name of the value in the contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::IdAsc => "ID_ASC",
            Self::IdDesc => "ID_DESC",
            Self::LaunchDateAsc => "LAUNCH_DATE_ASC",
            Self::LaunchDateDesc => "LAUNCH_DATE_DESC",
        }
    }
}

impl ::engine::runtime::Plain for VehicleOrder {
    const INFALLIBLE: bool = true;
    fn write(
        &self,
        _: &::engine::runtime::Plan,
        json: &mut ::engine::runtime::JsonWriter,
    ) {
        json.text(self.as_str());
    }
}

impl ::engine::runtime::Object for crate::graphql::VehiclePage {
    const NAME: &'static str = "VehicleConnection";
    const FIELDS: &'static [&'static str] = &["edges", "nodes", "pageInfo"];
    const CONDITIONS: &'static [&'static str] = &["VehicleConnection"];
    fn plan_field(
        planner: &::engine::runtime::Planner<'_>,
        field: usize,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        match field {
            0usize => {
                <crate::graphql::PagedVehicle as ::engine::runtime::Planned>::plan(
                    planner,
                    sets,
                )
            }
            1usize => {
                <crate::graphql::SharedVehicle as ::engine::runtime::Planned>::plan(
                    planner,
                    sets,
                )
            }
            2usize => <PageInfo as ::engine::runtime::Planned>::plan(planner, sets),
            _ => ::engine::runtime::Plan::Leaf,
        }
    }
}

impl ::engine::runtime::Plain for crate::graphql::VehiclePage {
    fn write(
        &self,
        plan: &::engine::runtime::Plan,
        json: &mut ::engine::runtime::JsonWriter,
    ) {
        use ::engine::runtime::Plain;
        ::engine::runtime::write_object::<
            Self,
        >(
            plan,
            json,
            |field, plan, json| match field {
                0usize => {
                    Plain::write(&VehicleConnectionResolver::edges(self), plan, json)
                }
                1usize => {
                    Plain::write(&VehicleConnectionResolver::nodes(self), plan, json)
                }
                2usize => {
                    Plain::write(&VehicleConnectionResolver::page_info(self), plan, json)
                }
                _ => {}
            },
        );
    }
}

impl ::engine::runtime::Object for crate::graphql::PagedVehicle {
    const NAME: &'static str = "VehicleEdge";
    const FIELDS: &'static [&'static str] = &["cursor", "node"];
    const CONDITIONS: &'static [&'static str] = &["VehicleEdge"];
    fn plan_field(
        planner: &::engine::runtime::Planner<'_>,
        field: usize,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        match field {
            1usize => {
                <crate::graphql::SharedVehicle as ::engine::runtime::Planned>::plan(
                    planner,
                    sets,
                )
            }
            _ => ::engine::runtime::Plan::Leaf,
        }
    }
}

impl ::engine::runtime::Plain for crate::graphql::PagedVehicle {
    fn write(
        &self,
        plan: &::engine::runtime::Plan,
        json: &mut ::engine::runtime::JsonWriter,
    ) {
        use ::engine::runtime::Plain;
        ::engine::runtime::write_object::<
            Self,
        >(
            plan,
            json,
            |field, plan, json| match field {
                0usize => Plain::write(&VehicleEdgeResolver::cursor(self), plan, json),
                1usize => Plain::write(&VehicleEdgeResolver::node(self), plan, json),
                _ => {}
            },
        );
    }
}

impl ::engine::runtime::Object for PageInfo {
    const NAME: &'static str = "PageInfo";
    const FIELDS: &'static [&'static str] = &[
        "hasNextPage",
        "hasPreviousPage",
        "startCursor",
        "endCursor",
    ];
    const CONDITIONS: &'static [&'static str] = &["PageInfo"];
}

impl ::engine::runtime::Plain for PageInfo {
    fn write(
        &self,
        plan: &::engine::runtime::Plan,
        json: &mut ::engine::runtime::JsonWriter,
    ) {
        use ::engine::runtime::Plain;
        ::engine::runtime::write_object::<
            Self,
        >(
            plan,
            json,
            |field, plan, json| match field {
                0usize => Plain::write(&self.has_next_page, plan, json),
                1usize => Plain::write(&self.has_previous_page, plan, json),
                2usize => Plain::write(&self.start_cursor, plan, json),
                3usize => Plain::write(&self.end_cursor, plan, json),
                _ => {}
            },
        );
    }
}

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:14:16
    panic!(
        "schema.graphql:14:16: Vehicle.type has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is another number; correct one of them"
    )
};

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:17:21
    panic!(
        "schema.graphql:17:21: Vehicle.modelCode has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is another number; correct one of them"
    )
};

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:20:21
    panic!(
        "schema.graphql:20:21: Vehicle.brandName has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is another number; correct one of them"
    )
};

const _: () = {
    let _: fn(&str) -> Result<_, _> = crate::catalogue::LaunchDate::parse; // schema.graphql:26:22
};

const _: () = if crate::catalogue::MIN_COUNT != 0 { // schema.graphql:49:16
    panic!(
        "schema.graphql:49:16: Query.vehicles(count:) has min: 0, but crate::catalogue::MIN_COUNT is another number; correct one of them"
    )
};

const _: () = if crate::catalogue::PageRequest::MIN_SIZE != 1 { // schema.graphql:86:21
    panic!(
        "schema.graphql:86:21: Query.vehiclesConnection(first:) has min: 1, but crate::catalogue::PageRequest::MIN_SIZE is another number; correct one of them"
    )
};

const _: () = if crate::catalogue::MIN_CHARACTERS != 1 { // schema.graphql:108:19
    panic!(
        "schema.graphql:108:19: Mutation.createVehicle(type:) has minLength: 1, but crate::catalogue::MIN_CHARACTERS is another number; correct one of them"
    )
};

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:108:19
    panic!(
        "schema.graphql:108:19: Mutation.createVehicle(type:) has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is another number; correct one of them"
    )
};

const _: () = if crate::catalogue::MIN_CHARACTERS != 1 { // schema.graphql:111:24
    panic!(
        "schema.graphql:111:24: Mutation.createVehicle(modelCode:) has minLength: 1, but crate::catalogue::MIN_CHARACTERS is another number; correct one of them"
    )
};

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:111:24
    panic!(
        "schema.graphql:111:24: Mutation.createVehicle(modelCode:) has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is another number; correct one of them"
    )
};

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:114:23
    panic!(
        "schema.graphql:114:23: Mutation.createVehicle(brandName:) has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is another number; correct one of them"
    )
};

const _: () = if crate::catalogue::MIN_ITEMS != 1 { // schema.graphql:137:30
    panic!(
        "schema.graphql:137:30: Mutation.createVehicles(vehicles:) has minItems: 1, but crate::catalogue::MIN_ITEMS is another number; correct one of them"
    )
};

const _: () = if crate::catalogue::FIRST_VERSION != 1 { // schema.graphql:160:26
    panic!(
        "schema.graphql:160:26: Mutation.updateVehicle(expectedVersion:) has min: 1, but crate::catalogue::FIRST_VERSION is another number; correct one of them"
    )
};

const _: () = if crate::catalogue::FIRST_VERSION != 1 { // schema.graphql:175:26
    panic!(
        "schema.graphql:175:26: Mutation.deleteVehicle(expectedVersion:) has min: 1, but crate::catalogue::FIRST_VERSION is another number; correct one of them"
    )
};

const _: () = if crate::catalogue::MIN_CHARACTERS != 1 { // schema.graphql:182:17
    panic!(
        "schema.graphql:182:17: NewVehicle.type has minLength: 1, but crate::catalogue::MIN_CHARACTERS is another number; correct one of them"
    )
};

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:182:17
    panic!(
        "schema.graphql:182:17: NewVehicle.type has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is another number; correct one of them"
    )
};

const _: () = if crate::catalogue::MIN_CHARACTERS != 1 { // schema.graphql:185:22
    panic!(
        "schema.graphql:185:22: NewVehicle.modelCode has minLength: 1, but crate::catalogue::MIN_CHARACTERS is another number; correct one of them"
    )
};

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:185:22
    panic!(
        "schema.graphql:185:22: NewVehicle.modelCode has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is another number; correct one of them"
    )
};

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:188:21
    panic!(
        "schema.graphql:188:21: NewVehicle.brandName has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is another number; correct one of them"
    )
};

const _: () = if crate::catalogue::MIN_CHARACTERS != 1 { // schema.graphql:199:16
    panic!(
        "schema.graphql:199:16: VehicleChanges.type has minLength: 1, but crate::catalogue::MIN_CHARACTERS is another number; correct one of them"
    )
};

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:199:16
    panic!(
        "schema.graphql:199:16: VehicleChanges.type has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is another number; correct one of them"
    )
};

const _: () = if crate::catalogue::MIN_CHARACTERS != 1 { // schema.graphql:202:21
    panic!(
        "schema.graphql:202:21: VehicleChanges.modelCode has minLength: 1, but crate::catalogue::MIN_CHARACTERS is another number; correct one of them"
    )
};

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:202:21
    panic!(
        "schema.graphql:202:21: VehicleChanges.modelCode has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is another number; correct one of them"
    )
};

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:205:21
    panic!(
        "schema.graphql:205:21: VehicleChanges.brandName has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is another number; correct one of them"
    )
};

/// The schema that this code serves.
#[allow(dead_code, reason = "not every crate prints it")]
pub const SDL: &str = "schema {\n  query: Query\n  mutation: Mutation\n}\n\n\"\"\"\nThe rule for an argument, for a field of an input object, or for the values that a field returns. Null meets every rule,\nand what a description says in addition also applies. Arguments that violate a rule are refused with the code\n`BAD_USER_INPUT`.\n\"\"\"\ndirective @constraint(\n  \"\"\"The minimum length of a text in characters (Unicode scalar values).\"\"\"\n  minLength: Int,\n  \"\"\"The maximum length of a text in characters (Unicode scalar values).\"\"\"\n  maxLength: Int,\n  \"\"\"The regular expression that a text matches.\"\"\"\n  pattern: String,\n  \"\"\"\n  The format of a text. `date` is `YYYY-MM-DD`, the form `full-date` of RFC 3339.\n  \"\"\"\n  format: String,\n  \"\"\"The minimum of a number.\"\"\"\n  min: Float,\n  \"\"\"The maximum of a number.\"\"\"\n  max: Float,\n  \"\"\"The minimum number of items of a list.\"\"\"\n  minItems: Int,\n  \"\"\"The maximum number of items of a list.\"\"\"\n  maxItems: Int,\n) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | FIELD_DEFINITION\n\n\"\"\"\nA vehicle of the catalogue.\n\nEvery field has the value as it was given, byte for byte: nothing is trimmed, normalised or changed in case.\n\"\"\"\ntype Vehicle {\n  \"\"\"\n  The identifier that the database generated: an integer from 1 to 9223372036854775807 in decimal without sign or\n  leading zeros. It never changes and is never reused, not even after the vehicle was deleted.\n  \"\"\"\n  id: ID!\n  \"\"\"\n  The kind of vehicle, for example `SUV`. 1 to 255 characters, not blank.\n  \"\"\"\n  type: String @constraint(maxLength: 255)\n  \"\"\"\n  The manufacturer's code of the model, for example `XC60`. 1 to 255 characters, not blank.\n  \"\"\"\n  modelCode: String @constraint(maxLength: 255)\n  \"\"\"\n  The brand. Up to 255 characters; null if none was given.\n  \"\"\"\n  brandName: String @constraint(maxLength: 255)\n  \"\"\"\n  The launch date in the form `YYYY-MM-DD`: a calendar date without time of day or time zone, from 1000-01-01 to\n  9999-12-31. Null if none was given.\n  \"\"\"\n  launchDate: String @constraint(format: \"date\")\n  \"\"\"\n  1 when the vehicle was created, one more after each change.\n  \"\"\"\n  version: Int!\n}\n\n\"\"\"\nThe queries. They have no side effects.\n\"\"\"\ntype Query {\n  \"\"\"\n  The vehicles in ascending order of `id`.\n\n  The list and its items are null only if `errors` has the reason.\n  \"\"\"\n  vehicles(\n    \"\"\"\n    The maximum number of vehicles, from 0 (an empty list) to the list limit of the server (1000 by default). Other\n    numbers are refused with the code `BAD_USER_INPUT`.\n\n    If it is omitted or null, the list ends at the limit, and if there are more vehicles, the response has\n    `extensions.truncated`, a list of `{path, returned, limit}`.\n    \"\"\"\n    count: Int @constraint(min: 0)\n  ): [Vehicle]\n  \"\"\"\n  The vehicle with this `id`, or null, without an error, if there is none.\n  \"\"\"\n  vehicle(\n    \"\"\"\n    The `id` of the vehicle. A text that does not have the form of `Vehicle.id` is the id of no vehicle. Omitted and\n    null are refused with the code `BAD_USER_INPUT`.\n    \"\"\"\n    id: ID\n  ): Vehicle\n  \"\"\"\n  The vehicles, page by page. Null only if `errors` has the reason.\n\n  The cost of a page depends neither on its position nor on the number of vehicles. A vehicle that is present from the\n  first page to the last is on exactly one page in an order by `id`; in an order by launch date also, unless its launch\n  date changes in between. `id`s are assigned before vehicles are stored, so a vehicle can be stored with an `id` that\n  is lower than that of a page already read.\n  \"\"\"\n  vehiclesConnection(\n    \"\"\"\n    The conditions that the vehicles meet. Omitted, null and `{}` mean all vehicles.\n    \"\"\"\n    filter: VehicleFilter\n    \"\"\"\n    The order of the vehicles. Omitted and null mean `LAUNCH_DATE_ASC` if `filter` has a condition, else `ID_ASC`. A\n    condition with an order by `id` is refused with the code `BAD_USER_INPUT`.\n    \"\"\"\n    orderBy: VehicleOrder\n    \"\"\"\n    The maximum number of vehicles on the page, from 1 to the list limit of the server (1000 by default). Other numbers\n    are refused with the code `BAD_USER_INPUT`. Null means the default. If the list limit is lower than the default, the\n    default means the list limit.\n    \"\"\"\n    first: Int = 50 @constraint(min: 1)\n    \"\"\"\n    A `cursor`, `startCursor` or `endCursor` of this field in the same order: the page starts after its vehicle, whether\n    or not that still exists. Other texts are refused with the code `BAD_USER_INPUT`. Omitted and null mean the first\n    page.\n    \"\"\"\n    after: String\n  ): VehicleConnection\n}\n\n\"\"\"\nThe mutations.\n\"\"\"\ntype Mutation {\n  \"\"\"\n  Creates a vehicle and returns it as stored. It is stored durably before the response is sent.\n\n  Lengths count characters (Unicode scalar values). No text may contain the character U+0000. All arguments that violate\n  a rule are reported in one error with the code `BAD_USER_INPUT` and the list `extensions.violations` of `{argument,\n  rule, message}`; then nothing is stored.\n  \"\"\"\n  createVehicle(\n    \"\"\"\n    The kind of vehicle. 1 to 255 characters, not blank (not only white space).\n    \"\"\"\n    type: String! @constraint(minLength: 1, maxLength: 255)\n    \"\"\"\n    The manufacturer's code of the model. 1 to 255 characters, not blank (not only white space).\n    \"\"\"\n    modelCode: String! @constraint(minLength: 1, maxLength: 255)\n    \"\"\"\n    The brand. Up to 255 characters, possibly empty. Omitted and null mean none.\n    \"\"\"\n    brandName: String @constraint(maxLength: 255)\n    \"\"\"\n    The launch date in the form `YYYY-MM-DD`, a calendar date from 1000-01-01 to 9999-12-31. Omitted and null mean none.\n    \"\"\"\n    launchDate: String @constraint(format: \"date\")\n  ): Vehicle\n  \"\"\"\n  Creates all of the vehicles or none, and returns them as stored, in the order given. They are stored durably before\n  the response is sent.\n\n  All values that violate a rule are reported in one error with the code `BAD_USER_INPUT` and the list\n  `extensions.violations`, for example for the argument `vehicles[3].modelCode`; then nothing is stored.\n  \"\"\"\n  createVehicles(\n    \"\"\"\n    The vehicles, from 1 to the bulk limit of the server (100 by default). Other numbers are refused with the code\n    `BAD_USER_INPUT`.\n    \"\"\"\n    vehicles: [NewVehicle!]! @constraint(minItems: 1)\n  ): [Vehicle!]\n  \"\"\"\n  Changes a vehicle and returns it as stored. It is stored durably before the response is sent. A change to what the\n  vehicle already is changes nothing, its version included.\n\n  All values that violate a rule are reported in one error with the code `BAD_USER_INPUT`, as for `createVehicle`, for\n  example for the argument `changes.modelCode`. Without violations, an `id` of no vehicle is refused with the code\n  `NOT_FOUND`.\n  \"\"\"\n  updateVehicle(\n    \"\"\"\n    The `id` of the vehicle.\n    \"\"\"\n    id: ID!\n    \"\"\"\n    The new values. `{}` changes nothing.\n    \"\"\"\n    changes: VehicleChanges!\n    \"\"\"\n    The version on which the change is based, at least 1. If the vehicle has another one, and not already the new\n    values, the change is refused with the code `CONFLICT` and `extensions.conflict`, `{expectedVersion,\n    currentVersion}`. Omitted and null change every version: of concurrent changes the last one counts.\n    \"\"\"\n    expectedVersion: Int @constraint(min: 1)\n  ): Vehicle\n  \"\"\"\n  Deletes a vehicle and returns it as it was. The deletion is stored durably before the response is sent. Null, without\n  an error, if there is no vehicle with this `id`.\n  \"\"\"\n  deleteVehicle(\n    \"\"\"\n    The `id` of the vehicle.\n    \"\"\"\n    id: ID!\n    \"\"\"\n    The version to be deleted, at least 1. If the vehicle has another one, the deletion is refused with the code\n    `CONFLICT` and `extensions.conflict`, `{expectedVersion, currentVersion}`. Omitted and null delete every version.\n    \"\"\"\n    expectedVersion: Int @constraint(min: 1)\n  ): Vehicle\n}\n\n\"\"\"\nA vehicle to be created. The rules are those of `createVehicle`.\n\"\"\"\ninput NewVehicle {\n  \"\"\"\n  The kind of vehicle. 1 to 255 characters, not blank (not only white space).\n  \"\"\"\n  type: String! @constraint(minLength: 1, maxLength: 255)\n  \"\"\"\n  The manufacturer's code of the model. 1 to 255 characters, not blank (not only white space).\n  \"\"\"\n  modelCode: String! @constraint(minLength: 1, maxLength: 255)\n  \"\"\"\n  The brand. Up to 255 characters, possibly empty. Omitted and null mean none.\n  \"\"\"\n  brandName: String @constraint(maxLength: 255)\n  \"\"\"\n  The launch date in the form `YYYY-MM-DD`, a calendar date from 1000-01-01 to 9999-12-31. Omitted and null mean none.\n  \"\"\"\n  launchDate: String @constraint(format: \"date\")\n}\n\n\"\"\"\nThe new values of a vehicle. What is omitted keeps its value.\n\"\"\"\ninput VehicleChanges {\n  \"\"\"\n  The kind of vehicle. 1 to 255 characters, not blank (not only white space). Null is refused.\n  \"\"\"\n  type: String @constraint(minLength: 1, maxLength: 255)\n  \"\"\"\n  The manufacturer's code of the model. 1 to 255 characters, not blank (not only white space). Null is refused.\n  \"\"\"\n  modelCode: String @constraint(minLength: 1, maxLength: 255)\n  \"\"\"\n  The brand. Up to 255 characters, possibly empty. Null removes it.\n  \"\"\"\n  brandName: String @constraint(maxLength: 255)\n  \"\"\"\n  The launch date in the form `YYYY-MM-DD`, a calendar date from 1000-01-01 to 9999-12-31. Null removes it.\n  \"\"\"\n  launchDate: String @constraint(format: \"date\")\n}\n\n\"\"\"\nThe conditions that a vehicle must all meet. A field that is omitted or null is no condition. At most one of `type`,\n`modelCode` and `brandName` is allowed; more are refused with the code `BAD_USER_INPUT`.\n\nTexts are compared byte for byte. A text that no vehicle can have is met by no vehicle.\n\"\"\"\ninput VehicleFilter {\n  \"\"\"\n  The vehicle has this `type`.\n  \"\"\"\n  type: String\n  \"\"\"\n  The vehicle has this `modelCode`.\n  \"\"\"\n  modelCode: String\n  \"\"\"\n  The vehicle has this `brandName`. The empty text is a brand name, not the absence of one.\n  \"\"\"\n  brandName: String\n  \"\"\"\n  The vehicle has this `launchDate` or a later one: `YYYY-MM-DD`, a calendar date from 1000-01-01 to 9999-12-31. Other\n  texts are refused with the code `BAD_USER_INPUT`.\n  \"\"\"\n  launchedFrom: String @constraint(format: \"date\")\n  \"\"\"\n  The vehicle has this `launchDate` or an earlier one: `YYYY-MM-DD`, a calendar date from 1000-01-01 to 9999-12-31.\n  Other texts are refused with the code `BAD_USER_INPUT`.\n  \"\"\"\n  launchedUntil: String @constraint(format: \"date\")\n}\n\n\"\"\"\nThe order of the vehicles on pages.\n\nVehicles with the same launch date are ordered by `id` in the same direction. Those without a launch date are last in\nboth directions.\n\"\"\"\nenum VehicleOrder {\n  \"\"\"\n  By `id`, lowest first.\n  \"\"\"\n  ID_ASC\n  \"\"\"\n  By `id`, highest first.\n  \"\"\"\n  ID_DESC\n  \"\"\"\n  By `launchDate`, earliest first.\n  \"\"\"\n  LAUNCH_DATE_ASC\n  \"\"\"\n  By `launchDate`, latest first.\n  \"\"\"\n  LAUNCH_DATE_DESC\n}\n\n\"\"\"\nA page of vehicles.\n\"\"\"\ntype VehicleConnection {\n  \"\"\"\n  The vehicles of the page in order, each with its cursor.\n  \"\"\"\n  edges: [VehicleEdge!]!\n  \"\"\"\n  The vehicles of the page in order.\n  \"\"\"\n  nodes: [Vehicle!]!\n  \"\"\"\n  The position of the page.\n  \"\"\"\n  pageInfo: PageInfo!\n}\n\n\"\"\"\nA vehicle on a page.\n\"\"\"\ntype VehicleEdge {\n  \"\"\"\n  The position of the vehicle in the order of the pages, as a value of the argument `after`.\n  \"\"\"\n  cursor: String!\n  \"\"\"\n  The vehicle.\n  \"\"\"\n  node: Vehicle!\n}\n\n\"\"\"\nThe position of a page.\n\"\"\"\ntype PageInfo {\n  \"\"\"\n  Whether a vehicle follows the page: with `after: endCursor` it is on the next one.\n  \"\"\"\n  hasNextPage: Boolean!\n  \"\"\"\n  Whether the page was requested with the argument `after`.\n  \"\"\"\n  hasPreviousPage: Boolean!\n  \"\"\"\n  The cursor of the first vehicle on the page. Null if the page is empty.\n  \"\"\"\n  startCursor: String\n  \"\"\"\n  The cursor of the last vehicle on the page. Null if the page is empty.\n  \"\"\"\n  endCursor: String\n}\n";
