//! Compares the tables with what the promises of the service depend on. Each difference has its remedy.

use std::fmt;

use migration::State;
use sea_orm::{
    ColumnTrait, ColumnType, ConnectionTrait, DbBackend, DbErr, EntityName, IdenStatic, Iterable,
    QueryResult, Statement, sea_query::StringLen,
};

use super::connect::Database;
use super::error::StartError;
use crate::catalogue::vehicle::{Column, Entity};

/// A difference between a table and what the service needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The column, the index, the table or the migration.
    pub subject: String,
    /// What is different.
    pub problem: String,
    /// What an operator does about it.
    pub remedy: String,
}

impl Difference {
    fn new(subject: &str, problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            subject: subject.to_owned(),
            problem: problem.into(),
            remedy: remedy.into(),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}; {}", self.subject, self.problem, self.remedy)
    }
}

/// The indexes: name, whether it is unique, its columns.
const INDEXES: [(&str, bool, &str); 5] = [
    ("vehicle_creation_key", true, "creation_key"),
    ("vehicle_launch_date", false, "launch_date,id"),
    ("vehicle_type_launch_date", false, "type,launch_date,id"),
    (
        "vehicle_model_code_launch_date",
        false,
        "model_code,launch_date,id",
    ),
    (
        "vehicle_brand_name_launch_date",
        false,
        "brand_name,launch_date,id",
    ),
];

const RESTORE: &str = "change the column, or restore the table that the migrations make";

/// These queries return name, type, length, whether the column is nullable, default, and whether its values are generated.
const COLUMNS: [&str; 3] = [
    "SELECT CAST(column_name AS text), CAST(data_type AS text), CAST(character_maximum_length AS bigint), \
     CAST(is_nullable = 'YES' AS int)::bigint, CAST(column_default AS text), \
     CAST(is_identity = 'YES' OR COALESCE(column_default, '') LIKE 'nextval(%' AS int)::bigint \
     FROM information_schema.columns \
     WHERE table_schema = current_schema() AND table_name = 'vehicle' ORDER BY ordinal_position",
    "SELECT CAST(column_name AS CHAR), CAST(data_type AS CHAR), CAST(character_maximum_length AS SIGNED), \
     CAST(is_nullable = 'YES' AS SIGNED), CAST(column_default AS CHAR), CAST(extra LIKE '%auto_increment%' AS SIGNED) \
     FROM information_schema.columns \
     WHERE table_schema = DATABASE() AND table_name = 'vehicle' ORDER BY ordinal_position",
    // SQLite ignores the length of a type: only a constraint in the definition of the table limits text.
    "SELECT info.name, lower(info.type), NULL, CAST(info.\"notnull\" = 0 AND info.pk = 0 AS INTEGER), info.dflt_value, \
     CAST(info.pk = 1 AND upper(master.sql) LIKE '%AUTOINCREMENT%' AS INTEGER), master.sql \
     FROM sqlite_master AS master, pragma_table_info(master.name) AS info \
     WHERE master.type IN ('table', 'view') AND master.name = 'vehicle' ORDER BY info.cid",
];

/// These queries return name, whether the index is unique, whether it is valid and has whole values, its columns, and its
/// condition.
const INDEXES_FOUND: [&str; 3] = [
    "SELECT CAST(i.relname AS text), CAST(x.indisunique AS int)::bigint, CAST(x.indisvalid AS int)::bigint, \
     (SELECT string_agg(CAST(a.attname AS text), ',' ORDER BY k.n) \
     FROM unnest(CAST(x.indkey AS int2[])) WITH ORDINALITY AS k (attnum, n) \
     JOIN pg_attribute AS a ON a.attrelid = x.indrelid AND a.attnum = k.attnum), \
     pg_get_expr(x.indpred, x.indrelid) \
     FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid WHERE x.indrelid = to_regclass('vehicle')",
    "SELECT CAST(index_name AS CHAR), CAST(MIN(non_unique) = 0 AS SIGNED), \
     CAST(MAX(sub_part IS NOT NULL) = 0 AS SIGNED), CAST(GROUP_CONCAT(column_name ORDER BY seq_in_index) AS CHAR), \
     CAST(NULL AS CHAR) FROM information_schema.statistics \
     WHERE table_schema = DATABASE() AND table_name = 'vehicle' GROUP BY index_name",
    "SELECT list.name, CAST(list.\"unique\" AS INTEGER), 1, \
     (SELECT group_concat(name) FROM pragma_index_info(list.name)), \
     (SELECT substr(sql, instr(upper(sql), 'WHERE') + 5) FROM sqlite_master \
     WHERE name = list.name AND instr(upper(sql), 'WHERE') > 0) FROM pragma_index_list('vehicle') AS list",
];

/// A property of the table that the promises depend on.
struct Check {
    backend: DbBackend,
    /// Returns what does not have the property.
    sql: &'static str,
    problem: &'static str,
    remedy: &'static str,
}

const CHECKS: &[Check] = &[
    Check {
        backend: DbBackend::Postgres,
        sql: "SELECT CAST(relname AS text) FROM pg_class WHERE oid = to_regclass('vehicle') AND relpersistence = 'u'",
        problem: "is UNLOGGED: a crash of the server empties it",
        remedy: "ALTER TABLE vehicle SET LOGGED",
    },
    Check {
        backend: DbBackend::Postgres,
        sql: "SELECT 'vehicle.id' FROM (SELECT max(id) AS id FROM vehicle) AS highest WHERE id > \
              COALESCE(pg_sequence_last_value(pg_get_serial_sequence('vehicle', 'id')::regclass), 0)",
        problem: "has a sequence that is behind the highest id: inserts will fail",
        remedy: "SELECT setval(pg_get_serial_sequence('vehicle', 'id'), max(id)) FROM vehicle",
    },
    Check {
        backend: DbBackend::Postgres,
        sql: "SELECT 'vehicle.' || attname FROM pg_attribute JOIN pg_collation ON pg_collation.oid = attcollation \
              WHERE attrelid = to_regclass('vehicle') AND NOT attisdropped AND NOT collisdeterministic",
        problem: "has a nondeterministic collation, which takes different texts for equal",
        remedy: "ALTER TABLE vehicle ALTER COLUMN … TYPE varchar(255) COLLATE \"default\"",
    },
    Check {
        backend: DbBackend::Postgres,
        sql: "SELECT 'vehicle_pkey' WHERE NOT EXISTS (SELECT FROM pg_index JOIN pg_attribute ON attrelid = indrelid \
              WHERE indrelid = to_regclass('vehicle') AND indisprimary AND attname = 'id' AND indkey[0] = attnum AND indnatts = 1)",
        problem: "is not the primary key of the column id",
        remedy: "ALTER TABLE vehicle ADD PRIMARY KEY (id)",
    },
    Check {
        backend: DbBackend::Postgres,
        sql: "SELECT 'vehicle' FROM (VALUES ('INSERT'), ('UPDATE'), ('DELETE')) AS needed (privilege) \
              GROUP BY 1 HAVING NOT bool_and(has_table_privilege('vehicle', privilege))",
        problem: "may not be written by the user of the database URL",
        remedy: "GRANT SELECT, INSERT, UPDATE, DELETE ON vehicle TO this user",
    },
    Check {
        backend: DbBackend::MySql,
        sql: "SELECT DISTINCT 'vehicle' FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 'vehicle' \
              AND NOT (FIND_IN_SET('insert', privileges) AND FIND_IN_SET('update', privileges))",
        problem: "may not be written by the user of the database URL",
        remedy: "GRANT SELECT, INSERT, UPDATE, DELETE ON vehicle TO this user",
    },
    Check {
        backend: DbBackend::MySql,
        sql: "SELECT CAST(table_name AS CHAR) FROM information_schema.tables \
              WHERE table_schema = DATABASE() AND table_name = 'vehicle' AND engine <> 'InnoDB'",
        problem: "has another engine than InnoDB, without transactions",
        remedy: "ALTER TABLE vehicle ENGINE = InnoDB",
    },
    Check {
        backend: DbBackend::MySql,
        sql: "SELECT CAST(CONCAT('vehicle.', column_name) AS CHAR) FROM information_schema.columns WHERE table_schema = DATABASE() \
              AND table_name = 'vehicle' AND collation_name NOT REGEXP '^utf8mb4_.*(bin|_cs)$'",
        problem: "has a collation that loses characters or takes different texts for equal",
        remedy: "ALTER TABLE vehicle CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
    },
    Check {
        backend: DbBackend::MySql,
        sql: "SELECT 'PRIMARY' FROM DUAL WHERE COALESCE((SELECT GROUP_CONCAT(column_name) FROM information_schema.statistics \
              WHERE table_schema = DATABASE() AND table_name = 'vehicle' AND index_name = 'PRIMARY'), '') <> 'id'",
        problem: "is not the primary key of the column id",
        remedy: "ALTER TABLE vehicle ADD PRIMARY KEY (id)",
    },
];

/// A column, as it is or as it has to be.
struct Found {
    name: String,
    holds: String,
    nullable: bool,
    default: Option<String>,
    generated: bool,
}

/// The differences of the migrations, the columns, the indexes and the table. Only reads.
pub async fn check(database: &Database) -> Result<Vec<Difference>, StartError> {
    let migrations = database.migration_status().await?;
    let pending = migrations
        .iter()
        .filter(|migration| migration.state == State::Pending);
    let remedy = concat!("run ", env!("CARGO_PKG_NAME"), " migrate up");
    let pending = pending.map(|it| {
        Difference::new(
            &it.name,
            "is a migration that the database does not have",
            remedy,
        )
    });
    let mut found: Vec<_> = pending.collect();
    let tables = tables(&database.read).await;
    found.extend(tables.map_err(|error| StartError::Migration(error.into()))?);
    Ok(found)
}

async fn tables(db: &impl ConnectionTrait) -> Result<Vec<Difference>, DbErr> {
    let columns = columns(db).await?;
    let mut found = compare(&columns);
    if columns.is_empty() {
        return Ok(found);
    }
    found.extend(indexes(db).await?);
    let backend = db.get_database_backend();
    for check in CHECKS.iter().filter(|check| check.backend == backend) {
        for row in query(db, check.sql).await? {
            let subject: String = row.try_get_by_index(0)?;
            found.push(Difference::new(&subject, check.problem, check.remedy));
        }
    }
    Ok(found)
}

/// The differences of the columns: what makes the statements of this version fail. Only reads.
pub(super) async fn column_differences(
    db: &impl ConnectionTrait,
) -> Result<Vec<Difference>, DbErr> {
    Ok(compare(&columns(db).await?))
}

fn subject(column: &str) -> String {
    format!("{}.{column}", Entity.table_name())
}

fn compare(found: &[Found]) -> Vec<Difference> {
    let mut differences = Vec::new();
    let expected: Vec<_> = Column::iter().map(expected).collect();
    for column in &expected {
        let subject = subject(&column.name);
        let mut add = |problem: String, remedy: &str| {
            differences.push(Difference::new(&subject, problem, remedy));
        };
        let Some(found) = found.iter().find(|found| found.name == column.name) else {
            add("does not exist".to_owned(), RESTORE);
            continue;
        };
        if found.holds != column.holds {
            add(
                format!("holds {}, not {}", found.holds, column.holds),
                RESTORE,
            );
        }
        match (column.nullable, found.nullable) {
            (false, true) => add("is nullable, but must be NOT NULL".to_owned(), RESTORE),
            (true, false) => add("is NOT NULL, but must be nullable".to_owned(), RESTORE),
            _ => {}
        }
        if let Some(default) = &found.default
            && found.default != column.default
        {
            let expected = column.default.as_deref().unwrap_or("null");
            add(
                format!("has the default {default}, not {expected}"),
                RESTORE,
            );
        }
        if column.generated && !found.generated {
            let problem = "is not generated by the database, but the service sends no value";
            add(problem.to_owned(), RESTORE);
        }
    }
    for column in found {
        let is_filled = column.nullable || column.default.is_some() || column.generated;
        if !is_filled && !expected.iter().any(|expected| expected.name == column.name) {
            let problem =
                "is NOT NULL without default and unknown to the service: inserts will fail";
            let remedy = "give it a default, or make it nullable";
            differences.push(Difference::new(&subject(&column.name), problem, remedy));
        }
    }
    differences
}

/// A column of the entity.
fn expected(column: Column) -> Found {
    let definition = column.def();
    let default = definition.get_column_default();
    Found {
        name: column.as_str().to_owned(),
        holds: match definition.get_column_type() {
            ColumnType::BigInteger => "a 64-bit integer".to_owned(),
            ColumnType::Integer => "a 32-bit integer".to_owned(),
            ColumnType::String(StringLen::N(max)) => format!("text of at most {max} characters"),
            ColumnType::Date => "a date".to_owned(),
            ColumnType::Binary(_) => "bytes".to_owned(),
            other => format!("{other:?}"),
        },
        nullable: definition.is_null(),
        default: default.map(|_| crate::catalogue::FIRST_VERSION.to_string()),
        generated: matches!(column, Column::Id),
    }
}

/// The text of a database among those of PostgreSQL, MySQL and SQLite.
fn of<T: Copy>(backend: DbBackend, texts: [T; 3]) -> T {
    match backend {
        DbBackend::Postgres => texts[0],
        DbBackend::MySql => texts[1],
        _ => texts[2],
    }
}

async fn query(db: &impl ConnectionTrait, sql: &str) -> Result<Vec<QueryResult>, DbErr> {
    db.query_all_raw(Statement::from_string(db.get_database_backend(), sql))
        .await
}

/// The columns of the table, none if it does not exist.
async fn columns(db: &impl ConnectionTrait) -> Result<Vec<Found>, DbErr> {
    let backend = db.get_database_backend();
    let rows = query(db, of(backend, COLUMNS)).await?;
    rows.iter().map(|row| column(row, backend)).collect()
}

fn column(row: &QueryResult, backend: DbBackend) -> Result<Found, DbErr> {
    let (name, type_name): (String, String) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
    // PostgreSQL quotes names of types with `quote_all_identifiers`.
    let type_name = type_name.replace('"', "");
    let characters = match backend {
        DbBackend::Sqlite => max_length(&row.try_get_by_index::<String>(6)?, &name),
        _ => row.try_get_by_index::<Option<i64>>(2)?,
    };
    let generated = row.try_get_by_index::<i64>(5)? == 1;
    let default: Option<String> = row.try_get_by_index(4)?;
    Ok(Found {
        holds: match (backend, type_name.split('(').next().unwrap_or_default()) {
            (_, "bigint") | (DbBackend::Sqlite, "integer") => "a 64-bit integer".to_owned(),
            (DbBackend::Postgres, "integer") | (_, "int") => "a 32-bit integer".to_owned(),
            (_, "character varying" | "text" | "varchar") => match characters {
                Some(max) => format!("text of at most {max} characters"),
                None => "text of any length".to_owned(),
            },
            (_, "date" | "date_text") => "a date".to_owned(),
            (_, "bytea" | "binary" | "varbinary" | "blob") => "bytes".to_owned(),
            _ => type_name,
        },
        nullable: row.try_get_by_index::<i64>(3)? == 1,
        // MariaDB returns NULL as text; the sequence of PostgreSQL is not a default.
        default: default.filter(|default| !generated && default != "NULL"),
        generated,
        name,
    })
}

/// The limit of a constraint such as `CHECK (length("name") <= 255)`.
fn max_length(definition: &str, column: &str) -> Option<i64> {
    let definition: String = definition.to_lowercase().split_whitespace().collect();
    let (_, rest) = definition.split_once(&format!("length(\"{column}\")<="))?;
    let digits = rest.find(|letter: char| !letter.is_ascii_digit());
    rest[..digits.unwrap_or(rest.len())].parse().ok()
}

async fn indexes(db: &impl ConnectionTrait) -> Result<Vec<Difference>, DbErr> {
    let backend = db.get_database_backend();
    let mut found = Vec::new();
    for row in query(db, of(backend, INDEXES_FOUND)).await? {
        let name: String = row.try_get_by_index(0)?;
        let is_unique = row.try_get_by_index::<i64>(1)? == 1;
        let is_whole = row.try_get_by_index::<i64>(2)? == 1;
        let columns: Option<String> = row.try_get_by_index(3)?;
        let condition: Option<String> = row.try_get_by_index(4)?;
        let condition = condition.unwrap_or_default().replace(['"', '(', ')'], "");
        let is_all = matches!(
            condition.trim().to_lowercase().as_str(),
            "" | "creation_key is not null"
        );
        found.push((
            name,
            is_unique,
            columns.unwrap_or_default(),
            is_whole && is_all,
        ));
    }
    let missing = INDEXES.into_iter().filter(|(name, is_unique, columns)| {
        let expected = (*name, *is_unique, *columns, true);
        let mut found = found.iter();
        !found.any(|it: &(String, bool, String, bool)| (&*it.0, it.1, &*it.2, it.3) == expected)
    });
    let missing = missing.map(|(name, is_unique, columns)| {
        let unique = if is_unique { "UNIQUE " } else { "" };
        let create = format!("CREATE {unique}INDEX {name} ON vehicle ({columns})");
        let remedy = format!("drop the index of this name, if there is one, and {create}");
        Difference::new(
            name,
            "does not exist as an index of all rows and whole values",
            remedy,
        )
    });
    Ok(missing.collect())
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
