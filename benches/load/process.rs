//! What /proc tells of processes.

use std::{collections::HashMap, fs, time::Duration};

use crate::Outcome;

/// The kernel counts the time of processes in hundredths of a second, whatever the machine.
const TICK: Duration = Duration::from_millis(10);

/// The programs of database servers.
const DATABASE_SERVERS: [&str; 3] = ["postgres", "mariadbd", "mysqld"];

struct Stat {
    name: String,
    parent: u32,
    /// In ticks, with that of its ended children.
    own: u64,
    children: u64,
}

fn stat(id: &str) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name is in parentheses and can be anything.
    let (name, rest) = text.split_once('(')?.1.rsplit_once(')')?;
    let rest: Vec<_> = rest.split_whitespace().collect();
    let number = |at: usize| rest.get(at)?.parse::<u64>().ok();
    Some(Stat {
        name: name.to_owned(),
        parent: u32::try_from(number(1)?).ok()?,
        own: number(11)? + number(12)?,
        children: number(13)? + number(14)?,
    })
}

fn ticks(count: u64) -> Duration {
    TICK * u32::try_from(count).unwrap_or(u32::MAX)
}

/// The CPU time of a process and of those of its children that have ended.
pub(crate) fn cpu(id: u32) -> Outcome<Duration> {
    let stat = stat(&id.to_string()).ok_or_else(|| format!("there is no process {id}"))?;
    Ok(ticks(stat.own + stat.children))
}

/// The CPU time of the children of this process that have ended.
pub(crate) fn cpu_of_ended_children() -> Duration {
    ticks(stat("self").map_or(0, |stat| stat.children))
}

/// The CPU time of the database servers that were started here, directly or not.
pub(crate) fn cpu_of_databases() -> Outcome<Duration> {
    let mut all = HashMap::new();
    for entry in fs::read_dir("/proc")? {
        let name = entry?.file_name();
        // Whatever ends meanwhile is counted by its parent.
        if let Some((id, stat)) = name
            .to_str()
            .and_then(|id| Some((id.parse().ok()?, stat(id)?)))
        {
            all.insert(id, stat);
        }
    }
    let own = |mut id: u32| {
        while let Some(stat) = all.get(&id) {
            id = stat.parent;
            if id == std::process::id() {
                return true;
            }
        }
        false
    };
    let servers = all.iter();
    let servers = servers.filter(|(id, stat)| DATABASE_SERVERS.contains(&&*stat.name) && own(**id));
    Ok(ticks(
        servers.map(|(_, stat)| stat.own + stat.children).sum(),
    ))
}

/// The CPU time that anything on this machine has taken.
pub(crate) fn cpu_of_machine() -> Outcome<Duration> {
    let text = fs::read_to_string("/proc/stat")?;
    let first = text.lines().next().unwrap_or_default();
    let times: Vec<u64> = first
        .split_whitespace()
        .skip(1)
        .flat_map(str::parse)
        .collect();
    // user, nice, system, idle, waiting, interrupts, soft interrupts
    let busy = times.iter().take(7).sum::<u64>();
    let idle: u64 = times.iter().skip(3).take(2).sum();
    Ok(ticks(busy - idle))
}

/// An amount of memory of a process in MiB: `VmHWM`, the most it has had, or `VmRSS`, what it has.
pub(crate) fn memory_mib(id: u32, which: &str) -> Outcome<f64> {
    let text = fs::read_to_string(format!("/proc/{id}/status"))?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(which)?.strip_prefix(':'));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<f64>().ok());
    Ok(kib.ok_or_else(|| format!("/proc/{id}/status has no {which}"))? / 1024.0)
}

/// The most files that this process and those it starts may have open.
pub(crate) fn most_open_files() -> Outcome<u64> {
    let text = fs::read_to_string("/proc/self/limits")?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"));
    let soft = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    // What is no number is "unlimited".
    Ok(soft.unwrap_or(u64::MAX))
}
