//! Three nodes of a MariaDB Galera cluster.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use sea_orm::DatabaseConnection;
use testkit::{Backend, Extras, OwnServer, free_port, wait_until};

/// The paths of Galera's library in packages.
const LIBRARIES: [&str; 3] =
    ["/usr/lib/galera/libgalera_smm.so", "/usr/lib/galera-4/libgalera_smm.so", "/usr/lib64/galera-4/libgalera_smm.so"];

/// The tools for the state transfer to a joining node.
const TRANSFER_TOOLS: [&str; 2] = ["/usr/bin/rsync", "/usr/bin/wsrep_sst_rsync"];

/// An unresponsive node is evicted after two seconds: with a shorter timeout nodes on a busy machine
/// evict each other.
const OPTIONS: &str = "evs.keepalive_period=PT0.3S;evs.inactive_check_period=PT0.3S;\
     evs.suspect_timeout=PT2S;evs.inactive_timeout=PT4S;evs.install_timeout=PT4S;\
     gcache.size=16M;gcache.page_size=16M;pc.recovery=false";

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
            return Self::start();
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

    fn start() -> Self {
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
            let extras = Extras { arguments: all, ..Extras::default() };
            nodes.push(OwnServer::start(Backend::Mariadb, &extras));
        }
        Self { database: create_database(&nodes), nodes }
    }

    /// The database on one of them.
    pub(crate) fn url(&self, node: usize) -> String {
        format!("mysql://root@{}/{}", self.nodes[node].address(), self.database)
    }

    /// A connection to the database on one of them.
    pub(crate) async fn connect(&self, node: usize) -> DatabaseConnection {
        testkit::connect(&self.url(node)).await
    }
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
