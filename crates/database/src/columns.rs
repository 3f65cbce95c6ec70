//! The actual columns of a table, and those that its entity expects.

use std::fmt;

use sea_orm::{
    ColumnTrait, ColumnType as EntityType, ConnectionTrait, DbBackend, DbErr, EntityTrait,
    IdenStatic, Iterable, PrimaryKeyToColumn, PrimaryKeyTrait, QueryResult, Statement,
    sea_query::{SimpleExpr, StringLen},
};

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The table it belongs to.
    pub table: String,
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: ColumnType,
    /// Whether it may be null.
    pub nullable: bool,
    /// The default, in the notation of the database.
    pub default: Option<String>,
    /// Whether the database generates unique values.
    pub generated: bool,
}

/// The type of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// A 64-bit integer.
    Integer,
    /// A 32-bit integer.
    Int,
    /// Unicode text.
    Text {
        /// The maximum number of characters, or `None` without a limit.
        characters: Option<u32>,
    },
    /// A date without time.
    Date,
    /// Bytes.
    Bytes,
    /// Any other type, in the notation of the database.
    Other(String),
}

impl fmt::Display for ColumnType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer => f.write_str("a 64-bit integer"),
            Self::Int => f.write_str("a 32-bit integer"),
            Self::Text {
                characters: Some(max),
            } => write!(f, "text of at most {max} characters"),
            Self::Text { characters: None } => f.write_str("text of any length"),
            Self::Date => f.write_str("a date"),
            Self::Bytes => f.write_str("bytes"),
            Self::Other(type_name) => f.write_str(type_name),
        }
    }
}

/// The columns that an entity reads and writes.
pub fn entity_columns<E: EntityTrait>() -> Vec<Column> {
    let columns = E::Column::iter().map(|column| {
        let definition = column.def();
        let key = E::PrimaryKey::from_column(column).is_some();
        Column {
            table: E::default().table_name().to_owned(),
            name: column.as_str().to_owned(),
            ty: match definition.get_column_type() {
                EntityType::BigInteger => ColumnType::Integer,
                EntityType::Integer => ColumnType::Int,
                EntityType::String(StringLen::N(max)) => ColumnType::Text {
                    characters: Some(*max),
                },
                EntityType::Date => ColumnType::Date,
                EntityType::Binary(_) => ColumnType::Bytes,
                other => ColumnType::Other(format!("{other:?}")),
            },
            nullable: definition.is_null(),
            default: definition.get_column_default().map(literal),
            generated: key && E::PrimaryKey::auto_increment(),
        }
    });
    columns.collect()
}

/// A default value in the notation of the databases.
fn literal(default: &SimpleExpr) -> String {
    match default {
        SimpleExpr::Value(value) => value.to_string(),
        other => format!("{other:?}"),
    }
}

/// These queries return name, type, length, whether the column is nullable, default, and whether its
/// values are generated.
const POSTGRES: &str = "SELECT CAST(column_name AS text), CAST(data_type AS text), \
     CAST(character_maximum_length AS bigint), CAST(is_nullable = 'YES' AS int)::bigint, \
     CAST(column_default AS text), \
     CAST(is_identity = 'YES' OR COALESCE(column_default, '') LIKE 'nextval(%' AS int)::bigint \
     FROM information_schema.columns \
     WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position";

const MYSQL: &str = "SELECT CAST(column_name AS CHAR), \
     CAST(IF(character_set_name <> 'utf8mb4', column_type, data_type) AS CHAR), \
     CAST(character_maximum_length AS SIGNED), CAST(is_nullable = 'YES' AS SIGNED), \
     CAST(column_default AS CHAR), CAST(extra LIKE '%auto_increment%' AS SIGNED) \
     FROM information_schema.columns \
     WHERE table_schema = DATABASE() AND table_name = ? ORDER BY ordinal_position";

/// SQLite returns the definition of the table instead of a length: it ignores the length of a type, so
/// that only a constraint limits text.
const SQLITE: &str = "SELECT info.name, lower(info.type), NULL, \
     CAST(info.\"notnull\" = 0 AND info.pk = 0 AS INTEGER), info.dflt_value, \
     CAST(info.pk = 1 AND upper(master.sql) LIKE '%AUTOINCREMENT%' AS INTEGER), master.sql \
     FROM sqlite_master AS master, pragma_table_info(master.name) AS info \
     WHERE master.type = 'table' AND master.name = ? ORDER BY info.cid";

/// The columns of a table, none if it does not exist.
pub(crate) async fn columns(db: &impl ConnectionTrait, table: &str) -> Result<Vec<Column>, DbErr> {
    let backend = db.get_database_backend();
    let query = match backend {
        DbBackend::Postgres => POSTGRES,
        DbBackend::MySql => MYSQL,
        _ => SQLITE,
    };
    let statement = Statement::from_sql_and_values(backend, query, [table.into()]);
    let rows = db.query_all_raw(statement).await?;
    let columns = rows.iter().map(|row| column(row, table, backend));
    columns.collect()
}

fn column(row: &QueryResult, table: &str, backend: DbBackend) -> Result<Column, DbErr> {
    let name: String = row.try_get_by_index(0)?;
    let type_name: String = row.try_get_by_index(1)?;
    let characters = match backend {
        DbBackend::Sqlite => max_length(&row.try_get_by_index::<String>(6)?, &name),
        _ => row
            .try_get_by_index::<Option<i64>>(2)?
            .and_then(|max| u32::try_from(max).ok()),
    };
    let generated = row.try_get_by_index::<i64>(5)? == 1;
    let default: Option<String> = row.try_get_by_index(4)?;
    Ok(Column {
        table: table.to_owned(),
        ty: column_type(type_name, characters, backend),
        nullable: row.try_get_by_index::<i64>(3)? == 1,
        // MariaDB returns NULL as text; the sequence of PostgreSQL is not a default.
        default: default.filter(|default| !generated && default != "NULL"),
        generated,
        name,
    })
}

fn column_type(type_name: String, characters: Option<u32>, backend: DbBackend) -> ColumnType {
    let name = type_name.split('(').next().unwrap_or_default();
    match (backend, name) {
        (_, "bigint") | (DbBackend::Sqlite, "integer") => ColumnType::Integer,
        (DbBackend::Postgres, "integer") | (DbBackend::MySql | DbBackend::Sqlite, "int") => {
            ColumnType::Int
        }
        (DbBackend::Postgres, "character varying" | "text")
        | (DbBackend::MySql | DbBackend::Sqlite, "varchar") => ColumnType::Text { characters },
        (_, "date") | (DbBackend::Sqlite, "date_text") => ColumnType::Date,
        (DbBackend::Postgres, "bytea")
        | (DbBackend::MySql, "binary" | "varbinary")
        | (DbBackend::Sqlite, "blob") => ColumnType::Bytes,
        _ => ColumnType::Other(type_name),
    }
}

/// The limit of a constraint such as `CHECK (length("name") <= 255)`.
fn max_length(definition: &str, column: &str) -> Option<u32> {
    let definition: String = definition.to_lowercase().split_whitespace().collect();
    let (_, rest) = definition.split_once(&format!("length(\"{column}\")<="))?;
    let digits = rest.find(|letter: char| !letter.is_ascii_digit());
    rest[..digits.unwrap_or(rest.len())].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::max_length;

    #[test]
    fn reads_a_length_limit_from_a_table_definition() {
        let table = "CREATE TABLE \"t\" ( \"a\" varchar(255) CHECK (LENGTH(\"a\") <= 20), \"b\" varchar(9) )";
        assert_eq!(max_length(table, "a"), Some(20));
        assert_eq!(max_length(table, "b"), None);
    }
}
