//! The typed client crate against the running service.

use futures_util::TryStreamExt;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use sea_orm::ConnectionTrait;
use vehicle_catalogue_client::{
    Builder, CatalogueClient, Effect, ErrorCode, ErrorKind, Manifest, NewVehicle, PageArguments,
    PathSegment, RetryPolicy, Vehicle, VehicleFilter, VehicleOrder,
    cynic::{Id, MutationBuilder, QueryBuilder},
};

use crate::support::{TestApp, http, tests};

tests![
    a_vehicle_is_created_found_and_listed,
    an_omitted_field_is_none_and_an_empty_string_is_kept,
    an_omitted_argument_equals_null,
    every_invalid_argument_is_a_violation,
    a_truncated_list_is_reported,
    pages_are_read_one_by_one_and_as_a_stream,
    a_server_error_has_a_reference_and_an_unknown_effect,
    custom_queries_are_executed,
    partial_data_beside_an_error_can_be_read,
    custom_mutations_are_executed,
    the_manifest_contains_every_operation_of_the_client,
    a_configured_root_certificate_is_trusted,
    the_contract_is_verified_by_sdl_introspection_or_hash,
];

/// The HTTP client ignores the proxy settings of the environment.
fn builder(app: &TestApp) -> Builder {
    let http_client = http::client().build();
    CatalogueClient::builder(app.url("/graphql"))
        .http_client(http_client.expect("a client needs nothing"))
        .retry_policy(RetryPolicy::none())
}

pub(crate) fn client(app: &TestApp) -> CatalogueClient {
    builder(app).build().expect("the address is one")
}

pub(crate) fn volvo() -> NewVehicle {
    NewVehicle::new("SUV", "XC60")
        .brand_name("Volvo")
        .launch_date("2017-03-07")
}

async fn a_vehicle_is_created_found_and_listed(app: TestApp) {
    let client = client(&app);
    let created = client.create_vehicle(volvo()).await.unwrap();
    assert_eq!((&created.id, created.version), (&Id::new("1"), 1));
    let texts = [
        &created.r#type,
        &created.model_code,
        &created.brand_name,
        &created.launch_date,
    ];
    let expected = ["SUV", "XC60", "Volvo", "2017-03-07"];
    assert_eq!(texts.map(Option::as_deref), expected.map(Some));
    assert_eq!(client.vehicle("1").await.unwrap(), Some(created.clone()));
    for unknown in ["2", "01", "x"] {
        assert_eq!(client.vehicle(unknown).await.unwrap(), None, "{unknown}");
    }
    for count in [None, Some(10)] {
        let list = client.vehicles(count).await.unwrap();
        assert_eq!(list.vehicles, std::slice::from_ref(&created));
        assert_eq!(list.truncated, None);
    }
    assert_eq!(client.vehicles(0).await.unwrap().vehicles, []);
}

async fn an_omitted_field_is_none_and_an_empty_string_is_kept(app: TestApp) {
    let client = client(&app);
    let bare = NewVehicle::new("SUV", "XC40");
    let created = client.create_vehicle(bare.clone()).await.unwrap();
    assert_eq!((created.brand_name, created.launch_date), (None, None));
    let created = client.create_vehicle(bare.brand_name("")).await.unwrap();
    assert_eq!(created.brand_name.as_deref(), Some(""));
}

async fn an_omitted_argument_equals_null(app: TestApp) {
    app.given_three_vehicles().await;
    let client = client(&app);
    let omitted = client.vehicles(None).await.unwrap();
    // Without `skip_serializing_if`, `None` is sent as null.
    let with_null = CustomQuery::build(CustomVariables {
        id: Some(Id::new("3")),
        count: None,
    });
    let with_null = client.query(with_null).await.unwrap();
    assert_eq!(
        with_null.data.vehicles.unwrap().len(),
        omitted.vehicles.len()
    );
}

async fn pages_are_read_one_by_one_and_as_a_stream(app: TestApp) {
    let client = client(&app);
    for model_code in ["XC40", "XC60", "XC90"] {
        let new_vehicle = NewVehicle {
            model_code: model_code.to_owned(),
            ..volvo()
        };
        client.create_vehicle(new_vehicle).await.unwrap();
    }
    client
        .create_vehicle(NewVehicle::new("Saloon", "S90"))
        .await
        .unwrap();
    let models = |vehicles: &[Vehicle]| -> Vec<String> {
        vehicles
            .iter()
            .filter_map(|vehicle| vehicle.model_code.clone())
            .collect()
    };
    let arguments = PageArguments {
        filter: Some(VehicleFilter {
            brand_name: Some("Volvo".to_owned()),
            ..VehicleFilter::default()
        }),
        order_by: Some(VehicleOrder::LaunchDateDesc),
        first: Some(2),
        after: None,
    };
    let pages = client.vehicles_pages(arguments.clone());
    let pages: Vec<_> = pages.try_collect().await.unwrap();
    let pages: Vec<_> = pages.iter().map(|page| models(&page.vehicles)).collect();
    assert_eq!(pages, [vec!["XC90", "XC60"], vec!["XC40"]]);

    let first = client.vehicles_page(arguments.clone()).await.unwrap();
    let after = PageArguments {
        after: first.next,
        ..arguments
    };
    let last = client.vehicles_page(after).await.unwrap();
    assert_eq!(
        (models(&last.vehicles), last.next),
        (vec!["XC40".to_owned()], None)
    );

    let wrong = PageArguments {
        after: Some("2".to_owned()),
        ..PageArguments::default()
    };
    let mut pages = std::pin::pin!(client.vehicles_pages(wrong));
    let error = pages.try_next().await.unwrap_err();
    let violations = error
        .error_response()
        .expect("the service refuses it")
        .violations();
    assert_eq!(
        violations
            .map(|violation| &*violation.argument)
            .collect::<Vec<_>>(),
        ["after"]
    );
    assert_eq!(pages.try_next().await.unwrap(), None);
}

async fn every_invalid_argument_is_a_violation(app: TestApp) {
    let client = client(&app);
    let wrong = NewVehicle::new(" ", "X".repeat(256)).launch_date("2017-02-29");
    let error = client.create_vehicle(wrong).await.unwrap_err();
    let error_response = error.error_response().expect("the service refuses it");
    assert_eq!(error_response.code(), &ErrorCode::BadUserInput);
    let broken = error_response.violations();
    let broken: Vec<_> = broken
        .map(|violation| (violation.argument.as_str(), violation.rule.as_str()))
        .collect();
    let expected = [
        ("type", "not_blank"),
        ("modelCode", "max_length"),
        ("launchDate", "date_exists"),
    ];
    assert_eq!(broken, expected);
    assert_eq!(error.effect, Effect::Nothing);
    assert_eq!(client.vehicles(None).await.unwrap().vehicles, []);

    let error = client.vehicles(-1).await.unwrap_err();
    let error_response = error.error_response().expect("the service refuses it");
    assert_eq!(
        error_response.violations().next().unwrap().argument,
        "count"
    );
    let path = &error_response.errors()[0].path;
    assert_eq!(*path, [PathSegment::Field("vehicles".to_owned())]);
}

async fn a_truncated_list_is_reported(app: TestApp) {
    let app = app.restart_with(&["--list-limit=2"]).await;
    app.given_three_vehicles().await;
    let client = client(&app);
    let list = client.vehicles(None).await.unwrap();
    assert_eq!(list.vehicles.len(), 2);
    let truncated = list.truncated.expect("there is a third");
    assert_eq!((truncated.returned, truncated.limit), (2, 2));
    assert_eq!(client.vehicles(2).await.unwrap().truncated, None);
}

async fn a_server_error_has_a_reference_and_an_unknown_effect(app: TestApp) {
    let other_connection = app.other_connection().await;
    let dropped = other_connection
        .execute_unprepared("DROP TABLE vehicle")
        .await;
    dropped.expect("it is a table");
    let client = client(&app);
    for (error, effect) in [
        (client.vehicle("1").await.unwrap_err(), Effect::Nothing),
        (
            client.create_vehicle(volvo()).await.unwrap_err(),
            Effect::Unknown,
        ),
    ] {
        let error_response = error.error_response().expect("the service answers");
        assert_eq!(
            error_response.code(),
            &ErrorCode::InternalServerError,
            "{error}"
        );
        let reference = error_response
            .reference()
            .expect("the operator can be asked");
        assert!(error.to_string().contains(reference), "{error}");
        assert_eq!(error.effect, effect, "{error}");
    }
}

#[derive(cynic::QueryVariables)]
#[cynic(schema_module = "vehicle_catalogue_client::schema")]
struct CustomVariables {
    id: Option<Id>,
    count: Option<i32>,
}

/// A query with two fields, one of them with a fragment of the caller.
#[derive(cynic::QueryFragment, Debug)]
#[cynic(
    graphql_type = "Query",
    variables = "CustomVariables",
    schema_path = "schema.graphql",
    schema_module = "vehicle_catalogue_client::schema"
)]
struct CustomQuery {
    #[arguments(id: $id)]
    vehicle: Option<Vehicle>,
    #[arguments(count: $count)]
    vehicles: Option<Vec<Option<VehicleId>>>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(
    graphql_type = "Vehicle",
    schema_path = "schema.graphql",
    schema_module = "vehicle_catalogue_client::schema"
)]
struct VehicleId {
    id: Id,
}

async fn custom_queries_are_executed(app: TestApp) {
    let app = app.restart_with(&["--list-limit=2"]).await;
    app.given_three_vehicles().await;
    let client = client(&app);
    let operation = CustomQuery::build(CustomVariables {
        id: Some(Id::new("2")),
        count: None,
    });
    let response = client.query(operation).await.unwrap();
    let found = response.data.vehicle.expect("there is a second");
    assert_eq!(found.model_code.as_deref(), Some("XC60"));
    let list = response.data.vehicles.expect("there is a list");
    let ids: Vec<_> = list.iter().flatten().map(|item| item.id.inner()).collect();
    assert_eq!(ids, ["1", "2"]);
    assert_eq!(response.truncated.len(), 1);
}

async fn partial_data_beside_an_error_can_be_read(app: TestApp) {
    app.given_three_vehicles().await;
    let operation = CustomQuery::build(CustomVariables {
        id: None,
        count: Some(1),
    });
    let error = client(&app).query(operation).await.unwrap_err();
    let error_response = error.error_response().expect("there is nothing to look up");
    assert_eq!(error_response.violations().next().unwrap().argument, "id");
    let data = error_response
        .data::<CustomQuery>()
        .expect("the list is answered");
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
    create_vehicle: Option<VehicleId>,
}

async fn custom_mutations_are_executed(app: TestApp) {
    let client = client(&app);
    let operation = CreateSuv::build(ModelCode {
        model_code: "XC90".to_owned(),
    });
    let response = client.mutation(operation).await.unwrap();
    let id = response.data.create_vehicle.expect("it was created").id;
    let stored = client.vehicle(id).await.unwrap().expect("it was stored");
    assert_eq!(stored.model_code.as_deref(), Some("XC90"));
    assert_eq!(stored.r#type.as_deref(), Some("SUV"));
}

async fn the_manifest_contains_every_operation_of_the_client(app: TestApp) {
    let custom_query = || {
        CustomQuery::build(CustomVariables {
            id: Some(Id::new("1")),
            count: Some(1),
        })
    };
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("manifest.json");
    let flag = format!("--trusted-documents={}", file.display());
    let flags = [flag.as_str(), "--trusted-documents-mode=enforce"];
    std::fs::write(&file, Manifest::with_client_operations().to_json()).expect("it can be written");
    let app = app.restart_with(&flags).await;
    let trusted_client = client(&app);
    trusted_client.create_vehicle(volvo()).await.unwrap();
    trusted_client.create_vehicles([volvo()]).await.unwrap();
    assert!(trusted_client.vehicle("1").await.unwrap().is_some());
    assert_eq!(
        trusted_client.vehicles(None).await.unwrap().vehicles.len(),
        2
    );
    let error = trusted_client.query(custom_query()).await.unwrap_err();
    let error_response = error
        .error_response()
        .expect("the operator has not allowed it");
    assert_eq!(error_response.code(), &ErrorCode::BadRequest, "{error}");

    let manifest = Manifest::with_client_operations().query(&custom_query());
    std::fs::write(&file, manifest.to_json()).expect("it can be written");
    let app = app.restart_with(&flags).await;
    client(&app).query(custom_query()).await.unwrap();
}

async fn a_configured_root_certificate_is_trusted(app: TestApp) {
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
    let url = app.url("/graphql");
    let url = url.replace("http://127.0.0.1", "https://localhost");
    let trusting = CatalogueClient::builder(&url).root_certificates_pem(cert.pem());
    let trusting = trusting.build().expect("the certificate is one");
    assert_eq!(trusting.vehicles(None).await.unwrap().vehicles, []);

    let CertifiedKey { cert: other, .. } =
        generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let distrusting = CatalogueClient::builder(&url).root_certificates_pem(other.pem());
    let distrusting = distrusting.retry_policy(RetryPolicy::none()).build();
    let error = distrusting
        .unwrap()
        .create_vehicle(volvo())
        .await
        .unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Http(_)), "{error}");
    assert_eq!(error.effect, Effect::Nothing);
}

async fn the_contract_is_verified_by_sdl_introspection_or_hash(mut app: TestApp) {
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
