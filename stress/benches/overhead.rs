//! Measures the tester's overhead: inputs per second with `true` as the command, compared with a plain loop that starts
//! `true` with a pipe for each of its streams and waits for it. The two are measured alternately.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tabletop::game::{Judging, Sizes, TestGame};
use tabletop::jenga::Jenga;
use tabletop::table::Places;
use tabletop_stress::data::{self, InputFile};
use tabletop_stress::failure::Failure;
use tabletop_stress::plan::Plan;
use tabletop_stress::runner::{Interrupt, Job, Limits, Namespace};
use tabletop_stress::stress::{Source, Test};

/// Number of rounds; `--quick` makes one.
const ROUNDS: usize = 15;
/// Number of inputs per round.
const INPUTS: u64 = 200;

fn main() -> Result<(), Failure> {
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables");
    let game: Arc<dyn TestGame> = Arc::new(Jenga::open(&Places::only(tables))?);
    let plan = Plan { inputs: INPUTS, seed: 1, kinds: Vec::new() };
    // All files are judged, although `true` answers none of them.
    let file = |number| {
        let input = data::draw(&game, plan.recipe(number), &Sizes::default())?;
        Ok(InputFile { path: PathBuf::from(number.to_string()), input })
    };
    let interrupt = Interrupt::watch().expect("signals can be watched");
    let test = Test {
        game: &game,
        judging: Judging::default(),
        source: Source::Files((0..INPUTS).map(file).collect::<Result<_, Failure>>()?),
        job: Job {
            command: vec!["true".into()],
            limits: Limits { time: Duration::from_secs(60), output: 1 << 20, memory: 1 << 30 },
            namespace: Namespace::Own,
        },
        jobs: 1,
        program: Path::new(env!("CARGO_BIN_EXE_tabletop-stress")),
        interrupt: &interrupt,
        progress: &|_| {},
    };
    let input = test.input(0)?.text();
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
