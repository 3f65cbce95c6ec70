//! The conditions of a page of vehicles.

use chrono::NaiveDate;

use super::launch_date::LaunchDate;
use super::text::{BrandName, ModelCode, VehicleType};
use super::violation::{Rule, Violation, collect};

/// Conditions that a vehicle must all meet, and that a vehicle can meet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Filter {
    /// A text that the vehicle has.
    pub text: Option<TextCondition>,
    /// The earliest launch date.
    pub launched_from: Option<NaiveDate>,
    /// The latest launch date, not before the earliest.
    pub launched_until: Option<NaiveDate>,
}

/// A text that a vehicle has, byte for byte.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TextCondition {
    /// Its type.
    Type(VehicleType),
    /// Its model code.
    ModelCode(ModelCode),
    /// Its brand.
    BrandName(BrandName),
}

/// The conditions of a request, not validated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilterArguments {
    /// `type`.
    pub r#type: Option<String>,
    /// `modelCode`.
    pub model_code: Option<String>,
    /// `brandName`.
    pub brand_name: Option<String>,
    /// `launchedFrom`.
    pub launched_from: Option<String>,
    /// `launchedUntil`.
    pub launched_until: Option<String>,
}

impl FilterArguments {
    /// Whether there is a condition.
    pub(super) fn has_condition(&self) -> bool {
        *self != Self::default()
    }

    /// The filter, or `None` if no vehicle can meet the conditions. Violations are added to `found`.
    pub(super) fn parse(self, found: &mut Vec<Violation>) -> Option<Filter> {
        let texts = [&self.r#type, &self.model_code, &self.brand_name];
        if texts.into_iter().flatten().count() > 1 {
            let message = "filter must have at most one of type, modelCode and brandName";
            let message = message.to_owned();
            found.push(Violation::new("filter", Rule::OneCondition, message));
        }
        let mut date = |argument, text: Option<String>| {
            collect(LaunchDate::parse_argument(argument, &text?), found)
        };
        let launched_from = date("filter.launchedFrom", self.launched_from);
        let launched_until = date("filter.launchedUntil", self.launched_until);
        let range = launched_from.zip(launched_until);
        let is_empty_range = range.is_some_and(|(from, until)| from > until);
        // A text that breaks a rule is not the text of a vehicle.
        let text = if let Some(text) = self.r#type {
            Some(TextCondition::Type(VehicleType::parse(text).ok()?))
        } else if let Some(text) = self.model_code {
            Some(TextCondition::ModelCode(ModelCode::parse(text).ok()?))
        } else if let Some(text) = self.brand_name {
            Some(TextCondition::BrandName(BrandName::parse(text).ok()?))
        } else {
            None
        };
        (!is_empty_range).then_some(Filter {
            text,
            launched_from: launched_from.map(LaunchDate::get),
            launched_until: launched_until.map(LaunchDate::get),
        })
    }
}
