//! The resolvers: one recipe for each field of the root types.

use std::sync::Arc;

use async_graphql::{Context, ID};

use super::{
    contract::{
        MutationCreateVehicleArguments, MutationResolver, QueryResolver, QueryVehicleArguments,
        QueryVehiclesArguments,
    },
    failure::Failure,
    truncation::Truncations,
    vehicle::SharedVehicle,
};
use crate::{
    catalogue::{Count, ListLimit, NewVehicle, Vehicle, VehicleId, Violation},
    store::{Store, StoreError},
    trace,
};

/// Answers for the root types of the contract.
#[derive(Clone)]
pub(super) struct Resolvers {
    pub(super) store: Store,
    pub(super) list_limit: ListLimit,
}

impl Resolvers {
    async fn list(&self, limit: u64) -> Result<Arc<[Arc<Vehicle>]>, StoreError> {
        trace::within("Query.vehicles", self.store.list(limit)).await
    }
}

impl QueryResolver for Resolvers {
    type Error = Failure;

    async fn vehicles(
        &self,
        ctx: &Context<'_>,
        QueryVehiclesArguments { count }: QueryVehiclesArguments<Option<i32>>,
    ) -> Result<Option<Vec<Option<SharedVehicle>>>, Failure> {
        let (vehicles, most) = match Count::parse(count, self.list_limit)? {
            Count::AtMost(count) => (self.list(count.into()).await?, count),
            Count::UpToLimit(limit) => {
                // One more than the limit: only so a full list differs from a cut one.
                let vehicles = self.list(u64::from(limit.get()) + 1).await?;
                if vehicles.len() > limit.get() as usize {
                    Truncations::note(ctx, limit.get());
                }
                (vehicles, limit.get())
            }
        };
        let vehicles = vehicles.iter().take(most as usize);
        Ok(Some(
            vehicles.cloned().map(SharedVehicle).map(Some).collect(),
        ))
    }

    async fn vehicle(
        &self,
        _: &Context<'_>,
        QueryVehicleArguments { id }: QueryVehicleArguments<Option<ID>>,
    ) -> Result<Option<SharedVehicle>, Failure> {
        let id = id.ok_or_else(|| Violation::required("id"))?;
        match VehicleId::parse(&id) {
            Some(id) => {
                let found = trace::within("Query.vehicle", self.store.find(id)).await?;
                Ok(found.map(SharedVehicle))
            }
            None => Ok(None),
        }
    }
}

impl MutationResolver for Resolvers {
    type Error = Failure;

    async fn create_vehicle(
        &self,
        _: &Context<'_>,
        MutationCreateVehicleArguments {
            r#type,
            model_code,
            brand_name,
            launch_date,
        }: MutationCreateVehicleArguments<String, String, Option<String>, Option<String>>,
    ) -> Result<Option<SharedVehicle>, Failure> {
        let new_vehicle = NewVehicle::parse(r#type, model_code, brand_name, launch_date)?;
        let stored = self.store.insert(new_vehicle);
        let stored = trace::within("Mutation.createVehicle", stored).await?;
        Ok(Some(stored.into()))
    }
}
