//! Errors in two layers: what is wrong with the bytes, and what it means to the person who asked.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::record::RecordType;
use super::spec::{Remedy, Spec};

/// What is wrong with the bytes of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Damage {
    /// The file ends before the prelude does.
    Truncated {
        /// Bytes that the file must have at least.
        expected: u64,
        /// Bytes that it has.
        found: u64,
    },
    /// The first bytes are not those of a table.
    NotATable,
    /// The file is longer or shorter than it says.
    Length {
        /// Bytes that the prelude promises.
        expected: u64,
        /// Bytes that the file has.
        found: u64,
    },
    /// The prelude's bytes do not have the hash that they carry.
    PreludeHash,
    /// The header cannot be decoded or contradicts itself.
    Header(&'static str),
    /// The block index contradicts itself or the file.
    Index {
        /// The first block whose entry is wrong.
        block: usize,
    },
    /// A block's bytes do not have the hash that the index states.
    BlockHash {
        /// The number of the block.
        block: usize,
    },
    /// A block has the right hash and yet does not unpack to its records.
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

/// How an intact table differs from the one that the program asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mismatch {
    /// The format is of another version than this program reads.
    Version {
        /// The version that this program reads.
        expected: u32,
        /// The version of the file.
        found: u32,
    },
    /// The file holds another table than its name says.
    Table {
        /// The table that was asked for.
        expected: &'static str,
        /// The table that the header names.
        found: String,
    },
    /// The table was made for other rules, another numbering or other parameters.
    Fingerprint {
        /// The fingerprint of this program's rules.
        expected: u64,
        /// The fingerprint in the header.
        found: u64,
    },
    /// The records are of another type.
    Records {
        /// The type that the program reads.
        expected: RecordType,
        /// The type in the header.
        found: RecordType,
    },
    /// The table has more or fewer records than there are positions.
    Positions {
        /// How many positions there are.
        expected: u64,
        /// How many records the table has.
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

/// Why bytes are not the table that the program asked for.
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

/// Why a table could not answer, with the remedy.
#[derive(Debug)]
#[non_exhaustive]
pub enum TableError {
    /// No place that was searched holds the table.
    Missing {
        /// The table that was asked for.
        spec: &'static Spec,
        /// Where it was looked for, in this order.
        searched: Vec<PathBuf>,
        /// The last place that was searched, if other tables are there: all tables come from one place, so that no
        /// table of another place is taken for the missing one.
        beside: Option<PathBuf>,
        /// Whether `tabletop-gen` is beside this program or in PATH.
        has_generator: bool,
    },
    /// The file or its directory is there and cannot be read.
    Unreadable {
        /// The table that was asked for.
        spec: &'static Spec,
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file is there and its bytes are wrong.
    Damaged {
        /// The table that was asked for.
        spec: &'static Spec,
        /// The file.
        path: PathBuf,
        /// What is wrong with its bytes.
        damage: Damage,
    },
    /// The file holds an intact table that is not the one that the program asked for, such as one of an older version.
    Mismatched {
        /// The table that was asked for.
        spec: &'static Spec,
        /// The file.
        path: PathBuf,
        /// How it differs.
        mismatch: Mismatch,
    },
    /// The table is intact, and the list of digests beside it states another digest: the generator was interrupted
    /// between the two, or one of them was copied without the other.
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
        /// The rank that was asked for.
        rank: u64,
        /// How many records the table has.
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

    /// The table that was asked for.
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

    /// What kind of error this is, in a few words.
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
                write!(f, "{}: cannot be read: {error}, name a readable directory with --tables", path.display())
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
        Some(directory) => write!(f, " in {}, where the other tables are", directory.display())?,
        None => {
            let places: Vec<String> = searched.iter().map(|place| place.display().to_string()).collect();
            write!(f, " (looked in {})", places.join(", "))?;
        }
    }
    Ok(())
}

/// Says how a missing table is made: in the one directory that has to have it, or where it is found from everywhere.
fn write_how_to_get(
    f: &mut fmt::Formatter<'_>,
    argument: &str,
    searched: &[PathBuf],
    beside: Option<&Path>,
    has_generator: bool,
) -> fmt::Result {
    let only = if let [only] = searched { Some(&**only) } else { None };
    match beside.or(only) {
        Some(only) => write!(f, ", run `tabletop-gen {argument} --out {}`", only.display())?,
        None if has_generator => write!(f, ", run `tabletop-gen install`")?,
        None => write!(
            f,
            ", get the generator with `cargo install --path gen` in the source of tabletop and run `tabletop-gen install`"
        )?,
    }
    write!(f, " or name its directory with --tables")
}

/// Says what is wrong with a file, and how it is written anew.
fn write_anew(f: &mut fmt::Formatter<'_>, spec: &Spec, path: &Path, what: &dyn fmt::Display) -> fmt::Result {
    write!(f, "{}: {what}, ", path.display())?;
    match spec.remedy {
        Remedy::Generate(argument) => {
            write!(f, "run `tabletop-gen {argument}{}` to write it anew", Out(path.parent()))
        }
        Remedy::Advice(advice) => f.write_str(advice),
    }
}

/// The generator's argument for a directory.
struct Out<'a>(Option<&'a Path>);

impl fmt::Display for Out<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(directory) if !directory.as_os_str().is_empty() => write!(f, " --out {}", directory.display()),
            _ => Ok(()),
        }
    }
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
