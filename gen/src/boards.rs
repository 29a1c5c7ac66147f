//! Balda's libraries of strong boards, played for much longer than a query may take.
//!
//! Every finished board is kept in a file of its own, so that a run which was stopped costs no more than the boards that
//! it was playing, and several machines can share the work. Such a file is a table of one board: what protects a table
//! protects it too.

mod check;
mod plan;
mod referee;
mod shard;

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use tabletop::balda::anneal;
use tabletop::balda::lexicon::Lexicon;
use tabletop::balda::library::{self, Library, StoredBoard};
use tabletop::balda::{Dawg, Dictionary, Language};
use tabletop::table::{Places, Table};

use self::plan::{Plan, Task};
pub(crate) use self::shard::Shard;
use crate::generator::{EncodedTable, Failure};
use crate::progress::Progress;
use crate::publish;
use crate::words::dictionary;

/// A language's words in the forms that playing and checking need.
struct Vocabulary {
    language: Language,
    dictionary: Dictionary,
    lexicon: Lexicon,
    dawg: Dawg,
}

impl Vocabulary {
    fn new(language: Language) -> Result<Vocabulary, Failure> {
        let dictionary = dictionary(language)?;
        let words: Vec<&[u8]> = dictionary.words().collect();
        let lexicon = Lexicon::new(&words, language.alphabet().len());
        let dawg = Dawg::new(&dictionary);
        Ok(Vocabulary { language, dictionary, lexicon, dawg })
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
    /// The boards that are shipped; finished ones are kept in `work`.
    pub(crate) fn shipped(work: &'a Path) -> Boards<'a> {
        Boards { plan: plan::SHIPPED, work }
    }

    /// Plays what is missing of a share of the boards, and says how much that was.
    pub(crate) fn play_shard(&self, shard: Shard, progress: &Progress) -> Result<String, Failure> {
        let (finished, played) = self.play(&Vocabulary::all()?, shard, progress)?;
        let (boards, all) = (finished.iter().flatten().count(), finished.len());
        Ok(format!("{}: share {shard}: {boards} of {all} boards, {played} of them played now", self.work.display()))
    }

    /// Plays what is missing of all boards, and makes the tables.
    pub(crate) fn tables(&self, progress: &Progress) -> Result<Vec<EncodedTable>, Failure> {
        let vocabularies = Vocabulary::all()?;
        let (finished, _) = self.play(&vocabularies, Shard::ALL, progress)?;
        let mut finished = finished.into_iter().flatten();
        let encode = |vocabulary: &Vocabulary| {
            let tasks = self.plan.tasks(vocabulary.language, &vocabulary.dictionary)?;
            let boards = finished.by_ref().take(tasks.len()).collect();
            let library = Library { words: vocabulary.dictionary.hash(), boards };
            Ok(EncodedTable::new(library::spec(vocabulary.language), &library.records()))
        };
        vocabularies.iter().map(encode).collect()
    }

    /// Facts about the tables in a directory.
    pub(crate) fn stats(&self, directory: &Path) -> Result<String, Failure> {
        let mut text = String::from("balda boards\n");
        for language in Language::ALL {
            let library = Library::open(&Places::only(directory), language)?;
            for side in self.plan.efforts.iter().map(|effort| effort.side) {
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

    /// The boards of a share by the order of languages, sides and numbers, `None` for those of other shares; and how many
    /// of them had to be played.
    fn play(
        &self,
        vocabularies: &[Vocabulary],
        shard: Shard,
        progress: &Progress,
    ) -> Result<(Vec<Option<StoredBoard>>, usize), Failure> {
        let mut tasks = Vec::new();
        for vocabulary in vocabularies {
            let of_language = self.plan.tasks(vocabulary.language, &vocabulary.dictionary)?;
            tasks.extend(of_language.into_iter().map(|task| (vocabulary, task)));
        }
        let count = tasks.len();
        let mut share: Vec<_> = tasks.into_iter().enumerate().filter(|(piece, _)| shard.has(*piece)).collect();
        // The large boards take longest; begun last, one of them would be waited for.
        share.sort_by_key(|(_, (_, task))| std::cmp::Reverse(task.side));
        let bar = progress.steps("boards", share.len() as u64);
        bar.tick();
        let played = AtomicUsize::new(0);
        let obtain = |(piece, (vocabulary, task)): (usize, (&Vocabulary, Task))| {
            let stored = self.obtain(&task, vocabulary, &played)?;
            bar.inc(1);
            Ok((piece, stored))
        };
        let obtained: Result<Vec<_>, Failure> = share.into_par_iter().with_max_len(1).map(obtain).collect();
        bar.finish_and_clear();
        let mut finished = vec![None; count];
        for (piece, stored) in obtained? {
            finished[piece] = Some(stored);
        }
        Ok((finished, played.into_inner()))
    }

    /// The board of a task: the one that is kept, or else one that is played and kept.
    fn obtain(&self, task: &Task, vocabulary: &Vocabulary, played: &AtomicUsize) -> Result<StoredBoard, Failure> {
        let path = self.work.join(task.file_name(&vocabulary.dictionary));
        if let Some(stored) = kept(&path, task, vocabulary) {
            return Ok(stored);
        }
        let stored = play_board(task, vocabulary)?;
        keep(&path, &stored, vocabulary).map_err(|error| {
            Failure::new(format!("{}: cannot be written: {error}, choose with --work", path.display()))
        })?;
        played.fetch_add(1, Ordering::Relaxed);
        Ok(stored)
    }
}

/// Breeds a board from nothing.
fn play_board(task: &Task, vocabulary: &Vocabulary) -> Result<StoredBoard, Failure> {
    let starts = task.starts(&vocabulary.dictionary);
    let played = anneal::breed(&vocabulary.lexicon, &starts, task.proposals, task.seed());
    let best = referee::best_game(&played.board, &vocabulary.dawg);
    let is_full = best.moves.len() == played.board.order.len();
    if is_full && best.points() < played.game.points() {
        return Err(Failure::new(format!(
            "board {} of {}, side {}: the engine claims {} points where the rules allow {}, mend the engine",
            task.number,
            task.language,
            task.side,
            played.game.points(),
            best.points()
        )));
    }
    Ok(StoredBoard { points: best.points() as u16, board: played.board })
}

/// The board that a file keeps; `None` if there is no file or it is damaged, so that the board is played anew.
fn kept(path: &Path, task: &Task, vocabulary: &Vocabulary) -> Option<StoredBoard> {
    let file = fs::read(path).ok()?;
    let table = Table::open(&file[..], library::spec(task.language), path).ok()?;
    let library = Library::read(&table, task.language).ok()?;
    let is_of_task = library.words == vocabulary.dictionary.hash();
    let [stored] = &library.boards[..] else { return None };
    (is_of_task && stored.start() == task.start).then(|| stored.clone())
}

/// Keeps a board in a file, which is there wholly or not at all.
fn keep(path: &Path, stored: &StoredBoard, vocabulary: &Vocabulary) -> io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let library = Library { words: vocabulary.dictionary.hash(), boards: vec![stored.clone()] };
    let table = EncodedTable::new(library::spec(vocabulary.language), &library.records());
    fs::create_dir_all(directory)?;
    publish::write(directory, &name, &table.bytes)?.persist(path).map_err(|error| error.error)?;
    publish::sync_directory(directory)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::plan::Effort;
    use super::*;

    /// As much as a test has time for.
    pub(super) const TINY: Plan<'static> = Plan {
        efforts: &[Effort { side: 9, boards: 2, proposals: 3000 }, Effort { side: 11, boards: 1, proposals: 3000 }],
    };

    fn bytes(boards: &Boards) -> Vec<Vec<u8>> {
        boards.tables(&Progress::new("boards")).unwrap().into_iter().map(|table| table.bytes).collect()
    }

    fn share(boards: &Boards, shard: &str) -> String {
        let report = boards.play_shard(shard.parse().unwrap(), &Progress::new("boards")).unwrap();
        report.strip_prefix(&format!("{}: ", boards.work.display())).unwrap().to_owned()
    }

    #[test]
    fn shares_damage_and_interruption_change_no_byte_of_the_tables() {
        let (whole, shared) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let expected = bytes(&Boards { plan: TINY, work: whole.path() });
        let work = shared.path().join("new/work");
        let boards = Boards { plan: TINY, work: &work };
        assert_eq!(share(&boards, "2/2"), "share 2/2: 4 of 9 boards, 4 of them played now");
        assert_eq!(share(&boards, "1/2"), "share 1/2: 5 of 9 boards, 5 of them played now");
        assert_eq!(share(&boards, "1/1"), "share 1/1: 9 of 9 boards, 0 of them played now");
        let mut files: Vec<PathBuf> = fs::read_dir(&work).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        assert_eq!(files.len(), 9);
        let intact = fs::read(&files[0]).unwrap();
        let flipped: Vec<u8> = intact.iter().enumerate().map(|(at, byte)| byte ^ u8::from(at == 200)).collect();
        fs::write(&files[0], flipped).unwrap();
        fs::write(&files[1], &intact[..100]).unwrap();
        fs::copy(&files[3], &files[2]).unwrap();
        fs::remove_file(&files[4]).unwrap();
        assert_eq!(share(&boards, "1/1"), "share 1/1: 9 of 9 boards, 4 of them played now");
        assert_eq!(fs::read(&files[0]).unwrap(), intact);
        assert_eq!(bytes(&boards), expected);
    }

    #[test]
    fn a_place_that_cannot_be_written_is_named_with_a_way_out() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let boards = Boards { plan: TINY, work: file.path() };
        let failure = boards.tables(&Progress::new("boards")).err().unwrap().to_string();
        assert!(failure.contains("cannot be written") && failure.ends_with("choose with --work"), "{failure}");
    }
}
