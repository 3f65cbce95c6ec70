//! The resolvers of the root types.

use std::sync::Arc;

use async_graphql::{Context, ID};
use async_graphql_strict::ResolverContext;

use super::creation::create;
use super::failure::Failure;
use super::page::Page;
use super::vehicle::Vehicle;
use crate::{
    catalogue::{
        Checked, PageArguments, PageRequest, Rule, Violations, parse_count,
        vehicle::{NewVehicleArguments, parse_id},
    },
    contract::{
        MutationCreateVehiclesArguments, MutationDeleteVehicleArguments, MutationResolver,
        MutationUpdateVehicleArguments, NewVehicle, QueryResolver, QueryVehicleArguments, QueryVehiclesArguments,
        VehicleChanges, support::Unchecked,
    },
    store::{Refusal, Store},
};

/// Resolves the fields of the root types.
#[derive(Clone)]
pub struct Resolvers {
    /// The vehicles.
    pub store: Store,
    /// The maximum length of a list and of a page.
    pub list_limit: u32,
    /// The maximum number of vehicles of a bulk create.
    pub bulk_limit: u32,
}

impl QueryResolver for Resolvers {
    type Error = Failure;

    async fn vehicles(
        &self,
        ctx: &Context<'_>,
        arguments: Unchecked<QueryVehiclesArguments<Option<i32>>>,
    ) -> Result<Option<Vec<Option<Vehicle>>>, Failure> {
        let limit = self.list_limit;
        let requested = parse_count(arguments, limit)?;
        // Without a count one more than the limit, to detect whether the list is truncated.
        let rows = requested.map_or(u64::from(limit) + 1, u64::from);
        let list = self.store.list(rows).await?;
        if requested.is_none() && list.len() > limit as usize {
            ctx.note_truncated(limit);
        }
        let length = requested.unwrap_or(limit) as usize;
        Ok(Some(list.iter().take(length).map(|it| Some(Vehicle(Arc::clone(it)))).collect()))
    }

    async fn vehicle(
        &self,
        _: &Context<'_>,
        arguments: QueryVehicleArguments<Option<ID>>,
    ) -> Result<Option<Vehicle>, Failure> {
        let Some(id) = arguments.id else {
            let mut found = Violations::default();
            found.add("id", Rule::Required, "is required");
            return Err(found.into());
        };
        match parse_id(&id) {
            Some(id) => Ok(self.store.find(id).await?.map(Vehicle)),
            None => Ok(None),
        }
    }

    async fn vehicles_connection(
        &self,
        _: &Context<'_>,
        arguments: Unchecked<PageArguments>,
    ) -> Result<Option<Page>, Failure> {
        let request = PageRequest::parse(arguments, self.list_limit)?;
        let vehicles = self.store.page(request.clone()).await?;
        Ok(Some(Page { vehicles, request }))
    }
}

impl MutationResolver for Resolvers {
    type Error = Failure;

    async fn create_vehicle(
        &self,
        ctx: &Context<'_>,
        arguments: Unchecked<NewVehicleArguments<String>>,
    ) -> Result<Option<Vehicle>, Failure> {
        let new = vec![Checked::new_vehicle(arguments)?];
        let created = create(ctx, &self.store, "createVehicle", new).await?;
        Ok(created.into_iter().next().map(Vehicle::from))
    }

    async fn create_vehicles(
        &self,
        ctx: &Context<'_>,
        arguments: Unchecked<MutationCreateVehiclesArguments<Vec<NewVehicle>>>,
    ) -> Result<Option<Vec<Vehicle>>, Failure> {
        let new = Checked::new_vehicles(arguments, self.bulk_limit)?;
        let created = create(ctx, &self.store, "createVehicles", new).await?;
        Ok(Some(created.into_iter().map(Vehicle::from).collect()))
    }

    async fn update_vehicle(
        &self,
        _: &Context<'_>,
        arguments: Unchecked<MutationUpdateVehicleArguments<ID, VehicleChanges, Option<i32>>>,
    ) -> Result<Option<Vehicle>, Failure> {
        let (id, changes, expected_version) = Checked::changes(arguments)?;
        let id = parse_id(&id).ok_or(Refusal::NotFound)?;
        let updated = self.store.update(id, changes, expected_version);
        Ok(Some(updated.await??.into()))
    }

    async fn delete_vehicle(
        &self,
        _: &Context<'_>,
        arguments: Unchecked<MutationDeleteVehicleArguments<ID, Option<i32>>>,
    ) -> Result<Option<Vehicle>, Failure> {
        let arguments = arguments.check().map_err(Violations::from)?;
        let Some(id) = parse_id(&arguments.id) else {
            return Ok(None);
        };
        let deleted = self.store.delete(id, arguments.expected_version);
        Ok(deleted.await??.map(Vehicle::from))
    }
}
