//! Writes a man page for each command, and completions for each shell.
//!
//! `tabletop-assets DIR` writes to `DIR/man/man1`, `DIR/bash-completion`, `DIR/zsh` and `DIR/fish`, where `DIR` is a
//! `share` directory, and prints the names of the programs.

#![forbid(unsafe_code)]

use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use clap::Command;
use clap_complete::Shell;

/// Every installed program. `tabletop` comes first, so that the man page of each program that it runs is the one that the
/// program itself describes.
fn programs() -> [Command; 5] {
    [
        tabletop::cli::command_line_with_programs(),
        tabletop_gen::cli::command_line(),
        tabletop_stress::cli::stress::command_line(),
        tabletop_stress::cli::sample::command_line(),
        tabletop_serve::command_line(),
    ]
}

fn main() -> Result<(), Box<dyn Error>> {
    let share = std::env::args_os().nth(1).map(PathBuf::from).ok_or("name the directory to write to")?;
    for program in programs() {
        let pages = share.join("man/man1");
        fs::create_dir_all(&pages)?;
        clap_mangen::generate_to(program.clone(), &pages)?;
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            write_completions(shell, program.clone(), &share)?;
        }
        println!("{}", program.get_name());
    }
    Ok(())
}

/// Writes the completions of a program to the directory that the shell searches.
fn write_completions(shell: Shell, mut program: Command, share: &Path) -> Result<(), Box<dyn Error>> {
    let name = program.get_name().to_owned();
    let path = match shell {
        Shell::Zsh => format!("zsh/site-functions/_{name}"),
        Shell::Fish => format!("fish/vendor_completions.d/{name}.fish"),
        _ => format!("bash-completion/completions/{name}"),
    };
    let path = share.join(path);
    fs::create_dir_all(path.parent().ok_or("a path without a directory")?)?;
    clap_complete::generate(shell, &mut program, name, &mut File::create(path)?);
    Ok(())
}
