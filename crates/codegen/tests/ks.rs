#![allow(missing_docs, unreachable_pub, dead_code)]
mod kitchen_sink { pub mod model; pub mod resolvers; }
pub use kitchen_sink::model::{Bargain, Day, Holding, Human, Store};
#[tokio::test]
async fn it() {
    use kitchen_sink::model::contract::*;
    let schema = async_graphql::Schema::build(Query(kitchen_sink::resolvers::Kitchen), Mutation(kitchen_sink::resolvers::Kitchen), async_graphql::EmptySubscription).finish();
    println!("{}", schema.sdl());
    for q in ["{greeting everything {int float id date kind nested {int}} search(text: \"x\") {__typename ... on Book {pages related {... on Car {wheels}}}} lists {grid sparse things{name}}}",
      "{shop {name offers {price usd: price(currency: Usd) product {pages}} one: offers(first: 1) {price} owner {name} __typename}}",
      "{measurements {text value margin list: series parts {value}} measured: merchant(name: \"none\") {... on Measurement {value}} greeting}"] {
        println!("{}", serde_json::to_string(&schema.execute(q).await).unwrap());
    }
}
