//! Where tables are looked for.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use super::error::TableError;
use super::map::MappedFile;
use super::reader::{MappedTable, Table};
use super::record::Record;
use super::spec::Spec;

/// The environment variable that names the directory of the tables.
const VARIABLE: &str = "TABLETOP_TABLES";

/// The directories that are searched for tables, in this order.
#[derive(Debug, Clone)]
pub struct Places(Vec<PathBuf>);

impl Places {
    /// One directory and no other.
    pub fn only(directory: impl Into<PathBuf>) -> Places {
        Places(vec![directory.into()])
    }

    /// The directory named by `TABLETOP_TABLES` and no other; without it `tables` beside the executable, then
    /// `../share/tabletop/tables` from there, then `tables` in the working directory.
    pub fn from_environment() -> Places {
        match env::var_os(VARIABLE) {
            Some(directory) if directory != OsString::new() => Places::only(directory),
            _ => Places::usual(env::current_exe().ok().as_deref()),
        }
    }

    fn usual(executable: Option<&Path>) -> Places {
        let mut directories = Vec::new();
        if let Some(home) = executable.and_then(Path::parent) {
            directories.push(home.join("tables"));
            if let Some(prefix) = home.parent() {
                directories.push(prefix.join("share/tabletop/tables"));
            }
        }
        directories.push(PathBuf::from("tables"));
        Places(directories)
    }

    /// Opens a table at the first place that has it.
    pub fn open<R: Record>(&self, spec: &'static Spec) -> Result<MappedTable<R>, TableError> {
        for directory in &self.0 {
            let path = directory.join(spec.file_name());
            match MappedFile::open(&path) {
                Ok(file) => return Table::open(file, spec, &path),
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(TableError::Unreadable { spec, path, error }),
            }
        }
        Err(TableError::Missing { spec, searched: self.0.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installed_executable_finds_its_tables_beside_it_and_in_share() {
        let places = Places::usual(Some(Path::new("/opt/tabletop/bin/tabletop")));
        let expected = ["/opt/tabletop/bin/tables", "/opt/tabletop/share/tabletop/tables", "tables"];
        assert_eq!(places.0, expected.map(PathBuf::from));
    }
}
