//! The container of every table: compressed blocks of equal records, addressed by a rank.
//!
//! A file is a sequence of zstd frames, so that any zstd tool can unpack it. The first is a *skippable* frame that holds
//! the prelude; one ordinary frame per block follows. All numbers are little-endian.
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
//! Every byte stands under a hash: those of the prelude under its own, which is checked at open, those of a block under
//! the one in the index, which is checked before the block is unpacked. The blocks must lie back to back and end where
//! the file ends, so that no byte can hide between them.
//!
//! A block holds `block_records` records, the last one what remains. Its bytes are the records one after another
//! ([`Layout::Plain`]) or first the lowest byte of every record, then the next byte of every record, and so on
//! ([`Layout::BytePlanes`]): neighbouring floats share their high bytes, which compress well once they stand together.

mod error;
mod header;
mod map;
mod places;
mod prelude;
mod reader;
mod record;
#[cfg(feature = "digest")]
mod shipped;
mod spec;
mod writer;

pub use error::{Damage, TableError};
pub use header::{Header, Layout};
pub use map::MappedFile;
pub use places::Places;
pub use prelude::FORMAT_VERSION;
pub use reader::{MappedTable, Table};
pub use record::{Record, RecordType};
#[cfg(feature = "digest")]
pub use shipped::{sha256, shipped_digest};
pub use spec::Spec;
pub use writer::encode;
