//! Which program this is.

use crate::graphql::contract_hash;

/// What `--version` says below the name of the program: its version, the commit that it was built
/// from and the hash of the contract that it serves.
pub(super) fn long() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let commit = option_env!("COMMIT").unwrap_or("unknown");
    format!("{version}\ncommit {commit}\ncontract {}", contract_hash())
}
