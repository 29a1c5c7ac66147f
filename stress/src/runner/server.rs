//! The runner's side: reads requests and writes runs.

use std::ffi::OsString;
use std::io::{self, BufRead, Read, Write};
use std::os::fd::AsFd;
use std::process::ExitCode;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getpid, set_child_subreaper, setrlimit};

use super::process::run;
use super::{Job, Limits, RequestHeader, Run, RunHeader};

/// The first argument of a runner process. The limits and the command follow.
pub(crate) const ARGUMENT: &str = "--be-the-runner";

/// Serves requests from standard input until they end.
pub(crate) fn serve(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    match job(arguments).ok_or(io::ErrorKind::InvalidInput.into()).and_then(|job| serve_requests(&job)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// The arguments of a runner for this job.
pub(super) fn arguments(job: &Job) -> Vec<OsString> {
    let Limits { output, memory, .. } = job.limits;
    let numbers = [output, memory].map(|number| number.to_string().into());
    [ARGUMENT.into()].into_iter().chain(numbers).chain(job.command.iter().cloned()).collect()
}

fn job(mut arguments: impl Iterator<Item = OsString>) -> Option<Job> {
    let mut number = || arguments.next()?.to_str()?.parse().ok();
    let limits = Limits { time: Duration::ZERO, output: number()?, memory: number()? };
    let command: Vec<OsString> = arguments.collect();
    (!command.is_empty()).then_some(Job { command, limits })
}

fn serve_requests(job: &Job) -> io::Result<()> {
    // Orphaned processes of the command become children of the runner, even from another process group or session.
    set_child_subreaper(Some(getpid()))?;
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    let stdin = io::stdin();
    let hangup = stdin.as_fd().try_clone_to_owned()?;
    let mut requests = stdin.lock();
    let mut runs = io::stdout().lock();
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
        let job = Job { limits: Limits { time, ..job.limits }, command: job.command.clone() };
        // `None`: the requests were closed during the run, so no one waits for it.
        let Some(run) = run(&job, &input, hangup.as_fd())? else { return Ok(()) };
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
