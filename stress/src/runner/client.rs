//! The tester's side: starts a runner process, and watches for signals.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, pidfd_open, pidfd_send_signal, waitid};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::server::{READY, arguments};
use super::{Job, Namespace, RequestHeader, Run, RunHeader, descendants};
use crate::failure::{self, Failure};

/// An input below this size fits into an empty pipe together with its header, so sending it never blocks.
const SENT_AHEAD: usize = 1 << 15;
/// Time between two looks at whether a runner is stopped.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
/// A command that stops its runner more often is killed.
const STOPS: usize = 10;

/// Watches for the signals that end the work: SIGINT, SIGTERM and SIGHUP.
pub struct Interrupt {
    /// Readable once a signal has arrived. It is never read.
    arrived: UnixStream,
    signal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// Installs the handlers. From now on the signals do not end this process at once.
    pub fn watch() -> io::Result<Interrupt> {
        let (arrived, write_end) = UnixStream::pair()?;
        let signal = Arc::new(AtomicUsize::new(0));
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // Actions run in the order of registration, so the number is stored before the pipe wakes a waiting thread.
            signal_hook::flag::register_usize(number, Arc::clone(&signal), number as usize)?;
            signal_hook::low_level::pipe::register(number, write_end.try_clone()?)?;
        }
        Ok(Interrupt { arrived, signal })
    }

    /// Calls `action` in another thread when a signal arrives.
    pub fn on_arrival(&self, action: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let arrived = self.arrived.try_clone()?;
        let wait = move || {
            while let Err(Errno::INTR) = poll(&mut [PollFd::new(&arrived, PollFlags::IN)], None) {}
            action();
        };
        thread::Builder::new().spawn(wait).map(drop)
    }

    /// The signal that has arrived, if any.
    pub fn signal(&self) -> Option<i32> {
        match self.signal.load(Ordering::SeqCst) {
            0 => None,
            number => Some(number as i32),
        }
    }
}

/// A process that runs a command on one input after another.
pub struct Runner<'i> {
    process: Child,
    /// `None` tells the runner to end.
    requests: Option<ChildStdin>,
    runs: BufReader<ChildStdout>,
    interrupt: &'i Interrupt,
}

impl<'i> Runner<'i> {
    /// Starts a runner for this command. `program` is the path of `tabletop-stress`. The runner ends with the calling
    /// thread.
    pub fn start(program: &Path, job: &Job, interrupt: &'i Interrupt) -> Result<Runner<'i>, Failure> {
        if job.namespace == Namespace::Own {
            match Runner::spawn(program, job, Namespace::Own, interrupt) {
                // The kernel does not allow a namespace.
                Err(Failure::Problem(_)) => {}
                other => return other,
            }
        }
        let runner = Runner::spawn(program, job, Namespace::Shared, interrupt)?;
        let id = Pid::from_child(&runner.process);
        let process = pidfd_open(id, PidfdFlags::empty());
        let process = process.map_err(|error| Failure::new(format!("the runner: {error}, run it again")))?;
        thread::spawn(move || keep_going(id, &process));
        Ok(runner)
    }

    /// Starts a runner and waits until it can take requests.
    fn spawn(program: &Path, job: &Job, namespace: Namespace, interrupt: &'i Interrupt) -> Result<Runner<'i>, Failure> {
        let failed = |error| failure::file(program, "started", &error, "install it again");
        let mut process = Command::new(program)
            .args(arguments(job, namespace))
            // Ctrl-C must reach only the tester, which then ends the runner.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let requests = process.stdin.take();
        let runs = process.stdout.take().ok_or_else(|| failed(io::ErrorKind::BrokenPipe.into()))?;
        let mut runner = Runner { process, requests, runs: BufReader::new(runs), interrupt };
        runner.wait()?;
        let mut line = String::new();
        match runner.runs.read_line(&mut line) {
            Ok(_) if line == READY => Ok(runner),
            Ok(_) => Err(runner.broken(&io::ErrorKind::UnexpectedEof.into())),
            Err(error) => Err(runner.broken(&error)),
        }
    }

    /// Whether an input may be sent before the previous run has been received.
    pub fn takes_ahead(input: &[u8]) -> bool {
        input.len() < SENT_AHEAD
    }

    /// Requests a run on an input, with this time limit.
    pub fn send(&mut self, input: &[u8], time: Duration) -> Result<(), Failure> {
        let header = RequestHeader { microseconds: time.as_micros() as u64, input: input.len() };
        let mut message = serde_json::to_vec(&header).map_err(|error| self.broken(&error.into()))?;
        message.push(b'\n');
        message.extend_from_slice(input);
        let requests = self.requests.as_mut();
        let sent = requests.ok_or(io::ErrorKind::BrokenPipe.into()).and_then(|requests| requests.write_all(&message));
        sent.map_err(|error| self.broken(&error))
    }

    /// Waits for the next requested run.
    pub fn receive(&mut self) -> Result<Run, Failure> {
        self.wait()?;
        self.read_run().map_err(|error| self.broken(&error))
    }

    /// Runs the command on an input.
    pub fn run(&mut self, input: &[u8], time: Duration) -> Result<Run, Failure> {
        self.send(input, time)?;
        self.receive()
    }

    /// Waits for a run or a signal.
    fn wait(&self) -> Result<(), Failure> {
        while self.runs.buffer().is_empty() {
            let mut fds =
                [PollFd::new(self.runs.get_ref(), PollFlags::IN), PollFd::new(&self.interrupt.arrived, PollFlags::IN)];
            match poll(&mut fds, None) {
                Ok(_) if !fds[1].revents().is_empty() => {
                    return Err(Failure::Interrupted(self.interrupt.signal().unwrap_or(SIGINT)));
                }
                Ok(_) => return Ok(()),
                Err(Errno::INTR) => {}
                Err(error) => return Err(self.broken(&error.into())),
            }
        }
        Ok(())
    }

    fn read_run(&mut self) -> io::Result<Run> {
        let mut line = String::new();
        if self.runs.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let header: RunHeader = serde_json::from_str(&line)?;
        let mut bytes = |count: usize| -> io::Result<Vec<u8>> {
            let mut bytes = vec![0; count];
            self.runs.read_exact(&mut bytes)?;
            Ok(bytes)
        };
        Ok(Run {
            time: Duration::from_micros(header.microseconds),
            memory: header.memory,
            output: bytes(header.output)?,
            errors: bytes(header.errors)?,
            ending: header.ending,
        })
    }

    fn broken(&self, error: &io::Error) -> Failure {
        match self.interrupt.signal() {
            Some(signal) => Failure::Interrupted(signal),
            None => Failure::new(format!(
                "the process that runs the command has ended: {error}, see whether the command sends signals to its parent"
            )),
        }
    }
}

impl Drop for Runner<'_> {
    fn drop(&mut self) {
        // Closing the requests ends the runner and every process that it has started.
        self.requests = None;
        // A run that no one has received may be longer than the pipe. The runner waits until it is read.
        let _ = io::copy(&mut self.runs, &mut io::sink());
        let _ = self.process.wait();
    }
}

/// Continues a runner whenever it is stopped, until it ends. The command can stop it in a shared namespace.
fn keep_going(id: Pid, runner: &OwnedFd) {
    for stops in 0.. {
        // A stop is reported once.
        while !matches!(
            waitid(WaitId::PidFd(runner.as_fd()), WaitIdOptions::STOPPED | WaitIdOptions::NOHANG),
            Ok(Some(_))
        ) {
            match poll(&mut [PollFd::new(runner, PollFlags::IN)], Some(&LOOK)) {
                Ok(0) | Err(Errno::INTR) => {}
                _ => return,
            }
        }
        if stops >= STOPS {
            // Not the runner: the command would become a child of the tester, and could stop that one.
            descendants::kill_below(id);
        }
        let _ = pidfd_send_signal(runner, Signal::CONT);
    }
}
