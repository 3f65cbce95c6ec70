//! Values of the catalogue to rows.

use sea_orm::{NotSet, Set};

use super::entity;
use crate::catalogue::{BrandName, LaunchDate, NewVehicle};

pub(super) fn vehicle(new_vehicle: &NewVehicle) -> entity::vehicle::ActiveModel {
    entity::vehicle::ActiveModel {
        id: NotSet,
        r#type: Set(new_vehicle.r#type.as_str().to_owned()),
        model_code: Set(new_vehicle.model_code.as_str().to_owned()),
        brand_name: Set(new_vehicle
            .brand_name
            .as_ref()
            .map(BrandName::as_str)
            .map(str::to_owned)),
        launch_date: Set(new_vehicle.launch_date.map(LaunchDate::get)),
    }
}
