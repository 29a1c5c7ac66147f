//! A server with an empty handler, as the baseline of the benchmark.

use axum::Router;
use axum::routing::get;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/", listener.local_addr()?);
    axum::serve(listener, Router::new().route("/", get(|| async {}))).await
}
