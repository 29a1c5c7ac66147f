//! `tabletop completions`.

use clap::Args;
use clap_complete::Shell;
use tabletop::door::{Failure, print};

use super::command_line_with_programs;

/// The line of this command in the overview of all commands.
pub(super) const ABOUT: &str = "Print a completion script for a shell";

/// The arguments of `tabletop completions`.
#[derive(Args)]
#[command(
    about = ABOUT,
    after_help = "Example:\n  tabletop completions fish > ~/.config/fish/completions/tabletop.fish"
)]
pub(crate) struct CompletionsArguments {
    /// The shell
    shell: Shell,
}

/// Prints the script.
pub(super) fn run(arguments: &CompletionsArguments) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command_line_with_programs(), "tabletop", &mut script);
    print(&script)
}
