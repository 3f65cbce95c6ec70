//! Rows to values of the catalogue.

use super::entity;
use crate::catalogue::{Vehicle, VehicleId};

pub(super) fn vehicle(row: entity::vehicle::Model) -> Vehicle {
    Vehicle {
        id: VehicleId::from_key(row.id),
        r#type: row.r#type,
        model_code: row.model_code,
        brand_name: row.brand_name,
        launch_date: row.launch_date,
    }
}
