//! The machine that the figures were measured on.

use std::fs;
use std::thread;

use super::Section;

pub fn section() -> Section {
    let cores = thread::available_parallelism()?;
    let processor = field("/proc/cpuinfo", "model name").unwrap_or_else(|| String::from("unknown processor"));
    let memory = field("/proc/meminfo", "MemTotal");
    let kibibytes = memory.and_then(|memory| memory.strip_suffix(" kB")?.parse::<f64>().ok()).unwrap_or(f64::NAN);
    let memory = kibibytes / f64::from(1 << 20);
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("unknown");
    let (system, architecture, version) = (std::env::consts::OS, std::env::consts::ARCH, env!("CARGO_PKG_VERSION"));
    Ok(format!(
        "\ntabletop {version} on {system} {architecture}: {cores} cores ({processor}), {memory:.0} GiB of memory, load {load} when \
         the run began.\n"
    ))
}

fn field(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
