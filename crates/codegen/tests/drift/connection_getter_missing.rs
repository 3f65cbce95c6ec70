//! A page lacks a getter.

#[path = "pages_contract.rs"]
mod contract;

use async_graphql::{Error, ID};
use contract::*;
use engine::Context;

pub struct Page(SortOrder);

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

impl ConnectionResolver for Page {
    fn nodes(&self) -> Vec<Vehicle> {
        vec![Vehicle {
            id: ID("1".to_owned()),
        }]
    }
}

struct Resolvers;

impl QueryResolver for Resolvers {
    type Error = Error;

    async fn page(
        &self,
        _: &Context<'_>,
        QueryPageArguments { order, filter }: QueryPageArguments<Option<Order>, Option<Filter>>,
    ) -> Result<Option<Page>, Error> {
        let brand_name = filter.and_then(|filter| filter.brand_name);
        Ok(brand_name.and(order).map(|order| Page(order.into())))
    }
}

fn main() {}
