//! Measures the tester's overhead: inputs per second with `true` as the command, compared with a plain loop that starts
//! `true` with a pipe for each of its streams and waits for it. The two are measured alternately.

use std::io::{Read, Write};
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tabletop::game::Game;
use tabletop::input::InputError;
use tabletop::jenga::Jenga;
use tabletop::table::Places;
use tabletop_stress::exact::{Cases, Ties};
use tabletop_stress::failure::Failure;
use tabletop_stress::plan::{Plan, Recipe, Shape};
use tabletop_stress::runner::{Interrupt, Job, Limits};
use tabletop_stress::stress::{Source, Test};
use tabletop_stress::subject::Defaults;
use tabletop_stress::{Exact, Judgement, Subject};

/// Number of rounds; `--quick` makes one.
const ROUNDS: usize = 15;
/// Number of inputs per round.
const INPUTS: u64 = 200;

/// Jenga with a judge that does its work and then accepts anything, so that `true` gets through all inputs.
struct Lenient(Exact<Jenga>);

impl Subject for Lenient {
    type Input = Cases<<Jenga as Game>::Case>;

    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn ready(&self) -> Result<(), Failure> {
        self.0.ready()
    }

    fn defaults(&self) -> Defaults {
        self.0.defaults()
    }

    fn sizes(&self) -> Vec<(&'static str, RangeInclusive<u32>)> {
        self.0.sizes()
    }

    fn draw(&self, recipe: Recipe, shape: &Shape) -> Result<Self::Input, Failure> {
        self.0.draw(recipe, shape)
    }

    fn text(&self, input: &Self::Input) -> Vec<u8> {
        self.0.text(input)
    }

    fn read(&self, text: &[u8]) -> Result<Self::Input, InputError> {
        self.0.read(text)
    }

    fn describe(&self, input: &Self::Input) -> String {
        self.0.describe(input)
    }

    fn answer(&self, input: &Self::Input) -> Result<Vec<u8>, Failure> {
        self.0.answer(input)
    }

    fn judge(&self, input: &Self::Input, output: &[u8], time: Duration) -> Result<Judgement, Failure> {
        self.0.judge(input, output, time).map(|_| Judgement::ACCEPTED)
    }

    fn smaller(&self, input: &Self::Input, case: Option<usize>) -> Vec<Self::Input> {
        self.0.smaller(input, case)
    }
}

fn main() -> Result<(), Failure> {
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables");
    let subject = Lenient(Exact::at(&Places::only(tables), Ties::Either));
    subject.ready()?;
    let interrupt = Interrupt::watch().expect("signals can be watched");
    let test = Test {
        subject: &subject,
        source: Source::Drawn { plan: Plan { inputs: INPUTS, seed: 1, draws: Vec::new() }, shape: Shape::default() },
        job: Job {
            command: vec!["true".into()],
            limits: Limits { time: Duration::from_secs(60), output: 1 << 20, memory: 1 << 30 },
        },
        jobs: 1,
        program: Path::new(env!("CARGO_BIN_EXE_tabletop-stress")),
        interrupt: &interrupt,
        progress: &|_| {},
    };
    let input = subject.text(&test.input(0)?);
    let (mut plain, mut ours) = (Vec::new(), Vec::new());
    let rounds = if std::env::args().any(|word| word == "--quick") { 1 } else { ROUNDS };
    for _ in 0..rounds {
        plain.push(seconds(|| {
            (0..INPUTS).for_each(|_| start_plainly(&input));
            Ok(())
        })?);
        ours.push(seconds(|| test.run().map(|outcome| assert_eq!(outcome.records.len() as u64, INPUTS)))?);
    }
    let (plain, ours) = (median(plain), median(ours));
    println!("plain start of `true`   {:>8.1} µs", 1e6 * plain);
    println!("tabletop-stress         {:>8.1} µs, {:.0} inputs a second", 1e6 * ours, 1.0 / ours);
    println!("of which ours           {:>8.1} %", 100.0 * (1.0 - plain / ours));
    Ok(())
}

/// Starts `true`, writes its input, reads its output, and waits for it.
fn start_plainly(input: &[u8]) {
    let mut command = Command::new("true");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("`true` can be run");
    // It may have ended already.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    let mut output = Vec::new();
    child.stdout.take().expect("a pipe").read_to_end(&mut output).expect("a pipe can be read");
    child.wait().expect("a child can be waited for");
}

/// Seconds per input.
fn seconds(work: impl FnOnce() -> Result<(), Failure>) -> Result<f64, Failure> {
    let started = Instant::now();
    work()?;
    Ok(started.elapsed().as_secs_f64() / INPUTS as f64)
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
