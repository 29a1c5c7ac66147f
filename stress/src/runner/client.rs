//! The tester's side: starts a runner process, and watches for signals.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::{Job, RequestHeader, Run, RunHeader};
use crate::failure::Failure;

/// An input below this size fits into an empty pipe together with its header, so sending it never blocks.
const SENT_AHEAD: usize = 1 << 15;

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
    /// Starts a runner for this command. `program` is the path of `tabletop-stress`.
    pub fn start(program: &Path, job: &Job, interrupt: &'i Interrupt) -> Result<Runner<'i>, Failure> {
        let failed = |error| Failure::file(program, "started", &error, "install it again");
        let mut process = Command::new(program)
            .args(super::server::arguments(job))
            // Ctrl-C must reach only the tester, which then ends the runner.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let requests = process.stdin.take();
        let runs = process.stdout.take().ok_or_else(|| failed(io::ErrorKind::BrokenPipe.into()))?;
        Ok(Runner { process, requests, runs: BufReader::new(runs), interrupt })
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
            None => Failure::File(format!("the process that runs the command has ended: {error}, run it again")),
        }
    }
}

impl Drop for Runner<'_> {
    fn drop(&mut self) {
        // Closing the requests ends the runner and every process that it has started.
        self.requests = None;
        let _ = self.process.wait();
    }
}
