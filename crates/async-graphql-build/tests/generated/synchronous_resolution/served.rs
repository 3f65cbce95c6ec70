//! The same vehicles served by generated code, which resolves them synchronously, and by async-graphql's derives.

use async_graphql::{Context, EmptyMutation, EmptySubscription, Error, Schema};
use async_graphql_strict::{Limits, Settings, SkipValidation, Strict};
use tokio::runtime::{Builder, Runtime};

include!(concat!(env!("OUT_DIR"), "/synchronous_resolution.rs"));

/// Served by async-graphql's derives.
pub(crate) type Derived = Schema<derived::Query, EmptyMutation, EmptySubscription>;

/// The runtime of a request.
pub(crate) fn runtime() -> Runtime {
    let runtime = Builder::new_current_thread().build();
    runtime.expect("it needs nothing")
}

/// This number of vehicles, by generated code.
pub(crate) fn schema(count: usize) -> Schema<contract::Query<Vehicles>, EmptyMutation, EmptySubscription> {
    let query = contract::Query(Vehicles(count));
    let schema = Schema::build(query, EmptyMutation, EmptySubscription);
    schema.extension(SkipValidation).finish()
}

/// The same behind `Strict`.
pub(crate) fn generated(count: usize) -> Strict<Schema<contract::Query<Vehicles>, EmptyMutation, EmptySubscription>> {
    let settings = Settings { limits: Limits { cost: u32::MAX, ..Limits::default() }, ..Settings::default() };
    let contract = include_str!("../synchronous_resolution.graphql");
    let contract = graphql_sdl::Schema::parse("schema.graphql", contract).expect("it is valid");
    Strict::new(schema(count), &contract, settings)
}

/// This number of vehicles, by derives.
pub(crate) fn derived(count: usize) -> Derived {
    Schema::new(derived::Query(count), EmptyMutation, EmptySubscription)
}

pub(crate) struct Vehicles(pub(crate) usize);

impl contract::QueryResolver for Vehicles {
    type Error = Error;

    async fn vehicles(&self, _: &Context<'_>) -> Result<Option<Vec<Option<contract::Vehicle>>>, Error> {
        Ok(Some((0..self.0).map(|number| Some(make::generated::vehicle(number))).collect()))
    }

    async fn vehicle(&self, _: &Context<'_>) -> Result<Option<contract::Vehicle>, Error> {
        Ok(Some(make::generated::vehicle(7)))
    }

    async fn catalogue(&self, _: &Context<'_>) -> Result<Option<Vec<Option<contract::Vehicle>>>, Error> {
        Ok(Some((0..self.0).map(|number| Some(make::generated::bare(number))).collect()))
    }

    async fn things(&self, _: &Context<'_>) -> Result<Vec<contract::Thing>, Error> {
        Ok(vec![make::generated::vehicle(3).into(), make::generated::owner(4).into()])
    }

    async fn nodes(&self, _: &Context<'_>) -> Result<Option<Vec<Option<contract::Node>>>, Error> {
        Ok(Some(vec![Some(make::generated::owner(5).into()), None, Some(make::generated::vehicle(6).into())]))
    }
}

/// The same contract, by derives.
pub(crate) mod derived {
    use async_graphql::{ID, Interface, Object, SimpleObject, Union};

    use super::make::derived as make;

    pub(crate) struct Query(pub(crate) usize);

    #[derive(SimpleObject)]
    pub(crate) struct Vehicle {
        pub(crate) id: ID,
        pub(crate) r#type: Option<String>,
        pub(crate) model_code: Option<String>,
        pub(crate) brand_name: Option<String>,
        pub(crate) launch_date: Option<String>,
        pub(crate) owner: Option<Box<Owner>>,
        pub(crate) tags: Vec<String>,
        pub(crate) seats: Option<Vec<Option<Vec<Option<Owner>>>>>,
        pub(crate) wheels: i32,
        pub(crate) weight: Option<f64>,
        pub(crate) electric: Option<bool>,
    }

    #[derive(SimpleObject)]
    pub(crate) struct Owner {
        pub(crate) id: ID,
        pub(crate) name: Option<String>,
        pub(crate) first: Option<Box<Vehicle>>,
    }

    #[derive(Union)]
    pub(crate) enum Thing {
        Vehicle(Vehicle),
        Owner(Owner),
    }

    #[derive(Interface)]
    #[graphql(field(name = "id", ty = "&ID"))]
    pub(crate) enum Node {
        Vehicle(Vehicle),
        Owner(Owner),
    }

    #[Object]
    impl Query {
        async fn vehicles(&self) -> Option<Vec<Option<Vehicle>>> {
            Some((0..self.0).map(|number| Some(make::vehicle(number))).collect())
        }

        async fn vehicle(&self) -> Option<Vehicle> {
            Some(make::vehicle(7))
        }

        async fn catalogue(&self) -> Option<Vec<Option<Vehicle>>> {
            Some((0..self.0).map(|number| Some(make::bare(number))).collect())
        }

        async fn things(&self) -> Vec<Thing> {
            vec![make::vehicle(3).into(), make::owner(4).into()]
        }

        async fn nodes(&self) -> Option<Vec<Option<Node>>> {
            Some(vec![Some(make::owner(5).into()), None, Some(make::vehicle(6).into())])
        }
    }
}

/// The same values for both.
mod make {
    macro_rules! values {
        ($types:path) => {
            use $types::{Owner, Vehicle};

            pub(crate) fn vehicle(number: usize) -> Vehicle {
                Vehicle {
                    owner: (number % 2 == 1).then(|| Box::new(owner(number))),
                    seats: Some(vec![Some(vec![Some(owner(1)), None]), None]),
                    tags: vec!["a".to_owned(); number % 3],
                    ..bare(number)
                }
            }

            pub(crate) fn owner(number: usize) -> Owner {
                Owner {
                    id: number.into(),
                    name: (number % 3 > 0).then(|| format!("Owner {number}")),
                    first: (number % 4 > 0).then(|| Box::new(bare(number + 1))),
                }
            }

            pub(crate) fn bare(number: usize) -> Vehicle {
                Vehicle {
                    id: number.into(),
                    r#type: Some("SUV".to_owned()),
                    model_code: Some(format!("XC{number}")),
                    brand_name: (number % 2 == 0).then(|| "Vølvo 🚙".to_owned()),
                    launch_date: (number % 3 > 0).then(|| "2017-03-07".to_owned()),
                    owner: None,
                    tags: Vec::new(),
                    seats: None,
                    wheels: 4,
                    weight: Some(1.5),
                    electric: Some(number % 2 == 0),
                }
            }
        };
    }

    pub(crate) mod generated {
        values!(super::super::contract);
    }

    pub(crate) mod derived {
        values!(super::super::derived);
    }
}
