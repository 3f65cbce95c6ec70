//! How a vehicle of the catalogue answers for the type `Vehicle` of the contract.

use async_graphql::ID;

use super::contract::VehicleResolver;
use crate::catalogue::Vehicle;

impl VehicleResolver for Vehicle {
    fn id(&self) -> ID {
        self.id.into()
    }

    fn r#type(&self) -> Option<String> {
        Some(self.r#type.clone())
    }

    fn model_code(&self) -> Option<String> {
        Some(self.model_code.clone())
    }

    fn brand_name(&self) -> Option<String> {
        self.brand_name.clone()
    }

    fn launch_date(&self) -> Option<String> {
        self.formatted_date()
    }
}
