//! Errors of tables in the words of a command line, with remedies to run.

use std::path::{Path, PathBuf};

use crate::program;
use crate::table::{Cure, Remedy, TableError};
use crate::text::{visible_path, visible_paths};

/// What is wrong with a table, and what to do about it.
pub fn table_message(error: &TableError) -> String {
    match (error.spec().remedy, error.cure()) {
        (Remedy::Advice(advice), Cure::Make { .. } | Cure::MakeAgain { .. }) => format!("{error}, {advice}"),
        // The other cures need no command.
        (Remedy::Advice(_), _) => message(error, "", run),
        (Remedy::Generate(argument), _) => message(error, &format!("tabletop-gen {argument}"), generate),
    }
}

/// What is wrong with a table, and what to do about it. `command` writes the table, and `make` says how if it is
/// missing.
pub(crate) fn message(error: &TableError, command: &str, make: fn(&str, Option<&Path>) -> String) -> String {
    let remedy = match error.cure() {
        Cure::Make { directory } => format!("{} or name its directory with --tables", make(command, directory)),
        Cure::MakeAgain { directory } => format!("{} to write it anew", run(command, directory)),
        Cure::MakeReadable => String::from("name a readable directory with --tables"),
        Cure::None => return error.to_string(),
    };
    format!("{error}, {remedy}")
}

/// The message if every table is missing in these places. It says once what the errors of all tables would say.
pub fn no_tables_message(searched: &[PathBuf]) -> String {
    let only = if let [only] = searched { Some(&**only) } else { None };
    let remedy = generate("tabletop-gen all", only);
    format!("no tables found (looked in {}), {remedy} or name their directory with --tables", visible_paths(searched))
}

/// How to generate a missing table: into the only possible directory, or into the user's data directory.
fn generate(command: &str, only: Option<&Path>) -> String {
    match only {
        Some(_) => run(command, only),
        None if program::find("tabletop-gen").is_some() => run("tabletop-gen install", None),
        None => String::from(
            "get the generator with `cargo install --path gen` in the source of tabletop and run `tabletop-gen install`",
        ),
    }
}

/// The remedy to run a command that writes into a directory. Its path is one word of the shell.
pub(crate) fn run(command: &str, directory: Option<&Path>) -> String {
    match directory.filter(|directory| !directory.as_os_str().is_empty()) {
        Some(directory) => format!("run `{command} --out {}`", shell_word(directory)),
        None => format!("run `{command}`"),
    }
}

/// The path as one word of a shell command: in single quotes if it has characters with a meaning for the shell.
fn shell_word(path: &Path) -> String {
    let word = visible_path(path);
    let is_plain = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || b"/._-+:,@%=".contains(&byte)
            || !byte.is_ascii()
            || byte == std::path::MAIN_SEPARATOR as u8
    };
    if word.bytes().all(is_plain) { word } else { format!("'{}'", word.replace("'", r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_in_a_command_is_one_word_of_the_shell() {
        for (path, word) in [
            ("/usr/share/tabletop-0.2/tables", "/usr/share/tabletop-0.2/tables"),
            ("/home/ağaç", "/home/ağaç"),
            ("/tmp/a b", "'/tmp/a b'"),
            ("$HOME", "'$HOME'"),
            ("it's", r"'it'\''s'"),
            ("a\nb", r"'a\nb'"),
        ] {
            assert_eq!(shell_word(Path::new(path)), word);
        }
    }
}
