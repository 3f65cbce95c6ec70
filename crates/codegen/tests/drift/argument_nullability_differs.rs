//! A resolver declares a non-null argument as nullable.

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
        MutationCreateArguments { r#type, model_code }: MutationCreateArguments<Option<String>, String>,
    ) -> Result<Option<Car>, Error> {
        Ok(r#type.filter(|_| model_code.is_empty()).map(|_| Car))
    }

    async fn update(
        &self,
        _: &Context<'_>,
        MutationUpdateArguments { changes }: MutationUpdateArguments<VehicleChanges>,
    ) -> Result<Option<Car>, Error> {
        Ok(changes.brand_name.is_undefined().then_some(Car))
    }
}

fn main() {}
