//! A TCP proxy between the service and its database that injects network faults.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// Buffer size of one read.
const CHUNK_BYTES: usize = 16 * 1024;

/// The condition of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NetworkCondition {
    /// Forwards everything.
    Normal,
    /// Forwards everything after a delay.
    Delayed(Duration),
    /// Forwards nothing; pending bytes are delivered when the condition is `Normal` again.
    Stalled,
    /// Forwards requests, and resets the connection after this number of bytes of the response.
    Truncating(usize),
    /// Resets every existing and every new connection.
    Reset,
}

/// The condition, and how often connections were blackholed.
#[derive(Clone, Copy)]
struct State {
    condition: NetworkCondition,
    blackholed: u64,
}

/// A proxy on loopback.
pub(crate) struct Proxy {
    addr: SocketAddr,
    upstream: Arc<Mutex<String>>,
    state: watch::Sender<State>,
    counters: Arc<Counters>,
    accept_task: JoinHandle<()>,
}

#[derive(Default)]
struct Counters {
    open: AtomicUsize,
    opened: AtomicU64,
}

impl Proxy {
    /// A proxy to the server of this URL.
    pub(crate) async fn new(url: &str) -> Self {
        let upstream = Arc::new(Mutex::new(authority(url).to_owned()));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let addr = listener.local_addr().unwrap();
        let initial = State { condition: NetworkCondition::Normal, blackholed: 0 };
        let (state, receiver) = watch::channel(initial);
        let counters = Arc::new(Counters::default());
        let accept_task = tokio::spawn(accept(listener, Arc::clone(&upstream), receiver, Arc::clone(&counters)));
        Self { addr, upstream, state, counters, accept_task }
    }

    /// The URL with the address of the proxy.
    pub(crate) fn url(&self, url: &str) -> String {
        let upstream = self.upstream.lock().unwrap();
        url.replacen(upstream.as_str(), &self.addr.to_string(), 1)
    }

    /// Forwards new connections to the server of this URL, as an address that follows the primary does.
    pub(crate) fn redirect(&self, url: &str) {
        authority(url).clone_into(&mut self.upstream.lock().unwrap());
    }

    pub(crate) fn set(&self, condition: NetworkCondition) {
        self.state.send_modify(|state| state.condition = condition);
    }

    /// Stops forwarding on existing connections without closing them, like a restarted router. New ones
    /// are forwarded.
    pub(crate) fn blackhole(&self) {
        self.state.send_modify(|state| state.blackholed += 1);
    }

    /// Number of open connections of the service.
    pub(crate) fn open(&self) -> usize {
        self.counters.open.load(Ordering::Relaxed)
    }

    /// Number of connections the service has opened so far.
    pub(crate) fn opened(&self) -> u64 {
        self.counters.opened.load(Ordering::Relaxed)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accept_task.abort();
    }
}

fn authority(url: &str) -> &str {
    let after_scheme = url.split_once("://").expect("it is a URL").1;
    let authority = after_scheme.split('/').next().expect("there is a first part");
    authority.rsplit('@').next().expect("there is a last part")
}

async fn accept(
    listener: TcpListener,
    upstream: Arc<Mutex<String>>,
    state: watch::Receiver<State>,
    counters: Arc<Counters>,
) {
    loop {
        let (client, _) = listener.accept().await.unwrap();
        counters.opened.fetch_add(1, Ordering::Relaxed);
        let upstream = upstream.lock().unwrap().clone();
        let (state, counters) = (state.clone(), Arc::clone(&counters));
        tokio::spawn(async move {
            counters.open.fetch_add(1, Ordering::Relaxed);
            forward(client, &upstream, state).await;
            counters.open.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

/// Forwards a connection under the current condition until a peer closes it or a fault resets it.
async fn forward(mut client: TcpStream, upstream: &str, mut state: watch::Receiver<State>) {
    let epoch = state.borrow().blackholed;
    // A new connection stalls, too.
    let not_stalled = |state: &State| state.condition != NetworkCondition::Stalled;
    if state.wait_for(not_stalled).await.is_err() {
        return;
    }
    let Ok(mut server) = TcpStream::connect(upstream).await else {
        let _ = client.set_zero_linger();
        return;
    };
    let (mut request, mut response) = (vec![0; CHUNK_BYTES], vec![0; CHUNK_BYTES]);
    loop {
        let State { condition, blackholed } = *state.borrow_and_update();
        if blackholed != epoch {
            while matches!(client.read(&mut request).await, Ok(1..)) {}
            return;
        }
        match condition {
            NetworkCondition::Reset => break,
            NetworkCondition::Stalled => {
                if state.changed().await.is_err() {
                    return;
                }
                continue;
            }
            _ => {}
        }
        let forwarded = tokio::select! {
            _ = state.changed() => continue,
            read = client.read(&mut request) => {
                forward_chunk(read, &request, &mut server, condition, Direction::Request).await
            }
            read = server.read(&mut response) => {
                forward_chunk(read, &response, &mut client, condition, Direction::Response).await
            }
        };
        match forwarded {
            Forwarded::Continue => {}
            Forwarded::Closed => return,
            Forwarded::Cut => break,
        }
    }
    // Either peer may have closed it already.
    let _ = client.set_zero_linger();
    let _ = server.set_zero_linger();
}

/// The direction of bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Request,
    Response,
}

/// The next step for a connection.
enum Forwarded {
    /// Keep forwarding.
    Continue,
    /// A peer has closed it.
    Closed,
    /// The fault resets it.
    Cut,
}

async fn forward_chunk(
    read: io::Result<usize>,
    bytes: &[u8],
    to: &mut TcpStream,
    condition: NetworkCondition,
    direction: Direction,
) -> Forwarded {
    let Ok(count @ 1..) = read else {
        return Forwarded::Closed;
    };
    let bytes = &bytes[..count];
    let (bytes, then) = match (condition, direction) {
        (NetworkCondition::Delayed(delay), _) => {
            sleep(delay).await;
            (bytes, Forwarded::Continue)
        }
        (NetworkCondition::Truncating(max_bytes), Direction::Response) => {
            (&bytes[..max_bytes.min(count)], Forwarded::Cut)
        }
        _ => (bytes, Forwarded::Continue),
    };
    match to.write_all(bytes).await {
        Ok(()) => then,
        Err(_) => Forwarded::Closed,
    }
}
