//! The program: serves on an address, by default that of the loopback interface.

use std::{env, error::Error};

use tokio::{net::TcpListener, signal};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt::init();
    let address = env::args().nth(1);
    let listener = TcpListener::bind(address.as_deref().unwrap_or("127.0.0.1:8001")).await?;
    tracing::info!("http://{}/graphiql", listener.local_addr()?);
    bookshop::serve(listener, async { drop(signal::ctrl_c().await) }).await
}
