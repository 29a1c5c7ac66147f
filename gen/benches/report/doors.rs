//! The tester, the kit and the server, each measured by the benchmark of its own package.

use std::process::Command;

use super::{Bench, Section};

pub fn section(bench: &Bench) -> Section {
    let quick = bench.effort.choose(Some("--quick"), None);
    let cargo = |package: &str, name: &str| {
        let mut command = Command::new("cargo");
        command
            .args(["bench", "--quiet", "--profile", "tools", "--package", package, "--bench", name, "--"])
            .args(quick);
        command
    };
    let mut kit = cargo("tabletop-examples", "kit");
    if let Some(python) = &bench.open_spiel {
        kit.arg("--python").arg(python);
    }
    let mut serve = Command::new("serve/bench/run");
    serve.arg(bench.effort.choose("1", "10"));
    Ok(format!(
        "## Tester\nWhat `tabletop stress` adds to the start of a program that does nothing.\n\n{}\n\
         ## Kit\nTic-tac-toe, beside OpenSpiel where it is installed, and connect four on a small board.\n\n{}\n\
         ## Server\nLookups over 64 connections, beside an empty handler of the same framework, and beside a flood of \
         Codenames boards that take seconds.\n\n{}",
        output(bench, cargo("tabletop-stress", "overhead"))?,
        output(bench, kit)?,
        output(bench, serve)?
    ))
}

/// What a command of the repository prints, as a block of text.
fn output(bench: &Bench, mut command: Command) -> Section {
    let output = command.current_dir(&bench.repository).output()?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(format!("```text\n{}\n```\n", String::from_utf8(output.stdout)?.trim_end()))
}
