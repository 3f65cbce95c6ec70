//! The program.

use std::error::Error;

use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:8002").await?;
    axum::serve(listener, bookshop_axum::app().await?).await?;
    Ok(())
}
