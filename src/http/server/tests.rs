//! The end of the service under clients that come, wait and go as the dice of a number say:
//! `DRAIN_SEED=N` tries that of one number, as often as `DRAIN_SEEDS` says.
//!
//! Sockets and the scheduler are real, so a number decides who comes when and with what, not who is
//! first at the same moment.

use std::{
    collections::HashMap,
    env,
    net::Ipv4Addr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use poem::{IntoResponse, Request};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::*;
use crate::http::{Graphiql, Origins, SchemaDocument};

const SEEDS: u64 = 400;
const AT_ONCE: u64 = 40;
const MOST_TIME: Duration = Duration::from_mins(1);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_request_that_has_begun_is_answered_once() {
    let (alone, seeds) = (number("DRAIN_SEED"), number("DRAIN_SEEDS").unwrap_or(SEEDS));
    let mut turns = 0..seeds;
    let mut running = JoinSet::new();
    let mut told = Told::default();
    loop {
        while running.len() < usize::try_from(AT_ONCE).unwrap()
            && let Some(turn) = turns.next()
        {
            let seed = alone.unwrap_or(turn);
            running.spawn(async move { (seed, timeout(MOST_TIME, life(seed, turn)).await) });
        }
        let Some(ended) = running.join_next().await else {
            break;
        };
        let (seed, ended) = ended.expect("the message above names what is broken");
        let one = ended.unwrap_or_else(|_| panic!("seed {seed}: the service does not end"));
        told.answered += one.answered;
        told.given_up += one.given_up;
        told.unheard += one.unheard;
    }
    if alone.is_none() {
        let each = [told.answered, told.given_up, told.unheard];
        assert!(each.iter().all(|&often| often > 0), "not tried: {told:?}");
    }
}

fn number(variable: &str) -> Option<u64> {
    #[expect(clippy::disallowed_methods, reason = "it is no setting of the service")]
    let text = env::var(variable).ok()?;
    Some(text.parse().unwrap())
}

/// What clients have heard.
#[derive(Debug, Default)]
struct Told {
    answered: usize,
    given_up: usize,
    /// Their connection was closed before the service has begun with the request.
    unheard: usize,
}

/// What a client does.
enum Client {
    /// It asks for answers that take so many milliseconds, and waits for each.
    Stays(Vec<u64>),
    /// It goes so many milliseconds after it has asked.
    Goes(u64),
    /// It never finishes the head of its request.
    Dawdles,
    /// It says nothing.
    IsSilent,
}

/// Starts a service, lets clients come, and ends it meanwhile.
async fn life(seed: u64, turn: u64) -> Told {
    let mut dice = Dice(seed);
    let settings = settings(&mut dice);
    // Who comes too late must not find the service of another life on the same port.
    let [.., high, low] = turn.to_be_bytes();
    let own = Ipv4Addr::new(127, 77, high, low);
    let listener = TcpListener::bind((own, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let slow = Arc::new(Slow::default());
    let open = Arc::new(AtomicUsize::new(0));
    let (counted, stop) = (Arc::clone(&open), dice.below(60));
    let opened = move || Guard::of(&counted);
    let shutdown = sleep(Duration::from_millis(stop));
    let mut clients = JoinSet::new();
    for client in 0..=dice.below(6) {
        let comes = Duration::from_millis(dice.below(70));
        let does = match dice.below(6) {
            0 => Client::Goes(dice.below(40)),
            1 => Client::Dawdles,
            2 => Client::IsSilent,
            _ => Client::Stays((0..=dice.below(3)).map(|_| dice.below(120)).collect()),
        };
        let slow = Arc::clone(&slow);
        clients.spawn(async move {
            sleep(comes).await;
            // The door may be closed already.
            match TcpStream::connect(address).await {
                Ok(stream) => asks(stream, &does, &format!("{seed}-{client}"), &slow).await,
                Err(_) => Told::default(),
            }
        });
    }
    let endpoint = Arc::clone(&slow);
    run(listener, endpoint, &settings, None, opened, shutdown)
        .await
        .unwrap();
    let left = (
        open.load(Ordering::SeqCst),
        slow.busy.load(Ordering::SeqCst),
    );
    assert_eq!(
        left,
        (0, 0),
        "seed {seed}: connections, requests at the end"
    );
    let mut told = Told::default();
    while let Some(one) = clients.join_next().await {
        let one = one.expect("the message above names what is broken");
        told.answered += one.answered;
        told.given_up += one.given_up;
        told.unheard += one.unheard;
    }
    told
}

async fn asks(mut stream: TcpStream, does: &Client, name: &str, slow: &Slow) -> Told {
    let mut told = Told::default();
    match does {
        Client::Stays(turns) => {
            for (turn, takes) in turns.iter().enumerate() {
                let id = format!("{name}-{turn}");
                let asked = stream.write_all(request(&id, *takes).as_bytes()).await;
                let answer = match asked {
                    Ok(()) => answer(&mut stream).await,
                    Err(_) => None,
                };
                let begun = slow.begun.lock().unwrap().get(&id).copied();
                let begun = begun.unwrap_or(0);
                let Some(answer) = answer else {
                    assert_eq!(begun, 0, "{id} was begun and is not answered");
                    told.unheard += 1;
                    return told;
                };
                assert_eq!(begun, 1, "{id} is answered");
                if answer.starts_with("HTTP/1.1 200 ") {
                    assert!(answer.ends_with(&format!("\r\n\r\n{id}")), "{id}: {answer}");
                    told.answered += 1;
                } else {
                    assert!(answer.starts_with("HTTP/1.1 503 "), "{id}: {answer}");
                    assert!(answer.contains("SERVICE_UNAVAILABLE"), "{id}: {answer}");
                    told.given_up += 1;
                }
                if answer.contains("connection: close") {
                    return told;
                }
            }
        }
        Client::Goes(after) => {
            // What becomes of it does not matter to the client.
            drop(stream.write_all(request(name, 200).as_bytes()).await);
            sleep(Duration::from_millis(*after)).await;
        }
        Client::Dawdles => {
            drop(stream.write_all(b"GET /a HTTP/1.1\r\nHost: ").await);
            drop(stream.read(&mut [0; 1]).await);
        }
        Client::IsSilent => drop(stream.read(&mut [0; 1]).await),
    }
    told
}

fn request(id: &str, takes: u64) -> String {
    format!("GET /{id}/{takes} HTTP/1.1\r\nHost: localhost\r\n\r\n")
}

/// A whole answer, if there is one.
async fn answer(stream: &mut TcpStream) -> Option<String> {
    let mut text = String::new();
    let mut bytes = [0; 1024];
    loop {
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let (_, length) = head.split_once("content-length: ")?;
            let length: usize = length.split("\r\n").next()?.parse().ok()?;
            if body.len() >= length {
                return Some(text);
            }
        }
        match stream.read(&mut bytes).await {
            Ok(0) | Err(_) => return None,
            Ok(read) => text.push_str(str::from_utf8(&bytes[..read]).ok()?),
        }
    }
}

/// Answers `/ID/TIME` with the id, after so many milliseconds.
#[derive(Default)]
struct Slow {
    begun: Mutex<HashMap<String, usize>>,
    busy: Arc<AtomicUsize>,
}

impl Endpoint for Slow {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        let _busy = Guard::of(&self.busy);
        let path = request.uri().path().trim_start_matches('/').to_owned();
        let (id, takes) = path.split_once('/').unwrap();
        *self.begun.lock().unwrap().entry(id.to_owned()).or_default() += 1;
        sleep(Duration::from_millis(takes.parse().unwrap())).await;
        Ok(id.to_owned().into_response())
    }
}

/// Counts as long as it is there.
struct Guard(Arc<AtomicUsize>);

impl Guard {
    fn of(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(count))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn settings(dice: &mut Dice) -> HttpSettings {
    HttpSettings {
        body_limit_bytes: 1024,
        url_limit_bytes: 1024,
        concurrency_limit: 100,
        connection_limit: 1 + usize::try_from(dice.below(5)).unwrap(),
        read_timeout: Duration::from_secs(10),
        batch_limit: 0,
        compression_threshold_bytes: usize::MAX,
        cors_origins: Origins::None,
        graphiql: Graphiql::Off,
        schema_document: SchemaDocument::Off,
        drain_pause: Duration::from_millis(dice.below(30)),
        drain_timeout: Duration::from_millis(dice.below(150)),
    }
}

/// `SplitMix64`.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % end
    }
}
