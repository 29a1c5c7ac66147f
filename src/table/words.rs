//! Errors of tables in the words of a command line, with remedies to run.

use std::fmt;
use std::path::Path;
#[cfg(feature = "digest")]
use std::path::PathBuf;

#[cfg(feature = "digest")]
use super::error::Searched;
use super::error::{Cure, TableError};
use super::spec::Remedy;
use crate::text::visible_path;

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what())?;
        match (self.cure(), self.spec().remedy) {
            (Cure::Make { .. } | Cure::MakeAgain { .. }, Remedy::Advice(advice)) => write!(f, ", {advice}"),
            (Cure::Make { directory, has_generator }, Remedy::Generate(argument)) => {
                write_how_to_make(f, argument, directory, has_generator)?;
                f.write_str(" or name its directory with --tables")
            }
            (Cure::MakeAgain { directory }, Remedy::Generate(argument)) => {
                write!(f, ", run `tabletop-gen {argument}{}` to write it anew", Out(directory))
            }
            (Cure::MakeReadable, _) => f.write_str(", name a readable directory with --tables"),
            #[cfg(feature = "ranges")]
            (Cure::Get, _) => f.write_str(", get them and ask again"),
            (Cure::None, _) => Ok(()),
        }
    }
}

/// The message if every table is missing. It says once what the errors of all tables would say.
#[cfg(feature = "digest")]
pub(super) struct NoTables<'a> {
    pub(super) searched: &'a [PathBuf],
    pub(super) has_generator: bool,
}

#[cfg(feature = "digest")]
impl fmt::Display for NoTables<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let only = if let [only] = self.searched { Some(&**only) } else { None };
        write!(f, "no tables found{}", Searched { searched: self.searched, beside: None })?;
        write_how_to_make(f, "all", only, self.has_generator)?;
        f.write_str(" or name their directory with --tables")
    }
}

/// Writes how to generate a missing table: into the only possible directory, or into the user's data directory.
fn write_how_to_make(
    f: &mut fmt::Formatter<'_>,
    argument: &str,
    only: Option<&Path>,
    has_generator: bool,
) -> fmt::Result {
    match only {
        Some(only) => write!(f, ", run `tabletop-gen {argument}{}`", Out(Some(only))),
        None if has_generator => f.write_str(", run `tabletop-gen install`"),
        None => f.write_str(
            ", get the generator with `cargo install --path gen` in the source of tabletop and run `tabletop-gen install`",
        ),
    }
}

/// The generator's `--out` argument for a directory, as a shell reads it.
struct Out<'a>(Option<&'a Path>);

impl fmt::Display for Out<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(directory) if !directory.as_os_str().is_empty() => write!(f, " --out {}", shell_word(directory)),
            _ => Ok(()),
        }
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
