//! An address that can be redirected to another server, like that of a load balancer.

use std::{future::pending, net::SocketAddr};

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

#[derive(Clone)]
struct Target {
    server: String,
    /// Whether the connections to the server before are closed.
    closes: bool,
}

/// A TCP proxy on loopback.
pub(crate) struct Address {
    addr: SocketAddr,
    target: watch::Sender<Target>,
    _tasks: JoinSet<()>,
}

impl Address {
    /// A proxy to this host and port.
    pub(crate) async fn of(target: &str) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let addr = listener.local_addr().unwrap();
        let server = target.to_owned();
        let closes = true;
        let (target, current) = watch::channel(Target { server, closes });
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                let (client, _) = listener.accept().await.unwrap();
                connections.spawn(forward(client, current.clone()));
            }
        });
        Self {
            addr,
            target,
            _tasks: tasks,
        }
    }

    pub(crate) fn name(&self) -> String {
        self.addr.to_string()
    }

    /// Redirects to another server and closes existing connections.
    pub(crate) fn redirect(&self, target: &str) {
        self.send_to(target, true);
    }

    /// Redirects new connections to another server.
    pub(crate) fn redirect_new_connections(&self, target: &str) {
        self.send_to(target, false);
    }

    fn send_to(&self, target: &str, closes: bool) {
        let server = target.to_owned();
        self.target.send_replace(Target { server, closes });
    }
}

async fn forward(mut client: TcpStream, mut target: watch::Receiver<Target>) {
    let current = target.borrow_and_update().clone();
    let Ok(mut server) = TcpStream::connect(current.server).await else {
        return;
    };
    tokio::select! {
        _ = copy_bidirectional(&mut client, &mut server) => {}
        () = closed(&mut target) => {}
    }
}

/// Resolves when the connections to a server are closed.
async fn closed(target: &mut watch::Receiver<Target>) {
    while target.changed().await.is_ok() {
        if target.borrow_and_update().closes {
            return;
        }
    }
    pending::<()>().await;
}
