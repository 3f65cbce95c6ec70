//! A balancer as simple as they come: it asks instances whether they are ready, and carries each new
//! connection to the next one that is.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use reqwest::Client;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::sleep;

use crate::running::until;

/// How often an instance is asked.
const INTERVAL: Duration = Duration::from_millis(50);

/// A balancer on loopback.
pub(crate) struct Balancer {
    pub(crate) addr: SocketAddr,
    instances: Arc<Instances>,
    tasks: Vec<JoinHandle<()>>,
}

#[derive(Default)]
struct Instances(Mutex<Known>);

#[derive(Default)]
struct Known {
    all: Vec<Instance>,
    turn: usize,
}

#[derive(Clone, Copy)]
struct Instance {
    addr: SocketAddr,
    ready: bool,
}

impl Balancer {
    /// Knows no instance yet.
    pub(crate) async fn new() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let addr = listener.local_addr().unwrap();
        let instances = Arc::new(Instances::default());
        let tasks = vec![
            tokio::spawn(carry_all(listener, Arc::clone(&instances))),
            tokio::spawn(keep_asking(Arc::clone(&instances))),
        ];
        Self {
            addr,
            instances,
            tasks,
        }
    }

    /// Learns of an instance, and waits until it takes part.
    pub(crate) async fn add(&self, addr: SocketAddr) {
        self.instances
            .known()
            .all
            .push(Instance { addr, ready: false });
        let ready = || {
            self.instances
                .known()
                .all
                .iter()
                .any(|one| one.addr == addr && one.ready)
        };
        until("an instance takes part", async || ready()).await;
    }

    /// Forgets an instance.
    pub(crate) fn remove(&self, addr: SocketAddr) {
        self.instances.known().all.retain(|one| one.addr != addr);
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

impl Instances {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().expect("nobody panics under the lock")
    }

    /// The ready ones, the one whose turn it is first.
    fn ready(&self) -> Vec<SocketAddr> {
        let mut known = self.known();
        known.turn += 1;
        let ready = known.all.iter().filter(|one| one.ready);
        let mut ready: Vec<_> = ready.map(|one| one.addr).collect();
        let turn = known.turn % ready.len().max(1);
        ready.rotate_left(turn);
        ready
    }
}

async fn keep_asking(instances: Arc<Instances>) {
    let client = Client::builder()
        .no_proxy()
        .timeout(Duration::from_secs(5))
        .build()
        .unwrap();
    loop {
        let known = instances.known().all.clone();
        for Instance { addr, .. } in known {
            let answer = client
                .get(format!("http://{addr}/health/ready"))
                .send()
                .await;
            let ready = answer.is_ok_and(|answer| answer.status() == 200);
            let mut known = instances.known();
            for instance in known.all.iter_mut().filter(|one| one.addr == addr) {
                instance.ready = ready;
            }
        }
        sleep(INTERVAL).await;
    }
}

async fn carry_all(listener: TcpListener, instances: Arc<Instances>) {
    let mut carried = JoinSet::new();
    loop {
        let (mut client, _) = listener.accept().await.unwrap();
        let instances = Arc::clone(&instances);
        carried.spawn(async move {
            for addr in instances.ready() {
                if let Ok(mut instance) = TcpStream::connect(addr).await {
                    // Either side may end it; both know.
                    let _ = copy_bidirectional(&mut client, &mut instance).await;
                    return;
                }
            }
        });
        while carried.try_join_next().is_some() {}
    }
}
