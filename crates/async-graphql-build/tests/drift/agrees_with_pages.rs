//! Resolvers of pages that agree with the contract.

#[path = "pages_contract.rs"]
mod contract;

use async_graphql::{Context, Error, ID};
use contract::*;

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

    fn page_info(&self) -> PageInfo {
        PageInfo {
            has_next_page: matches!(self.0, SortOrder::IdAsc),
            end_cursor: None,
        }
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
