//! Resolvers that agree with the contract.

#[path = "contract.rs"]
mod contract;

use async_graphql::{Context, Error};
use contract::{support::Text, *};

pub struct Car;

impl VehicleResolver for Car {
    fn id(&self) -> Text<'_> {
        Text::from("1")
    }

    fn brand_name(&self) -> Option<Text<'_>> {
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
        Ok(changes.brand_name.is_undefined().then_some(Car))
    }
}

fn main() {}
