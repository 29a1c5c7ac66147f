//! One run of a command, until its last process has ended.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Resource, Rlimit, getrlimit, pidfd_open, prlimit, setrlimit};
use wait4::Wait4;

use super::memory::Meter;
use super::surroundings::Surroundings;
use super::{Ending, Job, Run};

/// Number of bytes of standard error that are kept. The rest is read and discarded.
const KEPT_ERRORS: u64 = 1 << 13;
/// Size of a read in bytes: the default capacity of a pipe.
const CHUNK: usize = 1 << 16;
/// Maximum number of reads from a pipe before the time limit is checked again.
const CHUNKS_AT_ONCE: usize = 16;
/// Memory that the runner needs for itself, in bytes, besides several copies of an output.
const OWN_MEMORY: u64 = 1 << 26;

/// Lowers the memory limit of the runner itself. The commands inherit its hard limit, which they cannot raise.
pub(super) fn limit_own_memory(job: &Job) -> io::Result<()> {
    let limit = job.limits.memory.max(OWN_MEMORY + 4 * job.limits.output);
    let limit = Some(getrlimit(Resource::Data).maximum.map_or(limit, |maximum| maximum.min(limit)));
    Ok(setrlimit(Resource::Data, Rlimit { current: limit, maximum: limit })?)
}

/// Runs a command on an input. `None` if the other end of `hangup` was closed: the tester no longer waits.
pub(super) fn run(
    job: &Job,
    input: &[u8],
    surroundings: &Surroundings,
    hangup: BorrowedFd<'_>,
) -> io::Result<Option<Run>> {
    let started = Instant::now();
    let mut child = match spawn(job) {
        Ok(child) => child,
        Err(error) => {
            let ending = Ending::Unstartable(error.to_string());
            return Ok(Some(Run { ending, time: Duration::ZERO, memory: 0, output: Vec::new(), errors: Vec::new() }));
        }
    };
    let watched = Watch::new(&mut child, job, input, surroundings, started).and_then(|mut watch| {
        let cause = watch.until_end(hangup)?;
        Ok((cause, watch))
    });
    let time = started.elapsed();
    surroundings.kill(Pid::from_child(&child));
    let usage = child.wait4()?;
    surroundings.end_orphans()?;
    surroundings.continue_tester();
    let (cause, watch) = watched?;
    let ending = match cause {
        Cause::Ended => ending(usage.status),
        Cause::TimeLimit => Ending::TimeLimit,
        Cause::OutputLimit => Ending::OutputLimit,
        Cause::MemoryLimit => Ending::MemoryLimit,
        Cause::HungUp => return Ok(None),
    };
    let (output, errors) = (watch.output.kept, watch.errors.kept);
    Ok(Some(Run { ending, time, memory: usage.rusage.maxrss, output, errors }))
}

fn spawn(job: &Job) -> io::Result<Child> {
    let (program, arguments) = job.command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    command.args(arguments).process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // The command inherits the soft limit. Setting it from outside after the start would be too late for a fast command.
    let own = getrlimit(Resource::Data);
    let limit = Some(own.maximum.map_or(job.limits.memory, |maximum| maximum.min(job.limits.memory)));
    setrlimit(Resource::Data, Rlimit { current: limit, maximum: own.maximum })?;
    let child = command.spawn();
    setrlimit(Resource::Data, own)?;
    let child = child?;
    if own.maximum != limit {
        // The runner needs a higher hard limit than the command. A program of another user keeps the runner's limit.
        let _ = prlimit(Some(Pid::from_child(&child)), Resource::Data, Rlimit { current: limit, maximum: limit });
    }
    Ok(child)
}

fn ending(status: ExitStatus) -> Ending {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exited(code),
        (None, signal) => Ending::Signalled(signal.unwrap_or(0)),
    }
}

/// Why a run is over.
enum Cause {
    Ended,
    TimeLimit,
    OutputLimit,
    MemoryLimit,
    HungUp,
}

/// The file descriptors and limits of a running command.
struct Watch<'a> {
    /// Readable when the command has ended.
    end: OwnedFd,
    stdin: Option<File>,
    /// The part of the input that is not written yet.
    input: &'a [u8],
    output: Stream,
    errors: Stream,
    output_limit: u64,
    memory: Meter,
    surroundings: &'a Surroundings,
    deadline: Instant,
}

/// Standard output or standard error of the command.
struct Stream {
    pipe: Option<File>,
    kept: Vec<u8>,
    /// Number of bytes read so far.
    total: u64,
    /// Maximum length of `kept`.
    limit: u64,
}

impl<'a> Watch<'a> {
    fn new(
        child: &mut Child,
        job: &Job,
        input: &'a [u8],
        surroundings: &'a Surroundings,
        started: Instant,
    ) -> io::Result<Watch<'a>> {
        let end = pidfd_open(Pid::from_child(child), PidfdFlags::empty())?;
        let pipe = |pipe: Option<OwnedFd>| pipe.map(nonblocking).transpose();
        let mut watch = Watch {
            end,
            stdin: pipe(child.stdin.take().map(OwnedFd::from))?,
            input,
            output: Stream::new(pipe(child.stdout.take().map(OwnedFd::from))?, job.limits.output),
            errors: Stream::new(pipe(child.stderr.take().map(OwnedFd::from))?, KEPT_ERRORS),
            output_limit: job.limits.output,
            memory: Meter::new(job.limits.memory, started),
            surroundings,
            deadline: started + job.limits.time,
        };
        // Most inputs fit into the pipe at once.
        watch.feed();
        Ok(watch)
    }

    fn until_end(&mut self, hangup: BorrowedFd<'_>) -> io::Result<Cause> {
        let mut buffer = vec![0; CHUNK];
        loop {
            let now = Instant::now();
            if now >= self.deadline {
                return Ok(Cause::TimeLimit);
            }
            if now >= self.memory.next() {
                self.surroundings.continue_tester();
                if self.memory.is_exceeded() {
                    return Ok(Cause::MemoryLimit);
                }
            }
            let next = self.deadline.min(self.memory.next());
            let ready = self.wait(hangup, next.saturating_duration_since(now))?;
            if ready.hung_up {
                return Ok(Cause::HungUp);
            }
            if ready.stdin {
                self.feed();
            }
            // The pipes are read after the end was detected, because output from before the end counts.
            self.output.read(&mut buffer);
            self.errors.read(&mut buffer);
            if self.output.total > self.output_limit {
                return Ok(Cause::OutputLimit);
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

    /// Writes as much of the input as the pipe takes. Stops if the command has closed its standard input.
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

/// What became ready during a wait.
struct Ready {
    hung_up: bool,
    ended: bool,
    stdin: bool,
}

impl Stream {
    fn new(pipe: Option<File>, limit: u64) -> Stream {
        Stream { pipe, kept: Vec::new(), total: 0, limit }
    }

    /// Reads what is available, at most `CHUNKS_AT_ONCE` chunks. Endless output must not delay the time limit.
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

/// Makes a pipe non-blocking.
fn nonblocking(pipe: OwnedFd) -> io::Result<File> {
    rustix::io::ioctl_fionbio(pipe.as_fd(), true)?;
    Ok(File::from(pipe))
}
