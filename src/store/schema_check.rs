//! Compares the tables with what the promises of the service depend on. Each difference has its remedy.

use std::{collections::HashMap, fmt};

use migration::{INDEXES, MigrationStatus, State, UNIQUE_INDEX, create_index, names};
use sea_orm::{
    ColumnTrait, ColumnType, ConnectionTrait, DbBackend, DbErr, IdenStatic, Iterable, QueryResult, Statement,
    sea_query::StringLen,
};

use super::connect::Database;
use super::error::StartError;
use crate::catalogue::vehicle::Column;

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
        Self { subject: subject.to_owned(), problem: problem.into(), remedy: remedy.into() }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}; {}", self.subject, self.problem, self.remedy)
    }
}

/// The columns on PostgreSQL, MySQL and SQLite: name, type, length, what else it holds, and whether an insert can omit it.
const COLUMNS: [&str; 3] = [
    "SELECT CAST(column_name AS text), CAST(data_type AS text), CAST(character_maximum_length AS bigint), \
     CASE WHEN is_identity = 'YES' OR COALESCE(column_default, '') LIKE 'nextval(%' THEN ', generated' \
     WHEN is_nullable = 'YES' THEN ', or null' ELSE '' END, \
     is_nullable = 'YES' OR is_identity = 'YES' OR column_default IS NOT NULL \
     FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = 'vehicle'",
    "SELECT CAST(column_name AS CHAR), CAST(data_type AS CHAR), CAST(character_maximum_length AS SIGNED), \
     CAST(CASE WHEN extra LIKE '%auto_increment%' THEN ', generated' \
     WHEN is_nullable = 'YES' THEN ', or null' ELSE '' END AS CHAR), \
     is_nullable = 'YES' OR extra LIKE '%auto_increment%' OR column_default IS NOT NULL \
     FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 'vehicle'",
    // SQLite ignores the length of a type: only a constraint in the definition of the table limits text.
    "SELECT name, lower(type), \
     CASE WHEN instr(sql, limited) > 0 THEN CAST(substr(sql, instr(sql, limited) + length(limited)) AS integer) END, \
     CASE WHEN pk = 1 AND sql LIKE '%autoincrement%' THEN ', generated' \
     WHEN \"notnull\" = 0 AND pk = 0 THEN ', or null' ELSE '' END, \
     \"notnull\" = 0 OR dflt_value IS NOT NULL \
     FROM (SELECT info.*, replace(replace(replace(replace(lower(master.sql), \
     ' ', ''), char(9), ''), char(10), ''), char(13), '') AS sql, \
     'length(\"' || lower(info.name) || '\")<=' AS limited \
     FROM sqlite_master AS master, pragma_table_info(master.name) AS info \
     WHERE master.type IN ('table', 'view') AND master.name = 'vehicle')",
];

/// The indexes of all rows and whole values: `NAME unique (COLUMN, COLUMN)`.
const FOUND_INDEXES: [&str; 3] = [
    "SELECT i.relname || CASE WHEN x.indisunique THEN ' unique' ELSE '' END || \
     (SELECT ' (' || string_agg(a.attname, ', ' ORDER BY k.n) || ')' \
     FROM unnest(CAST(x.indkey AS int2[])) WITH ORDINALITY AS k (attnum, n) \
     JOIN pg_attribute AS a ON a.attrelid = x.indrelid AND a.attnum = k.attnum) \
     FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid \
     WHERE x.indrelid = to_regclass('vehicle') AND x.indisvalid \
     AND COALESCE(replace(pg_get_expr(x.indpred, x.indrelid), '\"', ''), '') IN ('', '(creation_key IS NOT NULL)')",
    "SELECT CAST(CONCAT(index_name, IF(MIN(non_unique) = 0, ' unique', ''), ' (', \
     GROUP_CONCAT(column_name ORDER BY seq_in_index SEPARATOR ', '), ')') AS CHAR) \
     FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = 'vehicle' \
     GROUP BY index_name HAVING MAX(sub_part IS NOT NULL) = 0",
    "SELECT list.name || CASE list.\"unique\" WHEN 1 THEN ' unique' ELSE '' END || \
     (SELECT ' (' || group_concat(name, ', ') || ')' FROM pragma_index_info(list.name)) \
     FROM pragma_index_list('vehicle') AS list LEFT JOIN sqlite_master AS master ON master.name = list.name \
     WHERE list.partial = 0 OR lower(replace(master.sql, '\"', '')) LIKE '%where creation_key is not null'",
];

/// Properties of the table that the promises depend on: a query of what does not have it, the problem, and the remedy.
type Checks = &'static [[&'static str; 3]];

const POSTGRES: Checks = &[
    [
        "SELECT CAST(relname AS text) FROM pg_class WHERE oid = to_regclass('vehicle') AND relpersistence = 'u'",
        "is UNLOGGED: a crash of the server empties it",
        "ALTER TABLE vehicle SET LOGGED",
    ],
    [
        "SELECT 'vehicle.id' FROM (SELECT max(id) AS id FROM vehicle) AS highest WHERE id > \
         COALESCE(pg_sequence_last_value(pg_get_serial_sequence('vehicle', 'id')::regclass), 0)",
        "has a sequence that is behind the highest id: inserts will fail",
        "SELECT setval(pg_get_serial_sequence('vehicle', 'id'), max(id)) FROM vehicle",
    ],
    [
        "SELECT 'vehicle.' || attname FROM pg_attribute JOIN pg_collation ON pg_collation.oid = attcollation \
         WHERE attrelid = to_regclass('vehicle') AND NOT attisdropped AND NOT collisdeterministic",
        "has a nondeterministic collation, which takes different texts for equal",
        "ALTER TABLE vehicle ALTER COLUMN … TYPE varchar(255) COLLATE \"default\"",
    ],
    [
        "SELECT 'vehicle_pkey' WHERE NOT EXISTS (SELECT FROM pg_index JOIN pg_attribute ON attrelid = indrelid \
         WHERE indrelid = to_regclass('vehicle') AND indisprimary AND attname = 'id' AND indkey[0] = attnum AND indnatts = 1)",
        "is not the primary key of the column id",
        "ALTER TABLE vehicle ADD PRIMARY KEY (id)",
    ],
    [
        "SELECT 'vehicle' FROM (VALUES ('INSERT'), ('UPDATE'), ('DELETE')) AS needed (privilege) \
         GROUP BY 1 HAVING NOT bool_and(has_table_privilege('vehicle', privilege))",
        "may not be written by the user of the database URL",
        WRITE,
    ],
];

const WRITE: &str = "GRANT SELECT, INSERT, UPDATE, DELETE ON vehicle TO this user";

const MYSQL: Checks = &[
    [
        "SELECT DISTINCT 'vehicle' FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 'vehicle' \
         AND NOT (FIND_IN_SET('insert', privileges) AND FIND_IN_SET('update', privileges))",
        "may not be written by the user of the database URL",
        WRITE,
    ],
    [
        "SELECT CAST(table_name AS CHAR) FROM information_schema.tables \
         WHERE table_schema = DATABASE() AND table_name = 'vehicle' AND engine <> 'InnoDB'",
        "has another engine than InnoDB, without transactions",
        "ALTER TABLE vehicle ENGINE = InnoDB",
    ],
    [
        "SELECT CAST(CONCAT('vehicle.', column_name) AS CHAR) FROM information_schema.columns WHERE table_schema = DATABASE() \
         AND table_name = 'vehicle' AND collation_name NOT REGEXP '^utf8mb4_.*(bin|_cs)$'",
        "has a collation that loses characters or takes different texts for equal",
        "ALTER TABLE vehicle CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
    ],
    [
        "SELECT 'PRIMARY' FROM DUAL WHERE COALESCE((SELECT GROUP_CONCAT(column_name) FROM information_schema.statistics \
         WHERE table_schema = DATABASE() AND table_name = 'vehicle' AND index_name = 'PRIMARY'), '') <> 'id'",
        "is not the primary key of the column id",
        "ALTER TABLE vehicle ADD PRIMARY KEY (id)",
    ],
];

/// The migrations, and their differences and those of the columns, the indexes and the table. Only reads.
pub async fn check(database: &Database) -> Result<(Vec<MigrationStatus>, Vec<Difference>), StartError> {
    let migrations = database.migration_status().await?;
    let problem = "is a migration that the database does not have";
    let remedy = concat!("run ", env!("CARGO_PKG_NAME"), " migrate up");
    let mut found = Vec::new();
    for name in names(&migrations, State::Pending) {
        found.push(Difference::new(&name, problem, remedy));
    }
    let table = table(&database.read).await;
    found.extend(table.map_err(|error| StartError::Migration(error.into()))?);
    Ok((migrations, found))
}

async fn table(db: &impl ConnectionTrait) -> Result<Vec<Difference>, DbErr> {
    let mut found = columns(db).await?;
    if found.iter().filter(|it| it.problem == MISSING).count() == Column::iter().count() {
        return Ok(found);
    }
    let backend = db.get_database_backend();
    let mut indexes = Vec::new();
    for row in query(db, of(backend, FOUND_INDEXES)).await? {
        indexes.push(row.try_get_by_index::<Option<String>>(0)?.unwrap_or_default());
    }
    for (name, columns) in INDEXES {
        let unique = if name == UNIQUE_INDEX { " unique" } else { "" };
        if !indexes.contains(&format!("{name}{unique} ({columns})")) {
            let problem = "does not exist as an index of all rows and whole values";
            let create = create_index(backend, name, columns);
            let remedy = format!("drop the index of this name, if there is one, and {create}");
            found.push(Difference::new(name, problem, remedy));
        }
    }
    for [sql, problem, remedy] in of(backend, [POSTGRES, MYSQL, &[]]) {
        for row in query(db, sql).await? {
            let subject: String = row.try_get_by_index(0)?;
            found.push(Difference::new(&subject, *problem, *remedy));
        }
    }
    Ok(found)
}

const MISSING: &str = "does not exist";

/// The differences of the columns: what makes the statements of this version fail. Only reads.
pub(super) async fn columns(db: &impl ConnectionTrait) -> Result<Vec<Difference>, DbErr> {
    let backend = db.get_database_backend();
    let mut found = HashMap::new();
    for row in query(db, of(backend, COLUMNS)).await? {
        found.insert(row.try_get_by_index::<String>(0)?, row);
    }
    let mut differences = Vec::new();
    let mut add = |name: &str, problem: &str, remedy: &str| {
        differences.push(Difference::new(&format!("vehicle.{name}"), problem, remedy));
    };
    for column in Column::iter() {
        let name = column.as_str();
        let remedy = "change the column, or restore the table that the migrations make";
        let Some(row) = found.remove(name) else {
            add(name, MISSING, remedy);
            continue;
        };
        let (found, expected) = (holds(&row, backend)?, expected(column));
        if found != expected {
            add(name, &format!("holds {found}, not {expected}"), remedy);
        }
    }
    for (name, row) in found {
        if !row.try_get_by_index::<bool>(4)? {
            let problem = "is NOT NULL without default and unknown to the service: inserts will fail";
            add(&name, problem, "give it a default, or make it nullable");
        }
    }
    Ok(differences)
}

/// What a column of the entity holds.
fn expected(column: Column) -> String {
    let definition = column.def();
    let holds = match definition.get_column_type() {
        ColumnType::BigInteger => "64-bit integers".to_owned(),
        ColumnType::Integer => "32-bit integers".to_owned(),
        ColumnType::String(StringLen::N(max)) => format!("texts of at most {max} characters"),
        ColumnType::Date => "dates".to_owned(),
        ColumnType::Binary(_) => "bytes".to_owned(),
        other => format!("{other:?}"),
    };
    let rest = match column {
        Column::Id => ", generated",
        _ if definition.is_null() => ", or null",
        _ => "",
    };
    holds + rest
}

/// What a column of the table holds.
fn holds(row: &QueryResult, backend: DbBackend) -> Result<String, DbErr> {
    // PostgreSQL quotes names of types with `quote_all_identifiers`.
    let type_name = row.try_get_by_index::<String>(1)?.replace('"', "");
    let holds = match (backend, type_name.split('(').next().unwrap_or_default()) {
        (_, "bigint") | (DbBackend::Sqlite, "integer") => "64-bit integers".to_owned(),
        (DbBackend::Postgres, "integer") | (_, "int") => "32-bit integers".to_owned(),
        (_, "character varying" | "text" | "varchar") => match row.try_get_by_index::<Option<i64>>(2)? {
            Some(max) => format!("texts of at most {max} characters"),
            None => "texts of any length".to_owned(),
        },
        (_, "date" | "date_text") => "dates".to_owned(),
        (_, "bytea" | "binary" | "varbinary" | "blob") => "bytes".to_owned(),
        _ => type_name,
    };
    let rest: String = row.try_get_by_index(3)?;
    Ok(holds + &rest)
}

/// What belongs to a database, among that of PostgreSQL, MySQL and SQLite.
fn of<T: Copy>(backend: DbBackend, [postgres, mysql, sqlite]: [T; 3]) -> T {
    match backend {
        DbBackend::Postgres => postgres,
        DbBackend::MySql => mysql,
        _ => sqlite,
    }
}

async fn query(db: &impl ConnectionTrait, sql: &str) -> Result<Vec<QueryResult>, DbErr> {
    db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await
}
