//! Compares the contract with the schema that the resolvers serve.

use review::diff;
use schema::Schema;

use super::{Drift, located, location};

/// The differences between a contract and the served schema in both directions: types, fields,
/// arguments, defaults, nullability, descriptions, deprecations and everything else a client can see.
pub fn served(contract: &Schema, served: &Schema) -> Vec<Drift> {
    let drifts: Vec<_> = diff(contract, served)
        .into_iter()
        .map(|change| {
            let location = change
                .old
                .or_else(|| location(contract, &change.coordinate));
            Drift {
                contract: located(contract, location),
                elsewhere: format!("the served schema, {}", change.coordinate),
                message: format!(
                    "difference between the contract and the served schema: {}",
                    change.message
                ),
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

/// A difference of the canonical forms that the diff does not report.
fn other_difference(contract: &Schema, served: &Schema) -> Option<Drift> {
    let (ours, theirs) = (contract.canonical(), served.canonical());
    let mut lines = ours.lines().zip(theirs.lines());
    let (ours, theirs) = lines.find(|(ours, theirs)| ours != theirs)?;
    Some(Drift {
        coordinate: "schema".to_owned(),
        contract: contract.name().to_owned(),
        elsewhere: "the served schema".to_owned(),
        message: format!("the contract has {ours:?}, the served schema {theirs:?}"),
    })
}

#[cfg(test)]
mod tests {
    use schema::Schema;

    use super::served;
    use crate::graphql::{SCHEMA, SERVED_SDL};

    fn contract(sdl: &str) -> Schema {
        Schema::parse("schema.graphql", sdl).expect("it is valid")
    }

    #[test]
    fn the_served_schema_equals_the_contract() {
        let found = served(&contract(SCHEMA), &contract(SERVED_SDL));
        assert_eq!(found, []);
    }

    #[test]
    fn a_difference_of_any_kind_names_both_locations() {
        for (from, to, coordinate) in [
            ("launchDate: String", "launchDay: String", "Vehicle.launchD"),
            ("id: ID!", "id: ID! wheels: Int", "Vehicle.wheels"),
            ("id: ID!", "id: ID", "Vehicle.id"),
            ("count: Int", "count: Int = 5", "Query.vehicles(count:)"),
            (
                "): [Vehicle]",
                "after: ID): [Vehicle]",
                "Query.vehicles(after:)",
            ),
            (
                "brandName: String",
                "brandName: String @deprecated(reason: \"no\")",
                "Vehicle.brandName",
            ),
            ("maxLength: 255", "maxLength: 99", "Vehicle.type"),
            ("The mutations.", "What can change.", "Mutation"),
            ("The `id` of", "An id of", "Query.vehicle(id:)"),
            ("\"The queries.", "scalar Date \"The queries.", "Date"),
        ] {
            assert!(SCHEMA.contains(from), "{from}");
            let changed = contract(&SCHEMA.replacen(from, to, 1));
            for (file, serves) in [
                (&changed, contract(SERVED_SDL)),
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
