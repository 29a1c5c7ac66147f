//! External commands: `tabletop NAME` runs the program `tabletop-NAME` from this program's directory or from PATH.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use clap::ArgMatches;

use super::failure::Failure;
use super::{TABLES, command_line, usage};

/// Runs the program `tabletop-NAME` with the following arguments, or returns a usage error if it is not found.
pub(super) fn run(name: &str, matches: &ArgMatches, arguments: &ArgMatches) -> Result<ExitCode, Failure> {
    let Some(program) = find(&format!("tabletop-{name}")) else { return Err(unknown()) };
    let mut command = Command::new(&program);
    if let Some(following) = arguments.get_many::<OsString>("") {
        command.args(following);
    }
    if let Some(tables) = matches.get_one::<PathBuf>(TABLES) {
        command.env("TABLETOP_TABLES", tables);
    }
    let failed = |error| Failure::Unstartable { path: program.display().to_string(), error };
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        Err(failed(command.exec()))
    }
    #[cfg(not(unix))]
    {
        let status = command.status().map_err(failed)?;
        Ok(status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from))
    }
}

/// The program with this file name, in this program's directory or in PATH.
fn find(name: &str) -> Option<PathBuf> {
    // A command name must not be a path.
    if name.contains(['/', '\\']) {
        return None;
    }
    let beside = env::current_exe().ok().and_then(|own| Some(own.parent()?.to_path_buf()));
    let path = env::var_os("PATH").unwrap_or_default();
    let file_name = format!("{name}{}", env::consts::EXE_SUFFIX);
    beside
        .into_iter()
        .chain(env::split_paths(&path))
        .map(|directory| directory.join(&file_name))
        .find(|file| file.is_file())
}

/// The usage error of clap for an unknown command, which suggests a similar command.
fn unknown() -> Failure {
    match command_line().try_get_matches() {
        Err(error) => usage(&error),
        Ok(_) => Failure::Usage(String::from("arguments: no such command, see `tabletop --help`")),
    }
}
