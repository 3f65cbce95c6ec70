//! A stored vehicle.

use chrono::{Datelike, NaiveDate};

use super::new_vehicle::NewVehicle;
use super::vehicle_id::VehicleId;

/// A stored vehicle. Its fields are plain values: stored data is not validated again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vehicle {
    /// The id that the database generated.
    pub id: VehicleId,
    /// What kind of vehicle it is.
    pub r#type: String,
    /// The manufacturer's code of the model.
    pub model_code: String,
    /// The brand it is sold under, if any was given.
    pub brand_name: Option<String>,
    /// The day of its launch, if any was given.
    pub launch_date: Option<NaiveDate>,
    /// [`FIRST_VERSION`] after its creation, one more after each change.
    pub version: i32,
}

/// The version of a vehicle that was never changed.
pub const FIRST_VERSION: i32 = 1;

impl Vehicle {
    /// The vehicle of `new_vehicle` after it was stored with this id.
    pub fn stored(id: VehicleId, new_vehicle: NewVehicle) -> Self {
        Self {
            id,
            r#type: new_vehicle.r#type.into(),
            model_code: new_vehicle.model_code.into(),
            brand_name: new_vehicle.brand_name.map(String::from),
            launch_date: new_vehicle.launch_date.map(super::LaunchDate::get),
            version: FIRST_VERSION,
        }
    }

    /// This vehicle with the content of `new_vehicle`.
    #[must_use]
    pub fn with_content_of(&self, new_vehicle: &NewVehicle) -> Self {
        Self {
            version: self.version,
            ..Self::stored(self.id, new_vehicle.clone())
        }
    }

    /// The launch date as `YYYY-MM-DD`: computed, not stored.
    pub fn formatted_date(&self) -> Option<String> {
        self.launch_date.map(date_text)
    }
}

/// Formats `YYYY-MM-DD`: faster than chrono, because a list has a thousand of them.
fn date_text(date: NaiveDate) -> String {
    let Ok(year @ 0..=9999) = u32::try_from(date.year()) else {
        // Such a date cannot be stored by this program; one in the database is displayed unchanged.
        return date.to_string();
    };
    let digit = |number: u32| b"0123456789"[(number % 10) as usize];
    let [thousands, hundreds, tens, ones] = [1000, 100, 10, 1].map(|divisor| digit(year / divisor));
    let [month, day] = [date.month(), date.day()].map(|part| [digit(part / 10), digit(part)]);
    let text = [
        thousands, hundreds, tens, ones, b'-', month[0], month[1], b'-', day[0], day[1],
    ];
    String::from_utf8(text.into()).expect("digits are ASCII")
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
    fn formats_a_launch_date_as_it_was_given() {
        for date in ["1000-01-01", "2024-02-29", "9999-12-31"] {
            assert_eq!(launched(Some(date)).formatted_date().as_deref(), Some(date));
        }
        assert_eq!(launched(None).formatted_date(), None);
    }

    #[test]
    fn formats_every_day_like_chrono() {
        let years = [-1, 0, 1, 9, 99, 999, 1000, 1999, 2000, 2024, 9999, 10_000];
        let first_days = years.map(|year| NaiveDate::from_ymd_opt(year, 1, 1));
        for first_day in first_days.into_iter().flatten() {
            for day in first_day.iter_days().take(366) {
                assert_eq!(date_text(day), day.to_string());
            }
        }
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
