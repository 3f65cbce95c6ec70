//! The fields of the type `Vehicle`.

use std::{ops::Deref, sync::Arc};

use crate::{
    catalogue::{date_text, vehicle::Model},
    contract::{VehicleResolver, support::Text},
    store::Vehicles,
};

/// A vehicle that several concurrent responses can share.
#[derive(Clone, Debug)]
pub enum SharedVehicle {
    /// A vehicle of its own.
    One(Arc<Model>),
    /// The vehicle at this index of a list.
    InList(SharedList, usize),
}

/// A list that several concurrent responses can share. Each has a reference count of its own for its vehicles.
pub(super) type SharedList = Arc<Vehicles>;

impl SharedVehicle {
    /// The first vehicles of a list, at most `max_length`.
    pub(super) fn first(list: &SharedList, max_length: usize) -> impl DoubleEndedIterator<Item = Self> {
        let indices = 0..list.len().min(max_length);
        indices.map(|index| Self::InList(Arc::clone(list), index))
    }
}

impl Deref for SharedVehicle {
    type Target = Model;

    fn deref(&self) -> &Model {
        match self {
            Self::One(vehicle) => vehicle,
            Self::InList(list, index) => &list[*index],
        }
    }
}

impl From<Model> for SharedVehicle {
    fn from(vehicle: Model) -> Self {
        Self::One(Arc::new(vehicle))
    }
}

impl VehicleResolver for SharedVehicle {
    fn id(&self) -> Text<'_> {
        Text::Integer(self.id)
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
