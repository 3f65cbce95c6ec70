//! What the tables look like, and what they have to look like: facts, side by side.
//!
//! What they have to look like is what the entities say. The migrations make it so.

use std::fmt;

use sea_orm::{
    ColumnTrait, ColumnType as EntityType, ConnectionTrait, DatabaseConnection, DbBackend, DbErr,
    EntityName, EntityTrait, IdenStatic, Iterable, PrimaryKeyToColumn, PrimaryKeyTrait,
    QueryResult, Statement, sea_query::StringLen,
};

use super::{Store, entity::vehicle, error::StoreError};

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The table it belongs to.
    pub table: String,
    /// Its name.
    pub name: String,
    /// What it holds.
    pub ty: ColumnType,
    /// Whether it may be null.
    pub nullable: bool,
    /// What it holds when nothing is given, in the words of the database.
    pub default: Option<String>,
    /// Whether the database makes up the value, never the same twice.
    pub generated: bool,
}

/// What a column holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// A whole number of 64 bits.
    Integer,
    /// Unicode text.
    Text {
        /// The most characters that the database lets in; none if it does not count.
        characters: Option<u32>,
    },
    /// A day without time.
    Date,
    /// Anything else, in the words of the database.
    Other(String),
}

impl fmt::Display for ColumnType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer => f.write_str("a 64-bit integer"),
            Self::Text {
                characters: Some(most),
            } => write!(f, "text of at most {most} characters"),
            Self::Text { characters: None } => f.write_str("text of any length"),
            Self::Date => f.write_str("a date"),
            Self::Other(words) => f.write_str(words),
        }
    }
}

/// The columns that this program reads and writes.
pub fn expected_columns() -> Vec<Column> {
    of_entity::<vehicle::Entity>()
}

impl Store {
    /// The columns that the tables have which this program uses. Only reads.
    pub async fn columns(&self) -> Result<Vec<Column>, StoreError> {
        let table = vehicle::Entity.table_name();
        self.in_time(columns(&self.pools.reader, table)).await
    }

    /// What the database does not check, so that its columns promise less than they seem to.
    pub fn unchecked(&self) -> Option<&'static str> {
        match self.pools.reader.get_database_backend() {
            DbBackend::Sqlite => Some(
                "SQLite does not enforce the types of columns: what the rows hold was not looked at",
            ),
            _ => None,
        }
    }
}

fn of_entity<E: EntityTrait>() -> Vec<Column> {
    let columns = E::Column::iter().map(|column| {
        let definition = column.def();
        let key = E::PrimaryKey::from_column(column).is_some();
        Column {
            table: E::default().table_name().to_owned(),
            name: column.as_str().to_owned(),
            ty: match definition.get_column_type() {
                EntityType::BigInteger => ColumnType::Integer,
                EntityType::String(StringLen::N(most)) => ColumnType::Text {
                    characters: Some(*most),
                },
                EntityType::Date => ColumnType::Date,
                other => ColumnType::Other(format!("{other:?}")),
            },
            nullable: definition.is_null(),
            default: None,
            generated: key && E::PrimaryKey::auto_increment(),
        }
    });
    columns.collect()
}

/// Each with the columns name, type, length, whether it may be null, default, and whether the
/// database makes up its values.
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

/// SQLite tells the definition of the table where the others tell a length: it reads the length of
/// a type and forgets it, so that only a constraint bounds a text.
const SQLITE: &str = "SELECT info.name, lower(info.type), NULL, \
     CAST(info.\"notnull\" = 0 AND info.pk = 0 AS INTEGER), info.dflt_value, \
     CAST(info.pk = 1 AND upper(master.sql) LIKE '%AUTOINCREMENT%' AS INTEGER), master.sql \
     FROM sqlite_master AS master, pragma_table_info(master.name) AS info \
     WHERE master.type = 'table' AND master.name = ? ORDER BY info.cid";

async fn columns(db: &DatabaseConnection, table: &str) -> Result<Vec<Column>, DbErr> {
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
    let words: String = row.try_get_by_index(1)?;
    let characters = match backend {
        DbBackend::Sqlite => bound(&row.try_get_by_index::<String>(6)?, &name),
        _ => row
            .try_get_by_index::<Option<i64>>(2)?
            .and_then(|most| u32::try_from(most).ok()),
    };
    let generated = row.try_get_by_index::<i64>(5)? == 1;
    let default: Option<String> = row.try_get_by_index(4)?;
    Ok(Column {
        table: table.to_owned(),
        ty: column_type(words, characters, backend),
        nullable: row.try_get_by_index::<i64>(3)? == 1,
        // MariaDB writes a default that is null; what PostgreSQL counts with is no default.
        default: default.filter(|words| !generated && words != "NULL"),
        generated,
        name,
    })
}

fn column_type(words: String, characters: Option<u32>, backend: DbBackend) -> ColumnType {
    let name = words.split('(').next().unwrap_or_default();
    match (backend, name) {
        (_, "bigint") | (DbBackend::Sqlite, "integer") => ColumnType::Integer,
        (DbBackend::Postgres, "character varying" | "text")
        | (DbBackend::MySql | DbBackend::Sqlite, "varchar") => ColumnType::Text { characters },
        (_, "date") | (DbBackend::Sqlite, "date_text") => ColumnType::Date,
        _ => ColumnType::Other(words),
    }
}

/// The most characters that a constraint such as `CHECK (length("name") <= 255)` lets in.
fn bound(definition: &str, column: &str) -> Option<u32> {
    let definition: String = definition.to_lowercase().split_whitespace().collect();
    let (_, rest) = definition.split_once(&format!("length(\"{column}\")<="))?;
    let digits = rest.find(|letter: char| !letter.is_ascii_digit());
    rest[..digits.unwrap_or(rest.len())].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{ColumnType, bound, expected_columns};
    use crate::catalogue::MAX_CHARACTERS;

    #[test]
    fn a_text_is_as_long_as_the_catalogue_permits() {
        for column in expected_columns() {
            if let ColumnType::Text { characters } = column.ty {
                let most = characters.map(|most| most as usize);
                assert_eq!(most, Some(MAX_CHARACTERS), "{}", column.name);
            }
        }
    }

    #[test]
    fn a_bound_is_read_out_of_the_definition_of_a_table() {
        let table = "CREATE TABLE \"t\" ( \"a\" varchar(255) CHECK (LENGTH(\"a\") <= 20), \"b\" varchar(9) )";
        assert_eq!(bound(table, "a"), Some(20));
        assert_eq!(bound(table, "b"), None);
    }
}
