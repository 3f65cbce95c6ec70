//! `vehicle-catalogue serve`: answers GraphQL requests until it is told to stop.

use std::io::{self, Write};

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::Failure;
use crate::{app::App, config::Settings, http::Graphiql};

pub(super) async fn run(settings: Settings) -> Result<(), Failure> {
    // From here on a signal is kept until it is asked for, so none is lost while starting.
    let mut stop = StopSignals::listen().map_err(Failure::Signal)?;
    let graphiql = settings.http.graphiql(settings.production);
    let scheme = match settings.http.tls_files() {
        Some(_) => "https",
        None => "http",
    };
    let app = App::start(settings).await?;
    announce(&app, scheme, graphiql).map_err(Failure::Print)?;
    app.run_until(async move { stop.received().await })
        .await
        .map_err(Failure::Run)
}

fn announce(app: &App, scheme: &str, graphiql: Graphiql) -> io::Result<()> {
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

struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignals {
    fn listen() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    async fn received(&mut self) {
        let name = tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        };
        tracing::info!("{name}: finishing the requests in flight");
    }
}
