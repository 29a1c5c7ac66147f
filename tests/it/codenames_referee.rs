//! Independent referees for Codenames: one that plays guess by guess in exact fractions, and one that sums a closed
//! form set by set.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::support::Seeded;
use crate::support::codenames::{self, hint_words, win, with_cards, with_revealed};
use num_rational::BigRational;
use num_traits::ToPrimitive;
use tabletop::codenames::Method;
use tabletop::codenames::sample::Shape;
use tabletop::codenames::{Board, Card, CardSet, Guess, Identity, Outcome, Run, SolveError, Solver, Team};

const TOLERANCE: f64 = 1e-12;
const METHODS: [Method; 3] = [Method::Rows, Method::Strips, Method::Counts];

/// The number of positions that a method has to solve.
fn positions(board: &Board, method: Method) -> u64 {
    Solver::with_method(board.clone(), method).unwrap().effort().positions
}

fn fraction(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

/// Follows the statement literally, guess by guess.
struct Player<'a> {
    board: &'a Board,
    /// By revealed cards and team on the move.
    positions: HashMap<(u64, Team), BigRational>,
    /// By revealed cards, team on the move, hint and hits still asked for.
    turns: HashMap<(u64, Team, usize, usize), BigRational>,
    /// Whether a position without a legal hint came up.
    stuck: bool,
}

impl<'a> Player<'a> {
    fn new(board: &'a Board) -> Player<'a> {
        Player { board, positions: HashMap::new(), turns: HashMap::new(), stuck: false }
    }

    fn unrevealed(&self, revealed: u64, hint: CardSet) -> Vec<usize> {
        hint.iter().filter(|&card| revealed >> card & 1 == 0).collect()
    }

    fn has_won(&self, revealed: u64, team: Team) -> bool {
        let mut cards = self.board.cards().iter().enumerate();
        cards.all(|(card, of)| of.identity() != Identity::Agent(team) || revealed >> card & 1 == 1)
    }

    /// The probability that the team on the move wins.
    fn position(&mut self, revealed: u64, team: Team) -> BigRational {
        if let Some(known) = self.positions.get(&(revealed, team)) {
            return known.clone();
        }
        let mut best: Option<BigRational> = None;
        for hint in 0..self.board.hints().len() {
            for number in 1..=self.unrevealed(revealed, self.board.hints()[hint]).len() {
                let value = self.turn(revealed, team, hint, number);
                best = Some(best.map_or(value.clone(), |best| best.max(value)));
            }
        }
        self.stuck |= best.is_none();
        let value = best.unwrap_or_else(|| fraction(0, 1));
        self.positions.insert((revealed, team), value.clone());
        value
    }

    /// The probability that the team wins when it may make `number` more hits with a hint.
    fn turn(&mut self, revealed: u64, team: Team, hint: usize, number: usize) -> BigRational {
        let key = (revealed, team, hint, number);
        if let Some(known) = self.turns.get(&key) {
            return known.clone();
        }
        let words = self.unrevealed(revealed, self.board.hints()[hint]);
        let mut sum = fraction(0, 1);
        for &card in &words {
            sum += self.guess(revealed, team, hint, number, card);
        }
        let value = sum / fraction(words.len() as i64, 1);
        self.turns.insert(key, value.clone());
        value
    }

    fn guess(&mut self, revealed: u64, team: Team, hint: usize, number: usize, card: usize) -> BigRational {
        let after = revealed | 1 << card;
        match self.board.cards()[card].identity() {
            Identity::Assassin => fraction(0, 1),
            Identity::Agent(owner) if self.has_won(after, owner) => fraction((owner == team).into(), 1),
            Identity::Agent(owner) if owner == team && number > 1 => self.turn(after, team, hint, number - 1),
            _ => fraction(1, 1) - self.position(after, team.other()),
        }
    }
}

/// How often each special case occurs in a sample of boards.
#[derive(Debug, Default)]
struct Census {
    without_assassin: usize,
    with_several_assassins: usize,
    stuck: usize,
    best_without_own_card: usize,
    best_above_own_cards: usize,
    mid_game: usize,
    symmetric: usize,
}

impl Census {
    fn count(&mut self, board: &Board, player: &Player, values: &[Vec<BigRational>]) {
        let assassins = board.cards().iter().filter(|card| card.identity() == Identity::Assassin).count();
        self.without_assassin += usize::from(assassins == 0);
        self.with_several_assassins += usize::from(assassins > 1);
        self.stuck += usize::from(player.stuck);
        self.mid_game += usize::from(board.cards().iter().any(|card| card.identity() == Identity::Revealed));
        let own = |hint: usize| {
            let own = |&card: &usize| board.cards()[card].identity() == Identity::Agent(board.to_move());
            board.hints()[hint].iter().filter(own).count()
        };
        let hints = || values.iter().enumerate();
        let Some(best) = values.iter().flatten().max() else { return };
        let with_own = hints().filter(|&(hint, _)| own(hint) > 0).flat_map(|(_, values)| values).max();
        self.best_without_own_card += usize::from(with_own < Some(best));
        let asked_for = hints().flat_map(|(hint, values)| &values[..own(hint).min(values.len())]).max();
        self.best_above_own_cards += usize::from(with_own == Some(best) && asked_for < Some(best));
    }
}

/// A board of at most seven cards. One board in five has a revealed card, unless that would end the game.
fn small_board(seeded: &mut Seeded) -> Board {
    let [red, blue] = [1 + seeded.below(3) as usize, 1 + seeded.below(2) as usize];
    let assassins = [0, 1, 1, 2][seeded.below(4) as usize];
    let innocent = seeded.below((8 - red - blue - assassins).min(3) as u64) as usize;
    let hints = 1 + seeded.below(6) as usize;
    let most = (red + blue + innocent + assassins).min(2 + seeded.below(4) as usize);
    let board = codenames::board(Shape { red, blue, innocent, assassins, hints, words: 1..=most }, seeded);
    if seeded.below(5) != 0 {
        return board;
    }
    let card = seeded.below(board.cards().len() as u64) as usize;
    let revealed = with_revealed(&board, |place, _| place == card).unwrap();
    if revealed.winner().is_some() { board } else { revealed }
}

fn already_revealed(board: &Board) -> u64 {
    let cards = board.cards().iter().enumerate().filter(|(_, card)| card.identity() == Identity::Revealed);
    cards.map(|(card, _)| 1 << card).sum()
}

#[test]
fn playing_guess_by_guess_in_fractions_agrees_on_500_small_boards() {
    let mut seeded = Seeded(5);
    let mut census = Census::default();
    for number in 0..500 {
        let board = small_board(&mut seeded);
        let mut player = Player::new(&board);
        let revealed = already_revealed(&board);
        let exact = player.position(revealed, board.to_move());
        let values: Vec<Vec<BigRational>> = (0..board.hints().len())
            .map(|hint| {
                let numbers = 1..=player.unrevealed(revealed, board.hints()[hint]).len();
                numbers.map(|number| player.turn(revealed, board.to_move(), hint, number)).collect()
            })
            .collect();
        census.count(&board, &player, &values);

        assert_eq!(board.can_get_stuck(), player.stuck, "board {number}: {board:?}");
        census.symmetric += usize::from(positions(&board, Method::Counts) < positions(&board, Method::Rows));
        for method in METHODS {
            let solver = Solver::with_method(board.clone(), method).unwrap();
            let advice = solver.solve(Run::default()).unwrap().advise();
            assert_close(advice.win.to_f64(), &exact, &board);
            assert_eq!(advice.moves.len(), values.iter().filter(|values| !values.is_empty()).count());
            for choice in &advice.moves {
                assert_close(choice.win.to_f64(), values[choice.hint].iter().max().unwrap(), &board);
                assert_close(choice.win.to_f64(), &values[choice.hint][choice.number - 1], &board);
            }
            if let Some(best) = &advice.best {
                let hint = advice.moves[0].hint;
                assert_eq!(best.numbers.len(), values[hint].len());
                for (found, exact) in best.numbers.iter().zip(&values[hint]) {
                    assert_close(found.to_f64(), exact, &board);
                }
                for guess in &best.guesses {
                    let number = advice.moves[0].number;
                    let exact = player.guess(revealed, board.to_move(), hint, number, guess.card);
                    assert_close(guess.win.to_f64(), &exact, &board);
                    let on = guess.outcome == Outcome::GuessesOn;
                    assert!(!on || number > 1, "{board:?}");
                    check_next(&board, guess);
                }
            }
        }
    }
    let Census { without_assassin, with_several_assassins, stuck, mid_game, symmetric, .. } = census;
    let counts = [without_assassin, with_several_assassins, stuck, mid_game, symmetric];
    assert!(counts.iter().all(|&count| count >= 10), "{census:?}");
    assert!(census.best_without_own_card >= 10 && census.best_above_own_cards >= 10, "{census:?}");
}

/// Asserts that the position after a guess has the stated value and reads back from its text.
fn check_next(board: &Board, guess: &Guess) {
    let ends_with_assassin = board.cards()[guess.card].identity() == Identity::Assassin;
    assert_eq!(guess.next.is_none(), ends_with_assassin, "{board}");
    let Some(next) = &guess.next else { return };
    let guesses_on = guess.outcome == Outcome::GuessesOn;
    assert_eq!(next.guessing().is_some(), guesses_on, "{board}");
    assert_eq!(next.to_move(), if guesses_on { board.to_move() } else { board.to_move().other() });
    assert_eq!(next.cards()[guess.card].identity(), Identity::Revealed);
    assert_eq!(next.to_string().parse::<Board>().unwrap(), *next);
    let found = if guesses_on { win(next) } else { 1.0 - win(next) };
    assert!((found - guess.win.to_f64()).abs() < TOLERANCE, "{board}");
    let over = matches!(guess.outcome, Outcome::Wins | Outcome::Loses);
    assert_eq!(next.winner().is_some(), over, "{board}");
}

#[track_caller]
fn assert_close(found: f64, exact: &BigRational, board: &Board) {
    let exact = exact.to_f64().unwrap();
    assert!((found - exact).abs() < TOLERANCE, "{found} instead of {exact}: {board:?}");
}

/// The probability that the team to move wins, computed set by set with a closed form: if a hint has s unrevealed
/// words, the first t guesses are exactly a given set of t own cards with probability 1/C(s, t).
fn closed_form(board: &Board) -> f64 {
    let cards = board.cards().len();
    let of = |wanted: Identity| -> usize {
        (0..cards).filter(|&card| board.cards()[card].identity() == wanted).map(|card| 1 << card).sum()
    };
    let agents = Team::BOTH.map(|team| of(Identity::Agent(team)));
    let assassins = of(Identity::Assassin);
    let hints: Vec<usize> = board.hints().iter().map(|hint| hint.iter().map(|card| 1 << card).sum()).collect();
    let mut wins = vec![[0.0_f64; 2]; 1 << cards];
    for set in 0..1_usize << cards {
        if set & assassins != assassins || agents.iter().any(|agents| set & agents == 0) {
            continue;
        }
        for team in 0..2 {
            let after = |left: usize| match () {
                () if left & agents[team] == 0 => 1.0,
                () if left & agents[1 - team] == 0 || left & assassins != assassins => 0.0,
                () => 1.0 - wins[left][1 - team],
            };
            let values = hints.iter().map(|hint| closed_form_of_hint(set, hint & set, agents[team], after));
            wins[set][team] = values.fold(0.0, f64::max);
        }
    }
    wins[(1 << cards) - 1][board.to_move() as usize]
}

/// The best value over all numbers of one hint.
fn closed_form_of_hint(set: usize, words: usize, agents: usize, after: impl Fn(usize) -> f64) -> f64 {
    let size = words.count_ones() as usize;
    let own = words & agents;
    let mut values = vec![0.0; size + 1];
    for hits in (0..=own).filter(|hits| hits & !own == 0) {
        let count = hits.count_ones() as usize;
        let left = set & !hits;
        let chance = 1.0 / binomial(size, count);
        if left & agents == 0 {
            (count..=size).for_each(|number| values[number] += chance);
            continue;
        }
        values[count] += chance * after(left);
        for miss in (0..usize::BITS).map(|bit| 1 << bit).filter(|bit| words & !own & bit != 0) {
            let value = chance / (size - count) as f64 * after(left & !miss);
            (count + 1..=size).for_each(|number| values[number] += value);
        }
    }
    values.into_iter().skip(1).fold(0.0, f64::max)
}

fn binomial(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64)
}

/// Compares boards of 12 to 15 cards with the closed form. With few hints, many cards are alike.
fn check_closed_form(boards: usize, hints: impl Fn(usize) -> usize, seeded: &mut Seeded) {
    for number in 0..boards {
        let cards = 12 + number % 4;
        let (red, assassins) = (3 + seeded.below(3) as usize, seeded.below(3) as usize);
        let blue = 3 + seeded.below(3) as usize;
        let most = if number < boards / 2 { 4 } else { cards / 2 };
        let innocent = cards - red - blue - assassins;
        let shape = Shape { red, blue, innocent, assassins, hints: hints(number), words: 1..=most };
        let board = codenames::board(shape, seeded);
        let expected = closed_form(&board);
        for method in METHODS {
            let solver = Solver::with_method(board.clone(), method).unwrap();
            let found = solver.solve(Run::default()).unwrap().win().to_f64();
            assert!((found - expected).abs() < TOLERANCE, "{method:?}: {found} instead of {expected}: {board}");
        }
    }
}

#[test]
fn the_closed_form_agrees_on_30_boards_of_12_to_15_cards() {
    check_closed_form(30, |number| 5 + number % 20, &mut Seeded(30));
}

#[test]
fn the_closed_form_agrees_on_60_boards_whose_cards_are_largely_alike() {
    check_closed_form(60, |number| 1 + number % 4, &mut Seeded(60));
}

/// With one hint for all cards, the guesses of both teams together are a random order of the cards. The team with the
/// last agent in this order loses.
#[test]
fn one_hint_for_all_cards_is_answered_at_once_on_boards_of_any_size() {
    for (red, blue, innocent) in [(1, 1, 0), (24, 1, 0), (1, 24, 0), (12, 12, 1), (63, 1, 0), (30, 20, 14), (1, 1, 62)]
    {
        let cards = red + blue + innocent;
        let shape = Shape { red, blue, innocent, assassins: 0, hints: 1, words: cards..=cards };
        let board = codenames::board(shape, &mut Seeded(cards as u64));
        let solver = Solver::new(board.clone()).unwrap();
        let effort = solver.effort();
        assert_eq!(effort.positions, ((red + 1) * (blue + 1) * (innocent + 1)) as u64);
        assert!(effort.seconds < 0.1, "{effort:?}");
        let opponents = board.agents(board.to_move().other()) as f64;
        let expected = opponents / (red + blue) as f64;
        let found = solver.solve(Run::default()).unwrap().win().to_f64();
        assert!((found - expected).abs() < TOLERANCE, "{found} instead of {expected}: {board}");
    }
}

/// A board of 25 cards that takes hours: the hints have nearly all cards, and no two cards are alike.
fn endless_board() -> Board {
    let shape = Shape { red: 23, blue: 2, innocent: 0, assassins: 0, hints: 60, words: 18..=24 };
    codenames::board(shape, &mut Seeded(25))
}

#[test]
fn a_board_that_takes_long_is_refused_unless_the_run_has_patience() {
    let solver = Solver::new(endless_board()).unwrap();
    let effort = solver.effort();
    assert!(effort.time() > Duration::from_secs(600), "{effort:?}");
    let refused = solver.solve(Run::default()).unwrap_err();
    let patience = Duration::from_secs(60);
    assert_eq!(refused, SolveError::TooLong { effort, patience });
    assert!(refused.to_string().starts_with("the board is expected to take about "), "{refused}");
}

#[test]
fn a_run_ends_at_its_deadline_or_when_it_is_cancelled_with_an_error() {
    let solver = Solver::new(endless_board()).unwrap();
    let patient = Run { patience: Duration::MAX, ..Run::default() };
    let start = Instant::now();
    let deadline = Some(start + Duration::from_millis(300));
    assert_eq!(solver.solve(Run { deadline, ..patient }).unwrap_err(), SolveError::OutOfTime);
    assert!(start.elapsed() < Duration::from_secs(60), "the deadline is checked too rarely");
    let cancelled = AtomicBool::new(true);
    let run = Run { cancelled: Some(&cancelled), ..patient };
    assert_eq!(solver.solve(run).unwrap_err(), SolveError::Cancelled);
    for method in METHODS {
        let solver = Solver::with_method(medium_board(&mut Seeded(1)), method).unwrap();
        assert_eq!(solver.solve(run).unwrap_err(), SolveError::Cancelled, "{method:?}");
    }
}

#[test]
fn a_finished_game_is_won_by_the_team_without_unrevealed_agents() {
    let mut seeded = Seeded(4);
    for _ in 0..50 {
        let board = medium_board(&mut seeded);
        for winner in Team::BOTH {
            let over = with_revealed(&board, |_, identity| identity == Identity::Agent(winner)).unwrap();
            assert_eq!(over.winner(), Some(winner));
            assert!(!over.can_get_stuck());
            assert_eq!(over.to_string().parse::<Board>().unwrap(), over);
            let solver = Solver::new(over.clone()).unwrap();
            assert_eq!(solver.effort().positions, 0);
            let advice = solver.solve(Run::default()).unwrap().advise();
            assert_eq!(advice.win.to_f64(), if over.to_move() == winner { 1.0 } else { 0.0 });
            assert_eq!((advice.winner, advice.moves.len(), advice.best), (Some(winner), 0, None));
            assert!(advice.blocked_by.is_empty() && over.after_last_guess(0).is_err());
        }
    }
}

#[test]
fn a_hint_is_worth_the_average_of_its_guesses_also_in_the_middle_of_a_turn() {
    let mut seeded = Seeded(6);
    let mut middles = 0;
    for _ in 0..30 {
        let mut board = medium_board(&mut seeded);
        // Guesses random words until the game is over.
        loop {
            let advice = Solver::new(board.clone()).unwrap().solve(Run::default()).unwrap().advise();
            let Some(best) = advice.best else { break };
            if let Some(guessing) = board.guessing() {
                assert_eq!((advice.moves[0].hint, advice.moves[0].number), (guessing.hint, guessing.number));
                middles += 1;
            }
            let sum: f64 = best.guesses.iter().map(|guess| guess.win.to_f64()).sum();
            let average = sum / best.guesses.len() as f64;
            assert!((average - advice.win.to_f64()).abs() < 1e-12, "{average} {:?}\n{board}", advice.win);
            for guess in &best.guesses {
                let is_assassin = board.cards()[guess.card].identity() == Identity::Assassin;
                assert_eq!(guess.next.is_none(), is_assassin, "{guess:?}\n{board}");
            }
            let chosen = seeded.below(best.guesses.len() as u64) as usize;
            let Some(next) = best.guesses[chosen].next.clone() else { break };
            board = next;
        }
    }
    assert!(middles > 10, "{middles}");
}

#[test]
fn the_agents_that_no_hint_mentions_are_listed_for_a_team_that_cannot_win() {
    let text = |to_move: &str| format!("5 {to_move}\na b c d e\nR R B I B\n2\n2 b c\n2 c e\n");
    let advise = |text: &str| Solver::new(text.parse().unwrap()).unwrap().solve(Run::default()).unwrap().advise();
    let red = advise(&text("R"));
    assert_eq!((red.win.to_f64(), red.blocked_by), (0.0, vec![0]));
    let blue = advise(&text("B"));
    assert_eq!((blue.win.to_f64(), blue.blocked_by), (1.0, vec![]));
    // The other team may still lose by the assassin.
    let red = advise("4 R\na b c d\nR B I A\n2\n2 b d\n1 c\n");
    assert!(red.win.to_f64() > 0.0 && red.blocked_by.is_empty(), "{red:?}");
    // Red loses although the hints mention all its agents.
    let red = advise("4 R\na b c d\nR R B I\n2\n2 a b\n1 c\n");
    assert!(red.blocked_by.is_empty(), "{red:?}");
}

fn medium_board(seeded: &mut Seeded) -> Board {
    codenames::board(Shape { red: 4, blue: 3, innocent: 2, assassins: 1, hints: 8, words: 1..=5 }, seeded)
}

#[test]
fn a_duplicate_hint_changes_nothing() {
    let mut seeded = Seeded(1);
    for _ in 0..50 {
        let board = medium_board(&mut seeded);
        let mut hints = hint_words(&board);
        hints.push(hints[seeded.below(8) as usize].clone());
        let twice = Board::new(board.to_move(), board.cards().to_vec(), hints).unwrap();
        assert_eq!(win(&twice), win(&board), "{board:?}");
    }
}

#[test]
fn exchanging_the_colours_and_the_side_to_move_changes_nothing() {
    let mut seeded = Seeded(2);
    for _ in 0..50 {
        let board = medium_board(&mut seeded);
        let cards = board.cards().iter().map(|card| match card.identity() {
            Identity::Agent(team) => Card::new(card.word(), Identity::Agent(team.other())),
            other => Card::new(card.word(), other),
        });
        let exchanged = with_cards(&board, board.to_move().other(), cards.collect()).unwrap();
        assert_eq!(win(&exchanged), win(&board), "{board:?}");
    }
}

#[test]
fn an_innocent_card_that_no_hint_mentions_changes_nothing() {
    let mut seeded = Seeded(3);
    for _ in 0..50 {
        let board = medium_board(&mut seeded);
        let mut cards = board.cards().to_vec();
        cards.push(Card::new("new", Identity::Innocent));
        let wider = with_cards(&board, board.to_move(), cards).unwrap();
        assert_eq!(win(&wider), win(&board), "{board:?}");
    }
}
