//! A table of any game, without a description of what it should contain.

use std::error::Error;
use std::path::{Path, PathBuf};

use super::bytes::TableBytes;
use super::error::{Damage, Refusal};
use super::header::Header;
use super::prelude::{BlockIndex, Prelude};
use super::reader::{decompress, plain};
use crate::text::visible_path;

/// A table of any game: its header and the bytes of its records.
#[derive(Debug)]
pub struct AnyTable {
    path: PathBuf,
    data: TableBytes,
    header: Header,
    index: BlockIndex,
}

/// Why a file is not a table that can be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}, name a table or make it again", visible_path(.path))]
pub struct NotReadable {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: String,
    #[source]
    cause: Box<dyn Error + Send + Sync>,
}

impl NotReadable {
    fn of(path: &Path, refusal: Refusal) -> NotReadable {
        let cause: Box<dyn Error + Send + Sync> = match refusal {
            Refusal::Damage(damage) => damage.into(),
            Refusal::Mismatch(mismatch) => mismatch.into(),
            #[cfg(feature = "ranges")]
            Refusal::Absent => unreachable!("the whole file was read"),
        };
        NotReadable { path: path.to_path_buf(), reason: cause.to_string(), cause }
    }
}

impl AnyTable {
    /// Reads the file and checks everything except the blocks.
    pub fn open(path: &Path) -> Result<AnyTable, NotReadable> {
        let path = path.to_path_buf();
        let data = match TableBytes::read(&path) {
            Ok(data) => data,
            Err(error) => {
                return Err(NotReadable { path, reason: format!("cannot be read: {error}"), cause: error.into() });
            }
        };
        let Prelude { header, index } = Prelude::read(&data).map_err(|refusal| NotReadable::of(&path, refusal))?;
        Ok(AnyTable { path, data, header, index })
    }

    /// The header in the file.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The number of blocks.
    pub fn block_count(&self) -> usize {
        self.index.blocks
    }

    /// Checks and unpacks a block: the little-endian bytes of its records, one after the other.
    pub fn block(&self, block: usize) -> Result<Vec<u8>, NotReadable> {
        self.unpacked(block).map_err(|refusal| NotReadable::of(&self.path, refusal))
    }

    fn unpacked(&self, block: usize) -> Result<Vec<u8>, Refusal> {
        let entry = self.index.entry(block).ok_or(Damage::Index { block })?;
        let first = block as u64 * u64::from(self.header.block_records);
        let count = self.header.positions.saturating_sub(first).min(u64::from(self.header.block_records)) as usize;
        let size = self.header.records.size();
        let bytes = decompress(&self.data, block, entry, count * size, &mut None)?;
        Ok(plain(bytes, count, size, self.header.layout))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{RecordType, Remedy, Spec, Values, encode};

    static HALVES: Spec = Spec {
        name: "halves",
        game: "test",
        rules: "record i is i / 2",
        records: RecordType::F64,
        block_records: 10,
        positions: Some(25),
        values: Values::UpTo(12.0),
        remedy: Remedy::Advice("run the tests"),
    };

    #[test]
    fn the_bytes_of_all_blocks_are_those_of_the_records() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("halves.tbl");
        let halves: Vec<f64> = (0..25).map(|i| f64::from(i) / 2.0).collect();
        std::fs::write(&path, encode(&HALVES, "test 1", &halves)).unwrap();
        let table = AnyTable::open(&path).unwrap();
        assert_eq!((table.header().name.as_str(), table.block_count()), ("halves", 3));
        let bytes: Vec<u8> = (0..3).flat_map(|block| table.block(block).unwrap()).collect();
        assert_eq!(bytes, halves.iter().flat_map(|half| half.to_le_bytes()).collect::<Vec<u8>>());
        assert!(table.block(3).is_err());
        let missing = AnyTable::open(&directory.path().join("none.tbl")).err().unwrap();
        assert!(missing.to_string().ends_with("name a table or make it again"), "{missing}");
        assert!(missing.source().unwrap().is::<std::io::Error>());
    }
}
