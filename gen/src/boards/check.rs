//! Proving that the tables of boards on disk are right, without playing all of them again.

use std::path::Path;

use indicatif::HumanCount;
use rayon::prelude::*;
use tabletop::balda::library::{self, Library, StoredBoard};
use tabletop::table::{MappedTable, Places};

use super::plan::Task;
use super::{Boards, Vocabulary, play_board, referee};
use crate::generator::{EncodedTable, Failure, Proof};
use crate::seeded::Seeded;
use crate::sums::{self, Sums};

/// Where chance begins for the choice of the board that is played again from nothing: one of all, so that a check ends
/// within two or three minutes.
const SAMPLE_SEED: u64 = 2;

impl Boards<'_> {
    /// Proves the tables in `directory`, and says what was proved in one line per table.
    ///
    /// That they are what would be written now is proved as far as playing a sample again can: the digests, the encoding,
    /// the words, the start words and the legality and points of every board are looked at wholly.
    pub(crate) fn check(&self, directory: &Path) -> Result<Vec<String>, Failure> {
        let sums = Sums::read(directory)
            .map_err(|error| Failure::new(format!("{}: {error}", directory.join(sums::FILE_NAME).display())))?;
        // What can be seen at once is looked at in all tables before the first board is played.
        let opened: Vec<_> = Vocabulary::all()?
            .into_iter()
            .map(|vocabulary| Ok((self.open(&vocabulary, directory, &sums)?, vocabulary)))
            .collect::<Result<_, Failure>>()?;
        let sample = self.sample(opened.iter().flat_map(|(opened, _)| &opened.tasks));
        opened.par_iter().map(|(opened, vocabulary)| self.prove(opened, vocabulary, sample)).collect()
    }

    /// The board that is played again: one of the smallest side, because these are the quickest.
    fn sample<'a>(&self, tasks: impl Iterator<Item = &'a Task>) -> Option<&'a Task> {
        let side = self.plan.smallest_side();
        let candidates: Vec<&Task> = tasks.filter(|task| task.side == side).collect();
        let most = candidates.len().max(1) as u64;
        candidates.get(Seeded(SAMPLE_SEED).below(most) as usize).copied()
    }

    /// Opens a table and compares what needs no board to be understood.
    fn open(&self, vocabulary: &Vocabulary, directory: &Path, sums: &Sums) -> Result<Opened, Failure> {
        let spec = library::spec(vocabulary.language);
        let table: MappedTable<u8> = Places::only(directory).open(spec)?;
        let library = Library::read(&table, vocabulary.language)?;
        let opened = Opened {
            name: table.path().display().to_string(),
            remedy: format!("run `tabletop-gen boards --out {}`", directory.display()),
            table: EncodedTable::new(spec, &library.records()),
            tasks: self.plan.tasks(vocabulary.language, &vocabulary.dictionary)?,
            library,
        };
        if opened.table.bytes != table.file_bytes() {
            return Err(opened.wrong("its boards are encoded otherwise than now"));
        }
        if !sums.agrees(&opened.table) {
            return Err(opened.wrong("its digest in SHA256SUMS is missing or wrong"));
        }
        if opened.library.words != vocabulary.dictionary.hash() {
            return Err(opened.wrong("made of other words than those of the list"));
        }
        let starts = opened.library.boards.iter().map(StoredBoard::start);
        if !starts.eq(opened.tasks.iter().map(|task| &task.start[..])) {
            return Err(opened.wrong("its boards have other start words than are played now"));
        }
        Ok(opened)
    }

    /// Replays every board of a table, and plays the sample again if it is one of them.
    fn prove(&self, opened: &Opened, vocabulary: &Vocabulary, sample: Option<&Task>) -> Result<String, Failure> {
        let boards: Vec<(&Task, &StoredBoard)> = opened.tasks.iter().zip(&opened.library.boards).collect();
        boards.par_iter().try_for_each(|(task, stored)| opened.replay(task, stored, vocabulary))?;
        let mut proved =
            vec![format!("all {} boards replayed by the rules, legal and for the points stated", boards.len())];
        for (task, stored) in boards.iter().filter(|(task, _)| sample.is_some_and(|sample| std::ptr::eq(*task, sample)))
        {
            if play_board(task, vocabulary)? != **stored {
                return Err(opened.wrong_board(task, "differs from the board that is played now"));
            }
            proved.push(format!("board {} of side {} played again, identical", task.number, task.side));
        }
        let proof = Proof::of(proved);
        let (positions, bytes) = (opened.table.positions as u64, opened.table.bytes.len() as u64);
        Ok(format!("{}: {} positions, {} bytes: {proof}", opened.name, HumanCount(positions), HumanCount(bytes)))
    }
}

/// A table that is being checked.
struct Opened {
    name: String,
    remedy: String,
    table: EncodedTable,
    library: Library,
    tasks: Vec<Task>,
}

impl Opened {
    fn wrong(&self, what: &str) -> Failure {
        Failure::new(format!("{}: {what}, {}", self.name, self.remedy))
    }

    fn wrong_board(&self, task: &Task, what: &str) -> Failure {
        self.wrong(&format!("board {} of side {} {what}", task.number, task.side))
    }

    /// Finds the best game of a board without the engine, and has the rules judge it.
    fn replay(&self, task: &Task, stored: &StoredBoard, vocabulary: &Vocabulary) -> Result<(), Failure> {
        let game = referee::best_game(&stored.board, &vocabulary.dawg);
        game.check(|word| vocabulary.dictionary.contains(word))
            .map_err(|illegal| self.wrong_board(task, &format!("breaks a rule at {illegal}")))?;
        if game.points() != u32::from(stored.points) {
            let what = format!("makes {} points where {} are stated", game.points(), stored.points);
            return Err(self.wrong_board(task, &what));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tabletop::balda::{Language, WordListHash};

    use super::super::plan::{Effort, Plan};
    use super::super::tests::TINY;
    use super::*;
    use crate::progress::Progress;
    use crate::publish::publish;

    #[test]
    fn a_check_proves_right_tables_and_finds_what_is_wrong() {
        let (work, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let boards = Boards { plan: TINY, work: work.path() };
        let refusal = |boards: &Boards| boards.check(out.path()).unwrap_err().to_string();
        assert!(refusal(&boards).contains("balda-boards-en.tbl: table missing"));

        let tables = boards.tables(&Progress::new("boards")).unwrap();
        publish(&tables, out.path()).unwrap();
        let lines = boards.check(out.path()).unwrap();
        assert_eq!(lines.len(), 3);
        let proof = ": all 3 boards replayed by the rules, legal and for the points stated";
        assert!(lines.iter().all(|line| line.contains(": 554 positions, ") && line.contains(proof)), "{lines:?}");
        let played = lines.iter().filter(|line| line.ends_with(" of side 9 played again, identical"));
        assert_eq!(played.count(), 1, "{lines:?}");
        let facts = boards.stats(out.path()).unwrap();
        assert_eq!(facts.lines().count(), 7, "{facts}");
        assert!(facts.contains("  ru, side 9: 2 boards, points "), "{facts}");

        let other = Boards {
            plan: Plan { efforts: &[Effort { proposals: 60_000, ..TINY.efforts[0] }, TINY.efforts[1]] },
            ..boards
        };
        assert!(
            refusal(&other).contains("of side 9 differs from the board that is played now, run `tabletop-gen boards")
        );
        let fewer = Boards { plan: Plan { efforts: &TINY.efforts[..1] }, ..boards };
        assert!(refusal(&fewer).contains("its boards have other start words than are played now"));

        let table: MappedTable<u8> = Places::only(out.path()).open(&library::ENGLISH).unwrap();
        let library = Library::read(&table, Language::English).unwrap();
        let with = |change: &dyn Fn(&mut Library)| {
            let mut changed = library.clone();
            change(&mut changed);
            publish(&[EncodedTable::new(&library::ENGLISH, &changed.records())], out.path()).unwrap();
            refusal(&boards)
        };
        let points = library.boards[2].points;
        let stated = format!("board 1 of side 11 makes {points} points where {} are stated", points + 1);
        assert!(with(&|library| library.boards[2].points += 1).contains(&stated));
        assert!(with(&|library| library.words = WordListHash(7)).contains("made of other words"));
        assert!(with(&|library| drop(library.boards.pop())).contains("other start words"));
        publish(&tables, out.path()).unwrap();
        fs::remove_file(out.path().join(sums::FILE_NAME)).unwrap();
        assert!(refusal(&boards).contains("its digest in SHA256SUMS is missing or wrong"));
    }
}
