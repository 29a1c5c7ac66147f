//! The file format of every table: compressed blocks of records of equal size, addressed by rank.
//!
//! To make a table of your own, describe it in a [`Spec`], encode it with [`encode`] and read it with [`Table`]:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use tabletop::table::{Places, RecordType, Remedy, Spec, Table, Values, encode};
//!
//! /// The nim-sum of three heaps of up to 20, at rank (a * 21 + b) * 21 + c.
//! static NIM: Spec = Spec {
//!     name: "nim",
//!     game: "nim",
//!     rules: "nim 1: record (a*21+b)*21+c is the nim-sum of three heaps of up to 20",
//!     records: RecordType::U8,
//!     block_records: 441,
//!     positions: Some(21 * 21 * 21),
//!     values: Values::UpTo(31.0),
//!     remedy: Remedy::Advice("run `make-nim-tables`"),
//! };
//!
//! let sums: Vec<u8> = (0..21 * 21 * 21).map(|rank| (rank / 441 ^ rank / 21 % 21 ^ rank % 21) as u8).collect();
//! let file = encode(&NIM, "make-nim-tables 1.0", &sums);
//!
//! // From any bytes …
//! let table = Table::<_, u8>::open(&file, &NIM, "in memory".as_ref())?;
//! assert_eq!(table.get((3 * 21 + 5) * 21 + 6)?, 3 ^ 5 ^ 6);
//!
//! // … or from a file, which is mapped.
//! # let directory = tempfile::tempdir()?;
//! # let directory = directory.path();
//! std::fs::write(directory.join("nim.tbl"), &file)?;
//! let table = Places::only(directory).open::<u8>(&NIM)?;
//! assert_eq!(table.get((20 * 21 + 20) * 21 + 7)?, 7);
//!
//! // An error says what is wrong. The remedy is data, for the program to say in its own words.
//! let error = Places::only("elsewhere").open::<u8>(&NIM).err().unwrap();
//! assert_eq!(error.to_string(), "nim.tbl: table missing (looked in elsewhere)");
//! assert_eq!(error.spec().remedy, Remedy::Advice("run `make-nim-tables`"));
//! # Ok(())
//! # }
//! ```
//!
//! A file is a sequence of zstd frames, so that any zstd tool can unpack it. The first is a *skippable* frame that
//! holds the prelude; one ordinary frame per block follows. All numbers are little-endian.
//!
//! ```text
//!  offset    bytes
//!  0         4      0x184D2A54: a zstd skippable frame            ┐
//!  4         4      bytes in this frame after this field          │
//!  8         8      "tabletop"                                    │
//!  16        4      format version                                │
//!  20        4      h, the bytes of the header                    │ prelude
//!  24        8      length of the whole file                      │
//!  32        h      header (bincode, legacy configuration)        │
//!  32+h      20·n   block index: offset u64, bytes u32, hash u64  │
//!  …         8      xxh3-64 of every byte before this field       ┘
//!  …         …      n zstd frames, back to back, up to the end of the file
//! ```
//!
//! Every byte is protected by a hash. The hash of the prelude is checked at open. The hash of a block is in the index
//! and is checked before the block is unpacked. The blocks must lie back to back and end where the file ends, so every
//! byte after the prelude belongs to a block.
//!
//! The reader checks a copy of the bytes and uses only this copy: the prelude is copied at open, and a block before it
//! is hashed. So a mapped file that is overwritten in place gives the right records or an error. A mapped file that
//! becomes shorter can kill the program with SIGBUS. Programs that must survive this use [`Places::in_memory`], which
//! reads the files instead of mapping them. To replace a table, rename a new file over it; never write into it.
//!
//! A block has `block_records` records; the last block may have fewer. Its bytes are the records one after another
//! ([`Layout::Plain`]), or the lowest bytes of all records, then their second bytes, and so on
//! ([`Layout::BytePlanes`]). Neighbouring floats have similar high bytes, which compress well when they lie together.

mod any;
mod bytes;
#[cfg(any(feature = "embedded", feature = "boards"))]
mod embedded;
mod error;
mod header;
#[cfg(feature = "digest")]
mod inventory;
mod lazy;
mod places;
mod prelude;
mod reader;
mod record;
#[cfg(feature = "digest")]
mod shipped;
mod source;
mod spec;
#[cfg(feature = "digest")]
mod sums;
mod writer;

pub use any::{AnyTable, NotReadable};
#[cfg(feature = "kit")]
pub(crate) use bytes::map_regular_file;
pub use bytes::{TableBytes, read_regular_file};
#[cfg(any(feature = "embedded", feature = "boards"))]
pub use embedded::embedded_table;
pub use error::{Cure, Damage, Mismatch, TableError};
pub use header::{Header, Layout};
#[cfg(feature = "digest")]
pub use inventory::{Inventory, Look};
pub use lazy::LazyTable;
pub use places::Places;
pub use prelude::FORMAT_VERSION;
pub use reader::Table;
pub use record::{Record, RecordTask, RecordType};
#[cfg(feature = "digest")]
pub use shipped::{sha256, shipped_digest};
#[cfg(feature = "ranges")]
pub use source::{RangedFile, Ranges};
pub use source::{Source, Unread};
pub use spec::{Remedy, Spec, Values};
#[cfg(feature = "digest")]
pub use sums::{SUMS_FILE, SumsLine};
pub use writer::encode;
#[cfg(feature = "kit")]
pub(crate) use writer::{assemble, compress_block};
