//! Finds the other programs of this project.

use std::env;
use std::path::PathBuf;

/// The file of the program with this name, from this program's directory or from PATH.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    let file_name = format!("{name}{}", env::consts::EXE_SUFFIX);
    let beside = env::current_exe().ok().and_then(|own| Some(own.parent()?.to_path_buf()));
    let path = env::var_os("PATH").unwrap_or_default();
    let directories = beside.into_iter().chain(env::split_paths(&path));
    directories.map(|directory| directory.join(&file_name)).find(|file| file.is_file())
}
