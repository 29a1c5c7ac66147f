//! Errors in two layers: what is wrong with the bytes, and what that means for the user.

use std::io;
use std::path::{Path, PathBuf};

use super::record::RecordType;
use super::source::Unread;
use super::spec::Spec;
use crate::text::{visible_path, visible_paths};

/// What is wrong with the bytes of a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// The file ends before the prelude does.
    #[error("the file is cut: {found} bytes where at least {expected} are needed")]
    Truncated {
        /// The minimum length of the file, in bytes.
        expected: u64,
        /// The length of the file, in bytes.
        found: u64,
    },
    /// The first bytes are not those of a table.
    #[error("not a table: the first bytes are wrong")]
    NotATable,
    /// The length of the file differs from the length in its prelude.
    #[error("the file is damaged: {found} bytes where its prelude says {expected}")]
    Length {
        /// The length in the prelude, in bytes.
        expected: u64,
        /// The length of the file, in bytes.
        found: u64,
    },
    /// The hash of the prelude does not match its bytes.
    #[error("the file is damaged: the prelude's hash does not match")]
    PreludeHash,
    /// The header cannot be decoded or contradicts itself.
    #[error("the header is unusable: {0}")]
    Header(&'static str),
    /// The block index contradicts itself or the file.
    #[error("the block index is unusable at block {block}")]
    Index {
        /// The first block whose entry is wrong.
        block: usize,
    },
    /// The hash of a block does not match the hash in the index.
    #[error("the file is damaged: the hash of block {block} does not match")]
    BlockHash {
        /// The number of the block.
        block: usize,
    },
    /// A block has the right hash but does not unpack to its records.
    #[error("block {block} does not unpack to its records")]
    BlockContent {
        /// The number of the block.
        block: usize,
    },
    /// A record has a value that no position can have.
    #[error("record {rank} has a value that cannot be")]
    Record {
        /// The rank of the record.
        rank: u64,
    },
}

/// How an intact table differs from the expected one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Mismatch {
    /// The format version is not the one that this program reads.
    #[error("a table of format version {found}, this program reads version {expected}")]
    Version {
        /// The version that this program reads.
        expected: u32,
        /// The version of the file.
        found: u32,
    },
    /// The file contains a different table than its file name says.
    #[error("holds the table '{}' where '{expected}' belongs", .found.escape_debug())]
    Table {
        /// The expected table.
        expected: &'static str,
        /// The table named in the header.
        found: String,
    },
    /// The table was made for other rules, another numbering or other parameters.
    #[error("made for other rules (fingerprint {found:016x}, this program plays by {expected:016x})")]
    Fingerprint {
        /// The fingerprint of this program's rules.
        expected: u64,
        /// The fingerprint in the header.
        found: u64,
    },
    /// The records have a different type.
    #[error("holds records of type {found} where {expected} is expected")]
    Records {
        /// The type that the program reads.
        expected: RecordType,
        /// The type in the header.
        found: RecordType,
    },
    /// The number of records is not the number of positions.
    #[error("holds {found} positions where {expected} are expected")]
    Positions {
        /// The number of positions.
        expected: u64,
        /// The number of records in the table.
        found: u64,
    },
    /// The table of a game made with the kit does not match the kit or the rules, in words.
    #[cfg(feature = "solved")]
    #[error("{0}")]
    Kit(&'static str),
}

/// Why bytes are not the expected table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    Damage(Damage),
    Mismatch(Mismatch),
    /// The source does not have the bytes yet.
    #[cfg(feature = "ranges")]
    Absent,
}

impl Refusal {
    /// The refusal when bytes cannot be read: `outside` if the file ends before them.
    pub(super) fn unread(unread: Unread, outside: Damage) -> Refusal {
        match unread {
            Unread::Outside => Refusal::Damage(outside),
            #[cfg(feature = "ranges")]
            Unread::Absent => Refusal::Absent,
        }
    }
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

/// Why a table cannot be used. Its text says what is wrong. [`TableError::cure`] and the [`Remedy`](super::Remedy) of
/// the table are what to do about it, for a program to say in its own words.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// None of the searched places contains the table.
    #[error("{}: table missing{}", .spec.file_name(), places(.searched, .beside.as_deref()))]
    Missing {
        /// The expected table.
        spec: &'static Spec,
        /// The searched places, in this order.
        searched: Vec<PathBuf>,
        /// The last searched place, if it contains other tables. The search stops there, because all tables must come
        /// from one place.
        beside: Option<PathBuf>,
    },
    /// The file or its directory exists but cannot be read.
    #[error("{}: cannot be read: {error}", visible_path(.path))]
    Unreadable {
        /// The expected table.
        spec: &'static Spec,
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// The bytes of the file are wrong.
    #[error("{}: {damage}", visible_path(.path))]
    Damaged {
        /// The expected table.
        spec: &'static Spec,
        /// The file.
        path: PathBuf,
        /// What is wrong with its bytes.
        #[source]
        damage: Damage,
    },
    /// The file contains an intact table that is not the expected one, for example one of an older version.
    #[error("{}: {mismatch}", visible_path(.path))]
    Mismatched {
        /// The expected table.
        spec: &'static Spec,
        /// The file.
        path: PathBuf,
        /// How it differs.
        #[source]
        mismatch: Mismatch,
    },
    /// The table is intact, but `SHA256SUMS` beside it has a different digest: the generator was interrupted between
    /// writing the two files, or only one of them was copied.
    #[error("{}: SHA256SUMS beside it states the digest of another table", visible_path(.path))]
    DigestOutdated {
        /// The table.
        spec: &'static Spec,
        /// The file.
        path: PathBuf,
    },
    /// The table has no record of this rank.
    #[error("{}: record {rank} asked of a table of {positions} records", .spec.file_name())]
    NotInTable {
        /// The table.
        spec: &'static Spec,
        /// The requested rank.
        rank: u64,
        /// The number of records in the table.
        positions: u64,
    },
    /// The source of the table does not have the bytes yet: get them and ask again.
    #[cfg(feature = "ranges")]
    #[error("{}: bytes are absent", .spec.file_name())]
    Absent {
        /// The table.
        spec: &'static Spec,
    },
}

impl TableError {
    pub(super) fn refused(spec: &'static Spec, path: &Path, refusal: Refusal) -> TableError {
        let path = path.to_path_buf();
        match refusal {
            Refusal::Damage(damage) => TableError::Damaged { spec, path, damage },
            Refusal::Mismatch(mismatch) => TableError::Mismatched { spec, path, mismatch },
            #[cfg(feature = "ranges")]
            Refusal::Absent => TableError::Absent { spec },
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
            #[cfg(feature = "ranges")]
            TableError::Absent { spec } => spec,
        }
    }

    /// Whether the source of the table does not have the bytes yet. Work that goes on after this error, and fails at its
    /// end, finds all absent bytes at once.
    pub fn is_absent(&self) -> bool {
        #[cfg(feature = "ranges")]
        return matches!(self, TableError::Absent { .. });
        #[cfg(not(feature = "ranges"))]
        return false;
    }

    /// What to do about it, for a program to say in its own words.
    pub fn cure(&self) -> Cure<'_> {
        match self {
            TableError::Missing { searched, beside, .. } => {
                let only = if let [only] = &searched[..] { Some(&**only) } else { None };
                Cure::Make { directory: beside.as_deref().or(only) }
            }
            TableError::Unreadable { .. } => Cure::MakeReadable,
            TableError::Damaged { path, .. }
            | TableError::Mismatched { path, .. }
            | TableError::DigestOutdated { path, .. } => {
                Cure::MakeAgain { directory: path.parent().filter(|directory| !directory.as_os_str().is_empty()) }
            }
            TableError::NotInTable { .. } => Cure::None,
            #[cfg(feature = "ranges")]
            TableError::Absent { .. } => Cure::None,
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
            #[cfg(feature = "ranges")]
            TableError::Absent { .. } => "absent",
        }
    }
}

/// What to do about a table that cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cure<'a> {
    /// Make the table.
    Make {
        /// The only directory in which it would be found; `None` if there are several.
        directory: Option<&'a Path>,
    },
    /// Make the table again.
    MakeAgain {
        /// The directory of its file, if it is not the working directory.
        directory: Option<&'a Path>,
    },
    /// Make the file readable, or use another directory.
    MakeReadable,
    /// Nothing for the user: the program asked for a record that is not there, or has to get the bytes and ask again.
    None,
}

/// Where a missing table was searched for.
fn places(searched: &[PathBuf], beside: Option<&Path>) -> String {
    match beside {
        Some(directory) => format!(" in {}, where the other tables are", visible_path(directory)),
        None => format!(" (looked in {})", visible_paths(searched)),
    }
}
