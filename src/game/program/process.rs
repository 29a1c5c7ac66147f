//! The processes of a game program: a line of JSON in, a line of JSON out, within a time limit.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Fields, Speaker};
use crate::game::Load;

/// The argument that makes a program speak the protocol.
const SPEAK: &str = "speak";
/// The longest line of a program, in bytes.
const MAX_LINE_BYTES: u64 = 1 << 22;
/// The time that a program has for a line.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// Maximum number of processes of one program.
const MAX_PROCESSES: usize = 4;

/// Why a program has not answered. The text names the fault, without the program.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The program cannot be started.
    Unstartable(io::Error),
    /// It ended, or closed its output, without an answer.
    Ended,
    /// It did not answer in time.
    Late,
    /// Its line is not what the protocol says.
    Malformed(String),
}

impl Fault {
    /// What is wrong.
    pub(super) fn reason(&self) -> String {
        match self {
            Fault::Unstartable(error) => format!("cannot be started: {error}"),
            Fault::Ended => String::from("ended without an answer"),
            Fault::Late => format!("has not answered within {} seconds", TIME_LIMIT.as_secs()),
            Fault::Malformed(what) => format!("does not speak the protocol: {what}"),
        }
    }
}

/// The processes of one program. They are started when they are needed, and killed when this is dropped.
pub(super) struct Processes {
    command: Vec<OsString>,
    state: Mutex<State>,
    returned: Condvar,
}

#[derive(Default)]
struct State {
    idle: Vec<Process>,
    started: usize,
}

impl Processes {
    /// Processes of this command: a program and its first arguments.
    pub(super) fn new(command: Vec<OsString>) -> Processes {
        Processes { command, state: Mutex::default(), returned: Condvar::new() }
    }

    /// An idle process, or a new one if there are not too many.
    fn take(&self) -> Result<Process, Fault> {
        let deadline = Instant::now() + TIME_LIMIT;
        let mut state = self.lock();
        loop {
            if let Some(process) = state.idle.pop() {
                return Ok(process);
            }
            if state.started < MAX_PROCESSES {
                let process = Process::start(&self.command)?;
                state.started += 1;
                return Ok(process);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Fault::Late);
            }
            state = self.returned.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Speaker for Processes {
    /// If a process has ended since its last reply, another one is asked.
    fn ask(&self, request: &Value) -> Result<Fields, Fault> {
        loop {
            let mut process = self.take()?;
            let has_answered = process.has_answered;
            let reply = process.ask(request);
            let mut state = self.lock();
            match &reply {
                // A process that has broken the protocol may still owe a line: it is not asked again.
                Err(_) => state.started -= 1,
                Ok(_) => state.idle.push(process),
            }
            drop(state);
            self.returned.notify_one();
            if !(has_answered && matches!(reply, Err(Fault::Ended))) {
                return reply;
            }
        }
    }

    /// A program may take its time, so no request may wait for it outside of a pool.
    fn load(&self) -> Load {
        Load::Search
    }
}

/// A process that speaks the protocol. Its standard input closes with this program, so that it ends too.
struct Process {
    child: Child,
    requests: SyncSender<String>,
    lines: Receiver<io::Result<Vec<u8>>>,
    has_answered: bool,
}

impl Process {
    fn start(command: &[OsString]) -> Result<Process, Fault> {
        let mut command = spoken(command)?;
        let (requests, next_request) = sync_channel(1);
        let (next_line, lines) = sync_channel(1);
        let (started, child) = sync_channel(1);
        // A clock cannot end a write or a read, so another thread does both. It also starts the program, so that no
        // program is left behind if there can be no thread.
        let work = move || match spawn(&mut command) {
            Err(error) => drop(started.send(Err(error))),
            Ok((child, input, output)) => {
                drop(started.send(Ok(child)));
                talk(input, output, &next_request, &next_line);
            }
        };
        thread::Builder::new().spawn(work).map_err(Fault::Unstartable)?;
        let child = child.recv().map_err(|_| Fault::Ended)?.map_err(Fault::Unstartable)?;
        Ok(Process { child, requests, lines, has_answered: false })
    }

    fn ask(&mut self, request: &Value) -> Result<Fields, Fault> {
        self.requests.send(format!("{request}\n")).map_err(|_| Fault::Ended)?;
        let line = match self.lines.recv_timeout(TIME_LIMIT) {
            Ok(Ok(line)) if !line.is_empty() => line,
            Ok(_) | Err(RecvTimeoutError::Disconnected) => return Err(Fault::Ended),
            Err(RecvTimeoutError::Timeout) => return Err(Fault::Late),
        };
        if line.len() as u64 > MAX_LINE_BYTES {
            return Err(Fault::Malformed(format!("a line of more than {MAX_LINE_BYTES} bytes")));
        }
        let reply = serde_json::from_slice(&line);
        self.has_answered = reply.is_ok();
        reply.map_err(|error| Fault::Malformed(format!("a line that is no JSON object: {error}")))
    }
}

/// The command that makes a program speak the protocol.
fn spoken(command: &[OsString]) -> Result<Command, Fault> {
    let (program, arguments) = command.split_first().ok_or(Fault::Ended)?;
    let mut command = Command::new(program);
    command.args(arguments).arg(SPEAK).stdin(Stdio::piped()).stdout(Stdio::piped());
    Ok(command)
}

/// Starts a program, with its standard input and output.
fn spawn(command: &mut Command) -> io::Result<(Child, ChildStdin, BufReader<ChildStdout>)> {
    let mut child = command.spawn()?;
    let input = child.stdin.take().expect("standard input is a pipe");
    let output = child.stdout.take().expect("standard output is a pipe");
    Ok((child, input, BufReader::new(output)))
}

/// Writes each request and reads the line that answers it, until the process or this side ends.
fn talk(
    mut input: ChildStdin,
    mut output: BufReader<ChildStdout>,
    requests: &Receiver<String>,
    lines: &SyncSender<io::Result<Vec<u8>>>,
) {
    for request in requests {
        let mut line = Vec::new();
        let read = input
            .write_all(request.as_bytes())
            .and_then(|()| output.by_ref().take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut line));
        let has_ended = !matches!(read, Ok(bytes) if bytes > 0);
        if lines.send(read.map(|_| line)).is_err() || has_ended {
            return;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
