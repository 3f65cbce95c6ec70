//! Changes and deletions by the typed client crate.

use vehicle_catalogue_client::{Effect, ErrorCode, ErrorResponse, Vehicle, VehicleChanges};

use crate::{
    client::{client, volvo},
    support::{TestApp, tests},
};

tests![a_vehicle_is_changed_and_deleted, another_version_than_expected_is_a_conflict_with_both_versions,];

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
