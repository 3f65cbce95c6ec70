// Generated from schema.graphql; do not edit. Each item names its line there.

/// Resolves the type `Query` of the contract.
pub trait QueryResolver: Send + Sync { // schema.graphql:1:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `vehicles`
    fn vehicles( // schema.graphql:2:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<Vec<Option<Vehicle>>>, Self::Error>> + Send; // schema.graphql:2:3
    /// `vehicle`
    fn vehicle( // schema.graphql:3:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<Vehicle>, Self::Error>> + Send; // schema.graphql:3:3
    /// `catalogue`
    fn catalogue( // schema.graphql:4:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<Vec<Option<Vehicle>>>, Self::Error>> + Send; // schema.graphql:4:3
    /// `things`
    fn things( // schema.graphql:5:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Vec<Thing>, Self::Error>> + Send; // schema.graphql:5:3
    /// `nodes`
    fn nodes( // schema.graphql:6:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<Vec<Option<Node>>>, Self::Error>> + Send; // schema.graphql:6:3
}

/// `Query`
pub struct Query<R>(pub R); // schema.graphql:1:6

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

static __Query: support::TypeInfo = support::TypeInfo {
    name: "Query",
    description: None,
    interfaces: &[],
    possible_types: &[],
    conditions: &["Query"],
    fields: &[
        support::FieldInfo::new("vehicles", "[Vehicle]", <Vehicle as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("vehicle", "Vehicle", <Vehicle as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("catalogue", "[Vehicle]", <Vehicle as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("things", "[Thing!]!", <Thing as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("nodes", "[Node]", <Node as async_graphql::OutputType>::create_type_info),
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
            "vehicles" => support::written_field(ctx, QueryResolver::vehicles(&self.0, ctx)),
            "vehicle" => support::written_field(ctx, QueryResolver::vehicle(&self.0, ctx)),
            "catalogue" => support::written_field(ctx, QueryResolver::catalogue(&self.0, ctx)),
            "things" => support::written_field(ctx, QueryResolver::things(&self.0, ctx)),
            "nodes" => support::written_field(ctx, QueryResolver::nodes(&self.0, ctx)),
            _ => return Ok(None),
        };
        resolving.await.map(Some)
    }
}

static __Vehicle: support::TypeInfo = support::TypeInfo {
    name: "Vehicle",
    description: None,
    interfaces: &[
        ("Node", <Node as async_graphql::OutputType>::create_type_info),
    ],
    possible_types: &[],
    conditions: &["Vehicle", "Node", "Thing"],
    fields: &[
        support::FieldInfo::new("id", "ID!", <async_graphql::ID as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("type", "String", <String as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("modelCode", "String", <String as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("brandName", "String", <String as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("launchDate", "String", <String as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("owner", "Owner", <Owner as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("tags", "[String!]!", <String as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("seats", "[[Owner]]", <Owner as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("wheels", "Int!", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("weight", "Float", <f64 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("electric", "Boolean", <bool as async_graphql::OutputType>::create_type_info),
    ],
};

impl async_graphql::OutputType for Vehicle {
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

impl support::WriteJson for Vehicle {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__Vehicle, |field, selections| match field {
            5 => <Owner as support::WriteJson>::plan(selections),
            7 => <Owner as support::WriteJson>::plan(selections),
            _ => support::Plan::Leaf,
        })
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(plan, json, &__Vehicle, |field, plan, json| match field {
            0 => WriteJson::write(&self.id, plan, json),
            1 => WriteJson::write(&self.r#type, plan, json),
            2 => WriteJson::write(&self.model_code, plan, json),
            3 => WriteJson::write(&self.brand_name, plan, json),
            4 => WriteJson::write(&self.launch_date, plan, json),
            5 => WriteJson::write(&self.owner, plan, json),
            6 => WriteJson::write(&self.tags, plan, json),
            7 => WriteJson::write(&self.seats, plan, json),
            8 => WriteJson::write(&self.wheels, plan, json),
            9 => WriteJson::write(&self.weight, plan, json),
            10 => WriteJson::write(&self.electric, plan, json),
            _ => {}
        });
    }
}

static __Owner: support::TypeInfo = support::TypeInfo {
    name: "Owner",
    description: None,
    interfaces: &[
        ("Node", <Node as async_graphql::OutputType>::create_type_info),
    ],
    possible_types: &[],
    conditions: &["Owner", "Node", "Thing"],
    fields: &[
        support::FieldInfo::new("id", "ID!", <async_graphql::ID as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("name", "String", <String as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("first", "Vehicle", <Vehicle as async_graphql::OutputType>::create_type_info),
    ],
};

impl async_graphql::OutputType for Owner {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Owner")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<Self>(registry, &__Owner)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for Owner {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__Owner, |field, selections| match field {
            2 => <Vehicle as support::WriteJson>::plan(selections),
            _ => support::Plan::Leaf,
        })
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(plan, json, &__Owner, |field, plan, json| match field {
            0 => WriteJson::write(&self.id, plan, json),
            1 => WriteJson::write(&self.name, plan, json),
            2 => WriteJson::write(&self.first, plan, json),
            _ => {}
        });
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

static __Thing: support::TypeInfo = support::TypeInfo {
    name: "Thing",
    description: None,
    interfaces: &[],
    possible_types: &[
        ("Vehicle", <Vehicle as async_graphql::OutputType>::create_type_info),
        ("Owner", <Owner as async_graphql::OutputType>::create_type_info),
    ],
    conditions: &[],
    fields: &[],
};

impl async_graphql::OutputType for Thing {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Thing")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_union::<Self>(registry, &__Thing)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for Thing {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::Plan::Abstract(vec![
            <Vehicle as support::WriteJson>::plan(selections),
            <Owner as support::WriteJson>::plan(selections),
        ])
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        match self {
            Self::Vehicle(value) => support::WriteJson::write(value, plan.member(0), json),
            Self::Owner(value) => support::WriteJson::write(value, plan.member(1), json),
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

static __Node: support::TypeInfo = support::TypeInfo {
    name: "Node",
    description: None,
    interfaces: &[],
    possible_types: &[
        ("Vehicle", <Vehicle as async_graphql::OutputType>::create_type_info),
        ("Owner", <Owner as async_graphql::OutputType>::create_type_info),
    ],
    conditions: &[],
    fields: &[
        support::FieldInfo::new("id", "ID!", <async_graphql::ID as async_graphql::OutputType>::create_type_info),
    ],
};

impl async_graphql::OutputType for Node {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Node")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_interface::<Self>(registry, &__Node)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for Node {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::Plan::Abstract(vec![
            <Vehicle as support::WriteJson>::plan(selections),
            <Owner as support::WriteJson>::plan(selections),
        ])
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        match self {
            Self::Vehicle(value) => support::WriteJson::write(value, plan.member(0), json),
            Self::Owner(value) => support::WriteJson::write(value, plan.member(1), json),
        }
    }
}

/// The schema that this code serves.
#[allow(dead_code, reason = "not every crate prints it")]
pub const SDL: &str = "schema {\n  query: Query\n}\n\ntype Query {\n  vehicles: [Vehicle]\n  vehicle: Vehicle\n  catalogue: [Vehicle]\n  things: [Thing!]!\n  nodes: [Node]\n}\n\ntype Vehicle implements Node {\n  id: ID!\n  type: String\n  modelCode: String\n  brandName: String\n  launchDate: String\n  owner: Owner\n  tags: [String!]!\n  seats: [[Owner]]\n  wheels: Int!\n  weight: Float\n  electric: Boolean\n}\n\ntype Owner implements Node {\n  id: ID!\n  name: String\n  first: Vehicle\n}\n\nunion Thing = Vehicle | Owner\n\ninterface Node {\n  id: ID!\n}\n";
