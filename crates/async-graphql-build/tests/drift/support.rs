//! The module `support` of generated code, for packages that tests compile.

use std::{fs, path::Path};

/// Copies it into a folder.
pub(crate) fn copy(to: &Path) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/support");
    let to = to.join("support");
    fs::create_dir_all(&to).expect("the folder for temporary files can be written");
    for file in fs::read_dir(from).expect("it can be read") {
        let file = file.expect("it can be read");
        fs::copy(file.path(), to.join(file.file_name())).expect("it can be copied");
    }
}
