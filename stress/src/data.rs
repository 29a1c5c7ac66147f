//! Test data files in the layout of an ICPC problem package: `01.in`, `01.ans` and `01.desc`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::plan::{Plan, Shape};
use crate::subject::Subject;

/// Draws inputs and writes them with their answers into a directory. The directory must not hold inputs yet.
pub fn write<S: Subject>(subject: &S, plan: &Plan, shape: &Shape, directory: &Path) -> Result<(), Failure> {
    fs::create_dir_all(directory)
        .map_err(|error| Failure::file(directory, "created", &error, "name another directory"))?;
    if !inputs(directory)?.is_empty() {
        let directory = directory.display();
        return Err(Failure::File(format!(
            "{directory}: holds test data already, remove it or name another directory"
        )));
    }
    let width = plan.inputs.to_string().len().max(2);
    for number in 0..plan.inputs {
        let recipe = plan.recipe(number);
        let input = subject.draw(recipe, shape)?;
        let name = format!("{:0width$}", number + 1);
        let (game, about) = (subject.name(), subject.describe(&input));
        let about = if about.is_empty() { String::new() } else { format!(": {about}") };
        let description = format!("{game}, {}, seed {}{about}\n", recipe.draw, recipe.seed);
        // The input is written last. If it exists, the other two files are complete.
        write_file(&directory.join(format!("{name}.desc")), description.as_bytes())?;
        write_file(&directory.join(format!("{name}.ans")), &subject.answer(&input)?)?;
        write_file(&directory.join(format!("{name}.in")), &subject.text(&input))?;
    }
    Ok(())
}

/// Reads an input file, or all inputs of a directory in the order of their names. An `.ans` file beside an input must
/// be right.
pub fn read<S: Subject>(subject: &S, path: &Path) -> Result<Vec<(PathBuf, S::Input)>, Failure> {
    let files = if path.is_dir() { inputs(path)? } else { vec![path.to_owned()] };
    if files.is_empty() {
        return Err(Failure::File(format!("{}: holds no inputs, name a directory with .in files", path.display())));
    }
    files.into_iter().map(|file| Ok((file.clone(), read_input(subject, &file)?))).collect()
}

fn read_input<S: Subject>(subject: &S, file: &Path) -> Result<S::Input, Failure> {
    let text = fs::read(file).map_err(|error| Failure::file(file, "read", &error, "name a file that can be"))?;
    let input = subject.read(&text).map_err(|error| Failure::Usage(format!("{}, {error}", file.display())))?;
    let answer = file.with_extension("ans");
    if answer != file && answer.is_file() {
        let text = fs::read(&answer).map_err(|error| Failure::file(&answer, "read", &error, "remove it"))?;
        let judgement = subject.judge(&input, &text, std::time::Duration::ZERO)?;
        if !judgement.is_accepted() {
            let (answer, reason) = (answer.display(), judgement.reason);
            return Err(Failure::Usage(format!("{answer}: is not the answer: {reason}, remove it")));
        }
    }
    Ok(input)
}

/// The inputs of a directory in the order of their names.
fn inputs(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error: std::io::Error| Failure::file(directory, "read", &error, "name another directory");
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "in") && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Writes a file atomically.
pub fn write_file(path: &Path, text: &[u8]) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::file(path, "written", &error, "name another place");
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    // A temporary file is private by default. The umask decides who may read the result.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(directory).map_err(failed)?;
    file.write_all(text).and_then(|()| file.as_file().sync_all()).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}
