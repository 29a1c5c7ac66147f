//! Errors of tables in the words of a command line, with remedies to run.

use std::path::{Path, PathBuf};

use crate::program;
use crate::table::{Cure, Remedy, TableError};
use crate::text::{visible_path, visible_paths};

/// What is wrong with a table, and what to do about it.
pub fn table_message(error: &TableError) -> String {
    let remedy = match (error.cure(), error.spec().remedy) {
        (Cure::Make { .. } | Cure::MakeAgain { .. }, Remedy::Advice(advice)) => advice.to_owned(),
        (Cure::Make { directory }, Remedy::Generate(argument)) => {
            format!("{} or name its directory with --tables", generate(argument, directory))
        }
        (Cure::MakeAgain { directory }, Remedy::Generate(argument)) => {
            format!("{} to write it anew", run(&format!("tabletop-gen {argument}"), directory))
        }
        (Cure::MakeReadable, _) => String::from("name a readable directory with --tables"),
        (Cure::None, _) => return error.to_string(),
    };
    format!("{error}, {remedy}")
}

/// The message if every table is missing in these places. It says once what the errors of all tables would say.
pub fn no_tables_message(searched: &[PathBuf]) -> String {
    let only = if let [only] = searched { Some(&**only) } else { None };
    let remedy = generate("all", only);
    format!("no tables found (looked in {}), {remedy} or name their directory with --tables", visible_paths(searched))
}

/// How to generate a missing table: into the only possible directory, or into the user's data directory.
fn generate(argument: &str, only: Option<&Path>) -> String {
    match only {
        Some(_) => run(&format!("tabletop-gen {argument}"), only),
        None if program::find("tabletop-gen").is_some() => run("tabletop-gen install", None),
        None => String::from(
            "get the generator with `cargo install --path gen` in the source of tabletop and run `tabletop-gen install`",
        ),
    }
}

/// The remedy to run a command that writes into a directory. Its path is one word of the shell.
fn run(command: &str, directory: Option<&Path>) -> String {
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
