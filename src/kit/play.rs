//! Plays a game: people choose their moves, the table plays for everyone else, and chance is thrown.
//!
//! A game is played through the explanations of its positions, which hold the value of every move.

use std::cmp::Ordering;
use std::io::{Read, Write};
use std::rc::Rc;

use super::error::Fault;
use super::explain::{Detail, Explained, ExplainedMove, ExplainedOutcome, Explanation, explain};
use super::failure::Failure;
use super::file::Answers;
use super::rules::{Goal, Rules};
use crate::input::{Lines, quote, whole_number};
use crate::seeded::Seeded;
use crate::text::visible;

/// The game is stopped after this many steps of the table and of chance without a move of a person.
const MAX_STEPS_ALONE: u32 = 10_000;

const HELP: &str = "  a number or a name  makes that move; a name goes before a number
  hint, h             every move with its value, best first
  undo, u             takes your last move back; the throws stay the same
  quit, q             ends the game
  help, ?             this list";

/// Which players are people. The table plays for the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    First,
    Second,
    Both,
    None,
}

impl Side {
    /// The sides by their names on the command line.
    pub(super) const NAMES: [(&'static str, Side); 4] =
        [("first", Side::First), ("second", Side::Second), ("both", Side::Both), ("none", Side::None)];
}

/// How a game is played.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setup {
    pub(super) side: Side,
    /// The seed of the throws, or `None` for a new one.
    pub(super) seed: Option<u64>,
    /// Whether a prompt is written before every line that is read.
    pub(super) has_prompt: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Player {
    First,
    Second,
}

impl Player {
    fn other(self) -> Player {
        if self == Player::First { Player::Second } else { Player::First }
    }
}

/// What a person writes.
enum Command {
    /// The place of a move in the list of moves, best first.
    Move(usize),
    Hint,
    Undo,
    Quit,
    Help,
    Unknown(String),
}

/// Whether the game goes on.
#[derive(PartialEq, Eq)]
enum Progress {
    GoesOn,
    Ends,
}

/// The state of the game, as [`Command::Undo`] restores it.
#[derive(Clone)]
struct State {
    position: Rc<Explanation>,
    /// The moves and outcomes after the position that lead to the current node, as places in their lists.
    path: Vec<usize>,
    /// The player to whom the value of the position belongs.
    owner: Player,
    /// The first player's value is this plus or minus the value of the current node, with plus for the first player as
    /// the owner.
    earned: f64,
    /// The part of `earned` that is costs and points.
    points: f64,
    /// The points when the game came to the position.
    points_before: f64,
    throws: Seeded,
}

impl State {
    fn sign(&self) -> f64 {
        if self.owner == Player::First { 1.0 } else { -1.0 }
    }

    /// Accounts for the cost of the node that the game has come to. The value of a game that is over includes its cost.
    fn enter(&mut self) {
        let position = Rc::clone(&self.position);
        let node = node_at(&position, &self.path);
        if node.over.is_none() {
            let cost = self.sign() * node.cost.unwrap_or(0.0);
            self.earned += cost;
            self.points += cost;
        }
    }
}

/// The node after these moves and outcomes.
fn node_at<'e>(position: &'e Explanation, path: &[usize]) -> &'e Explained {
    path.iter().fold(&position.root, |node, &place| match (&node.moves, &node.outcomes) {
        (Some(moves), _) => &moves[place].then,
        (_, Some(outcomes)) => &outcomes[place].then,
        _ => unreachable!("a path leads through moves and outcomes"),
    })
}

/// Plays a game from a position. Ends quietly at the end of the input. `None` if the position cannot be reached.
pub(super) fn play<R: Rules>(
    rules: &R,
    answers: &Answers<'_, R>,
    start: &R::Position,
    setup: Setup,
    input: impl Read,
    out: impl Write,
) -> Result<Option<()>, Failure> {
    let Some(start) = explain(rules, answers, start, Detail::Moves)? else { return Ok(None) };
    let start = Rc::new(start);
    let seed = setup.seed.unwrap_or_else(new_seed);
    let state = State {
        position: Rc::clone(&start),
        path: Vec::new(),
        owner: Player::First,
        earned: 0.0,
        points: 0.0,
        points_before: 0.0,
        throws: Seeded(seed),
    };
    let session =
        Session { rules, answers, start, setup, seed, input: Lines::new(input), out, state, history: Vec::new() };
    session.run().map(Some)
}

/// A seed that is short enough to be typed again.
fn new_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) % 1_000_000
}

/// A game in progress.
struct Session<'a, R: Rules, I, O> {
    rules: &'a R,
    answers: &'a Answers<'a, R>,
    start: Rc<Explanation>,
    setup: Setup,
    seed: u64,
    input: Lines<I>,
    out: O,
    state: State,
    /// The states before each move of a person.
    history: Vec<State>,
}

impl<R: Rules, I: Read, O: Write> Session<'_, R, I, O> {
    fn run(mut self) -> Result<(), Failure> {
        self.greet()?;
        self.come_to(Rc::clone(&self.start))?;
        let mut alone = 0;
        while alone < MAX_STEPS_ALONE {
            let position = Rc::clone(&self.state.position);
            let node = node_at(&position, &self.state.path);
            let moved = self.history.len();
            let progress = if node.over == Some(true) {
                self.finish(node)?;
                Progress::Ends
            } else if let Some(next) = &node.next {
                self.go_to(next, node.passes_turn)?
            } else if let Some(moves) = &node.moves {
                self.choose(node, moves)?
            } else if let Some(outcomes) = &node.outcomes {
                self.throw(node, outcomes)?
            } else {
                self.say("nothing happens, the same position again")?;
                self.come_to(Rc::clone(&position))?;
                Progress::GoesOn
            };
            if progress == Progress::Ends {
                return Ok(());
            }
            alone = if self.history.len() == moved { alone + 1 } else { 0 };
        }
        self.say(&format!("stopped after {MAX_STEPS_ALONE} steps without a move of yours"))
    }

    fn say(&mut self, line: &str) -> Result<(), Failure> {
        writeln!(self.out, "{line}").map_err(Failure::output("stdout"))
    }

    fn greet(&mut self) -> Result<(), Failure> {
        self.say(self.rules.about())?;
        let side = match (self.setup.side, self.answers.choices().has_two_players()) {
            (Side::None, _) | (Side::Second, false) => return Ok(()),
            (Side::First, true) => "you are the first player; ",
            (Side::Second, true) => "you are the second player; ",
            _ => "",
        };
        self.say(&format!("{side}write a number, the name of a move, hint, undo, quit or help"))
    }

    /// Shows the position, the points so far and what was thrown since.
    fn show_position(&mut self) -> Result<(), Failure> {
        let position = Rc::clone(&self.state.position);
        let points = match tidy(self.state.points_before) {
            0.0 => String::new(),
            points if self.answers.choices().has_two_players() => format!(", {points} so far for the first player"),
            points => format!(", {points} so far"),
        };
        self.say(&format!("\nposition {}{points}", visible(&position.position)))?;
        let path = self.state.path.clone();
        for (length, &place) in path.iter().enumerate() {
            let node = node_at(&position, &path[..length]);
            if let Some(outcomes) = &node.outcomes {
                self.show_throw(node, &outcomes[place])?;
            }
        }
        Ok(())
    }

    fn show_throw(&mut self, node: &Explained, outcome: &ExplainedOutcome) -> Result<(), Failure> {
        self.say(&format!("chance: {}{}", outcome.label(node.total_weight()), outcome.then.ending()))
    }

    /// The player who chooses at a node.
    fn chooser(&self, goal: Option<Goal>) -> Player {
        let choices = self.answers.choices();
        let is_other = choices.has_max && choices.has_min && goal == Some(Goal::Min);
        if is_other { self.state.owner.other() } else { self.state.owner }
    }

    fn is_person(&self, player: Player) -> bool {
        match self.setup.side {
            Side::First => player == Player::First,
            Side::Second => player == Player::Second,
            Side::Both => true,
            Side::None => false,
        }
    }

    /// A player and what the player does, such as "you play" or "the table plays".
    fn does(&self, player: Player, verb: &str) -> String {
        let has_two_players = self.answers.choices().has_two_players();
        match (self.setup.side, player) {
            (Side::Both | Side::None, Player::First) if has_two_players => format!("the first player {verb}s"),
            (Side::Both | Side::None, Player::Second) if has_two_players => format!("the second player {verb}s"),
            _ if self.is_person(player) => format!("you {verb}"),
            _ => format!("the table {verb}s"),
        }
    }

    fn choose(&mut self, node: &Explained, moves: &[ExplainedMove]) -> Result<Progress, Failure> {
        let player = self.chooser(node.goal);
        let proposed = node.proposed.unwrap_or(1);
        let chosen: Vec<usize> = if self.is_person(player) {
            self.list_moves(player, proposed, moves)?;
            match self.read_moves(proposed, node, moves)? {
                Some(chosen) if chosen.is_empty() => return Ok(Progress::GoesOn),
                Some(chosen) => chosen,
                None => return Ok(Progress::Ends),
            }
        } else {
            (0..proposed).collect()
        };
        let happens = if proposed > 1 { self.state.throws.below(proposed as u64) as usize } else { 0 };
        let name = |place: usize| visible(&moves[place].name).into_owned();
        let line = if proposed > 1 {
            let names: Vec<String> = chosen.iter().map(|&place| name(place)).collect();
            format!("{} {}; {} happens", self.does(player, "propose"), names.join(", "), name(chosen[happens]))
        } else {
            format!("{} {}", self.does(player, "play"), name(chosen[happens]))
        };
        self.say(&(line + &moves[chosen[happens]].then.ending()))?;
        self.state.path.push(chosen[happens]);
        self.state.enter();
        Ok(Progress::GoesOn)
    }

    /// Lists the moves in the order of the rules, which does not tell which is best.
    fn list_moves(&mut self, player: Player, proposed: usize, moves: &[ExplainedMove]) -> Result<(), Failure> {
        let task = match proposed {
            1 => format!("{} a move:", self.does(player, "choose")),
            _ => format!("{} {proposed} moves, one per line, and one of them happens:", self.does(player, "propose")),
        };
        self.say(&task)?;
        let width = moves.len().to_string().len();
        for (number, &place) in in_order(moves).iter().enumerate() {
            let step = &moves[place];
            self.say(&format!("  {:>width$}  {}{}", number + 1, visible(&step.name), step.then.ending()))?;
        }
        Ok(())
    }

    /// Reads moves until there are `count` different ones. An empty list if the last move is taken back, `None` if the
    /// game ends.
    fn read_moves(
        &mut self,
        count: usize,
        node: &Explained,
        moves: &[ExplainedMove],
    ) -> Result<Option<Vec<usize>>, Failure> {
        let mut chosen = Vec::new();
        while chosen.len() < count {
            match self.read_command(moves)? {
                Command::Move(place) if chosen.contains(&place) => {
                    self.say("proposed already, propose another move")?
                }
                Command::Move(place) => chosen.push(place),
                Command::Hint => {
                    let mut text = String::new();
                    node.append(1, 1, &mut text);
                    self.say(text.trim_end())?;
                }
                Command::Undo => match self.history.pop() {
                    None => self.say("there is no move of yours to take back")?,
                    Some(before) => {
                        self.state = before;
                        self.show_position()?;
                        return Ok(Some(Vec::new()));
                    }
                },
                Command::Quit => return Ok(None),
                Command::Help => self.say(HELP)?,
                Command::Unknown(text) => {
                    let remedy = format!("write a number from 1 to {}, the name of a move, or help", moves.len());
                    self.say(&format!("{} is no move here, {remedy}", quote(text.as_bytes())))?;
                }
            }
        }
        self.history.push(self.state.clone());
        Ok(Some(chosen))
    }

    fn read_command(&mut self, moves: &[ExplainedMove]) -> Result<Command, Failure> {
        let prompt: &[u8] = if self.setup.has_prompt { b"> " } else { b"" };
        self.out.write_all(prompt).and_then(|()| self.out.flush()).map_err(Failure::output("stdout"))?;
        let input = Failure::input(None);
        let Some(line) = self.input.next_line().map_err(&input)? else {
            // What follows on the terminal begins on a new line.
            let end: &[u8] = if self.setup.has_prompt { b"\n" } else { b"" };
            self.out.write_all(end).map_err(Failure::output("stdout"))?;
            return Ok(Command::Quit);
        };
        let text = line.text().map_err(input)?;
        let order = in_order(moves);
        if let Some(&place) = order.iter().find(|&&place| moves[place].name == text) {
            return Ok(Command::Move(place));
        }
        let numbered =
            whole_number(text.as_bytes()).and_then(|number| order.get(usize::try_from(number).ok()?.checked_sub(1)?));
        Ok(match (numbered, text.to_ascii_lowercase().as_str()) {
            (Some(&place), _) => Command::Move(place),
            (_, "hint" | "h") => Command::Hint,
            (_, "undo" | "u") => Command::Undo,
            (_, "quit" | "q") => Command::Quit,
            (_, "help" | "?") => Command::Help,
            _ => Command::Unknown(text.to_owned()),
        })
    }

    fn throw(&mut self, node: &Explained, outcomes: &[ExplainedOutcome]) -> Result<Progress, Failure> {
        let mut thrown = self.state.throws.below(node.total_weight());
        let place = outcomes.iter().position(|outcome| {
            let is_thrown = thrown < outcome.weight;
            thrown = thrown.saturating_sub(outcome.weight);
            is_thrown
        });
        let place = place.expect("the weights sum to their total");
        self.show_throw(node, &outcomes[place])?;
        self.state.path.push(place);
        self.state.enter();
        Ok(Progress::GoesOn)
    }

    fn go_to(&mut self, next: &str, passes_turn: bool) -> Result<Progress, Failure> {
        let unreadable = |error: String| Fault::Unreadable { error }.at(next);
        let position: R::Position =
            next.parse().map_err(|error: <R::Position as std::str::FromStr>::Err| unreadable(error.to_string()))?;
        let missing = || self.answers.wrong(format!("'{next}' is not in it"));
        let explanation = explain(self.rules, self.answers, &position, Detail::Moves)?.ok_or_else(missing)?;
        if passes_turn {
            // A value is the sum less the other player's value.
            self.state.earned += self.state.sign() * self.rules.sum() as f64;
            self.state.owner = self.state.owner.other();
        }
        self.come_to(Rc::new(explanation))?;
        Ok(Progress::GoesOn)
    }

    fn come_to(&mut self, position: Rc<Explanation>) -> Result<(), Failure> {
        self.state.position = position;
        self.state.path.clear();
        self.state.points_before = self.state.points;
        self.show_position()?;
        self.state.enter();
        Ok(())
    }

    /// Says how the game has ended, and what the best play gives.
    fn finish(&mut self, node: &Explained) -> Result<(), Failure> {
        let result = tidy(self.state.earned + self.state.sign() * node.value.value);
        let choices = self.answers.choices();
        let words = match self.winner(result) {
            _ if !choices.has_two_players() => format!("{result}"),
            None => format!("{result} for the first player"),
            Some(Ordering::Equal) => format!("a draw, {result} for the first player"),
            Some(order) => {
                let player = if order == Ordering::Greater { Player::First } else { Player::Second };
                format!("{}, {result} for the first player", self.does(player, "win"))
            }
        };
        self.say(&format!("\nthe game is over: {words}"))?;
        let start = Rc::clone(&self.start);
        let (position, value) = (visible(&start.position), start.root.value.long_text());
        self.say(&format!("best play from '{position}' is worth {value}"))?;
        if self.setup.seed.is_none() && self.state.throws != Seeded(self.seed) {
            self.say(&format!("for the same throws again, pass --seed {}", self.seed))?;
        }
        Ok(())
    }

    /// Whether the first player's result is above, at or below a draw. `None` if the value of a draw is not known: it is
    /// known of the values at the end of a game, and not with the points that were counted before.
    fn winner(&self, result: f64) -> Option<Ordering> {
        let is_known = self.answers.choices().has_turns || self.state.points == 0.0;
        if is_known { result.partial_cmp(&self.answers.middle()) } else { None }
    }
}

/// The places of the moves in the order of the rules.
fn in_order(moves: &[ExplainedMove]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..moves.len()).collect();
    places.sort_by_key(|&place| moves[place].place);
    places
}

/// A sum of costs without the rounding errors of doubles, and without the sign of a negative zero.
fn tidy(sum: f64) -> f64 {
    (sum * 1e9).round() / 1e9 + 0.0
}
