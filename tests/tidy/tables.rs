//! Tables in Markdown: short cells, since a wide row is read on a narrow screen, too.

use std::{fs, path::Path};

const MAX_CHARACTERS: usize = 200;

/// The cells of a row.
fn cells(row: &str) -> impl Iterator<Item = String> {
    // A pipe within a cell is escaped.
    let row = row.replace("\\|", "\u{1}");
    let row = row.trim().trim_matches('|').to_owned();
    let cells: Vec<_> = row.split('|').map(|cell| cell.trim().to_owned()).collect();
    cells.into_iter()
}

#[test]
fn a_cell_has_at_most_200_characters() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let mut long = Vec::new();
    let mut rows = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let mut is_code = false;
        for (index, line) in text.lines().enumerate() {
            is_code ^= line.starts_with("```");
            if is_code || !line.starts_with('|') {
                continue;
            }
            rows += 1;
            for cell in cells(line) {
                let length = cell.chars().count();
                if length > MAX_CHARACTERS {
                    long.push(format!(
                        "{}:{}: {length}: {cell}",
                        path.display(),
                        index + 1
                    ));
                }
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
    assert!(rows > 300, "{rows}");
}
