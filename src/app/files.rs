//! How many files the process may have open: a connection is one, and so is what the database needs.

/// What is open besides connections of clients and of the pool: listeners, the log, connections of
/// operators, files that are read now and then.
const OTHERS: usize = 64;

/// A connection to SQLite has the file, its log and its index open.
const A_DATABASE_CONNECTION: usize = 4;

/// What is left for clients where the system permits next to nothing.
const FEWEST: usize = 8;

/// How many connections of clients there may be at once: as many as `wanted`, if the system permits
/// so many open files. Asks for as many as may be had, since the usual limit is far below.
///
/// Without it idle clients could take every file, and the database could not be reached again.
pub(super) fn connections(wanted: usize, pool_size: u32) -> usize {
    let permitted = match rlimit::increase_nofile_limit(rlimit::INFINITY) {
        Ok(permitted) => usize::try_from(permitted).unwrap_or(usize::MAX),
        Err(error) => {
            tracing::warn!(%error, "cannot find out how many open files are permitted");
            return wanted;
        }
    };
    let left = left_for_clients(permitted, pool_size);
    if left < wanted {
        tracing::warn!(
            permitted,
            connection_limit = left,
            "fewer open files are permitted than --connection-limit needs: raise their limit \
             (LimitNOFILE of systemd, ulimit -n)"
        );
    }
    left.min(wanted)
}

fn left_for_clients(permitted: usize, pool_size: u32) -> usize {
    let pool = usize::try_from(pool_size).unwrap_or(usize::MAX);
    let database = pool.saturating_add(2).saturating_mul(A_DATABASE_CONNECTION);
    let others = database.saturating_add(OTHERS);
    permitted.saturating_sub(others).max(FEWEST)
}

#[cfg(test)]
mod tests {
    use super::{FEWEST, left_for_clients};

    #[test]
    fn the_database_has_its_files_before_clients_have_theirs() {
        assert_eq!(left_for_clients(1024, 8), 1024 - 64 - 10 * 4);
        assert_eq!(left_for_clients(64, 8), FEWEST);
        assert_eq!(left_for_clients(usize::MAX, 1), usize::MAX - 64 - 12);
    }
}
