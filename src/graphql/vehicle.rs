//! The types of the contract that have the fields of a vehicle, for vehicles of the catalogue.

use std::{borrow::Cow, fmt::Write as _, ops::Deref, sync::Arc};

use async_graphql::ID;

use super::contract::{self, MutationCreateVehicleArguments, VehicleResolver};
use crate::catalogue::{NewVehicleArguments, Vehicle, VehicleChangesArguments};

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

/// A list that several concurrent responses can share.
pub(super) type SharedList = Arc<[Vehicle]>;

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
    fn id(&self) -> ID {
        self.id.get().into()
    }

    fn r#type(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(&self.r#type))
    }

    fn model_code(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(&self.model_code))
    }

    fn brand_name(&self) -> Option<Cow<'_, str>> {
        self.brand_name.as_deref().map(Cow::Borrowed)
    }

    fn launch_date(&self) -> Option<Cow<'_, str>> {
        self.launch_date.map(|date| {
            let mut text = String::with_capacity("YYYY-MM-DD".len());
            write!(text, "{date}").expect("a text can be written");
            Cow::Owned(text)
        })
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
