//! How often a caller may ask, and who counts as one.

use serde_json::{Value, json};

use crate::{
    service::{Answer, Service, claims, token_of},
    signing::jwks,
};

const SLOW: [&str; 2] = ["--rate-limit=1", "--rate-limit-burst=3"];

fn query() -> Value {
    json!({ "query": "{ __typename }" })
}

fn token_for(subject: &str) -> String {
    let mut claims = claims("catalogue:read");
    claims["sub"] = subject.into();
    token_of("ec", &claims)
}

/// Who asks in turn, and which answers they get: buckets hold three, and refill too slowly to matter.
#[tokio::test]
async fn a_caller_is_a_subject_or_an_address() {
    // At the least rate that there is, a slow machine may still see a second pass: what is asked
    // here is how many are refused of ten, not which.
    let flags = [&SLOW[..], &["--trusted-proxies=127.0.0.0/8"]].concat();
    let service = Service::with_keys(&jwks(&["ec"]), &flags).await;
    let refused = async |token: Option<&str>, forwarded: &str| {
        let mut refused = 0;
        for _ in 0..40 {
            let request = service.post(&query()).header("x-forwarded-for", forwarded);
            let request = match token {
                Some(token) => request.bearer_auth(token),
                None => request,
            };
            let answer = Answer::of(request).await;
            match answer.status {
                429 => refused += 1,
                200 => assert!(token.is_some(), "{answer:?}"),
                _ => assert!(answer.status == 401 && token.is_none(), "{answer:?}"),
            }
        }
        refused
    };
    let (anna, berta) = (token_for("anna"), token_for("berta"));
    for (who, token, forwarded, is_fresh) in [
        ("anna", Some(anna.as_str()), "192.0.2.1", true),
        ("anna from elsewhere", Some(&anna), "192.0.2.2", false),
        ("berta", Some(&berta), "192.0.2.1", true),
        (
            "nobody, whose address was not counted for subjects",
            None,
            "192.0.2.1",
            true,
        ),
        ("nobody again", None, "192.0.2.1", false),
        (
            "nobody behind another proxy",
            None,
            "192.0.2.1, 127.0.0.5",
            false,
        ),
        (
            "nobody who makes up an address",
            None,
            "192.0.2.77, 192.0.2.1",
            false,
        ),
        ("nobody of IPv6", None, "2001:db8::1", true),
        ("nobody of the same network", None, "2001:db8::ffff", false),
        ("nobody of another network", None, "2001:db8:0:1::1", true),
    ] {
        let started = std::time::Instant::now();
        let refused = refused(token, forwarded).await;
        let refilled = i64::try_from(started.elapsed().as_secs()).unwrap() + 1;
        let granted = 40 - refused;
        if is_fresh {
            assert!((3..=3 + refilled).contains(&granted), "{who}: {granted}");
        } else {
            // What may have come in since the one before.
            assert!(granted <= 1 + refilled, "{who}: {granted}");
        }
    }
}

#[tokio::test]
async fn who_asks_too_often_is_told_when_to_come_back() {
    let service = Service::without_keys(&SLOW).await;
    let mut refused = None;
    for _ in 0..40 {
        let answer = Answer::of(service.post(&query())).await;
        if answer.status == 429 {
            refused = Some(answer);
        }
    }
    let answer = refused.expect("the fourth request of a second is refused");
    assert_eq!(answer.code(), Some("LIMIT_EXCEEDED"), "{answer:?}");
    let limit = json!({ "name": "rate-limit", "value": 1 });
    assert_eq!(answer.body["errors"][0]["extensions"]["limit"], limit);
    assert!(answer.body.get("data").is_none());
    assert_eq!(answer.retry_after, Some(1));
    let refused = service
        .metric("catalogue_limits_refused_total{limit=\"rate-limit\"}")
        .await;
    assert!(refused >= 1.0, "{refused}");
    assert!((service.metric("catalogue_rate_limit_callers").await - 1.0).abs() < 0.5);
    let limits: Value = service
        .get("/limits")
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    let told = json!({ "name": "rate-limit", "value": 1, "unit": "requests per second" });
    assert!(
        limits["limits"].as_array().unwrap().contains(&told),
        "{limits}"
    );
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    assert_eq!(Answer::of(service.post(&query())).await.status, 200);
}

#[tokio::test]
async fn a_list_counts_as_many_as_it_has_operations() {
    let flags = [&SLOW[..], &["--batch-limit=10"]].concat();
    let service = Service::without_keys(&flags).await;
    let list = |length: usize| Value::Array(vec![query(); length]);
    let answer = Answer::of(service.post(&list(9))).await;
    assert_eq!(answer.status, 429, "{answer:?}");
    assert!(answer.retry_after.unwrap() >= 5, "{answer:?}");
    let service = Service::without_keys(&flags).await;
    let answer = Answer::of(service.post(&list(3))).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

#[tokio::test]
async fn strangers_are_not_believed_and_pages_for_operators_are_not_counted() {
    let service = Service::without_keys(&SLOW).await;
    let mut statuses = Vec::new();
    for number in 0..40 {
        let forwarded = format!("192.0.2.{number}");
        let request = service.post(&query()).header("x-forwarded-for", forwarded);
        statuses.push(Answer::of(request).await.status);
    }
    assert!(statuses.contains(&429), "{statuses:?}");
    for _ in 0..40 {
        let live = service.get("/health/live").send().await.unwrap();
        assert_eq!(live.status(), 200);
    }
}
