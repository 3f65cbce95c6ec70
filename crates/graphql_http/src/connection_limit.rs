//! Derives the connection limit from the limit of open files, which connections share with databases.

/// Open files besides client connections and those of the service: listeners, the log, admin connections,
/// and files that are read occasionally.
const RESERVED_FILES: usize = 64;

/// The minimum number of client connections, however low the limit of open files is.
const MIN_CONNECTIONS: usize = 8;

/// The maximum number of client connections: `requested`, or fewer if the limit of open files is too
/// low for them and the `service_files`. Raises the soft limit to the hard limit first.
///
/// Without this bound idle clients could use up every file, and the database could not reconnect.
pub fn connection_limit(requested: usize, service_files: usize) -> usize {
    let permitted = match rlimit::increase_nofile_limit(rlimit::INFINITY) {
        Ok(permitted) => usize::try_from(permitted).unwrap_or(usize::MAX),
        Err(error) => {
            tracing::warn!(%error, "cannot read the limit of open files");
            return requested;
        }
    };
    let available = available_connections(permitted, service_files);
    if available < requested {
        tracing::warn!(
            permitted,
            connection_limit = available,
            "the limit of open files is too low for --connection-limit: raise it (LimitNOFILE= in \
             systemd, ulimit -n)"
        );
    }
    available.min(requested)
}

fn available_connections(permitted: usize, service_files: usize) -> usize {
    let others = service_files.saturating_add(RESERVED_FILES);
    permitted.saturating_sub(others).max(MIN_CONNECTIONS)
}

#[cfg(test)]
mod tests {
    use super::{MIN_CONNECTIONS, available_connections};

    #[test]
    fn files_of_the_service_take_precedence_over_clients() {
        assert_eq!(available_connections(1024, 40), 1024 - 64 - 40);
        assert_eq!(available_connections(64, 40), MIN_CONNECTIONS);
        assert_eq!(available_connections(usize::MAX, 12), usize::MAX - 64 - 12);
    }
}
