//! Errors in two layers: what is wrong with the bytes, and what it means to the person who asked.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::record::RecordType;
use super::spec::Spec;

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
    /// The format is of another version than this program reads.
    Version {
        /// The version that this program reads.
        expected: u32,
        /// The version of the file.
        found: u32,
    },
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
    /// The file holds another table than its name says.
    OtherTable {
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
    /// The table is intact, and the list of digests beside it states another digest: the generator was interrupted
    /// between the two, or one of them was copied without the other.
    Digest,
    /// The table is intact and has no record of this rank.
    NotInTable {
        /// The rank that was asked for.
        rank: u64,
        /// How many records the table has.
        positions: u64,
    },
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::Truncated { expected, found } => {
                write!(f, "the file is cut: {found} bytes where at least {expected} are needed")
            }
            Damage::NotATable => write!(f, "not a table: the first bytes are wrong"),
            Damage::Version { expected, found } => {
                write!(f, "a table of format version {found}, this program reads version {expected}")
            }
            Damage::Length { expected, found } => {
                write!(f, "the file is damaged: {found} bytes where it promises {expected}")
            }
            Damage::PreludeHash => write!(f, "the file is damaged: the prelude's hash does not match"),
            Damage::Header(what) => write!(f, "the header is unusable: {what}"),
            Damage::OtherTable { expected, found } => {
                write!(f, "holds the table '{found}' where '{expected}' belongs")
            }
            Damage::Fingerprint { expected, found } => {
                write!(f, "made for other rules (fingerprint {found:016x}, this program plays by {expected:016x})")
            }
            Damage::Records { expected, found } => {
                write!(f, "holds records of type {found} where {expected} is expected")
            }
            Damage::Index { block } => write!(f, "the block index is unusable at block {block}"),
            Damage::BlockHash { block } => {
                write!(f, "the file is damaged: the hash of block {block} does not match")
            }
            Damage::BlockContent { block } => write!(f, "block {block} does not unpack to its records"),
            Damage::Digest => write!(f, "SHA256SUMS beside it states the digest of another table"),
            Damage::NotInTable { rank, positions } => {
                write!(f, "record {rank} asked of a table of {positions} records")
            }
        }
    }
}

impl std::error::Error for Damage {}

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
    /// The file is there and is not the table that it should be.
    Damaged {
        /// The table that was asked for.
        spec: &'static Spec,
        /// The file.
        path: PathBuf,
        /// What is wrong with its bytes.
        damage: Damage,
    },
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Missing { spec, searched } => {
                write!(f, "{}: table missing (looked in", spec.file_name())?;
                for (i, place) in searched.iter().enumerate() {
                    let separator = if i == 0 { "" } else { "," };
                    write!(f, "{separator} {}", place.display())?;
                }
                write!(f, "), run `tabletop-gen {}", spec.game)?;
                // Among the usual places is the one where the generator writes by itself.
                if let [only] = &searched[..] {
                    write!(f, " --out {}", only.display())?;
                }
                write!(f, "` or name its directory with --tables")
            }
            TableError::Unreadable { path, error, .. } => {
                write!(f, "{}: cannot be read: {error}, name a readable directory with --tables", path.display())
            }
            TableError::Damaged { spec, path, damage } => {
                write!(f, "{}: {damage}, run `tabletop-gen {}", path.display(), spec.game)?;
                match path.parent() {
                    Some(directory) if !directory.as_os_str().is_empty() => {
                        write!(f, " --out {}` to write it anew", directory.display())
                    }
                    _ => write!(f, "` to write it anew"),
                }
            }
        }
    }
}

impl std::error::Error for TableError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            TableError::Missing { .. } => None,
            TableError::Unreadable { error, .. } => Some(error),
            TableError::Damaged { damage, .. } => Some(damage),
        }
    }
}
