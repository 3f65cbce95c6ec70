//! Three nodes of a MariaDB Galera cluster.

use std::net::TcpListener;
use std::path::Path;
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU16, Ordering},
};
use std::time::{Duration, Instant};

use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend, DbErr, Statement,
};
use tokio::time::sleep;

use crate::{
    databases::{Backend, Extras, OwnServer},
    running::until,
};

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

/// How long a cluster may take until it is whole: a node that was killed gets all data from another.
const PATIENCE: Duration = Duration::from_mins(1);

/// The cluster that cases use one after the other, while none does.
static SHARED: Mutex<Option<Nodes>> = Mutex::new(None);

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
    /// Those that the case before has given back, or new ones; with an empty database in any case.
    pub(crate) fn shared() -> Self {
        let kept = SHARED.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut nodes) = kept else {
            return Self::start(&[]);
        };
        nodes.database = name(&nodes.nodes[0].database());
        nodes
    }

    /// For the next case. A cluster that is not given back, since a case has failed, is ended.
    pub(crate) fn give_back(self) {
        *SHARED.lock().unwrap_or_else(PoisonError::into_inner) = Some(self);
    }

    /// Ends the one that the last case has given back.
    pub(crate) fn end_shared() {
        drop(SHARED.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// Started with these arguments beside the usual ones.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let ports: Vec<[u16; 3]> = (0..3).map(|_| free_ports()).collect();
        let members = ports.iter().map(|[port, ..]| format!("127.0.0.1:{port}"));
        let members = members.collect::<Vec<_>>().join(",");
        let mut nodes: Vec<OwnServer> = Vec::new();
        for (number, [group, increments, copy]) in ports.into_iter().enumerate() {
            let mut all: Vec<String> = [
                "--binlog-format=ROW",
                "--innodb-autoinc-lock-mode=2",
                "--wsrep-on=ON",
                "--wsrep-sst-method=rsync",
                // A node stands still while it is copied: that is the one that nobody uses, if it can.
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
            nodes.push(OwnServer::start(Backend::Mysql, &extras));
        }
        Self {
            database: name(&nodes[0].database()),
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
        let started = Instant::now();
        let rows = loop {
            match stranger.query_all_raw(query.clone()).await {
                Err(error) if started.elapsed() < PATIENCE => {
                    assert!(is_behind(&error), "{error}");
                    sleep(Duration::from_millis(50)).await;
                }
                rows => break rows.unwrap(),
            }
        };
        let models = rows.iter().map(|row| row.try_get_by_index(0).unwrap());
        models.collect()
    }

    /// Waits until all nodes are in one cluster and have what it has accepted.
    pub(crate) async fn are_whole(&self) {
        let started = Instant::now();
        loop {
            let mut told = Vec::new();
            for node in 0..self.nodes.len() {
                told.push(Box::pin(self.standing(node)).await);
            }
            // One that stood still answers what it knew before, but not what the others agreed on meanwhile.
            let whole = |[size, state, _]: &[String; 3]| size == "3" && state == "Synced";
            if told.iter().flatten().filter(|&told| whole(told)).count() == told.len()
                && told.windows(2).all(|pair| pair[0] == pair[1])
            {
                return;
            }
            assert!(started.elapsed() < PATIENCE, "waited in vain: {told:?}");
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until the others go on without this node.
    pub(crate) async fn have_given_up(&self, node: usize) {
        until("it is given up", async || {
            for other in (0..self.nodes.len()).filter(|&other| other != node) {
                match Box::pin(self.standing(other)).await {
                    Ok([size, state, _]) if size == "2" && state == "Synced" => {}
                    _ => return false,
                }
            }
            true
        })
        .await;
    }

    /// How large a node believes the cluster to be, its own state, and how often the cluster has changed.
    async fn standing(&self, node: usize) -> Result<[String; 3], DbErr> {
        let mut options = ConnectOptions::new(self.url(node));
        options.max_connections(1).sqlx_logging(false);
        let stranger = Database::connect(options).await?;
        let query = "SELECT MAX(IF(variable_name = 'wsrep_cluster_size', variable_value, '')), \
             MAX(IF(variable_name = 'wsrep_local_state_comment', variable_value, '')), \
             MAX(IF(variable_name = 'wsrep_cluster_conf_id', variable_value, '')) \
             FROM information_schema.global_status";
        let query = Statement::from_string(DbBackend::MySql, query);
        let row = stranger.query_one_raw(query).await?;
        let row = row.ok_or_else(|| DbErr::Custom("no row".to_owned()))?;
        let column = |place| row.try_get_by_index::<String>(place);
        Ok([column(0)?, column(1)?, column(2)?])
    }
}

/// Whether a node does not have yet what it has to have before it reads.
fn is_behind(error: &DbErr) -> bool {
    let error = error.to_string();
    error.contains("Lock wait timeout") || error.contains("WSREP has not yet prepared")
}

/// The database that a URL names.
fn name(url: &str) -> String {
    let (_, database) = url.rsplit_once('/').expect("the URL was made here");
    database.to_owned()
}

/// Below those that the system gives to whoever asks for any, since nodes use them later, and again.
fn free_ports() -> [u16; 3] {
    static TAKEN: AtomicU16 = AtomicU16::new(0);
    // Test processes begin at different places.
    let first = u16::try_from(std::process::id() % 600).expect("it is small") * 20;
    let mut ports = std::iter::repeat_with(|| {
        let next = first + TAKEN.fetch_add(1, Ordering::Relaxed);
        20_000 + next % 12_000
    })
    .filter(|&port| TcpListener::bind(("127.0.0.1", port)).is_ok());
    [(); 3].map(|()| ports.next().expect("it does not end"))
}
