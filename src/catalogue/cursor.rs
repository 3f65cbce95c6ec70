//! Orders of vehicles, and cursors: the position of a vehicle in an order, as an opaque text.
//!
//! A cursor has the values by which vehicles are ordered and does not name a row, so it remains valid when
//! its vehicle is changed or deleted. It is not signed, since it selects nothing that a filter cannot.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{Datelike, NaiveDate};

use super::vehicle::Model;
use crate::contract::VehicleOrder;

/// The first byte of a cursor.
const FORMAT_VERSION: u8 = 1;

/// Represents the absence of a launch date; it is the day before 0001-01-01.
const NO_DATE: i32 = 0;

impl VehicleOrder {
    /// Whether the launch date is compared before the id.
    pub(crate) fn is_by_date(self) -> bool {
        matches!(self, Self::LaunchDateAsc | Self::LaunchDateDesc)
    }

    /// Whether the lowest or earliest is first.
    pub(crate) fn is_ascending(self) -> bool {
        matches!(self, Self::IdAsc | Self::LaunchDateAsc)
    }

    /// The number in cursors, which never changes.
    fn number(self) -> u8 {
        match self {
            Self::IdAsc => 0,
            Self::IdDesc => 1,
            Self::LaunchDateAsc => 2,
            Self::LaunchDateDesc => 3,
        }
    }
}

/// A position in an order: that of a vehicle, or of one that no longer exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The launch date. Always `None` in an order by id.
    pub launch_date: Option<NaiveDate>,
    /// The id.
    pub id: i64,
}

impl Position {
    /// The position of a vehicle.
    pub fn of(vehicle: &Model, order: VehicleOrder) -> Self {
        Self { launch_date: vehicle.launch_date.filter(|_| order.is_by_date()), id: vehicle.id }
    }

    /// The cursor: base64url of the format version, the order, the values by which it orders, and a checksum.
    pub fn cursor(self, order: VehicleOrder) -> String {
        let mut bytes = Vec::with_capacity(18);
        bytes.extend([FORMAT_VERSION, order.number()]);
        bytes.extend(self.id.to_be_bytes());
        if order.is_by_date() {
            let days = self.launch_date.map(|date| date.num_days_from_ce());
            bytes.extend(days.unwrap_or(NO_DATE).to_be_bytes());
        }
        bytes.extend(checksum(&bytes).to_be_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The position of a cursor of this order and format version, or `None` for any other text.
    pub fn parse(cursor: &str, order: VehicleOrder) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
        let (id, rest) = bytes.get(2..)?.split_first_chunk()?;
        let id = i64::from_be_bytes(*id);
        let days = i32::from_be_bytes(*rest.first_chunk()?);
        let launch_date = match days {
            days if order.is_by_date() && days != NO_DATE => {
                let date = NaiveDate::from_num_days_from_ce_opt(days)?;
                // Every database can represent these.
                Some(date).filter(|date| (1..=9999).contains(&date.year()))
            }
            _ => None,
        };
        let position = Self { launch_date, id };
        // No other text has its format version, order, length and checksum.
        (id > 0 && position.cursor(order) == cursor).then_some(position)
    }
}

/// FNV-1a: it detects every change of one character, which changes at most two bytes.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use proptest::{bool::weighted, prelude::*, sample::select};

    use super::*;

    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    fn orders() -> impl Strategy<Value = VehicleOrder> {
        select(vec![
            VehicleOrder::IdAsc,
            VehicleOrder::IdDesc,
            VehicleOrder::LaunchDateAsc,
            VehicleOrder::LaunchDateDesc,
        ])
    }

    /// 9999-12-31.
    const LAST_DAY: i32 = 3_652_059;

    /// The parts of a text that is a cursor, or differs from one in few parts.
    #[derive(Clone, Debug)]
    struct NearCursor {
        version: u8,
        order: VehicleOrder,
        id: i64,
        days: Option<i32>,
        added: Option<u8>,
        changed_sum: u32,
    }

    prop_compose! {
        fn near_cursors()(order in orders(), has_days_of_order in weighted(0.9))(
            version in prop_oneof![9 => Just(FORMAT_VERSION), 1 => any::<u8>()],
            order in Just(order),
            id in prop_oneof![6 => 1..=i64::MAX, 2 => -2..=2_i64, 1 => select(vec![i64::MIN, i64::MAX])],
            days in match (order.is_by_date(), has_days_of_order) {
                (false, true) | (true, false) => Just(None).boxed(),
                (false, false) | (true, true) => days().prop_map(Some).boxed(),
            },
            added in prop_oneof![9 => Just(None), 1 => any::<u8>().prop_map(Some)],
            changed_sum in prop_oneof![9 => Just(0), 1 => any::<u32>()],
        ) -> NearCursor {
            NearCursor { version, order, id, days, added, changed_sum }
        }
    }

    fn days() -> impl Strategy<Value = i32> {
        let near = |day: i32| (day - 2)..=(day + 2);
        prop_oneof![
            6 => NO_DATE..=LAST_DAY,
            2 => near(NO_DATE),
            2 => near(LAST_DAY),
            1 => select(vec![i32::MIN, i32::MAX]),
        ]
    }

    fn positions() -> impl Strategy<Value = Position> {
        let dates = proptest::option::of(1..=LAST_DAY);
        (1..=i64::MAX, dates)
            .prop_map(|(id, days)| Position { launch_date: days.and_then(NaiveDate::from_num_days_from_ce_opt), id })
    }

    /// The position as this order sees it.
    fn in_order(position: Position, order: VehicleOrder) -> Position {
        Position { launch_date: position.launch_date.filter(|_| order.is_by_date()), ..position }
    }

    #[test]
    fn a_cursor_is_short_and_stable() {
        let position = Position { launch_date: NaiveDate::from_ymd_opt(2024, 2, 29), id: 7 };
        let cursor = position.cursor(VehicleOrder::LaunchDateAsc);
        assert_eq!(cursor, "AQIAAAAAAAAABwALRoG9VXUb");
        assert_eq!(position.cursor(VehicleOrder::IdAsc), "AQAAAAAAAAAAB-bD5FE");
    }

    #[test]
    fn a_cursor_with_another_version_or_impossible_values_is_refused() {
        let cursor = |start: &[u8], id: i64, days: &[u8]| {
            let mut bytes = start.to_vec();
            bytes.extend(id.to_be_bytes());
            bytes.extend(days);
            bytes.extend(checksum(&bytes).to_be_bytes());
            URL_SAFE_NO_PAD.encode(bytes)
        };
        let (by_id, by_date) = (VehicleOrder::IdAsc, VehicleOrder::LaunchDateAsc);
        let start = |order: VehicleOrder| [FORMAT_VERSION, order.number()];
        let first_day = 1_i32.to_be_bytes();
        assert!(Position::parse(&cursor(&start(by_id), 1, &[]), by_id).is_some());
        assert!(Position::parse(&cursor(&start(by_date), 1, &first_day), by_date).is_some());
        assert!(Position::parse(&cursor(&start(by_date), 1, &LAST_DAY.to_be_bytes()), by_date).is_some());
        for (cursor, order) in [
            (cursor(&[0, by_id.number()], 1, &[]), by_id),
            (cursor(&[2, by_id.number()], 1, &[]), by_id),
            (cursor(&start(by_id), 0, &[]), by_id),
            (cursor(&start(by_id), -1, &[]), by_id),
            (cursor(&start(by_date), 1, &(-1_i32).to_be_bytes()), by_date),
            (cursor(&start(by_date), 1, &i32::MAX.to_be_bytes()), by_date),
            (cursor(&start(by_date), 1, &i32::MIN.to_be_bytes()), by_date),
            (cursor(&start(by_date), 1, &(LAST_DAY + 1).to_be_bytes()), by_date),
            (cursor(&start(by_date), 1, &[]), by_date),
            (cursor(&start(by_id), 1, &first_day), by_id),
            (String::new(), by_id),
            ("A".to_owned(), by_id),
            ("AQAA".to_owned(), by_id),
        ] {
            assert_eq!(Position::parse(&cursor, order), None, "{cursor}");
        }
    }

    proptest! {
        #[test]
        fn a_position_survives_its_cursor(position in positions(), order in orders()) {
            let parsed = Position::parse(&position.cursor(order), order);
            prop_assert_eq!(parsed, Some(in_order(position, order)));
        }

        #[test]
        fn a_cursor_of_another_order_is_refused(
            position in positions(), order in orders(), other in orders(),
        ) {
            prop_assume!(order != other);
            prop_assert_eq!(Position::parse(&position.cursor(order), other), None);
        }

        #[test]
        fn a_cursor_with_another_character_is_refused(
            position in positions(), order in orders(), index: prop::sample::Index,
            character in 0..64_usize,
        ) {
            let mut cursor = position.cursor(order).into_bytes();
            let index = index.index(cursor.len());
            prop_assume!(cursor[index] != ALPHABET[character]);
            cursor[index] = ALPHABET[character];
            let cursor = String::from_utf8(cursor).expect("it is ASCII");
            prop_assert_eq!(Position::parse(&cursor, order), None);
        }

        #[test]
        fn a_shortened_or_lengthened_cursor_is_refused(
            position in positions(), order in orders(), index: prop::sample::Index,
            added in "[A-Za-z0-9_=-]{1,8}",
        ) {
            let cursor = position.cursor(order);
            let shortened = &cursor[..index.index(cursor.len())];
            prop_assert_eq!(Position::parse(shortened, order), None);
            prop_assert_eq!(Position::parse(&format!("{cursor}{added}"), order), None);
            prop_assert_eq!(Position::parse(&format!("{added}{cursor}"), order), None);
        }

        #[test]
        fn a_text_is_a_cursor_only_if_it_is_written_like_one(
            written in near_cursors(), other in orders(), same_order in weighted(0.8),
        ) {
            let NearCursor { version, order, id, days, added, changed_sum } = written;
            let mut bytes = vec![version, order.number()];
            bytes.extend(id.to_be_bytes());
            bytes.extend(days.iter().flat_map(|days| days.to_be_bytes()));
            bytes.extend(added);
            bytes.extend((checksum(&bytes) ^ changed_sum).to_be_bytes());
            let text = URL_SAFE_NO_PAD.encode(bytes);
            let parsed_as = if same_order { order } else { other };
            let has_values = if order.is_by_date() {
                days.is_some_and(|days| (NO_DATE..=LAST_DAY).contains(&days))
            } else {
                days.is_none()
            };
            let is_cursor = version == FORMAT_VERSION && order == parsed_as && id > 0 && has_values
                && added.is_none() && changed_sum == 0;
            let parsed = Position::parse(&text, parsed_as);
            prop_assert_eq!(parsed.map(|position| position.cursor(parsed_as)), is_cursor.then_some(text));
        }
    }
}
