//! The typed client against the listening service: what it was compiled with is what it meets.

use rcgen::{CertifiedKey, generate_simple_self_signed};
use sea_orm::ConnectionTrait;
use vehicle_catalogue_client::{
    Builder, CatalogueClient, Code, Effect, Error, Manifest, NewVehicle, PathSegment, Retries,
    Vehicle,
    cynic::{Id, MutationBuilder, QueryBuilder},
};

use crate::support::{TestApp, http, tests};

tests![
    a_vehicle_is_created_found_and_listed,
    what_is_not_given_is_none_and_an_empty_text_is_a_text,
    omitted_and_null_mean_the_same,
    every_broken_argument_is_a_violation,
    a_list_that_is_cut_says_so,
    a_failure_has_a_reference_and_leaves_open_what_was_stored,
    queries_of_the_caller_go_the_same_way,
    what_was_answered_beside_an_error_can_be_read,
    mutations_of_the_caller_go_the_same_way,
    the_operations_of_the_manifest_are_all_that_is_needed,
    a_certificate_is_trusted_when_it_is_named,
    the_contract_is_kept_however_it_is_told,
];

/// Of the system's settings nothing counts: no proxy stands before the loopback interface.
fn builder(app: &TestApp) -> Builder {
    let http_client = http::client().build();
    CatalogueClient::builder(app.address("/graphql"))
        .http_client(http_client.expect("a client needs nothing"))
        .retries(Retries::none())
}

fn client(app: &TestApp) -> CatalogueClient {
    builder(app).build().expect("the address is one")
}

fn volvo() -> NewVehicle {
    NewVehicle::new("SUV", "XC60")
        .brand_name("Volvo")
        .launch_date("2017-03-07")
}

async fn a_vehicle_is_created_found_and_listed(app: TestApp) {
    let client = client(&app);
    let created = client.create_vehicle(volvo()).await.unwrap();
    let expected = Vehicle {
        id: Id::new("1"),
        r#type: Some("SUV".to_owned()),
        model_code: Some("XC60".to_owned()),
        brand_name: Some("Volvo".to_owned()),
        launch_date: Some("2017-03-07".to_owned()),
    };
    assert_eq!(created, expected);
    assert_eq!(client.vehicle("1").await.unwrap(), Some(expected.clone()));
    for unknown in ["2", "01", "x"] {
        assert_eq!(client.vehicle(unknown).await.unwrap(), None, "{unknown}");
    }
    for count in [None, Some(10)] {
        let list = client.vehicles(count).await.unwrap();
        assert_eq!(list.vehicles, std::slice::from_ref(&expected));
        assert_eq!(list.truncated, None);
    }
    assert_eq!(client.vehicles(0).await.unwrap().vehicles, []);
}

async fn what_is_not_given_is_none_and_an_empty_text_is_a_text(app: TestApp) {
    let client = client(&app);
    let bare = NewVehicle::new("SUV", "XC40");
    let created = client.create_vehicle(bare.clone()).await.unwrap();
    assert_eq!((created.brand_name, created.launch_date), (None, None));
    let created = client.create_vehicle(bare.brand_name("")).await.unwrap();
    assert_eq!(created.brand_name.as_deref(), Some(""));
}

async fn omitted_and_null_mean_the_same(app: TestApp) {
    app.given_three_vehicles().await;
    let client = client(&app);
    let omitted = client.vehicles(None).await.unwrap();
    // Without `skip_serializing_if`, `None` is sent as null.
    let with_null = Own::build(OwnVariables {
        id: Some(Id::new("3")),
        count: None,
    });
    let with_null = client.query(with_null).await.unwrap();
    assert_eq!(
        with_null.data.vehicles.unwrap().len(),
        omitted.vehicles.len()
    );
}

async fn every_broken_argument_is_a_violation(app: TestApp) {
    let client = client(&app);
    let wrong = NewVehicle::new(" ", "X".repeat(256)).launch_date("2017-02-29");
    let error = client.create_vehicle(wrong).await.unwrap_err();
    let refused = error.refused().expect("the service refuses it");
    assert_eq!(refused.code(), &Code::BadUserInput);
    let broken = refused.violations();
    let broken: Vec<_> = broken
        .map(|violation| (violation.argument.as_str(), violation.rule.as_str()))
        .collect();
    let expected = [
        ("type", "not_blank"),
        ("modelCode", "max_length"),
        ("launchDate", "date_exists"),
    ];
    assert_eq!(broken, expected);
    assert_eq!(error.effect(), Effect::Nothing);
    assert_eq!(client.vehicles(None).await.unwrap().vehicles, []);

    let error = client.vehicles(-1).await.unwrap_err();
    let refused = error.refused().expect("the service refuses it");
    assert_eq!(refused.violations().next().unwrap().argument, "count");
    let path = &refused.reasons()[0].path;
    assert_eq!(*path, [PathSegment::Field("vehicles".to_owned())]);
}

async fn a_list_that_is_cut_says_so(app: TestApp) {
    let app = app.restart_with(&["--list-limit=2"]).await;
    app.given_three_vehicles().await;
    let client = client(&app);
    let list = client.vehicles(None).await.unwrap();
    assert_eq!(list.vehicles.len(), 2);
    let truncated = list.truncated.expect("there is a third");
    assert_eq!((truncated.returned, truncated.limit), (2, 2));
    assert_eq!(client.vehicles(2).await.unwrap().truncated, None);
}

async fn a_failure_has_a_reference_and_leaves_open_what_was_stored(app: TestApp) {
    let stranger = app.stranger().await;
    let dropped = stranger.execute_unprepared("DROP TABLE vehicle").await;
    dropped.expect("it is a table");
    let client = client(&app);
    for (error, effect) in [
        (client.vehicle("1").await.unwrap_err(), Effect::Nothing),
        (
            client.create_vehicle(volvo()).await.unwrap_err(),
            Effect::Unknown,
        ),
    ] {
        let refused = error.refused().expect("the service answers");
        assert_eq!(refused.code(), &Code::InternalServerError, "{error}");
        let reference = refused.reference().expect("the operator can be asked");
        assert!(error.to_string().contains(reference), "{error}");
        assert_eq!(error.effect(), effect, "{error}");
    }
}

#[derive(cynic::QueryVariables)]
#[cynic(schema_module = "vehicle_catalogue_client::schema")]
struct OwnVariables {
    id: Option<Id>,
    count: Option<i32>,
}

/// Two fields at once, one of them with the client's own fragment.
#[derive(cynic::QueryFragment, Debug)]
#[cynic(
    graphql_type = "Query",
    variables = "OwnVariables",
    schema_path = "schema.graphql",
    schema_module = "vehicle_catalogue_client::schema"
)]
struct Own {
    #[arguments(id: $id)]
    vehicle: Option<Vehicle>,
    #[arguments(count: $count)]
    vehicles: Option<Vec<Option<OnlyId>>>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(
    graphql_type = "Vehicle",
    schema_path = "schema.graphql",
    schema_module = "vehicle_catalogue_client::schema"
)]
struct OnlyId {
    id: Id,
}

async fn queries_of_the_caller_go_the_same_way(app: TestApp) {
    let app = app.restart_with(&["--list-limit=2"]).await;
    app.given_three_vehicles().await;
    let client = client(&app);
    let operation = Own::build(OwnVariables {
        id: Some(Id::new("2")),
        count: None,
    });
    let answer = client.query(operation).await.unwrap();
    let found = answer.data.vehicle.expect("there is a second");
    assert_eq!(found.model_code.as_deref(), Some("XC60"));
    let list = answer.data.vehicles.expect("there is a list");
    let ids: Vec<_> = list.iter().flatten().map(|item| item.id.inner()).collect();
    assert_eq!(ids, ["1", "2"]);
    assert_eq!(answer.truncated.len(), 1);
}

async fn what_was_answered_beside_an_error_can_be_read(app: TestApp) {
    app.given_three_vehicles().await;
    let operation = Own::build(OwnVariables {
        id: None,
        count: Some(1),
    });
    let error = client(&app).query(operation).await.unwrap_err();
    let refused = error.refused().expect("there is nothing to look up");
    assert_eq!(refused.violations().next().unwrap().argument, "id");
    let data = refused.data::<Own>().expect("the list is answered");
    let data = data.expect("it fits the fragment");
    assert_eq!(data.vehicles.expect("there is a list").len(), 1);
    assert!(data.vehicle.is_none());
}

#[derive(cynic::QueryVariables)]
#[cynic(schema_module = "vehicle_catalogue_client::schema")]
struct ModelCode {
    model_code: String,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(
    graphql_type = "Mutation",
    variables = "ModelCode",
    schema_path = "schema.graphql",
    schema_module = "vehicle_catalogue_client::schema"
)]
struct CreateSuv {
    #[arguments(type: "SUV", modelCode: $model_code)]
    create_vehicle: Option<OnlyId>,
}

async fn mutations_of_the_caller_go_the_same_way(app: TestApp) {
    let client = client(&app);
    let operation = CreateSuv::build(ModelCode {
        model_code: "XC90".to_owned(),
    });
    let answer = client.mutation(operation).await.unwrap();
    let id = answer.data.create_vehicle.expect("it was created").id;
    let stored = client.vehicle(id).await.unwrap().expect("it was stored");
    assert_eq!(stored.model_code.as_deref(), Some("XC90"));
    assert_eq!(stored.r#type.as_deref(), Some("SUV"));
}

async fn the_operations_of_the_manifest_are_all_that_is_needed(app: TestApp) {
    let own = || {
        Own::build(OwnVariables {
            id: Some(Id::new("1")),
            count: Some(1),
        })
    };
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("manifest.json");
    let flag = format!("--trusted-documents={}", file.display());
    let flags = [flag.as_str(), "--trusted-documents-mode=enforce"];
    std::fs::write(&file, Manifest::of_client().to_json()).expect("it can be written");
    let app = app.restart_with(&flags).await;
    let asking = client(&app);
    asking.create_vehicle(volvo()).await.unwrap();
    assert!(asking.vehicle("1").await.unwrap().is_some());
    assert_eq!(asking.vehicles(None).await.unwrap().vehicles.len(), 1);
    let error = asking.query(own()).await.unwrap_err();
    let refused = error.refused().expect("the operator has not allowed it");
    assert_eq!(refused.code(), &Code::BadRequest, "{error}");

    let manifest = Manifest::of_client().query(&own());
    std::fs::write(&file, manifest.to_json()).expect("it can be written");
    let app = app.restart_with(&flags).await;
    client(&app).query(own()).await.unwrap();
}

async fn a_certificate_is_trusted_when_it_is_named(app: TestApp) {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("certificate.pem"), cert.pem()).unwrap();
    std::fs::write(path("key.pem"), signing_key.serialize_pem()).unwrap();
    let flags = [
        format!("--tls-certificate-file={}", path("certificate.pem")),
        format!("--tls-key-file={}", path("key.pem")),
    ];
    let app = app
        .restart_with(&flags.each_ref().map(String::as_str))
        .await;
    let url = app.address("/graphql");
    let url = url.replace("http://127.0.0.1", "https://localhost");
    let trusting = CatalogueClient::builder(&url).root_certificates_pem(cert.pem());
    let trusting = trusting.build().expect("the certificate is one");
    assert_eq!(trusting.vehicles(None).await.unwrap().vehicles, []);

    let CertifiedKey { cert: other, .. } =
        generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let doubting = CatalogueClient::builder(&url).root_certificates_pem(other.pem());
    let doubting = doubting.retries(Retries::none()).build();
    let error = doubting.unwrap().create_vehicle(volvo()).await.unwrap_err();
    assert!(matches!(error, Error::Transport(_)), "{error}");
    assert_eq!(error.effect(), Effect::Nothing);
}

/// By its text, by introspection, and by nothing but its hash.
async fn the_contract_is_kept_however_it_is_told(mut app: TestApp) {
    for flags in [
        ["--schema-document=on", "--introspection=off"],
        ["--schema-document=off", "--introspection=on"],
        ["--schema-document=off", "--introspection=off"],
    ] {
        app = app.restart_with(&flags).await;
        let changes = client(&app).verify_contract().await;
        assert_eq!(changes.expect("the contract is told"), [], "{flags:?}");
    }
}
