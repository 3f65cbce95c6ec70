//! The resolvers: one recipe for each field of the root types.

use async_graphql::{Context, ID};

use super::{
    contract::{
        MutationCreateVehicleArguments, MutationResolver, QueryResolver, QueryVehicleArguments,
        QueryVehiclesArguments,
    },
    failure::Failure,
    truncation::Truncations,
};
use crate::{
    catalogue::{Count, ListLimit, NewVehicle, Vehicle, VehicleId, Violation},
    store::Store,
};

/// Answers for the root types of the contract.
#[derive(Clone)]
pub(super) struct Resolvers {
    pub(super) store: Store,
    pub(super) list_limit: ListLimit,
}

impl QueryResolver for Resolvers {
    type Error = Failure;

    async fn vehicles(
        &self,
        ctx: &Context<'_>,
        QueryVehiclesArguments { count }: QueryVehiclesArguments<Option<i32>>,
    ) -> Result<Option<Vec<Option<Vehicle>>>, Failure> {
        let vehicles = match Count::parse(count, self.list_limit)? {
            Count::AtMost(count) => self.store.list(count.into()).await?,
            Count::UpToLimit(limit) => self.list_up_to(ctx, limit).await?,
        };
        Ok(Some(vehicles.into_iter().map(Some).collect()))
    }

    async fn vehicle(
        &self,
        _: &Context<'_>,
        QueryVehicleArguments { id }: QueryVehicleArguments<Option<ID>>,
    ) -> Result<Option<Vehicle>, Failure> {
        let id = id.ok_or_else(|| Violation::required("id"))?;
        match VehicleId::parse(&id) {
            Some(id) => Ok(self.store.find(id).await?),
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
    ) -> Result<Option<Vehicle>, Failure> {
        let new_vehicle = NewVehicle::parse(r#type, model_code, brand_name, launch_date)?;
        Ok(Some(self.store.insert(new_vehicle).await?))
    }
}

impl Resolvers {
    /// One vehicle more than the limit is asked for: only so a full list differs from a cut one.
    async fn list_up_to(
        &self,
        ctx: &Context<'_>,
        limit: ListLimit,
    ) -> Result<Vec<Vehicle>, Failure> {
        let mut vehicles = self.store.list(u64::from(limit.get()) + 1).await?;
        if vehicles.len() > limit.get() as usize {
            vehicles.truncate(limit.get() as usize);
            Truncations::note(ctx, limit.get());
        }
        Ok(vehicles)
    }
}
