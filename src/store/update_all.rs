//! Updates many rows with one statement.

use std::collections::BTreeMap;

use sea_orm::sea_query::CaseStatement;
use sea_orm::{ActiveModelTrait, ColumnTrait, EntityTrait, QueryFilter, UpdateMany, Value};

use super::entity::{ActiveModel, Column, Entity, columns};
use crate::catalogue::Vehicle;

/// The maximum number of rows in a statement, a power of two: the database compares the id of each row with half of them.
const STATEMENT_ROWS: usize = 128;

/// The statements that change vehicles from the first of each pair to the second, in this order. The caller has
/// locked the rows.
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
            value(before, column) != value(after, column)
        };
        if models.iter().any(differs) {
            let values = CaseStatement::new();
            let values = models.iter().fold(values, |values, (_, after)| {
                let is_row = Column::Id.eq(value(after, Column::Id));
                values.case(is_row, value(after, column))
            });
            update = update.col_expr(column, values.into());
        }
    }
    let ids = models.iter().map(|(_, after)| value(after, Column::Id));
    update.filter(Column::Id.is_in(ids))
}

fn model(vehicle: &Vehicle) -> ActiveModel {
    vehicle.clone().into()
}

fn value(model: &ActiveModel, column: Column) -> Value {
    let value = model.get(column).into_value();
    value.expect("a vehicle has a value for each of its columns")
}
