//! Balda's libraries of strong boards. Breeding a board takes much longer than a query may.
//!
//! Each board has its own checkpoint file, which is rewritten after every start word. So a stopped run loses at most
//! one start word per board in progress, and several machines can share the work. The tables are made from the finished
//! boards, no matter which machine bred them.

mod breeding;
mod check;
mod checkpoint;
mod plan;
mod referee;
mod shard;

use std::cmp::Reverse;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use serde::Serialize;
use tabletop::balda::Annealed;
use tabletop::balda::{Dawg, Dictionary, Gaddag, Language, Start};
use tabletop::bars::Bars;
use tabletop::internal::balda::Resumable;
use tabletop::internal::balda::library::{self, Library, StoredBoard};
use tabletop::table::{Places, TableError};
use tabletop::text::to_json;

use self::breeding::Breeding;
use self::checkpoint::Checkpoint;
use self::plan::{Plan, Task};
pub(crate) use self::shard::Shard;

use crate::generator::{EncodedTable, Failure};
use crate::words::dictionary;

/// A board in the list of all boards.
#[derive(Serialize)]
struct Line {
    name: String,
    generation: usize,
    /// Number of proposals.
    effort: u64,
    state: &'static str,
    /// Number of start words that are done.
    done: usize,
    turns: usize,
    file: String,
}

/// A language's words in the forms that playing and checking need.
struct Vocabulary {
    language: Language,
    dictionary: Dictionary,
    gaddag: Gaddag,
    dawg: Dawg,
}

impl Vocabulary {
    fn new(language: Language) -> Result<Vocabulary, Failure> {
        let dictionary = dictionary(language)?;
        let gaddag = Gaddag::new(&dictionary).map_err(|error| Failure::new(error.to_string()))?;
        let dawg = Dawg::new(&dictionary);
        Ok(Vocabulary { language, dictionary, gaddag, dawg })
    }

    fn all() -> Result<Vec<Vocabulary>, Failure> {
        Language::ALL.into_par_iter().map(Vocabulary::new).collect()
    }
}

/// The generator of the three tables of boards.
pub(crate) struct Boards<'a> {
    plan: Plan<'a>,
    work: &'a Path,
}

impl<'a> Boards<'a> {
    /// The shipped boards, with their checkpoints in `work`.
    pub(crate) fn shipped(work: &'a Path) -> Boards<'a> {
        Boards { plan: plan::SHIPPED, work }
    }

    /// The same boards with `proposals` for each, if given.
    pub(crate) fn with_effort(mut self, proposals: Option<u64>) -> Boards<'a> {
        self.plan.proposals = proposals.or(self.plan.proposals);
        self
    }

    /// Breeds the unfinished boards of a shard whose parents are finished. Returns a line that says how many there were.
    pub(crate) fn breed_shard(&self, shard: Shard, bars: &Bars) -> Result<String, Failure> {
        let vocabularies = Vocabulary::all()?;
        let tasks = self.tasks(&vocabularies)?;
        let all = tasks.len();
        let share = tasks.into_iter().enumerate().filter(|(number, _)| shard.has(*number)).map(|(_, task)| task);
        let (mut ready, mut waiting) = (Vec::new(), 0);
        for (vocabulary, task) in share {
            if self.can_continue(&task, vocabulary)? {
                ready.push((vocabulary, task));
            } else {
                waiting += 1;
            }
        }
        let boards = ready.len() + waiting;
        let bred = self.breed(ready, bars)?;
        let mut line =
            format!("{}: share {shard}: {boards} of {all} boards, {bred} of them bred now", self.work.display());
        if waiting > 0 {
            line.push_str(&format!(", {waiting} wait for boards of an earlier generation, run all shares again"));
        }
        Ok(line)
    }

    /// Continues the board called `name` for at most `most_turns` start words. Returns a line with its state.
    pub(crate) fn breed_only(&self, name: &str, most_turns: Option<usize>) -> Result<String, Failure> {
        let language = name.split('-').next().and_then(|language| language.parse().ok());
        let unknown = || Failure::new(format!("no board is called '{name}', choose one that `boards --list` names"));
        let vocabulary = Vocabulary::new(language.ok_or_else(unknown)?)?;
        let tasks = self.plan.tasks(vocabulary.language, &vocabulary.dictionary)?;
        let task = tasks.into_iter().find(|task| task.name() == name).ok_or_else(unknown)?;
        let checkpoint = self.advance(&task, &vocabulary, most_turns.unwrap_or(usize::MAX))?;
        Ok(format!("{}: {}: {}", self.work.display(), task.name(), State::of(Some(&checkpoint))))
    }

    /// Breeds all unfinished boards.
    pub(crate) fn breed_all(&self, bars: &Bars) -> Result<(), Failure> {
        let vocabularies = Vocabulary::all()?;
        self.breed(self.tasks(&vocabularies)?, bars).map(drop)
    }

    /// A line of JSON for each board: its name, generation, effort in proposals, state and file.
    pub(crate) fn list(&self) -> Result<Vec<String>, Failure> {
        let vocabularies = Vocabulary::all()?;
        let line = |(vocabulary, task): (&Vocabulary, Task)| {
            let checkpoint = self.checkpoint(&task, vocabulary)?;
            let line = Line {
                name: task.name(),
                generation: task.generation,
                effort: task.proposals,
                state: State::of(checkpoint.as_ref()).word(),
                done: checkpoint.as_ref().map_or(0, Checkpoint::done),
                turns: task.identity(&vocabulary.dictionary).turns,
                file: task.file_name(&vocabulary.dictionary),
            };
            Ok(String::from_utf8_lossy(&to_json(&line)).into_owned())
        };
        let mut tasks = self.tasks(&vocabularies)?;
        sort_by_urgency(&mut tasks);
        tasks.into_iter().map(line).collect()
    }

    /// The tables of the finished boards, and the names of the unfinished ones.
    pub(crate) fn merge(&self) -> Result<Merged, Failure> {
        fs::read_dir(self.work).map_err(|error| {
            let path = self.work.display();
            Failure::new(format!("{path}: cannot be read: {error}, name the directory of the boards with --work"))
        })?;
        let mut merged = Merged { tables: Vec::new(), finished: Vec::new(), unfinished: Vec::new() };
        for vocabulary in &Vocabulary::all()? {
            let finished = self.finished(vocabulary)?;
            merged.tables.push(table(vocabulary, &finished));
            merged.finished.push((vocabulary.language, finished.len()));
            for task in self.plan.tasks(vocabulary.language, &vocabulary.dictionary)? {
                if finished.iter().all(|finished| finished.task != task) {
                    let state = State::of(self.checkpoint(&task, vocabulary)?.as_ref());
                    merged.unfinished.push(format!("{} {state}", task.name()));
                }
            }
        }
        Ok(merged)
    }

    /// Fails if a table in `directory` holds more boards than the one that would replace it.
    pub(crate) fn require_no_loss(&self, merged: &Merged, directory: &Path) -> Result<(), Failure> {
        for &(language, finished) in &merged.finished {
            let stored = stored_boards(directory, language)?;
            if finished < stored {
                let path = directory.join(library::spec(language).file_name());
                return Err(Failure::new(format!(
                    "{}: holds {stored} boards, but {finished} are finished in {}, name the directory of the boards with \
                     --work, or remove the table",
                    path.display(),
                    self.work.display()
                )));
            }
        }
        Ok(())
    }

    /// The finished boards of a language.
    fn finished(&self, vocabulary: &Vocabulary) -> Result<Vec<Finished>, Failure> {
        let tasks = self.plan.tasks(vocabulary.language, &vocabulary.dictionary)?;
        let mut finished = Vec::new();
        for task in tasks {
            let Some(checkpoint) = self.checkpoint(&task, vocabulary)? else { continue };
            let Some(board) = checkpoint.board.clone() else { continue };
            finished.push(Finished { task, checkpoint, board });
        }
        Ok(finished)
    }

    /// Facts about the tables in a directory.
    pub(crate) fn stats(&self, directory: &Path) -> Result<String, Failure> {
        let mut text = String::from("balda boards\n");
        for language in Language::ALL {
            let library = Library::open(&Places::only(directory), language)?;
            for side in self.plan.sides() {
                let points: Vec<u16> =
                    library.boards.iter().filter(|stored| stored.side() == side).map(|stored| stored.points).collect();
                let (Some(least), Some(most)) = (points.iter().min(), points.iter().max()) else { continue };
                let mean = points.iter().map(|&points| f64::from(points)).sum::<f64>() / points.len() as f64;
                text.push_str(&format!(
                    "  {language}, side {side}: {} boards, points {least} to {most}, mean {mean:.1}\n",
                    points.len()
                ));
            }
        }
        Ok(text)
    }

    /// Every board, ordered by language, side and number.
    fn tasks<'v>(&self, vocabularies: &'v [Vocabulary]) -> Result<Vec<(&'v Vocabulary, Task)>, Failure> {
        let mut tasks = Vec::new();
        for vocabulary in vocabularies {
            let of_language = self.plan.tasks(vocabulary.language, &vocabulary.dictionary)?;
            tasks.extend(of_language.into_iter().map(|task| (vocabulary, task)));
        }
        Ok(tasks)
    }

    /// Finishes the boards, one generation after the other, the most urgent first. Returns how many were not finished
    /// before.
    fn breed(&self, mut tasks: Vec<(&Vocabulary, Task)>, bars: &Bars) -> Result<usize, Failure> {
        sort_by_urgency(&mut tasks);
        let bar = bars.steps("boards", tasks.len() as u64);
        bar.tick();
        let bred = AtomicUsize::new(0);
        for generation in tasks.chunk_by(|(_, one), (_, next)| one.generation == next.generation) {
            // `par_bridge` hands out the tasks one by one, so the most urgent ones start first.
            generation.iter().par_bridge().try_for_each(|(vocabulary, task)| {
                if !self.is_finished(task, vocabulary)? {
                    self.advance(task, vocabulary, usize::MAX)?;
                    bred.fetch_add(1, Ordering::Relaxed);
                }
                bar.inc(1);
                Ok::<(), Failure>(())
            })?;
        }
        bar.finish_and_clear();
        Ok(bred.into_inner())
    }

    fn is_finished(&self, task: &Task, vocabulary: &Vocabulary) -> Result<bool, Failure> {
        Ok(self.checkpoint(task, vocabulary)?.is_some_and(|checkpoint| checkpoint.board.is_some()))
    }

    /// Whether all parents of a board are finished. A board that has begun needs no parents.
    fn can_continue(&self, task: &Task, vocabulary: &Vocabulary) -> Result<bool, Failure> {
        if self.checkpoint(task, vocabulary)?.is_some() {
            return Ok(true);
        }
        for parent in &task.parents {
            if !self.is_finished(parent, vocabulary)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Continues a board for at most `most_turns` start words. Writes its checkpoint before the first and after each.
    fn advance(&self, task: &Task, vocabulary: &Vocabulary, most_turns: usize) -> Result<Checkpoint, Failure> {
        let path = self.path(task, vocabulary);
        let starts = task.starts(&vocabulary.dictionary);
        let breeding = breeding(task, vocabulary, &starts)?;
        let write = |checkpoint: &Checkpoint| {
            let written = checkpoint.write(&path);
            written.map_err(|error| Failure::unwritable(&path.display(), &error, "choose with --work"))
        };
        let mut checkpoint = match self.checkpoint(task, vocabulary)? {
            Some(checkpoint) => checkpoint,
            None => {
                let state = begin(task, &breeding, |parent| {
                    Ok(self.checkpoint(parent, vocabulary)?.and_then(|checkpoint| checkpoint.board))
                })?;
                let begun = Checkpoint::begin(task.identity(&vocabulary.dictionary), state);
                write(&begun)?;
                begun
            }
        };
        for _ in 0..most_turns {
            let Some(state) = checkpoint.latest() else { break };
            let bred = breeding.step(checkpoint.done(), state).ok_or_else(|| cannot_be_bred(task))?;
            checkpoint.advance(bred.state);
            if checkpoint.done() == starts.len() {
                checkpoint.board = Some(finish(task, vocabulary, bred.best)?);
            }
            write(&checkpoint)?;
        }
        Ok(checkpoint)
    }

    /// The checkpoint of a board. `None` if the file is missing or damaged: the board is then bred from the beginning.
    fn checkpoint(&self, task: &Task, vocabulary: &Vocabulary) -> Result<Option<Checkpoint>, Failure> {
        let path = self.path(task, vocabulary);
        Checkpoint::read(&path, task.identity(&vocabulary.dictionary)).map_err(|error| {
            Failure::new(format!(
                "{}: cannot be read: {error}, make it readable or choose another directory with --work",
                path.display()
            ))
        })
    }

    fn path(&self, task: &Task, vocabulary: &Vocabulary) -> PathBuf {
        self.work.join(task.file_name(&vocabulary.dictionary))
    }
}

/// The most unfinished boards that a summary names.
const MOST_NAMED: usize = 6;

/// The tables of the finished boards.
pub(crate) struct Merged {
    pub(crate) tables: Vec<EncodedTable>,
    /// Number of finished boards of each language.
    finished: Vec<(Language, usize)>,
    unfinished: Vec<String>,
}

impl Merged {
    /// How many boards are finished, and which are not.
    pub(crate) fn summary(&self) -> String {
        let finished: usize = self.finished.iter().map(|(_, boards)| boards).sum();
        let mut summary = format!("{finished} of {} boards finished", finished + self.unfinished.len());
        let (named, more) = self.unfinished.split_at(self.unfinished.len().min(MOST_NAMED));
        if !named.is_empty() {
            summary.push_str(&format!("; {}", named.join(", ")));
        }
        if !more.is_empty() {
            summary.push_str(&format!(" and {} more, `boards --list` names all", more.len()));
        }
        summary
    }
}

/// Number of boards in the table of a language in `directory`. A table that is missing, damaged or outdated has none.
fn stored_boards(directory: &Path, language: Language) -> Result<usize, Failure> {
    match Library::open(&Places::only(directory), language) {
        Ok(library) => Ok(library.boards.len()),
        Err(TableError::Unreadable { path, error, .. }) => {
            Err(Failure::new(format!("{}: cannot be read: {error}, choose with --out", path.display())))
        }
        Err(_) => Ok(0),
    }
}

/// A finished board with its checkpoint.
struct Finished {
    task: Task,
    checkpoint: Checkpoint,
    board: StoredBoard,
}

/// The table of a language's finished boards.
fn table(vocabulary: &Vocabulary, finished: &[Finished]) -> EncodedTable {
    let boards = finished.iter().map(|finished| finished.board.clone()).collect();
    let library = Library { words: vocabulary.dictionary.hash(), boards };
    EncodedTable::new(library::spec(vocabulary.language), &library.records())
}

/// The progress of a board.
#[derive(Clone, Copy)]
enum State {
    Missing,
    Half { done: usize, turns: usize },
    Done,
}

impl State {
    fn of(checkpoint: Option<&Checkpoint>) -> State {
        match checkpoint {
            None => State::Missing,
            Some(checkpoint) if checkpoint.board.is_some() => State::Done,
            Some(checkpoint) => State::Half { done: checkpoint.done(), turns: checkpoint.identity.turns },
        }
    }

    fn word(self) -> &'static str {
        match self {
            State::Missing => "missing",
            State::Half { .. } => "half",
            State::Done => "done",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            State::Half { done, turns } => write!(f, "half ({done} of {turns} start words)"),
            state => f.write_str(state.word()),
        }
    }
}

/// Sorts by generation, then by round, language and side. The largest sides come first, because they take longest.
fn sort_by_urgency(tasks: &mut [(&Vocabulary, Task)]) {
    let language = |task: &Task| Language::ALL.iter().position(|&language| language == task.language);
    tasks.sort_by_key(|(_, task)| (task.generation, task.round, language(task), Reverse(task.side)));
}

/// The state in which a breeding begins. `finished` returns the board of a parent, if it is finished.
fn begin(
    task: &Task,
    breeding: &Breeding<'_>,
    finished: impl Fn(&Task) -> Result<Option<StoredBoard>, Failure>,
) -> Result<Resumable, Failure> {
    let mut parents = Vec::new();
    for parent in &task.parents {
        let stored = finished(parent)?.ok_or_else(|| {
            let (name, parent) = (task.name(), parent.name());
            Failure::new(format!("{name}: its parent {parent} is not finished, breed it with `boards --only {parent}`"))
        })?;
        parents.push(stored.board);
    }
    Ok(breeding.begin(task.seed(), &parents))
}

/// Prepares to breed the board of a task under these start words.
fn breeding<'a>(task: &Task, vocabulary: &'a Vocabulary, starts: &'a [Start]) -> Result<Breeding<'a>, Failure> {
    Breeding::new(&vocabulary.gaddag, starts, task.proposals, task.heat).ok_or_else(|| cannot_be_bred(task))
}

fn cannot_be_bred(task: &Task) -> Failure {
    let (language, side) = (task.language, task.side);
    Failure::new(format!("board {}: no start words of it, add {language} words of {side} letters", task.name()))
}

/// Proposals of the first attempt to fill the gaps of a board. Each further attempt doubles them.
const MENDING_PROPOSALS: u64 = 100_000;

/// The most attempts to fill the gaps, about half an hour in all. If they fail, the word list is too small.
const MOST_MENDINGS: u32 = 15;

/// Fills the gaps of a bred board, and counts its points by the rules. A breeding ends at a temperature that may leave
/// cells without a word, so the board is annealed further until every cell has one.
fn finish(task: &Task, vocabulary: &Vocabulary, mut played: Annealed) -> Result<StoredBoard, Failure> {
    for attempt in 0..MOST_MENDINGS {
        let best = referee::best_game(&played.board, &vocabulary.dawg);
        if best.moves.len() == played.board.order.len() {
            return full_board(task, best.letters(), played);
        }
        let starts = [played.game.start.clone()];
        let mended =
            breeding(task, vocabulary, &starts)?.mend(&played.board, MENDING_PROPOSALS << attempt, task.seed());
        played = mended.ok_or_else(|| cannot_be_bred(task))?;
    }
    Err(Failure::new(format!("board {}: cannot be filled without a gap, add words to the list", task.name())))
}

fn full_board(task: &Task, points: u32, played: Annealed) -> Result<StoredBoard, Failure> {
    if points < played.game.letters() {
        return Err(Failure::new(format!(
            "board {}: the engine claims {} points where the rules allow {points}, mend the engine",
            task.name(),
            played.game.letters()
        )));
    }
    Ok(StoredBoard { points: points as u16, board: played.board })
}

#[cfg(test)]
mod tests {
    use super::plan::{ALL, Effort};
    use super::*;

    /// A plan that is small enough for a test.
    pub(super) const TINY: Plan<'static> = Plan {
        efforts: &[Effort { boards: 2, proposals: 3000, ..ALL }, Effort { side: 11, proposals: 3000, ..ALL }],
        turns: 4,
        proposals: None,
    };

    fn bytes(boards: &Boards) -> Vec<Vec<u8>> {
        let merged = boards.merge().unwrap();
        assert_eq!(merged.summary(), "9 of 9 boards finished");
        merged.tables.into_iter().map(|table| table.bytes).collect()
    }

    fn share(boards: &Boards, shard: &str) -> String {
        let report = boards.breed_shard(shard.parse().unwrap(), &Bars::new("boards")).unwrap();
        report.strip_prefix(&format!("{}: ", boards.work.display())).unwrap().to_owned()
    }

    #[test]
    fn the_tables_do_not_depend_on_shards_damage_or_interruption() {
        let (whole, shared) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let boards = Boards { plan: TINY, work: whole.path() };
        boards.breed_all(&Bars::new("boards")).unwrap();
        let expected = bytes(&boards);
        let work = shared.path().join("new/work");
        let boards = Boards { plan: TINY, work: &work };
        assert!(
            boards.breed_only("ru-9-3000-2", Some(3)).unwrap().ends_with(": ru-9-3000-2: half (3 of 4 start words)")
        );
        assert_eq!(share(&boards, "2/2"), "share 2/2: 4 of 9 boards, 4 of them bred now");
        assert_eq!(share(&boards, "1/2"), "share 1/2: 5 of 9 boards, 5 of them bred now");
        assert_eq!(share(&boards, "1/1"), "share 1/1: 9 of 9 boards, 0 of them bred now");
        let mut files: Vec<PathBuf> = fs::read_dir(&work).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        assert_eq!(files.len(), 9);
        let intact = fs::read(&files[0]).unwrap();
        let flipped: Vec<u8> = intact.iter().enumerate().map(|(at, byte)| byte ^ u8::from(at == 200)).collect();
        fs::write(&files[0], flipped).unwrap();
        fs::write(&files[1], &intact[..100]).unwrap();
        fs::copy(&files[3], &files[2]).unwrap();
        fs::remove_file(&files[4]).unwrap();
        assert_eq!(share(&boards, "1/1"), "share 1/1: 9 of 9 boards, 4 of them bred now");
        assert_eq!(fs::read(&files[0]).unwrap(), intact);
        assert_eq!(bytes(&boards), expected);
    }

    #[test]
    fn breeding_step_by_step_writes_the_same_file() {
        let (at_once, in_steps) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        Boards { plan: TINY, work: at_once.path() }.breed_only("tr-11-3000-1", None).unwrap();
        let boards = Boards { plan: TINY, work: in_steps.path() };
        let states = (0..5).map(|_| boards.breed_only("tr-11-3000-1", Some(1)).unwrap());
        let states: Vec<String> = states.map(|line| line.rsplit(": ").next().unwrap().to_owned()).collect();
        let half = |done: usize| format!("half ({done} of 4 start words)");
        assert_eq!(states, [half(1), half(2), half(3), String::from("done"), String::from("done")]);
        let file =
            |directory: &Path| fs::read(fs::read_dir(directory).unwrap().next().unwrap().unwrap().path()).unwrap();
        assert_eq!(file(at_once.path()), file(in_steps.path()));
    }

    #[test]
    fn the_list_has_the_state_of_every_board_and_a_merge_names_the_unfinished() {
        let work = tempfile::tempdir().unwrap();
        let boards = Boards { plan: TINY, work: work.path() };
        boards.breed_only("en-9-3000-1", None).unwrap();
        boards.breed_only("en-11-3000-1", Some(1)).unwrap();
        let lines = boards.list().unwrap();
        let file = |line: &str| line.split('"').rev().nth(1).unwrap().to_owned();
        let half = r#"{"name":"en-11-3000-1","generation":1,"effort":3000,"state":"half","done":1,"turns":4,"file":"en-11-3000-1-"#;
        assert!(lines[0].starts_with(half) && work.path().join(file(&lines[0])).is_file(), "{}", lines[0]);
        let done = r#"{"name":"en-9-3000-1","generation":1,"effort":3000,"state":"done","done":4,"turns":4,"file":"en-9-3000-1-"#;
        assert!(lines[1].starts_with(done) && work.path().join(file(&lines[1])).is_file(), "{}", lines[1]);
        let missing =
            r#"{"name":"ru-11-3000-1","generation":1,"effort":3000,"state":"missing","done":0,"turns":4,"file":"ru-"#;
        assert!(lines[2].starts_with(missing) && !work.path().join(file(&lines[2])).exists(), "{}", lines[2]);
        assert!(lines.len() == 9 && lines[8].starts_with(r#"{"name":"tr-9-3000-2","#), "{lines:?}");

        let merged = boards.merge().unwrap();
        let expected = "1 of 9 boards finished; en-9-3000-2 missing, en-11-3000-1 half (1 of 4 start words), ru-9-3000-1 missing, ";
        assert!(merged.summary().starts_with(expected), "{}", merged.summary());
        assert!(merged.summary().ends_with(" missing and 2 more, `boards --list` names all"), "{}", merged.summary());
        let library = |table: &EncodedTable| Library::read(&table.open().unwrap(), Language::English).unwrap();
        assert_eq!(library(&merged.tables[0]).boards.len(), 1);

        for name in ["en-9-3000-3", "en-7-3000-1", "de-9-3000-1", "", "en-9-3000-01", "en-9-1"] {
            let failure = boards.breed_only(name, None).unwrap_err().to_string();
            assert!(failure.contains("choose one that `boards --list` names"), "{failure}");
        }
    }

    #[test]
    fn a_board_waits_for_its_parents_and_needs_them_only_to_begin() {
        let second = Effort { proposals: 3000, ..plan::SECOND };
        let plan = Plan { efforts: &[TINY.efforts[0], second], ..TINY };
        let (work, in_order) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let boards = Boards { plan, work: work.path() };
        let (parent, child) = ("tr-9-3000-1", "tr-9-generation2-3000-1");
        let failure = boards.breed_only(child, Some(0)).unwrap_err().to_string();
        let remedy = format!("its parent {parent} is not finished, breed it with `boards --only {parent}`");
        assert_eq!(failure, format!("{child}: {remedy}"));
        let bars = Bars::new("boards");
        let line = boards.breed_shard("1/1".parse().unwrap(), &bars).unwrap();
        let waiting =
            "9 of 9 boards, 6 of them bred now, 3 wait for boards of an earlier generation, run all shares again";
        assert!(line.ends_with(waiting), "{line}");

        // A strong board in the place of the parent: the parents of this test are too weak to begin with.
        let vocabulary = Vocabulary::new(Language::Turkish).unwrap();
        let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables");
        let shipped = Library::open(&Places::only(&tables), Language::Turkish).unwrap().boards;
        let side_9 = shipped.into_iter().filter(|stored| stored.side() == 9);
        let strong = side_9.max_by_key(|stored| stored.points).unwrap();
        let tasks = plan.tasks(Language::Turkish, &vocabulary.dictionary).unwrap();
        let task = tasks.iter().find(|task| task.name() == child).unwrap();
        let task = Task { start: strong.start().to_vec(), turns: 1, ..task.clone() };
        let starts = task.starts(&vocabulary.dictionary);
        let breeding = breeding(&task, &vocabulary, &starts).unwrap();
        let state = begin(&task, &breeding, |_| Ok(Some(strong.clone()))).unwrap();
        assert_ne!(state, breeding.begin(task.seed(), &[]));
        assert_eq!(state, breeding.begin(task.seed(), &[strong.board]));

        let begun = boards.breed_only(child, Some(0)).unwrap();
        assert!(begun.ends_with(": half (0 of 4 start words)"), "{begun}");
        let file = |directory: &Path, name: &str| {
            let paths = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
            let mut named = paths.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(name));
            named.next().unwrap()
        };
        fs::remove_file(file(work.path(), parent)).unwrap();
        boards.breed_only(child, None).unwrap();
        Boards { plan, work: in_order.path() }.breed_all(&bars).unwrap();
        let bytes = |directory: &Path| fs::read(file(directory, child)).unwrap();
        assert_eq!(bytes(work.path()), bytes(in_order.path()));
    }

    #[test]
    fn a_board_with_gaps_is_annealed_until_it_is_full() {
        let work = tempfile::tempdir().unwrap();
        let plan = Plan { turns: 1, proposals: Some(1), ..TINY };
        let boards = Boards { plan, work: work.path() };
        let vocabulary = Vocabulary::new(Language::English).unwrap();
        let task = &plan.tasks(Language::English, &vocabulary.dictionary).unwrap()[0];
        let starts = task.starts(&vocabulary.dictionary);
        let breeding = breeding(task, &vocabulary, &starts).unwrap();
        let random = breeding.step(0, &breeding.begin(task.seed(), &[])).unwrap().best;
        let gaps = |board| 72 - referee::best_game(board, &vocabulary.dawg).moves.len();
        assert!(gaps(&random.board) > 0);
        boards.breed_only("en-9-1-1", None).unwrap();
        let stored = boards.checkpoint(task, &vocabulary).unwrap().unwrap().board.unwrap();
        assert_eq!((gaps(&stored.board), stored.start()), (0, &task.start[..]));
    }

    #[cfg(unix)]
    #[test]
    fn an_unwritable_work_directory_is_named_with_a_remedy() {
        let directory = tempfile::tempdir().unwrap();
        // Nothing is there to be read, and nothing can be created there.
        let dangling = directory.path().join("work");
        std::os::unix::fs::symlink("nowhere", &dangling).unwrap();
        let boards = Boards { plan: TINY, work: &dangling };
        let failure = boards.breed_all(&Bars::new("boards")).unwrap_err().to_string();
        assert!(failure.contains("cannot be written") && failure.ends_with("choose with --work"), "{failure}");
    }

    #[test]
    fn a_checkpoint_that_cannot_be_read_is_an_error_and_stays() {
        let work = tempfile::tempdir().unwrap();
        let boards = Boards { plan: TINY, work: work.path() };
        boards.breed_only("tr-9-3000-1", Some(1)).unwrap();
        let path = fs::read_dir(work.path()).unwrap().next().unwrap().unwrap().path();
        fs::remove_file(&path).unwrap();
        // A directory in the place of the file: reading fails for every user.
        fs::create_dir(&path).unwrap();
        let expected = format!("{}: cannot be read: ", path.display());
        for failure in [
            boards.breed_only("tr-9-3000-1", Some(1)).unwrap_err(),
            boards.breed_all(&Bars::new("boards")).unwrap_err(),
            boards.list().unwrap_err(),
            boards.merge().err().unwrap(),
        ] {
            assert!(failure.to_string().starts_with(&expected), "{failure}");
        }
        assert!(path.is_dir());
    }

    #[test]
    fn a_merge_refuses_to_lose_boards() {
        let (work, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let boards = Boards { plan: TINY, work: work.path() };
        boards.breed_only("ru-9-3000-1", None).unwrap();
        let merged = boards.merge().unwrap();
        boards.require_no_loss(&merged, &out.path().join("missing")).unwrap();
        boards.require_no_loss(&merged, out.path()).unwrap();
        crate::publish::write_tables(&merged.tables, out.path(), "").unwrap();
        boards.require_no_loss(&merged, out.path()).unwrap();

        let empty = tempfile::tempdir().unwrap();
        let boards = Boards { plan: TINY, work: empty.path() };
        boards.breed_only("tr-9-3000-1", None).unwrap();
        let merged = boards.merge().unwrap();
        let failure = boards.require_no_loss(&merged, out.path()).unwrap_err().to_string();
        let path = out.path().join("balda-boards-ru.tbl");
        let expected = format!("{}: holds 1 boards, but 0 are finished in ", path.display());
        assert!(failure.starts_with(&expected) && failure.contains("--work"), "{failure}");
        fs::write(path, "damaged").unwrap();
        boards.require_no_loss(&merged, out.path()).unwrap();
    }
}
