//! Finding the server that takes writes when the one in use does so no longer.
//!
//! Only where a URL names several servers. The one in use is asked twice a second, and as soon as a
//! connection is lost; as long as it answers that it takes writes, nothing moves, whatever the
//! others say. Else the first of the others that takes writes is connected to from then on.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::DatabaseConnection;
use sea_orm::sqlx::mysql::MySqlConnectOptions;
use sea_orm::sqlx::postgres::PgConnectOptions;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::hosts::{Host, PATIENCE, first_writable};
use super::losses::Losses;

/// How often the server in use is asked.
const TURN: Duration = Duration::from_millis(500);

/// A task that ends with the last clone of this.
pub(super) type Task = Arc<JoinSet<()>>;

/// A pool whose connections can be made elsewhere.
pub(super) trait Moving<H> {
    /// New connections go to this host.
    fn go_to(&self, host: H);
}

impl Moving<PgConnectOptions> for DatabaseConnection {
    fn go_to(&self, host: PgConnectOptions) {
        self.get_postgres_connection_pool()
            .set_connect_options(host);
    }
}

impl Moving<MySqlConnectOptions> for DatabaseConnection {
    fn go_to(&self, host: MySqlConnectOptions) {
        self.get_mysql_connection_pool().set_connect_options(host);
    }
}

/// Keeps the connections of a pool at a host that takes writes; at first that is the one at this place.
pub(super) fn follow<H>(
    hosts: &[H],
    place: usize,
    pool: &DatabaseConnection,
    losses: &Losses,
) -> Task
where
    H: Host,
    DatabaseConnection: Moving<H>,
{
    let mut task = JoinSet::new();
    if hosts.len() > 1 {
        let hosts = hosts.iter().cloned().enumerate().collect();
        task.spawn(stay_at_the_writable(
            hosts,
            place,
            pool.clone(),
            losses.clone(),
        ));
    }
    Arc::new(task)
}

async fn stay_at_the_writable<H>(
    hosts: Vec<(usize, H)>,
    mut place: usize,
    pool: DatabaseConnection,
    losses: Losses,
) where
    H: Host,
    DatabaseConnection: Moving<H>,
{
    let known = timeout(PATIENCE, hosts[place].1.connect()).await;
    let mut known = known.ok().and_then(Result::ok);
    // Whether the log has been told that there is none.
    let mut none = false;
    loop {
        if let Some(connection) = &mut known
            && let Ok(Ok(true)) = timeout(PATIENCE, H::takes_writes(connection)).await
        {
            tokio::select! {
                () = sleep(TURN) => {}
                () = losses.noted() => {}
            }
            continue;
        }
        known = None;
        // The others come first: the one in use may be frozen, and has just had its chance.
        let mut in_turn = hosts.clone();
        in_turn.sort_by_key(|(at, _)| *at == place);
        match first_writable(&in_turn).await {
            Ok((found, connection)) => {
                known = Some(connection);
                let (_, host) = &hosts[found];
                if found != place {
                    place = found;
                    tracing::warn!(server = host.name(), "another server takes the writes now");
                    pool.go_to(host.clone());
                    losses.moved();
                } else if none {
                    tracing::info!(server = host.name(), "the server takes writes again");
                }
                none = false;
            }
            Err(error) => {
                if !none {
                    tracing::warn!(cause = %error, "no server takes the writes now");
                    none = true;
                }
                sleep(TURN / 5).await;
            }
        }
    }
}
