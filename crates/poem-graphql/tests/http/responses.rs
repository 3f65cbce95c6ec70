//! The middleware: bodies of responses, hosts, heads, pages of other origins, and the static routes.

use std::io::Read;

use poem::{Endpoint, EndpointExt, IntoResponse, Request, Response, endpoint::make_sync, http::StatusCode};
use poem_graphql::{
    AllowedHosts, Check, GraphQLSettings, Origins, ResponseBodies, check_head, check_origin, schema_document,
};

use crate::support::{SDL, graphql, post, text, with};

fn request(path: &str) -> Request {
    Request::builder().uri_str(path).header("host", "localhost").finish()
}

async fn decompressed(response: Response) -> Vec<u8> {
    let coding = response.header("content-encoding").map(str::to_owned);
    let bytes = response.into_body().into_vec().await.unwrap();
    let (mut plain, bytes) = (Vec::new(), &*bytes);
    match coding.as_deref() {
        None => return bytes.to_vec(),
        Some("gzip") => flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain),
        Some("br") => brotli::Decompressor::new(bytes, 4096).read_to_end(&mut plain),
        Some("zstd") => zstd::stream::read::Decoder::new(bytes).unwrap().read_to_end(&mut plain),
        other => panic!("{other:?}"),
    }
    .unwrap();
    plain
}

#[tokio::test]
async fn a_response_has_the_negotiated_content_coding() {
    let large = graphql(GraphQLSettings::default()).with(ResponseBodies::compressed_above(1024));
    for bytes in [2000, 200_000] {
        let query = format!(r#"{{"query":"{{ text(bytes: {bytes}) }}"}}"#);
        for (accepted, coding) in [
            ("", ""),
            ("identity", ""),
            ("deflate", ""),
            ("gzip", "gzip"),
            ("GZIP;Q=0.5", "gzip"),
            ("gzip, deflate, br, zstd", "zstd"),
            ("gzip, deflate, br", "br"),
            ("gzip;q=1.0, br;q=0.5", "br"),
            ("br;q=0, gzip;q=0.1", "gzip"),
            ("zstd;q=0, *;q=0.3", ""),
            ("*", ""),
            ("gzip;q=0", ""),
            ("identity;q=0.9, gzip;q=0.5", "gzip"),
            ("gzip;q=nonsense", ""),
        ] {
            let request = with(post(&query), "accept-encoding", accepted);
            let response = large.get_response(request).await;
            let found = response.header("content-encoding").unwrap_or_default();
            assert_eq!(found, coding, "{accepted}");
            let plain = format!(r#"{{"data":{{"text":"{}"}}}}"#, "x".repeat(bytes));
            assert_eq!(decompressed(response).await, plain.as_bytes(), "{accepted}");
        }
    }
    let small = with(post(r#"{"query":"{ text(bytes: 9) }"}"#), "accept-encoding", "gzip");
    let small = large.get_response(small).await;
    assert_eq!((small.header("content-encoding"), small.header("vary")), (None, None));
}

#[tokio::test]
async fn what_caches_store_varies_by_coding_whatever_its_size() {
    let document = schema_document(SDL).with(ResponseBodies::compressed_above(10_000));
    let response = document.get_response(request("/")).await;
    assert_eq!(response.header("vary"), Some("Accept-Encoding"));
    assert_eq!(response.header("cache-control"), Some("no-cache"));
    assert_eq!(text(response).await, SDL);
    let image = make_sync(|_| "a".repeat(5000).with_content_type("image/png"));
    let image = image.with(ResponseBodies::compressed_above(1024));
    let response = image.get_response(with(request("/"), "accept-encoding", "gzip")).await;
    assert_eq!((response.header("vary"), response.header("content-encoding")), (None, None));
}

#[tokio::test]
async fn unread_responses_have_a_budget() {
    let texts = make_sync(|request| {
        let bytes = request.uri().path()[1..].parse().unwrap();
        Response::from("x".repeat(bytes))
    });
    let texts = texts.with(ResponseBodies::compressed_above(1024));
    let unread = texts.get_response(request("/40000000")).await;
    assert_eq!(unread.status(), StatusCode::OK);
    let refused = texts.get_response(request("/40000000")).await;
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(text(refused).await.contains("unread-response-bytes"));
    assert_eq!(texts.get_response(request("/9")).await.status(), StatusCode::OK);
    drop(unread);
    assert_eq!(texts.get_response(request("/40000000")).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn hosts_are_allowed_by_name_and_domain_and_addresses_always() {
    for (allowed, host, status) in [
        ("*", "evil.example", 200),
        ("a.example", "a.example", 200),
        ("a.example", "A.Example.:8000", 200),
        ("A.example", "a.example", 200),
        ("a.example", "b.a.example", 421),
        ("a.example", "aa.example", 421),
        ("*.a.example", "c.b.A.example:1", 200),
        ("*.A.example", "b.a.example", 200),
        ("*.a.example", "a.example", 421),
        ("*.a.example", ".a.example", 421),
        ("*.a.example", "evil-a.example", 421),
        ("b.example, a.example", "a.example", 200),
        // Names of the loopback interface and addresses are always allowed.
        ("a.example", "LOCALHOST.", 200),
        ("a.example", "a.localhost", 200),
        ("a.example", "127.0.0.1", 200),
        ("a.example", "192.0.2.1:9000", 200),
        ("a.example", "[2001:DB8::7]", 200),
        ("a.example", "[2001:db8::7]:8000", 200),
        ("a.example", "localhost.evil.example", 421),
        ("a.example", "10.example", 421),
        ("a.example", "192.0.2.1.evil.example", 421),
        ("a.example", "2130706433", 421),
        ("a.example", "", 421),
        ("a.example", "a b", 400),
        ("a.example", "user@a.example", 400),
        ("a.example", "a:b", 400),
        ("a.example", "a:80:80", 400),
        ("a.example", "a:-1", 400),
        ("a.example", "a:65536", 400),
        ("a.example", "[::1", 400),
        ("a.example", "[::1]8000", 400),
        ("a.example", "::1", 400),
        ("a.example", "é", 400),
    ] {
        let hosts = AllowedHosts::parse(allowed).unwrap();
        let checked = hosts.check(&Request::builder().header("host", host).finish());
        let found = checked.map_or_else(|error| error.status().as_u16(), |()| 200);
        assert_eq!(found, status, "{allowed}: {host}");
    }
    let only = AllowedHosts::parse("a.example").unwrap();
    let of = |host: &str| Request::builder().header("host", host).finish();
    assert!(only.check(&with(of("a.example"), "host", "a.example")).is_err());
    assert!(only.check(&Request::builder().finish()).is_err());
    let target = Request::builder().uri_str("http://evil.example/").header("host", "a.example");
    assert!(only.check(&target.finish()).is_err(), "the target takes precedence");
    for wrong in [
        "",
        "a.example,",
        "a.*",
        "*a.example",
        "*.",
        "https://a.example",
        "a.example/",
        "a..example",
        "a.example:8000",
        "192.0.2.1",
        "10.0.0.0/8",
        "2001:db8::7",
        "[2001:db8::7]",
        "a.example,*",
        "a b",
    ] {
        assert_eq!(AllowedHosts::parse(wrong), None, "{wrong}");
    }
}

#[tokio::test]
async fn long_heads_are_refused() {
    let check = |request: &mut Request| check_head(request, 20);
    let endpoint = make_sync(|_| "ok").with(Check(check));
    assert_eq!(endpoint.get_response(request("/short")).await.status(), StatusCode::OK);
    let long = endpoint.get_response(request("/?query=01234567890123456789")).await;
    assert_eq!(long.status(), StatusCode::URI_TOO_LONG);
    let mut lines = request("/");
    for _ in 0..100 {
        lines = with(lines, "x-more", "1");
    }
    let lines = endpoint.get_response(lines).await;
    assert_eq!(lines.status(), StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
}

#[test]
fn origins_are_compared_as_browsers_send_them() {
    let origins = Origins::parse("https://a.example:443, http://[::1]:3000").unwrap();
    for (origin, is_permitted) in [
        ("https://a.example", true),
        ("http://[::1]:3000", true),
        // The page of the service.
        ("https://LOCALHOST", true),
        ("https://a.example:444", false),
        ("http://a.example", false),
        ("null", false),
    ] {
        let request = with(request("/"), "origin", origin);
        assert_eq!(check_origin(&request, &origins).is_ok(), is_permitted, "{origin}");
    }
    for wrong in ["", "a.example", "https://", "https://a.example/", "https://A.example", "https://a.example,*", "null"]
    {
        assert_eq!(Origins::parse(wrong), None, "{wrong}");
    }
}
