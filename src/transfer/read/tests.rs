//! Reading of valid and invalid files.

mod round_trips;

use super::*;
use crate::catalogue::Checked;
use crate::transfer::{MAX_ROW_BYTES, row::NAMES};

/// The lines of the rows with their vehicles, or their violations in one text.
fn read(text: impl AsRef<[u8]>, format: Format) -> Vec<(u64, Result<Checked, String>)> {
    let reader = Reader::open(text.as_ref(), format, b',').expect("the file has a beginning");
    reader
        .map(|row| row.expect("the file can be read"))
        .map(|row| (row.line, row.vehicle.map_err(|violations| violations.join("; "))))
        .collect()
}

fn open_error(text: &str) -> String {
    match Reader::open(text.as_bytes(), Format::Csv, b',') {
        Ok(_) => panic!("{text:?} is taken"),
        Err(error) => error.to_string(),
    }
}

fn text(value: &sea_orm::ActiveValue<String>) -> &str {
    value.try_as_ref().expect("it is set")
}

/// Lines and model codes of the valid rows, lines and violations of the invalid ones.
fn outline(rows: &[(u64, Result<Checked, String>)]) -> Vec<(u64, &str)> {
    let mut outline = Vec::new();
    for (line, vehicle) in rows {
        outline.push(match vehicle {
            Ok(vehicle) => (*line, text(&vehicle.row().model_code)),
            Err(violations) => (*line, violations.as_str()),
        });
    }
    outline
}

#[test]
fn lines_are_counted_through_quoted_line_ends_and_blank_lines() {
    for end in ["\n", "\r\n"] {
        let text = ["type,modelCode", "SUV,a", "SUV,\"b", "b\"", "", "", "SUV,c", "SUV", "SUV,d"];
        let text = text.join(end);
        let rows = read(&text, Format::Csv);
        let b = format!("b{end}b");
        let expected =
            [(2, "a"), (3, b.as_str()), (7, "c"), (8, "the row has 1 fields, but there are 2 columns"), (9, "d")];
        assert_eq!(outline(&rows), expected, "{text:?}");
        let closed = read(format!("{text}{end}"), Format::Csv);
        assert_eq!(outline(&closed), expected, "{text:?}");
    }
}

#[test]
fn accepts_columns_in_any_order_and_a_byte_order_mark() {
    let rows = read("\u{feff}\"modelCode\",type,id\r\nXC60,SUV,7\r\n", Format::Csv);
    let vehicle = rows[0].1.as_ref().unwrap().row();
    assert_eq!(text(&vehicle.r#type), "SUV");
    assert_eq!((rows[0].0, vehicle.id.try_as_ref()), (2, Some(&7)));
    let rows = read("\u{feff}{\"type\":\"SUV\",\"modelCode\":\"XC60\"}", Format::Ndjson);
    assert!(rows[0].1.is_ok());
}

#[test]
fn rejects_invalid_columns_with_every_problem() {
    let message = open_error("type,Type,type,colour\n");
    for part in [
        "unknown \"Type\", did you mean \"type\"?; duplicate type",
        "unknown \"colour\"",
        "missing modelCode",
        &format!("allowed are {} in any order", NAMES.join(", ")),
    ] {
        assert!(message.contains(part), "{message}");
    }
    assert!(open_error("").contains("is empty"));
    assert!(open_error("\n\n").contains("is empty"));
    assert!(open_error("type,\"model\"Code").contains("quotation mark"));
}

#[test]
fn an_empty_field_is_null_and_a_quoted_one_the_empty_string() {
    let rows = read("type,modelCode,brandName\nt,m,\nt,m,\"\"\n,m,\n\"\",m,\n", Format::Csv);
    let brand = |index: usize| {
        let vehicle = rows[index].1.as_ref().unwrap().row();
        vehicle.brand_name.try_as_ref().cloned().flatten()
    };
    assert_eq!(brand(0), None);
    assert_eq!(brand(1).as_deref(), Some(""));
    assert_eq!(outline(&rows)[2..], [(4, "type is required"), (5, "type must not be blank, it is empty"),]);
}

#[test]
fn the_delimiter_separates_the_columns() {
    let reader = Reader::open(&b"type;modelCode\nSUV;\"a;b\"\n"[..], Format::Csv, b';');
    let row = reader.expect("that is the delimiter").next().unwrap().unwrap();
    assert_eq!(text(&row.vehicle.unwrap().row().model_code), "a;b");
    let message = open_error("type;modelCode\n");
    assert!(message.contains("unknown \"type;modelCode\"") && message.contains("--delimiter"), "{message}");
}

#[test]
fn errors_quote_a_bounded_part_of_the_file_in_one_line() {
    let long = format!("\u{1b}[31m{}\n", "x".repeat(100_000));
    let columns = open_error(&format!("type,\"{long}\"\n"));
    let many = open_error(&format!("type,modelCode{}\n", ",x".repeat(100_000)));
    let key = serde_json::to_string(&long).unwrap();
    let rows = read(format!("{{{key}:1}}"), Format::Ndjson);
    let row = rows[0].1.as_ref().unwrap_err();
    for message in [&columns, &many, row] {
        assert!(message.len() < 500, "{message}");
        assert!(!message.contains(char::is_control), "{message}");
    }
    for message in [&columns, row] {
        assert!(message.contains("\\u{1b}[31mxxx"), "{message}");
        assert!(message.contains("x…"), "{message}");
    }
    assert!(many.contains("and maybe more"), "{many}");
}

#[test]
fn malformed_csv_is_an_invalid_row_and_reading_continues() {
    let text = "type,modelCode\nSUV,\"a\"b\nSUV,5\" disc\nSUV,a\rb\nSUV,ok\nSUV,\"open\nSUV,lost\n";
    let rows = read(text, Format::Csv);
    let outline = outline(&rows);
    let lines: Vec<_> = outline.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [2, 3, 4, 5, 6]);
    assert!(outline[0].1.contains("must end with one"), "{outline:?}");
    assert!(outline[1].1.contains("must be quoted"), "{outline:?}");
    assert!(outline[2].1.contains("carriage return"), "{outline:?}");
    assert_eq!(outline[3].1, "ok");
    assert!(outline[4].1.contains("not closed"), "{outline:?}");
}

#[test]
fn a_malformed_row_ends_at_the_end_of_its_line() {
    let after = "a field that begins with a quotation mark must end with one, \
                 and quotation marks in it must be doubled";
    let plain = "a field that contains a quotation mark must be quoted, \
                 and quotation marks in it must be doubled";
    let text =
        "modelCode,type\n\"\"a,\"\n\"\"\"\",t\na\",\"x\n\u{feff}b,t\r\n\"a\"\"b\"\"\",\"t\"\r\n\"a\"\"b\"\"c,t\n";
    let expected = [
        (2, after),
        (3, "\""),
        (4, plain),
        (5, "\u{feff}b"),
        (6, "a\"b\""),
        (7, "a quotation mark is not closed before the end of the file"),
    ];
    assert_eq!(outline(&read(text, Format::Csv)), expected);
    let rows = read("modelCode,type\n\"a\"b\",t", Format::Csv);
    assert_eq!(outline(&rows), [(2, after)]);
}

#[test]
fn a_row_that_is_not_utf8_is_invalid() {
    let rows = read(b"type,modelCode\nSUV,\xff\nSUV,ok\n", Format::Csv);
    let convert = "(convert the file, for example with iconv -f LATIN1 -t UTF-8)";
    let reason = format!("modelCode must be UTF-8 {convert}");
    assert_eq!(outline(&rows), [(2, reason.as_str()), (3, "ok")]);
    let rows = read(b"{\"type\":\"\xff\"}\n", Format::Ndjson);
    let reason = format!("the line must be UTF-8, byte 10 is not {convert}");
    assert_eq!(outline(&rows), [(1, reason.as_str())]);
}

#[test]
fn a_json_line_is_an_object_with_only_the_fields_of_a_vehicle() {
    let text = concat!(
        "{\"type\":\"SUV\",\"modelCode\":\"a\",\"brandName\":null}\n",
        " \r\n",
        "{\"type\":\"SUV\",\"modelcode\":\"a\"}\n",
        "{\"type\":\"SUV\",\"modelCode\":\"a\"\n",
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
        (3, "unknown \"modelcode\", did you mean \"modelCode\"?"),
        (4, "EOF while parsing an object, at byte 29 of the line"),
        (5, "the line must be a JSON object, not an array (convert the file with jq -c '.[]')"),
        (6, "modelCode must be a string"),
        (7, "modelCode is required"),
        (8, "modelCode must not contain U+0000"),
        (9, "z"),
    ];
    assert_eq!(outline.len(), starts.len());
    for ((line, text), (expected_line, start)) in outline.iter().zip(starts) {
        assert_eq!(*line, expected_line);
        assert!(text.starts_with(start), "{text} does not start with {start}");
    }
}

#[test]
fn an_id_in_json_is_a_string_or_a_number() {
    for (id, key) in [("7", Some(7)), ("\"7\"", Some(7)), ("7.0", None), ("\"07\"", None), ("-7", None), ("[7]", None)]
    {
        let line = format!("{{\"id\":{id},\"type\":\"SUV\",\"modelCode\":\"a\"}}");
        let rows = read(&line, Format::Ndjson);
        let read = rows[0].1.as_ref().ok().and_then(|vehicle| vehicle.row().id.try_as_ref().copied());
        assert_eq!(read, key, "{line}");
    }
}

#[test]
fn what_is_no_integer_in_json_is_reported_with_every_other_problem() {
    let line = "{\"id\":[7],\"type\":\"SUV\",\"version\":1.5}";
    let rows = read(line, Format::Ndjson);
    let reasons = rows[0].1.as_ref().unwrap_err();
    let reasons: Vec<_> = reasons.split("; ").collect();
    assert!(reasons[0].starts_with("id must be an integer from 1 to "));
    let others = ["modelCode is required", "version must be an integer from 1 to 2147483647"];
    assert_eq!(reasons[1..], others);
}

#[test]
fn rejects_a_row_that_is_too_long() {
    let bytes = usize::try_from(MAX_ROW_BYTES).unwrap();
    for (start, format) in [("type,modelCode\nSUV,\"", Format::Csv), ("", Format::Ndjson)] {
        let text = format!("{start}{}", "x".repeat(bytes + (1 << 16)));
        let mut reader = Reader::open(text.as_bytes(), format, b',').unwrap();
        let error = reader.next().unwrap().unwrap_err();
        assert!(error.to_string().contains("more than 1048576 bytes"), "{error}");
        assert!(reader.next().is_none());
    }
}
