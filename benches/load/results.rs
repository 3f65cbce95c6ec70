//! Writes the CSV files of the results.

use std::{fs, path::Path};

/// A row of a CSV file: names and values.
pub(crate) type Row = Vec<(&'static str, String)>;

/// Writes a CSV file with the names of the first row as its header.
pub(crate) fn write(results: &Path, name: &str, rows: &[Row]) {
    fs::create_dir_all(results).expect("the folder can be created");
    let file = csv::Writer::from_path(results.join(name).with_extension("csv"));
    let mut file = file.expect("the file can be written");
    let names = rows.iter().take(1);
    let names = names.map(|row| row.iter().map(|(name, _)| *name).collect());
    let values = rows.iter();
    let values = values.map(|row| row.iter().map(|(_, value)| value.as_str()).collect());
    for record in names.chain(values) {
        let record: Vec<&str> = record;
        file.write_record(record).expect("the row can be written");
    }
    file.flush().expect("the disk has room");
}
