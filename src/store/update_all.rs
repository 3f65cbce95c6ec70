//! Updates many rows with one statement.

use std::collections::BTreeMap;

use sea_orm::sea_query::{CaseStatement, Expr};
use sea_orm::{ActiveModelTrait, ColumnTrait, EntityTrait, QueryFilter, UpdateMany};

use super::entity::{ActiveModel, Column, Entity, columns};
use crate::catalogue::Vehicle;

/// The maximum number of rows in a statement: the database compares the id of each row with half of them.
const STATEMENT_ROWS: usize = 100;

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

/// Sets the columns that differ in at least one of the pairs.
fn statement(changes: &[(&Vehicle, &Vehicle)]) -> UpdateMany<Entity> {
    let models = changes.iter().map(|(before, after)| {
        let model = |vehicle: &Vehicle| ActiveModel::from(vehicle.clone());
        (model(before), model(after))
    });
    let models: Vec<_> = models.collect();
    let mut update = Entity::update_many();
    for column in columns() {
        let differs = |(before, after): &(ActiveModel, ActiveModel)| {
            before.get(column).into_value() != after.get(column).into_value()
        };
        if models.iter().any(differs) {
            let rows = changes.iter().zip(&models);
            let values = rows.fold(CaseStatement::new(), |case, ((_, vehicle), (_, after))| {
                let value = after.get(column).into_value();
                case.case(has_id(vehicle), value.expect("all columns are set"))
            });
            update = update.col_expr(column, values.into());
        }
    }
    let ids = changes.iter().map(|(_, after)| after.id.get());
    update.filter(Column::Id.is_in(ids))
}

fn has_id(vehicle: &Vehicle) -> Expr {
    Column::Id.eq(vehicle.id.get())
}
