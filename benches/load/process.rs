//! CPU time and memory of processes, from /proc.

use std::{collections::HashMap, fs, time::Duration};

use crate::Outcome;

/// The unit of CPU times in /proc.
const TICK_MS: u64 = 10;

const DATABASE_SERVERS: [&str; 3] = ["postgres", "mariadbd", "mysqld"];

struct Stat {
    name: String,
    parent: u32,
    own_ticks: u64,
    /// Of the children that have exited.
    children_ticks: u64,
}

fn stat(id: &str) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name is in parentheses and may contain any character.
    let (name, fields) = text.split_once('(')?.1.rsplit_once(')')?;
    let fields: Vec<_> = fields.split_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
    Some(Stat {
        name: name.to_owned(),
        parent: u32::try_from(number(1)?).ok()?,
        own_ticks: number(11)? + number(12)?,
        children_ticks: number(13)? + number(14)?,
    })
}

fn duration(ticks: u64) -> Duration {
    Duration::from_millis(ticks * TICK_MS)
}

/// The CPU time of a process and its exited children.
pub(crate) fn cpu(id: u32) -> Outcome<Duration> {
    let stat = stat(&id.to_string()).ok_or_else(|| format!("no process {id}"))?;
    Ok(duration(stat.own_ticks + stat.children_ticks))
}

/// The CPU time of the exited children of this process.
pub(crate) fn cpu_of_children() -> Duration {
    duration(stat("self").map_or(0, |stat| stat.children_ticks))
}

/// The CPU time of the database servers that descend from this process.
pub(crate) fn cpu_of_databases() -> Outcome<Duration> {
    let mut processes = HashMap::new();
    for entry in fs::read_dir("/proc")? {
        let name = entry?.file_name();
        let name = name.to_string_lossy();
        if let (Ok(id), Some(stat)) = (name.parse::<u32>(), stat(&name)) {
            processes.insert(id, stat);
        }
    }
    let descends_from_this = |stat: &Stat| {
        let mut parents =
            std::iter::successors(Some(stat.parent), |id| Some(processes.get(id)?.parent));
        parents.any(|id| id == std::process::id())
    };
    let servers = processes
        .values()
        .filter(|stat| DATABASE_SERVERS.contains(&stat.name.as_str()) && descends_from_this(stat));
    let ticks = servers
        .map(|stat| stat.own_ticks + stat.children_ticks)
        .sum();
    Ok(duration(ticks))
}

/// The CPU time of the whole machine.
pub(crate) fn cpu_of_machine() -> Outcome<Duration> {
    let text = fs::read_to_string("/proc/stat")?;
    let fields = text.lines().next().unwrap_or_default().split_whitespace();
    let times: Vec<u64> = fields.skip(1).flat_map(str::parse).collect();
    // user, nice, system, idle, iowait, irq, softirq
    let busy = [0, 1, 2, 5, 6].map(|index| times.get(index).copied().unwrap_or_default());
    Ok(duration(busy.iter().sum()))
}

/// A memory field of `/proc/ID/status` in MiB.
pub(crate) fn memory_mib(id: u32, field: &str) -> Outcome<f64> {
    let text = fs::read_to_string(format!("/proc/{id}/status"))?;
    let mut lines = text.lines();
    let value = lines.find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    let kib = value.and_then(|value| value.trim().strip_suffix(" kB")?.parse::<f64>().ok());
    Ok(kib.ok_or_else(|| format!("/proc/{id}/status has no {field}"))? / 1024.0)
}
