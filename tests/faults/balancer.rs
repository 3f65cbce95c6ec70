//! A round-robin TCP load balancer: polls `/health/ready` of each instance, and forwards each new
//! connection to the next ready one.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use reqwest::Client;
use testkit::until;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::sleep;

/// Interval between two readiness polls.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A load balancer on loopback.
pub(crate) struct Balancer {
    pub(crate) addr: SocketAddr,
    instances: Arc<Instances>,
    tasks: Vec<JoinHandle<()>>,
}

#[derive(Default)]
struct Instances(Mutex<Registry>);

#[derive(Default)]
struct Registry {
    instances: Vec<Instance>,
    next: usize,
}

#[derive(Clone, Copy)]
struct Instance {
    addr: SocketAddr,
    ready: bool,
}

impl Balancer {
    /// Starts without instances.
    pub(crate) async fn new() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let addr = listener.local_addr().unwrap();
        let instances = Arc::new(Instances::default());
        let tasks = vec![
            tokio::spawn(forward_connections(listener, Arc::clone(&instances))),
            tokio::spawn(poll_readiness(Arc::clone(&instances))),
        ];
        Self { addr, instances, tasks }
    }

    /// Adds an instance, and waits until it is ready.
    pub(crate) async fn add(&self, addr: SocketAddr) {
        self.instances.lock().instances.push(Instance { addr, ready: false });
        let ready = || self.instances.lock().instances.iter().any(|one| one.addr == addr && one.ready);
        until("an instance takes part", async || ready()).await;
    }

    /// Removes an instance.
    pub(crate) fn remove(&self, addr: SocketAddr) {
        self.instances.lock().instances.retain(|one| one.addr != addr);
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
    fn lock(&self) -> MutexGuard<'_, Registry> {
        self.0.lock().expect("nobody panics under the lock")
    }

    /// The ready instances, rotated by one for each call.
    fn ready(&self) -> Vec<SocketAddr> {
        let mut registry = self.lock();
        registry.next += 1;
        let ready = registry.instances.iter().filter(|one| one.ready);
        let mut ready: Vec<_> = ready.map(|one| one.addr).collect();
        let next = registry.next % ready.len().max(1);
        ready.rotate_left(next);
        ready
    }
}

async fn poll_readiness(instances: Arc<Instances>) {
    let client = Client::builder().no_proxy().timeout(Duration::from_secs(5)).build().unwrap();
    loop {
        let polled = instances.lock().instances.clone();
        for Instance { addr, .. } in polled {
            let response = client.get(format!("http://{addr}/health/ready")).send().await;
            let ready = response.is_ok_and(|response| response.status() == 200);
            let mut registry = instances.lock();
            for instance in registry.instances.iter_mut().filter(|one| one.addr == addr) {
                instance.ready = ready;
            }
        }
        sleep(POLL_INTERVAL).await;
    }
}

async fn forward_connections(listener: TcpListener, instances: Arc<Instances>) {
    let mut connections = JoinSet::new();
    loop {
        let (mut client, _) = listener.accept().await.unwrap();
        let instances = Arc::clone(&instances);
        connections.spawn(async move {
            for addr in instances.ready() {
                if let Ok(mut instance) = TcpStream::connect(addr).await {
                    // Either peer may close the connection.
                    let _ = copy_bidirectional(&mut client, &mut instance).await;
                    return;
                }
            }
        });
        while connections.try_join_next().is_some() {}
    }
}
