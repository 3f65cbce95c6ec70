//! Attempts that are repeated: the delays between them, and the connection of a start.

use std::time::Duration;

use sea_orm::sqlx::{self, ConnectOptions as _, Connection};
use tokio::time::{Instant, sleep, timeout_at};

use super::cause::Cause;
use super::error::StartError;
use super::session;
use super::settings::{Settings, Target};

/// The delays between attempts, each twice as long as the one before, up to a maximum and a deadline.
pub(super) struct Backoff {
    delay: Duration,
    pub(super) deadline: Instant,
}

impl Backoff {
    const FIRST: Duration = Duration::from_millis(5);
    const MAX: Duration = Duration::from_millis(320);

    /// Attempts until this time has passed.
    pub(super) fn new(limit: Duration) -> Self {
        Self::until(Instant::now() + limit)
    }

    pub(super) fn until(deadline: Instant) -> Self {
        let delay = Self::FIRST;
        Self { delay, deadline }
    }

    /// Waits before the next attempt; returns false if that would begin after the deadline.
    pub(super) async fn wait(&mut self) -> bool {
        if Instant::now() + self.delay >= self.deadline {
            return false;
        }
        sleep(self.delay).await;
        self.delay = (self.delay * 2).min(Self::MAX);
        true
    }
}

/// The maximum time of the first attempt to connect, so that a server that does not respond is logged soon.
const FIRST_ATTEMPT: Duration = Duration::from_secs(1);

/// The maximum time of the others, and the interval of log lines.
const INTERVAL: Duration = Duration::from_secs(5);

/// Opens one connection outside any pool, because a pool that times out does not report the cause. Repeats that until the
/// time-out, and logs it.
pub(super) async fn wait_for_database(settings: &Settings) -> Result<(), StartError> {
    let (url, started) = (&settings.url, Instant::now());
    let mut backoff = Backoff::new(settings.connect_timeout);
    let (mut next_log, mut limit) = (started, FIRST_ATTEMPT);
    loop {
        let until = backoff.deadline.min(Instant::now() + limit);
        limit = INTERVAL;
        let source = match timeout_at(until, connect_once(settings)).await {
            Ok(Ok(())) => break,
            Ok(Err(error)) => Cause::connecting(&error),
            Err(_) => Cause::silent(started.elapsed()),
        };
        let is_transient = source.is_transient();
        if is_transient && Instant::now() >= next_log {
            tracing::warn!(
                waited_s = started.elapsed().as_secs(),
                connect_timeout_s = settings.connect_timeout.as_secs(),
                cause = %source,
                "waiting for the {url}{}",
                source.remedy
            );
            next_log = Instant::now() + INTERVAL;
        }
        if !is_transient || !backoff.wait().await {
            let database = url.to_string();
            return Err(StartError::CannotConnect { database, source });
        }
    }
    if next_log > started {
        tracing::info!("connected to the {url}");
    }
    Ok(())
}

/// Connects and sets up the session.
async fn connect_once(settings: &Settings) -> Result<(), sqlx::Error> {
    let limit = Some(settings.timeout);
    match &settings.url.target {
        Target::SqliteFile(file) => {
            let file = file.clone().busy_timeout(settings.timeout);
            file.connect().await?.close().await
        }
        Target::SqliteMemory(_) => Ok(()),
        Target::Postgres(server) => {
            let mut connection = server.connect().await?;
            session::postgres(&mut connection, limit).await?;
            connection.close().await
        }
        Target::MySql(server) => {
            let mut connection = server.connect().await?;
            session::mysql(&mut connection, limit).await?;
            connection.close().await
        }
    }
}
