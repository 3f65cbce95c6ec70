//! `config check`.

use settings::{Effective, listing, print};

use super::failure::Failure;
use crate::{Definition, Settings, app, error_chain::error_chain};

/// Prints the effective settings and validates the files that they name. The settings themselves are
/// validated when they are read.
pub(super) async fn check(
    service: &Definition,
    settings: &Settings,
    effective: &[Effective],
) -> Result<(), Failure> {
    print(&listing(effective)).map_err(Failure::Print)?;
    let errors = app::validate_files(service, settings).await;
    if errors.is_empty() {
        return Ok(());
    }
    let sentences = errors.iter().map(|error| error_chain(error)).collect();
    Err(Failure::InvalidSettings(sentences))
}
