// Generated from schema.graphql; do not edit. Each item names its line there.

/// Resolves the type `Query` of the contract.
pub trait QueryResolver: Send + Sync { // schema.graphql:1:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `vehicles`
    fn vehicles( // schema.graphql:2:3
        &self,
        ctx: &::engine::Context<'_>,
    ) -> impl ::std::future::Future< // schema.graphql:2:3
        Output = Result<Option<Vec<Option<Vehicle>>>, Self::Error>, // schema.graphql:2:3
    > + Send;
    /// `vehicle`
    fn vehicle( // schema.graphql:3:3
        &self,
        ctx: &::engine::Context<'_>,
    ) -> impl ::std::future::Future< // schema.graphql:3:3
        Output = Result<Option<Vehicle>, Self::Error>, // schema.graphql:3:3
    > + Send;
    /// `catalogue`
    fn catalogue( // schema.graphql:4:3
        &self,
        ctx: &::engine::Context<'_>,
    ) -> impl ::std::future::Future< // schema.graphql:4:3
        Output = Result<Option<Vec<Option<Vehicle>>>, Self::Error>, // schema.graphql:4:3
    > + Send;
    /// `things`
    fn things( // schema.graphql:5:3
        &self,
        ctx: &::engine::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Vec<Thing>, Self::Error>> + Send; // schema.graphql:5:3
    /// `nodes`
    fn nodes( // schema.graphql:6:3
        &self,
        ctx: &::engine::Context<'_>,
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

impl<R: QueryResolver> ::engine::runtime::Object for Query<R> {
    const NAME: &'static str = "Query";
    const FIELDS: &'static [&'static str] = &[
        "vehicles",
        "vehicle",
        "catalogue",
        "things",
        "nodes",
    ];
    const CONDITIONS: &'static [&'static str] = &["Query"];
    const HAS_RESOLVERS: bool = true;
    fn plan_field(
        planner: &::engine::runtime::Planner<'_>,
        field: usize,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        match field {
            0usize => <Vehicle as ::engine::runtime::Planned>::plan(planner, sets),
            1usize => <Vehicle as ::engine::runtime::Planned>::plan(planner, sets),
            2usize => <Vehicle as ::engine::runtime::Planned>::plan(planner, sets),
            3usize => <Thing as ::engine::runtime::Planned>::plan(planner, sets),
            4usize => <Node as ::engine::runtime::Planned>::plan(planner, sets),
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
            let value = QueryResolver::vehicles(resolver, ctx)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_vehicle<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let value = QueryResolver::vehicle(resolver, ctx)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_catalogue<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let value = QueryResolver::catalogue(resolver, ctx)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_things<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let value = QueryResolver::things(resolver, ctx)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_nodes<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let value = QueryResolver::nodes(resolver, ctx)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        match field {
            0usize => Ok(ctx.nullable(resolve_vehicles(&self.0, ctx).await)),
            1usize => Ok(ctx.nullable(resolve_vehicle(&self.0, ctx).await)),
            2usize => Ok(ctx.nullable(resolve_catalogue(&self.0, ctx).await)),
            3usize => resolve_things(&self.0, ctx).await,
            4usize => Ok(ctx.nullable(resolve_nodes(&self.0, ctx).await)),
            _ => Ok(b"null".to_vec()),
        }
    }
}

impl ::engine::runtime::Object for Vehicle {
    const NAME: &'static str = "Vehicle";
    const FIELDS: &'static [&'static str] = &[
        "id",
        "type",
        "modelCode",
        "brandName",
        "launchDate",
        "owner",
        "tags",
        "seats",
        "wheels",
        "weight",
        "electric",
    ];
    const CONDITIONS: &'static [&'static str] = &["Vehicle", "Node", "Thing"];
    fn plan_field(
        planner: &::engine::runtime::Planner<'_>,
        field: usize,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        match field {
            5usize => <Owner as ::engine::runtime::Planned>::plan(planner, sets),
            7usize => <Owner as ::engine::runtime::Planned>::plan(planner, sets),
            _ => ::engine::runtime::Plan::Leaf,
        }
    }
}

impl ::engine::runtime::Plain for Vehicle {
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
                0usize => Plain::write(&self.id, plan, json),
                1usize => Plain::write(&self.r#type, plan, json),
                2usize => Plain::write(&self.model_code, plan, json),
                3usize => Plain::write(&self.brand_name, plan, json),
                4usize => Plain::write(&self.launch_date, plan, json),
                5usize => Plain::write(&self.owner, plan, json),
                6usize => Plain::write(&self.tags, plan, json),
                7usize => Plain::write(&self.seats, plan, json),
                8usize => Plain::write(&self.wheels, plan, json),
                9usize => Plain::write(&self.weight, plan, json),
                10usize => Plain::write(&self.electric, plan, json),
                _ => {}
            },
        );
    }
}

impl ::engine::runtime::Object for Owner {
    const NAME: &'static str = "Owner";
    const FIELDS: &'static [&'static str] = &["id", "name", "first"];
    const CONDITIONS: &'static [&'static str] = &["Owner", "Node", "Thing"];
    fn plan_field(
        planner: &::engine::runtime::Planner<'_>,
        field: usize,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        match field {
            2usize => <Vehicle as ::engine::runtime::Planned>::plan(planner, sets),
            _ => ::engine::runtime::Plan::Leaf,
        }
    }
}

impl ::engine::runtime::Plain for Owner {
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
                0usize => Plain::write(&self.id, plan, json),
                1usize => Plain::write(&self.name, plan, json),
                2usize => Plain::write(&self.first, plan, json),
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

impl ::engine::runtime::Planned for Thing {
    fn plan(
        planner: &::engine::runtime::Planner<'_>,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        ::engine::runtime::Plan::Abstract(
            Box::new([planner.object::<Vehicle>(sets), planner.object::<Owner>(sets)]),
        )
    }
}

impl ::engine::runtime::Plain for Thing {
    fn write(
        &self,
        plan: &::engine::runtime::Plan,
        json: &mut ::engine::runtime::JsonWriter,
    ) {
        match self {
            Self::Vehicle(value) => {
                ::engine::runtime::Plain::write(value, plan.member(0usize), json)
            }
            Self::Owner(value) => {
                ::engine::runtime::Plain::write(value, plan.member(1usize), json)
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

impl ::engine::runtime::Planned for Node {
    fn plan(
        planner: &::engine::runtime::Planner<'_>,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        ::engine::runtime::Plan::Abstract(
            Box::new([planner.object::<Vehicle>(sets), planner.object::<Owner>(sets)]),
        )
    }
}

impl ::engine::runtime::Plain for Node {
    fn write(
        &self,
        plan: &::engine::runtime::Plan,
        json: &mut ::engine::runtime::JsonWriter,
    ) {
        match self {
            Self::Vehicle(value) => {
                ::engine::runtime::Plain::write(value, plan.member(0usize), json)
            }
            Self::Owner(value) => {
                ::engine::runtime::Plain::write(value, plan.member(1usize), json)
            }
        }
    }
}

/// The schema that this code serves.
#[allow(dead_code, reason = "not every crate prints it")]
pub const SDL: &str = "schema {\n  query: Query\n}\n\ntype Query {\n  vehicles: [Vehicle]\n  vehicle: Vehicle\n  catalogue: [Vehicle]\n  things: [Thing!]!\n  nodes: [Node]\n}\n\ntype Vehicle implements Node {\n  id: ID!\n  type: String\n  modelCode: String\n  brandName: String\n  launchDate: String\n  owner: Owner\n  tags: [String!]!\n  seats: [[Owner]]\n  wheels: Int!\n  weight: Float\n  electric: Boolean\n}\n\ntype Owner implements Node {\n  id: ID!\n  name: String\n  first: Vehicle\n}\n\nunion Thing = Vehicle | Owner\n\ninterface Node {\n  id: ID!\n}\n";
