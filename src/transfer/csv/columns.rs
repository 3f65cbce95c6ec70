//! Which column is which field of a vehicle.

use super::records::Record;
use crate::transfer::{
    row::{BadRow, Raw},
    unreadable::Unreadable,
};

/// The fields of a vehicle, as the contract names them.
pub(super) const NAMES: [&str; 5] = ["id", "type", "modelCode", "brandName", "launchDate"];

const REQUIRED: [&str; 2] = ["type", "modelCode"];

/// For each column of a file the field it is, as a place in [`NAMES`].
pub(super) struct Columns(Vec<usize>);

impl Columns {
    /// Reads the row of column names, or says everything that is wrong with it.
    pub(super) fn parse(header: &Record) -> Result<Self, Unreadable> {
        let mut columns = Vec::new();
        let mut wrong = Vec::new();
        for index in 0..header.len() {
            let name = String::from_utf8_lossy(header.field(index).unwrap_or_default());
            match NAMES.iter().position(|known| *known == name) {
                Some(field) if columns.contains(&field) => {
                    wrong.push(format!("{name} is there twice"));
                }
                Some(field) => columns.push(field),
                None => wrong.push(format!("{name:?} is unknown")),
            }
        }
        for required in REQUIRED {
            if !columns.iter().any(|field| NAMES[*field] == required) {
                wrong.push(format!("{required} is missing"));
            }
        }
        if wrong.is_empty() {
            Ok(Self(columns))
        } else {
            Err(Unreadable::WrongColumns(wrong))
        }
    }

    /// Whether one of them is the id.
    pub(super) fn have_id(&self) -> bool {
        self.0.contains(&0)
    }

    /// What a row says under these columns.
    pub(super) fn raw(&self, record: &Record) -> Result<Raw, BadRow> {
        if record.len() != self.0.len() {
            let reason = format!(
                "the row has {} fields, but there are {} columns",
                record.len(),
                self.0.len()
            );
            return Err(BadRow::new(record.line, reason));
        }
        let mut texts: [Option<String>; NAMES.len()] = Default::default();
        let mut reasons = Vec::new();
        for (index, &field) in self.0.iter().enumerate() {
            match record.field(index).map(str::from_utf8).transpose() {
                Ok(text) => texts[field] = text.map(str::to_owned),
                Err(_) => reasons.push(format!("{} must be UTF-8", NAMES[field])),
            }
        }
        if !reasons.is_empty() {
            let line = record.line;
            return Err(BadRow { line, reasons });
        }
        let [id, r#type, model_code, brand_name, launch_date] = texts;
        Ok(Raw {
            line: record.line,
            id,
            r#type,
            model_code,
            brand_name,
            launch_date,
        })
    }
}
