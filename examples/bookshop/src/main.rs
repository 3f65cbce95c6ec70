//! Serves the bookshop on port 8001 until Ctrl+C.

use std::error::Error;

use tokio::{net::TcpListener, signal};
use tracing::Level;

#[tokio::main]
#[expect(clippy::print_stdout, reason = "the URL is the output of the program")]
async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    tracing_subscriber::fmt()
        .with_max_level(Level::DEBUG)
        .with_writer(std::io::stderr)
        .init();
    let listener = TcpListener::bind("127.0.0.1:8001").await?;
    println!("GraphiQL: http://{}/graphiql", listener.local_addr()?);
    let shutdown = async { signal::ctrl_c().await.unwrap_or(()) };
    bookshop::serve(listener, shutdown).await
}
