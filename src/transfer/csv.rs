//! CSV after RFC 4180, with a row of column names.
//!
//! An empty field is null, and `""` is the empty string, as in PostgreSQL's `COPY … WITH (FORMAT csv)`. The reader of the
//! crate `csv` does not distinguish these two, and accepts misplaced quotation marks.

use std::io::BufRead;

use graphql_sdl::{excerpt, printable, suggestion};

use super::lines::{Lines, Unreadable};
use super::row::{Cells, NAMES, REQUIRED};

/// The maximum number of problems of columns that a message lists.
const MAX_PROBLEMS: usize = 10;

const TEXT_AFTER_QUOTE: &str = "a field that begins with a quotation mark must end with one, \
    and quotation marks in it must be doubled";
const QUOTE_IN_PLAIN: &str = "a field that contains a quotation mark must be quoted, and \
    quotation marks in it must be doubled";
const LONE_RETURN: &str = "a carriage return must be followed by a line feed or be quoted";
const NOT_CLOSED: &str = "a quotation mark is not closed before the end of the file";

/// The fields of a row; `None` is null.
type Fields = Vec<Option<Vec<u8>>>;

/// The columns of a file as indices into [`NAMES`], from its first row.
pub(super) fn columns(lines: &mut Lines<impl BufRead>, delimiter: u8) -> Result<Vec<usize>, Unreadable> {
    if !lines.begin_row()? {
        return Err(Unreadable::NoHeader);
    }
    fields(lines, delimiter)?.map_err(Unreadable::MalformedHeader).and_then(known)
}

/// The columns with these names, or the first problems.
fn known(names: Fields) -> Result<Vec<usize>, Unreadable> {
    let (mut columns, mut problems) = (Vec::new(), Vec::new());
    for name in names {
        let name = String::from_utf8_lossy(name.as_deref().unwrap_or_default()).into_owned();
        match NAMES.iter().position(|known| *known == name) {
            Some(column) if columns.contains(&column) => problems.push(format!("duplicate {name}")),
            Some(column) => columns.push(column),
            None => problems.push(unknown(&name)),
        }
    }
    let has = |name: &str| columns.iter().any(|column| NAMES[*column] == name);
    let missing = REQUIRED.into_iter().filter(|name| !has(name));
    problems.extend(missing.map(|name| format!("missing {name}")));
    if problems.len() > MAX_PROBLEMS {
        problems.truncate(MAX_PROBLEMS);
        problems.push("and maybe more".to_owned());
    }
    if problems.is_empty() { Ok(columns) } else { Err(Unreadable::InvalidColumns(problems)) }
}

/// What to say of a name that no column has.
pub(super) fn unknown(name: &str) -> String {
    let similar = suggestion(name, NAMES).replacen("; did", ", did", 1);
    format!("unknown \"{}\"{similar}", printable(&excerpt(name)))
}

/// The values of the row that begins with the next line, or every reason why it has none.
pub(super) fn cells(
    lines: &mut Lines<impl BufRead>,
    delimiter: u8,
    columns: &[usize],
) -> Result<Result<Cells<String>, Vec<String>>, Unreadable> {
    let fields = match fields(lines, delimiter)? {
        Ok(fields) => fields,
        Err(reason) => return Ok(Err(vec![reason.to_owned()])),
    };
    let (count, expected) = (fields.len(), columns.len());
    if count != expected {
        let reason = format!("the row has {count} fields, but there are {expected} columns");
        return Ok(Err(vec![reason]));
    }
    let (mut cells, mut reasons) = (Cells::default(), Vec::new());
    for (&column, field) in columns.iter().zip(fields) {
        match field.map(String::from_utf8).transpose() {
            Ok(text) => cells[column] = text,
            Err(_) => reasons.push(format!("{} must be UTF-8{CONVERT}", NAMES[column])),
        }
    }
    Ok(if reasons.is_empty() { Ok(cells) } else { Err(reasons) })
}

/// What to do with a file of another encoding.
pub(super) const CONVERT: &str = " (convert the file, for example with iconv -f LATIN1 -t UTF-8)";

/// Splits a row into fields; a quoted one can continue on the next lines. A malformed row ends at the end of the line.
fn fields(lines: &mut Lines<impl BufRead>, delimiter: u8) -> Result<Result<Fields, &'static str>, Unreadable> {
    let (mut fields, mut at) = (Fields::new(), 0);
    loop {
        let field = if lines.row.get(at) == Some(&b'"') {
            let Some(text) = quoted(lines, &mut at)? else {
                return Ok(Err(NOT_CLOSED));
            };
            Some(text)
        } else {
            let rest = &without_end(&lines.row)[at..];
            let plain = rest.split(|byte| *byte == delimiter).next().unwrap_or_default();
            match plain.iter().find(|byte| matches!(byte, b'"' | b'\r')) {
                Some(b'"') => return Ok(Err(QUOTE_IN_PLAIN)),
                Some(_) => return Ok(Err(LONE_RETURN)),
                None => {}
            }
            at += plain.len();
            (!plain.is_empty()).then(|| plain.to_vec())
        };
        fields.push(field);
        match without_end(&lines.row).get(at) {
            None => return Ok(Ok(fields)),
            Some(next) if *next == delimiter => at += 1,
            Some(_) => return Ok(Err(TEXT_AFTER_QUOTE)),
        }
    }
}

/// The text of the quoted field that begins at this position, which is moved to its end; nothing if it is not closed.
fn quoted(lines: &mut Lines<impl BufRead>, at: &mut usize) -> Result<Option<Vec<u8>>, Unreadable> {
    let mut text = Vec::new();
    *at += 1;
    loop {
        let rest = &lines.row[*at..];
        let Some(length) = rest.iter().position(|byte| *byte == b'"') else {
            text.extend_from_slice(rest);
            *at = lines.row.len();
            if !lines.append_line()? {
                return Ok(None);
            }
            continue;
        };
        text.extend_from_slice(&rest[..length]);
        *at += length + 1;
        if lines.row.get(*at) != Some(&b'"') {
            return Ok(Some(text));
        }
        text.push(b'"');
        *at += 1;
    }
}

fn without_end(row: &[u8]) -> &[u8] {
    let row = row.strip_suffix(b"\n").unwrap_or(row);
    row.strip_suffix(b"\r").unwrap_or(row)
}
