//! An address that can be redirected to another server, like that of a load balancer.

use std::net::SocketAddr;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// A TCP proxy on loopback.
pub(crate) struct Address {
    addr: SocketAddr,
    target: watch::Sender<String>,
    _tasks: JoinSet<()>,
}

impl Address {
    /// A proxy to this host and port.
    pub(crate) async fn of(target: &str) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let addr = listener.local_addr().unwrap();
        let (target, current) = watch::channel(target.to_owned());
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                let (client, _) = listener.accept().await.unwrap();
                connections.spawn(forward(client, current.clone()));
            }
        });
        Self { addr, target, _tasks: tasks }
    }

    pub(crate) fn name(&self) -> String {
        self.addr.to_string()
    }

    /// Redirects to another server and closes existing connections.
    pub(crate) fn redirect(&self, target: &str) {
        self.target.send_replace(target.to_owned());
    }
}

async fn forward(mut client: TcpStream, mut target: watch::Receiver<String>) {
    let current = target.borrow_and_update().clone();
    let Ok(mut server) = TcpStream::connect(current).await else {
        return;
    };
    tokio::select! {
        _ = copy_bidirectional(&mut client, &mut server) => {}
        _ = target.changed() => {}
    }
}
