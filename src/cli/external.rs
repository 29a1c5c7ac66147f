//! External commands: `tabletop NAME` runs the program `tabletop-NAME` from this program's directory or from PATH.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use clap::ArgMatches;
use tabletop::door::Failure;
use tabletop::program;
use tabletop::table::Places;
use tabletop::text::visible_path;

use super::{NO_MAP, TABLES, command_line, usage};

/// A command of this project that is a program of its own.
struct Program {
    name: &'static str,
    about: &'static str,
    /// The arguments of `cargo install --path` that install it.
    package: &'static str,
}

const PROGRAMS: [Program; 3] = [
    Program { name: "stress", about: "Test a program against the exact answers", package: "stress" },
    Program { name: "sample", about: "Write valid inputs, and test data with answers", package: "stress" },
    Program { name: "serve", about: "A page in the browser, and an HTTP API", package: "serve --profile tools" },
];

/// The end of the overview of all commands.
pub(super) fn help() -> String {
    let title = String::from("Programs of their own, beside this one or on PATH:");
    PROGRAMS.iter().fold(title, |text, Program { name, about, .. }| text + &format!("\n  {name:<6}  {about}"))
}

/// These programs as commands without arguments.
pub(super) fn commands() -> impl Iterator<Item = clap::Command> {
    PROGRAMS.iter().map(|program| clap::Command::new(program.name).about(program.about))
}

/// Runs the program `tabletop-NAME` with the following arguments, or returns a usage error if it is not found.
pub(super) fn run(name: &str, matches: &ArgMatches, arguments: &ArgMatches) -> Result<ExitCode, Failure> {
    // A command name must not be a path.
    let is_path = name.contains(['/', '\\']);
    let program = if is_path { None } else { program::find(&format!("tabletop-{name}")) };
    let Some(program) = program else { return Err(unknown(name)) };
    if matches.get_flag(NO_MAP) {
        return Err(Failure::Usage(String::from("--no-map: other programs do not have this option, leave it out")));
    }
    let mut command = Command::new(&program);
    if let Some(following) = arguments.get_many::<OsString>("") {
        command.args(following);
    }
    if let Some(tables) = matches.get_one::<PathBuf>(TABLES) {
        command.env(Places::VARIABLE, tables);
    }
    let failed = |error: std::io::Error| {
        Failure::new(format!("{}: cannot be started: {error}, install it again", visible_path(&program)))
    };
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

/// The usage error for a command that is not installed, or that clap does not know.
fn unknown(name: &str) -> Failure {
    if let Some(Program { package, .. }) = PROGRAMS.iter().find(|program| program.name == name) {
        return Failure::Usage(format!(
            "{name}: tabletop-{name} is neither beside this program nor on PATH, \
             run `cargo install --path {package}` in a checkout"
        ));
    }
    match command_line().try_get_matches() {
        Err(error) => usage(&error),
        Ok(_) => Failure::Usage(String::from("arguments: no such command, see `tabletop --help`")),
    }
}
