//! Updates many rows with one statement.

use std::collections::BTreeMap;

use sea_orm::sea_query::CaseStatement;
use sea_orm::{ActiveModelTrait, ColumnTrait, EntityTrait, QueryFilter, UpdateMany};

use super::entity::{ActiveModel, Column, Entity, columns};
use crate::catalogue::Vehicle;

/// The maximum number of rows in a statement, a power of two: the database compares the id of each row with half of them.
const STATEMENT_ROWS: usize = 128;

/// The statements that change vehicles from the first of each pair to the second, in this order. Whoever executes them
/// has locked the rows.
pub(super) fn update_all<'v>(
    changes: impl Iterator<Item = (&'v Vehicle, &'v Vehicle)>,
) -> Vec<UpdateMany<Entity>> {
    let mut by_id = BTreeMap::new();
    for (before, after) in changes {
        let (_, last) = by_id.entry(after.id).or_insert((before, after));
        *last = after;
    }
    let changes: Vec<_> = by_id.into_values().collect();
    changes.chunks(STATEMENT_ROWS).map(statement).collect()
}

/// Sets the columns that differ in at least one of the pairs. The last pair is repeated up to a power of two, so that a
/// connection caches few different statements.
fn statement(changes: &[(&Vehicle, &Vehicle)]) -> UpdateMany<Entity> {
    let repeated = changes.last().into_iter().cycle();
    let rows = changes.len().next_power_of_two();
    let models = changes.iter().chain(repeated).take(rows);
    let models = models.map(|(before, after)| (model(before), model(after)));
    let models: Vec<_> = models.collect();
    let mut update = Entity::update_many();
    for column in columns() {
        let differs = |(before, after): &(ActiveModel, ActiveModel)| {
            before.get(column).into_value() != after.get(column).into_value()
        };
        if models.iter().any(differs) {
            let values = models
                .iter()
                .fold(CaseStatement::new(), |case, (_, after)| {
                    let value = |column| {
                        after
                            .get(column)
                            .into_value()
                            .expect("columns of vehicles are set")
                    };
                    case.case(Column::Id.eq(value(Column::Id)), value(column))
                });
            update = update.col_expr(column, values.into());
        }
    }
    let ids = models.iter().map(|(_, after)| after.id.clone().unwrap());
    update.filter(Column::Id.is_in(ids))
}

fn model(vehicle: &Vehicle) -> ActiveModel {
    vehicle.clone().into()
}
