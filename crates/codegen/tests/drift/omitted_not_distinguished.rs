//! A resolver treats a field that distinguishes omitted from null as nullable.

#[path = "contract.rs"]
mod contract;

use async_graphql::{Error, ID};
use contract::*;
use engine::Context;

pub struct Car;

impl VehicleResolver for Car {
    fn id(&self) -> ID {
        ID("1".to_owned())
    }

    fn brand_name(&self) -> Option<std::borrow::Cow<'_, str>> {
        None
    }
}

struct Resolvers;

impl QueryResolver for Resolvers {
    type Error = Error;

    async fn vehicles(
        &self,
        _: &Context<'_>,
        QueryVehiclesArguments { count }: QueryVehiclesArguments<Option<i32>>,
    ) -> Result<Option<Vec<Option<Car>>>, Error> {
        Ok(count.map(|_| vec![Some(Car)]))
    }
}

impl MutationResolver for Resolvers {
    type Error = Error;

    async fn create(
        &self,
        _: &Context<'_>,
        MutationCreateArguments { r#type, model_code }: MutationCreateArguments<String, String>,
    ) -> Result<Option<Car>, Error> {
        Ok((r#type == model_code).then_some(Car))
    }

    async fn update(
        &self,
        _: &Context<'_>,
        MutationUpdateArguments { changes }: MutationUpdateArguments<VehicleChanges>,
    ) -> Result<Option<Car>, Error> {
        let brand_name: Option<String> = changes.brand_name;
        Ok(brand_name.map(|_| Car))
    }
}

fn main() {}
