//! The contest's text: a board with its hints in, the probability that the team to move wins out.
//!
//! Words may be anything without white space. An identity `.` is a card that is revealed already.

use std::io::Read;

use super::answer::Probability;
use super::rules::{Board, Card, CardSet, Identity, MAX_CARDS, Team};
use crate::input::{self, InputError, Line, Lines};

/// Hints that one board may have.
pub const MAX_HINTS: u32 = 1000;
/// Decimals of the contest's answer.
pub const DIGITS: usize = 4;

const HINT_FORMAT: &str = "write the number of words and then these words of the board, each once";

/// The first line of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// The number of the line, from 1.
    pub line: u64,
    /// How many cards follow.
    pub cards: usize,
    /// The team to move.
    pub to_move: Team,
}

/// Reads the first line of the next input, or `None` where no input follows.
pub fn read_header(lines: &mut Lines<impl Read>) -> Result<Option<Header>, InputError> {
    let Some(line) = lines.next_line()? else { return Ok(None) };
    let expected = || format!("write the number of cards, from 1 to {MAX_CARDS}, and the team to move, R or B");
    let words = words(&line)?;
    let &[count, team] = &words[..] else {
        return Err(line.error(format!("{} on the first line", counted(words.len())), expected()));
    };
    let cards = read_count(count, MAX_CARDS)
        .ok_or_else(|| line.error(format!("{} is not the number of cards", quote(count)), expected()))?;
    let to_move = match team {
        "R" => Team::Red,
        "B" => Team::Blue,
        _ => return Err(line.error(format!("{} is not a team", quote(team)), expected())),
    };
    Ok(Some(Header { line: line.number, cards, to_move }))
}

/// Reads the rest of an input.
pub fn read_board(header: Header, lines: &mut Lines<impl Read>) -> Result<Board, InputError> {
    let words = read_words(header.cards, lines)?;
    let identities = read_identities(header.cards, lines)?;
    let cards = words.into_iter().zip(identities).map(|(word, identity)| Card { word, identity }).collect();
    let mut board = Board { cards, hints: Vec::new(), to_move: header.to_move };
    let line = lines.require_line("write the number of hints")?;
    let hints = line.whole_number("the number of hints", 1..=MAX_HINTS)?;
    for _ in 0..hints {
        let line = lines.require_line(&format!("write {hints} hints, or lower their number"))?;
        let hint = read_hint(&board, line)?;
        board.hints.push(hint);
    }
    Ok(board)
}

fn read_words(count: usize, lines: &mut Lines<impl Read>) -> Result<Vec<String>, InputError> {
    let expected = format!("write the {count} words of the cards on one line");
    let line = lines.require_line(&expected)?;
    let words = words(&line)?;
    if words.len() != count {
        return Err(line.error(format!("{} words for {count} cards", words.len()), expected));
    }
    if let Some((_, twice)) =
        (0..count).map(|card| (&words[..card], words[card])).find(|(all, word)| all.contains(word))
    {
        return Err(line.error(format!("{} is twice on the board", quote(twice)), "give each card a word of its own"));
    }
    Ok(words.into_iter().map(str::to_owned).collect())
}

fn read_identities(count: usize, lines: &mut Lines<impl Read>) -> Result<Vec<Identity>, InputError> {
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
            _ => return Err(line.error(format!("{} is not an identity", quote(letter)), expected)),
        });
    }
    if identities.len() != count {
        return Err(line.error(format!("{} identities for {count} cards", identities.len()), expected));
    }
    for (team, name, letter) in [(Team::Red, "red", 'R'), (Team::Blue, "blue", 'B')] {
        if !identities.contains(&Identity::Agent(team)) {
            let expected = format!("give at least one card the identity {letter}");
            return Err(line.error(format!("the {name} team has no agent"), expected));
        }
    }
    Ok(identities)
}

fn read_hint(board: &Board, line: Line<'_>) -> Result<CardSet, InputError> {
    let words = words(&line)?;
    let (count, words) = words.split_first().expect("a line that is not blank has a word");
    let size = read_count(count, board.cards.len())
        .ok_or_else(|| line.error(format!("{} is not the number of words of a hint", quote(count)), HINT_FORMAT))?;
    if words.len() != size {
        return Err(line.error(format!("{} in a hint of {size}", counted(words.len())), HINT_FORMAT));
    }
    let mut hint = CardSet::default();
    for word in words {
        let card = board.cards.iter().position(|card| card.word == *word);
        let card = card.ok_or_else(|| line.error(format!("{} is not on the board", quote(word)), HINT_FORMAT))?;
        if hint.contains(card) {
            return Err(line.error(format!("{} is twice in the hint", quote(word)), HINT_FORMAT));
        }
        hint = hint.with(card);
    }
    Ok(hint)
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

/// A plain whole number from 1 to `largest`.
fn read_count(word: &str, largest: usize) -> Option<usize> {
    let count = usize::try_from(input::whole_number(word.as_bytes())?).ok()?;
    (1..=largest).contains(&count).then_some(count)
}

/// Appends the judge's line for a probability.
pub fn write_answer(win: Probability, digits: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(win.with_digits(digits).as_bytes());
    out.push(b'\n');
}
