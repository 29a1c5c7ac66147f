//! The header of a table. Only this module uses bincode.
//!
//! Other crates read and write the bytes of bincode's legacy configuration. So bincode can be replaced without new
//! tables.

use bincode::config::{self, Config};
use serde::{Deserialize, Serialize};

use super::error::Damage;
use super::record::RecordType;

/// No header needs more bytes. It bounds what decoding allocates, whatever lengths the file contains.
pub(super) const MAX_HEADER_BYTES: usize = 4096;

/// The order of the bytes within a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Layout {
    /// Record after record.
    Plain,
    /// The lowest bytes of all records, then their second bytes, and so on.
    BytePlanes,
}

/// The description of a table in its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The table's name.
    pub name: String,
    /// The game of the table.
    pub game: String,
    /// The program that wrote it, with the revision of its tables or its version.
    pub generator: String,
    /// The fingerprint of rules, numbering and parameters.
    pub fingerprint: u64,
    /// The type of the records.
    pub records: RecordType,
    /// The order of the bytes within a block.
    pub layout: Layout,
    /// The number of records. A table of the kit has one for every byte of its content, not for every position.
    pub positions: u64,
    /// The number of records in a block. The last block may have fewer.
    pub block_records: u32,
}

fn configuration() -> impl Config {
    config::legacy().with_limit::<MAX_HEADER_BYTES>()
}

impl Header {
    /// # Panics
    /// If the header is longer than [`MAX_HEADER_BYTES`]: no program could read the table.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let bytes = bincode::serde::encode_to_vec(self, configuration()).expect("encoding in memory cannot fail");
        assert!(bytes.len() <= MAX_HEADER_BYTES, "header of table '{}' in {} bytes", self.name, bytes.len());
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Header, Damage> {
        if bytes.len() > MAX_HEADER_BYTES {
            return Err(Damage::Header("it is longer than any header"));
        }
        let (header, used): (Header, usize) = bincode::serde::decode_from_slice(bytes, configuration())
            .map_err(|_| Damage::Header("it cannot be decoded"))?;
        if used != bytes.len() {
            return Err(Damage::Header("bytes follow it"));
        }
        // These texts are printed, and a terminal would execute control characters.
        if [&header.name, &header.game, &header.generator].iter().any(|text| text.contains(char::is_control)) {
            return Err(Damage::Header("a text in it has control characters"));
        }
        Ok(header)
    }
}
