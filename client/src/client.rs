//! The client: one method for each operation of the contract, and two for those of the caller.

use std::time::Duration;

use cynic::{
    Operation, QueryFragment,
    schema::{MutationRoot, QueryRoot},
};
use reqwest::{Client, Url, header::HeaderMap};
use serde::{Serialize, de::DeserializeOwned};
use tracing::{Instrument, debug_span};

use crate::{
    answer::{self, Access, Answer, Truncated},
    builder::Builder,
    error::{Decoding, DecodingCause, Effect, Error},
    exchange::Received,
    operations::{self, NewVehicle, Vehicle},
    retries::Retries,
};

/// A client of the vehicle catalogue service. Cheap to clone; clones share their connections.
#[derive(Clone, Debug)]
pub struct CatalogueClient {
    pub(crate) http_client: Client,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) request_timeout: Duration,
    pub(crate) retries: Retries,
}

/// A list of vehicles.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Vehicles {
    /// In ascending order of their ids.
    pub vehicles: Vec<Vehicle>,
    /// Set if the list ends at the limit of the server although there are more vehicles.
    pub truncated: Option<Truncated>,
}

impl CatalogueClient {
    /// A client of the endpoint at this URL, as the service prints it at its start:
    /// `http://127.0.0.1:8000/graphql`.
    pub fn builder(url: impl Into<String>) -> Builder {
        Builder::new(url)
    }

    /// Has a vehicle created; the answer is the vehicle as it was stored. It is never sent twice: when
    /// the answer is lost, [`Error::effect`] says that it is unknown whether the vehicle was stored.
    pub async fn create_vehicle(&self, new_vehicle: NewVehicle) -> Result<Vehicle, Error> {
        let answer = self
            .mutation(operations::create_vehicle(new_vehicle))
            .await?;
        let vehicle = answer.data.create_vehicle;
        vehicle.ok_or_else(|| null("createVehicle", Effect::Unknown))
    }

    /// The vehicle with this id, if there is one.
    pub async fn vehicle(&self, id: impl Into<cynic::Id>) -> Result<Option<Vehicle>, Error> {
        let answer = self.query(operations::vehicle(id)).await?;
        Ok(answer.data.vehicle)
    }

    /// The vehicles in ascending order of their ids: at most `count`, or as many as the server answers
    /// at once, which [`Vehicles::truncated`] tells if there are more.
    pub async fn vehicles(&self, count: impl Into<Option<i32>>) -> Result<Vehicles, Error> {
        let answer = self.query(operations::vehicles(count.into())).await?;
        let vehicles = answer.data.vehicles;
        let vehicles = vehicles.ok_or_else(|| null("vehicles", Effect::Nothing))?;
        let vehicles: Option<Vec<Vehicle>> = vehicles.into_iter().collect();
        Ok(Vehicles {
            vehicles: vehicles.ok_or_else(|| null("an item of vehicles", Effect::Nothing))?,
            truncated: answer.truncated.into_iter().next(),
        })
    }

    /// Sends a query of your own. It is tried again as the client's [`Retries`] say.
    ///
    /// An answer with any error is [`Error::Refused`], which has the data that was answered beside it.
    pub async fn query<F, V>(&self, operation: Operation<F, V>) -> Result<Answer<F>, Error>
    where
        F: QueryFragment<SchemaType: QueryRoot> + DeserializeOwned,
        V: Serialize,
    {
        self.run(&operation, Access::Read).await
    }

    /// Sends a mutation of your own, once.
    pub async fn mutation<F, V>(&self, operation: Operation<F, V>) -> Result<Answer<F>, Error>
    where
        F: QueryFragment<SchemaType: MutationRoot> + DeserializeOwned,
        V: Serialize,
    {
        self.run(&operation, Access::Write).await
    }

    async fn run<F, V>(
        &self,
        operation: &Operation<F, V>,
        access: Access,
    ) -> Result<Answer<F>, Error>
    where
        F: DeserializeOwned,
        V: Serialize,
    {
        let body = serde_json::to_vec(operation).map_err(Error::Encoding)?;
        let name = operation.operation_name.as_deref().unwrap_or_default();
        let read = |received: Received| answer::read(&received, access);
        self.exchange(|| self.graphql_request(body.clone()), access, read)
            .instrument(debug_span!("vehicle_catalogue", operation = name))
            .await
    }
}

fn null(what: &'static str, effect: Effect) -> Error {
    let cause = DecodingCause::Null(what);
    Error::Decoding(Decoding { effect, cause })
}
