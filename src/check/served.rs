//! The contract beside what the resolvers serve.

use contract::{Schema, canonical, diff};

use super::{Drift, place};
use crate::{
    graphql::{Engine, EngineSettings},
    store::Store,
};

/// What the resolvers serve, as SDL: made out of their types, whatever they are asked on.
pub async fn served_sdl() -> String {
    let nowhere = Store::in_memory().await;
    Engine::new(nowhere, EngineSettings::default()).served_sdl()
}

/// Where a contract and what is served do not say the same: types, fields, arguments, defaults,
/// nullability, descriptions, deprecations and whatever else a client can see, in both directions.
pub fn served(contract: &Schema, served: &Schema) -> Vec<Drift> {
    let drifts: Vec<_> = diff(contract, served)
        .into_iter()
        .map(|change| {
            let place = match &change.old {
                Some(place) => place.to_string(),
                None => place(contract, &change.coordinate),
            };
            Drift {
                contract: place,
                elsewhere: format!("what the resolvers serve, {}", change.coordinate),
                message: format!("from the contract to what is served: {}", change.message),
                coordinate: change.coordinate,
            }
        })
        .collect();
    if drifts.is_empty() {
        other_difference(contract, served).into_iter().collect()
    } else {
        drifts
    }
}

/// Whatever the comparison has no name for.
fn other_difference(contract: &Schema, served: &Schema) -> Option<Drift> {
    let (ours, theirs) = (canonical(contract), canonical(served));
    let mut lines = ours.lines().zip(theirs.lines());
    let (ours, theirs) = lines.find(|(ours, theirs)| ours != theirs)?;
    Some(Drift {
        coordinate: "schema".to_owned(),
        contract: contract.name().to_owned(),
        elsewhere: "what the resolvers serve".to_owned(),
        message: format!("the contract says {ours:?}, what is served {theirs:?}"),
    })
}

#[cfg(test)]
mod tests {
    use contract::Schema;

    use super::{served, served_sdl};
    use crate::graphql::SCHEMA;

    fn contract(sdl: &str) -> Schema {
        Schema::parse("schema.graphql", sdl).expect("it is valid")
    }

    #[tokio::test]
    async fn what_is_served_is_what_the_contract_says() {
        let found = served(&contract(SCHEMA), &contract(&served_sdl().await));
        assert_eq!(found, []);
    }

    #[tokio::test]
    async fn a_difference_of_any_kind_names_both_places() {
        let sdl = served_sdl().await;
        for (from, to, coordinate) in [
            (
                "launchDate: String\n}",
                "launchDay: String }",
                "Vehicle.launchD",
            ),
            ("id: ID!", "id: ID! wheels: Int", "Vehicle.wheels"),
            ("id: ID!", "id: ID", "Vehicle.id"),
            ("count: Int", "count: Int = 5", "Query.vehicles(count:)"),
            (
                "count: Int",
                "count: Int, after: ID",
                "Query.vehicles(after:)",
            ),
            (
                "brandName: String\n",
                "brandName: String @deprecated(reason: \"no\")\n",
                "Vehicle.brandName",
            ),
            ("What can be changed.", "What can change.", "Mutation"),
            ("The `id` of", "An id of", "Query.vehicle(id:)"),
            (
                "\"What can be asked",
                "scalar Date \"What can be asked",
                "Date",
            ),
        ] {
            assert!(SCHEMA.contains(from), "{from}");
            let changed = contract(&SCHEMA.replacen(from, to, 1));
            for (file, serves) in [
                (&changed, contract(&sdl)),
                (&contract(SCHEMA), changed.clone()),
            ] {
                let found = served(file, &serves);
                assert!(!found.is_empty(), "{to} was not found");
                for drift in found {
                    assert!(drift.coordinate.starts_with(coordinate), "{drift:?}");
                    assert!(drift.contract.starts_with("schema.graphql"), "{drift:?}");
                    assert!(drift.elsewhere.contains(&drift.coordinate), "{drift:?}");
                }
            }
        }
    }
}
