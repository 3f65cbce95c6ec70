//! The limits of connections, through sockets.

use std::time::{Duration, Instant};

use poem::{Response, endpoint::make_sync};
use poem_graphql::ConnectionLimits;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::{sleep, timeout},
};

use crate::support::{Service, get, read_to_end, slow};

const SHORT: Duration = Duration::from_millis(600);
const LONG: Duration = Duration::from_secs(30);

const LIMITS: ConnectionLimits = ConnectionLimits { connections: 8, idle: LONG, response: LONG, write: LONG };

#[tokio::test]
async fn connections_beyond_the_maximum_wait_until_another_one_ends() {
    let limits = ConnectionLimits { connections: 1, ..LIMITS };
    let service = Service::start(slow(), limits).await;
    let mut first = service.connect().await;
    first.write_all(get("/1", "").as_bytes()).await.unwrap();
    first.read_u8().await.unwrap();
    let mut second = service.connect().await;
    second.write_all(get("/2", "").as_bytes()).await.unwrap();
    let unanswered = timeout(SHORT, second.read_u8()).await;
    assert!(unanswered.is_err(), "{unanswered:?}");
    drop(first);
    let answered = timeout(LONG, second.read_u8()).await;
    assert_eq!(answered.unwrap().unwrap(), b'H');
}

#[tokio::test]
async fn a_connection_without_a_request_is_closed_and_an_active_one_is_not() {
    let limits = ConnectionLimits { idle: SHORT, ..LIMITS };
    let service = Service::start(slow(), limits).await;
    let mut silent = service.connect().await;
    let mut active = service.connect().await;
    for _ in 0..4 {
        active.write_all(get("/300", "").as_bytes()).await.unwrap();
        let mut response = vec![0; 300];
        active.read_exact(&mut response).await.unwrap();
        sleep(SHORT / 2).await;
    }
    let closed = timeout(SHORT, read_to_end(&mut silent)).await;
    assert_eq!(closed.unwrap(), "");
    let (started, closed) = (Instant::now(), timeout(LONG, read_to_end(&mut active)).await);
    assert!(closed.is_ok() && started.elapsed() < 4 * SHORT);
}

#[tokio::test]
async fn a_request_without_a_response_in_time_ends_its_connection() {
    let limits = ConnectionLimits { response: SHORT, ..LIMITS };
    let service = Service::start(slow(), limits).await;
    let unanswered = timeout(4 * SHORT, service.exchange(&get("/60000", ""))).await;
    assert_eq!(unanswered.unwrap(), "");
    let mut slow_head = service.connect().await;
    let closed = timeout(4 * SHORT, async {
        while slow_head.write_all(b"G").await.is_ok() {
            sleep(SHORT / 10).await;
        }
    });
    closed.await.expect("each byte does not extend the deadline");
}

#[tokio::test]
async fn a_client_that_does_not_read_loses_its_connection() {
    const BYTES: usize = 64 * 1024 * 1024;
    let limits = ConnectionLimits { write: SHORT, ..LIMITS };
    let large = make_sync(|_| Response::from("x".repeat(BYTES)));
    let service = Service::start(large, limits).await;
    let mut stalled = service.connect().await;
    let mut reading = service.connect().await;
    for stream in [&mut stalled, &mut reading] {
        let request = get("/", "Connection: close\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
    }
    let read = async {
        // Slower than the timeout in all, but never without progress for as long.
        let (mut total, mut chunk) = (0, vec![0; 4 * 1024 * 1024]);
        while let Ok(read @ 1..) = reading.read(&mut chunk).await {
            total += read;
            sleep(SHORT / 30).await;
        }
        total
    };
    assert!(read.await > BYTES, "the head and all of the body");
    sleep(3 * SHORT).await;
    assert!(read_to_end(&mut stalled).await.len() < BYTES);
}

#[tokio::test]
async fn stopping_finishes_requests_in_flight_within_the_drain_timeout() {
    let mut service = Service::start(slow(), LIMITS).await;
    let mut idle = service.connect().await;
    let mut answered = service.connect().await;
    answered.write_all(get("/250", "").as_bytes()).await.unwrap();
    let mut aborted = service.connect().await;
    aborted.write_all(get("/60000", "").as_bytes()).await.unwrap();
    sleep(Duration::from_millis(100)).await;
    service.stop();
    let response = read_to_end(&mut answered).await;
    assert!(response.starts_with("HTTP/1.1 200 OK"), "{response}");
    assert!(response.contains("connection: close"), "{response}");
    assert_eq!(read_to_end(&mut idle).await, "");
    let started = Instant::now();
    assert_eq!(read_to_end(&mut aborted).await, "");
    assert!(started.elapsed() < Duration::from_secs(2));
    service.stopped().await;
}
