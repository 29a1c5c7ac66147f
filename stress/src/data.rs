//! Test data files in the layout of an ICPC problem package: `01.in`, `01.ans` and `01.desc`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabletop::game::{self, AnswerError, Error, Form, Judging, Load, SampleError, Sizes, TestGame, TestInput};
use tabletop::publish;

use crate::failure::{self, Failure};
use crate::plan::{Plan, Recipe};

/// An input, and the file that holds it.
pub struct InputFile {
    /// The file.
    pub path: PathBuf,
    /// The input.
    pub input: Arc<dyn TestInput>,
}

/// Draws inputs and writes them with their answers into a directory. The directory must not hold inputs yet.
pub fn write(game: &Arc<dyn TestGame>, plan: &Plan, shape: &Sizes, directory: &Path) -> Result<(), Failure> {
    fs::create_dir_all(directory)
        .map_err(|error| failure::file(directory, "created", &error, "name another directory"))?;
    if !inputs(directory)?.is_empty() {
        let directory = directory.display();
        return Err(Failure::new(format!("{directory}: holds test data already, remove it or name another directory")));
    }
    let width = plan.inputs.to_string().len().max(2);
    for number in 0..plan.inputs {
        let recipe = plan.recipe(number);
        let input = draw(game, recipe, shape)?;
        let name = format!("{:0width$}", number + 1);
        let about = input.describe();
        let about = if about.is_empty() { String::new() } else { format!(": {about}") };
        let description = format!("{}, {}, seed {}{about}\n", game.profile().name, recipe.kind, recipe.seed);
        let text = input.text();
        // The input is written last. If it exists, the other two files are complete.
        write_file(&directory.join(format!("{name}.desc")), description.as_bytes())?;
        write_file(&directory.join(format!("{name}.ans")), &answer(game, &text)?)?;
        write_file(&directory.join(format!("{name}.in")), &text)?;
    }
    Ok(())
}

/// The input of a recipe.
pub fn draw(game: &Arc<dyn TestGame>, recipe: Recipe, shape: &Sizes) -> Result<Arc<dyn TestInput>, Failure> {
    Arc::clone(game).sample(recipe.kind, shape, recipe.seed).map_err(|error| match error {
        SampleError::Game(error) => error.into(),
        other => Failure::Usage(format!("--shape: {other}")),
    })
}

/// The answer as the query prints it.
pub fn answer(game: &Arc<dyn TestGame>, text: &[u8]) -> Result<Vec<u8>, Failure> {
    game::answer(game, text, Form::Judge).map_err(|error| match error {
        AnswerError::Game { error, .. } => error.into(),
        other => Failure::Usage(other.to_string()),
    })
}

/// Reads an input file, or all inputs of a directory in the order of their names. An `.ans` file beside an input must
/// be right.
pub fn read(game: &Arc<dyn TestGame>, path: &Path) -> Result<Vec<InputFile>, Failure> {
    let files = if path.is_dir() { inputs(path)? } else { vec![path.to_owned()] };
    if files.is_empty() {
        return Err(Failure::new(format!("{}: holds no inputs, name a directory with .in files", path.display())));
    }
    files.into_iter().map(|path| Ok(InputFile { input: read_input(game, &path)?, path })).collect()
}

fn read_input(game: &Arc<dyn TestGame>, file: &Path) -> Result<Arc<dyn TestInput>, Failure> {
    let text = fs::read(file).map_err(|error| failure::file(file, "read", &error, "name a file that can be"))?;
    let input = game::read_test(game, &text);
    let input = input.map_err(|error| Failure::Usage(format!("{}, {error}", file.display())))?;
    if game.sample_load() == Load::Program {
        // A program reads a position only when it is asked about it. Its value is kept for the test.
        input.judge(b"", &Judging::default()).map_err(|error| match error {
            refused @ Error::Limit { .. } => {
                Failure::Usage(format!("{}, line {}: {refused}", file.display(), input.line(0)))
            }
            other => other.into(),
        })?;
    }
    let answer = file.with_extension("ans");
    if answer != file && answer.is_file() {
        let text = fs::read(&answer).map_err(|error| failure::file(&answer, "read", &error, "remove it"))?;
        if let Some(fault) = input.judge(&text, &Judging::default())?.fault {
            let (answer, reason) = (answer.display(), fault.reason);
            return Err(Failure::Usage(format!("{answer}: is not the answer: {reason}, remove it")));
        }
    }
    Ok(input)
}

/// The inputs of a directory in the order of their names.
fn inputs(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error: io::Error| failure::file(directory, "read", &error, "name another directory");
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

/// Writes a file that appears only when it is complete.
pub fn write_file(path: &Path, text: &[u8]) -> Result<(), Failure> {
    let failed = |error: io::Error| failure::file(path, "written", &error, "name another place");
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().ok_or_else(|| failed(io::ErrorKind::InvalidFilename.into()))?;
    publish::replace(directory, name, text).map_err(failed)
}
