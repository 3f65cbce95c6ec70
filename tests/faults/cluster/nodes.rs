//! Three nodes of a MariaDB Galera cluster.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend, DbErr, Statement,
};
use testkit::{Backend, Extras, OwnServer, free_port, until, wait_until};
use tokio::time::sleep;

/// The paths of Galera's library in packages.
const LIBRARIES: [&str; 3] = [
    "/usr/lib/galera/libgalera_smm.so",
    "/usr/lib/galera-4/libgalera_smm.so",
    "/usr/lib64/galera-4/libgalera_smm.so",
];

/// The tools for the state transfer to a joining node.
const TRANSFER_TOOLS: [&str; 2] = ["/usr/bin/rsync", "/usr/bin/wsrep_sst_rsync"];

/// An unresponsive node is evicted after two seconds: with a shorter timeout nodes on a busy machine
/// evict each other.
const OPTIONS: &str = "evs.keepalive_period=PT0.3S;evs.inactive_check_period=PT0.3S;\
     evs.suspect_timeout=PT2S;evs.inactive_timeout=PT4S;evs.install_timeout=PT4S;\
     gcache.size=16M;gcache.page_size=16M;pc.recovery=false";

/// The timeout until all nodes are synced: a killed node receives all data from another one.
const SYNC_TIMEOUT: Duration = Duration::from_mins(1);

/// The cluster that tests share, while none uses it.
static SHARED: Mutex<Option<Nodes>> = Mutex::new(None);

/// Why the servers are not available.
pub(crate) fn availability() -> Result<(), String> {
    OwnServer::availability(Backend::Mariadb)?;
    let exists = |path: &str| Path::new(path).is_file();
    if !LIBRARIES.iter().any(|path| exists(path)) {
        return Err("Galera's library was not found (package galera-4)".to_owned());
    }
    match TRANSFER_TOOLS.iter().find(|path| !exists(path)) {
        Some(missing) => Err(format!("{missing} was not found")),
        None => Ok(()),
    }
}

/// Three nodes with a shared database. The first one has bootstrapped the cluster and keeps running; the
/// others can be stopped and restarted.
pub(crate) struct Nodes {
    pub(crate) nodes: Vec<OwnServer>,
    database: String,
}

impl Nodes {
    /// Acquires the released cluster or starts a new one, with an empty database.
    pub(crate) fn acquire() -> Self {
        let shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut nodes) = shared else {
            return Self::start(&[]);
        };
        nodes.database = create_database(&nodes.nodes);
        nodes
    }

    /// Releases the cluster for the next test. The cluster of a failed test is stopped.
    pub(crate) fn release(self) {
        *SHARED.lock().unwrap_or_else(PoisonError::into_inner) = Some(self);
    }

    /// Stops the released cluster.
    pub(crate) fn stop_shared() {
        drop(SHARED.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// Starts a cluster with these additional arguments.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let ports: Vec<[u16; 3]> = (0..3).map(|_| [(); 3].map(|()| free_port())).collect();
        let members = ports.iter().map(|[port, ..]| format!("127.0.0.1:{port}"));
        let members = members.collect::<Vec<_>>().join(",");
        let mut nodes: Vec<OwnServer> = Vec::new();
        for (number, [group, increments, copy]) in ports.into_iter().enumerate() {
            let mut all: Vec<String> = [
                "--binlog-format=ROW",
                "--innodb-autoinc-lock-mode=2",
                "--wsrep-on=ON",
                "--wsrep-sst-method=rsync",
                // The donor of a state transfer is blocked, so the node without load is preferred.
                "--wsrep-sst-donor=node-0,",
                "--wsrep-retry-autocommit=0",
                "--wsrep-cluster-name=catalogue",
            ]
            .map(str::to_owned)
            .to_vec();
            let library = LIBRARIES.iter().find(|path| Path::new(path).is_file());
            let library = library.expect("availability was asked before");
            all.extend([
                format!("--wsrep-provider={library}"),
                format!("--wsrep-node-name=node-{number}"),
                format!("--wsrep-cluster-address=gcomm://{members}"),
                format!("--wsrep-node-address=127.0.0.1:{group}"),
                format!("--wsrep-sst-receive-address=127.0.0.1:{copy}"),
                format!(
                    "--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:{group};\
                     ist.recv_addr=127.0.0.1:{increments};{OPTIONS}"
                ),
            ]);
            if nodes.is_empty() {
                all.push("--wsrep-new-cluster".to_owned());
            }
            all.extend(arguments.iter().map(|&argument| argument.to_owned()));
            let extras = Extras {
                arguments: all,
                ..Extras::default()
            };
            nodes.push(OwnServer::start(Backend::Mariadb, &extras));
        }
        Self {
            database: create_database(&nodes),
            nodes,
        }
    }

    /// The database on one of them.
    pub(crate) fn url(&self, node: usize) -> String {
        self.url_at(self.nodes[node].address())
    }

    /// The database at this host and port.
    pub(crate) fn url_at(&self, address: &str) -> String {
        format!("mysql://root@{address}/{}", self.database)
    }

    /// A connection to the database on one of them.
    pub(crate) async fn connect(&self, node: usize) -> DatabaseConnection {
        testkit::connect(&self.url(node)).await
    }

    /// The number of transactions that a node has aborted because of another node.
    pub(crate) async fn aborted_transactions(&self, node: usize) -> i64 {
        let query = "SELECT CAST(SUM(variable_value) AS SIGNED) FROM information_schema.global_status \
             WHERE variable_name IN ('WSREP_LOCAL_CERT_FAILURES', 'WSREP_LOCAL_BF_ABORTS')";
        let query = Statement::from_string(DbBackend::MySql, query);
        let row = self.connect(node).await.query_one_raw(query).await;
        row.unwrap().unwrap().try_get_by_index(0).unwrap()
    }

    /// The models of all vehicles of a node, after it has applied its queue.
    pub(crate) async fn models(&self, node: usize) -> Vec<String> {
        let db = self.connect(node).await;
        db.execute_unprepared("SET SESSION wsrep_sync_wait = 1")
            .await
            .unwrap();
        let query = "SELECT model_code FROM vehicle ORDER BY id";
        let query = Statement::from_string(DbBackend::MySql, query);
        // A node that is catching up reports a lock wait timeout.
        let started = Instant::now();
        let rows = loop {
            match db.query_all_raw(query.clone()).await {
                Err(error) if started.elapsed() < SYNC_TIMEOUT => {
                    assert!(is_catching_up(&error), "{error}");
                    sleep(Duration::from_millis(50)).await;
                }
                rows => break rows.unwrap(),
            }
        };
        let models = rows.iter().map(|row| row.try_get_by_index(0).unwrap());
        models.collect()
    }

    /// Waits until all nodes are in one cluster and synced.
    pub(crate) async fn wait_until_synced(&self) {
        let started = Instant::now();
        loop {
            let mut states = Vec::new();
            for node in 0..self.nodes.len() {
                states.push(Box::pin(self.state(node)).await);
            }
            // A node that was frozen reports outdated values, which differ from those of the others.
            let is_synced = |[size, state, _]: &[String; 3]| size == "3" && state == "Synced";
            if states
                .iter()
                .flatten()
                .filter(|&state| is_synced(state))
                .count()
                == states.len()
                && states.windows(2).all(|pair| pair[0] == pair[1])
            {
                return;
            }
            assert!(
                started.elapsed() < SYNC_TIMEOUT,
                "waited in vain: {states:?}"
            );
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until the other nodes have evicted this one.
    pub(crate) async fn wait_until_evicted(&self, node: usize) {
        until("it is given up", async || {
            for other in (0..self.nodes.len()).filter(|&other| other != node) {
                match Box::pin(self.state(other)).await {
                    Ok([size, state, _]) if size == "2" && state == "Synced" => {}
                    _ => return false,
                }
            }
            true
        })
        .await;
    }

    /// The cluster size, the state and the configuration id that a node reports.
    async fn state(&self, node: usize) -> Result<[String; 3], DbErr> {
        let mut options = ConnectOptions::new(self.url(node));
        options.max_connections(1).sqlx_logging(false);
        let db = Database::connect(options).await?;
        let query = "SELECT MAX(IF(variable_name = 'wsrep_cluster_size', variable_value, '')), \
             MAX(IF(variable_name = 'wsrep_local_state_comment', variable_value, '')), \
             MAX(IF(variable_name = 'wsrep_cluster_conf_id', variable_value, '')) \
             FROM information_schema.global_status";
        let query = Statement::from_string(DbBackend::MySql, query);
        let row = db.query_one_raw(query).await?;
        let row = row.ok_or_else(|| DbErr::Custom("no row".to_owned()))?;
        let column = |index| row.try_get_by_index::<String>(index);
        Ok([column(0)?, column(1)?, column(2)?])
    }
}

/// Whether a node cannot read yet because it is catching up.
fn is_catching_up(error: &DbErr) -> bool {
    let error = error.to_string();
    error.contains("Lock wait timeout") || error.contains("WSREP has not yet prepared")
}

/// Creates an empty database, and waits until each node has applied the statement.
fn create_database(nodes: &[OwnServer]) -> String {
    let url = nodes[0].database();
    let (_, database) = url.rsplit_once('/').expect("the URL was made here");
    for node in nodes {
        let url = format!("mysql://root@{}/{database}", node.address());
        wait_until("the database is replicated", || testkit::is_ready(&url));
    }
    database.to_owned()
}
