//! Feeds inputs to a command until it fails on one.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crate::failure::Failure;
use crate::plan::{Plan, Recipe, Shape};
use crate::runner::{Ending, Interrupt, Job, Run, Runner};
use crate::subject::Subject;
use crate::verdict::{Judgement, Verdict};

/// Where the inputs of a test come from.
pub enum Source<I> {
    /// Drawn inputs.
    Drawn {
        /// The kind and seed of each input.
        plan: Plan,
        /// The requested sizes.
        shape: Shape,
    },
    /// Inputs from files.
    Files(Vec<(PathBuf, I)>),
}

/// A test of a command.
pub struct Test<'a, S: Subject> {
    /// The game.
    pub subject: &'a S,
    /// The inputs.
    pub source: Source<S::Input>,
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
#[derive(Debug, Clone)]
pub struct Failing<I> {
    /// The number of the input, from 0.
    pub number: u64,
    /// The input.
    pub input: I,
    /// The verdict and its reason.
    pub judgement: Judgement,
    /// The run of the command.
    pub run: Run,
}

/// The result of a test.
pub struct Outcome<I> {
    /// The results in order. Drawn inputs end with the first failure.
    pub records: Vec<Record>,
    /// The first input on which the command failed, if the inputs were drawn.
    pub failing: Option<Failing<I>>,
    /// The signal that ended the test early.
    pub signal: Option<i32>,
}

impl<S: Subject> Test<'_, S> {
    /// The number of inputs.
    pub fn inputs(&self) -> u64 {
        match &self.source {
            Source::Drawn { plan, .. } => plan.inputs,
            Source::Files(files) => files.len() as u64,
        }
    }

    /// The recipe of input `number`, or `None` for an input from a file.
    pub fn recipe(&self, number: u64) -> Option<Recipe> {
        match &self.source {
            Source::Drawn { plan, .. } => Some(plan.recipe(number)),
            Source::Files(_) => None,
        }
    }

    /// Input `number`, from 0.
    pub fn input(&self, number: u64) -> Result<S::Input, Failure> {
        match &self.source {
            Source::Drawn { plan, shape } => self.subject.draw(plan.recipe(number), shape),
            Source::Files(files) => Ok(files[number as usize].1.clone()),
        }
    }

    /// The name of input `number` in a report.
    pub fn input_name(&self, number: u64) -> String {
        match &self.source {
            Source::Drawn { plan, .. } => {
                let Recipe { draw, seed } = plan.recipe(number);
                format!("input {} ({draw}, seed {seed})", number + 1)
            }
            Source::Files(files) => files[number as usize].0.display().to_string(),
        }
    }

    /// Starts a runner for the command.
    pub fn runner(&self) -> Result<Runner<'_>, Failure> {
        Runner::start(self.program, &self.job, self.interrupt)
    }

    /// Feeds the inputs to the command: all files, or drawn inputs up to the first failure.
    pub fn run(&self) -> Result<Outcome<S::Input>, Failure> {
        let shared = Shared {
            next: AtomicU64::new(0),
            end: AtomicU64::new(self.inputs()),
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
        let mut signal = None;
        for outcome in outcomes {
            match outcome {
                Err(Failure::Interrupted(number)) => signal = Some(number),
                other => other?,
            }
        }
        let end = shared.end.into_inner();
        let mut records = shared.records.into_inner().expect("no worker has panicked");
        // How far other workers got beyond the first failing input differs from run to run, so that is dropped.
        records.retain(|record: &Record| record.number < end);
        records.sort_by_key(|record| record.number);
        Ok(Outcome { records, failing: shared.failing.into_inner().expect("no worker has panicked"), signal })
    }

    /// Sends each input one ahead, so that a run is judged while the next one is in progress.
    fn work(&self, shared: &Shared<S::Input>) -> Result<(), Failure> {
        let mut runner = self.runner().inspect_err(|_| shared.stop())?;
        let mut under_way: Option<(u64, S::Input)> = None;
        loop {
            let number = shared.next.fetch_add(1, Ordering::SeqCst);
            let next = (number < shared.end.load(Ordering::SeqCst) && self.interrupt.signal().is_none())
                .then(|| Ok::<_, Failure>((number, self.input(number)?)))
                .transpose()
                .inspect_err(|_| shared.stop())?;
            let text = next.as_ref().map(|(_, input)| self.subject.text(input));
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

    fn record(&self, shared: &Shared<S::Input>, number: u64, input: S::Input, run: Run) -> Result<(), Failure> {
        let judgement = judge(self.subject, &input, &run, &self.job)?;
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
}

/// The state that the workers share.
struct Shared<I> {
    /// The number of the next input.
    next: AtomicU64,
    /// The number after the last input. It is lowered when the command fails.
    end: AtomicU64,
    records: Mutex<Vec<Record>>,
    failing: Mutex<Option<Failing<I>>>,
}

impl<I> Shared<I> {
    /// Stops all workers from starting another input.
    fn stop(&self) {
        self.next.store(u64::MAX / 2, Ordering::SeqCst);
    }
}

/// Judges a run.
pub fn judge<S: Subject>(subject: &S, input: &S::Input, run: &Run, job: &Job) -> Result<Judgement, Failure> {
    match &run.ending {
        Ending::Exited(0) => subject.judge(input, &run.output, run.time),
        Ending::Exited(code) => Ok(Judgement::refused(Verdict::RunTimeError, format!("exit code {code}"))),
        Ending::Signalled(signal) => {
            Ok(Judgement::refused(Verdict::RunTimeError, format!("signal {signal}{}", signal_name(*signal))))
        }
        Ending::TimeLimit => {
            let seconds = job.limits.time.as_secs_f64();
            Ok(Judgement::refused(Verdict::TimeLimitExceeded, format!("still running after {seconds} s")))
        }
        Ending::OutputLimit => {
            let reason = format!("more than {} bytes", job.limits.output);
            Ok(Judgement::refused(Verdict::OutputLimitExceeded, reason))
        }
        Ending::Unstartable(reason) => {
            let program = job.command.first().map(|program| program.to_string_lossy()).unwrap_or_default();
            Err(Failure::File(format!("{program}: cannot be started: {reason}, name a program that can be run")))
        }
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
