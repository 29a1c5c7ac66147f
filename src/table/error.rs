//! Errors in two layers: what is wrong with the bytes, and what that means for the user.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::record::RecordType;
use super::spec::{Remedy, Spec};
use crate::text::visible_path;

/// What is wrong with the bytes of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Damage {
    /// The file ends before the prelude does.
    Truncated {
        /// The minimum length of the file, in bytes.
        expected: u64,
        /// The length of the file, in bytes.
        found: u64,
    },
    /// The first bytes are not those of a table.
    NotATable,
    /// The length of the file differs from the length in its prelude.
    Length {
        /// The length in the prelude, in bytes.
        expected: u64,
        /// The length of the file, in bytes.
        found: u64,
    },
    /// The hash of the prelude does not match its bytes.
    PreludeHash,
    /// The header cannot be decoded or contradicts itself.
    Header(&'static str),
    /// The block index contradicts itself or the file.
    Index {
        /// The first block whose entry is wrong.
        block: usize,
    },
    /// The hash of a block does not match the hash in the index.
    BlockHash {
        /// The number of the block.
        block: usize,
    },
    /// A block has the right hash but does not unpack to its records.
    BlockContent {
        /// The number of the block.
        block: usize,
    },
    /// A record has a value that no position can have.
    Record {
        /// The rank of the record.
        rank: u64,
    },
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::Truncated { expected, found } => {
                write!(f, "the file is cut: {found} bytes where at least {expected} are needed")
            }
            Damage::NotATable => write!(f, "not a table: the first bytes are wrong"),
            Damage::Length { expected, found } => {
                write!(f, "the file is damaged: {found} bytes where it promises {expected}")
            }
            Damage::PreludeHash => write!(f, "the file is damaged: the prelude's hash does not match"),
            Damage::Header(what) => write!(f, "the header is unusable: {what}"),
            Damage::Index { block } => write!(f, "the block index is unusable at block {block}"),
            Damage::BlockHash { block } => {
                write!(f, "the file is damaged: the hash of block {block} does not match")
            }
            Damage::BlockContent { block } => write!(f, "block {block} does not unpack to its records"),
            Damage::Record { rank } => write!(f, "record {rank} has a value that cannot be"),
        }
    }
}

impl std::error::Error for Damage {}

/// How an intact table differs from the expected one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mismatch {
    /// The format version is not the one that this program reads.
    Version {
        /// The version that this program reads.
        expected: u32,
        /// The version of the file.
        found: u32,
    },
    /// The file contains a different table than its file name says.
    Table {
        /// The expected table.
        expected: &'static str,
        /// The table named in the header.
        found: String,
    },
    /// The table was made for other rules, another numbering or other parameters.
    Fingerprint {
        /// The fingerprint of this program's rules.
        expected: u64,
        /// The fingerprint in the header.
        found: u64,
    },
    /// The records have a different type.
    Records {
        /// The type that the program reads.
        expected: RecordType,
        /// The type in the header.
        found: RecordType,
    },
    /// The number of records is not the number of positions.
    Positions {
        /// The number of positions.
        expected: u64,
        /// The number of records in the table.
        found: u64,
    },
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Version { expected, found } => {
                write!(f, "a table of format version {found}, this program reads version {expected}")
            }
            Mismatch::Table { expected, found } => {
                write!(f, "holds the table '{}' where '{expected}' belongs", found.escape_debug())
            }
            Mismatch::Fingerprint { expected, found } => {
                write!(f, "made for other rules (fingerprint {found:016x}, this program plays by {expected:016x})")
            }
            Mismatch::Records { expected, found } => {
                write!(f, "holds records of type {found} where {expected} is expected")
            }
            Mismatch::Positions { expected, found } => {
                write!(f, "holds {found} positions where {expected} are expected")
            }
        }
    }
}

impl std::error::Error for Mismatch {}

/// Why bytes are not the expected table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    Damage(Damage),
    Mismatch(Mismatch),
}

impl From<Damage> for Refusal {
    fn from(damage: Damage) -> Refusal {
        Refusal::Damage(damage)
    }
}

impl From<Mismatch> for Refusal {
    fn from(mismatch: Mismatch) -> Refusal {
        Refusal::Mismatch(mismatch)
    }
}

/// Why a table cannot be used. The text contains the remedy.
#[derive(Debug)]
#[non_exhaustive]
pub enum TableError {
    /// None of the searched places contains the table.
    Missing {
        /// The expected table.
        spec: &'static Spec,
        /// The searched places, in this order.
        searched: Vec<PathBuf>,
        /// The last searched place, if it contains other tables. The search stops there, because all tables must come
        /// from one place.
        beside: Option<PathBuf>,
        /// Whether `tabletop-gen` is beside this program or in PATH.
        has_generator: bool,
    },
    /// The file or its directory exists but cannot be read.
    Unreadable {
        /// The expected table.
        spec: &'static Spec,
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The bytes of the file are wrong.
    Damaged {
        /// The expected table.
        spec: &'static Spec,
        /// The file.
        path: PathBuf,
        /// What is wrong with its bytes.
        damage: Damage,
    },
    /// The file contains an intact table that is not the expected one, for example one of an older version.
    Mismatched {
        /// The expected table.
        spec: &'static Spec,
        /// The file.
        path: PathBuf,
        /// How it differs.
        mismatch: Mismatch,
    },
    /// The table is intact, but `SHA256SUMS` beside it has a different digest: the generator was interrupted between
    /// writing the two files, or only one of them was copied.
    DigestOutdated {
        /// The table.
        spec: &'static Spec,
        /// The file.
        path: PathBuf,
    },
    /// The table has no record of this rank.
    NotInTable {
        /// The table.
        spec: &'static Spec,
        /// The requested rank.
        rank: u64,
        /// The number of records in the table.
        positions: u64,
    },
}

impl TableError {
    pub(super) fn refused(spec: &'static Spec, path: &Path, refusal: Refusal) -> TableError {
        let path = path.to_path_buf();
        match refusal {
            Refusal::Damage(damage) => TableError::Damaged { spec, path, damage },
            Refusal::Mismatch(mismatch) => TableError::Mismatched { spec, path, mismatch },
        }
    }

    /// The expected table.
    pub fn spec(&self) -> &'static Spec {
        match self {
            TableError::Missing { spec, .. }
            | TableError::Unreadable { spec, .. }
            | TableError::Damaged { spec, .. }
            | TableError::Mismatched { spec, .. }
            | TableError::DigestOutdated { spec, .. }
            | TableError::NotInTable { spec, .. } => spec,
        }
    }

    /// The kind of error, in a few words.
    pub fn kind(&self) -> &'static str {
        match self {
            TableError::Missing { .. } => "missing",
            TableError::Unreadable { .. } => "unreadable",
            TableError::Damaged { .. } => "damaged",
            TableError::Mismatched { mismatch: Mismatch::Table { .. }, .. } => "another table",
            TableError::Mismatched { .. } => "outdated",
            TableError::DigestOutdated { .. } => "digest outdated",
            TableError::NotInTable { .. } => "not in the table",
        }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Missing { spec, searched, beside, has_generator } => {
                write_missing(f, spec, searched, beside.as_deref())?;
                match spec.remedy {
                    Remedy::Advice(advice) => write!(f, ", {advice}"),
                    Remedy::Generate(argument) => {
                        write_how_to_get(f, argument, searched, beside.as_deref(), *has_generator)
                    }
                }
            }
            TableError::Unreadable { path, error, .. } => {
                write!(f, "{}: cannot be read: {error}, name a readable directory with --tables", visible_path(path))
            }
            TableError::Damaged { spec, path, damage } => write_anew(f, spec, path, damage),
            TableError::Mismatched { spec, path, mismatch } => write_anew(f, spec, path, mismatch),
            TableError::DigestOutdated { spec, path } => {
                write_anew(f, spec, path, &"SHA256SUMS beside it states the digest of another table")
            }
            TableError::NotInTable { spec, rank, positions } => {
                write!(f, "{}: record {rank} asked of a table of {positions} records", spec.file_name())
            }
        }
    }
}

fn write_missing(f: &mut fmt::Formatter<'_>, spec: &Spec, searched: &[PathBuf], beside: Option<&Path>) -> fmt::Result {
    write!(f, "{}: table missing", spec.file_name())?;
    match beside {
        Some(directory) => write!(f, " in {}, where the other tables are", visible_path(directory))?,
        None => {
            let places: Vec<String> = searched.iter().map(|place| visible_path(place)).collect();
            write!(f, " (looked in {})", places.join(", "))?;
        }
    }
    Ok(())
}

/// Writes how to generate a missing table: into the only possible directory, or into the user's data directory.
fn write_how_to_get(
    f: &mut fmt::Formatter<'_>,
    argument: &str,
    searched: &[PathBuf],
    beside: Option<&Path>,
    has_generator: bool,
) -> fmt::Result {
    let only = if let [only] = searched { Some(&**only) } else { None };
    match beside.or(only) {
        Some(only) => write!(f, ", run `tabletop-gen {argument}{}`", Out(Some(only)))?,
        None if has_generator => write!(f, ", run `tabletop-gen install`")?,
        None => write!(
            f,
            ", get the generator with `cargo install --path gen` in the source of tabletop and run `tabletop-gen install`"
        )?,
    }
    write!(f, " or name its directory with --tables")
}

/// Writes what is wrong with a file, and how to generate it again.
fn write_anew(f: &mut fmt::Formatter<'_>, spec: &Spec, path: &Path, what: &dyn fmt::Display) -> fmt::Result {
    write!(f, "{}: {what}, ", visible_path(path))?;
    match spec.remedy {
        Remedy::Generate(argument) => {
            write!(f, "run `tabletop-gen {argument}{}` to write it anew", Out(path.parent()))
        }
        Remedy::Advice(advice) => f.write_str(advice),
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

impl std::error::Error for TableError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            TableError::Unreadable { error, .. } => Some(error),
            TableError::Damaged { damage, .. } => Some(damage),
            TableError::Mismatched { mismatch, .. } => Some(mismatch),
            TableError::Missing { .. } | TableError::DigestOutdated { .. } | TableError::NotInTable { .. } => None,
        }
    }
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
