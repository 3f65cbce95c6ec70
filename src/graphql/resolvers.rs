//! The resolvers of the root types.

use std::sync::Arc;

use async_graphql::{Context, ID};
use engine::ResolverContext as _;
use telemetry::trace;

use super::{
    contract::{
        self, MutationCreateVehiclesArguments, MutationDeleteVehicleArguments, MutationResolver,
        MutationUpdateVehicleArguments, QueryResolver, QueryVehicleArguments,
        QueryVehiclesArguments, QueryVehiclesConnectionArguments, VehicleChanges, VehicleFilter,
        VehicleOrder,
    },
    creation,
    failure::Failure,
    page::VehiclePage,
    vehicle::{CreateVehicleArguments, SharedVehicle},
};
use crate::{
    catalogue::{
        self, ExpectedVersion, FilterArguments, NewVehicle, NewVehicleArguments, PageArguments,
        PageRequest, Vehicle, VehicleId, Violation, Violations, all_of, parse_count,
    },
    store::{Refusal, Store, StoreError},
};

/// Resolves the fields of the root types.
#[derive(Clone)]
pub(super) struct Resolvers {
    pub(super) store: Store,
    pub(super) list_limit: u32,
    pub(super) bulk_limit: u32,
}

impl Resolvers {
    async fn list(&self, limit: u64) -> Result<Arc<[Vehicle]>, StoreError> {
        trace::in_span("Query.vehicles", self.store.list(limit)).await
    }
}

impl QueryResolver for Resolvers {
    type Error = Failure;

    async fn vehicles(
        &self,
        ctx: &Context<'_>,
        QueryVehiclesArguments { count }: QueryVehiclesArguments<Option<i32>>,
    ) -> Result<Option<Vec<Option<SharedVehicle>>>, Failure> {
        let requested = parse_count(count, self.list_limit)?;
        let limit = self.list_limit;
        // Without a count one more than the limit, to detect whether the list is truncated.
        let rows = requested.map_or(u64::from(limit) + 1, u64::from);
        let list = self.list(rows).await?;
        if requested.is_none() && list.len() > limit as usize {
            ctx.report_truncation(limit);
        }
        let length = requested.unwrap_or(limit) as usize;
        let vehicles = Arc::new(list);
        let vehicles = SharedVehicle::first(&vehicles, length);
        Ok(Some(vehicles.map(Some).collect()))
    }

    async fn vehicle(
        &self,
        _: &Context<'_>,
        QueryVehicleArguments { id }: QueryVehicleArguments<Option<ID>>,
    ) -> Result<Option<SharedVehicle>, Failure> {
        let id = id.ok_or_else(|| Violation::required("id"))?;
        match VehicleId::parse(&id) {
            Some(id) => {
                let found = trace::in_span("Query.vehicle", self.store.find(id)).await?;
                Ok(found.map(SharedVehicle::One))
            }
            None => Ok(None),
        }
    }

    async fn vehicles_connection(
        &self,
        _: &Context<'_>,
        QueryVehiclesConnectionArguments {
            filter,
            order_by,
            first,
            after,
        }: QueryVehiclesConnectionArguments<
            Option<VehicleFilter>,
            Option<VehicleOrder>,
            Option<i32>,
            Option<String>,
        >,
    ) -> Result<Option<VehiclePage>, Failure> {
        let arguments = PageArguments {
            filter: filter.map(FilterArguments::from).unwrap_or_default(),
            order: order_by.map(catalogue::VehicleOrder::from),
            first,
            after,
        };
        let request = PageRequest::parse(arguments, self.list_limit)?;
        let vehicles = self.store.page(request.clone());
        let vehicles = trace::in_span("Query.vehiclesConnection", vehicles).await?;
        let vehicles = Arc::new(vehicles);
        Ok(Some(VehiclePage { vehicles, request }))
    }
}

impl MutationResolver for Resolvers {
    type Error = Failure;

    async fn create_vehicle(
        &self,
        ctx: &Context<'_>,
        arguments: CreateVehicleArguments,
    ) -> Result<Option<SharedVehicle>, Failure> {
        let key = ctx.idempotency_key();
        let new_vehicle = NewVehicle::parse(arguments.into())?;
        let created = creation::create(key, "createVehicle", new_vehicle);
        let created = self.store.create(created);
        let created = trace::in_span("Mutation.createVehicle", created).await?;
        Ok(Some(creation::created(key, created)?.into()))
    }

    async fn create_vehicles(
        &self,
        ctx: &Context<'_>,
        MutationCreateVehiclesArguments { vehicles }: MutationCreateVehiclesArguments<
            Vec<contract::NewVehicle>,
        >,
    ) -> Result<Option<Vec<SharedVehicle>>, Failure> {
        let key = ctx.idempotency_key();
        let vehicles = vehicles.into_iter().map(NewVehicleArguments::from);
        let parsed = vehicles.map(NewVehicle::parse).collect();
        let new_vehicles = all_of("vehicles", parsed, self.bulk_limit)?;
        let new = creation::creates(key, "createVehicles", new_vehicles);
        let created = self.store.create_all(new);
        let created = trace::in_span("Mutation.createVehicles", created).await?;
        let created = creation::created(key, created)?;
        Ok(Some(created.into_iter().map(SharedVehicle::from).collect()))
    }

    async fn update_vehicle(
        &self,
        _: &Context<'_>,
        MutationUpdateVehicleArguments {
            id,
            changes,
            expected_version,
        }: MutationUpdateVehicleArguments<ID, VehicleChanges, Option<i32>>,
    ) -> Result<Option<SharedVehicle>, Failure> {
        let (changes, expected) = Violations::both(
            catalogue::VehicleChanges::parse(changes.into()),
            ExpectedVersion::parse(expected_version),
        )?;
        let id = VehicleId::parse(&id).ok_or(Refusal::NotFound)?;
        let updated = self.store.update(id, changes, expected);
        let updated = trace::in_span("Mutation.updateVehicle", updated).await??;
        Ok(Some(updated.into()))
    }

    async fn delete_vehicle(
        &self,
        _: &Context<'_>,
        MutationDeleteVehicleArguments {
            id,
            expected_version,
        }: MutationDeleteVehicleArguments<ID, Option<i32>>,
    ) -> Result<Option<SharedVehicle>, Failure> {
        let expected = ExpectedVersion::parse(expected_version)?;
        let Some(id) = VehicleId::parse(&id) else {
            return Ok(None);
        };
        let deleted = self.store.delete(id, expected);
        let deleted = trace::in_span("Mutation.deleteVehicle", deleted).await??;
        Ok(deleted.map(SharedVehicle::from))
    }
}
