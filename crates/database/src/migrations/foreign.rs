//! Tables of another program.

use sea_orm::ConnectionTrait;
use sea_orm::sea_query::ColumnDef;

use super::step::{Migration, Step, name};
use crate::columns::columns;
use crate::error::Error;

/// Fails if a table to be created exists with other columns. One with these columns is that of an interrupted run.
pub(super) async fn refuse_foreign_tables(
    db: &impl ConnectionTrait,
    pending: &[&Migration],
) -> Result<(), Error> {
    for step in pending
        .iter()
        .flat_map(|it| (it.steps)(db.get_database_backend()))
    {
        let Step::CreateTable(created) = step else {
            continue;
        };
        let table = name(&created).sea_orm_table().to_string();
        let found = columns(db, &table).await?;
        let names = created.get_columns().iter().map(ColumnDef::get_column_name);
        let missing: Vec<_> = names
            .filter(|name| !found.iter().any(|column| column.name == *name))
            .collect();
        if !found.is_empty() && !missing.is_empty() {
            let reason = format!("it has no column {}", missing.join(", "));
            return Err(Error::ForeignTable { table, reason });
        }
    }
    Ok(())
}
