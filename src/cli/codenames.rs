//! `tabletop codenames`.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};

use clap::Args;
use clap::builder::RangedU64ValueParser;
use serde::Serialize;
use tabletop::codenames::judge::{self, DIGITS, Header};
use tabletop::codenames::{
    Advice, Board, Guess, Identity, LiveBoard, Move, Outcome, Probability, Progress, Run, Solution, Team, answer,
};
use tabletop::input::InputError;

use super::failure::Failure;
use super::paint::Paint;
use super::query::{self, Explain, Game, QueryArguments, Source};

/// What the overview of all commands says of this one.
pub(super) const ABOUT: &str = "Codenames: the probability that the team to move wins, and the best hint";

/// The arguments of `tabletop codenames`.
#[derive(Args)]
#[command(about = ABOUT, after_help = "\
Input: the number of cards and the team to move (R or B); the words of the cards; their identities (R, B, I for an
innocent bystander, A for an assassin, . for a revealed card); the number of hints; per hint the number of its words
and the words.

Example:
  printf '4 B\\napple sleep java dog\\nB R I A\\n3\\n2 apple java\\n2 apple dog\\n2 sleep java\\n' |
      tabletop codenames --explain")]
pub(crate) struct CodenamesArguments {
    #[command(flatten)]
    query: QueryArguments,
    /// Decimals of every probability, from 1 to 12
    #[arg(long, value_name = "N", default_value_t = DIGITS, value_parser = one_to_twelve())]
    digits: usize,
}

fn one_to_twelve() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=12)
}

/// Answers the Codenames boards that the arguments name.
pub(super) fn run(arguments: &CodenamesArguments) -> Result<(), Failure> {
    query::run(CodenamesGame { digits: arguments.digits, header: None }, &arguments.query)
}

struct CodenamesGame {
    digits: usize,
    /// The first line of the input that is being read.
    header: Option<Header>,
}

/// A board, and the part of it that the solver looks at.
struct Case {
    board: Board,
    live: LiveBoard,
}

impl Game for CodenamesGame {
    const NAME: &'static str = "codenames";
    const FORMAT: &'static str = "write the number of cards and the team, the words, the identities and the hints";
    type Case = Case;
    type Explanation = Explanation;

    fn begin(&mut self, lines: &mut Source) -> Result<Option<u32>, InputError> {
        self.header = judge::read_header(lines)?;
        Ok(self.header.map(|_| 1))
    }

    fn read(&mut self, lines: &mut Source) -> Result<Case, InputError> {
        let header = self.header.take().expect("an input begins with its first line");
        let board = judge::read_board(header, lines)?;
        let live = LiveBoard::new(&board).map_err(|too_large| {
            InputError::malformed(header.line, too_large.to_string(), "leave out cards or hints that matter least")
        })?;
        Ok(Case { board, live })
    }

    fn answer(&mut self, case: &Case, out: &mut Vec<u8>) -> Result<(), Failure> {
        judge::write_answer(answer::win(&case.board, &solve(&case.live)), self.digits, out);
        Ok(())
    }

    fn explain(&mut self, case: &Case) -> Result<Explanation, Failure> {
        let advice = answer::advise(&case.board, &solve(&case.live));
        Ok(Explanation::new(&case.board, &advice, self.digits))
    }

    fn remark(&self, case: &Case) -> Option<String> {
        case.live.can_get_stuck().then(|| {
            String::from(
                "the hints can run out before either team has won, which is read as a loss for the team whose turn it is then",
            )
        })
    }
}

/// Solves a board; a large one shows on a terminal how far it has got.
fn solve(live: &LiveBoard) -> Solution<'_> {
    if !io::stderr().is_terminal() {
        return Solution::new(live, Run::default());
    }
    let show = |Progress { done, total }: Progress| {
        let line = format!("\rcodenames: {} % of the positions ", 100 * done / total);
        let line = if done < total { line } else { format!("\r{:1$}\r", "", line.len()) };
        // Where nobody listens any more there is nobody to tell that to.
        let _ = io::stderr().write_all(line.as_bytes());
    };
    Solution::new(live, Run { watch: &show, ..Run::default() })
}

/// A board with every legal hint, as people and scripts read it.
#[derive(Serialize)]
struct Explanation {
    game: &'static str,
    mover: char,
    #[serde(flatten)]
    win: WinText,
    moves: Vec<MoveText>,
    numbers: Vec<NumberText>,
    first_guesses: Vec<GuessText>,
    #[serde(skip)]
    teams: [TeamText; 2],
}

/// The probability that the team to move wins, rounded and as a double.
#[derive(Serialize)]
struct WinText {
    answer: String,
    probability: f64,
}

#[derive(Serialize)]
struct MoveText {
    hint: usize,
    words: Vec<String>,
    number: usize,
    #[serde(flatten)]
    win: WinText,
    #[serde(skip)]
    best: bool,
}

#[derive(Serialize)]
struct NumberText {
    number: usize,
    #[serde(flatten)]
    win: WinText,
}

#[derive(Serialize)]
struct GuessText {
    word: String,
    identity: char,
    outcome: &'static str,
    #[serde(flatten)]
    win: WinText,
}

/// What is left of a team.
struct TeamText {
    name: &'static str,
    agents: usize,
}

impl WinText {
    fn new(win: Probability, digits: usize) -> WinText {
        WinText { answer: win.with_digits(digits), probability: win.to_f64() }
    }
}

impl Explanation {
    fn new(board: &Board, advice: &Advice, digits: usize) -> Explanation {
        let win = |win| WinText::new(win, digits);
        let best = advice.best.as_ref();
        let numbers = best.map_or(&[][..], |best| &best.numbers);
        let guesses = best.map_or(&[][..], |best| &best.guesses);
        Explanation {
            game: CodenamesGame::NAME,
            mover: letter(Identity::Agent(board.to_move)),
            win: win(advice.win),
            moves: advice.moves.iter().map(|choice| MoveText::new(board, advice, choice, digits)).collect(),
            numbers: numbers.iter().zip(1..).map(|(&p, number)| NumberText { number, win: win(p) }).collect(),
            first_guesses: guesses.iter().map(|guess| GuessText::new(board, guess, digits)).collect(),
            teams: [board.to_move, board.to_move.other()].map(|team| TeamText::new(board, team)),
        }
    }
}

impl MoveText {
    fn new(board: &Board, advice: &Advice, choice: &Move, digits: usize) -> MoveText {
        let cards = board.hints[choice.hint].iter().map(|card| &board.cards[card]);
        let unrevealed = cards.filter(|card| card.identity != Identity::Revealed);
        MoveText {
            hint: choice.hint + 1,
            words: unrevealed.map(|card| card.word.clone()).collect(),
            number: choice.number,
            win: WinText::new(choice.win, digits),
            best: choice.win.equals(advice.win),
        }
    }
}

impl GuessText {
    fn new(board: &Board, guess: &Guess, digits: usize) -> GuessText {
        let card = &board.cards[guess.card];
        GuessText {
            word: card.word.clone(),
            identity: letter(card.identity),
            outcome: describe(guess.outcome),
            win: WinText::new(guess.win, digits),
        }
    }
}

impl TeamText {
    fn new(board: &Board, team: Team) -> TeamText {
        let agents = board.cards.iter().filter(|card| card.identity == Identity::Agent(team)).count();
        TeamText { name: if team == Team::Red { "red" } else { "blue" }, agents }
    }
}

fn letter(identity: Identity) -> char {
    match identity {
        Identity::Agent(Team::Red) => 'R',
        Identity::Agent(Team::Blue) => 'B',
        Identity::Innocent => 'I',
        Identity::Assassin => 'A',
        Identity::Revealed => '.',
    }
}

fn describe(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Wins => "wins the game",
        Outcome::GuessesOn => "guesses on",
        Outcome::Stops => "stops",
        Outcome::EndsTurn => "ends the turn",
        Outcome::Loses => "loses the game",
    }
}

impl Explain for Explanation {
    fn to_text(&self, paint: Paint) -> String {
        let [mover, other] = &self.teams;
        let mut text = format!("{}\n", self.win.answer);
        let mut line = |content: &str| writeln!(text, "{content}").expect("a string takes any text");
        let (name, other_name) = (mover.name, other.name);
        line(&format!(
            "  {name} to move, {} to reveal; {other_name} has {}",
            agents(mover.agents),
            agents(other.agents)
        ));
        let Some(best) = self.moves.first() else {
            line("    no hint has an unrevealed word");
            return text + "\n";
        };
        let width = self.win.answer.len().max("wins".len());
        line(&format!("    hint  number  {:<width$}  words", "wins"));
        for choice in &self.moves {
            let mark = if choice.best { '*' } else { ' ' };
            let (answer, words) = (&choice.win.answer, visible(&choice.words.join(" ")));
            let row = format!("  {mark} {:>4}  {:>6}  {answer:<width$}  {words}", choice.hint, choice.number);
            line(&if choice.best { paint.bold(&row) } else { row });
        }
        line(&format!("  hint {} by number", best.hint));
        for number in &self.numbers {
            line(&format!("          {:>6}  {}", number.number, number.win.answer));
        }
        line(&format!("  hint {} with number {}, by first guess", best.hint, best.number));
        for guess in &self.first_guesses {
            let (answer, word) = (&guess.win.answer, visible(&guess.word));
            line(&format!("               {}  {answer:<width$}  {word}: {}", guess.identity, guess.outcome));
        }
        text + "\n"
    }
}

/// Words as a terminal may be shown them: a control character in one would otherwise be obeyed.
fn visible(words: &str) -> String {
    let mut text = String::new();
    for character in words.chars() {
        if character.is_control() {
            text.extend(character.escape_default());
        } else {
            text.push(character);
        }
    }
    text
}

fn agents(count: usize) -> String {
    if count == 1 { String::from("1 agent") } else { format!("{count} agents") }
}
