// Generated from schema.graphql; do not edit. Each item names its line there.

/// Resolves the type `Vehicle` of the contract.
///
/// A vehicle of the catalogue.
///
/// Every field has the value as it was given, byte for byte: nothing is trimmed, normalised or changed in case.
pub trait VehicleResolver { // schema.graphql:17:6
    /// The identifier that the database generated: an integer from 1 to 9223372036854775807 in decimal without sign or
    /// leading zeros. It never changes and is never reused, not even after the vehicle was deleted.
    fn id(&self) -> support::Text<'_>; // schema.graphql:22:3
    /// The kind of vehicle, for example `SUV`. 1 to 255 characters, not blank.
    fn r#type(&self) -> Option<support::Text<'_>>; // schema.graphql:25:3
    /// The manufacturer's code of the model, for example `XC60`. 1 to 255 characters, not blank.
    fn model_code(&self) -> Option<support::Text<'_>>; // schema.graphql:28:3
    /// The brand. Up to 255 characters; null if none was given.
    fn brand_name(&self) -> Option<support::Text<'_>>; // schema.graphql:31:3
    /// The launch date in the form `YYYY-MM-DD`: a calendar date without time of day or time zone, from 1000-01-01 to
    /// 9999-12-31. Null if none was given.
    fn launch_date(&self) -> Option<support::Text<'_>>; // schema.graphql:37:3
    /// 1 when the vehicle was created, one more after each change.
    fn version(&self) -> i32; // schema.graphql:42:3
}

/// Resolves the type `Query` of the contract.
///
/// The queries. They have no side effects.
pub trait QueryResolver: Send + Sync { // schema.graphql:46:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// The vehicles in ascending order of `id`.
    ///
    /// The list and its items are null only if `errors` has the reason.
    fn vehicles( // schema.graphql:52:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryVehiclesArguments<Option<i32>>, // schema.graphql:52:3
    ) -> impl ::std::future::Future<Output = Result<Option<Vec<Option<crate::graphql::SharedVehicle>>>, Self::Error>> + Send; // schema.graphql:52:3
    /// The vehicle with this `id`, or null, without an error, if there is none.
    fn vehicle( // schema.graphql:64:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryVehicleArguments<Option<async_graphql::ID>>, // schema.graphql:64:3
    ) -> impl ::std::future::Future<Output = Result<Option<crate::graphql::SharedVehicle>, Self::Error>> + Send; // schema.graphql:64:3
    /// The vehicles, page by page. Null only if `errors` has the reason.
    ///
    /// The cost of a page depends neither on its position nor on the number of vehicles. A vehicle that is present from the
    /// first page to the last is on exactly one page in an order by `id`; in an order by launch date also, unless its launch
    /// date changes in between. `id`s are assigned before vehicles are stored, so a vehicle can be stored with an `id` that
    /// is lower than that of a page already read.
    fn vehicles_connection( // schema.graphql:82:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryVehiclesConnectionArguments<Option<VehicleFilter>, Option<VehicleOrder>, Option<i32>, Option<String>>, // schema.graphql:82:3
    ) -> impl ::std::future::Future<Output = Result<Option<crate::graphql::VehiclePage>, Self::Error>> + Send; // schema.graphql:82:3
}

/// The arguments of `Query.vehicles(count: Int)`.
#[derive(Clone, Debug)]
pub struct QueryVehiclesArguments<Count> { // schema.graphql:52:3
    /// The maximum number of vehicles, from 0 (an empty list) to the list limit of the server (1000 by default). Other
    /// numbers are refused with the code `BAD_USER_INPUT`.
    ///
    /// If it is omitted or null, the list ends at the limit, and if there are more vehicles, the response has
    /// `extensions.truncated`, a list of `{path, returned, limit}`.
    pub count: Count, // schema.graphql:60:5
}

/// The arguments of `Query.vehicle(id: ID)`.
#[derive(Clone, Debug)]
pub struct QueryVehicleArguments<Id> { // schema.graphql:64:3
    /// The `id` of the vehicle. A text that does not have the form of `Vehicle.id` is the id of no vehicle. Omitted and
    /// null are refused with the code `BAD_USER_INPUT`.
    pub id: Id, // schema.graphql:69:5
}

/// The arguments of `Query.vehiclesConnection(filter: VehicleFilter, orderBy: VehicleOrder, first: Int, after: String)`.
#[derive(Clone, Debug)]
pub struct QueryVehiclesConnectionArguments<Filter, OrderBy, First, After> { // schema.graphql:82:3
    /// The conditions that the vehicles meet. Omitted, null and `{}` mean all vehicles.
    pub filter: Filter, // schema.graphql:84:5
    /// The order of the vehicles. Omitted and null mean `LAUNCH_DATE_ASC` if `filter` has a condition, else `ID_ASC`. A
    /// condition with an order by `id` is refused with the code `BAD_USER_INPUT`.
    pub order_by: OrderBy, // schema.graphql:90:5
    /// The maximum number of vehicles on the page, from 1 to the list limit of the server (1000 by default). Other numbers
    /// are refused with the code `BAD_USER_INPUT`. Null means the default. If the list limit is lower than the default, the
    /// default means the list limit.
    pub first: First, // schema.graphql:97:5
    /// A `cursor`, `startCursor` or `endCursor` of this field in the same order: the page starts after its vehicle, whether
    /// or not that still exists. Other texts are refused with the code `BAD_USER_INPUT`. Omitted and null mean the first
    /// page.
    pub after: After, // schema.graphql:104:5
}

/// The queries. They have no side effects.
pub struct Query<R>(pub R); // schema.graphql:46:6

/// Resolves the type `Mutation` of the contract.
///
/// The mutations.
pub trait MutationResolver: Send + Sync { // schema.graphql:109:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// Creates a vehicle and returns it as stored. It is stored durably before the response is sent.
    ///
    /// Lengths count characters (Unicode scalar values). No text may contain the character U+0000. All arguments that violate
    /// a rule are reported in one error with the code `BAD_USER_INPUT` and the list `extensions.violations` of `{argument,
    /// rule, message}`; then nothing is stored.
    fn create_vehicle( // schema.graphql:117:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: MutationCreateVehicleArguments<String, String, Option<String>, Option<String>>, // schema.graphql:117:3
    ) -> impl ::std::future::Future<Output = Result<Option<crate::graphql::SharedVehicle>, Self::Error>> + Send; // schema.graphql:117:3
    /// Creates all of the vehicles or none, and returns them as stored, in the order given. They are stored durably before
    /// the response is sent.
    ///
    /// All values that violate a rule are reported in one error with the code `BAD_USER_INPUT` and the list
    /// `extensions.violations`, for example for the argument `vehicles[3].modelCode`; then nothing is stored.
    fn create_vehicles( // schema.graphql:142:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: MutationCreateVehiclesArguments<Vec<NewVehicle>>, // schema.graphql:142:3
    ) -> impl ::std::future::Future<Output = Result<Option<Vec<crate::graphql::SharedVehicle>>, Self::Error>> + Send; // schema.graphql:142:3
    /// Changes a vehicle and returns it as stored. It is stored durably before the response is sent. A change to what the
    /// vehicle already is changes nothing, its version included.
    ///
    /// All values that violate a rule are reported in one error with the code `BAD_USER_INPUT`, as for `createVehicle`, for
    /// example for the argument `changes.modelCode`. Without violations, an `id` of no vehicle is refused with the code
    /// `NOT_FOUND`.
    fn update_vehicle( // schema.graphql:158:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: MutationUpdateVehicleArguments<async_graphql::ID, VehicleChanges, Option<i32>>, // schema.graphql:158:3
    ) -> impl ::std::future::Future<Output = Result<Option<crate::graphql::SharedVehicle>, Self::Error>> + Send; // schema.graphql:158:3
    /// Deletes a vehicle and returns it as it was. The deletion is stored durably before the response is sent. Null, without
    /// an error, if there is no vehicle with this `id`.
    fn delete_vehicle( // schema.graphql:177:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: MutationDeleteVehicleArguments<async_graphql::ID, Option<i32>>, // schema.graphql:177:3
    ) -> impl ::std::future::Future<Output = Result<Option<crate::graphql::SharedVehicle>, Self::Error>> + Send; // schema.graphql:177:3
}

/// The arguments of `Mutation.createVehicle(type: String!, modelCode: String!, brandName: String, launchDate: String)`.
#[derive(Clone, Debug)]
pub struct MutationCreateVehicleArguments<Type, ModelCode, BrandName, LaunchDate> { // schema.graphql:117:3
    /// The kind of vehicle. 1 to 255 characters, not blank (not only white space).
    pub r#type: Type, // schema.graphql:119:5
    /// The manufacturer's code of the model. 1 to 255 characters, not blank (not only white space).
    pub model_code: ModelCode, // schema.graphql:122:5
    /// The brand. Up to 255 characters, possibly empty. Omitted and null mean none.
    pub brand_name: BrandName, // schema.graphql:125:5
    /// The launch date in the form `YYYY-MM-DD`, a calendar date from 1000-01-01 to 9999-12-31. Omitted and null mean none.
    pub launch_date: LaunchDate, // schema.graphql:130:5
}

/// The arguments of `Mutation.createVehicles(vehicles: [NewVehicle!]!)`.
#[derive(Clone, Debug)]
pub struct MutationCreateVehiclesArguments<Vehicles> { // schema.graphql:142:3
    /// The vehicles, from 1 to the bulk limit of the server (100 by default). Other numbers are refused with the code
    /// `BAD_USER_INPUT`.
    pub vehicles: Vehicles, // schema.graphql:147:5
}

/// The arguments of `Mutation.updateVehicle(id: ID!, changes: VehicleChanges!, expectedVersion: Int)`.
#[derive(Clone, Debug)]
pub struct MutationUpdateVehicleArguments<Id, Changes, ExpectedVersion> { // schema.graphql:158:3
    /// The `id` of the vehicle.
    pub id: Id, // schema.graphql:160:5
    /// The new values. `{}` changes nothing.
    pub changes: Changes, // schema.graphql:163:5
    /// The version on which the change is based, at least 1. If the vehicle has another one, and not already the new
    /// values, the change is refused with the code `CONFLICT` and `extensions.conflict`, `{expectedVersion,
    /// currentVersion}`. Omitted and null change every version: of concurrent changes the last one counts.
    pub expected_version: ExpectedVersion, // schema.graphql:170:5
}

/// The arguments of `Mutation.deleteVehicle(id: ID!, expectedVersion: Int)`.
#[derive(Clone, Debug)]
pub struct MutationDeleteVehicleArguments<Id, ExpectedVersion> { // schema.graphql:177:3
    /// The `id` of the vehicle.
    pub id: Id, // schema.graphql:179:5
    /// The version to be deleted, at least 1. If the vehicle has another one, the deletion is refused with the code
    /// `CONFLICT` and `extensions.conflict`, `{expectedVersion, currentVersion}`. Omitted and null delete every version.
    pub expected_version: ExpectedVersion, // schema.graphql:185:5
}

/// The mutations.
pub struct Mutation<R>(pub R); // schema.graphql:109:6

/// A vehicle to be created. The rules are those of `createVehicle`.
#[derive(Clone, Debug, PartialEq, async_graphql::InputObject)]
#[graphql(name = "NewVehicle")]
pub struct NewVehicle { // schema.graphql:190:7
    /// The kind of vehicle. 1 to 255 characters, not blank (not only white space).
    #[graphql(name = "type")]
    pub r#type: String, // schema.graphql:192:3
    /// The manufacturer's code of the model. 1 to 255 characters, not blank (not only white space).
    #[graphql(name = "modelCode")]
    pub model_code: String, // schema.graphql:195:3
    /// The brand. Up to 255 characters, possibly empty. Omitted and null mean none.
    #[graphql(name = "brandName")]
    pub brand_name: Option<String>, // schema.graphql:198:3
    /// The launch date in the form `YYYY-MM-DD`, a calendar date from 1000-01-01 to 9999-12-31. Omitted and null mean none.
    #[graphql(name = "launchDate")]
    pub launch_date: Option<String>, // schema.graphql:203:3
}

/// The new values of a vehicle. What is omitted keeps its value.
#[derive(Clone, Debug, PartialEq, async_graphql::InputObject)]
#[graphql(name = "VehicleChanges")]
pub struct VehicleChanges { // schema.graphql:207:7
    /// The kind of vehicle. 1 to 255 characters, not blank (not only white space). Null is refused.
    #[graphql(name = "type")]
    pub r#type: async_graphql::MaybeUndefined<String>, // schema.graphql:209:3
    /// The manufacturer's code of the model. 1 to 255 characters, not blank (not only white space). Null is refused.
    #[graphql(name = "modelCode")]
    pub model_code: async_graphql::MaybeUndefined<String>, // schema.graphql:212:3
    /// The brand. Up to 255 characters, possibly empty. Null removes it.
    #[graphql(name = "brandName")]
    pub brand_name: async_graphql::MaybeUndefined<String>, // schema.graphql:215:3
    /// The launch date in the form `YYYY-MM-DD`, a calendar date from 1000-01-01 to 9999-12-31. Null removes it.
    #[graphql(name = "launchDate")]
    pub launch_date: async_graphql::MaybeUndefined<String>, // schema.graphql:220:3
}

/// The conditions that a vehicle must all meet. A field that is omitted or null is no condition. At most one of `type`,
/// `modelCode` and `brandName` is allowed; more are refused with the code `BAD_USER_INPUT`.
///
/// Texts are compared byte for byte. A text that no vehicle can have is met by no vehicle.
#[derive(Clone, Debug, PartialEq, async_graphql::InputObject)]
#[graphql(name = "VehicleFilter")]
pub struct VehicleFilter { // schema.graphql:231:7
    /// The vehicle has this `type`.
    #[graphql(name = "type")]
    pub r#type: Option<String>, // schema.graphql:233:3
    /// The vehicle has this `modelCode`.
    #[graphql(name = "modelCode")]
    pub model_code: Option<String>, // schema.graphql:236:3
    /// The vehicle has this `brandName`. The empty text is a brand name, not the absence of one.
    #[graphql(name = "brandName")]
    pub brand_name: Option<String>, // schema.graphql:239:3
    /// The vehicle has this `launchDate` or a later one: `YYYY-MM-DD`, a calendar date from 1000-01-01 to 9999-12-31. Other
    /// texts are refused with the code `BAD_USER_INPUT`.
    #[graphql(name = "launchedFrom")]
    pub launched_from: Option<String>, // schema.graphql:245:3
    /// The vehicle has this `launchDate` or an earlier one: `YYYY-MM-DD`, a calendar date from 1000-01-01 to 9999-12-31.
    /// Other texts are refused with the code `BAD_USER_INPUT`.
    #[graphql(name = "launchedUntil")]
    pub launched_until: Option<String>, // schema.graphql:251:3
}

/// The order of the vehicles on pages.
///
/// Vehicles with the same launch date are ordered by `id` in the same direction. Those without a launch date are last in
/// both directions.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq, async_graphql::Enum)]
#[graphql(name = "VehicleOrder")]
pub enum VehicleOrder { // schema.graphql:260:6
    /// By `id`, lowest first.
    #[graphql(name = "ID_ASC")]
    IdAsc, // schema.graphql:262:3
    /// By `id`, highest first.
    #[graphql(name = "ID_DESC")]
    IdDesc, // schema.graphql:265:3
    /// By `launchDate`, earliest first.
    #[graphql(name = "LAUNCH_DATE_ASC")]
    LaunchDateAsc, // schema.graphql:268:3
    /// By `launchDate`, latest first.
    #[graphql(name = "LAUNCH_DATE_DESC")]
    LaunchDateDesc, // schema.graphql:271:3
}

/// Resolves the type `VehicleConnection` of the contract.
///
/// A page of vehicles.
pub trait VehicleConnectionResolver { // schema.graphql:275:6
    /// The vehicles of the page in order, each with its cursor.
    fn edges(&self) -> Vec<crate::graphql::PagedVehicle>; // schema.graphql:277:3
    /// The vehicles of the page in order.
    fn nodes(&self) -> Vec<crate::graphql::SharedVehicle>; // schema.graphql:280:3
    /// The position of the page.
    fn page_info(&self) -> PageInfo; // schema.graphql:283:3
}

/// Resolves the type `VehicleEdge` of the contract.
///
/// A vehicle on a page.
pub trait VehicleEdgeResolver { // schema.graphql:287:6
    /// The position of the vehicle in the order of the pages, as a value of the argument `after`.
    fn cursor(&self) -> support::Text<'_>; // schema.graphql:289:3
    /// The vehicle.
    fn node(&self) -> crate::graphql::SharedVehicle; // schema.graphql:292:3
}

/// The position of a page.
#[derive(Clone, Debug)]
pub struct PageInfo { // schema.graphql:296:6
    /// Whether a vehicle follows the page: with `after: endCursor` it is on the next one.
    pub has_next_page: bool, // schema.graphql:298:3
    /// Whether the page was requested with the argument `after`.
    pub has_previous_page: bool, // schema.graphql:301:3
    /// The cursor of the first vehicle on the page. Null if the page is empty.
    pub start_cursor: Option<String>, // schema.graphql:304:3
    /// The cursor of the last vehicle on the page. Null if the page is empty.
    pub end_cursor: Option<String>, // schema.graphql:307:3
}

static __Vehicle: support::TypeInfo = support::TypeInfo {
    name: "Vehicle",
    description: Some("A vehicle of the catalogue.\n\nEvery field has the value as it was given, byte for byte: nothing is trimmed, normalised or changed in case."),
    interfaces: &[],
    possible_types: &[],
    conditions: &["Vehicle"],
    fields: &[
        support::FieldInfo::new("id", "ID!", <async_graphql::ID as async_graphql::OutputType>::create_type_info)
            .description("The identifier that the database generated: an integer from 1 to 9223372036854775807 in decimal without sign or\nleading zeros. It never changes and is never reused, not even after the vehicle was deleted."),
        support::FieldInfo::new("type", "String", <String as async_graphql::OutputType>::create_type_info)
            .description("The kind of vehicle, for example `SUV`. 1 to 255 characters, not blank."),
        support::FieldInfo::new("modelCode", "String", <String as async_graphql::OutputType>::create_type_info)
            .description("The manufacturer's code of the model, for example `XC60`. 1 to 255 characters, not blank."),
        support::FieldInfo::new("brandName", "String", <String as async_graphql::OutputType>::create_type_info)
            .description("The brand. Up to 255 characters; null if none was given."),
        support::FieldInfo::new("launchDate", "String", <String as async_graphql::OutputType>::create_type_info)
            .description("The launch date in the form `YYYY-MM-DD`: a calendar date without time of day or time zone, from 1000-01-01 to\n9999-12-31. Null if none was given."),
        support::FieldInfo::new("version", "Int!", <i32 as async_graphql::OutputType>::create_type_info)
            .description("1 when the vehicle was created, one more after each change."),
    ],
};

impl async_graphql::OutputType for crate::graphql::SharedVehicle {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Vehicle")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<Self>(registry, &__Vehicle)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for crate::graphql::SharedVehicle {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__Vehicle, |_, _| support::Plan::Leaf)
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(plan, json, &__Vehicle, |field, plan, json| match field {
            0 => WriteJson::write(&VehicleResolver::id(self), plan, json),
            1 => WriteJson::write(&VehicleResolver::r#type(self), plan, json),
            2 => WriteJson::write(&VehicleResolver::model_code(self), plan, json),
            3 => WriteJson::write(&VehicleResolver::brand_name(self), plan, json),
            4 => WriteJson::write(&VehicleResolver::launch_date(self), plan, json),
            5 => WriteJson::write(&VehicleResolver::version(self), plan, json),
            _ => {}
        });
    }
}

static __Query: support::TypeInfo = support::TypeInfo {
    name: "Query",
    description: Some("The queries. They have no side effects."),
    interfaces: &[],
    possible_types: &[],
    conditions: &["Query"],
    fields: &[
        support::FieldInfo::new("vehicles", "[Vehicle]", <crate::graphql::SharedVehicle as async_graphql::OutputType>::create_type_info)
            .description("The vehicles in ascending order of `id`.\n\nThe list and its items are null only if `errors` has the reason.")
            .arguments(&[
                support::InputInfo::new("count", "Int", <i32 as async_graphql::InputType>::create_type_info)
                    .description("The maximum number of vehicles, from 0 (an empty list) to the list limit of the server (1000 by default). Other\nnumbers are refused with the code `BAD_USER_INPUT`.\n\nIf it is omitted or null, the list ends at the limit, and if there are more vehicles, the response has\n`extensions.truncated`, a list of `{path, returned, limit}`."),
            ]),
        support::FieldInfo::new("vehicle", "Vehicle", <crate::graphql::SharedVehicle as async_graphql::OutputType>::create_type_info)
            .description("The vehicle with this `id`, or null, without an error, if there is none.")
            .arguments(&[
                support::InputInfo::new("id", "ID", <async_graphql::ID as async_graphql::InputType>::create_type_info)
                    .description("The `id` of the vehicle. A text that does not have the form of `Vehicle.id` is the id of no vehicle. Omitted and\nnull are refused with the code `BAD_USER_INPUT`."),
            ]),
        support::FieldInfo::new("vehiclesConnection", "VehicleConnection", <crate::graphql::VehiclePage as async_graphql::OutputType>::create_type_info)
            .description("The vehicles, page by page. Null only if `errors` has the reason.\n\nThe cost of a page depends neither on its position nor on the number of vehicles. A vehicle that is present from the\nfirst page to the last is on exactly one page in an order by `id`; in an order by launch date also, unless its launch\ndate changes in between. `id`s are assigned before vehicles are stored, so a vehicle can be stored with an `id` that\nis lower than that of a page already read.")
            .arguments(&[
                support::InputInfo::new("filter", "VehicleFilter", <VehicleFilter as async_graphql::InputType>::create_type_info)
                    .description("The conditions that the vehicles meet. Omitted, null and `{}` mean all vehicles."),
                support::InputInfo::new("orderBy", "VehicleOrder", <VehicleOrder as async_graphql::InputType>::create_type_info)
                    .description("The order of the vehicles. Omitted and null mean `LAUNCH_DATE_ASC` if `filter` has a condition, else `ID_ASC`. A\ncondition with an order by `id` is refused with the code `BAD_USER_INPUT`."),
                support::InputInfo::new("first", "Int", <i32 as async_graphql::InputType>::create_type_info)
                    .description("The maximum number of vehicles on the page, from 1 to the list limit of the server (1000 by default). Other numbers\nare refused with the code `BAD_USER_INPUT`. Null means the default. If the list limit is lower than the default, the\ndefault means the list limit.")
                    .default("50", || { let _: Option<i32> = Some(50); }),
                support::InputInfo::new("after", "String", <String as async_graphql::InputType>::create_type_info)
                    .description("A `cursor`, `startCursor` or `endCursor` of this field in the same order: the page starts after its vehicle, whether\nor not that still exists. Other texts are refused with the code `BAD_USER_INPUT`. Omitted and null mean the first\npage."),
            ]),
    ],
};

impl<R: QueryResolver> async_graphql::OutputType for Query<R> {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Query")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<Self>(registry, &__Query)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        support::Complete::complete(self, ctx, field)
    }
}

impl<R: QueryResolver> async_graphql::ObjectType for Query<R> {}

impl<R: QueryResolver> support::Complete for Query<R> {
    fn complete(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        support::resolve_object(ctx, self, &__Query)
    }
}

impl<R: QueryResolver> async_graphql::ContainerType for Query<R> {
    async fn resolve_field(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
        let resolving: support::Resolving<'_> = match ctx.item.node.name.node.as_str() {
            "vehicles" => support::written_field(ctx, QueryResolver::vehicles(&self.0, ctx, QueryVehiclesArguments {
                count: support::argument(ctx, "count", None)?,
            })),
            "vehicle" => support::written_field(ctx, QueryResolver::vehicle(&self.0, ctx, QueryVehicleArguments {
                id: support::argument(ctx, "id", None)?,
            })),
            "vehiclesConnection" => support::written_field(ctx, QueryResolver::vehicles_connection(&self.0, ctx, QueryVehiclesConnectionArguments {
                filter: support::argument(ctx, "filter", None)?,
                order_by: support::argument(ctx, "orderBy", None)?,
                first: support::argument(ctx, "first", Some(|| Some(50)))?,
                after: support::argument(ctx, "after", None)?,
            })),
            _ => return Ok(None),
        };
        resolving.await.map(Some)
    }
}

static __Mutation: support::TypeInfo = support::TypeInfo {
    name: "Mutation",
    description: Some("The mutations."),
    interfaces: &[],
    possible_types: &[],
    conditions: &["Mutation"],
    fields: &[
        support::FieldInfo::new("createVehicle", "Vehicle", <crate::graphql::SharedVehicle as async_graphql::OutputType>::create_type_info)
            .description("Creates a vehicle and returns it as stored. It is stored durably before the response is sent.\n\nLengths count characters (Unicode scalar values). No text may contain the character U+0000. All arguments that violate\na rule are reported in one error with the code `BAD_USER_INPUT` and the list `extensions.violations` of `{argument,\nrule, message}`; then nothing is stored.")
            .arguments(&[
                support::InputInfo::new("type", "String!", <String as async_graphql::InputType>::create_type_info)
                    .description("The kind of vehicle. 1 to 255 characters, not blank (not only white space)."),
                support::InputInfo::new("modelCode", "String!", <String as async_graphql::InputType>::create_type_info)
                    .description("The manufacturer's code of the model. 1 to 255 characters, not blank (not only white space)."),
                support::InputInfo::new("brandName", "String", <String as async_graphql::InputType>::create_type_info)
                    .description("The brand. Up to 255 characters, possibly empty. Omitted and null mean none."),
                support::InputInfo::new("launchDate", "String", <String as async_graphql::InputType>::create_type_info)
                    .description("The launch date in the form `YYYY-MM-DD`, a calendar date from 1000-01-01 to 9999-12-31. Omitted and null mean none."),
            ]),
        support::FieldInfo::new("createVehicles", "[Vehicle!]", <crate::graphql::SharedVehicle as async_graphql::OutputType>::create_type_info)
            .description("Creates all of the vehicles or none, and returns them as stored, in the order given. They are stored durably before\nthe response is sent.\n\nAll values that violate a rule are reported in one error with the code `BAD_USER_INPUT` and the list\n`extensions.violations`, for example for the argument `vehicles[3].modelCode`; then nothing is stored.")
            .arguments(&[
                support::InputInfo::new("vehicles", "[NewVehicle!]!", <NewVehicle as async_graphql::InputType>::create_type_info)
                    .description("The vehicles, from 1 to the bulk limit of the server (100 by default). Other numbers are refused with the code\n`BAD_USER_INPUT`."),
            ]),
        support::FieldInfo::new("updateVehicle", "Vehicle", <crate::graphql::SharedVehicle as async_graphql::OutputType>::create_type_info)
            .description("Changes a vehicle and returns it as stored. It is stored durably before the response is sent. A change to what the\nvehicle already is changes nothing, its version included.\n\nAll values that violate a rule are reported in one error with the code `BAD_USER_INPUT`, as for `createVehicle`, for\nexample for the argument `changes.modelCode`. Without violations, an `id` of no vehicle is refused with the code\n`NOT_FOUND`.")
            .arguments(&[
                support::InputInfo::new("id", "ID!", <async_graphql::ID as async_graphql::InputType>::create_type_info)
                    .description("The `id` of the vehicle."),
                support::InputInfo::new("changes", "VehicleChanges!", <VehicleChanges as async_graphql::InputType>::create_type_info)
                    .description("The new values. `{}` changes nothing."),
                support::InputInfo::new("expectedVersion", "Int", <i32 as async_graphql::InputType>::create_type_info)
                    .description("The version on which the change is based, at least 1. If the vehicle has another one, and not already the new\nvalues, the change is refused with the code `CONFLICT` and `extensions.conflict`, `{expectedVersion,\ncurrentVersion}`. Omitted and null change every version: of concurrent changes the last one counts."),
            ]),
        support::FieldInfo::new("deleteVehicle", "Vehicle", <crate::graphql::SharedVehicle as async_graphql::OutputType>::create_type_info)
            .description("Deletes a vehicle and returns it as it was. The deletion is stored durably before the response is sent. Null, without\nan error, if there is no vehicle with this `id`.")
            .arguments(&[
                support::InputInfo::new("id", "ID!", <async_graphql::ID as async_graphql::InputType>::create_type_info)
                    .description("The `id` of the vehicle."),
                support::InputInfo::new("expectedVersion", "Int", <i32 as async_graphql::InputType>::create_type_info)
                    .description("The version to be deleted, at least 1. If the vehicle has another one, the deletion is refused with the code\n`CONFLICT` and `extensions.conflict`, `{expectedVersion, currentVersion}`. Omitted and null delete every version."),
            ]),
    ],
};

impl<R: MutationResolver> async_graphql::OutputType for Mutation<R> {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Mutation")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<Self>(registry, &__Mutation)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        support::Complete::complete(self, ctx, field)
    }
}

impl<R: MutationResolver> async_graphql::ObjectType for Mutation<R> {}

impl<R: MutationResolver> support::Complete for Mutation<R> {
    fn complete(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        support::resolve_object(ctx, self, &__Mutation)
    }
}

impl<R: MutationResolver> async_graphql::ContainerType for Mutation<R> {
    async fn resolve_field(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
        let resolving: support::Resolving<'_> = match ctx.item.node.name.node.as_str() {
            "createVehicle" => support::written_field(ctx, MutationResolver::create_vehicle(&self.0, ctx, MutationCreateVehicleArguments {
                r#type: support::argument(ctx, "type", None)?,
                model_code: support::argument(ctx, "modelCode", None)?,
                brand_name: support::argument(ctx, "brandName", None)?,
                launch_date: support::argument(ctx, "launchDate", None)?,
            })),
            "createVehicles" => support::written_field(ctx, MutationResolver::create_vehicles(&self.0, ctx, MutationCreateVehiclesArguments {
                vehicles: support::argument(ctx, "vehicles", None)?,
            })),
            "updateVehicle" => support::written_field(ctx, MutationResolver::update_vehicle(&self.0, ctx, MutationUpdateVehicleArguments {
                id: support::argument(ctx, "id", None)?,
                changes: support::argument(ctx, "changes", None)?,
                expected_version: support::argument(ctx, "expectedVersion", None)?,
            })),
            "deleteVehicle" => support::written_field(ctx, MutationResolver::delete_vehicle(&self.0, ctx, MutationDeleteVehicleArguments {
                id: support::argument(ctx, "id", None)?,
                expected_version: support::argument(ctx, "expectedVersion", None)?,
            })),
            _ => return Ok(None),
        };
        resolving.await.map(Some)
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

impl support::WriteJson for VehicleOrder {
    fn write(&self, _: &support::Plan, json: &mut support::JsonWriter) {
        json.string(self.as_str());
    }
}

static __VehicleConnection: support::TypeInfo = support::TypeInfo {
    name: "VehicleConnection",
    description: Some("A page of vehicles."),
    interfaces: &[],
    possible_types: &[],
    conditions: &["VehicleConnection"],
    fields: &[
        support::FieldInfo::new("edges", "[VehicleEdge!]!", <crate::graphql::PagedVehicle as async_graphql::OutputType>::create_type_info)
            .description("The vehicles of the page in order, each with its cursor."),
        support::FieldInfo::new("nodes", "[Vehicle!]!", <crate::graphql::SharedVehicle as async_graphql::OutputType>::create_type_info)
            .description("The vehicles of the page in order."),
        support::FieldInfo::new("pageInfo", "PageInfo!", <PageInfo as async_graphql::OutputType>::create_type_info)
            .description("The position of the page."),
    ],
};

impl async_graphql::OutputType for crate::graphql::VehiclePage {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("VehicleConnection")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<Self>(registry, &__VehicleConnection)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for crate::graphql::VehiclePage {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__VehicleConnection, |field, selections| match field {
            0 => <crate::graphql::PagedVehicle as support::WriteJson>::plan(selections),
            1 => <crate::graphql::SharedVehicle as support::WriteJson>::plan(selections),
            2 => <PageInfo as support::WriteJson>::plan(selections),
            _ => support::Plan::Leaf,
        })
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(plan, json, &__VehicleConnection, |field, plan, json| match field {
            0 => WriteJson::write(&VehicleConnectionResolver::edges(self), plan, json),
            1 => WriteJson::write(&VehicleConnectionResolver::nodes(self), plan, json),
            2 => WriteJson::write(&VehicleConnectionResolver::page_info(self), plan, json),
            _ => {}
        });
    }
}

static __VehicleEdge: support::TypeInfo = support::TypeInfo {
    name: "VehicleEdge",
    description: Some("A vehicle on a page."),
    interfaces: &[],
    possible_types: &[],
    conditions: &["VehicleEdge"],
    fields: &[
        support::FieldInfo::new("cursor", "String!", <String as async_graphql::OutputType>::create_type_info)
            .description("The position of the vehicle in the order of the pages, as a value of the argument `after`."),
        support::FieldInfo::new("node", "Vehicle!", <crate::graphql::SharedVehicle as async_graphql::OutputType>::create_type_info)
            .description("The vehicle."),
    ],
};

impl async_graphql::OutputType for crate::graphql::PagedVehicle {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("VehicleEdge")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<Self>(registry, &__VehicleEdge)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for crate::graphql::PagedVehicle {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__VehicleEdge, |field, selections| match field {
            1 => <crate::graphql::SharedVehicle as support::WriteJson>::plan(selections),
            _ => support::Plan::Leaf,
        })
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(plan, json, &__VehicleEdge, |field, plan, json| match field {
            0 => WriteJson::write(&VehicleEdgeResolver::cursor(self), plan, json),
            1 => WriteJson::write(&VehicleEdgeResolver::node(self), plan, json),
            _ => {}
        });
    }
}

static __PageInfo: support::TypeInfo = support::TypeInfo {
    name: "PageInfo",
    description: Some("The position of a page."),
    interfaces: &[],
    possible_types: &[],
    conditions: &["PageInfo"],
    fields: &[
        support::FieldInfo::new("hasNextPage", "Boolean!", <bool as async_graphql::OutputType>::create_type_info)
            .description("Whether a vehicle follows the page: with `after: endCursor` it is on the next one."),
        support::FieldInfo::new("hasPreviousPage", "Boolean!", <bool as async_graphql::OutputType>::create_type_info)
            .description("Whether the page was requested with the argument `after`."),
        support::FieldInfo::new("startCursor", "String", <String as async_graphql::OutputType>::create_type_info)
            .description("The cursor of the first vehicle on the page. Null if the page is empty."),
        support::FieldInfo::new("endCursor", "String", <String as async_graphql::OutputType>::create_type_info)
            .description("The cursor of the last vehicle on the page. Null if the page is empty."),
    ],
};

impl async_graphql::OutputType for PageInfo {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("PageInfo")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<Self>(registry, &__PageInfo)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for PageInfo {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__PageInfo, |_, _| support::Plan::Leaf)
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(plan, json, &__PageInfo, |field, plan, json| match field {
            0 => WriteJson::write(&self.has_next_page, plan, json),
            1 => WriteJson::write(&self.has_previous_page, plan, json),
            2 => WriteJson::write(&self.start_cursor, plan, json),
            3 => WriteJson::write(&self.end_cursor, plan, json),
            _ => {}
        });
    }
}

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:25:16
    support::limit_differs(
        "schema.graphql:25:16: Vehicle.type has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is ",
        crate::catalogue::MAX_CHARACTERS as f64,
    )
};

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:28:21
    support::limit_differs(
        "schema.graphql:28:21: Vehicle.modelCode has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is ",
        crate::catalogue::MAX_CHARACTERS as f64,
    )
};

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:31:21
    support::limit_differs(
        "schema.graphql:31:21: Vehicle.brandName has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is ",
        crate::catalogue::MAX_CHARACTERS as f64,
    )
};

const _: () = {
    let _: fn(&str) -> Result<_, _> = crate::catalogue::LaunchDate::parse; // schema.graphql:37:22
};

const _: () = if crate::catalogue::MIN_COUNT != 0 { // schema.graphql:60:16
    support::limit_differs(
        "schema.graphql:60:16: Query.vehicles(count:) has min: 0, but crate::catalogue::MIN_COUNT is ",
        crate::catalogue::MIN_COUNT as f64,
    )
};

const _: () = if crate::catalogue::PageRequest::MIN_SIZE != 1 { // schema.graphql:97:21
    support::limit_differs(
        "schema.graphql:97:21: Query.vehiclesConnection(first:) has min: 1, but crate::catalogue::PageRequest::MIN_SIZE is ",
        crate::catalogue::PageRequest::MIN_SIZE as f64,
    )
};

const _: () = if crate::catalogue::MIN_CHARACTERS != 1 { // schema.graphql:119:19
    support::limit_differs(
        "schema.graphql:119:19: Mutation.createVehicle(type:) has minLength: 1, but crate::catalogue::MIN_CHARACTERS is ",
        crate::catalogue::MIN_CHARACTERS as f64,
    )
};

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:119:19
    support::limit_differs(
        "schema.graphql:119:19: Mutation.createVehicle(type:) has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is ",
        crate::catalogue::MAX_CHARACTERS as f64,
    )
};

const _: () = if crate::catalogue::MIN_CHARACTERS != 1 { // schema.graphql:122:24
    support::limit_differs(
        "schema.graphql:122:24: Mutation.createVehicle(modelCode:) has minLength: 1, but crate::catalogue::MIN_CHARACTERS is ",
        crate::catalogue::MIN_CHARACTERS as f64,
    )
};

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:122:24
    support::limit_differs(
        "schema.graphql:122:24: Mutation.createVehicle(modelCode:) has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is ",
        crate::catalogue::MAX_CHARACTERS as f64,
    )
};

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:125:23
    support::limit_differs(
        "schema.graphql:125:23: Mutation.createVehicle(brandName:) has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is ",
        crate::catalogue::MAX_CHARACTERS as f64,
    )
};

const _: () = if crate::catalogue::MIN_ITEMS != 1 { // schema.graphql:147:30
    support::limit_differs(
        "schema.graphql:147:30: Mutation.createVehicles(vehicles:) has minItems: 1, but crate::catalogue::MIN_ITEMS is ",
        crate::catalogue::MIN_ITEMS as f64,
    )
};

const _: () = if crate::catalogue::FIRST_VERSION != 1 { // schema.graphql:170:26
    support::limit_differs(
        "schema.graphql:170:26: Mutation.updateVehicle(expectedVersion:) has min: 1, but crate::catalogue::FIRST_VERSION is ",
        crate::catalogue::FIRST_VERSION as f64,
    )
};

const _: () = if crate::catalogue::FIRST_VERSION != 1 { // schema.graphql:185:26
    support::limit_differs(
        "schema.graphql:185:26: Mutation.deleteVehicle(expectedVersion:) has min: 1, but crate::catalogue::FIRST_VERSION is ",
        crate::catalogue::FIRST_VERSION as f64,
    )
};

const _: () = if crate::catalogue::MIN_CHARACTERS != 1 { // schema.graphql:192:17
    support::limit_differs(
        "schema.graphql:192:17: NewVehicle.type has minLength: 1, but crate::catalogue::MIN_CHARACTERS is ",
        crate::catalogue::MIN_CHARACTERS as f64,
    )
};

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:192:17
    support::limit_differs(
        "schema.graphql:192:17: NewVehicle.type has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is ",
        crate::catalogue::MAX_CHARACTERS as f64,
    )
};

const _: () = if crate::catalogue::MIN_CHARACTERS != 1 { // schema.graphql:195:22
    support::limit_differs(
        "schema.graphql:195:22: NewVehicle.modelCode has minLength: 1, but crate::catalogue::MIN_CHARACTERS is ",
        crate::catalogue::MIN_CHARACTERS as f64,
    )
};

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:195:22
    support::limit_differs(
        "schema.graphql:195:22: NewVehicle.modelCode has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is ",
        crate::catalogue::MAX_CHARACTERS as f64,
    )
};

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:198:21
    support::limit_differs(
        "schema.graphql:198:21: NewVehicle.brandName has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is ",
        crate::catalogue::MAX_CHARACTERS as f64,
    )
};

const _: () = if crate::catalogue::MIN_CHARACTERS != 1 { // schema.graphql:209:16
    support::limit_differs(
        "schema.graphql:209:16: VehicleChanges.type has minLength: 1, but crate::catalogue::MIN_CHARACTERS is ",
        crate::catalogue::MIN_CHARACTERS as f64,
    )
};

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:209:16
    support::limit_differs(
        "schema.graphql:209:16: VehicleChanges.type has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is ",
        crate::catalogue::MAX_CHARACTERS as f64,
    )
};

const _: () = if crate::catalogue::MIN_CHARACTERS != 1 { // schema.graphql:212:21
    support::limit_differs(
        "schema.graphql:212:21: VehicleChanges.modelCode has minLength: 1, but crate::catalogue::MIN_CHARACTERS is ",
        crate::catalogue::MIN_CHARACTERS as f64,
    )
};

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:212:21
    support::limit_differs(
        "schema.graphql:212:21: VehicleChanges.modelCode has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is ",
        crate::catalogue::MAX_CHARACTERS as f64,
    )
};

const _: () = if crate::catalogue::MAX_CHARACTERS != 255 { // schema.graphql:215:21
    support::limit_differs(
        "schema.graphql:215:21: VehicleChanges.brandName has maxLength: 255, but crate::catalogue::MAX_CHARACTERS is ",
        crate::catalogue::MAX_CHARACTERS as f64,
    )
};

/// The schema that this code serves.
#[allow(dead_code, reason = "not every crate prints it")]
pub const SDL: &str = "\"\"\"\nA catalogue of vehicles: they are read by `id`, in a list and page by page, and created, changed and deleted.\n\nAn error has a code in `extensions.code`; one about arguments lists in `extensions.violations` every value that violates\na rule.\n\"\"\"\nschema {\n  query: Query\n  mutation: Mutation\n}\n\n\"\"\"\nThe rule for an argument, for a field of an input object, or for the values that a field returns. Null meets every rule,\nand what a description says in addition also applies. Arguments that violate a rule are refused with the code\n`BAD_USER_INPUT`.\n\"\"\"\ndirective @constraint(\n  \"\"\"The minimum length of a text in characters (Unicode scalar values).\"\"\"\n  minLength: Int,\n  \"\"\"The maximum length of a text in characters (Unicode scalar values).\"\"\"\n  maxLength: Int,\n  \"\"\"The regular expression that a text matches.\"\"\"\n  pattern: String,\n  \"\"\"\n  The format of a text. `date` is `YYYY-MM-DD`, the form `full-date` of RFC 3339.\n  \"\"\"\n  format: String,\n  \"\"\"The minimum of a number.\"\"\"\n  min: Float,\n  \"\"\"The maximum of a number.\"\"\"\n  max: Float,\n  \"\"\"The minimum number of items of a list.\"\"\"\n  minItems: Int,\n  \"\"\"The maximum number of items of a list.\"\"\"\n  maxItems: Int,\n) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | FIELD_DEFINITION\n\n\"\"\"\nA vehicle of the catalogue.\n\nEvery field has the value as it was given, byte for byte: nothing is trimmed, normalised or changed in case.\n\"\"\"\ntype Vehicle {\n  \"\"\"\n  The identifier that the database generated: an integer from 1 to 9223372036854775807 in decimal without sign or\n  leading zeros. It never changes and is never reused, not even after the vehicle was deleted.\n  \"\"\"\n  id: ID!\n  \"\"\"\n  The kind of vehicle, for example `SUV`. 1 to 255 characters, not blank.\n  \"\"\"\n  type: String @constraint(maxLength: 255)\n  \"\"\"\n  The manufacturer's code of the model, for example `XC60`. 1 to 255 characters, not blank.\n  \"\"\"\n  modelCode: String @constraint(maxLength: 255)\n  \"\"\"\n  The brand. Up to 255 characters; null if none was given.\n  \"\"\"\n  brandName: String @constraint(maxLength: 255)\n  \"\"\"\n  The launch date in the form `YYYY-MM-DD`: a calendar date without time of day or time zone, from 1000-01-01 to\n  9999-12-31. Null if none was given.\n  \"\"\"\n  launchDate: String @constraint(format: \"date\")\n  \"\"\"\n  1 when the vehicle was created, one more after each change.\n  \"\"\"\n  version: Int!\n}\n\n\"\"\"\nThe queries. They have no side effects.\n\"\"\"\ntype Query {\n  \"\"\"\n  The vehicles in ascending order of `id`.\n\n  The list and its items are null only if `errors` has the reason.\n  \"\"\"\n  vehicles(\n    \"\"\"\n    The maximum number of vehicles, from 0 (an empty list) to the list limit of the server (1000 by default). Other\n    numbers are refused with the code `BAD_USER_INPUT`.\n\n    If it is omitted or null, the list ends at the limit, and if there are more vehicles, the response has\n    `extensions.truncated`, a list of `{path, returned, limit}`.\n    \"\"\"\n    count: Int @constraint(min: 0)\n  ): [Vehicle]\n  \"\"\"\n  The vehicle with this `id`, or null, without an error, if there is none.\n  \"\"\"\n  vehicle(\n    \"\"\"\n    The `id` of the vehicle. A text that does not have the form of `Vehicle.id` is the id of no vehicle. Omitted and\n    null are refused with the code `BAD_USER_INPUT`.\n    \"\"\"\n    id: ID\n  ): Vehicle\n  \"\"\"\n  The vehicles, page by page. Null only if `errors` has the reason.\n\n  The cost of a page depends neither on its position nor on the number of vehicles. A vehicle that is present from the\n  first page to the last is on exactly one page in an order by `id`; in an order by launch date also, unless its launch\n  date changes in between. `id`s are assigned before vehicles are stored, so a vehicle can be stored with an `id` that\n  is lower than that of a page already read.\n  \"\"\"\n  vehiclesConnection(\n    \"\"\"\n    The conditions that the vehicles meet. Omitted, null and `{}` mean all vehicles.\n    \"\"\"\n    filter: VehicleFilter\n    \"\"\"\n    The order of the vehicles. Omitted and null mean `LAUNCH_DATE_ASC` if `filter` has a condition, else `ID_ASC`. A\n    condition with an order by `id` is refused with the code `BAD_USER_INPUT`.\n    \"\"\"\n    orderBy: VehicleOrder\n    \"\"\"\n    The maximum number of vehicles on the page, from 1 to the list limit of the server (1000 by default). Other numbers\n    are refused with the code `BAD_USER_INPUT`. Null means the default. If the list limit is lower than the default, the\n    default means the list limit.\n    \"\"\"\n    first: Int = 50 @constraint(min: 1)\n    \"\"\"\n    A `cursor`, `startCursor` or `endCursor` of this field in the same order: the page starts after its vehicle, whether\n    or not that still exists. Other texts are refused with the code `BAD_USER_INPUT`. Omitted and null mean the first\n    page.\n    \"\"\"\n    after: String\n  ): VehicleConnection\n}\n\n\"\"\"\nThe mutations.\n\"\"\"\ntype Mutation {\n  \"\"\"\n  Creates a vehicle and returns it as stored. It is stored durably before the response is sent.\n\n  Lengths count characters (Unicode scalar values). No text may contain the character U+0000. All arguments that violate\n  a rule are reported in one error with the code `BAD_USER_INPUT` and the list `extensions.violations` of `{argument,\n  rule, message}`; then nothing is stored.\n  \"\"\"\n  createVehicle(\n    \"\"\"\n    The kind of vehicle. 1 to 255 characters, not blank (not only white space).\n    \"\"\"\n    type: String! @constraint(minLength: 1, maxLength: 255)\n    \"\"\"\n    The manufacturer's code of the model. 1 to 255 characters, not blank (not only white space).\n    \"\"\"\n    modelCode: String! @constraint(minLength: 1, maxLength: 255)\n    \"\"\"\n    The brand. Up to 255 characters, possibly empty. Omitted and null mean none.\n    \"\"\"\n    brandName: String @constraint(maxLength: 255)\n    \"\"\"\n    The launch date in the form `YYYY-MM-DD`, a calendar date from 1000-01-01 to 9999-12-31. Omitted and null mean none.\n    \"\"\"\n    launchDate: String @constraint(format: \"date\")\n  ): Vehicle\n  \"\"\"\n  Creates all of the vehicles or none, and returns them as stored, in the order given. They are stored durably before\n  the response is sent.\n\n  All values that violate a rule are reported in one error with the code `BAD_USER_INPUT` and the list\n  `extensions.violations`, for example for the argument `vehicles[3].modelCode`; then nothing is stored.\n  \"\"\"\n  createVehicles(\n    \"\"\"\n    The vehicles, from 1 to the bulk limit of the server (100 by default). Other numbers are refused with the code\n    `BAD_USER_INPUT`.\n    \"\"\"\n    vehicles: [NewVehicle!]! @constraint(minItems: 1)\n  ): [Vehicle!]\n  \"\"\"\n  Changes a vehicle and returns it as stored. It is stored durably before the response is sent. A change to what the\n  vehicle already is changes nothing, its version included.\n\n  All values that violate a rule are reported in one error with the code `BAD_USER_INPUT`, as for `createVehicle`, for\n  example for the argument `changes.modelCode`. Without violations, an `id` of no vehicle is refused with the code\n  `NOT_FOUND`.\n  \"\"\"\n  updateVehicle(\n    \"\"\"\n    The `id` of the vehicle.\n    \"\"\"\n    id: ID!\n    \"\"\"\n    The new values. `{}` changes nothing.\n    \"\"\"\n    changes: VehicleChanges!\n    \"\"\"\n    The version on which the change is based, at least 1. If the vehicle has another one, and not already the new\n    values, the change is refused with the code `CONFLICT` and `extensions.conflict`, `{expectedVersion,\n    currentVersion}`. Omitted and null change every version: of concurrent changes the last one counts.\n    \"\"\"\n    expectedVersion: Int @constraint(min: 1)\n  ): Vehicle\n  \"\"\"\n  Deletes a vehicle and returns it as it was. The deletion is stored durably before the response is sent. Null, without\n  an error, if there is no vehicle with this `id`.\n  \"\"\"\n  deleteVehicle(\n    \"\"\"\n    The `id` of the vehicle.\n    \"\"\"\n    id: ID!\n    \"\"\"\n    The version to be deleted, at least 1. If the vehicle has another one, the deletion is refused with the code\n    `CONFLICT` and `extensions.conflict`, `{expectedVersion, currentVersion}`. Omitted and null delete every version.\n    \"\"\"\n    expectedVersion: Int @constraint(min: 1)\n  ): Vehicle\n}\n\n\"\"\"\nA vehicle to be created. The rules are those of `createVehicle`.\n\"\"\"\ninput NewVehicle {\n  \"\"\"\n  The kind of vehicle. 1 to 255 characters, not blank (not only white space).\n  \"\"\"\n  type: String! @constraint(minLength: 1, maxLength: 255)\n  \"\"\"\n  The manufacturer's code of the model. 1 to 255 characters, not blank (not only white space).\n  \"\"\"\n  modelCode: String! @constraint(minLength: 1, maxLength: 255)\n  \"\"\"\n  The brand. Up to 255 characters, possibly empty. Omitted and null mean none.\n  \"\"\"\n  brandName: String @constraint(maxLength: 255)\n  \"\"\"\n  The launch date in the form `YYYY-MM-DD`, a calendar date from 1000-01-01 to 9999-12-31. Omitted and null mean none.\n  \"\"\"\n  launchDate: String @constraint(format: \"date\")\n}\n\n\"\"\"\nThe new values of a vehicle. What is omitted keeps its value.\n\"\"\"\ninput VehicleChanges {\n  \"\"\"\n  The kind of vehicle. 1 to 255 characters, not blank (not only white space). Null is refused.\n  \"\"\"\n  type: String @constraint(minLength: 1, maxLength: 255)\n  \"\"\"\n  The manufacturer's code of the model. 1 to 255 characters, not blank (not only white space). Null is refused.\n  \"\"\"\n  modelCode: String @constraint(minLength: 1, maxLength: 255)\n  \"\"\"\n  The brand. Up to 255 characters, possibly empty. Null removes it.\n  \"\"\"\n  brandName: String @constraint(maxLength: 255)\n  \"\"\"\n  The launch date in the form `YYYY-MM-DD`, a calendar date from 1000-01-01 to 9999-12-31. Null removes it.\n  \"\"\"\n  launchDate: String @constraint(format: \"date\")\n}\n\n\"\"\"\nThe conditions that a vehicle must all meet. A field that is omitted or null is no condition. At most one of `type`,\n`modelCode` and `brandName` is allowed; more are refused with the code `BAD_USER_INPUT`.\n\nTexts are compared byte for byte. A text that no vehicle can have is met by no vehicle.\n\"\"\"\ninput VehicleFilter {\n  \"\"\"\n  The vehicle has this `type`.\n  \"\"\"\n  type: String\n  \"\"\"\n  The vehicle has this `modelCode`.\n  \"\"\"\n  modelCode: String\n  \"\"\"\n  The vehicle has this `brandName`. The empty text is a brand name, not the absence of one.\n  \"\"\"\n  brandName: String\n  \"\"\"\n  The vehicle has this `launchDate` or a later one: `YYYY-MM-DD`, a calendar date from 1000-01-01 to 9999-12-31. Other\n  texts are refused with the code `BAD_USER_INPUT`.\n  \"\"\"\n  launchedFrom: String @constraint(format: \"date\")\n  \"\"\"\n  The vehicle has this `launchDate` or an earlier one: `YYYY-MM-DD`, a calendar date from 1000-01-01 to 9999-12-31.\n  Other texts are refused with the code `BAD_USER_INPUT`.\n  \"\"\"\n  launchedUntil: String @constraint(format: \"date\")\n}\n\n\"\"\"\nThe order of the vehicles on pages.\n\nVehicles with the same launch date are ordered by `id` in the same direction. Those without a launch date are last in\nboth directions.\n\"\"\"\nenum VehicleOrder {\n  \"\"\"\n  By `id`, lowest first.\n  \"\"\"\n  ID_ASC\n  \"\"\"\n  By `id`, highest first.\n  \"\"\"\n  ID_DESC\n  \"\"\"\n  By `launchDate`, earliest first.\n  \"\"\"\n  LAUNCH_DATE_ASC\n  \"\"\"\n  By `launchDate`, latest first.\n  \"\"\"\n  LAUNCH_DATE_DESC\n}\n\n\"\"\"\nA page of vehicles.\n\"\"\"\ntype VehicleConnection {\n  \"\"\"\n  The vehicles of the page in order, each with its cursor.\n  \"\"\"\n  edges: [VehicleEdge!]!\n  \"\"\"\n  The vehicles of the page in order.\n  \"\"\"\n  nodes: [Vehicle!]!\n  \"\"\"\n  The position of the page.\n  \"\"\"\n  pageInfo: PageInfo!\n}\n\n\"\"\"\nA vehicle on a page.\n\"\"\"\ntype VehicleEdge {\n  \"\"\"\n  The position of the vehicle in the order of the pages, as a value of the argument `after`.\n  \"\"\"\n  cursor: String!\n  \"\"\"\n  The vehicle.\n  \"\"\"\n  node: Vehicle!\n}\n\n\"\"\"\nThe position of a page.\n\"\"\"\ntype PageInfo {\n  \"\"\"\n  Whether a vehicle follows the page: with `after: endCursor` it is on the next one.\n  \"\"\"\n  hasNextPage: Boolean!\n  \"\"\"\n  Whether the page was requested with the argument `after`.\n  \"\"\"\n  hasPreviousPage: Boolean!\n  \"\"\"\n  The cursor of the first vehicle on the page. Null if the page is empty.\n  \"\"\"\n  startCursor: String\n  \"\"\"\n  The cursor of the last vehicle on the page. Null if the page is empty.\n  \"\"\"\n  endCursor: String\n}\n";
