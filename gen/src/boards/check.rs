//! Checks the tables of boards on disk without breeding every board again.

use std::path::Path;

use indicatif::HumanCount;
use rayon::prelude::*;
use tabletop::internal::balda::Resumable;
use tabletop::internal::balda::library;
use tabletop::seeded::Seeded;
use tabletop::table::SUMS_FILE;
use tabletop::table::{Places, Table, TableBytes};

use super::breeding::Breeding;
use super::checkpoint::Digest;
use super::plan::Task;
use super::{Boards, Finished, Vocabulary, breeding, cannot_be_bred, finish, referee};
use crate::generator::{EncodedTable, Failure, Proof};
use crate::sums::Sums;

/// Seed for the choice of what is bred again: two start words per table, so that a check takes a minute or two.
const SAMPLE_SEED: u64 = 2;

impl Boards<'_> {
    /// Proves the tables in `directory`. Returns one line per table that says what was proved.
    ///
    /// A table must hold exactly the finished boards. Every board must be legal, without a gap, and worth the points
    /// stated, and must begin as it would begin now. Whether the boards were bred by this engine is checked on a sample:
    /// one board per table is bred again under a seeded start word and under its last one, from the stored state to the
    /// stored digest.
    pub(crate) fn check(&self, directory: &Path) -> Result<Vec<String>, Failure> {
        let sums = Sums::read(directory)
            .map_err(|error| Failure::new(format!("{}: {error}", directory.join(SUMS_FILE).display())))?;
        // The fast checks of all tables come before the slow breeding.
        let opened: Vec<_> = Vocabulary::all()?
            .into_iter()
            .map(|vocabulary| Ok((self.open(&vocabulary, directory, &sums)?, vocabulary)))
            .collect::<Result<_, Failure>>()?;
        opened.par_iter().map(|(opened, vocabulary)| opened.prove(vocabulary)).collect()
    }

    /// Opens a table, and compares it with one made from the finished boards.
    fn open(&self, vocabulary: &Vocabulary, directory: &Path, sums: &Sums) -> Result<Opened, Failure> {
        let found: Table<TableBytes, u8> = Places::only(directory).open(library::spec(vocabulary.language))?;
        let finished = self.finished(vocabulary)?;
        let opened = Opened {
            name: found.path().display().to_string(),
            remedy: format!("run `tabletop-gen boards --merge --out {}`", directory.display()),
            table: super::table(vocabulary, &finished),
            finished,
        };
        if opened.table.bytes != found.file_bytes()? {
            return Err(opened.wrong(&format!("differs from the finished boards in {}", self.work.display())));
        }
        if !sums.agrees(&opened.table) {
            return Err(opened.wrong("its digest in SHA256SUMS is missing or wrong"));
        }
        Ok(opened)
    }
}

/// A table that is being checked, and the boards that it holds.
struct Opened {
    name: String,
    remedy: String,
    table: EncodedTable,
    finished: Vec<Finished>,
}

impl Opened {
    /// Replays every board of the table by the rules, begins it again, and breeds a sample again.
    fn prove(&self, vocabulary: &Vocabulary) -> Result<String, Failure> {
        self.finished.par_iter().try_for_each(|finished| {
            self.replay(finished, vocabulary)?;
            self.begin_again(finished, vocabulary)
        })?;
        let mut proved = vec![format!(
            "all {} boards replayed by the rules, legal, without a gap and for the points stated",
            self.finished.len()
        )];
        proved.extend(self.breed_sample(vocabulary)?);
        let proof = Proof::of(proved);
        let (positions, bytes) = (self.table.positions as u64, self.table.bytes.len() as u64);
        Ok(format!("{}: {} positions, {} bytes: {proof}", self.name, HumanCount(positions), HumanCount(bytes)))
    }

    /// Breeds one board of the table again. Returns a text that names it, or `None` if the table has no boards.
    fn breed_sample(&self, vocabulary: &Vocabulary) -> Result<Option<String>, Failure> {
        let mut seeded = Seeded(SAMPLE_SEED);
        let mut draw = |count: usize| seeded.below(count.max(1) as u64) as usize;
        let with_states: Vec<&Finished> = self.finished.iter().filter(|board| board.checkpoint.done() > 0).collect();
        if let Some(&sample) = with_states.get(draw(with_states.len())) {
            let turns: Vec<usize> = sample.checkpoint.states.keys().copied().collect();
            let (turn, last) = (turns[draw(turns.len())], sample.checkpoint.identity.turns - 1);
            [turn, last].par_iter().try_for_each(|&turn| self.breed_again(sample, turn, vocabulary))?;
            let words = format!("start words {} and {}", turn + 1, last + 1);
            return Ok(Some(format!("{} bred again under {words}, identical", sample.task.name())));
        }
        let Some(sample) = self.finished.get(draw(self.finished.len())) else { return Ok(None) };
        self.breed_from_nothing(sample, vocabulary)?;
        Ok(Some(format!("{} bred again from nothing, identical", sample.task.name())))
    }

    /// Breeds a board again under all its start words.
    fn breed_from_nothing(&self, sample: &Finished, vocabulary: &Vocabulary) -> Result<(), Failure> {
        let task = &sample.task;
        let starts = task.starts(&vocabulary.dictionary);
        let breeding = breeding(task, vocabulary, &starts)?;
        let first = breeding.step(0, &self.begin(task, &breeding)?);
        let last = (1..starts.len()).try_fold(first, |bred, turn| Some(breeding.step(turn, &bred?.state)));
        let bred = last.flatten().ok_or_else(|| cannot_be_bred(task))?;
        if finish(task, vocabulary, bred.best)? != sample.board {
            return Err(self.wrong_board(task, "differs from the board that is bred now"));
        }
        Ok(())
    }

    /// Checks that a board began as it would begin now.
    fn begin_again(&self, finished: &Finished, vocabulary: &Vocabulary) -> Result<(), Failure> {
        let Finished { task, checkpoint, .. } = finished;
        let Some(first) = checkpoint.states.get(&0) else { return Ok(()) };
        let starts = task.starts(&vocabulary.dictionary);
        if self.begin(task, &breeding(task, vocabulary, &starts)?)? != *first {
            return Err(self.wrong_board(task, "does not begin as it would now"));
        }
        Ok(())
    }

    /// The state in which a breeding begins, with the parents of this table.
    fn begin(&self, task: &Task, breeding: &Breeding<'_>) -> Result<Resumable, Failure> {
        super::begin(task, breeding, |parent| {
            let finished = self.finished.iter().find(|finished| finished.task == *parent);
            Ok(finished.map(|finished| finished.board.clone()))
        })
    }

    /// Breeds a board again from a stored state under start word `turn`. The new state must have the stored digest, and
    /// after the last start word the board must be the stored one.
    fn breed_again(&self, sample: &Finished, turn: usize, vocabulary: &Vocabulary) -> Result<(), Failure> {
        let Finished { task, checkpoint, board } = sample;
        let starts = task.starts(&vocabulary.dictionary);
        let breeding = breeding(task, vocabulary, &starts)?;
        let differs = || self.wrong_board(task, &format!("becomes another under start word {}", turn + 1));
        let bred = breeding.step(turn, &checkpoint.states[&turn]).ok_or_else(|| cannot_be_bred(task))?;
        if Digest::of(&bred.state) != checkpoint.digests[turn] {
            return Err(differs());
        }
        let is_last = turn + 1 == checkpoint.identity.turns;
        if is_last && finish(task, vocabulary, bred.best)? != *board {
            return Err(differs());
        }
        Ok(())
    }

    /// Finds the best game of a board without the engine, and checks it by the rules.
    fn replay(&self, finished: &Finished, vocabulary: &Vocabulary) -> Result<(), Failure> {
        let Finished { task, board: stored, .. } = finished;
        let game = referee::best_game(&stored.board, &vocabulary.dawg);
        game.check(|word| vocabulary.dictionary.contains(word))
            .map_err(|illegal| self.wrong_board(task, &format!("breaks a rule at {illegal}")))?;
        if game.letters() != u32::from(stored.points) {
            let what = format!("makes {} points where {} are stated", game.letters(), stored.points);
            return Err(self.wrong_board(task, &what));
        }
        let gaps = stored.board.order.len() - game.moves.len();
        if gaps > 0 {
            return Err(self.wrong_board(task, &format!("leaves {gaps} cells empty")));
        }
        Ok(())
    }

    fn wrong(&self, what: &str) -> Failure {
        Failure::new(format!("{}: {what}, {}", self.name, self.remedy))
    }

    fn wrong_board(&self, task: &Task, what: &str) -> Failure {
        let what = format!("board {} {what}", task.name());
        Failure::new(format!(
            "{}: {what}, remove its file and run `tabletop-gen boards --only {}`",
            self.name,
            task.name()
        ))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tabletop::balda::Language;
    use tabletop::bars::Bars;
    use tabletop::internal::balda::library::StoredBoard;

    use super::super::checkpoint::Checkpoint;
    use super::super::plan::Plan;
    use super::super::tests::TINY;
    use super::*;
    use crate::publish::write_tables;

    #[test]
    fn a_check_accepts_right_tables_and_refuses_wrong_ones() {
        let (work, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let boards = Boards { plan: TINY, work: work.path() };
        let refusal = |boards: &Boards| boards.check(out.path()).unwrap_err().to_string();
        assert!(refusal(&boards).contains("balda-boards-en.tbl: table missing"));

        boards.breed_all(&Bars::new("boards")).unwrap();
        let merge = || write_tables(&boards.merge().unwrap().tables, out.path(), "").unwrap();
        merge();
        let lines = boards.check(out.path()).unwrap();
        assert_eq!(lines.len(), 3);
        let proof = ": all 3 boards replayed by the rules, legal, without a gap and for the points stated";
        assert!(lines.iter().all(|line| line.contains(": 554 positions, ") && line.contains(proof)), "{lines:?}");
        assert!(lines.iter().all(|line| line.ends_with(" and 4, identical")), "{lines:?}");
        let facts = boards.stats(out.path()).unwrap();
        assert_eq!(facts.lines().count(), 7, "{facts}");
        assert!(facts.contains("  ru, side 9: 2 boards, points "), "{facts}");

        fs::remove_file(out.path().join(SUMS_FILE)).unwrap();
        assert!(refusal(&boards).contains("its digest in SHA256SUMS is missing or wrong"));

        let vocabulary = Vocabulary::new(Language::English).unwrap();
        let tasks = TINY.tasks(Language::English, &vocabulary.dictionary).unwrap();
        let with = |change: &dyn Fn(&Task, &mut Checkpoint)| {
            for task in &tasks {
                let mut checkpoint = boards.checkpoint(task, &vocabulary).unwrap().unwrap();
                change(task, &mut checkpoint);
                checkpoint.write(&boards.path(task, &vocabulary)).unwrap();
            }
            let refused = refusal(&boards);
            merge();
            (refused, refusal(&boards))
        };
        let board =
            |checkpoint: &mut Checkpoint, change: &dyn Fn(&mut StoredBoard)| change(checkpoint.board.as_mut().unwrap());

        let (unmerged, merged) = with(&|_, checkpoint| board(checkpoint, &|stored| stored.points += 1));
        let remedy = format!("run `tabletop-gen boards --merge --out {}`", out.path().display());
        assert!(unmerged.contains("differs from the finished boards in") && unmerged.ends_with(&remedy), "{unmerged}");
        assert!(merged.contains("points where") && merged.contains("remove its file and run"), "{merged}");

        // Boards that are legal and have the right points, but were bred with another effort.
        let elsewhere = tempfile::tempdir().unwrap();
        let other = Boards { plan: Plan { proposals: Some(4000), ..TINY }, work: elsewhere.path() };
        other.breed_all(&Bars::new("boards")).unwrap();
        let bred = other.finished(&vocabulary).unwrap();
        let (_, merged) = with(&|task, checkpoint| {
            let same = bred.iter().find(|finished| finished.task.start == task.start).unwrap();
            board(checkpoint, &|stored| *stored = same.board.clone());
        });
        assert!(merged.contains("becomes another under start word 4, remove its file"), "{merged}");
        let (_, merged) = with(&|_, checkpoint| {
            checkpoint.states.retain(|&turn, _| turn == 0);
            checkpoint.digests.clear();
        });
        assert!(merged.contains("differs from the board that is bred now, remove its file"), "{merged}");
        for task in &tasks {
            fs::remove_file(boards.path(task, &vocabulary)).unwrap();
        }
        boards.breed_all(&Bars::new("boards")).unwrap();
        let (_, merged) = with(&|_, checkpoint| checkpoint.states.get_mut(&0).unwrap().random ^= 1);
        assert!(merged.contains("does not begin as it would now, remove its file"), "{merged}");
        for task in &tasks {
            fs::remove_file(boards.path(task, &vocabulary)).unwrap();
        }
        boards.breed_all(&Bars::new("boards")).unwrap();
        let (_, merged) = with(&|_, checkpoint| checkpoint.digests[3] = Digest::of_bytes(b"another state"));
        assert!(merged.contains("becomes another under start word 4, remove its file"), "{merged}");
    }
}
