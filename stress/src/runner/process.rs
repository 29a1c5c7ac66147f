//! One run of a command, until its last process has ended.

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

/// Number of bytes of standard error that are kept. The rest is read and discarded.
const KEPT_ERRORS: u64 = 1 << 13;
/// Size of a read in bytes: the default capacity of a pipe.
const CHUNK: usize = 1 << 16;
/// Maximum number of reads from a pipe before the time limit is checked again.
const CHUNKS_AT_ONCE: usize = 16;

/// Runs a command on an input. `None` if the other end of `hangup` was closed: the tester no longer waits.
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
    // The process group has the id of the command, which is not reaped yet, so the id cannot belong to another group.
    let _ = kill_process_group(pid, Signal::KILL);
    let _ = kill_process(pid, Signal::KILL);
    let usage = child.wait4()?;
    end_orphans()?;
    let (cause, watch) = watched?;
    let ending = match cause {
        Cause::Ended => ending(usage.status),
        Cause::TimeLimit => Ending::TimeLimit,
        Cause::OutputLimit => Ending::OutputLimit,
        Cause::HungUp => return Ok(None),
    };
    let (output, errors) = (watch.output.kept, watch.errors.kept);
    Ok(Some(Run { ending, time, memory: usage.rusage.maxrss, output, errors }))
}

fn spawn(job: &Job) -> io::Result<Child> {
    let (program, arguments) = job.command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    command.args(arguments).process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // The command inherits the limit. Setting it from outside after the start would be too late for a fast command.
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
                    // A process that has just ended stays a zombie until it is reaped below, so its id is not reused.
                    let _ = kill_process(orphan, Signal::KILL);
                }
                // Waits for at least one of them. Its own children then become ours.
                match wait(WaitOptions::empty()) {
                    Ok(_) | Err(Errno::CHILD | Errno::INTR) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// The child processes of the runner, which has a single thread.
fn children() -> io::Result<Vec<Pid>> {
    let own = getpid();
    let list = std::fs::read_to_string(format!("/proc/self/task/{own}/children"))?;
    Ok(list.split_ascii_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)).collect())
}

/// Why a run is over.
enum Cause {
    Ended,
    TimeLimit,
    OutputLimit,
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
    fn new(child: &mut Child, job: &Job, input: &'a [u8], started: Instant) -> io::Result<Watch<'a>> {
        let end = pidfd_open(Pid::from_child(child), PidfdFlags::empty())?;
        let pipe = |pipe: Option<OwnedFd>| pipe.map(nonblocking).transpose();
        let mut watch = Watch {
            end,
            stdin: pipe(child.stdin.take().map(OwnedFd::from))?,
            input,
            output: Stream::new(pipe(child.stdout.take().map(OwnedFd::from))?, job.limits.output),
            errors: Stream::new(pipe(child.stderr.take().map(OwnedFd::from))?, KEPT_ERRORS),
            output_limit: job.limits.output,
            deadline: started + job.limits.time,
        };
        // Most inputs fit into the pipe at once.
        watch.feed();
        Ok(watch)
    }

    fn until_end(&mut self, hangup: BorrowedFd<'_>) -> io::Result<Cause> {
        let mut buffer = vec![0; CHUNK];
        loop {
            let remaining = self.deadline.saturating_duration_since(Instant::now());
            if remaining.is_zero() {
                return Ok(Cause::TimeLimit);
            }
            let ready = self.wait(hangup, remaining)?;
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
