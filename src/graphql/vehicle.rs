//! The types of the contract that have the fields of a vehicle, for vehicles of the catalogue.

use std::{ops::Deref, sync::Arc};

use super::contract::{self, MutationCreateVehicleArguments, VehicleResolver, support::Text};
use crate::catalogue::{NewVehicleArguments, Vehicle, VehicleChangesArguments, date_text};

/// The arguments of `createVehicle`.
pub(super) type CreateVehicleArguments =
    MutationCreateVehicleArguments<String, String, Option<String>, Option<String>>;

/// A vehicle that several concurrent responses can share.
#[derive(Clone, Debug)]
pub enum SharedVehicle {
    /// A vehicle of its own.
    One(Arc<Vehicle>),
    /// The vehicle at this index of a list.
    InList(SharedList, usize),
}

/// A list that several concurrent responses can share. Each has a reference count of its own for its vehicles.
pub(super) type SharedList = Arc<Arc<[Vehicle]>>;

impl SharedVehicle {
    /// The first vehicles of a list, at most `max_length`.
    pub(super) fn first(
        list: &SharedList,
        max_length: usize,
    ) -> impl DoubleEndedIterator<Item = Self> {
        let indices = 0..list.len().min(max_length);
        indices.map(|index| Self::InList(Arc::clone(list), index))
    }
}

impl Deref for SharedVehicle {
    type Target = Vehicle;

    fn deref(&self) -> &Vehicle {
        match self {
            Self::One(vehicle) => vehicle,
            Self::InList(list, index) => &list[*index],
        }
    }
}

impl From<Vehicle> for SharedVehicle {
    fn from(vehicle: Vehicle) -> Self {
        Self::One(Arc::new(vehicle))
    }
}

impl VehicleResolver for SharedVehicle {
    fn id(&self) -> Text<'_> {
        Text::Integer(self.id.get())
    }

    fn r#type(&self) -> Option<Text<'_>> {
        Some(Text::Borrowed(&self.r#type))
    }

    fn model_code(&self) -> Option<Text<'_>> {
        Some(Text::Borrowed(&self.model_code))
    }

    fn brand_name(&self) -> Option<Text<'_>> {
        self.brand_name.as_deref().map(Text::Borrowed)
    }

    fn launch_date(&self) -> Option<Text<'_>> {
        self.launch_date.map(|date| date_text(date).into())
    }

    fn version(&self) -> i32 {
        self.version
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
