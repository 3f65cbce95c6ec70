//! The methods of the client: one for each operation of the contract, and those for operations of your own.

use std::hash::{BuildHasher, RandomState};

use cynic::{
    Operation, QueryFragment,
    schema::{MutationRoot, QueryRoot},
};
use futures_util::{Stream, stream};
use serde::{Serialize, de::DeserializeOwned};
use tracing::{Instrument, debug_span};

use crate::{
    error::{Effect, Error, ErrorKind},
    operations::{self, NewVehicle, PageArguments, Vehicle, VehicleChanges, VehicleConnection},
    response::{self, Response, TruncatedList},
    transport::{CatalogueClient, HttpResponse, OperationType},
};

/// A list of vehicles.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Vehicles {
    /// In ascending order of their ids.
    pub vehicles: Vec<Vehicle>,
    /// Set if the list was cut at the list limit of the server.
    pub truncated: Option<TruncatedList>,
}

/// A page of vehicles.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    /// The vehicles in order.
    pub vehicles: Vec<Vehicle>,
    /// The next page starts after this cursor. `None` on the last page.
    pub next: Option<String>,
}

impl CatalogueClient {
    /// Creates a vehicle and returns it as stored, or as it is now if the response to an earlier attempt was lost: the
    /// mutation has a new idempotency key and is retried according to the [`RetryPolicy`](crate::RetryPolicy). If no
    /// attempt got a response, [`Error::effect`] is [`Effect::Unknown`].
    pub async fn create_vehicle(&self, new_vehicle: NewVehicle) -> Result<Vehicle, Error> {
        let operation = operations::create_vehicle(new_vehicle);
        let response = self.mutation_with_key(operation, &new_key()).await?;
        response.data.create_vehicle.ok_or_else(|| null("createVehicle", Effect::Unknown))
    }

    /// Creates all vehicles or none, and returns them as stored, in the same order. A server accepts up to its bulk
    /// limit at once, by default 100. Retried as [`create_vehicle`](Self::create_vehicle).
    pub async fn create_vehicles(&self, vehicles: impl IntoIterator<Item = NewVehicle>) -> Result<Vec<Vehicle>, Error> {
        let operation = operations::create_vehicles(vehicles.into_iter().collect());
        let response = self.mutation_with_key(operation, &new_key()).await?;
        response.data.create_vehicles.ok_or_else(|| null("createVehicles", Effect::Unknown))
    }

    /// Changes a vehicle and returns it as stored. The mutation is never retried; sending it again with the
    /// same expected version is safe, because it succeeds if the vehicle already has the new values.
    ///
    /// [`ErrorResponse::conflict`](crate::ErrorResponse::conflict) is set if the vehicle has another version than the
    /// expected one.
    pub async fn update_vehicle(
        &self,
        id: impl Into<cynic::Id>,
        changes: VehicleChanges,
        expected_version: impl Into<Option<i32>>,
    ) -> Result<Vehicle, Error> {
        let operation = operations::update_vehicle(id, changes, expected_version.into());
        let vehicle = self.mutation(operation).await?.data.update_vehicle;
        vehicle.ok_or_else(|| null("updateVehicle", Effect::Unknown))
    }

    /// Deletes a vehicle and returns it as it was, if it existed. The mutation is never retried; sending it
    /// again is safe.
    ///
    /// [`ErrorResponse::conflict`](crate::ErrorResponse::conflict) is set if the vehicle has another version than the
    /// expected one.
    pub async fn delete_vehicle(
        &self,
        id: impl Into<cynic::Id>,
        expected_version: impl Into<Option<i32>>,
    ) -> Result<Option<Vehicle>, Error> {
        let operation = operations::delete_vehicle(id, expected_version.into());
        Ok(self.mutation(operation).await?.data.delete_vehicle)
    }

    /// Returns the vehicle with this id, if it exists.
    pub async fn vehicle(&self, id: impl Into<cynic::Id>) -> Result<Option<Vehicle>, Error> {
        Ok(self.query(operations::vehicle(id)).await?.data.vehicle)
    }

    /// Returns the vehicles in ascending order of their ids: at most `count`, by default the list limit of
    /// the server. [`Vehicles::truncated`] is set if that limit cut the list.
    pub async fn vehicles(&self, count: impl Into<Option<i32>>) -> Result<Vehicles, Error> {
        let response = self.query(operations::vehicles(count.into())).await?;
        let vehicles = response.data.vehicles.ok_or_else(|| null("vehicles", Effect::Nothing))?;
        let vehicles: Option<Vec<Vehicle>> = vehicles.into_iter().collect();
        Ok(Vehicles {
            vehicles: vehicles.ok_or_else(|| null("an item of vehicles", Effect::Nothing))?,
            truncated: response.truncated.into_iter().next(),
        })
    }

    /// Returns a page of vehicles.
    pub async fn vehicles_page(&self, arguments: PageArguments) -> Result<Page, Error> {
        let response = self.query(operations::vehicles_page(arguments)).await?;
        let page = response.data.vehicles_connection;
        let VehicleConnection { nodes, page_info } = page.ok_or_else(|| null("vehiclesConnection", Effect::Nothing))?;
        Ok(Page { vehicles: nodes, next: page_info.end_cursor.filter(|_| page_info.has_next_page) })
    }

    /// Returns all pages, the first one with these arguments, and requests each when the stream is polled. The
    /// stream ends after the last page and after an error; another stream can continue after [`Page::next`] of
    /// the last page.
    pub fn vehicles_pages(&self, arguments: PageArguments) -> impl Stream<Item = Result<Page, Error>> + Send + use<> {
        stream::try_unfold((self.clone(), Some(arguments)), |(client, arguments)| async move {
            let Some(mut arguments) = arguments else {
                return Ok(None);
            };
            let page = client.vehicles_page(arguments.clone()).await?;
            arguments.after.clone_from(&page.next);
            let next = page.next.is_some().then_some(arguments);
            Ok(Some((page, (client, next))))
        })
    }

    /// Sends a query of your own, with retries according to the [`RetryPolicy`](crate::RetryPolicy).
    ///
    /// A response with any error is [`ErrorKind::Graphql`], which contains the partial data.
    pub async fn query<F, V>(&self, operation: Operation<F, V>) -> Result<Response<F>, Error>
    where
        F: QueryFragment<SchemaType: QueryRoot> + DeserializeOwned,
        V: Serialize,
    {
        self.run(&operation, OperationType::Query, None).await
    }

    /// Sends a mutation of your own, without retries.
    pub async fn mutation<F, V>(&self, operation: Operation<F, V>) -> Result<Response<F>, Error>
    where
        F: QueryFragment<SchemaType: MutationRoot> + DeserializeOwned,
        V: Serialize,
    {
        self.run(&operation, OperationType::Mutation, None).await
    }

    /// Sends a mutation of your own with an idempotency key, with retries according to the
    /// [`RetryPolicy`](crate::RetryPolicy). The service stores what it creates at most once for each key: 1 to 255
    /// printable ASCII characters without spaces. Other mutations must be safe to repeat.
    pub async fn mutation_with_key<F, V>(&self, operation: Operation<F, V>, key: &str) -> Result<Response<F>, Error>
    where
        F: QueryFragment<SchemaType: MutationRoot> + DeserializeOwned,
        V: Serialize,
    {
        self.run(&operation, OperationType::MutationWithKey, Some(key)).await
    }

    async fn run<F, V>(
        &self,
        operation: &Operation<F, V>,
        operation_type: OperationType,
        key: Option<&str>,
    ) -> Result<Response<F>, Error>
    where
        F: DeserializeOwned,
        V: Serialize,
    {
        let body =
            serde_json::to_vec(operation).map_err(|error| Error::new(ErrorKind::Encode(error), Effect::Nothing))?;
        let name = operation.operation_name.as_deref().unwrap_or_default();
        let request = || {
            let request = self.graphql_request(body.clone());
            match key {
                Some(key) => request.header("idempotency-key", key),
                None => request,
            }
        };
        let parse = |response: HttpResponse| response::parse(&response, operation_type);
        self.send_with_retry(request, operation_type, parse)
            .instrument(debug_span!("vehicle_catalogue", operation = name))
            .await
    }
}

/// A random idempotency key. The keys of the standard library's hasher are random, which suffices for uniqueness.
fn new_key() -> String {
    let bits = || RandomState::new().hash_one(());
    format!("{:016x}{:016x}", bits(), bits())
}

fn null(field: &'static str, effect: Effect) -> Error {
    Error::new(ErrorKind::Null(field), effect)
}
