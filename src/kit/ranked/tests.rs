//! Compares the solver by ranks with the one that keeps the whole game in memory, on random games.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::*;
use crate::kit::error::Fault;
use crate::kit::key::key_of;
use crate::kit::no_answer::NoAnswer;
use crate::kit::rules::{Goal, Node};
use crate::kit::solve::{Precision, solve};
use crate::kit::toy::Toy;
use crate::kit::walk::successors_of;
use crate::publish;
use crate::seeded::Seeded;
use crate::table::Places;

/// Positions of a drawn game.
const POSITIONS: u64 = 120;
/// Positions per stage.
const STAGE: u64 = 30;
/// A prime number of ranks, so that each position has another one.
const RANKS: u64 = 1_009;

/// The largest width of bounds, in games with chance that repeat.
const TOLERANCE: f64 = 1e-7;

/// A random game. Its positions are numbers, and a move never leads to a later stage.
#[derive(Clone, Copy)]
struct Drawn {
    /// Whether positions may come again.
    repeats: bool,
    seed: u64,
    /// 0: no stages; 1: stages with moves inside; 2: a stage per position.
    stages: u32,
    has_turns: bool,
    has_chance: bool,
    tells_predecessors: bool,
    /// The predecessors leave out this position, or add it everywhere.
    lie: Option<Lie>,
    has_ranks: bool,
}

#[derive(Clone, Copy)]
enum Lie {
    LeavesOut(u32),
    Adds(u32),
}

impl Drawn {
    fn new(seed: u64, stages: u32) -> Drawn {
        let (has_turns, has_chance, tells_predecessors) = (false, false, false);
        Drawn { repeats: false, seed, stages, has_turns, has_chance, tells_predecessors, lie: None, has_ranks: true }
    }

    fn leaf(&self, seeded: &mut Seeded, position: u32) -> Node<Self> {
        // Without draws by repetition, every move leads to a lower number.
        let end = if self.repeats { (u64::from(position) / STAGE + 1) * STAGE } else { u64::from(position) };
        let next = |seeded: &mut Seeded| if end == 0 { 0 } else { seeded.below(end) as u32 };
        match seeded.below(12) {
            _ if end == 0 => Node::over(1),
            0 => Node::over(seeded.below(5) as i64 - 2),
            1 if self.repeats => Node::again(),
            2..5 if self.has_turns => Node::turn(next(seeded)),
            _ => Node::go(next(seeded)),
        }
    }

    fn tree(&self, seeded: &mut Seeded, position: u32, depth: u32) -> Node<Self> {
        let kind = seeded.below(8);
        if depth == 0 || kind == 0 {
            return self.leaf(seeded, position);
        }
        let count = 1 + seeded.below(4) as usize;
        if kind == 1 && self.has_chance {
            let outcomes: Vec<_> =
                (0..count).map(|_| (1 + seeded.below(3), self.tree(seeded, position, depth - 1))).collect();
            return Node::chance(outcomes);
        }
        let goal = if self.has_turns || seeded.below(2) == 0 { Goal::Max } else { Goal::Min };
        let inner = if kind < 3 { depth - 1 } else { 0 };
        let moves: Vec<_> = (0..count).map(|place| (place, self.tree(seeded, position, inner))).collect();
        Node::proposal(goal, 1, moves)
    }
}

impl Rules for Drawn {
    type Position = u32;
    type Move = usize;

    fn name(&self) -> &str {
        "drawn"
    }

    fn cycles(&self) -> Cycles {
        match (self.repeats, self.has_chance) {
            (true, true) => Cycles::Iterate { tolerance: TOLERANCE },
            (true, false) => Cycles::Draw,
            (false, _) => Cycles::Refuse,
        }
    }

    fn starts(&self) -> Vec<u32> {
        vec![POSITIONS as u32 - 1, POSITIONS as u32 - 2]
    }

    fn node(&self, position: &u32) -> Node<Self> {
        let mut seeded = Seeded(self.seed * POSITIONS + u64::from(*position));
        if u64::from(*position) < 3 {
            return Node::over(i64::from(*position) - 1);
        }
        let tree = self.tree(&mut seeded, *position, 2);
        // Otherwise players could nearly always go on for ever.
        let may_end = self.repeats && self.has_chance && !self.seed.is_multiple_of(8);
        if may_end { Node::chance([(1, Node::over(1)), (7, tree)]) } else { tree }
    }

    fn stage(&self, position: &u32) -> Option<u32> {
        match self.stages {
            0 => None,
            1 => Some(position / STAGE as u32),
            _ => Some(*position),
        }
    }

    fn predecessors(&self, position: &u32) -> Option<Vec<u32>> {
        let is_before = |other: &u32| match self.lie {
            Some(Lie::LeavesOut(one)) if one == *other => false,
            Some(Lie::Adds(one)) if one == *other => true,
            _ => successors_of(self, self.node(other)).is_ok_and(|nexts| nexts.contains(position)),
        };
        // Also those that cannot be reached.
        self.tells_predecessors.then(|| (0..POSITIONS as u32).filter(is_before).collect())
    }

    fn ranks(&self) -> Option<u64> {
        self.has_ranks.then_some(RANKS)
    }

    fn rank(&self, position: &u32) -> u64 {
        u64::from(*position) * 617 % RANKS
    }

    fn unrank(&self, rank: u64) -> u32 {
        (rank * INVERSE % RANKS) as u32
    }
}

/// The inverse of 617 modulo [`RANKS`].
const INVERSE: u64 = {
    let mut inverse = 1;
    while 617 * inverse % RANKS != 1 {
        inverse += 1;
    }
    inverse
};

/// Solves a game by its ranks.
pub(in crate::kit) fn solve_ranked<R: Rules>(rules: &R, watch: &Watch<'_>) -> Result<Option<Ranked>, BadRules> {
    let bad = |failure| match failure {
        Failure::NoAnswer(NoAnswer::Rules(bad)) => bad,
        other => panic!("{other:?}"),
    };
    let directory = tempfile::tempdir().unwrap();
    let work = Work::beside_table(rules, directory.path()).unwrap();
    let work = rules.ranks().is_none().then_some(&work);
    let Some(staged) = Staged::begin(rules, watch, work).map_err(bad)? else { return Ok(None) };
    match staged.finish(MaySolve::Everything).map_err(bad)? {
        Solved::Whole(ranked) => Ok(Some(*ranked)),
        _ => Ok(None),
    }
}

fn value_of<R: Rules>(rules: &R, ranked: &Ranked, position: &R::Position) -> Option<Value> {
    let rank = match &ranked.keys {
        Some(keys) => keys.rank(rules.stage(position)?, &key_of::<R>(position).unwrap())?,
        None => rules.rank(position),
    };
    ranked.number(rank).map(|number| ranked.value(number))
}

/// Solves a game in both ways, and returns the number of positions with each kind of value: endless, other.
fn compare(rules: &Drawn, memory: u64) -> Option<[usize; 2]> {
    let context = format!("seed {}, {} stages, turns {}, memory {memory}", rules.seed, rules.stages, rules.has_turns);
    let whole = solve(rules, Precision::Doubles);
    let ranked = match (solve_ranked(rules, &Watch { memory, ..Watch::SILENT }), &whole) {
        (Ok(ranked), Ok(_)) => ranked.unwrap_or_else(|| panic!("not solved by ranks, {context}")),
        (Err(one), Err(other)) => {
            // Files of keys find the positions in another order.
            assert!(one.fault == other.fault || !rules.has_ranks, "{context}");
            return None;
        }
        (_, Err(other)) if other.fault == Fault::NoMoves => return None,
        (one, other) => panic!("{:?} and {:?}, {context}", one.err(), other.as_ref().err()),
    };
    let solution = whole.ok()?;
    assert_eq!(ranked.positions(), solution.positions(), "{context}");
    let mut kinds = [0; 2];
    for position in 0..POSITIONS as u32 {
        let value = value_of(rules, &ranked, &position);
        assert_eq!(value, solution.value(rules, &position), "{position}, {context}");
        if let Some(value) = value {
            kinds[usize::from(value.moves != Some(Value::ENDLESS))] += 1;
        }
    }
    let bytes = ranked.encode(rules, None, &Watch::SILENT).unwrap();
    assert!(bytes == solution.encode(rules).unwrap(), "{context}");
    if rules.seed < 20 && rules.has_ranks {
        check_and_falsify(rules, ranked, &bytes);
    }
    Some(kinds)
}

/// Checks a table, then one with another value.
fn check_and_falsify(rules: &Drawn, mut ranked: Ranked, bytes: &[u8]) {
    let directory = tempfile::tempdir().unwrap();
    let check = |bytes: &[u8]| {
        publish::replace(directory.path(), "drawn.tbl", bytes).unwrap();
        let answers = Answers::open(rules, &Places::only(directory.path())).unwrap();
        let read = Ranked::of_table(rules, &answers, &Watch::SILENT, Checks::All).unwrap();
        read.map(|read| read.check_all(rules, &answers, &Watch::SILENT))
    };
    let Some(checked) = check(bytes) else { return };
    checked.unwrap_or_else(|failure| panic!("{}, seed {}", failure.message("drawn"), rules.seed));
    let last = ranked.positions() - 1;
    match &mut ranked.values {
        RankedValues::Doubles(values) | RankedValues::Bounds { middles: values, .. } => values[last] += 0.25,
        RankedValues::Codes { pairs, codes } if pairs.len() > 1 => codes[last] = codes[last] % pairs.len() as u16 + 1,
        RankedValues::Codes { .. } => return,
    }
    check(&ranked.encode(rules, None, &Watch::SILENT).unwrap()).expect("the same game").expect_err("a wrong value");
}

#[test]
fn games_that_repeat_have_the_values_of_the_other_solver() {
    let mut kinds = [0; 2];
    for seed in 0..150 {
        for (stages, has_turns) in [(0, false), (0, true), (1, false), (1, true)] {
            // Without room for predecessors, with room, and with those that the rules tell.
            for (memory, tells_predecessors) in [(1_500, false), (1 << 30, false), (1 << 30, true)] {
                let rules = Drawn { has_turns, tells_predecessors, repeats: true, ..Drawn::new(seed, stages) };
                let found = compare(&rules, memory).unwrap_or([0; 2]);
                kinds = [kinds[0] + found[0], kinds[1] + found[1]];
                let keyed = (stages > 0 && seed < 30).then(|| compare(&Drawn { has_ranks: false, ..rules }, 1 << 30));
                assert!(keyed.is_none_or(|keyed| keyed.unwrap_or([0; 2]) == found), "seed {seed}");
            }
        }
    }
    assert!(kinds.iter().all(|&kind| kind > 1_000), "{kinds:?}");
}

#[test]
fn wrong_predecessors_are_refused_or_change_nothing() {
    let (mut refused, mut harmless) = (0, 0);
    for seed in 0..8 {
        let rules = Drawn { has_turns: true, tells_predecessors: true, repeats: true, ..Drawn::new(seed, 1) };
        let Ok(Some(right)) = solve_ranked(&rules, &Watch::SILENT) else { continue };
        for one in (seed as u32..POSITIONS as u32).step_by(8) {
            for lie in [Lie::LeavesOut(one), Lie::Adds(one)] {
                let lying = Drawn { lie: Some(lie), ..rules };
                match solve_ranked(&lying, &Watch::SILENT) {
                    Ok(found) => {
                        let found = found.expect("a game that is solved by its ranks");
                        harmless += 1;
                        assert!((0..POSITIONS as u32).all(|position| {
                            value_of(&lying, &found, &position) == value_of(&rules, &right, &position)
                        }));
                    }
                    Err(bad) => {
                        let is_named =
                            matches!(bad.fault, Fault::Predecessor { .. } | Fault::PredecessorMissing { .. });
                        assert!(is_named, "{bad}, seed {seed}");
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(refused > 20 && harmless > 20, "{refused} refused, {harmless} harmless");
}

#[test]
fn games_without_cycles_have_the_values_of_the_other_solver() {
    let mut solved = 0;
    for seed in 0..100 {
        for stages in [0, 1, 2] {
            for (has_turns, has_chance) in [(false, false), (true, false), (false, true), (true, true)] {
                let rules = Drawn { has_turns, has_chance, ..Drawn::new(seed, stages) };
                solved += usize::from(compare(&rules, 1 << 30).is_some());
                if stages == 1 && seed < 20 || stages == 2 && seed < 2 {
                    compare(&Drawn { has_ranks: false, ..rules }, 1 << 30);
                }
            }
        }
    }
    assert!(solved > 1_000, "{solved}");
}

#[test]
fn a_game_that_needs_more_memory_is_refused_before_it_is_solved() {
    let rules = Drawn { repeats: true, ..Drawn::new(1, 0) };
    let error = solve_ranked(&rules, &Watch { memory: 100, ..Watch::SILENT }).err().expect("too little memory");
    assert_eq!(
        error.to_string(),
        "needs at least 1 MiB of memory, and 1 MiB are allowed, pass a larger --memory, or let `ranks` be a smaller number"
    );
}

#[test]
fn bounds_enclose_the_values_of_the_other_solver() {
    let (mut solved, mut refused) = (0, 0);
    for seed in 0..150 {
        for (stages, has_turns) in [(0, false), (0, true), (1, false), (1, true)] {
            // Some with files of keys.
            let has_ranks = stages == 0 || seed % 5 > 0;
            let rules = Drawn { has_turns, has_chance: true, has_ranks, repeats: true, ..Drawn::new(seed, stages) };
            let context = format!("seed {seed}, {stages} stages, turns {has_turns}");
            let ranked = match (solve_ranked(&rules, &Watch::SILENT), solve(&rules, Precision::Doubles)) {
                (Ok(None), _) => continue,
                (Err(_), Err(_)) => {
                    refused += 1;
                    continue;
                }
                (Ok(Some(ranked)), Ok(solution)) => {
                    for position in 0..POSITIONS as u32 {
                        let value = value_of(&rules, &ranked, &position).map(|value| value.worth);
                        let other = solution.value(&rules, &position).map(|value| value.worth);
                        let (Some(value), Some(other)) = (&value, &other) else {
                            assert_eq!(value, other, "{position}, {context}");
                            continue;
                        };
                        let difference = (value.to_f64() - other.to_f64()).abs();
                        assert!(difference <= TOLERANCE, "{value} and {other}, {position}, {context}");
                        if let Worth::Bounds(bounds) = value {
                            assert!(bounds.width() <= TOLERANCE * 1.01, "{value}, {context}");
                        }
                    }
                    ranked
                }
                (one, other) => panic!("{:?} and {:?}, {context}", one.err(), other.err()),
            };
            solved += 1;
            if seed < 20 && has_ranks {
                for digits in [None, Some(3)] {
                    let ranked = solve_ranked(&rules, &Watch::SILENT).unwrap().unwrap();
                    let bytes = ranked.encode(&rules, digits, &Watch::SILENT).unwrap();
                    check_and_falsify(&rules, ranked, &bytes);
                }
            }
            drop(ranked);
        }
    }
    assert!(solved > 100 && refused > 10, "{solved} solved, {refused} refused");
}

/// Games with stages: win and loss, doubles, bounds.
fn with_files(rules: &Drawn) {
    let Some(whole) = solve_ranked(rules, &Watch::SILENT).unwrap() else { return };
    let expected = whole.encode(rules, None, &Watch::SILENT).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let work = Work::beside_table(rules, directory.path()).unwrap();
    let begin = || Staged::begin(rules, &Watch::SILENT, Some(&work)).unwrap().unwrap();
    let listed = |state: &str| {
        let stages = serde_json::to_value(begin().list().unwrap()).unwrap();
        let stages: Vec<serde_json::Value> = stages.as_array().unwrap().clone();
        stages.into_iter().filter(|stage| stage["state"] == state).collect::<Vec<_>>()
    };
    assert!(matches!(begin().finish(MaySolve::Nothing).unwrap(), Solved::Missing(_)));
    begin().solve_only(4_000_000).expect_err("there is no such stage");
    for waiting in listed("waiting") {
        begin().solve_only(waiting["stage"].as_u64().unwrap() as u32).expect_err("it depends on others");
    }
    // One stage after the other, each in a new process, until all but the last are there.
    while let [ready, ..] = &listed("ready")[..] {
        begin().solve_only(ready["stage"].as_u64().unwrap() as u32).unwrap();
    }
    let merge = |may_solve| match begin().finish(may_solve).unwrap() {
        Solved::Whole(ranked) => ranked.encode(rules, None, &Watch::SILENT).unwrap(),
        _ => panic!("a stage is missing"),
    };
    assert!(merge(MaySolve::Nothing) == expected, "seed {}", rules.seed);
    let first = listed("solved")[0]["stage"].to_string();
    let damage = |file: &str, place: usize| {
        let path = work.directory.join(format!("{file}-{first}"));
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[place] ^= 1;
        std::fs::write(&path, bytes).unwrap();
    };
    // Keys that are found again are the same, so that solved stages are kept.
    if !rules.has_ranks {
        damage("keys", 20);
        assert!(merge(MaySolve::Nothing) == expected, "seed {}", rules.seed);
    }
    // A damaged file is no file, and neither is one of another program.
    for place in [0, 9] {
        damage("stage", place);
        assert_eq!(listed("ready")[0]["stage"].to_string(), first);
        assert!(merge(MaySolve::Everything) == expected, "seed {}", rules.seed);
    }
    // Other rules do not go on with these values, although their text is the same.
    let other = Drawn { seed: rules.seed + 1, ..*rules };
    let expected = solve_ranked(&other, &Watch::SILENT)
        .ok()
        .flatten()
        .map(|other_whole| other_whole.encode(&other, None, &Watch::SILENT));
    if let Some(Ok(expected)) = expected {
        let found = Staged::begin(&other, &Watch::SILENT, Some(&work)).unwrap().unwrap();
        let Solved::Whole(found) = found.finish(MaySolve::Everything).unwrap() else { panic!("a stage is missing") };
        assert!(found.encode(&other, None, &Watch::SILENT).unwrap() == expected);
    }
    work.remove().unwrap();
    assert!(!work.directory.exists());
}

#[test]
fn a_solver_goes_on_from_the_files_of_finished_stages() {
    let with_ranks = |seed| Drawn { has_turns: true, repeats: true, ..Drawn::new(seed, 1) };
    let solvable = |rules: &Drawn| solve_ranked(rules, &Watch::SILENT).is_ok_and(|solved| solved.is_some());
    (0..30).map(with_ranks).filter(solvable).take(5).for_each(|rules| with_files(&rules));
    let with_keys = |seed| Drawn { has_ranks: false, ..with_ranks(seed) };
    (0..30).map(with_keys).filter(solvable).take(5).for_each(|rules| with_files(&rules));
    let with_bounds = |seed| Drawn { has_chance: true, ..with_ranks(seed) };
    (0..60).map(with_bounds).filter(solvable).take(5).for_each(|rules| with_files(&rules));
    with_files(&Drawn { has_turns: true, has_chance: true, ..Drawn::new(3, 1) });
}

/// A race of steps of 1 to 3: a player throws up to twice per turn. The positions between the throws are transient.
#[derive(Clone, Copy)]
struct Race {
    /// 0: no patterns; 1: right ones; 2: a pattern that forgets the throws; 3: another position by a pattern; 4: a
    /// pattern for some positions only; 5: throws that depend on more than the pattern.
    patterns: u32,
}

/// The steps that are left, the throws, and the steps of the last throw.
type Runner = (u16, u8, u8);

#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
struct Spot(Runner);

impl std::fmt::Display for Spot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (left, throws, steps) = self.0;
        write!(f, "{left} {throws} {steps}")
    }
}

impl std::str::FromStr for Spot {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Spot, &'static str> {
        let numbers: Vec<u16> = text.split(' ').filter_map(|word| word.parse().ok()).collect();
        let [left, throws, steps] = numbers[..] else { return Err("write three numbers") };
        Ok(Spot((left, throws as u8, steps as u8)))
    }
}

impl Rules for Race {
    type Position = Spot;
    type Move = &'static str;

    fn name(&self) -> &str {
        "race"
    }

    fn starts(&self) -> Vec<Spot> {
        vec![Spot((3_000, 2, 0))]
    }

    fn node(&self, &Spot((left, throws, steps)): &Spot) -> Node<Self> {
        let weight = |steps: u8| if self.patterns == 5 && left < 2_000 { 1 } else { u64::from(4 - steps) };
        let throw =
            |throws: u8| Node::chance([1, 2, 3].map(|steps| (weight(steps), Node::go(Spot((left, throws, steps))))));
        match (left, steps) {
            (0, _) => Node::over(0),
            (_, 0) => throw(1),
            (_, 1) if throws > 0 => throw(0),
            _ => {
                let stay = Node::go(Spot((left.saturating_sub(u16::from(steps)), 2, 0))).costing(1);
                let moves = [("stay", Some(stay)), ("throw", (throws > 0).then(|| throw(0)))];
                Node::min(moves.into_iter().filter_map(|(name, then)| Some((name, then?))))
            }
        }
    }

    fn is_transient(&self, spot: &Spot) -> bool {
        spot.0.2 > 0
    }

    fn pattern(&self, &Spot((_, throws, steps)): &Spot) -> Option<u32> {
        match self.patterns {
            0 => None,
            2 => Some(u32::from(steps)),
            4 if throws == 0 => None,
            _ => Some(u32::from(2 * steps + throws)),
        }
    }

    fn at_pattern(&self, &Spot((left, ..)): &Spot, pattern: u32) -> Spot {
        let pattern = pattern as u8;
        match self.patterns {
            2 => Spot((left, 1, pattern)),
            3 => Spot((left.saturating_sub(1), pattern % 2, pattern / 2)),
            _ => Spot((left, pattern % 2, pattern / 2)),
        }
    }

    fn ranks(&self) -> Option<u64> {
        Some(3_001)
    }

    fn rank(&self, &Spot((left, ..)): &Spot) -> u64 {
        u64::from(left)
    }

    fn unrank(&self, rank: u64) -> Spot {
        Spot((rank as u16, 2, 0))
    }
}

#[test]
fn patterns_change_no_value() {
    let encoded = |patterns: u32| {
        let ranked = solve_ranked(&Race { patterns }, &Watch::SILENT).unwrap().unwrap();
        ranked.encode(&Race { patterns }, None, &Watch::SILENT).unwrap()
    };
    let whole = solve(&Race { patterns: 0 }, Precision::Doubles).unwrap().encode(&Race { patterns: 0 }).unwrap();
    assert!(encoded(0) == whole && encoded(1) == whole);
}

#[test]
fn patterns_that_do_not_say_what_follows_are_refused() {
    for patterns in [2, 3, 4, 5] {
        let error = solve_ranked(&Race { patterns }, &Watch::SILENT).err().unwrap_or_else(|| panic!("{patterns}"));
        let expected = if patterns == 2 { Fault::TransientCycle } else { Fault::Pattern };
        assert_eq!(error.fault, expected, "{patterns}");
    }
}

/// Three heaps of stones; who takes the last one wins. The stage is the number of stones. Keys have different lengths.
struct Heaps;

#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Stones(Vec<u16>);

impl fmt::Display for Stones {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.iter().map(u16::to_string).collect::<Vec<_>>().join("+"))
    }
}

impl FromStr for Stones {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Stones, std::num::ParseIntError> {
        text.split('+').map(str::parse).collect::<Result<_, _>>().map(Stones)
    }
}

impl Rules for Heaps {
    type Position = Stones;
    type Move = Stones;

    fn name(&self) -> &str {
        "heaps"
    }

    fn starts(&self) -> Vec<Stones> {
        vec![Stones(vec![140, 30, 7])]
    }

    fn node(&self, stones: &Stones) -> Node<Heaps> {
        if stones.0.iter().all(|&heap| heap == 0) {
            return Node::over(-1);
        }
        let moves = (0..3).flat_map(|heap| (1..=stones.0[heap]).map(move |taken| (heap, taken)));
        Node::max(moves.map(|(heap, taken)| {
            let mut next = stones.clone();
            next.0[heap] -= taken;
            (next.clone(), Node::turn(next))
        }))
    }

    fn stage(&self, stones: &Stones) -> Option<u32> {
        Some(stones.0.iter().map(|&heap| u32::from(heap)).sum())
    }
}

#[test]
fn keys_that_do_not_fit_into_memory_are_moved_to_files() {
    let whole = solve(&Heaps, Precision::Doubles).unwrap();
    assert_eq!(whole.positions(), 141 * 31 * 8);
    let (least, enough) = (1 << 21, 1 << 30);
    for memory in [least, enough] {
        let ranked = solve_ranked(&Heaps, &Watch { memory, ..Watch::SILENT }).unwrap().unwrap();
        assert!(ranked.encode(&Heaps, None, &Watch::SILENT).unwrap() == whole.encode(&Heaps).unwrap());
    }
    let refused = solve_ranked(&Heaps, &Watch { memory: 1 << 12, ..Watch::SILENT }).err().expect("too little memory");
    assert!(refused.to_string().contains("let `stage` divide the game into smaller stages"), "{refused}");
}

/// Nine steps to the end, with files of keys if there are no ranks.
fn steps(stage: fn(u32) -> Option<u32>, ranks: fn(&Toy) -> Option<u64>) -> Toy {
    let node = |left| if left == 0 { Node::over(0) } else { Node::max([("one", Node::go(left - 1))]) };
    Toy { start: 9, cycles: Cycles::Refuse, stage, ranks, ..Toy::new(node) }
}

#[test]
fn wrong_stages_and_ranks_are_refused_with_the_position() {
    let refused = |rules: Toy| solve_ranked(&rules, &Watch::SILENT).err().expect("wrong rules");
    for ranks in [|_: &Toy| Some(10), |_: &Toy| None] {
        let rising = refused(steps(|left| Some(if left == 4 { 7 } else { left }), ranks));
        assert_eq!(rising, Fault::StageRises { next: String::from("4") }.at(5));
        let missing = refused(steps(|left| (left != 4).then_some(left), ranks));
        assert_eq!(missing, Fault::StageMissing.at(4));
        assert!(solve_ranked(&steps(Some, ranks), &Watch::SILENT).is_ok_and(|solved| solved.is_some()));
    }
    let renumbered = |renumber| refused(Toy { renumber, ..steps(Some, |_| Some(10)) });
    assert_eq!(renumbered(|left| left + 3), Fault::RankTooLarge { rank: 12, ranks: 10 }.at(9));
    assert_eq!(renumbered(|left| if left == 4 { u64::MAX } else { left }), Fault::RankMissing.at(4));
}
