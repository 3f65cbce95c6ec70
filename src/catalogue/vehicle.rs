//! A vehicle as it is stored.

use chrono::{Datelike, NaiveDate};

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
        self.launch_date.map(date_text)
    }
}

/// `YYYY-MM-DD`: a list has a thousand of them, and the general way of formatting takes its time.
fn date_text(date: NaiveDate) -> String {
    let Ok(year @ 0..=9999) = u32::try_from(date.year()) else {
        // None can be stored; what the database holds in spite of that is told as it is.
        return date.to_string();
    };
    let digit = |number: u32| b"0123456789"[(number % 10) as usize];
    let [thousands, hundreds, tens, ones] = [1000, 100, 10, 1].map(|place| digit(year / place));
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
    fn a_launch_date_is_answered_in_the_form_it_was_given() {
        for date in ["1000-01-01", "2024-02-29", "9999-12-31"] {
            assert_eq!(launched(Some(date)).formatted_date().as_deref(), Some(date));
        }
        assert_eq!(launched(None).formatted_date(), None);
    }

    #[test]
    fn every_day_is_written_as_chrono_writes_it() {
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
