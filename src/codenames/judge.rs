//! The contest's text formats. Input: a board with its hints. Output: the probability that the team to move wins.
//!
//! Words may have any characters except white space. The identity `.` is a card that is already revealed.
//!
//! An extension of the contest's format: a line `guessing: hint H with number N` after the identities says that the team
//! to move is in the middle of its turn. It follows hint H, counted from 1, until it has N more hits or a miss.

use std::fmt;
use std::io::Read;
use std::str::FromStr;

use super::rules::{
    self, Board, BoardError, Card, CardSet, Guessing, HINT_FORMAT, Identity, MAX_CARDS, MAX_HINTS, Team,
};
use crate::input::{self, InputError, Line, Lines};

/// The largest error that the contest accepts, plus a margin for the rounding of a difference.
pub(super) const TOLERANCE: f64 = 1e-4 + 1e-12;

const CAPITALS: &str = "write capital letters: R, B, I, A";

/// The first line of an input.
#[derive(Clone, Copy)]
struct Header {
    /// The number of cards.
    cards: usize,
    to_move: Team,
}

fn read_header(lines: &mut Lines<impl Read>) -> Result<Header, InputError> {
    let expected = || format!("write the number of cards, from 1 to {MAX_CARDS}, and the team to move, R or B");
    let line = lines.require_line(&expected())?;
    let words = words(&line)?;
    let &[count, team] = &words[..] else {
        return Err(line.error(format!("{} on the first line", counted(words.len())), expected()));
    };
    let cards = read_count(count, MAX_CARDS)
        .ok_or_else(|| line.error(format!("{} is not the number of cards", quote(count)), expected()))?;
    let to_move = match team {
        "R" => Team::Red,
        "B" => Team::Blue,
        "r" | "b" => return Err(line.error(format!("{} is not a team", quote(team)), CAPITALS)),
        _ => return Err(line.error(format!("{} is not a team", quote(team)), expected())),
    };
    Ok(Header { cards, to_move })
}

/// Reads a board, even if it is too large to be solved.
pub fn read_board(lines: &mut Lines<impl Read>) -> Result<Board, InputError> {
    let header = read_header(lines)?;
    let words = read_words(header.cards, lines)?;
    let mut board = read_identities(header, words, lines)?;
    let mut line = lines.require_line("write the number of hints")?;
    let guessing = read_guessing(line)?.map(|guessing| (line.number, guessing));
    if guessing.is_some() {
        line = lines.require_line("write the number of hints")?;
    }
    let hints = line.whole_number("the number of hints", 1..=MAX_HINTS as u32)?;
    for _ in 0..hints {
        let line = lines.require_line(&format!("write {hints} hints, or lower their number"))?;
        let hint = read_hint(&board, line)?;
        board.add_hint(hint).map_err(at(line))?;
    }
    let Some((line, guessing)) = guessing else { return Ok(board) };
    board.with_guessing(guessing).map_err(|error| InputError::malformed(line, error.found(), error.remedy()))
}

/// Reads the hint that the team follows, or `None` if the line does not start with `guessing:`.
fn read_guessing(line: Line<'_>) -> Result<Option<Guessing>, InputError> {
    let Some(bytes) = line.after_label("guessing:") else { return Ok(None) };
    let guessing = match words(&Line { bytes, ..line })?[..] {
        ["hint", hint, "with", "number", number] => read_count(hint, MAX_HINTS).zip(read_count(number, MAX_CARDS)),
        _ => None,
    };
    let expected = "write 'guessing: hint 1 with number 2' for 2 more hits with the first hint, or leave the line out";
    match guessing {
        Some((hint, number)) => Ok(Some(Guessing { hint: hint - 1, number })),
        None => Err(line.error(format!("{} names no hint and number", input::quote(line.bytes)), expected)),
    }
}

/// Turns a board error into an input error at a line.
fn at(line: Line<'_>) -> impl Fn(BoardError) -> InputError {
    move |error| line.error(error.found(), error.remedy())
}

fn read_words(count: usize, lines: &mut Lines<impl Read>) -> Result<Vec<String>, InputError> {
    let expected = format!("write the {count} words of the cards on one line");
    let line = lines.require_line(&expected)?;
    let words = words(&line)?;
    if words.len() != count {
        return Err(line.error(format!("{} words for {count} cards", words.len()), expected));
    }
    rules::check_words(words.iter().copied()).map_err(at(line))?;
    Ok(words.into_iter().map(str::to_owned).collect())
}

/// Reads the identities of the cards with these words; the returned board has no hints yet.
fn read_identities(
    header: Header,
    words_of_cards: Vec<String>,
    lines: &mut Lines<impl Read>,
) -> Result<Board, InputError> {
    let count = header.cards;
    let expected = format!("write R, B, I or A for each of the {count} cards, or . for a revealed one");
    let line = lines.require_line(&expected)?;
    let mut identities = Vec::with_capacity(count);
    for letter in words(&line)? {
        identities.push(match letter {
            "R" => Identity::Agent(Team::Red),
            "B" => Identity::Agent(Team::Blue),
            "I" => Identity::Innocent,
            "A" => Identity::Assassin,
            "." => Identity::Revealed,
            "r" | "b" | "i" | "a" => {
                return Err(line.error(format!("{} is not an identity", quote(letter)), CAPITALS));
            }
            _ => return Err(line.error(format!("{} is not an identity", quote(letter)), expected)),
        });
    }
    if identities.len() != count {
        return Err(line.error(format!("{} identities for {count} cards", identities.len()), expected));
    }
    let cards = words_of_cards.into_iter().zip(identities).map(|(word, identity)| Card::new(word, identity));
    Board::without_hints(header.to_move, cards.collect()).map_err(at(line))
}

fn read_hint(board: &Board, line: Line<'_>) -> Result<CardSet, InputError> {
    let words = words(&line)?;
    let (count, words) = words.split_first().expect("a line that is not blank has a word");
    let size = read_count(count, board.cards().len())
        .ok_or_else(|| line.error(format!("{} is not the number of words of a hint", quote(count)), HINT_FORMAT))?;
    if words.len() != size {
        return Err(line.error(format!("{} in a hint of {size}", counted(words.len())), HINT_FORMAT));
    }
    board.card_set(words).map_err(at(line))
}

fn words<'a>(line: &Line<'a>) -> Result<Vec<&'a str>, InputError> {
    Ok(line.text()?.split([' ', '\t']).filter(|word| !word.is_empty()).collect())
}

fn counted(words: usize) -> String {
    if words == 1 { String::from("1 word") } else { format!("{words} words") }
}

fn quote(word: &str) -> String {
    input::quote(word.as_bytes())
}

/// A whole number from 1 to `largest`.
fn read_count(word: &str, largest: usize) -> Option<usize> {
    let count = usize::try_from(input::whole_number(word.as_bytes())?).ok()?;
    (1..=largest).contains(&count).then_some(count)
}

impl fmt::Display for Board {
    /// Writes the contest's text; every line ends with a line feed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cards = self.cards();
        writeln!(f, "{} {}", cards.len(), self.to_move().letter())?;
        write_line(f, cards.iter().map(Card::word))?;
        write_line(f, cards.iter().map(Card::identity))?;
        if let Some(guessing) = self.guessing() {
            writeln!(f, "guessing: {guessing}")?;
        }
        writeln!(f, "{}", self.hints().len())?;
        for hint in self.hints() {
            write!(f, "{} ", hint.iter().count())?;
            write_line(f, hint.iter().map(|card| cards[card].word()))?;
        }
        Ok(())
    }
}

fn write_line<T: fmt::Display>(f: &mut fmt::Formatter<'_>, words: impl Iterator<Item = T>) -> fmt::Result {
    for (place, word) in words.enumerate() {
        let separator = if place == 0 { "" } else { " " };
        write!(f, "{separator}{word}")?;
    }
    writeln!(f)
}

impl FromStr for Board {
    type Err = InputError;

    /// Reads the contest's text of one board, even if the board is too large to be solved.
    fn from_str(text: &str) -> Result<Board, InputError> {
        let mut lines = Lines::new(text.as_bytes());
        let board = read_board(&mut lines)?;
        lines.require_end("remove it")?;
        Ok(board)
    }
}
