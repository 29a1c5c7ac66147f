//! Feeding inputs to a command until it fails on one.

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
    /// They are drawn.
    Drawn {
        /// What is drawn for each number.
        plan: Plan,
        /// The sizes that are asked for.
        shape: Shape,
    },
    /// They were read from files.
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
    /// How many commands run at a time.
    pub jobs: usize,
    /// `tabletop-stress`, which the runners are started from.
    pub program: &'a Path,
    /// The signals that end the test.
    pub interrupt: &'a Interrupt,
    /// Is told after each run how many there have been.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// What became of an input.
#[derive(Debug, Clone)]
pub struct Record {
    /// The number of the input, from 0.
    pub number: u64,
    /// What the judge says.
    pub judgement: Judgement,
    /// How long the command took.
    pub time: Duration,
    /// The most memory that the command held, in bytes.
    pub memory: u64,
}

/// An input that a command fails on.
#[derive(Debug, Clone)]
pub struct Failing<I> {
    /// The number of the input, from 0.
    pub number: u64,
    /// The input.
    pub input: I,
    /// What the judge says.
    pub judgement: Judgement,
    /// What the command did.
    pub run: Run,
}

/// What is known at the end of a test.
pub struct Outcome<I> {
    /// What became of each input, up to the first that the command failed on, in order.
    pub records: Vec<Record>,
    /// The first input that the command failed on, if the inputs were drawn.
    pub failing: Option<Failing<I>>,
    /// The signal that ended the test early.
    pub signal: Option<i32>,
}

impl<S: Subject> Test<'_, S> {
    /// How many inputs there are.
    pub fn inputs(&self) -> u64 {
        match &self.source {
            Source::Drawn { plan, .. } => plan.inputs,
            Source::Files(files) => files.len() as u64,
        }
    }

    /// How the input of this number was drawn, if it was.
    pub fn recipe(&self, number: u64) -> Option<Recipe> {
        match &self.source {
            Source::Drawn { plan, .. } => Some(plan.recipe(number)),
            Source::Files(_) => None,
        }
    }

    /// The input of this number.
    pub fn input(&self, number: u64) -> Result<S::Input, Failure> {
        match &self.source {
            Source::Drawn { plan, shape } => self.subject.draw(plan.recipe(number), shape),
            Source::Files(files) => Ok(files[number as usize].1.clone()),
        }
    }

    /// What the input of this number is called in a report.
    pub fn input_name(&self, number: u64) -> String {
        match &self.source {
            Source::Drawn { plan, .. } => {
                let Recipe { draw, seed } = plan.recipe(number);
                format!("input {} ({draw}, seed {seed})", number + 1)
            }
            Source::Files(files) => files[number as usize].0.display().to_string(),
        }
    }

    /// A runner of the command.
    pub fn runner(&self) -> Result<Runner<'_>, Failure> {
        Runner::start(self.program, &self.job, self.interrupt)
    }

    /// Feeds the inputs to the command: all files, or drawn inputs up to the first that it fails on.
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
        // What other workers have done beyond the first failing input would differ from run to run.
        records.retain(|record: &Record| record.number < end);
        records.sort_by_key(|record| record.number);
        Ok(Outcome { records, failing: shared.failing.into_inner().expect("no worker has panicked"), signal })
    }

    /// Takes numbers, sends their inputs one ahead, and judges a run while the next one is under way.
    fn work(&self, shared: &Shared<S::Input>) -> Result<(), Failure> {
        let mut runner = self.runner()?;
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
                runner.send(text, limit)?;
            }
            if let Some((number, input)) = under_way.take() {
                let run = runner.receive().inspect_err(|_| shared.stop())?;
                if let Some(text) = text.as_ref().filter(|_| !goes_ahead) {
                    runner.send(text, limit)?;
                }
                self.record(shared, number, input, run).inspect_err(|_| shared.stop())?;
            }
            // A run beyond the first failing input is of no use: the runner ends it.
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

/// What the workers share.
struct Shared<I> {
    /// The number of the next input.
    next: AtomicU64,
    /// The number after the last input; it falls when the command fails.
    end: AtomicU64,
    records: Mutex<Vec<Record>>,
    failing: Mutex<Option<Failing<I>>>,
}

impl<I> Shared<I> {
    /// Lets no worker begin another input.
    fn stop(&self) {
        self.next.store(u64::MAX / 2, Ordering::SeqCst);
    }
}

/// What a judge says of a run.
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

/// The name of a signal, in brackets.
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
