//! Packaging: the version, the manual page, the completions, and the files of `deploy/`.

mod alerts;
#[path = "../../../build/commit.rs"]
mod commit;
mod files;
mod identity;
mod manual;
mod troubleshooting;
