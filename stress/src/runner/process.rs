//! One run of a command, from its start to the end of its last process.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, WaitOptions, getpid, getrlimit, kill_process, kill_process_group,
    pidfd_open, setrlimit, wait,
};
use wait4::Wait4;

use super::{Ending, Job, Run};

/// How much of standard error is kept; the rest is read and forgotten.
const KEPT_ERRORS: u64 = 1 << 13;
/// Bytes that are read at once: what a pipe holds.
const CHUNK: usize = 1 << 16;
/// How often a pipe is read before the clock is looked at.
const CHUNKS_AT_ONCE: usize = 16;

/// Runs a command on an input. `None` if nobody waits for it any more: `hangup` has been closed at its other end.
pub(super) fn run(job: &Job, input: &[u8], hangup: BorrowedFd<'_>) -> io::Result<Option<Run>> {
    let started = Instant::now();
    let mut child = match spawn(job) {
        Ok(child) => child,
        Err(error) => {
            let ending = Ending::Unstartable(error.to_string());
            return Ok(Some(Run { ending, time: Duration::ZERO, memory: 0, output: Vec::new(), errors: Vec::new() }));
        }
    };
    let watched = Watch::new(&mut child, job, input, started).and_then(|mut watch| {
        let cause = watch.until_end(hangup)?;
        Ok((cause, watch))
    });
    let time = started.elapsed();
    let pid = Pid::from_child(&child);
    // The group is named after the command, which is not reaped yet, so no other group has its name.
    let _ = kill_process_group(pid, Signal::KILL);
    let _ = kill_process(pid, Signal::KILL);
    let usage = child.wait4()?;
    end_orphans()?;
    let (cause, watch) = watched?;
    let ending = match cause {
        Cause::Ended => ending(usage.status),
        Cause::TimeIsOver => Ending::TimeLimit,
        Cause::TooMuchOutput => Ending::OutputLimit,
        Cause::HungUp => return Ok(None),
    };
    let (output, errors) = (watch.output.kept, watch.errors.kept);
    Ok(Some(Run { ending, time, memory: usage.rusage.maxrss, output, errors }))
}

fn spawn(job: &Job) -> io::Result<Child> {
    let (program, arguments) = job.command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    command.args(arguments).process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // The command inherits the limit. Set from outside it would come too late for one that is quick.
    let own = getrlimit(Resource::Data);
    let limit = own.maximum.map_or(job.limits.memory, |maximum| maximum.min(job.limits.memory));
    setrlimit(Resource::Data, Rlimit { current: Some(limit), maximum: own.maximum })?;
    let child = command.spawn();
    setrlimit(Resource::Data, own)?;
    child
}

fn ending(status: ExitStatus) -> Ending {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exited(code),
        (None, signal) => Ending::Signalled(signal.unwrap_or(0)),
    }
}

/// Kills and reaps every process that the command left behind.
fn end_orphans() -> io::Result<()> {
    loop {
        match wait(WaitOptions::NOHANG) {
            Err(Errno::CHILD) => return Ok(()),
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Ok(None) => {
                for orphan in children()? {
                    // One that has ended in the meantime is a zombie until the next turn.
                    let _ = kill_process(orphan, Signal::KILL);
                }
                // At least one of them ends now. Its own children are ours afterwards.
                match wait(WaitOptions::empty()) {
                    Ok(_) | Err(Errno::CHILD | Errno::INTR) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// The processes that this one, which has a single thread, is the parent of.
fn children() -> io::Result<Vec<Pid>> {
    let own = getpid();
    let list = std::fs::read_to_string(format!("/proc/self/task/{own}/children"))?;
    Ok(list.split_ascii_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)).collect())
}

/// Why a run is over.
enum Cause {
    Ended,
    TimeIsOver,
    TooMuchOutput,
    HungUp,
}

/// What is watched while a command runs.
struct Watch<'a> {
    /// Readable when the command has ended.
    end: OwnedFd,
    stdin: Option<File>,
    /// What the command has not been fed yet.
    input: &'a [u8],
    output: Stream,
    errors: Stream,
    output_limit: u64,
    deadline: Instant,
}

/// What a command prints.
struct Stream {
    pipe: Option<File>,
    kept: Vec<u8>,
    /// Bytes that have come so far.
    total: u64,
    limit: u64,
}

impl<'a> Watch<'a> {
    fn new(child: &mut Child, job: &Job, input: &'a [u8], started: Instant) -> io::Result<Watch<'a>> {
        let end = pidfd_open(Pid::from_child(child), PidfdFlags::empty())?;
        let pipe = |pipe: Option<OwnedFd>| pipe.map(unblocked).transpose();
        let mut watch = Watch {
            end,
            stdin: pipe(child.stdin.take().map(OwnedFd::from))?,
            input,
            output: Stream::new(pipe(child.stdout.take().map(OwnedFd::from))?, job.limits.output),
            errors: Stream::new(pipe(child.stderr.take().map(OwnedFd::from))?, KEPT_ERRORS),
            output_limit: job.limits.output,
            deadline: started + job.limits.time,
        };
        // Most inputs fit into the pipe.
        watch.feed();
        Ok(watch)
    }

    fn until_end(&mut self, hangup: BorrowedFd<'_>) -> io::Result<Cause> {
        let mut buffer = vec![0; CHUNK];
        loop {
            let remaining = self.deadline.saturating_duration_since(Instant::now());
            if remaining.is_zero() {
                return Ok(Cause::TimeIsOver);
            }
            let ready = self.wait(hangup, remaining)?;
            if ready.hung_up {
                return Ok(Cause::HungUp);
            }
            if ready.stdin {
                self.feed();
            }
            // What was printed before the end counts, so the pipes are read after the end was seen.
            self.output.read(&mut buffer);
            self.errors.read(&mut buffer);
            if self.output.total > self.output_limit {
                return Ok(Cause::TooMuchOutput);
            }
            if ready.ended {
                return Ok(Cause::Ended);
            }
        }
    }

    fn wait(&self, hangup: BorrowedFd<'_>, time: Duration) -> io::Result<Ready> {
        let mut fds = vec![PollFd::from_borrowed_fd(hangup, PollFlags::empty()), PollFd::new(&self.end, PollFlags::IN)];
        fds.extend(self.output.pipe.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        fds.extend(self.errors.pipe.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        if let Some(stdin) = &self.stdin {
            fds.push(PollFd::new(stdin, PollFlags::OUT));
        }
        let time = Timespec { tv_sec: time.as_secs() as i64, tv_nsec: i64::from(time.subsec_nanos()) };
        match poll(&mut fds, Some(&time)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let is_ready = |place: usize| !fds[place].revents().is_empty();
        Ok(Ready { hung_up: is_ready(0), ended: is_ready(1), stdin: self.stdin.is_some() && is_ready(fds.len() - 1) })
    }

    /// Writes as much of the input as the pipe takes. A command that does not want it has closed its end.
    fn feed(&mut self) {
        let Some(stdin) = &mut self.stdin else { return };
        while !self.input.is_empty() {
            match stdin.write(self.input) {
                Ok(written) => self.input = &self.input[written..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        self.stdin = None;
    }
}

/// What a wait has found.
struct Ready {
    hung_up: bool,
    ended: bool,
    stdin: bool,
}

impl Stream {
    fn new(pipe: Option<File>, limit: u64) -> Stream {
        Stream { pipe, kept: Vec::new(), total: 0, limit }
    }

    /// Reads what there is, but no more than a pipe holds at once: a command that prints endlessly must not keep us here.
    fn read(&mut self, buffer: &mut [u8]) {
        for _ in 0..CHUNKS_AT_ONCE {
            let Some(pipe) = &mut self.pipe else { return };
            match pipe.read(buffer) {
                Ok(0) => self.pipe = None,
                Ok(count) => {
                    let room = self.limit.saturating_sub(self.total).min(count as u64) as usize;
                    self.kept.extend_from_slice(&buffer[..room]);
                    self.total += count as u64;
                    if count < buffer.len() {
                        return;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => self.pipe = None,
            }
        }
    }
}

/// The pipe, which no read or write waits for any more.
fn unblocked(pipe: OwnedFd) -> io::Result<File> {
    rustix::io::ioctl_fionbio(pipe.as_fd(), true)?;
    Ok(File::from(pipe))
}
