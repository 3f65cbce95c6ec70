//! The program in Kotlin of `docs/clients.md`, compiled and run against the service.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use testkit::npm::{Packages, succeeded};

use crate::clients::{assert_runs, programs, service};

testkit::tests![the_documented_program_in_kotlin_runs];

/// `org.json` of Android, from Debian's package `libandroid-json-java`.
const JSON: &str = "/usr/share/java/com.android.json.jar";

const COMPILER: &str = "node_modules/kotlin-compiler";

/// Installs the compiler; the error states why it is not available.
pub(crate) fn install() -> Result<(), String> {
    let java = Command::new("java").arg("-version").output();
    java.map_err(|error| format!("Java cannot be started: {error}"))?;
    if !Path::new(JSON).exists() {
        return Err(format!("{JSON} does not exist"));
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/external/kotlin");
    Packages::install(&source, &folder()).map(drop)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("kotlin")
}

async fn the_documented_program_in_kotlin_runs() {
    let code = &programs()["Catalogue.kt"];
    fs::write(folder().join("Catalogue.kt"), code).unwrap();
    let kotlinc = format!("{COMPILER}/bin/kotlinc");
    let compiled = Command::new("bash")
        .current_dir(folder())
        .args([&kotlinc, "-Werror", "-classpath", JSON, "Catalogue.kt"])
        .args(["-d", "classes"])
        .output()
        .unwrap();
    succeeded("kotlinc", compiled).unwrap();
    let classes = format!("classes:{JSON}:{COMPILER}/lib/kotlin-stdlib.jar");
    let running = service().await;
    let java = ["java", "-cp", &classes, "CatalogueKt"];
    assert_runs(&running, &folder(), &java);
}
