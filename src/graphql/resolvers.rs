//! The resolvers: one recipe for each field of the root types.

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
    catalogue::{Count, ListLimit, NewVehicle, VehicleId, Violation},
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
    ) -> Result<Option<Vec<Option<SharedVehicle>>>, Failure> {
        let (vehicles, most) = match Count::parse(count, self.list_limit)? {
            Count::AtMost(count) => (self.store.list(count.into()).await?, count),
            Count::UpToLimit(limit) => {
                // One more than the limit: only so a full list differs from a cut one.
                let vehicles = self.store.list(u64::from(limit.get()) + 1).await?;
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
            Some(id) => Ok(self.store.find(id).await?.map(SharedVehicle::from)),
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
        Ok(Some(self.store.insert(new_vehicle).await?.into()))
    }
}
