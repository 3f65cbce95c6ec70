//! Three nodes of a MariaDB Galera cluster.

use std::net::TcpListener;
use std::path::Path;

use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement,
};

use crate::databases::{Backend, Extras, OwnServer};

/// Where packages put Galera's library.
const LIBRARIES: [&str; 3] = [
    "/usr/lib/galera/libgalera_smm.so",
    "/usr/lib/galera-4/libgalera_smm.so",
    "/usr/lib64/galera-4/libgalera_smm.so",
];

/// A node that joins gets its data by these.
const TRANSFER: [&str; 2] = ["/usr/bin/rsync", "/usr/bin/wsrep_sst_rsync"];

/// A node that does not answer is given up after two seconds: less, and nodes of a busy machine give
/// each other up.
const OPTIONS: &str = "evs.keepalive_period=PT0.3S;evs.inactive_check_period=PT0.3S;\
     evs.suspect_timeout=PT2S;evs.inactive_timeout=PT4S;evs.install_timeout=PT4S;\
     gcache.size=16M;gcache.page_size=16M;pc.recovery=false";

/// Why they cannot be had here.
pub(crate) fn availability() -> Result<(), String> {
    OwnServer::availability(Backend::Mysql)?;
    let there = |path: &str| Path::new(path).is_file();
    if !LIBRARIES.iter().any(|path| there(path)) {
        return Err("Galera's library was not found (package galera-4)".to_owned());
    }
    match TRANSFER.iter().find(|path| !there(path)) {
        Some(missing) => Err(format!("{missing} was not found")),
        None => Ok(()),
    }
}

/// Three nodes and a database on all of them. The first one has begun the cluster and stays; the
/// others can be stopped and come back.
pub(crate) struct Nodes {
    pub(crate) nodes: Vec<OwnServer>,
    database: String,
}

impl Nodes {
    /// Started with these arguments beside the usual ones.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let ports: Vec<[u16; 3]> = (0..3).map(|_| free_ports()).collect();
        let members = ports.iter().map(|[port, ..]| format!("127.0.0.1:{port}"));
        let members = members.collect::<Vec<_>>().join(",");
        let mut nodes: Vec<OwnServer> = Vec::new();
        for [group, increments, copy] in ports {
            let mut all: Vec<String> = [
                "--binlog-format=ROW",
                "--innodb-autoinc-lock-mode=2",
                "--wsrep-on=ON",
                "--wsrep-sst-method=rsync",
                "--wsrep-retry-autocommit=0",
                "--wsrep-cluster-name=catalogue",
            ]
            .map(str::to_owned)
            .to_vec();
            let library = LIBRARIES.iter().find(|path| Path::new(path).is_file());
            let library = library.expect("availability was asked before");
            all.extend([
                format!("--wsrep-provider={library}"),
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
            nodes.push(OwnServer::start(Backend::Mysql, &extras));
        }
        let url = nodes[0].database();
        let (_, database) = url.rsplit_once('/').unwrap();
        Self {
            database: database.to_owned(),
            nodes,
        }
    }

    /// The database on one of them.
    pub(crate) fn url(&self, node: usize) -> String {
        self.url_of(&[node])
    }

    /// The database on the first of these that works.
    pub(crate) fn url_of(&self, nodes: &[usize]) -> String {
        let address = |&node: &usize| self.nodes[node].admin_url().split(['@', '/']).nth(3);
        let addresses: Vec<_> = nodes.iter().filter_map(address).collect();
        format!("mysql://root@{}/{}", addresses.join(","), self.database)
    }

    /// A connection of nobody's to the database on one of them.
    pub(crate) async fn stranger(&self, node: usize) -> DatabaseConnection {
        let mut options = ConnectOptions::new(self.url(node));
        options.max_connections(1).sqlx_logging(false);
        Database::connect(options).await.unwrap()
    }

    /// The models of all vehicles that a node has, once it has what the cluster has accepted.
    pub(crate) async fn models(&self, node: usize) -> Vec<String> {
        let stranger = self.stranger(node).await;
        stranger
            .execute_unprepared("SET SESSION wsrep_sync_wait = 1")
            .await
            .unwrap();
        let query = "SELECT model_code FROM vehicle ORDER BY id";
        let query = Statement::from_string(DbBackend::MySql, query);
        // A node that stood still catches up first, and says so as a lock that it waits for.
        let mut rows = stranger.query_all_raw(query.clone()).await;
        for _ in 0..20 {
            if rows.is_ok() {
                break;
            }
            rows = stranger.query_all_raw(query.clone()).await;
        }
        let rows = rows.unwrap();
        let models = rows.iter().map(|row| row.try_get_by_index(0).unwrap());
        models.collect()
    }

    /// Whether a node is there and the cluster is whole.
    pub(crate) async fn is_whole(&self, node: usize) -> bool {
        let mut options = ConnectOptions::new(self.url(node));
        options.max_connections(1).sqlx_logging(false);
        let Ok(stranger) = Database::connect(options).await else {
            return false;
        };
        let query = "SELECT COUNT(*) FROM information_schema.global_status WHERE \
             (variable_name = 'wsrep_cluster_size' AND variable_value = '3') \
             OR (variable_name = 'wsrep_local_state_comment' AND variable_value = 'Synced')";
        let query = Statement::from_string(DbBackend::MySql, query);
        match stranger.query_one_raw(query).await {
            Ok(Some(row)) => row.try_get_by_index::<i64>(0) == Ok(2),
            _ => false,
        }
    }
}

fn free_ports() -> [u16; 3] {
    let listeners = [(); 3].map(|()| TcpListener::bind(("127.0.0.1", 0)).unwrap());
    listeners.map(|listener| listener.local_addr().unwrap().port())
}
