//! A vehicle as it is stored.

use chrono::NaiveDate;

use super::new_vehicle::NewVehicle;
use super::vehicle_id::VehicleId;

/// A stored vehicle. Its parts are plain values: what the database holds is trusted, not judged again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vehicle {
    /// The number the database gave it.
    pub id: VehicleId,
    /// What kind of vehicle it is.
    pub r#type: String,
    /// The manufacturer's code of the model.
    pub model_code: String,
    /// The brand it is sold under, if any was given.
    pub brand_name: Option<String>,
    /// The day of its launch, if any was given.
    pub launch_date: Option<NaiveDate>,
}

impl Vehicle {
    /// The vehicle that `new_vehicle` became when the database stored it as `id`.
    pub fn stored(id: VehicleId, new_vehicle: NewVehicle) -> Self {
        Self {
            id,
            r#type: new_vehicle.r#type.into(),
            model_code: new_vehicle.model_code.into(),
            brand_name: new_vehicle.brand_name.map(String::from),
            launch_date: new_vehicle.launch_date.map(super::LaunchDate::get),
        }
    }

    /// The day of its launch as text, `YYYY-MM-DD`: computed, not stored.
    pub fn formatted_date(&self) -> Option<String> {
        self.launch_date.map(|date| date.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launched(date: Option<&str>) -> Vehicle {
        let new_vehicle = NewVehicle::parse(
            "SUV".to_owned(),
            "XC60".to_owned(),
            Some("Volvo".to_owned()),
            date.map(str::to_owned),
        )
        .expect("nothing is wrong");
        Vehicle::stored(VehicleId::from_key(7), new_vehicle)
    }

    #[test]
    fn a_launch_date_is_answered_in_the_form_it_was_given() {
        for date in ["1000-01-01", "2024-02-29", "9999-12-31"] {
            assert_eq!(launched(Some(date)).formatted_date().as_deref(), Some(date));
        }
        assert_eq!(launched(None).formatted_date(), None);
    }

    #[test]
    fn a_stored_vehicle_has_the_content_it_was_created_with() {
        let vehicle = launched(None);
        assert_eq!(vehicle.id.get(), 7);
        assert_eq!(
            (vehicle.r#type.as_str(), vehicle.model_code.as_str()),
            ("SUV", "XC60")
        );
        assert_eq!(vehicle.brand_name.as_deref(), Some("Volvo"));
    }
}
