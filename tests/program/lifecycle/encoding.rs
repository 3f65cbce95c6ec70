//! A PostgreSQL database that cannot store every text.

use sea_orm::ConnectionTrait as _;
use testkit::{Context, Extras, OwnServer, connect};

use crate::support::{program, start};

testkit::tests![a_database_with_another_encoding_is_refused_with_the_remedy on Postgres];

async fn a_database_with_another_encoding_is_refused_with_the_remedy(context: Context) {
    let server = OwnServer::start(context.backend, &Extras::default());
    let admin = connect(server.admin_url()).await;
    for encoding in ["LATIN1", "SQL_ASCII"] {
        let name = format!("in_{}", encoding.to_lowercase());
        let create = format!(
            "CREATE DATABASE {name} ENCODING '{encoding}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
        );
        admin.execute_unprepared(&create).await.unwrap();
        let url = format!("postgres://postgres@{}/{name}", server.address());
        let remedy = format!(
            "the database {name} has the encoding {encoding}, which cannot store every text; make another with \
             CREATE DATABASE {name}_utf8 ENCODING 'UTF8' TEMPLATE template0, copy the tables with pg_dump and \
             pg_restore, and name it in the database URL"
        );
        let mut started = start(&url, &[]);
        assert_eq!(started.ended().await.code(), Some(1), "{}", started.log());
        assert!(started.log().contains(&remedy), "{}", started.log());
        let check = program().run(&["--database-url", &url, "schema", "check"]);
        assert_eq!(check.code, Some(1), "{check:?}");
        assert!(check.stdout.contains(&remedy), "{check:?}");
    }
}
