//! The contract beside the tables of a database.

use contract::Schema;

use super::{Drift, place};
use crate::store::{
    Column, ColumnType, MigrationState, MigrationStatus, Store, StoreError, expected_columns,
};

/// What a database says of itself.
#[derive(Clone, Debug)]
pub struct Tables {
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its migrations and those of this program.
    pub migrations: Vec<MigrationStatus>,
}

impl Tables {
    /// Asks a database. Two statements that only read.
    pub async fn read(store: &Store) -> Result<Self, StoreError> {
        Ok(Self {
            columns: store.columns().await?,
            migrations: store.migration_status().await?,
        })
    }
}

/// Where a contract and a database do not agree: migrations that are not applied, and [`columns`].
pub fn tables(contract: &Schema, tables: &Tables) -> Vec<Drift> {
    let migrations = tables.migrations.iter().filter_map(migration);
    let columns = columns(contract, &tables.columns);
    migrations.chain(columns).collect()
}

/// Where a contract and the columns of a database do not agree: for each stored field whether its
/// column is there, its type, length, nullability and default.
pub fn columns(contract: &Schema, found: &[Column]) -> Vec<Drift> {
    let mut drifts = Vec::new();
    let expected = expected_columns();
    for column in &expected {
        let field = Field::of(column);
        let mut add = |message: String| {
            drifts.push(Drift {
                coordinate: field.coordinate(),
                contract: place(contract, &field.coordinate()),
                elsewhere: format!("the column {}.{}", column.table, column.name),
                message,
            });
        };
        if let Some(message) = not_stored_like_that(contract, &field, column) {
            add(message);
        }
        let here = |found: &&Column| found.table == column.table && found.name == column.name;
        match found.iter().find(here) {
            None => add("the database has no such column".to_owned()),
            Some(found) => differences(column, found).into_iter().for_each(add),
        }
    }
    let unknown = found.iter().filter(|found| {
        let mut known = expected.iter();
        !known.any(|column| column.table == found.table && column.name == found.name)
    });
    drifts.extend(unknown.filter_map(|column| unfilled(contract, column)));
    drifts
}

/// The field of the contract that a column stores.
struct Field {
    ty: String,
    name: String,
}

impl Field {
    /// The column `model_code` of the table `vehicle` stores `Vehicle.modelCode`.
    fn of(column: &Column) -> Self {
        let capitals = |text: &str| -> String {
            let words = text.split('_').map(|word| {
                let (first, rest) = word.split_at(word.len().min(1));
                first.to_ascii_uppercase() + rest
            });
            words.collect()
        };
        let name = capitals(&column.name);
        let (first, rest) = name.split_at(name.len().min(1));
        Self {
            ty: capitals(&column.table),
            name: first.to_ascii_lowercase() + rest,
        }
    }

    fn coordinate(&self) -> String {
        format!("{}.{}", self.ty, self.name)
    }
}

fn migration(migration: &MigrationStatus) -> Option<Drift> {
    let message = match migration.state {
        MigrationState::Applied => return None,
        MigrationState::Pending => {
            "the database does not have this migration; run vehicle-catalogue migrate up"
        }
        MigrationState::Unknown => {
            "this program does not know this migration of the database; use the newer version that does"
        }
    };
    Some(Drift {
        coordinate: migration.name.clone(),
        contract: "the migrations of this program".to_owned(),
        elsewhere: "the table seaql_migrations".to_owned(),
        message: message.to_owned(),
    })
}

/// What of the field a column could not store or not answer.
fn not_stored_like_that(contract: &Schema, field: &Field, column: &Column) -> Option<String> {
    let Ok(definition) = contract.tree().type_field(&field.ty, &field.name) else {
        return Some("the contract has no field for it; add it, or stop storing it".to_owned());
    };
    let ty = &definition.ty;
    if ty.is_non_null() && column.nullable {
        return Some(format!(
            "the field has the type {ty} but the column may be null"
        ));
    }
    let scalars: &[&str] = match column.ty {
        ColumnType::Integer => &["ID", "Int"],
        ColumnType::Text { .. } => &["ID", "String"],
        ColumnType::Date => &["String"],
        ColumnType::Other(_) => return None,
    };
    let name = ty.inner_named_type();
    let built_in = ["ID", "Int", "String", "Float", "Boolean"].contains(&name.as_str());
    let fits = !ty.is_list() && (!built_in || scalars.contains(&name.as_str()));
    (!fits).then(|| {
        format!(
            "the field has the type {ty} but the column holds {}",
            column.ty
        )
    })
}

fn differences(expected: &Column, found: &Column) -> Vec<String> {
    let mut messages = Vec::new();
    if expected.ty != found.ty {
        messages.push(format!("holds {}, not {}", found.ty, expected.ty));
    }
    match (expected.nullable, found.nullable) {
        (false, true) => messages.push("may be null, but must not".to_owned()),
        (true, false) => messages.push("must not be null, but may have to be".to_owned()),
        _ => {}
    }
    match &found.default {
        Some(default) if found.default != expected.default => messages.push(format!(
            "has the default {default}, but what is not given is null"
        )),
        _ => {}
    }
    if expected.generated && !found.generated {
        messages.push("is not made by the database, but the service gives no value".to_owned());
    }
    messages
}

/// A column that the service does not know and the database does not do without.
fn unfilled(contract: &Schema, column: &Column) -> Option<Drift> {
    let filled = column.nullable || column.default.is_some() || column.generated;
    let field = Field::of(column);
    (!filled).then(|| Drift {
        contract: place(contract, &field.coordinate()),
        coordinate: field.coordinate(),
        elsewhere: format!("the column {}.{}", column.table, column.name),
        message: "must not be null, but the service does not know it: nothing can be stored"
            .to_owned(),
    })
}
