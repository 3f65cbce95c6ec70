//! Prints the operations of the client as a manifest of trusted documents:
//!
//! ```sh
//! cargo run -p vehicle-catalogue-client --example operations > manifest.json
//! vehicle-catalogue --trusted-documents manifest.json --trusted-documents-mode enforce
//! ```

use vehicle_catalogue_client::Manifest;

#[allow(clippy::print_stdout, reason = "the manifest is the output")]
fn main() {
    println!("{}", Manifest::with_client_operations().to_json());
}
