//! Import and export of files.

use std::fs;
use std::future::{pending, ready};

use vehicle_catalogue::store::{OnConflict, Store};
use vehicle_catalogue::transfer::{
    FileOrStdio, Format, ImportError, ImportOptions, export, import,
};

use super::support::{Fixture, models};

testkit::tests![
    an_exported_file_imports_back_identically,
    an_invalid_row_stops_an_import_or_is_skipped on Sqlite,
    a_stopped_import_says_what_is_stored on Sqlite,
];

const CSV: &str = "id,type,modelCode,brandName,launchDate,version\n\
                   3,SUV,\"a,b\",,2024-02-29,7\n\
                   5,SUV,\"\"\"q\"\"\",\"\",,1\n";

const NDJSON: &str = r#"{"id":"3","type":"SUV","modelCode":"a,b","brandName":null,"launchDate":"2024-02-29","version":7}
{"id":"5","type":"SUV","modelCode":"\"q\"","brandName":"","launchDate":null,"version":1}
"#;

fn options(file: FileOrStdio, format: Format) -> ImportOptions {
    ImportOptions {
        file,
        format,
        delimiter: b',',
        on_error: OnConflict::Stop,
    }
}

async fn an_exported_file_imports_back_identically(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| FileOrStdio::File(folder.path().join(name));
    for (text, format) in [(CSV, Format::Csv), (NDJSON, Format::Ndjson)] {
        fs::write(folder.path().join("in"), text).unwrap();
        for _ in 0..2 {
            let imported = import(options(path("in"), format), Some(&store), pending()).await;
            imported.expect("every row is valid");
            export(&path("out"), format, &store, pending())
                .await
                .expect("it can be written");
            assert_eq!(fs::read_to_string(folder.path().join("out")).unwrap(), text);
        }
        fixture.execute(&["DELETE FROM vehicle"]).await;
    }
}

/// The error of an import of this CSV file.
async fn failed(store: Option<&Store>, text: &str, on_error: OnConflict) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("vehicles.csv");
    fs::write(&file, text).unwrap();
    let options = ImportOptions {
        on_error,
        ..options(FileOrStdio::File(file), Format::Csv)
    };
    import(options, store, pending())
        .await
        .expect_err(text)
        .to_string()
}

async fn an_invalid_row_stops_an_import_or_is_skipped(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let text = "type,modelCode\nSUV,one\nSUV,\nSUV,three\nSUV,\n";
    let dry = failed(None, text, OnConflict::Stop).await;
    assert_eq!(dry, "2 rows rejected, see above");
    let stopped = failed(Some(&store), text, OnConflict::Stop).await;
    assert_eq!(
        stopped,
        "line 3 was rejected, see above; the import ended after 1 row"
    );
    let skipped = failed(Some(&store), text, OnConflict::Skip).await;
    assert_eq!(skipped, "2 rows rejected, see above");
    assert_eq!(models(&store).await, ["one", "one", "three"]);
    let other = failed(Some(&store), "type;modelCode\nSUV;one\n", OnConflict::Stop).await;
    assert!(
        other.ends_with("further; no row has been stored"),
        "{other}"
    );
}

async fn a_stopped_import_says_what_is_stored(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let file = FileOrStdio::File("/no/such/file.csv".into());
    let missing = import(options(file.clone(), Format::Csv), Some(&store), pending()).await;
    assert!(matches!(missing, Err(ImportError::Open(..))), "{missing:?}");
    let stopped = import(options(file, Format::Csv), Some(&store), ready(())).await;
    let message = stopped.expect_err("it is stopped").to_string();
    assert_eq!(message, "stopped by a signal; no row has been stored");
}
