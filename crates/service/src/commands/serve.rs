//! `serve`: serves GraphQL requests until SIGTERM or SIGINT. SIGHUP never ends it.

use std::{
    convert::Infallible,
    io::{self, Write},
    pin::pin,
};

use graphql_http::Graphiql;
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    sync::oneshot,
};

use super::{failure::Failure, stop_signal::StopSignals};
use crate::{App, Definition, Settings};

pub(super) async fn run(service: Definition, settings: Settings) -> Result<(), Failure> {
    // Signals are recorded from here on, so none is lost while starting.
    let signals = StopSignals::listen().map_err(Failure::Signal)?;
    let hangups = signal(SignalKind::hangup()).map_err(Failure::Signal)?;
    tokio::select! {
        result = serve(service, settings, signals) => result,
        never = ignore(hangups) => match never {},
    }
}

/// Logs SIGHUP, which a terminal sends when it is closed, and operators who expect a reload. Never resolves.
async fn ignore(mut hangups: Signal) -> Infallible {
    loop {
        hangups.recv().await;
        tracing::info!(
            "SIGHUP: ignored, since changed keys and certificates are reloaded without it; SIGTERM stops the service"
        );
    }
}

async fn serve(
    service: Definition,
    settings: Settings,
    mut signals: StopSignals,
) -> Result<(), Failure> {
    let graphiql = settings.http.graphiql(settings.production);
    let scheme = match settings.http.tls_files() {
        Some(_) => "https",
        None => "http",
    };
    let app = tokio::select! {
        app = App::start(service, settings) => app?,
        signal = signals.next() => {
            tracing::info!("{signal}: stopped while starting");
            return Ok(());
        }
    };
    print_addresses(&app, scheme, graphiql).map_err(Failure::Print)?;
    let (stop, stopping) = oneshot::channel();
    let mut served = pin!(app.run_until(async { stopping.await.unwrap_or(()) }));
    tokio::select! {
        result = &mut served => return result.map_err(Failure::Run),
        signal = signals.next() => {
            tracing::info!("{signal}: draining; a second signal aborts the requests in flight");
            // The receiver is gone if the server has ended already.
            let _ = stop.send(());
        }
    }
    tokio::select! {
        result = &mut served => result.map_err(Failure::Run),
        signal = signals.next() => Err(Failure::StoppedAtOnce(signal)),
    }
}

fn print_addresses(app: &App, scheme: &str, graphiql: Graphiql) -> io::Result<()> {
    let addr = app.addr();
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "GraphQL  {scheme}://{addr}/graphql")?;
    if graphiql == Graphiql::On {
        writeln!(stdout, "GraphiQL {scheme}://{addr}/graphiql")?;
    }
    if let Some(addr) = app.admin_addr() {
        writeln!(stdout, "Health   http://{addr}/health/ready")?;
    }
    stdout.flush()
}
