//! Round trips, and any bytes.

use proptest::prelude::*;

use super::*;
use crate::catalogue::vehicle::Model;
use crate::contract::MutationCreateVehicleArguments;
use crate::transfer::row::cells;
use crate::transfer::{write_header, write_row};

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[^\u{0}]{1,20}",
        "[\",\r\n\\\\ =;'x\u{feff}\u{1f697}\u{2028}]{1,12}",
        Just("\\N".to_owned()),
        Just("NULL".to_owned()),
        Just("=1+1".to_owned()),
    ]
}

prop_compose! {
    fn vehicle()(
        key in 1..=i64::MAX,
        r#type in any_text(),
        model_code in any_text(),
        brand_name in proptest::option::of(prop_oneof![Just(String::new()), any_text()]),
        day in proptest::option::of(0_i32..3_000_000),
        version in 1..=i32::MAX,
    ) -> Option<Model> {
        let launch_date = day.and_then(|day| {
            chrono::NaiveDate::from_ymd_opt(1000, 1, 1)?.checked_add_days(chrono::Days::new(day.unsigned_abs().into()))
        });
        let launch_date = launch_date.map(|date| date.to_string());
        let checked = Checked::new_vehicle(MutationCreateVehicleArguments {
            r#type,
            model_code,
            brand_name,
            launch_date,
        });
        Some(model(&checked.ok()?.with_identity(Some(key), Some(version))))
    }
}

/// The vehicle that is stored.
fn model(vehicle: &Checked) -> Model {
    let row = vehicle.row();
    Model {
        id: *row.id.try_as_ref().unwrap(),
        r#type: super::text(&row.r#type).to_owned(),
        model_code: super::text(&row.model_code).to_owned(),
        brand_name: row.brand_name.try_as_ref().cloned().unwrap(),
        launch_date: row.launch_date.try_as_ref().copied().unwrap(),
        version: *row.version.try_as_ref().unwrap(),
        creation_key: None,
        creation_digest: None,
    }
}

fn written(vehicles: &[Model], format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_header(&mut bytes, format).unwrap();
    for vehicle in vehicles {
        write_row(&mut bytes, format, vehicle).unwrap();
    }
    bytes
}

proptest! {
    #[test]
    fn written_vehicles_are_read_back_unchanged(
        vehicles in proptest::collection::vec(vehicle(), 0..8),
        windows in any::<bool>(),
    ) {
        let vehicles: Vec<_> = vehicles.into_iter().flatten().collect();
        for format in [Format::Csv, Format::Ndjson] {
            let mut bytes = written(&vehicles, format);
            if windows && format == Format::Ndjson {
                bytes = String::from_utf8(bytes).unwrap().replace('\n', "\r\n").into_bytes();
            }
            let read: Vec<_> = read(&bytes, format)
                .into_iter()
                .map(|(_, vehicle)| vehicle.map(|vehicle| model(&vehicle)))
                .collect();
            let expected: Vec<_> = vehicles.iter().cloned().map(Ok).collect();
            prop_assert_eq!(read, expected);
        }
    }

    /// A general CSV reader reads the same fields, apart from the difference of null and empty.
    #[test]
    fn written_csv_is_readable_by_a_general_csv_reader(vehicles in proptest::collection::vec(vehicle(), 0..8)) {
        let vehicles: Vec<_> = vehicles.into_iter().flatten().collect();
        let bytes = written(&vehicles, Format::Csv);
        let mut others = ::csv::Reader::from_reader(bytes.as_slice());
        let read: Vec<Vec<String>> = others
            .records()
            .map(|record| record.unwrap().iter().map(str::to_owned).collect())
            .collect();
        let expected: Vec<Vec<String>> = vehicles
            .iter()
            .map(|vehicle| {
                cells(vehicle).map(|cell| cell.unwrap_or_default().into_owned()).to_vec()
            })
            .collect();
        prop_assert_eq!(read, expected);
    }

    #[test]
    fn the_reader_neither_panics_nor_loops_on_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        for format in [Format::Csv, Format::Ndjson] {
            let with_header = [b"type,modelCode\n".as_slice(), &bytes].concat();
            for file in [&bytes, &with_header] {
                if let Ok(reader) = Reader::open(file.as_slice(), format, b',') {
                    prop_assert!(reader.count() <= file.len());
                }
            }
        }
    }
}
