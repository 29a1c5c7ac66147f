//! The contest's texts, and the texts of positions in mid-game.

use std::fmt::Debug;
use std::io::{self, Read};
use std::sync::{Arc, LazyLock};

use tabletop::balda::judge::{self as balda_judge, Encoding, Input, Violation};
use tabletop::balda::{
    Alphabet, Annealing, Dawg, Dictionary, Gaddag, Language, Letter, Position as BaldaPosition, Word,
};
use tabletop::balda::{answer, position};
use tabletop::explain::Paint;
use tabletop::game::{Form, Judgement, Judging, Load, PATIENCE, Run, TestGame, read_test};
use tabletop::input::{InputError, Lines};

/// Returns a few bytes at a time, as a slow pipe may.
struct SlowReader<'a>(&'a [u8]);

impl Read for SlowReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Long inputs come in larger pieces, so that reading them does not take long.
        let piece = if self.0.len() < 2000 { 1 + self.0.len() % 3 } else { 1000 + self.0.len() % 7 };
        let count = self.0.len().min(buffer.len()).min(piece);
        let (given, rest) = self.0.split_at(count);
        buffer[..count].copy_from_slice(given);
        self.0 = rest;
        Ok(count)
    }
}

/// The lines of an input that arrives at once, or slowly.
type Source<'a> = Lines<Box<dyn Read + 'a>>;

fn lines<'a>(bytes: impl Read + 'a) -> Source<'a> {
    Lines::new(Box::new(bytes))
}

/// Reads the bytes at once and in small pieces, with the same result. Returns what was read, or `None` if it was
/// refused.
fn read_twice<T: Debug>(bytes: &[u8], read: impl Fn(&mut Source) -> Result<T, InputError>) -> Option<T> {
    let (whole, pieces) = (read(&mut lines(bytes)), read(&mut lines(SlowReader(bytes))));
    assert_eq!(format!("{whole:?}"), format!("{pieces:?}"));
    match whole {
        Ok(read) => Some(read),
        Err(error) => {
            assert_refusal(bytes, &error);
            None
        }
    }
}

/// Asserts that a refusal is one printable line that names a line of the text, or a missing line after it.
fn assert_refusal(bytes: &[u8], error: &InputError) {
    const LINES_THAT_MAY_BE_MISSING: usize = 3;
    let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
    let InputError::Malformed { line, found, expected } = error else { panic!("{error}") };
    assert!((1..=lines + LINES_THAT_MAY_BE_MISSING).contains(&(*line as usize)), "{error}");
    assert!(!found.is_empty() && !expected.is_empty(), "{error}");
    let message = error.to_string();
    assert!(message.len() < 400 && !message.contains(char::is_control), "{message:?}");
}

/// A game's text: every input that is read can be written and read back, and quick cases have an answer and advice.
pub fn game(game: &Arc<dyn TestGame>, bytes: &[u8]) {
    const QUICK_CASES: usize = 20;
    let read = |lines: &mut Source| {
        let input = Arc::clone(game).read_test(lines)?;
        let input = input.ok_or_else(|| InputError::malformed(1, "the input is empty", "write one"))?;
        lines.require_end("remove it")?;
        Ok(input.text())
    };
    let Some(text) = read_twice(bytes, read) else { return };
    assert_eq!(read(&mut lines(&text[..])).unwrap(), text);
    let input = read_test(game, &text).unwrap();
    if !matches!(input.load(PATIENCE), Ok(Load::Lookup)) {
        return;
    }
    let answer = |case, form| {
        let mut out = Vec::new();
        input.answer(case, form, &Run::default(), &mut out).unwrap();
        out
    };
    for case in 0..input.cases().min(QUICK_CASES) {
        let shown = answer(case, Form::Explain(Paint::Plain));
        assert!(shown.starts_with(answer(case, Form::Judge).trim_ascii_end()), "{}", String::from_utf8_lossy(&text));
    }
    if input.cases() <= QUICK_CASES {
        let answers: Vec<u8> = (0..input.cases()).flat_map(|case| answer(case, Form::Judge)).collect();
        assert_eq!(input.judge(&answers, &Judging::default()).unwrap(), Judgement::default());
    }
}

/// Balda's input. The word graph must keep the dictionary. With a small dictionary a legal game is played.
pub fn balda_input(bytes: &[u8]) {
    const QUICK_LETTERS: usize = 200;
    fn read(lines: &mut Source) -> Result<Input, InputError> {
        balda_judge::read_input(lines)
    }
    let Some(input) = read_twice(bytes, read) else { return };
    let mut text = format!("{}\n", input.language).into_bytes();
    let words: Vec<&[Letter]> = input.dictionary.words().collect();
    assert!(words.is_sorted_by(|one, next| one < next) && words.contains(&&input.start[..]));
    for word in [&input.start[..], &[]].into_iter().chain(words.iter().copied()) {
        text.extend(word.iter().map(|letter| letter.to_contest()));
        text.push(b'\n');
    }
    assert_eq!(read(&mut lines(&text[..])).unwrap(), input);
    assert_eq!(Dawg::new(&input.dictionary).dictionary(), input.dictionary);
    if words.iter().map(|word| word.len()).sum::<usize>() <= QUICK_LETTERS {
        find_legal_game(&input);
    }
}

fn find_legal_game(input: &Input) {
    let gaddag = Gaddag::new(&input.dictionary).unwrap();
    let game = Annealing::new(&gaddag, &input.start).unwrap().proposals(256).seed(1).run().game;
    assert_eq!(game.start, input.start);
    game.check(|word| input.dictionary.contains(word)).unwrap();
}

/// A graph of a few short words in each alphabet.
fn small_graph(alphabet: Alphabet) -> &'static Dawg {
    fn graph(alphabet: Alphabet, words: &[&str]) -> Dawg {
        let words: Vec<Word> = words.iter().filter_map(|word| alphabet.word(word)).collect();
        Dawg::new(&Dictionary::new(alphabet, words.iter().map(|word| &word[..])))
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

/// Balda's board in mid-game: it reads back from its text, and every listed next word is a legal move to a board that
/// reads back too.
pub fn balda_board(bytes: &[u8]) {
    fn read(lines: &mut Source) -> Result<BaldaPosition, InputError> {
        position::read_position(lines)?.position(|_| true)
    }
    let Some(position) = read_twice(bytes, read) else { return };
    assert_eq!(position.to_string().parse::<BaldaPosition>().unwrap(), position);
    let graph = small_graph(position.language.alphabet());
    for made in answer::next_moves(&position.board, graph).unwrap() {
        let mut next = position.clone();
        next.board.apply(&made, |word| graph.contains(word)).unwrap();
        assert_eq!(next.to_string().parse::<BaldaPosition>().unwrap(), next);
    }
}

/// Balda's strict judge: a game that it accepts is legal by the rules, and reads back from its text.
pub fn balda_check(bytes: &[u8]) {
    let Some((&choice, output)) = bytes.split_first() else { return };
    let input = &SAMPLE_INPUTS[usize::from(choice) % SAMPLE_INPUTS.len()];
    match balda_judge::check(input, &mut lines(output)) {
        Ok(game) => {
            game.check(|word| input.dictionary.contains(word)).unwrap();
            let mut text = Vec::new();
            balda_judge::write_game(&game, Encoding::Contest, &mut text);
            assert_eq!(balda_judge::check(input, &mut lines(SlowReader(&text))).unwrap(), game);
        }
        Err(Violation::Format(error)) => assert_refusal(output, &error),
        Err(Violation::Rule { line, broken }) => {
            assert_refusal(output, &InputError::malformed(line, broken.to_string(), "…"));
        }
    }
}

/// The inputs of the statement's samples. The first byte of a fuzzed output chooses one of them.
static SAMPLE_INPUTS: LazyLock<[Input; 3]> = LazyLock::new(|| {
    [
        (Language::English, "kenaf", "kenaf fang gnat tango enate tang"),
        (Language::Russian, "сыщик", "сыщик сын щит китч икс стих"),
        (Language::Turkish, "havuc", "havuc cuval havut tuval havuz hala"),
    ]
    .map(|(language, start, words)| {
        let words: Vec<Word> = words.split(' ').map(|word| word.parse().unwrap()).collect();
        let dictionary = Dictionary::new(language.alphabet(), words.iter().map(|word| &word[..]));
        Input { language, start: start.parse().unwrap(), dictionary }
    })
});
