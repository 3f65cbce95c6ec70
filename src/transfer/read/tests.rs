//! What is read from files, sound and broken, and that it is what was written.

use proptest::prelude::*;

use super::*;
use crate::catalogue::{NewVehicle, Vehicle, VehicleId};
use crate::transfer::{MAX_ROW_BYTES, Writer};

fn read(text: impl AsRef<[u8]>, format: Format) -> Vec<Result<Row, (u64, String)>> {
    let reader = Reader::open(text.as_ref(), format, Ids::Keep).expect("the file has a beginning");
    reader
        .map(|read| read.expect("the file can be read"))
        .map(|row| row.map_err(|bad| (bad.line, bad.to_string())))
        .collect()
}

fn refused(text: &str) -> String {
    match Reader::open(text.as_bytes(), Format::Csv, Ids::Keep) {
        Ok(_) => panic!("{text:?} is taken"),
        Err(error) => error.to_string(),
    }
}

/// Lines and model codes of the sound rows, lines and first words of the others.
fn outline(rows: &[Result<Row, (u64, String)>]) -> Vec<(u64, &str)> {
    let mut outline = Vec::new();
    for row in rows {
        outline.push(match row {
            Ok(row) => (row.line, row.vehicle.model_code.as_str()),
            Err((line, reason)) => (*line, reason.as_str()),
        });
    }
    outline
}

#[test]
fn lines_are_counted_through_quoted_line_ends_and_blank_lines() {
    for end in ["\n", "\r\n"] {
        let text = [
            "type,modelCode",
            "SUV,a",
            "SUV,\"b",
            "b\"",
            "",
            "",
            "SUV,c",
            "SUV",
            "SUV,d",
        ];
        let text = text.join(end);
        let rows = read(&text, Format::Csv);
        let b = format!("b{end}b");
        let expected = [
            (2, "a"),
            (3, b.as_str()),
            (7, "c"),
            (8, "the row has 1 fields, but there are 2 columns"),
            (9, "d"),
        ];
        assert_eq!(outline(&rows), expected, "{text:?}");
        let closed = read(format!("{text}{end}"), Format::Csv);
        assert_eq!(outline(&closed), expected, "{text:?}");
    }
}

#[test]
fn columns_stand_in_any_order_and_after_a_byte_order_mark() {
    let rows = read(
        "\u{feff}\"modelCode\",type,id\r\nXC60,SUV,7\r\n",
        Format::Csv,
    );
    let row = rows[0].as_ref().unwrap();
    assert_eq!(row.vehicle.r#type.as_str(), "SUV");
    assert_eq!((row.line, row.id.map(VehicleId::get)), (2, Some(7)));
    let rows = read(
        "\u{feff}{\"type\":\"SUV\",\"modelCode\":\"XC60\"}",
        Format::Ndjson,
    );
    assert!(rows[0].is_ok());
}

#[test]
fn wrong_columns_are_refused_all_at_once_with_the_right_ones() {
    let message = refused("type,Type,type,colour\n");
    for part in [
        "\"Type\" is unknown",
        "type is there twice",
        "\"colour\" is unknown",
        "modelCode is missing",
        "id, brandName and launchDate",
    ] {
        assert!(message.contains(part), "{message}");
    }
    assert!(refused("").contains("is empty"));
    assert!(refused("\n\n").contains("is empty"));
    assert!(refused("type,\"model\"Code").contains("quotation mark"));
}

#[test]
fn a_field_without_a_character_is_null_and_a_quoted_one_the_empty_text() {
    let rows = read(
        "type,modelCode,brandName\nt,m,\nt,m,\"\"\n,m,\n\"\",m,\n",
        Format::Csv,
    );
    let brand = |row: &Result<Row, _>| {
        let brand = row.as_ref().unwrap().vehicle.brand_name.clone();
        brand.map(String::from)
    };
    assert_eq!(brand(&rows[0]), None);
    assert_eq!(brand(&rows[1]).as_deref(), Some(""));
    assert_eq!(
        outline(&rows)[2..],
        [
            (4, "type must be given"),
            (5, "type must not be blank, it is empty"),
        ]
    );
}

#[test]
fn what_is_not_csv_is_a_bad_row_and_the_next_line_is_read() {
    let text = "type,modelCode\nSUV,\"a\"b\nSUV,5\" disc\nSUV,a\rb\nSUV,ok\nSUV,\"open\nSUV,lost\n";
    let rows = read(text, Format::Csv);
    let outline = outline(&rows);
    let lines: Vec<_> = outline.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [2, 3, 4, 5, 6]);
    assert!(outline[0].1.contains("must end with one"), "{outline:?}");
    assert!(outline[1].1.contains("must stand between"), "{outline:?}");
    assert!(outline[2].1.contains("carriage return"), "{outline:?}");
    assert_eq!(outline[3].1, "ok");
    assert!(outline[4].1.contains("not closed"), "{outline:?}");
}

#[test]
fn what_is_not_utf8_is_a_bad_row() {
    let rows = read(b"type,modelCode\nSUV,\xff\nSUV,ok\n", Format::Csv);
    assert_eq!(outline(&rows), [(2, "modelCode must be UTF-8"), (3, "ok")]);
    let rows = read(b"{\"type\":\"\xff\"}\n", Format::Ndjson);
    assert_eq!(
        outline(&rows),
        [(1, "the line must be UTF-8, byte 10 is not")]
    );
}

#[test]
fn a_line_of_json_is_an_object_with_the_fields_of_a_vehicle_and_no_others() {
    let text = concat!(
        "{\"type\":\"SUV\",\"modelCode\":\"a\",\"brandName\":null}\n",
        " \r\n",
        "{\"type\":\"SUV\",\"modelcode\":\"a\"}\n",
        "{\"type\":\"SUV\",\"type\":\"SUV\",\"modelCode\":\"a\"}\n",
        "[null,\"SUV\",\"a\",null,null]\n",
        "{\"type\":\"SUV\",\"modelCode\":1}\n",
        "{\"type\":\"SUV\"}\n",
        "{\"type\":\"SUV\",\"modelCode\":\"\\u0000\"}\n",
        "{\"type\":\"SUV\",\"modelCode\":\"z\"}",
    );
    let rows = read(text, Format::Ndjson);
    let outline = outline(&rows);
    let starts = [
        (1, "a"),
        (
            3,
            "unknown field `modelcode`, expected one of `id`, `type`, `modelCode`",
        ),
        (4, "duplicate field `type`, at byte "),
        (5, "the line must be a JSON object"),
        (
            6,
            "invalid type: integer `1`, expected a string, at byte 27 of the line",
        ),
        (7, "modelCode must be given"),
        (8, "modelCode must not contain the character U+0000"),
        (9, "z"),
    ];
    assert_eq!(outline.len(), starts.len());
    for ((line, text), (expected_line, start)) in outline.iter().zip(starts) {
        assert_eq!(*line, expected_line);
        assert!(
            text.starts_with(start),
            "{text} does not start with {start}"
        );
    }
}

#[test]
fn an_id_in_json_is_a_text_or_a_number() {
    for (id, key) in [
        ("7", Some(7)),
        ("\"7\"", Some(7)),
        ("7.0", None),
        ("\"07\"", None),
        ("-7", None),
        ("[7]", None),
    ] {
        let line = format!("{{\"id\":{id},\"type\":\"SUV\",\"modelCode\":\"a\"}}");
        let rows = read(&line, Format::Ndjson);
        let read = rows[0]
            .as_ref()
            .ok()
            .and_then(|row| row.id)
            .map(VehicleId::get);
        assert_eq!(read, key, "{line}");
    }
}

#[test]
fn a_row_has_a_bound() {
    let bytes = usize::try_from(MAX_ROW_BYTES).unwrap();
    for (start, format) in [
        ("type,modelCode\nSUV,\"", Format::Csv),
        ("", Format::Ndjson),
    ] {
        let text = format!("{start}{}", "x".repeat(bytes + (1 << 16)));
        let mut reader = Reader::open(text.as_bytes(), format, Ids::Keep).unwrap();
        let error = reader.next().unwrap().unwrap_err();
        assert!(
            error.to_string().contains("more than 1048576 bytes"),
            "{error}"
        );
        assert!(reader.next().is_none());
    }
}

#[test]
fn rows_that_are_passed_over_count_as_the_others_do() {
    let text = "type,modelCode\nSUV,\"a\n\"\n\nbroken\nSUV,c\n";
    let mut reader = Reader::open(text.as_bytes(), Format::Csv, Ids::Keep).unwrap();
    assert!(reader.pass_over().unwrap() && reader.pass_over().unwrap());
    assert_eq!(reader.next().unwrap().unwrap().unwrap().line, 6);
    assert!(!reader.pass_over().unwrap());
}

fn text() -> impl Strategy<Value = String> {
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
        r#type in text(),
        model_code in text(),
        brand_name in proptest::option::of(prop_oneof![Just(String::new()), text()]),
        day in proptest::option::of(0_i32..3_000_000),
    ) -> Option<Vehicle> {
        let launch_date = day.and_then(|day| {
            chrono::NaiveDate::from_ymd_opt(1000, 1, 1)?.checked_add_days(chrono::Days::new(day.unsigned_abs().into()))
        });
        let launch_date = launch_date.map(|date| date.to_string());
        let new_vehicle = NewVehicle::parse(r#type, model_code, brand_name, launch_date).ok()?;
        Some(Vehicle::stored(VehicleId::from_key(key), new_vehicle))
    }
}

fn written(vehicles: &[Vehicle], format: Format) -> Vec<u8> {
    let mut writer = Writer::begin(Vec::new(), format).unwrap();
    for vehicle in vehicles {
        writer.write(vehicle).unwrap();
    }
    writer.finish().unwrap()
}

proptest! {
    #[test]
    fn what_is_written_is_read_back_the_same(
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
                .map(|row| row.map(|row| Vehicle::stored(row.id.unwrap(), row.vehicle)))
                .collect();
            let expected: Vec<_> = vehicles.iter().cloned().map(Ok).collect();
            prop_assert_eq!(read, expected);
        }
    }

    /// Another reader of CSV finds the same fields, apart from the difference of null and empty.
    #[test]
    fn what_is_written_is_csv_to_others(vehicles in proptest::collection::vec(vehicle(), 0..8)) {
        let vehicles: Vec<_> = vehicles.into_iter().flatten().collect();
        let bytes = written(&vehicles, Format::Csv);
        let mut others = ::csv::Reader::from_reader(bytes.as_slice());
        let read: Vec<Vec<String>> = others
            .records()
            .map(|record| record.unwrap().iter().map(str::to_owned).collect())
            .collect();
        let expected: Vec<Vec<String>> = vehicles
            .iter()
            .map(|vehicle| vec![
                vehicle.id.to_string(),
                vehicle.r#type.clone(),
                vehicle.model_code.clone(),
                vehicle.brand_name.clone().unwrap_or_default(),
                vehicle.formatted_date().unwrap_or_default(),
            ])
            .collect();
        prop_assert_eq!(read, expected);
    }

    #[test]
    fn no_bytes_make_the_reader_panic_or_run_forever(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        for format in [Format::Csv, Format::Ndjson] {
            let with_header = [b"type,modelCode\n".as_slice(), &bytes].concat();
            for file in [&bytes, &with_header] {
                if let Ok(reader) = Reader::open(file.as_slice(), format, Ids::New) {
                    prop_assert!(reader.count() <= file.len());
                }
            }
        }
    }
}
