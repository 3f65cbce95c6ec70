//! Operations of a client's own, sent by the typed client.

use vehicle_catalogue_client::{
    ErrorCode, Manifest, Vehicle,
    cynic::{Id, MutationBuilder, QueryBuilder},
};

use crate::{
    client::{client, volvo},
    support::{TestApp, tests},
};

tests![
    custom_queries_are_executed,
    partial_data_beside_an_error_can_be_read,
    custom_mutations_are_executed,
    the_manifest_contains_every_operation_of_the_client,
];

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
#[cynic(graphql_type = "Vehicle", schema_path = "schema.graphql", schema_module = "vehicle_catalogue_client::schema")]
struct VehicleId {
    id: Id,
}

async fn custom_queries_are_executed(app: TestApp) {
    let app = app.restart_with(&["--list-limit=2"]).await;
    app.given_three_vehicles().await;
    let client = client(&app);
    let operation = CustomQuery::build(CustomVariables { id: Some(Id::new("2")), count: None });
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
    let operation = CustomQuery::build(CustomVariables { id: None, count: Some(1) });
    let error = client(&app).query(operation).await.unwrap_err();
    let error_response = error.error_response().expect("there is nothing to look up");
    assert_eq!(error_response.violations().next().unwrap().argument, "id");
    let data = error_response.data::<CustomQuery>().expect("the list is answered");
    let data = data.expect("it fits the fragment");
    assert_eq!(data.vehicles.expect("there is a list").len(), 1);
    assert!(data.vehicle.is_none());
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", schema_path = "schema.graphql", schema_module = "vehicle_catalogue_client::schema")]
struct CreateSuv {
    #[arguments(type: "SUV", modelCode: "XC90")]
    create_vehicle: Option<VehicleId>,
}

async fn custom_mutations_are_executed(app: TestApp) {
    let client = client(&app);
    let operation = CreateSuv::build(());
    let response = client.mutation(operation).await.unwrap();
    let id = response.data.create_vehicle.expect("it was created").id;
    let stored = client.vehicle(id).await.unwrap().expect("it was stored");
    assert_eq!(stored.model_code.as_deref(), Some("XC90"));
    assert_eq!(stored.r#type.as_deref(), Some("SUV"));
}

async fn the_manifest_contains_every_operation_of_the_client(app: TestApp) {
    let custom_query = || CustomQuery::build(CustomVariables { id: Some(Id::new("1")), count: Some(1) });
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
    assert_eq!(trusted_client.vehicles(None).await.unwrap().vehicles.len(), 2);
    let error = trusted_client.query(custom_query()).await.unwrap_err();
    let error_response = error.error_response().expect("the operator has not allowed it");
    assert_eq!(error_response.code(), &ErrorCode::BadRequest, "{error}");

    let manifest = Manifest::with_client_operations().operation(&custom_query());
    std::fs::write(&file, manifest.to_json()).expect("it can be written");
    let app = app.restart_with(&flags).await;
    client(&app).query(custom_query()).await.unwrap();
}
