//! The contest's texts and the notations of positions in mid-game.

use std::fmt::Debug;
use std::io::{self, Read};
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use tabletop::balda::anneal::{self, Budget};
use tabletop::balda::judge::{self as balda_judge, Encoding, Input, Violation};
use tabletop::balda::lexicon::Lexicon;
use tabletop::balda::{self, Alphabet, Board as BaldaBoard, Cell, Dawg, Dictionary, Language};
use tabletop::codenames::{self, Board, Identity, LiveBoard, Run, Solution, Team};
use tabletop::dice::{self, Case as DiceCase};
use tabletop::hopchess::{self, Advice, Case as HopCase};
use tabletop::input::{InputError, Lines};
use tabletop::jenga::{self, Tower};
use tabletop::table::{MappedFile, Places};

use super::shipped_tables;

/// Gives a few bytes at a time, as a slow pipe may.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Long inputs come in larger pieces, because every read has its price.
        let piece = if self.0.len() < 2000 { 1 + self.0.len() % 3 } else { 1000 + self.0.len() % 7 };
        let count = self.0.len().min(buffer.len()).min(piece);
        let (given, rest) = self.0.split_at(count);
        buffer[..count].copy_from_slice(given);
        self.0 = rest;
        Ok(count)
    }
}

/// The lines of an input that is there at once, or comes slowly.
type Source<'a> = Lines<Box<dyn Read + 'a>>;

fn lines<'a>(bytes: impl Read + 'a) -> Source<'a> {
    Lines::new(Box::new(bytes))
}

/// Reads the bytes whole and in small pieces, which must come to the same, and returns what was read, if anything was.
fn read_twice<T: Debug>(bytes: &[u8], read: impl Fn(&mut Source) -> Result<T, InputError>) -> Option<T> {
    let (whole, pieces) = (read(&mut lines(bytes)), read(&mut lines(Trickle(bytes))));
    assert_eq!(format!("{whole:?}"), format!("{pieces:?}"));
    match whole {
        Ok(read) => Some(read),
        Err(error) => {
            assert_refusal(bytes, &error);
            None
        }
    }
}

/// A refusal is one printable line that names a line of the text, or where the next ones are missing.
fn assert_refusal(bytes: &[u8], error: &InputError) {
    const LINES_THAT_MAY_BE_MISSING: usize = 3;
    let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
    let InputError::Malformed { line, found, expected } = error else { panic!("{error}") };
    assert!((1..=lines + LINES_THAT_MAY_BE_MISSING).contains(&(*line as usize)), "{error}");
    assert!(!found.is_empty() && !expected.is_empty(), "{error}");
    let message = error.to_string();
    assert!(message.len() < 400 && !message.contains(char::is_control), "{message:?}");
}

fn places() -> Places {
    Places::only(shipped_tables())
}

/// Dice poker: cases are read, answered with a probability, and read back from their dice.
pub fn dice(bytes: &[u8]) {
    fn read(lines: &mut Source) -> Result<Vec<DiceCase>, InputError> {
        let count = dice::judge::read_count(lines)?.unwrap_or(0);
        let cases = (0..count).map(|_| dice::judge::read_case(lines)).collect::<Result<_, _>>()?;
        lines.require_end("remove it")?;
        Ok(cases)
    }
    static ANSWERS: LazyLock<dice::Answers<MappedFile>> = LazyLock::new(|| dice::Answers::open(&places()).unwrap());
    let Some(cases) = read_twice(bytes, read) else { return };
    let mut text = format!("{}\n", cases.len());
    for case in &cases {
        let chance = ANSWERS.first_rolls(case.a, case.b).unwrap().to_f64();
        assert!((0.0..=1.0).contains(&chance), "{case:?}: {chance}");
        text.push_str(&format!("{}\n{}\n", spaced(case.a.faces()), spaced(case.b.faces())));
    }
    assert_eq!(read(&mut lines(text.as_bytes())).unwrap(), cases);
}

fn spaced(numbers: &[u8]) -> String {
    numbers.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
}

/// Coloured Jenga: towers, also in mid-game; those that are looked up quickly are answered.
pub fn jenga(bytes: &[u8]) {
    const QUICK_BLOCKS: usize = 12;
    fn read(lines: &mut Source) -> Result<Option<Tower>, InputError> {
        let Some(height) = jenga::judge::read_height(lines)? else { return Ok(None) };
        let tower = jenga::judge::read_tower(lines, height)?;
        lines.require_end("remove it")?;
        Ok(Some(tower))
    }
    static ANSWERS: LazyLock<jenga::Answers<MappedFile>> = LazyLock::new(|| jenga::Answers::open(&places()).unwrap());
    let Some(Some(tower)) = read_twice(bytes, read) else { return };
    let levels: String = tower.levels().iter().map(|level| format!("{level}\n")).collect();
    let text = format!("{}\n{levels}", tower.levels().len());
    assert_eq!(read(&mut lines(text.as_bytes())).unwrap().as_ref(), Some(&tower));
    if tower.levels().iter().map(|level| usize::from(level.blocks())).sum::<usize>() <= QUICK_BLOCKS {
        let minutes = ANSWERS.minutes(&tower).unwrap().0;
        assert!(minutes.is_finite() && minutes >= 0.0, "{tower:?}: {minutes}");
    }
}

/// Hop chess: boards, also in mid-game, with either player to move; small ones are answered.
pub fn hopchess(bytes: &[u8]) {
    const QUICK_CELLS: usize = 6;
    fn read(lines: &mut Source) -> Result<Option<HopCase>, InputError> {
        let Some(shape) = hopchess::judge::read_shape(lines)? else { return Ok(None) };
        let case = hopchess::judge::read_case(shape, lines)?;
        lines.require_end("remove it")?;
        Ok(Some(case))
    }
    let Some(Some(case)) = read_twice(bytes, read) else { return };
    let (board, factors) = (case.position.board, case.factors);
    let text = format!(
        "{} {}\n{board}\nto move: {}\n{} {}\n",
        board.shape().rows(),
        board.shape().columns(),
        case.position.to_move.letter(),
        factors.justin.moves(),
        factors.donald.moves()
    );
    assert_eq!(read(&mut lines(text.as_bytes())).unwrap(), Some(case));
    if board.shape().cells() <= QUICK_CELLS {
        let advice = Advice::new(case);
        let chance = advice.chance.to_f64();
        assert!((0.0..=1.0).contains(&chance), "{case:?}: {chance}");
    }
}

/// Codenames: boards, also with revealed cards; those with few cards are solved.
pub fn codenames(bytes: &[u8]) {
    const QUICK_CARDS: usize = 6;
    fn read(lines: &mut Source) -> Result<Option<Board>, InputError> {
        let Some(header) = codenames::judge::read_header(lines)? else { return Ok(None) };
        let board = codenames::judge::read_board(header, lines)?;
        lines.require_end("remove it")?;
        Ok(Some(board))
    }
    let Some(Some(board)) = read_twice(bytes, read) else { return };
    assert_eq!(read(&mut lines(board_text(&board).as_bytes())).unwrap().as_ref(), Some(&board));
    let Ok(live) = LiveBoard::new(&board) else { return };
    if board.cards.len() <= QUICK_CARDS {
        let advice = codenames::answer::advise(&board, &Solution::new(&live, Run::default()));
        let win = advice.win.to_f64();
        assert!((0.0..=1.0).contains(&win), "{board:?}: {win}");
    }
}

fn board_text(board: &Board) -> String {
    let team = |team| if team == Team::Red { "R" } else { "B" };
    let identity = |identity| match identity {
        Identity::Agent(owner) => team(owner),
        Identity::Innocent => "I",
        Identity::Assassin => "A",
        Identity::Revealed => ".",
    };
    let words: Vec<&str> = board.cards.iter().map(|card| card.word.as_str()).collect();
    let identities: Vec<&str> = board.cards.iter().map(|card| identity(card.identity)).collect();
    let mut text = format!("{} {}\n{}\n", words.len(), team(board.to_move), words.join(" "));
    text.push_str(&format!("{}\n{}\n", identities.join(" "), board.hints.len()));
    for hint in &board.hints {
        let hint: Vec<&str> = hint.iter().map(|card| words[card]).collect();
        text.push_str(&format!("{} {}\n", hint.len(), hint.join(" ")));
    }
    text
}

/// Balda's input with its dictionary, which survives the word graph; with a small one a legal game is played.
pub fn balda_input(bytes: &[u8]) {
    const QUICK_LETTERS: usize = 200;
    fn read(lines: &mut Source) -> Result<Input, InputError> {
        balda_judge::read_input(lines)
    }
    let Some(input) = read_twice(bytes, read) else { return };
    let alphabet = input.language.alphabet();
    let mut text = format!("{}\n", input.language).into_bytes();
    let words: Vec<&[u8]> = input.dictionary.words().collect();
    assert!(words.is_sorted_by(|one, next| one < next) && words.contains(&&input.start[..]));
    for word in [&input.start[..], b""].into_iter().chain(words.iter().copied()) {
        text.extend(word.iter().map(|&letter| alphabet.to_contest(letter)));
        text.push(b'\n');
    }
    assert_eq!(read(&mut lines(&text[..])).unwrap(), input);
    assert_eq!(Dawg::new(&input.dictionary).dictionary(), input.dictionary);
    if words.iter().map(|word| word.len()).sum::<usize>() <= QUICK_LETTERS {
        play_balda(&input, &words);
    }
}

fn play_balda(input: &Input, words: &[&[u8]]) {
    let lexicon = Lexicon::new(words, input.language.alphabet().len());
    let budget = Budget { proposals: Some(256), deadline: None };
    let game = anneal::play(&lexicon, &input.start, &budget, 1, &AtomicBool::new(false), &[]).game;
    assert_eq!(game.start, input.start);
    game.check(|word| input.dictionary.contains(word)).unwrap();
}

/// A graph of a few short words in each alphabet.
fn small_graph(alphabet: Alphabet) -> &'static Dawg {
    fn graph(alphabet: Alphabet, words: &[&str]) -> Dawg {
        let words: Vec<Vec<u8>> = words.iter().filter_map(|word| alphabet.letters(word)).collect();
        Dawg::new(&Dictionary::new(words.iter().map(Vec::as_slice)))
    }
    static LATIN: LazyLock<Dawg> = LazyLock::new(|| {
        graph(Alphabet::Latin, &["a", "cat", "at", "fang", "gnat", "tango", "enate", "tang", "kenaf", "hala", "havuc"])
    });
    static RUSSIAN: LazyLock<Dawg> =
        LazyLock::new(|| graph(Alphabet::Russian, &["сын", "щит", "китч", "икс", "стих", "сыщик", "я"]));
    match alphabet {
        Alphabet::Latin => &LATIN,
        Alphabet::Russian => &RUSSIAN,
    }
}

/// Balda's board in mid-game: every word that is offered next is a legal move.
pub fn balda_board(bytes: &[u8]) {
    fn read(lines: &mut Source) -> Result<(Language, BaldaBoard), InputError> {
        balda::position::read_position(lines).map(|position| (position.language, position.board))
    }
    // Used words are a set without an order, so what is compared is the board's letters.
    let letters = |read: Result<(Language, BaldaBoard), InputError>| {
        read.map(|(language, board)| (language, rows(&board, language.alphabet())))
    };
    let picture = read_twice(bytes, |lines| letters(read(lines)));
    let Some((language, picture)) = picture else { return };
    let again = format!("{language}\n{picture}");
    assert_eq!(letters(read(&mut lines(again.as_bytes()))).unwrap(), (language, picture));

    let (_, board) = read(&mut lines(bytes)).unwrap();
    let graph = small_graph(language.alphabet());
    for made in balda::answer::next_moves(&board, graph) {
        board.clone().apply(&made, |word| graph.contains(word)).unwrap();
    }
}

fn rows(board: &BaldaBoard, alphabet: Alphabet) -> String {
    let side = board.side() as u8;
    let character = |cell: Cell| board.letter(cell).map_or('.', |letter| alphabet.to_char(letter));
    let row = |row: u8| (0..side).map(|column| character(Cell { row, column })).chain(['\n']).collect::<String>();
    (0..side).map(row).collect()
}

/// Balda's strict judge: what it accepts is legal by the rules and reads back from what is written of it.
pub fn balda_check(bytes: &[u8]) {
    let Some((&choice, output)) = bytes.split_first() else { return };
    let input = &SAMPLE_INPUTS[usize::from(choice) % SAMPLE_INPUTS.len()];
    match balda_judge::check(input, &mut lines(output)) {
        Ok(game) => {
            game.check(|word| input.dictionary.contains(word)).unwrap();
            let mut text = Vec::new();
            balda_judge::write_game(&game, input.language.alphabet(), Encoding::Contest, &mut text);
            assert_eq!(balda_judge::check(input, &mut lines(Trickle(&text))).unwrap(), game);
        }
        Err(Violation::Format(error)) => assert_refusal(output, &error),
        Err(Violation::Rule { line, broken }) => {
            assert_refusal(output, &InputError::malformed(line, broken.to_string(), "…"));
        }
    }
}

/// The inputs of the statement's samples; an output for one of them begins with a byte that chooses it.
static SAMPLE_INPUTS: LazyLock<[Input; 3]> = LazyLock::new(|| {
    [
        (Language::English, "kenaf", "kenaf fang gnat tango enate tang"),
        (Language::Russian, "сыщик", "сыщик сын щит китч икс стих"),
        (Language::Turkish, "havuc", "havuc cuval havut tuval havuz hala"),
    ]
    .map(|(language, start, words)| {
        let letters = |word: &str| language.alphabet().letters(word).unwrap();
        let words: Vec<Vec<u8>> = words.split(' ').map(letters).collect();
        Input { language, start: letters(start), dictionary: Dictionary::new(words.iter().map(Vec::as_slice)) }
    })
});
