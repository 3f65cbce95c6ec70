// Generated from schema.graphql; do not edit. Each item names its line there.

/// Resolves the type `Query` of the contract.
pub trait QueryResolver: Send + Sync { // schema.graphql:1:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `vehicles`
    fn vehicles( // schema.graphql:2:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future< // schema.graphql:2:3
        Output = Result<Option<Vec<Option<Vehicle>>>, Self::Error>, // schema.graphql:2:3
    > + Send;
    /// `vehicle`
    fn vehicle( // schema.graphql:3:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future< // schema.graphql:3:3
        Output = Result<Option<Vehicle>, Self::Error>, // schema.graphql:3:3
    > + Send;
    /// `catalogue`
    fn catalogue( // schema.graphql:4:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future< // schema.graphql:4:3
        Output = Result<Option<Vec<Option<Vehicle>>>, Self::Error>, // schema.graphql:4:3
    > + Send;
    /// `things`
    fn things( // schema.graphql:5:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Vec<Thing>, Self::Error>> + Send; // schema.graphql:5:3
    /// `nodes`
    fn nodes( // schema.graphql:6:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future< // schema.graphql:6:3
        Output = Result<Option<Vec<Option<Node>>>, Self::Error>, // schema.graphql:6:3
    > + Send;
}

/// `Query`
pub struct Query<R>(pub R);

/// `Vehicle`
#[derive(Clone, Debug)]
pub struct Vehicle { // schema.graphql:9:6
    /// `id`
    pub id: async_graphql::ID, // schema.graphql:10:3
    /// `type`
    pub r#type: Option<String>, // schema.graphql:11:3
    /// `modelCode`
    pub model_code: Option<String>, // schema.graphql:12:3
    /// `brandName`
    pub brand_name: Option<String>, // schema.graphql:13:3
    /// `launchDate`
    pub launch_date: Option<String>, // schema.graphql:14:3
    /// `owner`
    pub owner: Option<Box<Owner>>, // schema.graphql:15:3
    /// `tags`
    pub tags: Vec<String>, // schema.graphql:16:3
    /// `seats`
    pub seats: Option<Vec<Option<Vec<Option<Owner>>>>>, // schema.graphql:17:3
    /// `wheels`
    pub wheels: i32, // schema.graphql:18:3
    /// `weight`
    pub weight: Option<f64>, // schema.graphql:19:3
    /// `electric`
    pub electric: Option<bool>, // schema.graphql:20:3
}

/// `Owner`
#[derive(Clone, Debug)]
pub struct Owner { // schema.graphql:23:6
    /// `id`
    pub id: async_graphql::ID, // schema.graphql:24:3
    /// `name`
    pub name: Option<String>, // schema.graphql:25:3
    /// `first`
    pub first: Option<Box<Vehicle>>, // schema.graphql:26:3
}

/// `Thing`
#[derive(Clone, Debug)]
pub enum Thing { // schema.graphql:29:7
    /// A `Vehicle`.
    Vehicle(Vehicle),
    /// A `Owner`.
    Owner(Owner),
}

/// `Node`
#[derive(Clone, Debug)]
pub enum Node { // schema.graphql:31:11
    /// A `Vehicle`.
    Vehicle(Vehicle),
    /// A `Owner`.
    Owner(Owner),
}

#[async_graphql::Object(name = "Query")]
impl<R: QueryResolver> Query<R> {
    #[graphql(name = "vehicles")]
    async fn resolve_vehicles(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<
        support::Json<Option<Vec<Option<Vehicle>>>>,
        <R as QueryResolver>::Error,
    > {
        QueryResolver::vehicles(&self.0, ctx).await.map(support::Json::new)
    }
    #[graphql(name = "vehicle")]
    async fn resolve_vehicle(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<support::Json<Option<Vehicle>>, <R as QueryResolver>::Error> {
        QueryResolver::vehicle(&self.0, ctx).await.map(support::Json::new)
    }
    #[graphql(name = "catalogue")]
    async fn resolve_catalogue(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<
        support::Json<Option<Vec<Option<Vehicle>>>>,
        <R as QueryResolver>::Error,
    > {
        QueryResolver::catalogue(&self.0, ctx).await.map(support::Json::new)
    }
    #[graphql(name = "things")]
    async fn resolve_things(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<support::Json<Vec<Thing>>, <R as QueryResolver>::Error> {
        QueryResolver::things(&self.0, ctx).await.map(support::Json::new)
    }
    #[graphql(name = "nodes")]
    async fn resolve_nodes(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<support::Json<Option<Vec<Option<Node>>>>, <R as QueryResolver>::Error> {
        QueryResolver::nodes(&self.0, ctx).await.map(support::Json::new)
    }
}

struct __Vehicle<'a>(&'a Vehicle);
impl __Vehicle<'_> {
    const INFO: support::ObjectInfo = support::ObjectInfo {
        name: "Vehicle",
        conditions: &["Vehicle", "Node", "Thing"],
        fields: &[
            ("id", false),
            ("type", true),
            ("modelCode", true),
            ("brandName", true),
            ("launchDate", true),
            ("owner", true),
            ("tags", false),
            ("seats", true),
            ("wheels", false),
            ("weight", true),
            ("electric", true),
        ],
    };
}

#[async_graphql::Object(name = "Vehicle")]
impl<'a> __Vehicle<'a> {
    #[graphql(name = "id")]
    async fn resolve_id(&self) -> support::Json<&async_graphql::ID> {
        support::Json::new(&self.0.id)
    }
    #[graphql(name = "type")]
    async fn resolve_type(&self) -> support::Json<&Option<String>> {
        support::Json::new(&self.0.r#type)
    }
    #[graphql(name = "modelCode")]
    async fn resolve_modelCode(&self) -> support::Json<&Option<String>> {
        support::Json::new(&self.0.model_code)
    }
    #[graphql(name = "brandName")]
    async fn resolve_brandName(&self) -> support::Json<&Option<String>> {
        support::Json::new(&self.0.brand_name)
    }
    #[graphql(name = "launchDate")]
    async fn resolve_launchDate(&self) -> support::Json<&Option<String>> {
        support::Json::new(&self.0.launch_date)
    }
    #[graphql(name = "owner")]
    async fn resolve_owner(&self) -> support::Json<&Option<Box<Owner>>> {
        support::Json::new(&self.0.owner)
    }
    #[graphql(name = "tags")]
    async fn resolve_tags(&self) -> support::Json<&Vec<String>> {
        support::Json::new(&self.0.tags)
    }
    #[graphql(name = "seats")]
    async fn resolve_seats(
        &self,
    ) -> support::Json<&Option<Vec<Option<Vec<Option<Owner>>>>>> {
        support::Json::new(&self.0.seats)
    }
    #[graphql(name = "wheels")]
    async fn resolve_wheels(&self) -> support::Json<&i32> {
        support::Json::new(&self.0.wheels)
    }
    #[graphql(name = "weight")]
    async fn resolve_weight(&self) -> support::Json<&Option<f64>> {
        support::Json::new(&self.0.weight)
    }
    #[graphql(name = "electric")]
    async fn resolve_electric(&self) -> support::Json<&Option<bool>> {
        support::Json::new(&self.0.electric)
    }
}

impl async_graphql::OutputType for Vehicle {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Vehicle")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        <__Node<'static> as async_graphql::OutputType>::create_type_info(registry);
        <__Vehicle<'static> as async_graphql::OutputType>::create_type_info(registry)
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::written(self, ctx)
    }
}

impl support::WriteJson for Vehicle {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(
            selections,
            &__Vehicle::INFO,
            |field, selections| match field {
                5usize => <Owner as support::WriteJson>::plan(selections),
                7usize => <Owner as support::WriteJson>::plan(selections),
                _ => support::Plan::Leaf,
            },
        )
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(
            plan,
            json,
            &__Vehicle::INFO,
            |field, plan, json| match field {
                0usize => WriteJson::write(&self.id, plan, json),
                1usize => WriteJson::write(&self.r#type, plan, json),
                2usize => WriteJson::write(&self.model_code, plan, json),
                3usize => WriteJson::write(&self.brand_name, plan, json),
                4usize => WriteJson::write(&self.launch_date, plan, json),
                5usize => WriteJson::write(&self.owner, plan, json),
                6usize => WriteJson::write(&self.tags, plan, json),
                7usize => WriteJson::write(&self.seats, plan, json),
                8usize => WriteJson::write(&self.wheels, plan, json),
                9usize => WriteJson::write(&self.weight, plan, json),
                10usize => WriteJson::write(&self.electric, plan, json),
                _ => {}
            },
        );
    }
}

struct __Owner<'a>(&'a Owner);
impl __Owner<'_> {
    const INFO: support::ObjectInfo = support::ObjectInfo {
        name: "Owner",
        conditions: &["Owner", "Node", "Thing"],
        fields: &[("id", false), ("name", true), ("first", true)],
    };
}

#[async_graphql::Object(name = "Owner")]
impl<'a> __Owner<'a> {
    #[graphql(name = "id")]
    async fn resolve_id(&self) -> support::Json<&async_graphql::ID> {
        support::Json::new(&self.0.id)
    }
    #[graphql(name = "name")]
    async fn resolve_name(&self) -> support::Json<&Option<String>> {
        support::Json::new(&self.0.name)
    }
    #[graphql(name = "first")]
    async fn resolve_first(&self) -> support::Json<&Option<Box<Vehicle>>> {
        support::Json::new(&self.0.first)
    }
}

impl async_graphql::OutputType for Owner {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Owner")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        <__Node<'static> as async_graphql::OutputType>::create_type_info(registry);
        <__Owner<'static> as async_graphql::OutputType>::create_type_info(registry)
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::written(self, ctx)
    }
}

impl support::WriteJson for Owner {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(
            selections,
            &__Owner::INFO,
            |field, selections| match field {
                2usize => <Vehicle as support::WriteJson>::plan(selections),
                _ => support::Plan::Leaf,
            },
        )
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(
            plan,
            json,
            &__Owner::INFO,
            |field, plan, json| match field {
                0usize => WriteJson::write(&self.id, plan, json),
                1usize => WriteJson::write(&self.name, plan, json),
                2usize => WriteJson::write(&self.first, plan, json),
                _ => {}
            },
        );
    }
}

impl From<Vehicle> for Thing {
    fn from(value: Vehicle) -> Self {
        Self::Vehicle(value)
    }
}

impl From<Owner> for Thing {
    fn from(value: Owner) -> Self {
        Self::Owner(value)
    }
}

#[derive(async_graphql::Union)]
#[graphql(name = "Thing")]
enum __Thing<'a> {
    Vehicle(__Vehicle<'a>),
    Owner(__Owner<'a>),
}

impl async_graphql::OutputType for Thing {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Thing")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        <__Thing<'static> as async_graphql::OutputType>::create_type_info(registry)
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::written(self, ctx)
    }
}

impl support::WriteJson for Thing {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::Plan::Abstract(
            vec![
                < Vehicle as support::WriteJson > ::plan(selections), < Owner as
                support::WriteJson > ::plan(selections)
            ],
        )
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        match self {
            Self::Vehicle(value) => {
                support::WriteJson::write(value, plan.member(0usize), json)
            }
            Self::Owner(value) => {
                support::WriteJson::write(value, plan.member(1usize), json)
            }
        }
    }
}

impl From<Vehicle> for Node {
    fn from(value: Vehicle) -> Self {
        Self::Vehicle(value)
    }
}

impl From<Owner> for Node {
    fn from(value: Owner) -> Self {
        Self::Owner(value)
    }
}

#[derive(async_graphql::Interface)]
#[graphql(
    name = "Node",
    field(
        name = "id",
        method = "resolve_id",
        ty = "support :: Declared < async_graphql :: ID >"
    )
)]
enum __Node<'a> {
    Vehicle(__Vehicle<'a>),
    Owner(__Owner<'a>),
}

impl async_graphql::OutputType for Node {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Node")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        <__Node<'static> as async_graphql::OutputType>::create_type_info(registry)
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::written(self, ctx)
    }
}

impl support::WriteJson for Node {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::Plan::Abstract(
            vec![
                < Vehicle as support::WriteJson > ::plan(selections), < Owner as
                support::WriteJson > ::plan(selections)
            ],
        )
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        match self {
            Self::Vehicle(value) => {
                support::WriteJson::write(value, plan.member(0usize), json)
            }
            Self::Owner(value) => {
                support::WriteJson::write(value, plan.member(1usize), json)
            }
        }
    }
}

/// The schema that this code serves.
#[allow(dead_code, reason = "not every crate prints it")]
pub const SDL: &str = "schema {\n  query: Query\n}\n\ntype Query {\n  vehicles: [Vehicle]\n  vehicle: Vehicle\n  catalogue: [Vehicle]\n  things: [Thing!]!\n  nodes: [Node]\n}\n\ntype Vehicle implements Node {\n  id: ID!\n  type: String\n  modelCode: String\n  brandName: String\n  launchDate: String\n  owner: Owner\n  tags: [String!]!\n  seats: [[Owner]]\n  wheels: Int!\n  weight: Float\n  electric: Boolean\n}\n\ntype Owner implements Node {\n  id: ID!\n  name: String\n  first: Vehicle\n}\n\nunion Thing = Vehicle | Owner\n\ninterface Node {\n  id: ID!\n}\n";
