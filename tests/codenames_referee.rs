//! Independent referees for Codenames: one that plays guess by guess in exact fractions, and one that sums the closed
//! form set by set.

mod support;

use std::collections::HashMap;
use std::num::NonZeroUsize;

use num_rational::BigRational;
use num_traits::ToPrimitive;
use support::Seeded;
use support::codenames::{Shape, win};
use tabletop::codenames::solve::live::LiveSet;
use tabletop::codenames::{Board, Card, CardSet, Identity, LiveBoard, Outcome, Run, Solution, Team, answer};

const TOLERANCE: f64 = 1e-12;

fn fraction(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

/// Plays by the letter of the statement, one guess after another.
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
        let mut cards = self.board.cards.iter().enumerate();
        cards.all(|(card, of)| of.identity != Identity::Agent(team) || revealed >> card & 1 == 1)
    }

    /// The probability that the team on the move wins.
    fn position(&mut self, revealed: u64, team: Team) -> BigRational {
        if let Some(known) = self.positions.get(&(revealed, team)) {
            return known.clone();
        }
        let mut best: Option<BigRational> = None;
        for hint in 0..self.board.hints.len() {
            for number in 1..=self.unrevealed(revealed, self.board.hints[hint]).len() {
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
        let words = self.unrevealed(revealed, self.board.hints[hint]);
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
        match self.board.cards[card].identity {
            Identity::Assassin => fraction(0, 1),
            Identity::Agent(owner) if self.has_won(after, owner) => fraction((owner == team).into(), 1),
            Identity::Agent(owner) if owner == team && number > 1 => self.turn(after, team, hint, number - 1),
            _ => fraction(1, 1) - self.position(after, team.other()),
        }
    }
}

/// What a sample of boards holds.
#[derive(Debug, Default)]
struct Census {
    without_assassin: usize,
    with_several_assassins: usize,
    stuck: usize,
    best_without_own_card: usize,
    best_above_own_cards: usize,
    mid_game: usize,
}

impl Census {
    fn count(&mut self, board: &Board, player: &Player, values: &[Vec<BigRational>]) {
        let assassins = board.cards.iter().filter(|card| card.identity == Identity::Assassin).count();
        self.without_assassin += usize::from(assassins == 0);
        self.with_several_assassins += usize::from(assassins > 1);
        self.stuck += usize::from(player.stuck);
        self.mid_game += usize::from(board.cards.iter().any(|card| card.identity == Identity::Revealed));
        let own = |hint: usize| {
            let own = |&card: &usize| board.cards[card].identity == Identity::Agent(board.to_move);
            board.hints[hint].iter().filter(own).count()
        };
        let hints = || values.iter().enumerate();
        let Some(best) = values.iter().flatten().max() else { return };
        let with_own = hints().filter(|&(hint, _)| own(hint) > 0).flat_map(|(_, values)| values).max();
        self.best_without_own_card += usize::from(with_own < Some(best));
        let asked_for = hints().flat_map(|(hint, values)| &values[..own(hint).min(values.len())]).max();
        self.best_above_own_cards += usize::from(with_own == Some(best) && asked_for < Some(best));
    }
}

/// A board of at most seven cards; some of the cards of one in five are revealed already.
fn small_board(seeded: &mut Seeded) -> Board {
    let [red, blue] = [1 + seeded.below(3) as usize, 1 + seeded.below(2) as usize];
    let assassins = [0, 1, 1, 2][seeded.below(4) as usize];
    let innocent = seeded.below((8 - red - blue - assassins).min(3) as u64) as usize;
    let hints = 1 + seeded.below(6) as usize;
    let most = (red + blue + innocent + assassins).min(2 + seeded.below(4) as usize);
    let mut board = Shape { red, blue, innocent, assassins, hints, words: [1, most] }.board(seeded);
    if seeded.below(5) == 0 {
        let card = seeded.below(board.cards.len() as u64) as usize;
        let identity = std::mem::replace(&mut board.cards[card].identity, Identity::Revealed);
        if board.cards.iter().all(|card| card.identity != identity) {
            board.cards[card].identity = identity;
        }
    }
    board
}

fn already_revealed(board: &Board) -> u64 {
    let cards = board.cards.iter().enumerate().filter(|(_, card)| card.identity == Identity::Revealed);
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
        let exact = player.position(revealed, board.to_move);
        let values: Vec<Vec<BigRational>> = (0..board.hints.len())
            .map(|hint| {
                let numbers = 1..=player.unrevealed(revealed, board.hints[hint]).len();
                numbers.map(|number| player.turn(revealed, board.to_move, hint, number)).collect()
            })
            .collect();
        census.count(&board, &player, &values);

        let live = LiveBoard::new(&board).unwrap();
        assert_eq!(live.can_get_stuck(), player.stuck, "board {number}: {board:?}");
        for solution in [Solution::by_rows(&live), Solution::by_strips(&live, Run::default())] {
            let advice = answer::advise(&board, &solution);
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
                    let exact = player.guess(revealed, board.to_move, hint, number, guess.card);
                    assert_close(guess.win.to_f64(), &exact, &board);
                    let on = guess.outcome == Outcome::GuessesOn;
                    assert!(!on || number > 1, "{board:?}");
                }
            }
        }
    }
    let Census { without_assassin, with_several_assassins, stuck, mid_game, .. } = census;
    assert!([without_assassin, with_several_assassins, stuck, mid_game].iter().all(|&count| count >= 10), "{census:?}");
    assert!(census.best_without_own_card >= 10 && census.best_above_own_cards >= 10, "{census:?}");
}

#[track_caller]
fn assert_close(found: f64, exact: &BigRational, board: &Board) {
    let exact = exact.to_f64().unwrap();
    assert!((found - exact).abs() < TOLERANCE, "{found} instead of {exact}: {board:?}");
}

/// The probability that the team to move wins, set by set with the closed form of the notes on the statement: the first
/// t guesses are exactly a given set of t own cards with probability 1/C(s, t).
fn closed_form(board: &Board) -> f64 {
    let cards = board.cards.len();
    let of = |wanted: Identity| -> usize {
        (0..cards).filter(|&card| board.cards[card].identity == wanted).map(|card| 1 << card).sum()
    };
    let agents = Team::BOTH.map(|team| of(Identity::Agent(team)));
    let assassins = of(Identity::Assassin);
    let hints: Vec<usize> = board.hints.iter().map(|hint| hint.iter().map(|card| 1 << card).sum()).collect();
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
    wins[(1 << cards) - 1][board.to_move as usize]
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

#[test]
fn the_closed_form_agrees_on_30_boards_of_12_to_15_cards() {
    let mut seeded = Seeded(30);
    for number in 0..30 {
        let cards = 12 + number % 4;
        let (red, assassins) = (3 + seeded.below(3) as usize, seeded.below(3) as usize);
        let blue = 3 + seeded.below(3) as usize;
        let most = if number < 15 { 4 } else { cards / 2 };
        let innocent = cards - red - blue - assassins;
        let shape = Shape { red, blue, innocent, assassins, hints: 5 + number % 20, words: [1, most] };
        let board = shape.board(&mut seeded);
        let expected = closed_form(&board);
        let live = LiveBoard::new(&board).unwrap();
        for solution in [Solution::by_rows(&live), Solution::by_strips(&live, Run::default())] {
            let found = solution.value(live.root(), board.to_move);
            assert!((found - expected).abs() < TOLERANCE, "{found} instead of {expected}: {board:?}");
        }
    }
}

#[test]
fn a_large_board_has_the_same_value_by_both_methods_and_the_same_bits_with_any_number_of_threads() {
    let shape = Shape { red: 7, blue: 6, innocent: 6, assassins: 1, hints: 8, words: [4, 7] };
    let board = shape.board(&mut Seeded(19));
    let live = LiveBoard::new(&board).unwrap();
    assert!(live.width() >= 18, "narrow boards are not cut into pages");
    let by_rows = Solution::by_rows(&live);
    let by_strips =
        |threads| Solution::by_strips(&live, Run { threads: NonZeroUsize::new(threads).unwrap(), ..Run::default() });
    let [one, two, three] = [1, 2, 3].map(by_strips);
    for set in (0..=live.root().0).rev().step_by(97).map(LiveSet) {
        for team in Team::BOTH {
            let value = one.value(set, team);
            assert_eq!(value, two.value(set, team));
            assert_eq!(value, three.value(set, team));
            assert!((value - by_rows.value(set, team)).abs() < TOLERANCE, "{set:?} {team:?}");
        }
    }
}

fn medium_board(seeded: &mut Seeded) -> Board {
    Shape { red: 4, blue: 3, innocent: 2, assassins: 1, hints: 8, words: [1, 5] }.board(seeded)
}

#[test]
fn a_hint_that_is_there_twice_changes_nothing() {
    let mut seeded = Seeded(1);
    for _ in 0..50 {
        let board = medium_board(&mut seeded);
        let mut twice = board.clone();
        twice.hints.push(board.hints[seeded.below(8) as usize]);
        assert_eq!(win(&twice), win(&board), "{board:?}");
    }
}

#[test]
fn exchanging_the_colours_and_the_side_to_move_changes_nothing() {
    let mut seeded = Seeded(2);
    for _ in 0..50 {
        let board = medium_board(&mut seeded);
        let mut exchanged = board.clone();
        exchanged.to_move = board.to_move.other();
        for card in &mut exchanged.cards {
            if let Identity::Agent(team) = card.identity {
                card.identity = Identity::Agent(team.other());
            }
        }
        assert_eq!(win(&exchanged), win(&board), "{board:?}");
    }
}

#[test]
fn an_innocent_card_that_no_hint_mentions_changes_nothing() {
    let mut seeded = Seeded(3);
    for _ in 0..50 {
        let board = medium_board(&mut seeded);
        let mut wider = board.clone();
        wider.cards.push(Card { word: String::from("new"), identity: Identity::Innocent });
        assert_eq!(win(&wider), win(&board), "{board:?}");
    }
}
