//! A proxy that serves another service under a path prefix.

use poem::{
    Body, EndpointExt, Request, Response, Route, Server, handler,
    http::header,
    listener::TcpAcceptor,
    web::{Data, Path},
};
use tokio::net::TcpListener;

const PREFIX: &str = "/tools/catalogue";

/// Starts a proxy for the service at `url`, and returns the URL of the service behind it.
pub(crate) async fn start(url: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = listener.local_addr().unwrap();
    let acceptor = TcpAcceptor::from_tokio(listener).unwrap();
    let forwarding = forward.data(url.to_owned());
    let routes = Route::new().at(format!("{PREFIX}/*path"), forwarding);
    tokio::spawn(Server::new_with_acceptor(acceptor).run(routes));
    format!("http://{addr}{PREFIX}")
}

#[handler]
async fn forward(request: &Request, Path(path): Path<String>, Data(url): Data<&String>, body: Vec<u8>) -> Response {
    let client = testkit::http::client().build().unwrap();
    let mut headers = request.headers().clone();
    headers.remove(header::HOST);
    let forwarded = client.request(request.method().clone(), format!("{url}/{path}")).headers(headers).body(body);
    let upstream = forwarded.send().await.unwrap();
    let mut response = Response::default();
    response.set_status(upstream.status());
    *response.headers_mut() = upstream.headers().clone();
    response.headers_mut().remove(header::TRANSFER_ENCODING);
    response.set_body(Body::from(upstream.bytes().await.unwrap()));
    response
}
