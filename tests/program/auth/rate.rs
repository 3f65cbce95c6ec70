//! Rate limits, and which requests count for the same caller.

use serde_json::{Value, json};

use super::{
    service::{Service, TestResponse, claims, send, token_of},
    signing::jwks,
};

testkit::tests![
    a_caller_is_a_subject_or_an_address,
    failed_authentication_is_limited_and_blocks_no_valid_token,
    a_mutation_counts_once_per_item_in_every_form,
    only_what_is_executed_counts,
    untrusted_forwarded_addresses_are_ignored_and_health_is_not_limited,
    a_large_request_succeeds_after_the_time_in_retry_after,
];

/// More than a bucket holds, also if it refills while they are sent.
const REQUESTS: i64 = 15;

const SLOW: [&str; 2] = ["--rate-limit=1", "--rate-limit-burst=3"];

fn query() -> Value {
    json!({ "query": "{ __typename }" })
}

fn token_for(subject: &str) -> String {
    let mut claims = claims("catalogue:read");
    claims["sub"] = subject.into();
    token_of("ec", &claims)
}

/// Sends requests of several callers in turn; each bucket holds three requests and refills slowly.
async fn a_caller_is_a_subject_or_an_address() {
    // On a slow machine the bucket refills during the test even at the lowest rate, so only the number
    // of granted requests is checked, with a tolerance.
    let flags = [&SLOW[..], &["--trusted-proxies=127.0.0.0/8"]].concat();
    let service = Service::with_keys(&jwks(&["ec"]), &flags).await;
    let refused = async |token: Option<&str>, forwarded: &str| {
        let mut refused = 0;
        for _ in 0..REQUESTS {
            let request = service.post(&query()).header("x-forwarded-for", forwarded);
            let request = match token {
                Some(token) => request.bearer_auth(token),
                None => request,
            };
            let response = send(request).await;
            match response.status {
                429 => refused += 1,
                200 => assert!(token.is_some(), "{response:?}"),
                _ => assert!(response.status == 401 && token.is_none(), "{response:?}"),
            }
        }
        refused
    };
    let (anna, berta) = (token_for("anna"), token_for("berta"));
    for (case, token, forwarded, has_full_bucket) in [
        ("anna", Some(anna.as_str()), "192.0.2.1", true),
        ("anna from elsewhere", Some(&anna), "192.0.2.2", false),
        ("berta", Some(&berta), "192.0.2.1", true),
        ("no subject, from an address not charged for subjects", None, "192.0.2.1", true),
        ("the same address", None, "192.0.2.1", false),
        ("the same address behind another proxy", None, "192.0.2.1, 127.0.0.5", false),
        ("the same address after a forged one", None, "192.0.2.77, 192.0.2.1", false),
        ("an IPv6 address", None, "2001:db8::1", true),
        ("an IPv6 address of the same network", None, "2001:db8::ffff", false),
        ("an IPv6 address of another network", None, "2001:db8:0:1::1", true),
    ] {
        let started = std::time::Instant::now();
        let refused = refused(token, forwarded).await;
        let refilled = i64::try_from(started.elapsed().as_secs()).unwrap() + 1;
        let granted = REQUESTS - refused;
        if has_full_bucket {
            assert!((3..=3 + refilled).contains(&granted), "{case}: {granted}");
        } else {
            // The bucket may have refilled since the previous case.
            assert!(granted <= 1 + refilled, "{case}: {granted}");
        }
    }
}

/// An address has an allowance for failures, which valid tokens neither use nor need.
async fn failed_authentication_is_limited_and_blocks_no_valid_token() {
    let service = Service::with_keys(&jwks(&["ec"]), &SLOW).await;
    let valid = token_for("anna");
    let forged = format!("{}.AAAA", valid.rsplit_once('.').unwrap().0);
    let mut no_subject = claims("catalogue:read");
    no_subject.as_object_mut().unwrap().remove("sub");
    let no_subject = token_of("ec", &no_subject);
    let started = std::time::Instant::now();
    let mut unauthenticated = 0;
    for _ in 0..20 {
        for guess in [service.post(&query()).bearer_auth(&forged), service.post(&query())] {
            let response = send(guess).await;
            assert!([401, 429].contains(&response.status), "{response:?}");
            assert_eq!(response.retry_after.is_some(), response.status == 429);
            unauthenticated += u64::from(response.status == 401);
        }
    }
    // The allowance refills meanwhile.
    let refilled = started.elapsed().as_secs() + 1;
    assert!((3..=3 + refilled).contains(&unauthenticated), "{unauthenticated}");
    for token in [&valid, &no_subject] {
        for _ in 0..3 {
            let response = send(service.post(&query()).bearer_auth(token)).await;
            assert_eq!(response.status, 200, "{response:?}");
        }
    }
    let response = send(service.post(&query()).bearer_auth(token_for("berta"))).await;
    assert_eq!(response.status, 200, "{response:?}");
}

/// The fields of a mutation, each with its own response key.
fn fields(count: usize, field: &str) -> String {
    let fields = (0..count).map(|number| format!("f{number}: {field} {{ id }} "));
    fields.collect()
}

const CREATE: &str = "createVehicle(type: \"a\", modelCode: \"b\")";

fn create_vehicles(count: usize) -> String {
    let vehicles = r#"{ type: "a", modelCode: "b" } "#.repeat(count);
    format!("createVehicles(vehicles: [{vehicles}])")
}

fn mutation(fields: &str) -> Value {
    json!({ "query": format!("mutation {{ {fields} }}") })
}

/// No time makes them succeed, so there is no `Retry-After`. The largest permitted ones succeed at once.
async fn a_mutation_counts_once_per_item_in_every_form() {
    let update = "updateVehicle(id: 1, changes: { modelCode: \"c\" })";
    let bulk = |count: usize| fields(1, &create_vehicles(count));
    let bulk_variable = |count: usize| {
        json!({
            "query": "mutation ($v: [NewVehicle!]!) { createVehicles(vehicles: $v) { id } }",
            "variables": { "v": vec![json!({ "type": "a", "modelCode": "b" }); count] },
        })
    };
    let in_fragments = |count: usize| {
        let fields = fields(count, CREATE);
        json!({ "query": format!("mutation {{ ...F ... {{ ...F }} }} fragment F on Mutation {{ {fields} }}") })
    };
    let mixed = |count: usize| {
        let create = format!("a: {CREATE} {{ id }} b: {} {{ id }}", create_vehicles(count - 2));
        mutation(&format!("{create} c: deleteVehicle(id: 1) {{ id }}"))
    };
    let forms: [(&str, &dyn Fn(usize) -> Value); 7] = [
        ("creates", &|count| mutation(&fields(count, CREATE))),
        ("a bulk create", &|count| mutation(&bulk(count))),
        ("a bulk create by a variable", &bulk_variable),
        ("updates", &|count| mutation(&fields(count, update))),
        ("deletes", &|count| mutation(&fields(count, "deleteVehicle(id: 1)"))),
        ("fragments", &in_fragments),
        ("mixed", &mixed),
    ];
    let flags = [&SLOW[..], &["--trusted-proxies=127.0.0.0/8"]].concat();
    let service = Service::without_keys(&flags).await;
    for (number, (form, request)) in forms.into_iter().enumerate() {
        // Each request has a full bucket.
        let from = |last: usize, request: &Value| {
            let address = format!("192.0.{number}.{last}");
            service.post(request).header("x-forwarded-for", address)
        };
        let vehicles = async || {
            let list = json!({ "query": "{ vehicles { id version } }" });
            send(from(1, &list)).await.body
        };
        let before = vehicles().await;
        let response = send(from(2, &request(4))).await;
        assert_above_burst(&response, 4);
        assert_eq!(vehicles().await, before, "{form}");
        let response = send(from(3, &request(3))).await;
        assert_eq!(response.status, 200, "{form}: {response:?}");
        let response = send(from(3, &request(3))).await;
        assert_eq!(response.status, 429, "{form}: {response:?}");
        assert!(response.retry_after.is_some(), "{form}: {response:?}");
    }
}

async fn only_what_is_executed_counts() {
    let service = Service::without_keys(&SLOW).await;
    let skipped = CREATE.to_owned() + " @skip(if: $skip)";
    let query = format!(
        "mutation ($skip: Boolean!) {{ {} same: {CREATE} {{ id }} same: {CREATE} {{ type }} __typename }}",
        fields(9, &skipped)
    );
    let request = |skip: bool| json!({ "query": query, "variables": { "skip": skip } });
    let response = send(service.post(&request(false))).await;
    assert_above_burst(&response, 10);
    let response = send(service.post(&request(true))).await;
    assert_eq!(response.status, 200, "{response:?}");
}

/// The first refusal does not know the size of the request, since it is before its body is read.
async fn a_large_request_succeeds_after_the_time_in_retry_after() {
    let service = Service::without_keys(&SLOW).await;
    let request = mutation(&fields(1, &create_vehicles(3)));
    assert_eq!(send(service.post(&request)).await.status, 200);
    let mut response = send(service.post(&request)).await;
    let mut refusals = 0;
    while let Some(wait) = response.retry_after {
        refusals += 1;
        assert!(refusals <= 2, "{response:?}");
        tokio::time::sleep(std::time::Duration::from_secs(wait)).await;
        response = send(service.post(&request)).await;
    }
    assert_eq!(response.status, 200, "{response:?}");
}

fn assert_above_burst(response: &TestResponse, actual: usize) {
    assert_eq!((response.status, response.retry_after), (429, None), "{response:?}");
    let error = &response.body["errors"][0];
    let limit = json!({ "name": "rate-limit-burst", "value": 3, "actual": actual });
    assert_eq!(error["extensions"]["limit"], limit);
    let message = format!("the request counts as {actual} requests, more than rate-limit-burst (3) ");
    assert!(error["message"].as_str().unwrap().starts_with(&message), "{error}");
}

async fn untrusted_forwarded_addresses_are_ignored_and_health_is_not_limited() {
    let service = Service::without_keys(&SLOW).await;
    let mut statuses = Vec::new();
    for number in 0..40 {
        let forwarded = format!("192.0.2.{number}");
        let request = service.post(&query()).header("x-forwarded-for", forwarded);
        statuses.push(send(request).await.status);
    }
    assert!(statuses.contains(&429), "{statuses:?}");
    for _ in 0..40 {
        let live = service.get("/health/live").send().await.unwrap();
        assert_eq!(live.status(), 200);
    }
}
