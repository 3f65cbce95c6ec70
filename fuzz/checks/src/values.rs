//! The values of the catalogue, parsed by a second implementation of their rules.

use vehicle_catalogue::catalogue::{
    Checked, MutationCreateVehicleArguments, QueryVehiclesArguments, date_text, parse_count, parse_launch_date,
    vehicle::parse_id,
};

pub(super) fn check(text: &str) {
    date(text);
    id(text);
    counts(text);
    texts(text);
}

fn date(text: &str) {
    let parsed = parse_launch_date(text);
    assert_eq!(parsed.is_ok(), is_date(text), "{text:?} as a date");
    if let Ok(date) = parsed {
        assert_eq!(date_text(date), text, "a date is formatted as it was parsed");
    }
}

/// Whether the text is a calendar date from 1000-01-01 to 9999-12-31.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    let digits = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
    if lengths != [4, 2, 2] || !parts.iter().all(digits) {
        return false;
    }
    let numbers: Vec<u32> = parts.iter().filter_map(|part| part.parse().ok()).collect();
    let (year, month, day) = (numbers[0], numbers[1], numbers[2]);
    let leap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0;
    let last = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    };
    year >= 1000 && day >= 1 && day <= last
}

fn id(text: &str) {
    // 128 bits can represent numbers that exceed 64 bits.
    let number = text.parse::<u128>().ok();
    let id = number.filter(|number| (1..=1 << 63).contains(number) && *number < 1 << 63);
    let id = id.filter(|number| number.to_string() == text);
    let parsed = parse_id(text).map(|id| u128::try_from(id).expect("an id is positive"));
    assert_eq!(parsed, id, "{text:?} as an id");
}

/// The first number of the text as a limit, the second as a count.
fn counts(text: &str) {
    let mut numbers = text.split(|character: char| !matches!(character, '0'..='9' | '-'));
    let mut next = || numbers.next().and_then(|number| number.parse::<i64>().ok());
    let (limit, count) = (next(), next());
    let Some(limit) = limit.and_then(|limit| u32::try_from(limit).ok()) else {
        return;
    };
    let count = count.and_then(|count| i32::try_from(count).ok());
    let right = match count {
        None => Some(None),
        Some(count) if i64::from(count) < 0 || i64::from(count) > i64::from(limit) => None,
        Some(count) => Some(Some(count.unsigned_abs())),
    };
    assert_eq!(parse_count(QueryVehiclesArguments { count }, limit).ok(), right, "{count:?}");
}

fn texts(text: &str) {
    let short = text.chars().nth(255).is_none();
    let storable = short && !text.contains('\0');
    let right = storable && !text.trim().is_empty();
    let owned = || text.to_owned();
    let vehicle = Checked::new_vehicle(MutationCreateVehicleArguments {
        r#type: owned(),
        model_code: "XC60".to_owned(),
        brand_name: Some(owned()),
        launch_date: Some(owned()),
    });
    match vehicle {
        Ok(vehicle) => {
            assert!(right && is_date(text), "{text:?} as three arguments");
            let given: Vec<_> = vehicle.given().map(|(_, text)| text).collect();
            assert_eq!(given, [text, "XC60", text, text], "they are unchanged");
        }
        Err(violations) => {
            let broken = violations.as_slice().iter();
            let mut broken: Vec<_> = broken.map(|broken| &*broken.argument).collect();
            broken.dedup();
            let expected = [
                (!right).then_some("type"),
                (!storable).then_some("brandName"),
                (!is_date(text)).then_some("launchDate"),
            ];
            let expected: Vec<_> = expected.into_iter().flatten().collect();
            assert_eq!(broken, expected, "{text:?} as three arguments");
        }
    }
}
