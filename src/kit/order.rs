//! The order in which positions are solved: each after its successors.
//!
//! Positions that can reach each other form a strongly connected *component*. Components are found by Tarjan's
//! algorithm, without recursion. The *height* of a position is the longest path from its component to the end of the
//! game, counted in components. Positions of the same height depend on each other only within a component.

use std::collections::VecDeque;

use super::error::{BadRules, Fault};
use super::graph::{Edges, Graph};
use super::rules::Rules;

/// Maximum number of edges visited in the search for the shortest cycle.
const CYCLE_EFFORT: u64 = 200_000_000;

/// Positions sorted by height, or by the stages of the rules.
pub(super) struct Order {
    numbers: Vec<u32>,
    /// The start of each height in `numbers`, and the end of the last.
    starts: Vec<usize>,
    /// The components with a cycle.
    pub(super) components: Vec<Component>,
}

/// A strongly connected component with a cycle: several positions, or one that leads to itself.
pub(super) struct Component {
    pub(super) height: u32,
    /// In reverse order of discovery, so that successors tend to come first.
    pub(super) numbers: Vec<u32>,
}

impl Order {
    /// The number of different heights or stages.
    pub(super) fn heights(&self) -> usize {
        self.starts.len() - 1
    }

    /// The positions of a height that are not in [`Order::components`].
    pub(super) fn of_height(&self, height: usize) -> &[u32] {
        &self.numbers[self.starts[height]..self.starts[height + 1]]
    }

    /// Memory in bytes, including what was needed to find the order.
    pub(super) fn memory(&self) -> usize {
        (self.numbers.capacity() * 3) * size_of::<u32>()
    }

    /// Sorts by height.
    pub(super) fn by_height(graph: &Graph) -> Order {
        let Found { heights, components } = Search::new(&graph.edges).run();
        let in_component = |mut height: Vec<u32>| {
            components
                .iter()
                .flat_map(|component| &component.numbers)
                .for_each(|&number| height[number as usize] = NONE);
            height
        };
        let highest = heights.iter().max().copied().unwrap_or(0);
        let (numbers, starts) = sorted(&in_component(heights), highest);
        Order { numbers, starts, components }
    }

    /// Sorts by the stages of the rules, which must not rise. `None` if a move stays in its stage: the stages alone are
    /// then no order.
    pub(super) fn by_stage<R: Rules>(rules: &R, graph: &Graph) -> Result<Option<Order>, BadRules> {
        if graph.stages.len() != graph.len() {
            for number in 0..graph.len() as u32 {
                let position = graph.position::<R>(number)?;
                if rules.stage(&position).is_none() {
                    return Err(Fault::StageMissing.at(position));
                }
            }
        }
        let mut stays = false;
        for number in 0..graph.len() as u32 {
            let stage = graph.stages[number as usize];
            for &next in graph.edges.of(number) {
                let next_stage = graph.stages[next as usize];
                if next_stage > stage {
                    return Err(Fault::StageRises { next: graph.text::<R>(next) }.at(graph.text::<R>(number)));
                }
                stays |= next_stage == stage;
            }
        }
        if stays {
            return Ok(None);
        }
        // Unused stages are skipped.
        let mut used: Vec<u32> = graph.stages.clone();
        used.sort_unstable();
        used.dedup();
        let ranks: Vec<u32> =
            graph.stages.iter().map(|stage| used.partition_point(|other| other < stage) as u32).collect();
        let (numbers, starts) = sorted(&ranks, used.len() as u32 - 1);
        Ok(Some(Order { numbers, starts, components: Vec::new() }))
    }
}

/// Marks a missing number: no height, no component, no predecessor, or a finished search.
const NONE: u32 = u32::MAX;

/// The positions sorted by height, and the start of each height.
fn sorted(heights: &[u32], highest: u32) -> (Vec<u32>, Vec<usize>) {
    let mut starts = vec![0; highest as usize + 2];
    for &height in heights.iter().filter(|&&height| height != NONE) {
        starts[height as usize + 1] += 1;
    }
    for height in 1..starts.len() {
        starts[height] += starts[height - 1];
    }
    let mut nexts = starts.clone();
    let mut numbers = vec![0; starts[starts.len() - 1]];
    for (number, &height) in heights.iter().enumerate().filter(|(_, height)| **height != NONE) {
        numbers[nexts[height as usize]] = number as u32;
        nexts[height as usize] += 1;
    }
    (numbers, starts)
}

/// The length of the longest path to the end from each position, if the game has no cycle.
pub(super) fn lengths(graph: &Graph) -> Option<Vec<u32>> {
    let Found { heights, components } = Search::new(&graph.edges).run();
    components.is_empty().then_some(heights)
}

/// The components with a cycle.
pub(super) fn components(edges: &Edges) -> Vec<Component> {
    Search::new(edges).run().components
}

struct Found {
    heights: Vec<u32>,
    components: Vec<Component>,
}

/// A position whose successors are being visited.
struct Frame {
    number: u32,
    /// The discovery time, from 1.
    time: u32,
    /// The next edge to visit.
    edge: usize,
    /// A lower bound of its height.
    height: u32,
}

/// Tarjan's algorithm.
struct Search<'a> {
    edges: &'a Edges,
    /// The earliest discovery time reachable from each position; 0 before it is found, `NONE` when it is finished.
    lows: Vec<u32>,
    heights: Vec<u32>,
    time: u32,
    frames: Vec<Frame>,
    /// Positions that are found but not yet in a component.
    open: Vec<u32>,
    components: Vec<Component>,
}

impl Search<'_> {
    fn new(edges: &Edges) -> Search<'_> {
        let len = edges.lists();
        let (lows, heights) = (vec![0; len], vec![0; len]);
        Search { edges, lows, heights, time: 0, frames: Vec::new(), open: Vec::new(), components: Vec::new() }
    }

    fn run(mut self) -> Found {
        for start in 0..self.edges.lists() as u32 {
            if self.lows[start as usize] == 0 {
                self.enter(start);
            }
            while let Some(frame) = self.frames.last_mut() {
                let range = self.edges.range(frame.number);
                if frame.edge == range.len() {
                    self.leave();
                    continue;
                }
                let next = self.edges.target(range.start + frame.edge);
                frame.edge += 1;
                match self.lows[next as usize] {
                    0 => self.enter(next),
                    NONE => frame.height = frame.height.max(self.heights[next as usize] + 1),
                    low => {
                        let own = &mut self.lows[frame.number as usize];
                        *own = low.min(*own);
                    }
                }
            }
        }
        Found { heights: self.heights, components: self.components }
    }

    fn enter(&mut self, number: u32) {
        self.time += 1;
        self.lows[number as usize] = self.time;
        self.open.push(number);
        self.frames.push(Frame { number, time: self.time, edge: 0, height: 0 });
    }

    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        let low = self.lows[frame.number as usize];
        let is_root = low == frame.time;
        if is_root {
            self.close(&frame);
        }
        if let Some(parent) = self.frames.last_mut() {
            if is_root {
                parent.height = parent.height.max(frame.height + 1);
            } else {
                parent.height = parent.height.max(frame.height);
                let own = &mut self.lows[parent.number as usize];
                *own = low.min(*own);
            }
        }
    }

    /// Closes the component whose first found position is the frame's.
    fn close(&mut self, frame: &Frame) {
        let from = self.open.iter().rposition(|&number| number == frame.number).unwrap_or(0);
        for &number in &self.open[from..] {
            self.lows[number as usize] = NONE;
            self.heights[number as usize] = frame.height;
        }
        let leads_to_itself = || self.edges.of(frame.number).contains(&frame.number);
        if self.open.len() - from > 1 || leads_to_itself() {
            let numbers = self.open[from..].iter().rev().copied().collect();
            self.components.push(Component { height: frame.height, numbers });
        }
        self.open.truncate(from);
    }
}

/// The error for a graph with cycles. It names the shortest cycle, and the first found of several.
pub(super) fn shortest_cycle<R: Rules>(graph: &Graph, components: &[Component]) -> BadRules {
    let mut component_of = vec![NONE; graph.len()];
    for (component, numbers) in components.iter().enumerate() {
        numbers.numbers.iter().for_each(|&number| component_of[number as usize] = component as u32);
    }
    let mut numbers: Vec<u32> = components.iter().flat_map(|component| component.numbers.iter().copied()).collect();
    numbers.sort_unstable();
    let mut effort = CYCLE_EFFORT;
    let mut shortest: Vec<u32> = Vec::new();
    let mut came_from = vec![NONE; graph.len()];
    let mut complete = true;
    for &start in &numbers {
        let longest = if shortest.is_empty() { usize::MAX } else { shortest.len() - 1 };
        if longest == 0 {
            break;
        }
        if effort == 0 {
            complete = false;
            break;
        }
        if let Some(cycle) = cycle_through(graph, &component_of, &mut came_from, start, longest, &mut effort) {
            shortest = cycle;
        }
    }
    let positions = shortest.iter().map(|&number| graph.text::<R>(number)).collect();
    Fault::Cycle { positions, shortest: complete }.into()
}

/// The shortest cycle through a position, if it has at most `longest` moves.
fn cycle_through(
    graph: &Graph,
    component_of: &[u32],
    came_from: &mut [u32],
    start: u32,
    longest: usize,
    effort: &mut u64,
) -> Option<Vec<u32>> {
    let mut queue = VecDeque::from([(start, 1)]);
    let mut seen = vec![start];
    let mut last = None;
    'search: while let Some((number, moves)) = queue.pop_front() {
        for &next in graph.edges.of(number) {
            *effort = effort.saturating_sub(1);
            if next == start {
                last = Some(number);
                break 'search;
            }
            let is_inside = component_of[next as usize] == component_of[start as usize];
            if is_inside && moves < longest && came_from[next as usize] == NONE {
                came_from[next as usize] = number;
                seen.push(next);
                queue.push_back((next, moves + 1));
            }
        }
    }
    let cycle = last.map(|last| {
        let mut cycle = vec![last];
        while cycle[cycle.len() - 1] != start {
            cycle.push(came_from[cycle[cycle.len() - 1] as usize]);
        }
        cycle.reverse();
        cycle
    });
    seen.iter().for_each(|&number| came_from[number as usize] = NONE);
    cycle
}
