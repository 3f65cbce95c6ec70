//! The types of the contract that have the fields of a vehicle, for vehicles of the catalogue.

use std::{borrow::Cow, sync::Arc};

use async_graphql::ID;

use super::contract::{self, MutationCreateVehicleArguments, VehicleResolver};
use crate::catalogue::{NewVehicleArguments, Vehicle, VehicleChangesArguments};

/// The arguments of `createVehicle`.
pub(super) type CreateVehicleArguments =
    MutationCreateVehicleArguments<String, String, Option<String>, Option<String>>;

/// A vehicle that several concurrent responses can share.
#[derive(Clone, Debug)]
pub struct SharedVehicle(pub(super) Arc<Vehicle>);

impl From<Vehicle> for SharedVehicle {
    fn from(vehicle: Vehicle) -> Self {
        Self(Arc::new(vehicle))
    }
}

impl VehicleResolver for SharedVehicle {
    fn id(&self) -> ID {
        ID(self.0.id.get().to_string())
    }

    fn r#type(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(&self.0.r#type))
    }

    fn model_code(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(&self.0.model_code))
    }

    fn brand_name(&self) -> Option<Cow<'_, str>> {
        self.0.brand_name.as_deref().map(Cow::Borrowed)
    }

    fn launch_date(&self) -> Option<Cow<'_, str>> {
        self.0.formatted_date().map(Cow::Owned)
    }

    fn version(&self) -> i32 {
        self.0.version
    }
}

impl From<CreateVehicleArguments> for NewVehicleArguments {
    fn from(arguments: CreateVehicleArguments) -> Self {
        let MutationCreateVehicleArguments {
            r#type,
            model_code,
            brand_name,
            launch_date,
        } = arguments;
        Self {
            r#type: Some(r#type),
            model_code: Some(model_code),
            brand_name,
            launch_date,
        }
    }
}

impl From<contract::NewVehicle> for NewVehicleArguments {
    fn from(new_vehicle: contract::NewVehicle) -> Self {
        let contract::NewVehicle {
            r#type,
            model_code,
            brand_name,
            launch_date,
        } = new_vehicle;
        Self {
            r#type: Some(r#type),
            model_code: Some(model_code),
            brand_name,
            launch_date,
        }
    }
}

impl From<contract::VehicleChanges> for VehicleChangesArguments {
    fn from(changes: contract::VehicleChanges) -> Self {
        let contract::VehicleChanges {
            r#type,
            model_code,
            brand_name,
            launch_date,
        } = changes;
        Self {
            r#type: r#type.into(),
            model_code: model_code.into(),
            brand_name: brand_name.into(),
            launch_date: launch_date.into(),
        }
    }
}
