//! What the crate `service` has to know of this service.

use graphql_http::GraphiqlTab;
use service::Definition;

use crate::{
    app::APPLICATIONS,
    graphql::{self, CONTRACT, SERVED_SDL},
    settings::Settings,
    store::{APPLICATION, INTERNAL_COLUMNS, Store},
};

/// The service with these settings.
pub fn definition(settings: &Settings) -> Definition {
    let bulk_limit = settings.bulk_limit;
    let version = env!("CARGO_PKG_VERSION");
    let engine =
        move |database, settings| graphql::engine(Store::new(database), bulk_limit, settings);
    Definition {
        title: "Vehicle catalogue",
        internal_columns: INTERNAL_COLUMNS,
        metrics_prefix: "catalogue",
        request_id_attribute: "catalogue.request_id",
        graphiql_tabs: GRAPHIQL_TABS,
        ..Definition::new(
            APPLICATION,
            version,
            &CONTRACT,
            SERVED_SDL,
            APPLICATIONS,
            engine,
        )
    }
}

/// The default tabs of GraphiQL.
const GRAPHIQL_TABS: &[GraphiqlTab] = &[
    GraphiqlTab {
        query: include_str!("examples/first_page.graphql"),
        variables: "",
    },
    GraphiqlTab {
        query: include_str!("examples/next_page.graphql"),
        variables: include_str!("examples/next_page.json"),
    },
    GraphiqlTab {
        query: include_str!("examples/create.graphql"),
        variables: include_str!("examples/create.json"),
    },
    GraphiqlTab {
        query: include_str!("examples/update.graphql"),
        variables: include_str!("examples/update.json"),
    },
    GraphiqlTab {
        query: include_str!("examples/delete.graphql"),
        variables: include_str!("examples/delete.json"),
    },
];

#[cfg(test)]
mod tests {
    use schema::Schema;
    use service::served;

    use super::GRAPHIQL_TABS;
    use crate::graphql::{CONTRACT, SERVED_SDL};

    /// The width of the editor beside an open explorer, in a window of 1280 pixels.
    #[test]
    fn comments_of_the_tabs_have_at_most_45_characters() {
        for line in GRAPHIQL_TABS.iter().flat_map(|tab| tab.query.lines()) {
            assert!(
                !line.starts_with('#') || line.chars().count() <= 45,
                "{line}"
            );
        }
    }

    fn contract(sdl: &str) -> Schema {
        Schema::parse("schema.graphql", sdl).expect("it is valid")
    }

    #[test]
    fn the_served_schema_equals_the_contract() {
        let found = served(&contract(CONTRACT.sdl()), &contract(SERVED_SDL));
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
            assert!(CONTRACT.sdl().contains(from), "{from}");
            let changed = contract(&CONTRACT.sdl().replacen(from, to, 1));
            for (file, serves) in [
                (&changed, contract(SERVED_SDL)),
                (&contract(CONTRACT.sdl()), changed.clone()),
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
