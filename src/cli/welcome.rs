//! The text of `tabletop` without arguments.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

use tabletop::door::{Failure, print};
use tabletop::game::{PROFILES, Profile};

/// Shows the welcome text on a terminal. In a pipe, the missing command is a usage error.
pub(super) fn show() -> ExitCode {
    let outcome = if io::stdout().is_terminal() {
        print(screen().as_bytes())
    } else {
        Err(Failure::Usage(String::from(
            "arguments: no command, name a game such as `tabletop dice` or see `tabletop --help`",
        )))
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report("tabletop"),
    }
}

/// An example of every game, and the commands for more help.
fn screen() -> String {
    let mut text = String::from("tabletop answers games exactly, from tables computed once.\n\nTry:\n");
    for profile in PROFILES {
        let Profile { name, sample, demonstration, .. } = profile;
        let command = match demonstration {
            Some(arguments) => format!("tabletop {name} {arguments}"),
            None => format!("printf '{}' | tabletop {name} --explain", sample.escape_default()),
        };
        writeln!(text, "  {command}\n      {}\n", profile.question).expect("writing to a string cannot fail");
    }
    text.push_str(
        "  tabletop tables --verify     are all tables there and intact?\n  \
         tabletop COMMAND --help      input format and options of a command\n  \
         tabletop --help              all commands\n",
    );
    text
}
