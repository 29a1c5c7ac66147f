//! Where tables are looked for.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::bytes::TableBytes;
use super::error::TableError;
use super::reader::Table;
use super::record::Record;
use super::spec::Spec;

/// The environment variable that names the directory of the tables.
const VARIABLE: &str = "TABLETOP_TABLES";

/// Where the tables of a program are that has them built in, in place of a directory.
#[cfg(any(feature = "digest", feature = "embedded"))]
pub(super) const INSIDE_PROGRAM: &str = "inside the program";

/// The directories that are searched for tables, in this order, and how the tables are opened there.
#[derive(Debug, Clone)]
pub struct Places {
    directories: Vec<PathBuf>,
    access: Access,
}

/// How a table's file is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Map,
    Read,
    /// There is no file: the program has the bytes.
    #[cfg(feature = "embedded")]
    Program,
}

impl Access {
    fn open(self, path: &Path) -> io::Result<TableBytes> {
        match self {
            Access::Map => TableBytes::map(path),
            Access::Read => TableBytes::read(path),
            #[cfg(feature = "embedded")]
            Access::Program => {
                let name = path.file_name().and_then(|name| name.to_str());
                let bytes = name.and_then(super::embedded::embedded_table);
                bytes.map(TableBytes::Static).ok_or_else(|| io::ErrorKind::NotFound.into())
            }
        }
    }
}

impl Places {
    /// One directory and no other.
    pub fn only(directory: impl Into<PathBuf>) -> Places {
        Places::search(vec![directory.into()])
    }

    /// The directory named by `TABLETOP_TABLES` and no other. Without it, the program itself if it was built with the
    /// feature `embedded`; else `tables` beside the executable, `../share/tabletop/tables` from there, the person's
    /// [data directory](Places::data_directory), then `tables` in the working directory.
    pub fn from_environment() -> Places {
        match env::var_os(VARIABLE) {
            Some(directory) if directory != OsString::new() => Places::only(directory),
            _ => Places::usual(),
        }
    }

    #[cfg(feature = "embedded")]
    fn usual() -> Places {
        Places { directories: vec![PathBuf::from(INSIDE_PROGRAM)], access: Access::Program }
    }

    #[cfg(not(feature = "embedded"))]
    fn usual() -> Places {
        Places::search(usual_directories(env::current_exe().ok().as_deref(), Places::data_directory()))
    }

    /// The directory for tables that one person has installed: `tabletop/tables` in `$XDG_DATA_HOME` or
    /// `~/.local/share`, on macOS in `~/Library/Application Support`, on Windows in `%LOCALAPPDATA%`. `None` if the
    /// environment does not say where that is.
    pub fn data_directory() -> Option<PathBuf> {
        data_directory(env::consts::OS, |name| env::var_os(name))
    }

    /// No directory at all.
    pub(super) fn nowhere() -> Places {
        Places::search(Vec::new())
    }

    fn search(directories: Vec<PathBuf>) -> Places {
        Places { directories, access: Access::Map }
    }

    /// The same places, whose tables are read into memory instead of mapped.
    ///
    /// That takes longer, and afterwards nothing that is done to a file can reach the program. A mapped file that
    /// somebody shortens can end it with SIGBUS, which a server cannot afford.
    pub fn in_memory(self) -> Places {
        let access = if self.access == Access::Map { Access::Read } else { self.access };
        Places { access, ..self }
    }

    /// Opens a table at the first place that has tables: all of them come from there, so that none of another place, of
    /// who knows which origin, fills in for one that is missing.
    pub fn open<R: Record>(&self, spec: &'static Spec) -> Result<Table<TableBytes, R>, TableError> {
        let file_name = spec.file_name();
        for (number, directory) in self.directories.iter().enumerate() {
            let path = directory.join(&file_name);
            match self.access.open(&path) {
                Ok(bytes) => return Table::open(bytes, spec, &path),
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(TableError::Unreadable { spec, path, error });
                }
                // Of the only place nobody thinks that it might be another one.
                Err(_) if self.directories.len() > 1 && has_tables(directory) => {
                    let searched = self.directories[..=number].to_vec();
                    return Err(missing(spec, searched, Some(directory.clone())));
                }
                Err(_) => {}
            }
        }
        Err(missing(spec, self.directories.clone(), None))
    }
}

fn missing(spec: &'static Spec, searched: Vec<PathBuf>, beside: Option<PathBuf>) -> TableError {
    TableError::Missing { spec, searched, beside, has_generator: has_generator() }
}

/// Whether the generator is beside this program or in PATH.
fn has_generator() -> bool {
    let name = format!("tabletop-gen{}", env::consts::EXE_SUFFIX);
    let beside = env::current_exe().ok().and_then(|program| program.parent().map(Path::to_path_buf));
    let path = env::var_os("PATH").unwrap_or_default();
    beside.into_iter().chain(env::split_paths(&path)).any(|directory| directory.join(&name).is_file())
}

/// Whether a directory has any table.
fn has_tables(directory: &Path) -> bool {
    let Ok(entries) = fs::read_dir(directory) else { return false };
    entries.flatten().any(|entry| Path::new(&entry.file_name()).extension().is_some_and(|ending| ending == "tbl"))
}

#[cfg(any(test, not(feature = "embedded")))]
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

/// The person's directory for tables on a system, in an environment.
fn data_directory(system: &str, variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    // A relative path would mean another place in every working directory.
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
    fn an_installed_executable_finds_its_tables_beside_it_in_share_and_with_the_person() {
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
    fn the_person_has_a_directory_of_the_usual_name_on_every_system() {
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
