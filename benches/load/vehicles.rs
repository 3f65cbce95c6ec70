//! The vehicles that are measured with: every value is a function of the number of its row.

use std::{
    io::{BufWriter, Write},
    path::Path,
    process::{Command, Stdio},
};

use chrono::{Days, NaiveDate};
use serde_json::{Value, json};

use crate::Outcome;

const TYPES: [&str; 7] = [
    "CAR",
    "TRUCK",
    "BUS",
    "MOTORCYCLE",
    "VAN",
    "TRACTOR",
    "TRAILER",
];

/// The vehicle of a row, counted from 1. A tenth has no brand, a thirteenth no launch date.
pub(crate) struct Vehicle {
    id: u64,
    r#type: &'static str,
    model_code: String,
    brand_name: Option<String>,
    launch_date: Option<String>,
}

impl Vehicle {
    pub(crate) fn of_row(row: u64) -> Self {
        // Knuth's multiplier: neighbours look different.
        let mixed = row.wrapping_mul(2_654_435_761) % (1 << 32);
        let first = NaiveDate::from_ymd_opt(1985, 1, 1).expect("it is a date");
        let date = || first + Days::new(row * 7919 % 14_000);
        Self {
            id: row,
            r#type: TYPES[usize::try_from(row * 31 % 7).expect("it is below 7")],
            model_code: format!("MC-{mixed:08X}"),
            brand_name: (!row.is_multiple_of(10)).then(|| format!("Brand {:03}", row % 400)),
            launch_date: (!row.is_multiple_of(13)).then(|| date().to_string()),
        }
    }

    /// As it is answered when all of it is asked for.
    pub(crate) fn answer(&self) -> Value {
        json!({
            "id": self.id.to_string(),
            "type": self.r#type,
            "modelCode": self.model_code,
            "brandName": self.brand_name,
            "launchDate": self.launch_date,
        })
    }

    fn write_csv(&self, to: &mut impl Write) -> std::io::Result<()> {
        let brand_name = self.brand_name.as_deref().unwrap_or_default();
        let launch_date = self.launch_date.as_deref().unwrap_or_default();
        let (id, r#type, model_code) = (self.id, self.r#type, &self.model_code);
        writeln!(to, "{id},{type},{model_code},{brand_name},{launch_date}")
    }
}

/// Has the program store the vehicles of rows 1 to `rows` in an empty database.
pub(crate) fn store(binary: &Path, database_url: &str, rows: u64) -> Outcome<()> {
    let mut import = Command::new(binary)
        .env_clear()
        .env("DATABASE_URL", database_url)
        .env("CATALOGUE_DATABASE_TIMEOUT_SECONDS", "60")
        .env("CATALOGUE_LOG", "warn")
        .args(["import", "-", "--format", "csv"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{}: {error}", binary.display()))?;
    let mut file = BufWriter::new(import.stdin.take().expect("it is piped"));
    let written = write_all(&mut file, rows);
    // The end of its input is the end of the import.
    drop(file);
    let ended = import.wait_with_output()?;
    if !ended.status.success() {
        let said = String::from_utf8_lossy(&ended.stderr);
        return Err(format!("the import has failed: {said}").into());
    }
    Ok(written?)
}

fn write_all(file: &mut impl Write, rows: u64) -> std::io::Result<()> {
    writeln!(file, "id,type,modelCode,brandName,launchDate")?;
    (1..=rows).try_for_each(|row| Vehicle::of_row(row).write_csv(file))?;
    file.flush()
}
