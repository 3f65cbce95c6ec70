//! String arguments of a vehicle: length, blank strings, NUL, and byte-for-byte round trips.

use serde_json::{Value, json};

use crate::support::{Response, TestApp, tests};

tests![
    has_at_most_255_characters,
    is_not_blank on Sqlite,
    a_brand_may_be_blank,
    has_no_nul on Sqlite,
    round_trips_byte_for_byte,
    escapes_follow_the_specification on Sqlite,
];

const ARGUMENTS: [&str; 3] = ["type", "modelCode", "brandName"];

/// Of each kind: case, white space, control characters, scripts, forms of normalization, emoji, invisible characters, and
/// what SQL, the escapes of MySQL, JSON, HTML and GraphQL interpret.
const TEXTS: &[&str] = &[
    "Volvo",
    "volvo",
    " Volvo",
    "Volvo ",
    "  XC  60  ",
    "\tVol\r\nvo\r\n",
    "\u{b}\u{c}\u{1b}[31m",
    "\u{1}\u{7f}\u{85}x",
    "Citroën",
    "Citroe\u{308}n",
    "Å Å A\u{30a}",
    "ﬁ fi",
    "Škoda İIıi ẞß",
    "比亚迪 トヨタ ﾄﾖﾀ 현대 \u{1112}\u{1167}\u{11ab}",
    "مرسيدس \u{202e}ovloV\u{202c} \u{200f}סיטרואן\u{200e}",
    "👨‍👩‍👧‍👦🏳️‍🌈🇸🇪👍🏽",
    "\u{feff}Volvo\u{feff}",
    "\u{200b}",
    "\u{2060}\u{ad}",
    "\u{3000}x\u{2003}\u{2028}\u{2029}x",
    "\u{fffd}\u{fffe}\u{ffff}",
    "\u{10ffff}\u{1fffe}\u{e000}",
    "'; DROP TABLE vehicle; --",
    "\" OR \"\" = \"",
    "\\",
    "\\\\'",
    "\\0\\n\\u0000",
    "%_",
    "''",
    "`; SELECT 1; `",
    "$1 ? :id @@version /* */ -- #",
    "<script>&amp;</script>",
    "{ vehicles { id } } \"\"\"",
    "null",
    "true",
    "007",
    "%00%27",
];

async fn has_at_most_255_characters(app: TestApp) {
    for character in ["x", "é", "e\u{301}", "比", "😀", "\u{10ffff}"] {
        let length = character.chars().count();
        let padding = "x".repeat(255 % length);
        let longest = format!("{}{padding}", character.repeat(255 / length));
        let one_more = format!("{longest}{}", character.chars().next().unwrap());
        for argument in ARGUMENTS {
            let response = create_with(&app, argument, &longest).await;
            let created = response.data()["createVehicle"].take();
            assert_eq!(created[argument], longest, "{argument} of 255 {character}");
            let found = app.vehicle(created["id"].clone()).await.data();
            assert_eq!(found["vehicle"], created, "{argument} of 255 {character}");

            let response = create_with(&app, argument, &one_more).await;
            response.assert_violations(&[(argument, "max_length")]);
        }
    }
    assert_eq!(app.stored_vehicles().await, 18, "none of the longer ones");
}

/// Every character with the Unicode property `White_Space`.
const WHITE_SPACE: &str = "\t\n\u{b}\u{c}\r \u{85}\u{a0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\
     \u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}";

fn blanks() -> Vec<String> {
    let mut blanks = vec![String::new(), "   ".to_owned(), WHITE_SPACE.to_owned()];
    blanks.push(" ".repeat(255));
    blanks.extend(WHITE_SPACE.chars().map(String::from));
    blanks
}

async fn is_not_blank(app: TestApp) {
    for blank in blanks() {
        for argument in ["type", "modelCode"] {
            let response = create_with(&app, argument, &blank).await;
            response.assert_violations(&[(argument, "not_blank")]);
        }
    }
    assert_eq!(app.stored_vehicles().await, 0, "nothing was stored");
}

async fn a_brand_may_be_blank(app: TestApp) {
    for blank in ["", "   ", WHITE_SPACE] {
        let response = create_with(&app, "brandName", blank).await;
        let created = response.data()["createVehicle"].take();
        assert_eq!(created["brandName"], blank, "{blank:?}");
        let found = app.vehicle(created["id"].clone()).await.data();
        assert_eq!(found["vehicle"], created, "{blank:?}");
    }
}

async fn has_no_nul(app: TestApp) {
    for text in ["\0", "\0x", "x\0", "x\0y", "x\0\0"] {
        for argument in ARGUMENTS {
            let response = create_with(&app, argument, text).await;
            response.assert_violations(&[(argument, "no_nul")]);
        }
    }
    assert_eq!(app.stored_vehicles().await, 0, "nothing was stored");
}

async fn round_trips_byte_for_byte(app: TestApp) {
    let mut created = Vec::new();
    for text in TEXTS {
        let arguments = json!({ "type": text, "modelCode": text, "brandName": text });
        let response = app.create_vehicle(arguments).await;
        let vehicle = response.data()["createVehicle"].take();
        assert_has_texts(&vehicle, text);
        let found = app.vehicle(vehicle["id"].clone()).await;
        assert_eq!(found.data()["vehicle"], vehicle, "{text:?}");
        created.push(vehicle);
    }
    let listed = app.all_vehicles().await.data()["vehicles"].take();
    assert_eq!(listed, Value::Array(created));
    let stored = app.stored_vehicles().await;
    assert_eq!(usize::try_from(stored).unwrap(), TEXTS.len());
}

fn assert_has_texts(vehicle: &Value, text: &str) {
    for argument in ARGUMENTS {
        let stored = vehicle[argument].as_str().map(str::as_bytes);
        assert_eq!(stored, Some(text.as_bytes()), "{argument} {text:?}");
    }
}

async fn create_with(app: &TestApp, argument: &str, text: &str) -> Response {
    let mut arguments = json!({ "type": "SUV", "modelCode": "XC60", "brandName": "Volvo" });
    arguments[argument] = json!(text);
    app.create_vehicle(arguments).await
}

async fn escapes_follow_the_specification(app: TestApp) {
    for (literal, text) in [
        (r#""\uD83D\uDE00""#, "😀"),
        (r#""\u{1F600}""#, "😀"),
        (r#""\u00e9\u0065\u0301""#, "ée\u{301}"),
        (r#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
        (r#""😀""#, "😀"),
        ("\"\"\"\n    two\n      lines\n  \"\"\"", "two\n  lines"),
    ] {
        let document = format!("mutation {{ createVehicle(type: \"SUV\", modelCode: {literal}) {{ modelCode }} }}");
        let response = app.query(&document, json!({})).await;
        assert_eq!(response.data()["createVehicle"]["modelCode"], text, "{literal}");
    }
    for literal in [r#""\uD83D""#, r#""\uDE00\uD83D""#, r#""\u{110000}""#, r#""\x41""#, r#""\u12""#] {
        let document = format!("mutation {{ createVehicle(type: \"SUV\", modelCode: {literal}) {{ id }} }}");
        let response = app.query(&document, json!({})).await;
        response.assert_not_executed(&["GRAPHQL_PARSE_FAILED"]);
    }
    assert_eq!(app.stored_vehicles().await, 6);
}
