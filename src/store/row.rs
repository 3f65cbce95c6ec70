//! The mapping between vehicles and rows of the table `vehicle`.

use database::{FromRow, Row, StoredRow};
use sea_orm::{DbErr, NotSet, Set};

use super::entity::vehicle::{ActiveModel, Column, Entity};
use crate::catalogue::{NewVehicle, Vehicle, VehicleId};

impl FromRow for Vehicle {
    fn from_row(row: &Row<'_>) -> Result<Self, DbErr> {
        Ok(Self {
            id: VehicleId::from_key(row.get(Column::Id as usize)?),
            r#type: row.get(Column::Type as usize)?,
            model_code: row.get(Column::ModelCode as usize)?,
            brand_name: row.get(Column::BrandName as usize)?,
            launch_date: row.get(Column::LaunchDate as usize)?,
            version: row.get(Column::Version as usize)?,
        })
    }
}

impl From<Vehicle> for ActiveModel {
    fn from(vehicle: Vehicle) -> Self {
        let Vehicle {
            id,
            r#type,
            model_code,
            brand_name,
            launch_date,
            version,
        } = vehicle;
        Self {
            id: Set(id.get()),
            r#type: Set(r#type),
            model_code: Set(model_code),
            brand_name: Set(brand_name),
            launch_date: Set(launch_date),
            version: Set(version),
        }
    }
}

impl StoredRow for Vehicle {
    type Entity = Entity;
    type New = NewVehicle;

    fn id(&self) -> i64 {
        self.id.get()
    }

    fn active_model(new_vehicle: &NewVehicle) -> ActiveModel {
        ActiveModel {
            id: NotSet,
            ..Self::stored(VehicleId::from_key(0), new_vehicle.clone()).into()
        }
    }

    fn has_content_of(&self, new_vehicle: &NewVehicle) -> bool {
        self.with_content_of(new_vehicle) == *self
    }
}
