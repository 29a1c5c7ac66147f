//! What `tabletop` alone says.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use super::failure::Failure;
use super::print_answer;

const WELCOME: &str = "\
tabletop answers games exactly, from tables computed once.

Try:
  printf '1\\n1 2 3 1 1\\n1 2 3 4 5\\n' | tabletop dice --explain
      dice poker: how likely A wins, and what to reroll

  printf '2 2\\nJJ\\nDD\\n3 1\\n' | tabletop hopchess --explain
      hop chess: how likely Justin wins, and what every move is worth

  printf '2\\nRGB\\nGRG\\n' | tabletop jenga --explain
      coloured Jenga: how many minutes a tower lasts, and what to take

  printf '3 R\\nbat cave wing\\nR B R\\n2\\n2 bat wing\\n1 cave\\n' | tabletop codenames --explain
      Codenames: how likely the team to move wins, and which hint to give

  tabletop balda --lang en --word kenaf --explain
      Balda: a game of as many points as can be found, move by move

  tabletop tables --verify     are all tables there and intact?
  tabletop COMMAND --help      input format and options of a command
  tabletop --help              all commands
";

/// Shows the screen to a person; in a pipe, where a command was forgotten, it is a usage error.
pub(super) fn show() -> ExitCode {
    let outcome = if io::stdout().is_terminal() {
        print_answer(WELCOME.as_bytes())
    } else {
        Err(Failure::Usage(String::from(
            "arguments: no command, name a game such as `tabletop dice` or see `tabletop --help`",
        )))
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
