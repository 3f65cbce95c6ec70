//! What a process holds, as Linux tells it.

use std::fs;

/// What a process holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Holdings {
    /// Open files, connections among them.
    pub(crate) files: usize,
    /// Memory that is resident, in KiB.
    pub(crate) resident_kib: u64,
}

/// What the process with this id holds.
pub(crate) fn holdings(id: u32) -> Holdings {
    let files = fs::read_dir(format!("/proc/{id}/fd")).unwrap().count();
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let resident = resident.unwrap().trim().trim_end_matches(" kB");
    Holdings {
        files,
        resident_kib: resident.parse().unwrap(),
    }
}
