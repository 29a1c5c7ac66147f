//! Finds the best game of a finished board with a given fill order, without the engine.
//!
//! A path that spells a word can be used in one turn only: the turn that fills the last of its cells. So a game assigns
//! to each turn one of the words that it can make, and no word twice. A word is worth its length in any turn. The sets
//! of words that can be made together are the independent sets of a transversal matroid, so a greedy choice is optimal:
//! try the longest words first, and take each word that fits after moving others to other turns.

use std::collections::BTreeMap;

use tabletop::balda::WarmBoard;
use tabletop::balda::dawg::Dawg;
use tabletop::balda::{Cell, Letter, Move, PlayedGame, Start, Word};

/// The game with the most points that fills the board in its order. If the board cannot be filled, the first cell
/// without a word stays empty, the words through it are lost, and the search starts again.
pub(crate) fn best_game(board: &WarmBoard, words: &Dawg) -> PlayedGame {
    let side = board.letters.len().isqrt();
    let letters: Vec<Letter> = board.letters.iter().filter_map(|&number| words.alphabet().letter(number)).collect();
    let mut order = board.order.clone();
    loop {
        let made = Filling::new(side, &letters, &order, words).assign();
        let gap = (0..order.len()).find(|turn| !made.contains_key(turn));
        match gap {
            Some(turn) => drop(order.remove(turn)),
            None => return game(side, &letters, &order, made),
        }
    }
}

/// The game whose moves make these words, one per turn.
fn game(side: usize, letters: &[Letter], order: &[u8], mut made: BTreeMap<usize, Occurrence>) -> PlayedGame {
    let cell = |number: usize| Cell { row: (number / side) as u8, column: (number % side) as u8 };
    let moves = order.iter().enumerate().filter_map(|(turn, &placed)| {
        let Occurrence { word, path } = made.remove(&turn)?;
        let placed = usize::from(placed);
        Some(Move { cell: cell(placed), letter: letters[placed], word, path: path.into_iter().map(cell).collect() })
    });
    let moves = moves.collect();
    let start = Start::new(letters[side / 2 * side..][..side].into()).expect("a board has a legal side");
    PlayedGame { start, moves }
}

/// A word and the cells that spell it.
struct Occurrence {
    word: Word,
    path: Vec<usize>,
}

/// The turns that can make a word, each with one path that spells it.
type Ways = BTreeMap<usize, Vec<usize>>;

/// Every word on the board, with the turns that can make it.
struct Filling<'a> {
    side: usize,
    letters: &'a [Letter],
    words: &'a Dawg,
    /// The turn that fills each cell, from 1; 0 for the start word, `None` for a cell that stays empty.
    turns: Vec<Option<usize>>,
    found: BTreeMap<Word, Ways>,
}

impl<'a> Filling<'a> {
    fn new(side: usize, letters: &'a [Letter], order: &[u8], words: &'a Dawg) -> Filling<'a> {
        let mut turns = vec![None; side * side];
        turns[side / 2 * side..][..side].fill(Some(0));
        for (turn, &cell) in order.iter().enumerate() {
            turns[usize::from(cell)] = Some(turn + 1);
        }
        let mut filling = Filling { side, letters, words, turns, found: BTreeMap::new() };
        for cell in 0..side * side {
            filling.walk(cell, 0, &mut Vec::new());
        }
        filling.found.remove(&letters[side / 2 * side..][..side]);
        filling
    }

    /// Extends `path` by a cell, from a state of the word graph. Restores `path` before it returns.
    fn walk(&mut self, cell: usize, state: usize, path: &mut Vec<usize>) {
        if self.turns[cell].is_none() || path.contains(&cell) {
            return;
        }
        let words = self.words;
        let Some(step) = words.steps(state).find(|step| step.letter == self.letters[cell]) else { return };
        path.push(cell);
        if step.word_ends {
            self.record(path);
        }
        if let Some(next) = step.next {
            for beside in neighbours(self.side, cell) {
                self.walk(beside, next, path);
            }
        }
        path.pop();
    }

    fn record(&mut self, path: &[usize]) {
        let turn = path.iter().filter_map(|&cell| self.turns[cell]).max().unwrap_or(0);
        if turn > 0 {
            let word = path.iter().map(|&cell| self.letters[cell]).collect();
            self.found.entry(word).or_default().entry(turn - 1).or_insert_with(|| path.to_vec());
        }
    }

    /// Assigns words to turns, counted from 0, for the most points.
    fn assign(self) -> BTreeMap<usize, Occurrence> {
        let mut words: Vec<(Word, Ways)> = self.found.into_iter().collect();
        words.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
        let mut holders = BTreeMap::new();
        for word in 0..words.len() {
            augment(word, &words, &mut holders, &mut Vec::new());
        }
        let occurrence = |(turn, word): (usize, usize)| {
            (turn, Occurrence { word: words[word].0.clone(), path: words[word].1[&turn].clone() })
        };
        holders.into_iter().map(occurrence).collect()
    }
}

/// Adds a word to the matching along an augmenting path, which may move other words to other turns. Returns whether
/// there is one.
fn augment(word: usize, words: &[(Word, Ways)], holders: &mut BTreeMap<usize, usize>, tried: &mut Vec<usize>) -> bool {
    for &turn in words[word].1.keys() {
        if tried.contains(&turn) {
            continue;
        }
        tried.push(turn);
        let is_free = match holders.get(&turn) {
            Some(&holder) => augment(holder, words, holders, tried),
            None => true,
        };
        if is_free {
            holders.insert(turn, word);
            return true;
        }
    }
    false
}

fn neighbours(side: usize, cell: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (cell / side, cell % side);
    let beside = [
        (row > 0).then(|| cell - side),
        (row + 1 < side).then(|| cell + side),
        (column > 0).then(|| cell - 1),
        (column + 1 < side).then(|| cell + 1),
    ];
    beside.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use tabletop::balda::{Alphabet, Dictionary};

    use super::*;

    fn letters(text: &str) -> Vec<u8> {
        text.parse::<Word>().unwrap().iter().map(|letter| letter.number()).collect()
    }

    fn best(board: &str, order: &[u8], words: &[&str]) -> (u32, Vec<String>) {
        let words: Vec<Word> = words.iter().map(|word| word.parse().unwrap()).collect();
        let dictionary = Dictionary::new(Alphabet::Latin, words.iter().map(|word| &word[..]));
        let board = WarmBoard { letters: letters(board), order: order.to_vec() };
        let game = best_game(&board, &Dawg::new(&dictionary));
        game.check(|word| dictionary.contains(word)).unwrap();
        (game.letters(), game.moves.iter().map(|made| made.word.to_string()).collect())
    }

    #[test]
    fn a_word_moves_to_another_turn_to_make_room() {
        // "tact" can use the t of either left corner. "ast" can use only the upper one, which "tact" takes first.
        let order = [1, 0, 6, 2, 7, 8];
        let (points, made) = best("tsxcattxx", &order, &["cat", "tact", "as", "ast"]);
        assert_eq!((points, made.join(" ")), (9, "as ast tact".to_owned()));
    }

    #[test]
    fn a_cell_without_a_word_stays_empty_and_the_words_through_it_are_lost() {
        // The b is placed first and makes no word. So "eba", which needs it, is lost, and the e makes only "ec".
        let order = [1, 0, 2, 6, 7, 8];
        let words = ["cat", "eba", "ec"];
        assert_eq!(best("ebxcatxyz", &order, &words), (2, vec!["ec".to_owned()]));
        let earlier = [0, 1, 2, 6, 7, 8];
        assert_eq!(best("ebxcatxyz", &earlier, &words), (5, vec!["ec".to_owned(), "eba".to_owned()]));
    }
}
