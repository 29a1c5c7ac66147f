//! Compares small random games with cycles with a search through all strategies.
//!
//! A strategy takes the same moves whenever a place comes again. With a strategy for each player, the game is a Markov
//! chain, and its values solve linear equations. The value of a game is the best one of all strategies, against the
//! best answers of the other player.

use super::error::Fault;
use super::policy::value_in_cycles;
use super::rules::{Cycles, Goal, Node};
use super::solve::{Precision, solve};
use super::toy::{NUMBERS, Toy};
use super::value::Worth;
use crate::seeded::Seeded;

/// What an endless game is worth if it should be worse or better than everything else.
const HUGE: f64 = 1e6;
/// What an endless game with costs is worth.
const INFINITE: f64 = 1e12;
/// Maximum number of pairs of strategies.
const MOST_STRATEGIES: usize = 300;

/// A node, as plain data.
#[derive(Debug, Clone)]
enum Tree {
    Over(i64),
    Go(usize),
    Turn(usize),
    Again,
    Cost(i64, Box<Tree>),
    Choice(Goal, usize, Vec<Tree>),
    Chance(Vec<(u64, Tree)>),
}

/// The sum of both players' values.
const SUM: i64 = 1;

/// A game whose positions are drawn.
#[derive(Debug, Clone)]
struct Drawn(Vec<Tree>);

impl Drawn {
    fn rules(&self) -> Toy {
        let game = self.clone();
        let cycles = Cycles::Iterate { tolerance: 1e-8 };
        Toy { start: 0, cycles, sum: SUM, ..Toy::new(move |position| game.0[position as usize].node()) }
    }
}

impl Tree {
    fn node(&self) -> Node<Toy> {
        match self {
            Tree::Over(value) => Node::over(*value),
            Tree::Go(next) => Node::go(*next as u32),
            Tree::Turn(next) => Node::turn(*next as u32),
            Tree::Again => Node::again(),
            Tree::Cost(cost, then) => then.node().costing(*cost),
            Tree::Choice(goal, proposed, moves) => {
                Node::proposal(*goal, *proposed, NUMBERS.into_iter().zip(moves.iter().map(Tree::node)))
            }
            Tree::Chance(outcomes) => Node::chance(outcomes.iter().map(|(weight, then)| (*weight, then.node()))),
        }
    }

    /// Calls a function with this tree and with every tree in it.
    fn visit<'a>(&'a self, visit: &mut impl FnMut(&'a Tree)) {
        visit(self);
        match self {
            Tree::Cost(_, then) => then.visit(visit),
            Tree::Choice(_, _, moves) => moves.iter().for_each(|then| then.visit(visit)),
            Tree::Chance(outcomes) => outcomes.iter().for_each(|(_, then)| then.visit(visit)),
            _ => {}
        }
    }

    /// Whether some choice of moves is sure to wait at no cost.
    fn waits_for_free(&self) -> bool {
        match self {
            Tree::Over(_) | Tree::Go(_) | Tree::Turn(_) => false,
            Tree::Again => true,
            Tree::Cost(cost, then) => *cost == 0 && then.waits_for_free(),
            Tree::Choice(_, proposed, moves) => {
                moves.iter().filter(|then| then.waits_for_free()).count() >= (*proposed).min(moves.len())
            }
            Tree::Chance(outcomes) => outcomes.iter().all(|(_, then)| then.waits_for_free()),
        }
    }

    /// The same tree with positions from `own`, seen by the first player. The other player's positions follow the
    /// first player's `count`.
    fn seen(&self, own: usize, count: usize) -> Tree {
        let of_other = own >= count;
        let seen = |tree: &Tree| tree.seen(own, count);
        match self {
            Tree::Over(value) => Tree::Over(if of_other { SUM - value } else { *value }),
            Tree::Go(next) => Tree::Go(next + if of_other { count } else { 0 }),
            Tree::Turn(next) => Tree::Go(next + if of_other { 0 } else { count }),
            Tree::Again => Tree::Again,
            Tree::Cost(cost, then) => Tree::Cost(if of_other { -cost } else { *cost }, Box::new(seen(then))),
            Tree::Choice(goal, proposed, moves) => {
                let is_max = (*goal == Goal::Max) != of_other;
                Tree::Choice(if is_max { Goal::Max } else { Goal::Min }, *proposed, moves.iter().map(seen).collect())
            }
            Tree::Chance(outcomes) => {
                Tree::Chance(outcomes.iter().map(|(weight, then)| (*weight, seen(then))).collect())
            }
        }
    }
}

/// What may occur in a drawn game.
#[derive(Debug, Clone, Copy)]
struct Kind {
    goals: &'static [Goal],
    has_turns: bool,
    has_costs: bool,
}

fn draw_tree(seeded: &mut Seeded, kind: Kind, positions: u64, depth: u32) -> Tree {
    let leaf = |seeded: &mut Seeded| match seeded.below(10) {
        0..3 => Tree::Over(seeded.below(7) as i64 - if kind.has_costs { 0 } else { 3 }),
        3 => Tree::Again,
        4..7 if kind.has_turns => Tree::Turn(seeded.below(positions) as usize),
        _ => Tree::Go(seeded.below(positions) as usize),
    };
    if depth == 0 {
        return leaf(seeded);
    }
    let count = 1 + seeded.below(3);
    match seeded.below(10) {
        0 => leaf(seeded),
        1 | 2 if kind.has_costs => {
            Tree::Cost(seeded.below(3) as i64, Box::new(draw_tree(seeded, kind, positions, depth - 1)))
        }
        1..7 => {
            let goal = kind.goals[seeded.below(kind.goals.len() as u64) as usize];
            let proposed = 1 + usize::from(seeded.below(5) == 0);
            Tree::Choice(goal, proposed, (0..count).map(|_| draw_tree(seeded, kind, positions, depth - 1)).collect())
        }
        _ => Tree::Chance(
            (0..count).map(|_| (1 + seeded.below(3), draw_tree(seeded, kind, positions, depth - 1))).collect(),
        ),
    }
}

/// A game in which the other player's positions are separate and all values are the first player's.
struct Search {
    trees: Vec<Tree>,
    /// The sets of moves of each choice, in the order of [`Tree::visit`].
    options: Vec<Vec<Vec<usize>>>,
    goals: Vec<Goal>,
}

/// The moves of a position, with their probabilities, and the expected cost.
struct Row {
    shares: Vec<f64>,
    constant: f64,
    costs: bool,
}

impl Search {
    /// The reachable positions of a game. `None` if there are too many strategies.
    fn new(game: &Drawn) -> Option<Search> {
        let count = game.0.len();
        let trees = (0..2 * count).map(|own| game.0[own % count].seen(own, count)).collect();
        let mut search = Search { trees, options: Vec::new(), goals: Vec::new() };
        let is_reached = search.reached();
        for (tree, _) in search.trees.iter_mut().zip(is_reached).filter(|(_, is_reached)| !is_reached) {
            *tree = Tree::Over(0);
        }
        let Search { trees, options, goals } = &mut search;
        for tree in trees.iter() {
            tree.visit(&mut |tree| {
                if let Tree::Choice(goal, proposed, moves) = tree {
                    let sets = (0..1_usize << moves.len())
                        .filter(|set| set.count_ones() as usize == (*proposed).min(moves.len()));
                    options.push(
                        sets.map(|set| (0..moves.len()).filter(|place| set >> place & 1 == 1).collect()).collect(),
                    );
                    goals.push(*goal);
                }
            });
        }
        let strategies = search.options.iter().try_fold(1_usize, |product, sets| product.checked_mul(sets.len()));
        strategies.is_some_and(|count| count <= MOST_STRATEGIES).then_some(search)
    }

    fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.trees.len()];
        let mut stack = vec![0];
        while let Some(position) = stack.pop() {
            if !std::mem::replace(&mut reached[position], true) {
                self.trees[position].visit(&mut |tree| {
                    if let Tree::Go(next) = tree {
                        stack.push(*next);
                    }
                });
            }
        }
        reached
    }

    /// Whether some position has no way to the end.
    fn has_no_end(&self) -> bool {
        let mut ends = vec![false; self.trees.len()];
        for _ in 0..self.trees.len() {
            for (position, tree) in self.trees.iter().enumerate() {
                let mut found = false;
                tree.visit(&mut |tree| match tree {
                    Tree::Over(_) => found = true,
                    Tree::Go(next) => found |= ends[*next],
                    _ => {}
                });
                ends[position] |= found;
            }
        }
        ends.contains(&false)
    }

    /// The numbers of the choices of each goal, with the numbers of their options.
    fn strategies(&self, goal: Goal) -> Vec<Vec<(usize, usize)>> {
        let mut all = vec![Vec::new()];
        for choice in (0..self.goals.len()).filter(|&choice| self.goals[choice] == goal) {
            let options = 0..self.options[choice].len();
            all = all
                .into_iter()
                .flat_map(|strategy: Vec<(usize, usize)>| {
                    options.clone().map(move |option| [&strategy[..], &[(choice, option)]].concat())
                })
                .collect();
        }
        all
    }

    /// The value of every position if endless games at no cost are worth `endless`.
    fn values(&self, endless: f64) -> Vec<f64> {
        let answers = self.strategies(Goal::Min);
        let mut best = vec![f64::NEG_INFINITY; self.trees.len()];
        for strategy in self.strategies(Goal::Max) {
            let mut worst = vec![f64::INFINITY; self.trees.len()];
            for answer in &answers {
                let mut chosen = vec![0; self.goals.len()];
                strategy.iter().chain(answer).for_each(|&(choice, option)| chosen[choice] = option);
                let values = chain_values(&self.rows(&chosen), endless);
                worst.iter_mut().zip(values).for_each(|(worst, value)| *worst = worst.min(value));
            }
            best.iter_mut().zip(worst).for_each(|(best, value)| *best = best.max(value));
        }
        best
    }

    fn rows(&self, chosen: &[usize]) -> Vec<Row> {
        let mut choice = 0;
        let row = |(own, tree): (usize, &Tree)| {
            let mut row = Row { shares: vec![0.0; self.trees.len()], constant: 0.0, costs: false };
            self.add(tree, own, 1.0, chosen, &mut choice, &mut row);
            row
        };
        self.trees.iter().enumerate().map(row).collect()
    }

    /// Adds a tree to a row. A tree of probability 0 is only counted.
    fn add(&self, tree: &Tree, own: usize, probability: f64, chosen: &[usize], choice: &mut usize, row: &mut Row) {
        match tree {
            Tree::Over(value) => row.constant += probability * *value as f64,
            Tree::Go(next) => row.shares[*next] += probability,
            Tree::Turn(_) => unreachable!("all values are the first player's"),
            Tree::Again => row.shares[own] += probability,
            Tree::Cost(cost, then) => {
                row.constant += probability * *cost as f64;
                row.costs |= probability > 0.0 && *cost > 0;
                self.add(then, own, probability, chosen, choice, row);
            }
            Tree::Choice(_, _, moves) => {
                let set = &self.options[*choice][chosen[*choice]];
                *choice += 1;
                for (place, then) in moves.iter().enumerate() {
                    let share = if set.contains(&place) { probability / set.len() as f64 } else { 0.0 };
                    self.add(then, own, share, chosen, choice, row);
                }
            }
            Tree::Chance(outcomes) => {
                let total: u64 = outcomes.iter().map(|(weight, _)| weight).sum();
                for (weight, then) in outcomes {
                    self.add(then, own, probability * *weight as f64 / total as f64, chosen, choice, row);
                }
            }
        }
    }
}

/// The values of a Markov chain whose endless games without a cost are worth `endless`.
fn chain_values(rows: &[Row], endless: f64) -> Vec<f64> {
    let count = rows.len();
    let mut reaches: Vec<Vec<bool>> =
        rows.iter().map(|row| row.shares.iter().map(|&share| share > 0.0).collect()).collect();
    for middle in 0..count {
        let through = reaches[middle].clone();
        for from in reaches.iter_mut().filter(|from| from[middle]) {
            from.iter_mut().zip(&through).for_each(|(reaches, through)| *reaches |= through);
        }
    }
    let stays = |row: &Row| row.shares.iter().sum::<f64>() > 1.0 - 1e-9;
    let is_endless = |from: usize| stays(&rows[from]) && (0..count).all(|to| !reaches[from][to] || stays(&rows[to]));
    let mut matrix: Vec<Vec<f64>> = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        let mut line: Vec<f64> = row.shares.iter().map(|share| -share).chain([row.constant]).collect();
        if is_endless(number) {
            // Everything that it reaches from within the final class comes again.
            let class = |to: usize| reaches[number][to] && reaches[to][number];
            let is_final = (0..count).all(|to| !reaches[number][to] || class(to));
            let costs = (0..count).any(|to| (to == number || reaches[number][to]) && rows[to].costs);
            if is_final {
                line = vec![0.0; count];
                line.push(if costs { INFINITE } else { endless });
            }
        }
        line[number] += 1.0;
        matrix.push(line);
    }
    solved(matrix)
}

/// Solves linear equations by Gaussian elimination.
fn solved(mut matrix: Vec<Vec<f64>>) -> Vec<f64> {
    let count = matrix.len();
    for column in 0..count {
        let pivot =
            (column..count).max_by(|&one, &other| matrix[one][column].abs().total_cmp(&matrix[other][column].abs()));
        matrix.swap(column, pivot.expect("there are rows"));
        let used = matrix[column].clone();
        for (_, line) in matrix.iter_mut().enumerate().filter(|(number, _)| *number != column) {
            let factor = line[column] / used[column];
            line.iter_mut().zip(&used).for_each(|(entry, used)| *entry -= factor * used);
        }
    }
    (0..count).map(|number| matrix[number][count] / matrix[number][number]).collect()
}

/// The number of solved and of refused games.
#[derive(Debug, Default)]
struct Count {
    solved: usize,
    refused: usize,
}

fn compare(kind: Kind, seed: u64, count: &mut Count) {
    let mut seeded = Seeded(seed);
    let positions = 3 + seeded.below(4);
    let game = Drawn((0..positions).map(|_| draw_tree(&mut seeded, kind, positions, 2)).collect());
    let Some(search) = Search::new(&game) else { return };
    let is_reached = search.reached();
    let is_reached = |position: usize| is_reached[position] || is_reached[position + positions as usize];
    let (mut has_max, mut has_min, mut has_turns, mut has_costs, mut waits) = (false, false, false, false, false);
    let mut ends = Vec::new();
    for (_, tree) in game.0.iter().enumerate().filter(|(position, _)| is_reached(*position)) {
        waits |= tree.waits_for_free();
        tree.visit(&mut |tree| match tree {
            Tree::Choice(goal, ..) => *(if *goal == Goal::Max { &mut has_max } else { &mut has_min }) = true,
            Tree::Turn(_) => has_turns = true,
            Tree::Cost(cost, _) => has_costs |= *cost != 0,
            Tree::Over(value) => ends.push(*value as f64),
            _ => {}
        });
    }
    if has_turns {
        ends.extend(ends.clone().into_iter().map(|value| SUM as f64 - value));
    }
    let (least, greatest) = (ends.iter().fold(HUGE, |a, b| a.min(*b)), ends.iter().fold(-HUGE, |a, b| a.max(*b)));
    let has_one_player = !(has_turns || has_max && has_min);
    // A single player avoids endless games. With two players, what they are worth must not matter. A game for which
    // only something better or worse than every end would matter may be solved or refused.
    let (range, wide_range) = match (has_one_player, has_max) {
        (true, true) => ([-HUGE; 2], [-HUGE; 2]),
        (true, false) => ([HUGE; 2], [HUGE; 2]),
        _ if has_costs => ([0.0, HUGE], [0.0, HUGE]),
        _ => ([least, greatest], [-HUGE, HUGE]),
    };
    let has_no_end = search.has_no_end();
    let is_same = |[low, high]: &[Vec<f64>; 2]| low.iter().zip(high).all(|(low, high)| (low - high).abs() < 1e-6);
    let values = range.map(|endless| search.values(endless));
    let wide_values = wide_range.map(|endless| search.values(endless));
    let is_infinite = values[1].iter().any(|value| *value > HUGE / 100.0);
    let context = || format!("seed {seed}, {kind:?}, {game:?}, values {values:?}");
    let rules = game.rules();
    let solution = match solve(&rules, Precision::Doubles) {
        Ok(solution) => solution,
        Err(error) => {
            count.refused += 1;
            let is_right = has_no_end
                || match &error.fault {
                    Fault::EndlessWait if has_one_player => waits || is_infinite,
                    Fault::EndlessWait | Fault::EndlessPlay { .. } => !is_same(&wide_values) || is_infinite,
                    Fault::ScoresForEver { .. } => is_infinite && has_max,
                    _ => false,
                };
            assert!(is_right, "{error}, {}", context());
            return;
        }
    };
    count.solved += 1;
    assert!(!has_no_end && !is_infinite && is_same(&values), "{}", context());
    for position in (0..positions as usize).filter(|&position| is_reached(position)) {
        // If only the other player is to move there, the value is the other player's.
        let expected = match search.reached()[position] {
            true => values[0][position],
            false => SUM as f64 - values[0][position + positions as usize],
        };
        let worth = solution.value(&rules, &(position as u32)).expect("a reached position").worth;
        let (lower, upper) = match worth {
            Worth::Bounds(bounds) => (bounds.lower, bounds.upper),
            ref other => (other.to_f64(), other.to_f64()),
        };
        let is_close = upper - lower <= 1e-8 && lower - 1e-9 <= expected && expected <= upper + 1e-9;
        assert!(is_close, "{position}: {worth}, {}", context());
        let plain = value_in_cycles(&rules, position as u32, 100).unwrap();
        assert!(plain.is_some() || !has_one_player, "{}", context());
        let plain = plain.unwrap_or(expected);
        assert!((plain - expected).abs() < 1e-8, "{position}: {plain} by policies, {}", context());
    }
}

fn compare_all(kind: Kind, seeds: std::ops::Range<u64>) -> Count {
    let mut count = Count::default();
    seeds.for_each(|seed| compare(kind, seed, &mut count));
    assert!(count.solved > 100 && count.refused > 20, "{kind:?}: {count:?}");
    count
}

#[test]
fn one_player_gets_the_best_play_that_ends() {
    for goals in [&[Goal::Max][..], &[Goal::Min]] {
        for has_costs in [false, true] {
            compare_all(Kind { goals, has_turns: false, has_costs }, 0..1_500);
        }
    }
}

#[test]
fn two_players_get_a_value_if_endless_games_do_not_matter() {
    const BOTH: &[Goal] = &[Goal::Max, Goal::Min];
    compare_all(Kind { goals: BOTH, has_turns: false, has_costs: false }, 0..1_500);
    compare_all(Kind { goals: BOTH, has_turns: false, has_costs: true }, 0..1_500);
    compare_all(Kind { goals: &[Goal::Max], has_turns: true, has_costs: false }, 0..1_500);
}
