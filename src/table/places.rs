//! Where tables are searched for.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
#[cfg(feature = "ranges")]
use std::sync::Arc;

use super::bytes::TableBytes;
use super::error::TableError;
use super::reader::Table;
use super::record::Record;
#[cfg(feature = "ranges")]
use super::source::{RangedFile, Ranges};
use super::spec::Spec;

/// Shown instead of a directory when the tables are built into the program.
#[cfg(any(feature = "digest", feature = "embedded"))]
pub(super) const INSIDE_PROGRAM: &str = "inside the program";

/// The directories that are searched for tables, in this order, and how the tables are opened there.
#[derive(Debug, Clone)]
pub struct Places {
    directories: Vec<PathBuf>,
    access: Access,
}

/// How a table's file is opened.
#[derive(Debug, Clone)]
enum Access {
    Map,
    Read,
    /// There is no file: the bytes are built into the program.
    #[cfg(feature = "embedded")]
    Program,
    /// The bytes arrive in ranges.
    #[cfg(feature = "ranges")]
    Ranges(Arc<dyn Ranges>),
}

impl Access {
    fn open(&self, path: &Path) -> io::Result<TableBytes> {
        match self {
            Access::Map => TableBytes::map(path),
            Access::Read => TableBytes::read(path),
            #[cfg(feature = "embedded")]
            Access::Program => {
                let name = path.file_name().and_then(|name| name.to_str());
                let bytes = name.and_then(super::embedded::embedded_table);
                bytes.map(TableBytes::from).ok_or_else(|| io::ErrorKind::NotFound.into())
            }
            #[cfg(feature = "ranges")]
            Access::Ranges(source) => {
                let name = path.file_name().and_then(|name| name.to_str());
                let file = name.and_then(|name| RangedFile::open(source, name));
                file.map(TableBytes::from).ok_or_else(|| io::ErrorKind::NotFound.into())
            }
        }
    }
}

impl Places {
    /// The environment variable that names the directory of the tables.
    pub const VARIABLE: &str = "TABLETOP_TABLES";

    /// Only this directory.
    pub fn only(directory: impl Into<PathBuf>) -> Places {
        Places::search(vec![directory.into()])
    }

    /// Only the directory in the variable `TABLETOP_TABLES`, if it is set. Otherwise the program itself, if it was
    /// built with the feature `embedded`. Otherwise, in this order: `tables` and `../share/tabletop/tables` relative to
    /// the executable's directory, the user's [data directory](Places::data_directory), `tables` in the working
    /// directory.
    pub fn from_environment() -> Places {
        match env::var_os(Places::VARIABLE) {
            Some(directory) if directory != OsString::new() => Places::only(directory),
            _ => Places::usual(),
        }
    }

    /// Like [`Places::from_environment`], but with this directory before all usual ones, and never the program itself.
    #[cfg(feature = "solved")]
    pub(crate) fn from_environment_with(first: &Path) -> Places {
        match env::var_os(Places::VARIABLE) {
            Some(directory) if directory != OsString::new() => Places::only(directory),
            _ => {
                let usual = usual_directories(env::current_exe().ok().as_deref(), Places::data_directory());
                let others = usual.into_iter().filter(|directory| directory != first);
                Places::search(std::iter::once(first.to_path_buf()).chain(others).collect())
            }
        }
    }

    /// The first directory that holds a file, or the same places if none does. Other tables do not count.
    #[cfg(feature = "kit")]
    pub(crate) fn holding(self, file_name: &str) -> Places {
        match self.path_of(file_name).as_deref().and_then(Path::parent) {
            Some(directory) => Places { directories: vec![directory.to_path_buf()], ..self },
            None => self,
        }
    }

    /// The path of a file in the first directory that holds it.
    #[cfg(feature = "kit")]
    pub(crate) fn path_of(&self, file_name: &str) -> Option<PathBuf> {
        self.directories.iter().map(|directory| directory.join(file_name)).find(|path| path.exists())
    }

    /// The program itself, whatever the environment says.
    #[cfg(feature = "embedded")]
    pub fn inside_program() -> Places {
        Places { directories: vec![PathBuf::from(INSIDE_PROGRAM)], access: Access::Program }
    }

    #[cfg(feature = "embedded")]
    fn usual() -> Places {
        Places::inside_program()
    }

    #[cfg(not(feature = "embedded"))]
    fn usual() -> Places {
        Places::search(usual_directories(env::current_exe().ok().as_deref(), Places::data_directory()))
    }

    /// The user's directory for installed tables: `tabletop/tables` in `$XDG_DATA_HOME` or `~/.local/share`, on macOS
    /// in `~/Library/Application Support`, on Windows in `%LOCALAPPDATA%`. `None` if the variables are not set.
    pub fn data_directory() -> Option<PathBuf> {
        data_directory(env::consts::OS, |name| env::var_os(name))
    }

    /// A source whose files arrive in ranges. Errors name it as `name`.
    #[cfg(feature = "ranges")]
    pub fn ranges(name: impl Into<PathBuf>, source: Arc<dyn Ranges>) -> Places {
        Places { directories: vec![name.into()], access: Access::Ranges(source) }
    }

    /// No directory.
    pub(super) fn nowhere() -> Places {
        Places::search(Vec::new())
    }

    fn search(directories: Vec<PathBuf>) -> Places {
        Places { directories, access: Access::Map }
    }

    /// The same places, but tables are read into memory instead of mapped.
    ///
    /// Opening takes longer, but later changes of a file cannot affect the program. A mapped file that becomes shorter
    /// can kill the program with SIGBUS, which a server must avoid.
    pub fn in_memory(self) -> Places {
        let access = if let Access::Map = self.access { Access::Read } else { self.access };
        Places { access, ..self }
    }

    /// Opens a table at the first place that contains any table. All tables come from this place, so that a missing
    /// table is never replaced by one of unknown origin from another place.
    pub fn open<R: Record>(&self, spec: &'static Spec) -> Result<Table<TableBytes, R>, TableError> {
        let Found { path, bytes } = self.find(spec)?;
        Table::open(bytes, spec, &path)
    }

    /// Finds the file of a table. It is not generic, so that the program contains it once and not per record type.
    fn find(&self, spec: &'static Spec) -> Result<Found, TableError> {
        let file_name = spec.file_name();
        for (number, directory) in self.directories.iter().enumerate() {
            let path = directory.join(&file_name);
            match self.access.open(&path) {
                Ok(bytes) => return Ok(Found { path, bytes }),
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(TableError::Unreadable { spec, path, error });
                }
                // With a single place, the message need not say where the other tables are.
                Err(_) if self.directories.len() > 1 && has_tables(directory) => {
                    let (searched, beside) = (self.directories[..=number].to_vec(), Some(directory.clone()));
                    return Err(TableError::Missing { spec, searched, beside });
                }
                Err(_) => {}
            }
        }
        Err(TableError::Missing { spec, searched: self.directories.clone(), beside: None })
    }
}

/// The file of a table.
struct Found {
    path: PathBuf,
    bytes: TableBytes,
}

/// Whether a directory contains any table.
fn has_tables(directory: &Path) -> bool {
    let Ok(entries) = fs::read_dir(directory) else { return false };
    entries.flatten().any(|entry| Path::new(&entry.file_name()).extension().is_some_and(|ending| ending == "tbl"))
}

#[cfg(any(test, feature = "solved", not(feature = "embedded")))]
fn usual_directories(executable: Option<&Path>, data: Option<PathBuf>) -> Vec<PathBuf> {
    let mut directories = Vec::new();
    if let Some(home) = executable.and_then(Path::parent) {
        directories.push(home.join("tables"));
        if let Some(prefix) = home.parent() {
            directories.push(prefix.join("share/tabletop/tables"));
        }
    }
    directories.extend(data);
    directories.push(PathBuf::from("tables"));
    directories
}

/// The user's directory for tables, for an operating system and its environment variables.
fn data_directory(system: &str, variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    // A relative path would mean a different directory in every working directory.
    let directory = |name| variable(name).map(PathBuf::from).filter(|path| path.has_root());
    let data = match system {
        "windows" => directory("LOCALAPPDATA"),
        "macos" => directory("HOME").map(|home| home.join("Library/Application Support")),
        _ => directory("XDG_DATA_HOME").or_else(|| directory("HOME").map(|home| home.join(".local/share"))),
    };
    data.map(|data| data.join("tabletop/tables"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_searched_beside_the_executable_in_share_and_in_the_data_directory() {
        let data = PathBuf::from("/home/ada/.local/share/tabletop/tables");
        let directories = usual_directories(Some(Path::new("/opt/tabletop/bin/tabletop")), Some(data));
        let expected = [
            "/opt/tabletop/bin/tables",
            "/opt/tabletop/share/tabletop/tables",
            "/home/ada/.local/share/tabletop/tables",
            "tables",
        ];
        assert_eq!(directories, expected.map(PathBuf::from));
        assert_eq!(usual_directories(None, None), [PathBuf::from("tables")]);
    }

    #[test]
    fn the_data_directory_follows_the_convention_of_each_system() {
        let environment = |pairs: &'static [(&str, &str)]| {
            move |name: &str| pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
        };
        let home = environment(&[("HOME", "/home/ada"), ("LOCALAPPDATA", "/Users/ada/AppData/Local")]);
        let directory = |system| data_directory(system, home).map(|path| path.display().to_string());
        assert_eq!(directory("linux").unwrap(), "/home/ada/.local/share/tabletop/tables");
        assert_eq!(directory("freebsd").unwrap(), "/home/ada/.local/share/tabletop/tables");
        assert_eq!(directory("macos").unwrap(), "/home/ada/Library/Application Support/tabletop/tables");
        assert_eq!(directory("windows").unwrap(), "/Users/ada/AppData/Local/tabletop/tables");
        let data = environment(&[("HOME", "/home/ada"), ("XDG_DATA_HOME", "/data")]);
        assert_eq!(data_directory("linux", data), Some(PathBuf::from("/data/tabletop/tables")));
        for (name, value) in [("XDG_DATA_HOME", "relative"), ("XDG_DATA_HOME", "")] {
            let variable = |asked: &str| match asked {
                "HOME" => Some(OsString::from("/home/ada")),
                _ => (asked == name).then(|| OsString::from(value)),
            };
            assert_eq!(
                data_directory("linux", variable),
                Some(PathBuf::from("/home/ada/.local/share/tabletop/tables"))
            );
        }
        for system in ["linux", "macos", "windows"] {
            assert_eq!(data_directory(system, |_| None), None);
        }
    }
}
