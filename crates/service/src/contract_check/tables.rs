//! Compares the contract with the tables of a database.

use database::{Column, ColumnType, Database, Error, Index, MigrationState, MigrationStatus};
use schema::{Schema, built_in};

use super::{constraints, drift::Drift, field::Field};
use crate::Definition;

/// The columns and migrations of a database.
#[derive(Clone, Debug)]
pub struct Tables {
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its migrations and those of this program.
    pub migrations: Vec<MigrationStatus>,
}

impl Tables {
    /// Reads them from a database with two read-only statements.
    pub async fn read(database: &Database) -> Result<Self, Error> {
        Ok(Self {
            columns: database.columns().await?,
            migrations: database.migration_status().await?,
        })
    }
}

/// The indexes of the applied migrations that a database lacks.
pub async fn indexes(
    database: &Database,
    migrations: &[MigrationStatus],
) -> Result<Vec<Drift>, Error> {
    let applied = migrations
        .iter()
        .filter(|one| one.state == MigrationState::Applied);
    let applied: Vec<_> = applied.map(|one| one.name.as_str()).collect();
    let missing = database.missing_indexes(&applied).await?;
    Ok(missing.into_iter().map(missing_index).collect())
}

fn missing_index(index: Index) -> Drift {
    let Index {
        name,
        table,
        columns,
        is_unique,
    } = index;
    let unique = if is_unique { "UNIQUE " } else { "" };
    let kind = unique.to_lowercase();
    Drift {
        coordinate: name.to_owned(),
        contract: "the migrations of this program".to_owned(),
        elsewhere: format!("the table {table}"),
        message: format!(
            "the database has no such {kind}index; CREATE {unique}INDEX {name} ON {table} {columns}"
        ),
    }
}

/// The differences between a contract and a database: pending migrations, and differences of the columns.
pub fn tables(service: &Definition, contract: &Schema, tables: &Tables) -> Vec<Drift> {
    let migrations = tables.migrations.iter();
    let migrations = migrations.filter_map(|status| migration(service, status));
    let columns = columns(service, contract, &tables.columns);
    migrations.chain(columns).collect()
}

/// The differences between a contract and the columns of a database: for each stored field the
/// existence of its column, its type, length, nullability and default.
pub(crate) fn columns(service: &Definition, contract: &Schema, found: &[Column]) -> Vec<Drift> {
    let mut drifts = Vec::new();
    let expected = (service.application.columns)();
    for column in &expected {
        let field = Field::from_column(column);
        let is_internal = service.internal_columns.contains(&column.name.as_str());
        if !is_internal {
            drifts.extend(constraints::mismatches(contract, &field, column));
        }
        let mut add = |message| drifts.push(field.drift(contract, column, message));
        if !is_internal && let Some(message) = storage_mismatch(contract, &field, column) {
            add(message);
        }
        column.differences(found).into_iter().for_each(add);
    }
    for column in found {
        if column.is_required_by(&expected) {
            let message = "is NOT NULL and unknown to the service: inserts will fail".to_owned();
            drifts.push(Field::from_column(column).drift(contract, column, message));
        }
    }
    drifts
}

fn migration(service: &Definition, migration: &MigrationStatus) -> Option<Drift> {
    let message = match migration.state {
        // The columns show whether those of a newer version matter.
        MigrationState::Applied | MigrationState::Unknown => return None,
        MigrationState::Pending => {
            let name = service.application.name;
            format!("the database does not have this migration; run {name} migrate up")
        }
    };
    Some(Drift {
        coordinate: migration.name.clone(),
        contract: "the migrations of this program".to_owned(),
        elsewhere: "the table seaql_migrations".to_owned(),
        message,
    })
}

/// Why the column cannot store every value of the field, or the field cannot return every value of
/// the column.
fn storage_mismatch(contract: &Schema, field: &Field, column: &Column) -> Option<String> {
    let Ok(definition) = contract.tree().type_field(&field.ty, &field.name) else {
        return Some(
            "the contract has no field for it; add one, or remove the column from the entity"
                .to_owned(),
        );
    };
    let ty = &definition.ty;
    if ty.is_non_null() && column.nullable {
        return Some(format!(
            "the field has the type {ty} but the column may be null"
        ));
    }
    let scalars: &[&str] = match column.ty {
        ColumnType::Integer => &["ID"],
        ColumnType::Int => &["ID", "Int"],
        ColumnType::Text { .. } => &["ID", "String"],
        ColumnType::Date => &["String"],
        ColumnType::Bytes | ColumnType::Other(_) => return None,
    };
    let name = ty.inner_named_type();
    let built_in = built_in::is_scalar(name);
    let fits = !ty.is_list() && (!built_in || scalars.contains(&name.as_str()));
    (!fits).then(|| {
        format!(
            "the field has the type {ty} but the column holds {}",
            column.ty
        )
    })
}
