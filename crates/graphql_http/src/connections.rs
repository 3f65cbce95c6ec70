//! The open connections of a listener, and the requests and unread responses of each.
//!
//! An [`Acceptor`](crate::acceptor) sees bytes and a middleware sees requests. They meet here, by the addresses of
//! the connection: it is idle when it has no request in flight, whatever HTTP/2 frames its client sends.

use std::{
    collections::HashMap,
    future::{Future, poll_fn},
    net::SocketAddr,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    task::Poll,
};

use futures_util::{FutureExt, TryFutureExt};
use parking_lot::Mutex;
use poem::{Addr, Endpoint, IntoResponse, Request, Response, http::StatusCode};
use tokio::time::{Duration, Instant};

use super::middleware::{Around, middleware};

/// The open connections of a listener.
#[derive(Default)]
pub(super) struct Connections {
    open: Mutex<HashMap<Addresses, Arc<Activity>>>,
}

/// The addresses of a connection, which identify it while it is open.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Addresses {
    pub(super) local: SocketAddr,
    pub(super) peer: SocketAddr,
}

/// The requests of a connection, and its large responses that the client has not read.
pub(super) struct Activity {
    opened: Instant,
    started: AtomicUsize,
    ended: AtomicUsize,
    /// When the last request ended, in milliseconds since the connection was opened.
    last_ended: AtomicU64,
    /// When each of the unread responses was ready.
    unread: Mutex<Vec<Instant>>,
    is_disconnected: AtomicBool,
    /// Whether the connection has another protocol than HTTP now, such as WebSocket, which decides when it is idle.
    is_upgraded: AtomicBool,
}

impl Connections {
    pub(super) fn open(&self, addresses: Addresses) -> Arc<Activity> {
        let activity = Arc::new(Activity {
            opened: Instant::now(),
            started: AtomicUsize::new(0),
            ended: AtomicUsize::new(0),
            last_ended: AtomicU64::new(0),
            unread: Mutex::default(),
            is_disconnected: AtomicBool::new(false),
            is_upgraded: AtomicBool::new(false),
        });
        self.open.lock().insert(addresses, Arc::clone(&activity));
        activity
    }

    pub(super) fn close(&self, addresses: Addresses) {
        self.open.lock().remove(&addresses);
    }

    /// The connection of a request; `None` for a request without one.
    fn of(&self, request: &Request) -> Option<Arc<Activity>> {
        let (local, peer) = (&request.local_addr().0, &request.remote_addr().0);
        let (Addr::SocketAddr(local), Addr::SocketAddr(peer)) = (local, peer) else {
            return None;
        };
        let (local, peer) = (*local, *peer);
        self.open.lock().get(&Addresses { local, peer }).cloned()
    }
}

impl Activity {
    /// The number of requests that were started.
    pub(super) fn started(&self) -> usize {
        self.started.load(Ordering::Relaxed)
    }

    pub(super) fn is_upgraded(&self) -> bool {
        self.is_upgraded.load(Ordering::Relaxed)
    }

    pub(super) fn has_requests(&self) -> bool {
        let ended = self.ended.load(Ordering::Acquire);
        self.started() != ended
    }

    /// The client has closed the connection.
    pub(super) fn disconnect(&self) {
        self.is_disconnected.store(true, Ordering::Relaxed);
    }

    /// When the connection has been idle, or a response unread, for the timeout, if nothing else happens. It is not idle
    /// before a write has waited for the timeout; an upgraded one is idle only then.
    pub(super) fn deadline(&self, timeout: Duration, blocked_since: Option<Instant>) -> Instant {
        if self.is_upgraded() {
            return blocked_since.unwrap_or_else(Instant::now) + timeout;
        }
        let idle_since = if self.has_requests() {
            Instant::now()
        } else {
            self.opened + Duration::from_millis(self.last_ended.load(Ordering::Relaxed))
        };
        let idle_since = blocked_since.map_or(idle_since, |since| since.max(idle_since));
        let oldest = self.unread.lock().iter().min().copied();
        oldest.map_or(idle_since, |oldest| oldest.min(idle_since)) + timeout
    }

    /// A response that is unread until the value is dropped.
    pub(super) fn unread(self: &Arc<Self>) -> Unread {
        let since = Instant::now();
        self.unread.lock().push(since);
        Unread {
            activity: Arc::clone(self),
            since,
        }
    }
}

/// A response that its client has not read.
pub(super) struct Unread {
    activity: Arc<Activity>,
    since: Instant,
}

impl Drop for Unread {
    fn drop(&mut self) {
        let mut all = self.activity.unread.lock();
        if let Some(position) = all.iter().position(|since| *since == self.since) {
            all.swap_remove(position);
        }
    }
}

/// Counts a request as ended when it is dropped.
struct InFlight(Arc<Activity>);

impl InFlight {
    fn begin(activity: Arc<Activity>) -> Self {
        activity.started.fetch_add(1, Ordering::Relaxed);
        Self(activity)
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let ended = self.0.opened.elapsed().as_millis();
        let ended = u64::try_from(ended).unwrap_or(u64::MAX);
        self.0.last_ended.store(ended, Ordering::Relaxed);
        self.0.ended.fetch_add(1, Ordering::Release);
    }
}

/// A middleware that counts the requests of each connection. Endpoints find its [`Activity`] in the data of the request.
///
/// It abandons requests of HTTP/1 whose client disconnects. hyper ends the connection then, but `poem::Server` polls it once
/// more, so that hyper would wait for the response.
#[derive(Clone)]
pub(super) struct CountRequests(pub(super) Arc<Connections>);

middleware!(CountRequests);

impl Around for CountRequests {
    fn around<E: Endpoint>(
        &self,
        endpoint: &E,
        mut request: Request,
    ) -> impl Future<Output = poem::Result<Response>> + Send {
        let Some(activity) = self.0.of(&request) else {
            let call = endpoint.call(request);
            return call.map_ok(E::Output::into_response).left_future();
        };
        let in_flight = InFlight::begin(Arc::clone(&activity));
        request.set_data(activity);
        let call = endpoint.call(request);
        let handled = async move {
            let mut call = pin!(call);
            // The task of the connection polls requests of HTTP/1 when the client disconnects.
            let result = poll_fn(|context| {
                if in_flight.0.is_disconnected.load(Ordering::Relaxed) {
                    return Poll::Ready(Err(StatusCode::BAD_REQUEST.into()));
                }
                call.as_mut().poll(context)
            });
            let response = result.await.map(E::Output::into_response)?;
            if response.status() == StatusCode::SWITCHING_PROTOCOLS {
                in_flight.0.is_upgraded.store(true, Ordering::Relaxed);
            }
            Ok(response)
        };
        handled.right_future()
    }
}
