//! `SHA256SUMS`, in the format of `sha256sum -c`.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;

use tabletop::table::{SUMS_FILE, SumsLine};
use tabletop::table::{read_regular_file, sha256};

use crate::generator::EncodedTable;

/// The digests of tables by file name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums(BTreeMap<String, String>);

impl Sums {
    /// Reads the file in `directory`. Without a file there are no digests.
    pub(crate) fn read(directory: &Path) -> io::Result<Sums> {
        match read_regular_file(&directory.join(SUMS_FILE)) {
            Ok(bytes) => Ok(Sums::parse(&String::from_utf8_lossy(&bytes))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Sums::default()),
            Err(error) => Err(error),
        }
    }

    /// Drops lines that are not a digest and a name: the file is always rewritten as a whole.
    fn parse(text: &str) -> Sums {
        Sums(
            text.lines()
                .filter_map(SumsLine::parse)
                .map(|line| (line.name.to_owned(), line.digest.to_owned()))
                .collect(),
        )
    }

    /// Records the digest of a table.
    pub(crate) fn set(&mut self, table: &EncodedTable) {
        self.0.insert(table.spec.file_name(), sha256(&table.bytes));
    }

    /// Forgets the digest of a table.
    pub(crate) fn remove(&mut self, file_name: &str) {
        self.0.remove(file_name);
    }

    /// The digest of a table, if the file has it.
    pub(crate) fn digest(&self, file_name: &str) -> Option<&str> {
        self.0.get(file_name).map(String::as_str)
    }

    /// Whether the file has no digest.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the file has the digest of this table.
    pub(crate) fn agrees(&self, table: &EncodedTable) -> bool {
        self.digest(&table.spec.file_name()) == Some(sha256(&table.bytes).as_str())
    }
}

impl fmt::Display for Sums {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(name, digest)| writeln!(f, "{digest}  {name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_well_formed_lines_are_kept_and_they_come_back_sorted() {
        let digest = "0123456789abcdef".repeat(4);
        let text = format!("{digest}  z.tbl\nnonsense\nabc  short.tbl\n{digest}  a.tbl\n");
        assert_eq!(Sums::parse(&text).to_string(), format!("{digest}  a.tbl\n{digest}  z.tbl\n"));
    }
}
