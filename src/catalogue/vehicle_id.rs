//! The number that the database gives a vehicle.

use std::fmt;

/// The identity of a vehicle: made by the database, from 1 to 9223372036854775807, never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VehicleId(i64);

impl VehicleId {
    /// Takes only the canonical form: decimal, no sign, no leading zero, no white space.
    /// Any other text is the id of no vehicle.
    pub fn parse(text: &str) -> Option<Self> {
        let canonical = !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
        // What remains wrong is the empty text and a number that is too large.
        if canonical {
            text.parse().ok().map(Self)
        } else {
            None
        }
    }

    /// The identity behind a key that the database made.
    pub fn from_key(key: i64) -> Self {
        Self(key)
    }

    /// The database key.
    pub fn get(self) -> i64 {
        self.0
    }
}

/// The canonical form, which `parse` takes.
impl fmt::Display for VehicleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_positive_number_in_canonical_form_is_an_id() {
        for (text, key) in [("1", 1), ("42", 42), ("9223372036854775807", i64::MAX)] {
            assert_eq!(VehicleId::parse(text).map(VehicleId::get), Some(key));
        }
    }

    #[test]
    fn any_other_text_is_the_id_of_no_vehicle() {
        for text in [
            "",
            "0",
            "01",
            "-1",
            "+1",
            " 1",
            "1 ",
            "1.0",
            "1e3",
            "0x1",
            "1_000",
            "one",
            "١",
            "1\0",
            "9223372036854775808",
            "99999999999999999999999999",
        ] {
            assert_eq!(VehicleId::parse(text), None, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn agrees_with_writing_the_number_back(text in "[+ -]?0{0,2}[0-9]{0,21}|\\PC{0,6}") {
            let second_opinion = text
                .parse::<i64>()
                .ok()
                .filter(|number| *number > 0 && number.to_string() == text);
            prop_assert_eq!(VehicleId::parse(&text).map(VehicleId::get), second_opinion);
        }

        #[test]
        fn every_key_survives_the_way_out_and_in(key in 1..=i64::MAX) {
            let id = VehicleId::from_key(key);
            prop_assert_eq!(VehicleId::parse(&id.to_string()), Some(id));
        }
    }
}
