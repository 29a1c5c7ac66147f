//! The runner's side: reads requests and writes runs.

use std::ffi::OsString;
use std::io::{self, BufRead, Read, Write};
use std::os::fd::AsFd;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rustix::process::{
    DumpableBehavior, Pid, Resource, Rlimit, Signal, getpid, getppid, set_child_subreaper, set_dumpable_behavior,
    set_parent_process_death_signal, setrlimit,
};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::process::{limit_own_memory, run};
use super::surroundings::Surroundings;
use super::{Job, Limits, Namespace, RequestHeader, Run, RunHeader, namespace};

/// The first argument of a supervisor or a runner. The role, the id of the tester, the limits and the command follow.
pub(crate) const ARGUMENT: &str = "--be-the-runner";
/// The line that a runner writes when it can take requests.
pub(super) const READY: &str = "ready\n";

/// Starts the runner in a pid namespace.
const SUPERVISOR: &str = "supervisor";
/// The first process of a pid namespace.
const FIRST: &str = "first";
/// A runner in the pid namespace of the tester.
const SHARED: &str = "shared";

/// Serves requests from standard input until they end, or starts the runner that does.
pub(crate) fn serve(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    match begin(arguments.collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// The arguments of a supervisor or a runner for this job.
pub(super) fn arguments(job: &Job, namespace: Namespace) -> Vec<OsString> {
    let role = match namespace {
        Namespace::Own => SUPERVISOR,
        Namespace::Shared => SHARED,
    };
    let Limits { output, memory, .. } = job.limits;
    let numbers = [u64::from(std::process::id()), output, memory].map(|number| number.to_string().into());
    [ARGUMENT.into(), role.into()].into_iter().chain(numbers).chain(job.command.iter().cloned()).collect()
}

fn begin(arguments: Vec<OsString>) -> io::Result<()> {
    let (role, tester, job) = parse(&arguments).ok_or(io::ErrorKind::InvalidInput)?;
    let surroundings = match role {
        SUPERVISOR => {
            let rest = arguments.iter().skip(1).cloned();
            return namespace::supervise(tester, [ARGUMENT.into(), FIRST.into()].into_iter().chain(rest).collect());
        }
        FIRST => become_first()?,
        _ => become_shared(tester)?,
    };
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    limit_own_memory(&job)?;
    serve_requests(&job, &surroundings)
}

fn parse(arguments: &[OsString]) -> Option<(&str, Pid, Job)> {
    let [role, tester, output, memory, command @ ..] = arguments else { return None };
    let tester = Pid::from_raw(tester.to_str()?.parse().ok()?)?;
    let number = |text: &OsString| text.to_str()?.parse().ok();
    let limits = Limits { time: Duration::ZERO, output: number(output)?, memory: number(memory)? };
    let job = Job { command: command.to_vec(), limits, namespace: Namespace::Shared };
    (!command.is_empty()).then_some((role.to_str()?, tester, job))
}

/// Prepares the first process of a pid namespace. The kernel kills the other processes when it dies.
fn become_first() -> io::Result<Surroundings> {
    if !getpid().is_init() {
        return Err(io::ErrorKind::Unsupported.into());
    }
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // Otherwise the command could stop it with a debugger's system calls.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    Ok(Surroundings::First)
}

/// Prepares a runner that the command can signal.
fn become_shared(tester: Pid) -> io::Result<Surroundings> {
    // Orphaned processes of the command become children of the runner, even from another process group or session.
    set_child_subreaper(Some(getpid()))?;
    // A handler, because the command would inherit an ignored signal. The kernel sends SIGHUP to a stopped process
    // whose parent dies.
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::<AtomicBool>::default())?;
    }
    // If the tester dies while the runner is stopped, the runner goes on and ends the command.
    set_parent_process_death_signal(Some(Signal::CONT))?;
    if getppid() != Some(tester) {
        return Err(io::ErrorKind::BrokenPipe.into());
    }
    Ok(Surroundings::Shared { tester })
}

fn serve_requests(job: &Job, surroundings: &Surroundings) -> io::Result<()> {
    let stdin = io::stdin();
    let hangup = stdin.as_fd().try_clone_to_owned()?;
    let mut requests = stdin.lock();
    let mut runs = io::stdout().lock();
    runs.write_all(READY.as_bytes())?;
    let mut line = String::new();
    loop {
        line.clear();
        if requests.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let header: RequestHeader = serde_json::from_str(&line)?;
        let mut input = vec![0; header.input];
        requests.read_exact(&mut input)?;
        let time = Duration::from_micros(header.microseconds);
        let job = Job { limits: Limits { time, ..job.limits }, ..job.clone() };
        // `None`: the requests were closed during the run, so no one waits for it.
        let Some(run) = run(&job, &input, surroundings, hangup.as_fd())? else { return Ok(()) };
        write_run(&run, &mut runs)?;
    }
}

fn write_run(run: &Run, runs: &mut impl Write) -> io::Result<()> {
    let header = RunHeader {
        ending: run.ending.clone(),
        microseconds: run.time.as_micros() as u64,
        memory: run.memory,
        output: run.output.len(),
        errors: run.errors.len(),
    };
    let mut message = serde_json::to_vec(&header)?;
    message.push(b'\n');
    message.extend_from_slice(&run.output);
    message.extend_from_slice(&run.errors);
    // One write wakes the tester once. Standard output alone would flush at the end of the header line.
    runs.write_all(&message)?;
    runs.flush()
}
