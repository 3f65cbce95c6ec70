//! A replica that is read from.

use sea_orm::ConnectionTrait;

use crate::{
    cases,
    postgres::{Pair, caught_up, stranger, value},
};

cases![a_standby_follows_its_primary];

/// What the other tests build on.
async fn a_standby_follows_its_primary() {
    let pair = Pair::start();
    let primary = stranger(&pair.url()).await;
    let standby = stranger(&pair.standby_url()).await;
    primary
        .execute_unprepared("CREATE TABLE t (x int); INSERT INTO t VALUES (7)")
        .await
        .unwrap();
    caught_up(&primary, &standby).await;
    assert_eq!(value(&standby, "SELECT x::text FROM t").await, "7");
    assert_eq!(
        value(&standby, "SELECT pg_is_in_recovery()::text").await,
        "true"
    );
}
