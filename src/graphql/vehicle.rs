//! Implements the type `Vehicle` of the contract for vehicles of the catalogue.

use std::{borrow::Cow, sync::Arc};

use async_graphql::ID;

use super::contract::VehicleResolver;
use crate::catalogue::Vehicle;

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
        self.0.id.into()
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
