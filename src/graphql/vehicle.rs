//! The fields of the type `Vehicle`.

use std::sync::Arc;

use crate::{
    catalogue::{date_text, vehicle::Model},
    contract::{VehicleResolver, support::Text},
};

/// A vehicle that several concurrent responses can share.
#[derive(Clone, Debug)]
pub struct Vehicle(pub Arc<Model>);

impl From<Model> for Vehicle {
    fn from(vehicle: Model) -> Self {
        Self(Arc::new(vehicle))
    }
}

impl VehicleResolver for Vehicle {
    fn id(&self) -> Text<'_> {
        Text::Integer(self.0.id)
    }

    fn r#type(&self) -> Option<Text<'_>> {
        Some(Text::Borrowed(&self.0.r#type))
    }

    fn model_code(&self) -> Option<Text<'_>> {
        Some(Text::Borrowed(&self.0.model_code))
    }

    fn brand_name(&self) -> Option<Text<'_>> {
        self.0.brand_name.as_deref().map(Text::Borrowed)
    }

    fn launch_date(&self) -> Option<Text<'_>> {
        self.0.launch_date.map(|date| date_text(date).into())
    }

    fn version(&self) -> i32 {
        self.0.version
    }
}
