//! How connections are accepted.

use std::{io, time::Duration};

use poem::{
    http::uri::Scheme,
    listener::{Acceptor as PoemAcceptor, TcpAcceptor},
    web::{LocalAddr, RemoteAddr},
};
use tokio::{
    net::{TcpListener, TcpStream},
    time::sleep,
};

const PAUSE_AFTER_ERROR: Duration = Duration::from_millis(100);

/// Poem's acceptor, for a service that is to live for months.
pub(super) struct Acceptor {
    inner: TcpAcceptor,
}

impl Acceptor {
    pub(super) fn new(listener: TcpListener) -> io::Result<Self> {
        Ok(Self {
            inner: TcpAcceptor::from_tokio(listener)?,
        })
    }
}

impl PoemAcceptor for Acceptor {
    type Io = TcpStream;

    fn local_addr(&self) -> Vec<LocalAddr> {
        self.inner.local_addr()
    }

    async fn accept(&mut self) -> io::Result<(TcpStream, LocalAddr, RemoteAddr, Scheme)> {
        match self.inner.accept().await {
            Ok(accepted) => {
                // Nagle's algorithm would hold the end of a long answer back until the client
                // acknowledges its beginning. Without the option a request is slower, not wrong.
                let _ = accepted.0.set_nodelay(true);
                Ok(accepted)
            }
            Err(error) => {
                if !concerns_one_connection(&error) {
                    // Poem asks again at once, which without file descriptors would be a busy loop.
                    tracing::error!(%error, "cannot accept connections");
                    sleep(PAUSE_AFTER_ERROR).await;
                }
                Err(error)
            }
        }
    }
}

fn concerns_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionReset
    )
}
