//! The schema check: each row of drift, with its remedy.

use testkit::Backend;
use vehicle_catalogue::store::{Store, schema_check};

use super::support::Fixture;

testkit::tests![
    the_migrations_make_what_the_service_needs,
    every_drift_is_a_row_with_its_remedy,
    quoted_identifiers_are_no_difference on Postgres,
];

/// The differences that mention this subject.
async fn differences(store: &Store, subject: &str) -> Vec<String> {
    let found = schema_check::check(store.database()).await;
    let found = found.expect("the tables can be read").1.into_iter();
    let found = found.filter(|it| subject.is_empty() || it.subject == subject);
    found.map(|it| it.to_string()).collect()
}

async fn the_migrations_make_what_the_service_needs(fixture: &Fixture) {
    let store = fixture.store().await;
    let pending = differences(&store, "m20261121_000001_create_vehicle").await;
    assert_eq!(pending.len(), 1, "{pending:?}");
    assert!(pending[0].ends_with("run vehicle-catalogue migrate up"), "{pending:?}");
    store.database().migrate_up().await.expect("forward");
    assert_eq!(differences(&store, "").await, [""; 0]);
}

/// A statement, the subject that differs then, what its row contains.
type Drift = (&'static str, &'static str, &'static str);

const COLUMNS: &[Drift] = &[
    ("ALTER TABLE vehicle ADD COLUMN wheels int NOT NULL DEFAULT 4", "", ""),
    ("ALTER TABLE vehicle RENAME COLUMN launch_date TO launched", "vehicle.launch_date", "does not exist"),
];

const POSTGRES: &[Drift] = &[
    ("ALTER TABLE vehicle SET UNLOGGED", "vehicle", "ALTER TABLE vehicle SET LOGGED"),
    (
        "INSERT INTO vehicle (id, type, model_code) VALUES (99, 't', 'm')",
        "vehicle.id",
        "a sequence that is behind the highest id",
    ),
    (
        "CREATE COLLATION ignoring (provider = icu, locale = 'und-u-ks-level2', deterministic = false); \
         ALTER TABLE vehicle ALTER COLUMN brand_name TYPE varchar(255) COLLATE ignoring",
        "vehicle.brand_name",
        "nondeterministic collation",
    ),
    (
        "ALTER TABLE vehicle ALTER COLUMN type TYPE varchar(100)",
        "vehicle.type",
        "holds texts of at most 100 characters, not texts of at most 255 characters",
    ),
    (
        "ALTER TABLE vehicle ALTER COLUMN version DROP NOT NULL",
        "vehicle.version",
        "holds 32-bit integers, or null, not 32-bit integers",
    ),
    ("ALTER TABLE vehicle DROP CONSTRAINT vehicle_pkey", "vehicle_pkey", "ADD PRIMARY KEY (id)"),
    (
        "DROP INDEX vehicle_creation_key; CREATE UNIQUE INDEX vehicle_creation_key ON vehicle (creation_key) \
         WHERE creation_key IS NOT NULL AND type = 'SUV'",
        "vehicle_creation_key",
        "CREATE UNIQUE INDEX vehicle_creation_key ON vehicle (creation_key) WHERE creation_key IS NOT NULL",
    ),
    ("DROP INDEX vehicle_launch_date", "vehicle_launch_date", "CREATE INDEX vehicle_launch_date"),
];

const MYSQL: &[Drift] = &[
    (
        "ALTER TABLE vehicle MODIFY brand_name varchar(255) CHARACTER SET latin1 COLLATE latin1_swedish_ci",
        "vehicle.brand_name",
        "CONVERT TO CHARACTER SET utf8mb4",
    ),
    (
        "ALTER TABLE vehicle MODIFY model_code varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NOT NULL",
        "vehicle.model_code",
        "takes different texts for equal",
    ),
    (
        "ALTER TABLE vehicle MODIFY version bigint NOT NULL DEFAULT 1",
        "vehicle.version",
        "holds 64-bit integers, not 32-bit integers",
    ),
    (
        "ALTER TABLE vehicle DROP INDEX vehicle_creation_key, ADD UNIQUE INDEX vehicle_creation_key (creation_key(4))",
        "vehicle_creation_key",
        "does not exist as an index of all rows and whole values",
    ),
    ("ALTER TABLE vehicle ENGINE = MEMORY", "vehicle", "ALTER TABLE vehicle ENGINE = InnoDB"),
];

const SQLITE: &[Drift] = &[
    (
        "DROP INDEX vehicle_creation_key; CREATE INDEX vehicle_creation_key ON vehicle (creation_key)",
        "vehicle_creation_key",
        "CREATE UNIQUE INDEX",
    ),
    (
        "DROP INDEX vehicle_type_launch_date; CREATE INDEX vehicle_type_launch_date ON vehicle (launch_date, type, id)",
        "vehicle_type_launch_date",
        "(type, launch_date, id)",
    ),
    (
        "DROP INDEX vehicle_brand_name_launch_date; ALTER TABLE vehicle DROP COLUMN brand_name; \
         ALTER TABLE vehicle ADD COLUMN brand_name varchar(255)",
        "vehicle.brand_name",
        "holds texts of any length",
    ),
    (
        "ALTER TABLE vehicle DROP COLUMN brand_name; \
         ALTER TABLE vehicle ADD COLUMN brand_name varchar(255)\n\tCHECK (LENGTH(\"brand_name\")\r\n\t<= 20)",
        "vehicle.brand_name",
        "holds texts of at most 20 characters",
    ),
];

async fn every_drift_is_a_row_with_its_remedy(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let own = match fixture.backend {
        Backend::Sqlite => SQLITE,
        Backend::Postgres => POSTGRES,
        Backend::Mariadb | Backend::Mysql => MYSQL,
    };
    for (statements, subject, row) in own.iter().chain(COLUMNS) {
        let statements: Vec<_> = statements.split("; ").collect();
        fixture.execute(&statements).await;
        if subject.is_empty() {
            continue;
        }
        let found = differences(&store, subject).await;
        assert!(found.iter().any(|found| found.contains(row)), "{subject} {row}: {found:?}");
    }
    let unknown = differences(&store, "vehicle.wheels").await;
    assert_eq!(unknown, [""; 0], "a column with a default does no harm");
}

async fn quoted_identifiers_are_no_difference(fixture: &Fixture) {
    let db = fixture.connect().await;
    let set =
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET quote_all_identifiers = on', current_database()); END $$";
    sea_orm::ConnectionTrait::execute_unprepared(&db, set).await.expect("it is set");
    db.close().await.expect("it is open");
    let store = fixture.migrated_store().await;
    assert_eq!(differences(&store, "").await, [""; 0]);
}
