//! The typed client crate against the running service.

use futures_util::TryStreamExt;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use sea_orm::ConnectionTrait;
use vehicle_catalogue_client::{
    Builder, CatalogueClient, Effect, ErrorCode, ErrorKind, ErrorResponse, NewVehicle, PageArguments, PathSegment,
    RetryPolicy, Vehicle, VehicleChanges, VehicleFilter, VehicleOrder, Verified, cynic::Id,
};

use crate::support::{TestApp, http, tests};

tests![
    a_vehicle_is_created_found_and_listed,
    every_invalid_argument_is_a_violation,
    a_truncated_list_is_reported,
    pages_are_read_one_by_one_and_as_a_stream,
    a_server_error_has_a_reference_and_an_unknown_effect,
    a_configured_root_certificate_is_trusted,
    the_contract_is_verified_by_sdl_or_hash,
    a_vehicle_is_changed_and_deleted,
    another_version_than_expected_is_a_conflict_with_both_versions,
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
    NewVehicle::new("SUV", "XC60").brand_name("Volvo").launch_date("2017-03-07")
}

async fn a_vehicle_is_created_found_and_listed(app: TestApp) {
    let client = client(&app);
    let created = client.create_vehicle(volvo()).await.unwrap();
    assert_eq!((&created.id, created.version), (&Id::new("1"), 1));
    let texts = [&created.r#type, &created.model_code, &created.brand_name, &created.launch_date];
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
    let bare = NewVehicle::new("SUV", "XC40").brand_name("");
    let created = client.create_vehicle(bare).await.unwrap();
    assert_eq!((created.brand_name.as_deref(), created.launch_date), (Some(""), None));
}

async fn pages_are_read_one_by_one_and_as_a_stream(app: TestApp) {
    let client = client(&app);
    for model_code in ["XC40", "XC60", "XC90"] {
        let new_vehicle = NewVehicle { model_code: model_code.to_owned(), ..volvo() };
        client.create_vehicle(new_vehicle).await.unwrap();
    }
    client.create_vehicle(NewVehicle::new("Saloon", "S90")).await.unwrap();
    let models = |vehicles: &[Vehicle]| -> Vec<String> {
        vehicles.iter().filter_map(|vehicle| vehicle.model_code.clone()).collect()
    };
    let arguments = PageArguments {
        filter: Some(VehicleFilter { brand_name: Some("Volvo".to_owned()), ..VehicleFilter::default() }),
        order_by: Some(VehicleOrder::LaunchDateDesc),
        first: Some(2),
        after: None,
    };
    let pages = client.vehicles_pages(arguments.clone());
    let pages: Vec<_> = pages.try_collect().await.unwrap();
    let pages: Vec<_> = pages.iter().map(|page| models(&page.vehicles)).collect();
    assert_eq!(pages, [vec!["XC90", "XC60"], vec!["XC40"]]);

    let first = client.vehicles_page(arguments.clone()).await.unwrap();
    let after = PageArguments { after: first.next, ..arguments };
    let last = client.vehicles_page(after).await.unwrap();
    assert_eq!((models(&last.vehicles), last.next), (vec!["XC40".to_owned()], None));

    let wrong = PageArguments { after: Some("2".to_owned()), ..PageArguments::default() };
    let mut pages = std::pin::pin!(client.vehicles_pages(wrong));
    let error = pages.try_next().await.unwrap_err();
    let violations = error.error_response().expect("the service refuses it").violations();
    assert_eq!(violations.map(|violation| &*violation.argument).collect::<Vec<_>>(), ["after"]);
    assert_eq!(pages.try_next().await.unwrap(), None);
}

async fn every_invalid_argument_is_a_violation(app: TestApp) {
    let client = client(&app);
    let wrong = NewVehicle::new(" ", "X".repeat(256)).launch_date("2017-02-29");
    let error = client.create_vehicle(wrong).await.unwrap_err();
    let error_response = error.error_response().expect("the service refuses it");
    assert_eq!(error_response.code(), &ErrorCode::BadUserInput);
    let broken = error_response.violations();
    let broken: Vec<_> = broken.map(|violation| (violation.argument.as_str(), violation.rule.as_str())).collect();
    let expected = [("type", "not_blank"), ("modelCode", "max_length"), ("launchDate", "date_exists")];
    assert_eq!(broken, expected);
    assert_eq!(error.effect, Effect::Nothing);
    assert_eq!(client.vehicles(None).await.unwrap().vehicles, []);

    let error = client.vehicles(-1).await.unwrap_err();
    let error_response = error.error_response().expect("the service refuses it");
    assert_eq!(error_response.violations().next().unwrap().argument, "count");
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
    let dropped = other_connection.execute_unprepared("DROP TABLE vehicle").await;
    dropped.expect("it is a table");
    let client = client(&app);
    for (error, effect) in [
        (client.vehicle("1").await.unwrap_err(), Effect::Nothing),
        (client.create_vehicle(volvo()).await.unwrap_err(), Effect::Unknown),
    ] {
        let error_response = error.error_response().expect("the service answers");
        assert_eq!(error_response.code(), &ErrorCode::InternalServerError, "{error}");
        let reference = error_response.reference().expect("the operator can be asked");
        assert!(error.to_string().contains(reference), "{error}");
        assert_eq!(error.effect, effect, "{error}");
    }
}

async fn a_configured_root_certificate_is_trusted(app: TestApp) {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("certificate.pem"), cert.pem()).unwrap();
    std::fs::write(path("key.pem"), signing_key.serialize_pem()).unwrap();
    let flags =
        [format!("--tls-certificate-file={}", path("certificate.pem")), format!("--tls-key-file={}", path("key.pem"))];
    let app = app.restart_with(&flags.each_ref().map(String::as_str)).await;
    let url = app.url("/graphql");
    let url = url.replace("http://127.0.0.1", "https://localhost");
    let trusting = CatalogueClient::builder(&url).root_certificates_pem(cert.pem());
    let trusting = trusting.build().expect("the certificate is one");
    assert_eq!(trusting.vehicles(None).await.unwrap().vehicles, []);

    let CertifiedKey { cert: other, .. } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let distrusting = CatalogueClient::builder(&url).root_certificates_pem(other.pem());
    let distrusting = distrusting.retry_policy(RetryPolicy::none()).build();
    let error = distrusting.unwrap().create_vehicle(volvo()).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Http(_)), "{error}");
    assert_eq!(error.effect, Effect::Nothing);
}

async fn the_contract_is_verified_by_sdl_or_hash(mut app: TestApp) {
    for flags in [&["--introspection=on"], &["--introspection=off"]] {
        app = app.restart_with(flags).await;
        let verified = client(&app).verify_contract().await.unwrap();
        assert_eq!(verified, Verified::Unchanged, "{flags:?}");
    }
}

async fn a_vehicle_is_changed_and_deleted(app: TestApp) {
    let client = client(&app);
    let created = client.create_vehicle(volvo()).await.unwrap();
    let id = || created.id.clone();
    let changes = VehicleChanges::new().r#type("Car").remove_brand_name();
    let updated = client.update_vehicle(id(), changes.clone(), 1).await.unwrap();
    let expected = Vehicle { r#type: Some("Car".to_owned()), brand_name: None, version: 2, ..created.clone() };
    assert_eq!(updated, expected);
    let repeated = client.update_vehicle(id(), changes, 1).await;
    assert_eq!(repeated.unwrap(), expected, "the same change is no conflict");
    let unchanged = client.update_vehicle(id(), VehicleChanges::new(), None).await;
    assert_eq!(unchanged.unwrap(), expected);
    let deleted = client.delete_vehicle(id(), 2).await.unwrap();
    assert_eq!(deleted, Some(expected));
    assert_eq!(client.delete_vehicle(id(), 2).await.unwrap(), None);
    assert_eq!(client.vehicle(id()).await.unwrap(), None);
    let error = client.update_vehicle(id(), VehicleChanges::new(), None).await;
    let error = error.unwrap_err();
    let code = error.error_response().map(ErrorResponse::code);
    assert_eq!(code, Some(&ErrorCode::NotFound));
    assert_eq!(error.effect, Effect::Nothing);
}

async fn another_version_than_expected_is_a_conflict_with_both_versions(app: TestApp) {
    let client = client(&app);
    let created = client.create_vehicle(volvo()).await.unwrap();
    let changes = VehicleChanges::new().launch_date("2018-02-21");
    let update = client.update_vehicle(created.id.clone(), changes, 3).await;
    let delete = client.delete_vehicle(created.id.clone(), 3).await;
    for error in [update.unwrap_err(), delete.unwrap_err()] {
        let response = error.error_response().expect("the service refuses it");
        assert_eq!(response.code(), &ErrorCode::Conflict);
        let conflict = response.conflict().expect("it has the versions");
        assert_eq!((conflict.expected_version, conflict.current_version), (3, 1));
        assert_eq!(error.effect, Effect::Nothing);
    }
    let changes = VehicleChanges::new().model_code(" ").launch_date("soon");
    let error = client.update_vehicle(created.id.clone(), changes, 0).await.unwrap_err();
    let response = error.error_response().expect("the service refuses it");
    let broken = response.violations().map(|violation| violation.argument.as_str());
    let expected = ["changes.modelCode", "changes.launchDate", "expectedVersion"];
    assert!(broken.eq(expected), "{error}");
    assert_eq!(client.vehicle(created.id.clone()).await.unwrap(), Some(created));
}
