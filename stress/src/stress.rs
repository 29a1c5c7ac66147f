//! Feeds inputs to a command until it fails on one.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use tabletop::game::{Judging, Sizes, TestGame, TestInput};

use crate::data::{self, InputFile};
use crate::failure::Failure;
use crate::plan::{Plan, Recipe};
use crate::runner::{Ending, Interrupt, Job, Run, Runner};
use crate::verdict::{Judgement, Verdict};

/// Where the inputs of a test come from.
pub enum Source {
    /// Drawn inputs.
    Drawn {
        /// The kind and seed of each input.
        plan: Plan,
        /// The requested sizes.
        shape: Sizes,
    },
    /// Inputs from files.
    Files(Vec<InputFile>),
}

impl Source {
    /// The number of inputs.
    pub fn inputs(&self) -> u64 {
        match self {
            Source::Drawn { plan, .. } => plan.inputs,
            Source::Files(files) => files.len() as u64,
        }
    }
}

/// A test of a command.
pub struct Test<'a> {
    /// The game.
    pub game: &'a Arc<dyn TestGame>,
    /// How outputs are judged.
    pub judging: Judging,
    /// The inputs.
    pub source: Source,
    /// The command.
    pub job: Job,
    /// The number of commands that run at the same time.
    pub jobs: usize,
    /// The path of `tabletop-stress`, which is also the program of the runners.
    pub program: &'a Path,
    /// The signals that end the test.
    pub interrupt: &'a Interrupt,
    /// Called after each run with the number of finished runs.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// The result for one input.
#[derive(Debug, Clone)]
pub struct Record {
    /// The number of the input, from 0.
    pub number: u64,
    /// The verdict and its reason.
    pub judgement: Judgement,
    /// Wall-clock time of the command.
    pub time: Duration,
    /// Peak memory of the command in bytes.
    pub memory: u64,
}

/// An input on which the command fails.
#[derive(Clone)]
pub struct Failing {
    /// The number of the input, from 0.
    pub number: u64,
    /// The input.
    pub input: Arc<dyn TestInput>,
    /// The verdict and its reason.
    pub judgement: Judgement,
    /// The run of the command.
    pub run: Run,
}

/// The result of a test.
pub struct Outcome {
    /// The results in order. Drawn inputs end with the first failure.
    pub records: Vec<Record>,
    /// The first input on which the command failed, if the inputs were drawn.
    pub failing: Option<Failing>,
    /// The signal that ended the test early.
    pub signal: Option<i32>,
}

impl Test<'_> {
    /// The recipe of input `number`, or `None` for an input from a file.
    pub fn recipe(&self, number: u64) -> Option<Recipe> {
        match &self.source {
            Source::Drawn { plan, .. } => Some(plan.recipe(number)),
            Source::Files(_) => None,
        }
    }

    /// Input `number`, from 0.
    pub fn input(&self, number: u64) -> Result<Arc<dyn TestInput>, Failure> {
        match &self.source {
            Source::Drawn { plan, shape } => data::draw(self.game, plan.recipe(number), shape),
            Source::Files(files) => Ok(Arc::clone(&files[number as usize].input)),
        }
    }

    /// The name of input `number` in a report.
    pub fn input_name(&self, number: u64) -> String {
        match &self.source {
            Source::Drawn { plan, .. } => {
                let Recipe { kind, seed } = plan.recipe(number);
                format!("input {} ({kind}, seed {seed})", number + 1)
            }
            Source::Files(files) => files[number as usize].path.display().to_string(),
        }
    }

    /// Starts a runner for the command.
    pub fn runner(&self) -> Result<Runner<'_>, Failure> {
        Runner::start(self.program, &self.job, self.interrupt)
    }

    /// Feeds the inputs to the command: all files, or drawn inputs up to the first failure.
    pub fn run(&self) -> Result<Outcome, Failure> {
        let shared = Shared {
            next: AtomicU64::new(0),
            end: AtomicU64::new(self.source.inputs()),
            records: Mutex::new(Vec::new()),
            failing: Mutex::new(None),
        };
        let outcomes: Vec<Result<(), Failure>> = thread::scope(|scope| {
            let workers: Vec<_> = (0..self.jobs.max(1)).map(|_| scope.spawn(|| self.work(&shared))).collect();
            let join = |worker: thread::ScopedJoinHandle<'_, _>| match worker.join() {
                Ok(outcome) => outcome,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            workers.into_iter().map(join).collect()
        });
        let signal = self.interrupt.signal();
        // A signal also stops the game, so every failure may come from it.
        if signal.is_none() {
            outcomes.into_iter().collect::<Result<(), Failure>>()?;
        }
        let end = shared.end.into_inner();
        let mut records = shared.records.into_inner().expect("no worker has panicked");
        // How far other workers got beyond the first failing input differs from run to run, so that is dropped.
        records.retain(|record: &Record| record.number < end);
        records.sort_by_key(|record| record.number);
        Ok(Outcome { records, failing: shared.failing.into_inner().expect("no worker has panicked"), signal })
    }

    /// Sends each input one ahead, so that a run is judged while the next one is in progress.
    fn work(&self, shared: &Shared) -> Result<(), Failure> {
        let mut runner = self.runner().inspect_err(|_| shared.stop())?;
        let mut under_way: Option<(u64, Arc<dyn TestInput>)> = None;
        loop {
            let number = shared.next.fetch_add(1, Ordering::SeqCst);
            let next = (number < shared.end.load(Ordering::SeqCst) && self.interrupt.signal().is_none())
                .then(|| Ok::<_, Failure>((number, self.input(number)?)))
                .transpose()
                .inspect_err(|_| shared.stop())?;
            let text = next.as_ref().map(|(_, input)| input.text());
            let goes_ahead = under_way.is_none() || text.as_ref().is_some_and(|text| Runner::takes_ahead(text));
            let limit = self.job.limits.time;
            if let Some(text) = text.as_ref().filter(|_| goes_ahead) {
                runner.send(text, limit).inspect_err(|_| shared.stop())?;
            }
            if let Some((number, input)) = under_way.take() {
                let run = runner.receive().inspect_err(|_| shared.stop())?;
                if let Some(text) = text.as_ref().filter(|_| !goes_ahead) {
                    runner.send(text, limit).inspect_err(|_| shared.stop())?;
                }
                self.record(shared, number, input, run).inspect_err(|_| shared.stop())?;
            }
            // A run beyond the first failing input is not needed. Dropping the runner ends it.
            match next {
                Some(next) if next.0 < shared.end.load(Ordering::SeqCst) => under_way = Some(next),
                _ => break,
            }
        }
        match self.interrupt.signal() {
            Some(signal) => Err(Failure::Interrupted(signal)),
            None => Ok(()),
        }
    }

    fn record(&self, shared: &Shared, number: u64, input: Arc<dyn TestInput>, run: Run) -> Result<(), Failure> {
        let judgement = self.judge(&*input, &run)?;
        let is_accepted = judgement.is_accepted();
        let record = Record { number, judgement: judgement.clone(), time: run.time, memory: run.memory };
        let done = {
            let mut records = shared.records.lock().expect("no worker has panicked");
            records.push(record);
            records.len() as u64
        };
        (self.progress)(done);
        if !is_accepted && matches!(self.source, Source::Drawn { .. }) {
            shared.end.fetch_min(number + 1, Ordering::SeqCst);
            let mut failing = shared.failing.lock().expect("no worker has panicked");
            if failing.as_ref().is_none_or(|other| number < other.number) {
                *failing = Some(Failing { number, input, judgement, run });
            }
        }
        Ok(())
    }

    /// Judges a run.
    pub fn judge(&self, input: &dyn TestInput, run: &Run) -> Result<Judgement, Failure> {
        let limits = &self.job.limits;
        Ok(match &run.ending {
            Ending::Exited(0) => input.judge(&run.output, &Judging { time: run.time, ..self.judging })?.into(),
            Ending::Exited(code) => Judgement::refused(Verdict::RunTimeError, format!("exit code {code}")),
            Ending::Signalled(signal) => {
                Judgement::refused(Verdict::RunTimeError, format!("signal {signal}{}", signal_name(*signal)))
            }
            Ending::TimeLimit => {
                let seconds = limits.time.as_secs_f64();
                Judgement::refused(Verdict::TimeLimitExceeded, format!("still running after {seconds} s"))
            }
            Ending::OutputLimit => {
                Judgement::refused(Verdict::OutputLimitExceeded, format!("more than {} bytes", limits.output))
            }
            Ending::MemoryLimit => {
                let reason = format!("more than {} MiB of memory", limits.memory >> 20);
                Judgement::refused(Verdict::MemoryLimitExceeded, reason)
            }
            Ending::Unstartable(reason) => {
                let program = self.job.command.first().map(Path::new).unwrap_or(Path::new(""));
                // A name alone is looked up on PATH, which seldom contains the working directory.
                let remedy = match program.components().count() == 1 && program.is_file() {
                    true => format!("did you mean ./{}", program.display()),
                    false => String::from("name a program that can be run"),
                };
                return Err(Failure::new(format!("{}: cannot be started: {reason}, {remedy}", program.display())));
            }
        })
    }
}

/// The state that the workers share.
struct Shared {
    /// The number of the next input.
    next: AtomicU64,
    /// The number after the last input. It is lowered when the command fails.
    end: AtomicU64,
    records: Mutex<Vec<Record>>,
    failing: Mutex<Option<Failing>>,
}

impl Shared {
    /// Stops all workers from starting another input.
    fn stop(&self) {
        self.next.store(u64::MAX / 2, Ordering::SeqCst);
    }
}

/// The name of a signal in brackets, or nothing.
fn signal_name(signal: i32) -> &'static str {
    match signal {
        4 => " (SIGILL)",
        6 => " (SIGABRT)",
        7 => " (SIGBUS)",
        8 => " (SIGFPE)",
        9 => " (SIGKILL)",
        11 => " (SIGSEGV)",
        13 => " (SIGPIPE)",
        15 => " (SIGTERM)",
        _ => "",
    }
}
