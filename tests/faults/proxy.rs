//! A network between the service and its database that does what it is told: late, silent, cut.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// The most that is carried at a time.
const CHUNK_BYTES: usize = 16 * 1024;

/// What the network does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weather {
    /// It carries everything.
    Fair,
    /// It carries everything so much later.
    Late(Duration),
    /// It carries nothing and says nothing; what was sent arrives when it is fair again.
    Silent,
    /// It carries what is asked, and cuts the connection in the midst of the answer: after so many
    /// bytes of it.
    Truncating(usize),
    /// It resets every connection, and every new one.
    Reset,
}

/// The weather, and how many times connections were forgotten.
#[derive(Clone, Copy)]
struct State {
    weather: Weather,
    forgotten: u64,
}

/// A network on loopback.
pub(crate) struct Proxy {
    addr: SocketAddr,
    upstream: String,
    state: watch::Sender<State>,
    counts: Arc<Counts>,
    accepting: JoinHandle<()>,
}

#[derive(Default)]
struct Counts {
    open: AtomicUsize,
    made: AtomicU64,
}

impl Proxy {
    /// To the server that this URL names.
    pub(crate) async fn to(url: &str) -> Self {
        let upstream = authority(url).to_owned();
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let addr = listener.local_addr().unwrap();
        let calm = State {
            weather: Weather::Fair,
            forgotten: 0,
        };
        let (state, told) = watch::channel(calm);
        let counts = Arc::new(Counts::default());
        let accepting = tokio::spawn(accept(
            listener,
            upstream.clone(),
            told,
            Arc::clone(&counts),
        ));
        Self {
            addr,
            upstream,
            state,
            counts,
            accepting,
        }
    }

    /// The URL that leads through it.
    pub(crate) fn url(&self, url: &str) -> String {
        url.replacen(&self.upstream, &self.addr.to_string(), 1)
    }

    pub(crate) fn set(&self, weather: Weather) {
        self.state.send_modify(|state| state.weather = weather);
    }

    /// Forgets the connections there are, without a word: nothing comes through them any more. New
    /// ones are carried. That is what a router does that was restarted.
    pub(crate) fn forget(&self) {
        self.state.send_modify(|state| state.forgotten += 1);
    }

    /// How many connections the service has open.
    pub(crate) fn open(&self) -> usize {
        self.counts.open.load(Ordering::Relaxed)
    }

    /// How many connections the service has made so far.
    pub(crate) fn made(&self) -> u64 {
        self.counts.made.load(Ordering::Relaxed)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

fn authority(url: &str) -> &str {
    let rest = url.split_once("://").expect("it is a URL").1;
    let authority = rest.split('/').next().expect("there is a first part");
    authority.rsplit('@').next().expect("there is a last part")
}

async fn accept(
    listener: TcpListener,
    upstream: String,
    told: watch::Receiver<State>,
    counts: Arc<Counts>,
) {
    loop {
        let (client, _) = listener.accept().await.unwrap();
        counts.made.fetch_add(1, Ordering::Relaxed);
        let (upstream, told, counts) = (upstream.clone(), told.clone(), Arc::clone(&counts));
        tokio::spawn(async move {
            counts.open.fetch_add(1, Ordering::Relaxed);
            carry(client, &upstream, told).await;
            counts.open.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

/// Carries a connection, as the weather allows, until one side closes it or the network cuts it.
async fn carry(mut client: TcpStream, upstream: &str, mut told: watch::Receiver<State>) {
    let born = told.borrow().forgotten;
    // Whoever connects while it is silent hears nothing.
    let loud = |state: &State| state.weather != Weather::Silent;
    if told.wait_for(loud).await.is_err() {
        return;
    }
    let Ok(mut server) = TcpStream::connect(upstream).await else {
        let _ = client.set_zero_linger();
        return;
    };
    let (mut question, mut answer) = (vec![0; CHUNK_BYTES], vec![0; CHUNK_BYTES]);
    loop {
        let State { weather, forgotten } = *told.borrow_and_update();
        if forgotten != born {
            while matches!(client.read(&mut question).await, Ok(1..)) {}
            return;
        }
        match weather {
            Weather::Reset => break,
            Weather::Silent => {
                if told.changed().await.is_err() {
                    return;
                }
                continue;
            }
            _ => {}
        }
        let carried = tokio::select! {
            _ = told.changed() => continue,
            read = client.read(&mut question) => {
                pass(read, &question, &mut server, weather, Way::Question).await
            }
            read = server.read(&mut answer) => {
                pass(read, &answer, &mut client, weather, Way::Answer).await
            }
        };
        match carried {
            Carried::On => {}
            Carried::Closed => return,
            Carried::Cut => break,
        }
    }
    // Either may be closed already.
    let _ = client.set_zero_linger();
    let _ = server.set_zero_linger();
}

/// Which way bytes go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Question,
    Answer,
}

/// What becomes of a connection.
enum Carried {
    /// It goes on.
    On,
    /// One of both has closed it.
    Closed,
    /// The network cuts it.
    Cut,
}

async fn pass(
    read: io::Result<usize>,
    bytes: &[u8],
    to: &mut TcpStream,
    weather: Weather,
    way: Way,
) -> Carried {
    let Ok(count @ 1..) = read else {
        return Carried::Closed;
    };
    let bytes = &bytes[..count];
    let (bytes, then) = match (weather, way) {
        (Weather::Late(by), _) => {
            sleep(by).await;
            (bytes, Carried::On)
        }
        (Weather::Truncating(most), Way::Answer) => (&bytes[..most.min(count)], Carried::Cut),
        _ => (bytes, Carried::On),
    };
    match to.write_all(bytes).await {
        Ok(()) => then,
        Err(_) => Carried::Closed,
    }
}
