//! Compares the contract with the schema that the resolvers serve.

use review::diff;
use schema::Schema;

use super::drift::{Drift, located, location};

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
    // One form may be the beginning of the other.
    let end = ["(no more lines)"];
    let mut lines = ours.lines().chain(end).zip(theirs.lines().chain(end));
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
    use super::*;

    #[test]
    fn a_canonical_form_that_begins_with_the_other_one_differs() {
        let parse = |sdl: &str| Schema::parse("schema.graphql", sdl).unwrap();
        let short = parse("type Query { a: Int }");
        let long = parse("type Query { a: Int } type Zebra { a: Int }");
        assert!(long.canonical().starts_with(short.canonical().trim_end()));
        assert!(other_difference(&short, &long).is_some());
        assert!(other_difference(&long, &short).is_some());
        assert_eq!(other_difference(&long, &long), None);
    }
}
