//! Resolvers that agree with the contract.

#[path = "contract.rs"]
mod contract;

use async_graphql::{Context, Error};
use contract::{
    support::{Text, Unchecked},
    *,
};

pub struct Car;

impl VehicleResolver for Car {
    fn id(&self) -> Text<'_> {
        Text::from("1")
    }

    fn brand_name(&self) -> Option<Text<'_>> {
        None
    }
}

pub struct Dealer;

impl DealerResolver for Dealer {
    type Error = Error;

    async fn name(
        &self,
        _: &Context<'_>,
        arguments: DealerNameArguments<Option<String>>,
    ) -> Result<String, Error> {
        Ok(arguments.language.unwrap_or_default())
    }
}

enum SortOrder {
    IdAsc,
    IdDesc,
}

impl From<Order> for SortOrder {
    fn from(order: Order) -> Self {
        match order {
            Order::IdAsc => Self::IdAsc,
            Order::IdDesc => Self::IdDesc,
        }
    }
}

struct Resolvers;

impl QueryResolver for Resolvers {
    type Error = Error;

    async fn vehicles(
        &self,
        _: &Context<'_>,
        arguments: Unchecked<QueryVehiclesArguments<Option<Order>, Option<i32>>>,
    ) -> Result<Option<Vec<Option<Car>>>, Error> {
        let QueryVehiclesArguments { order, count } = arguments.check()?;
        Ok(count
            .zip(order.map(SortOrder::from))
            .map(|_| vec![Some(Car)]))
    }

    async fn dealers(&self, _: &Context<'_>) -> Result<Option<Vec<Dealer>>, Error> {
        Ok(Some(vec![Dealer {}]))
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
