//! The processes of a game program: a line of JSON in, a line of JSON out, within a time limit.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Fields;
use crate::table::Places;

/// The argument that makes a program speak the protocol.
pub(crate) const SPEAK: &str = "speak";
/// The longest line of a program, in bytes.
const MAX_LINE_BYTES: u64 = 1 << 22;
/// The time that a program has for a line.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// The time that it has after [`Processes::stop`].
const LAST_TIME: Duration = Duration::from_secs(1);
/// Maximum number of processes of one program.
const MAX_PROCESSES: usize = 4;

/// Why a program has not answered. The text names the fault, without the program.
#[derive(Debug)]
pub(super) enum Fault {
    /// The program cannot be started.
    Unstartable(io::Error),
    /// It ended, or closed its output, without an answer.
    Ended,
    /// It did not answer within this time.
    Late(Duration),
    /// The question was given up.
    Stopped,
    /// Its line is not what the protocol says.
    Malformed(String),
}

impl Fault {
    /// What is wrong.
    pub(super) fn reason(&self) -> String {
        match self {
            Fault::Unstartable(error) => format!("cannot be started: {error}"),
            Fault::Ended => String::from("ended without an answer"),
            Fault::Late(limit) => format!("has not answered within {} seconds", limit.as_secs()),
            Fault::Stopped => String::from("was stopped"),
            Fault::Malformed(what) => format!("does not speak the protocol: {what}"),
        }
    }
}

/// The processes of one program. They are started when they are needed, and killed when this is dropped.
pub(super) struct Processes {
    command: Vec<OsString>,
    tables: Option<PathBuf>,
    state: Mutex<State>,
    returned: Condvar,
}

#[derive(Default)]
struct State {
    idle: Vec<Process>,
    busy: Vec<Busy>,
    /// Number of processes that were ever started.
    started: u64,
    is_stopped: bool,
}

/// A process with a question under way.
struct Busy {
    number: u64,
    /// Ends the wait for its line.
    lines: SyncSender<Line>,
}

impl State {
    fn time_limit(&self) -> Duration {
        if self.is_stopped { LAST_TIME } else { TIME_LIMIT }
    }
}

impl Processes {
    /// Processes of this command: a program and its first arguments. They look for tables in `tables`, if it is given.
    pub(super) fn new(command: Vec<OsString>, tables: Option<PathBuf>) -> Processes {
        Processes { command, tables, state: Mutex::default(), returned: Condvar::new() }
    }

    /// An idle process, or a new one if there are not too many, and the time that it has for a line.
    fn take(&self) -> Result<(Process, Duration), Fault> {
        let began = Instant::now();
        let mut state = self.lock();
        loop {
            let limit = state.time_limit();
            if state.busy.len() < MAX_PROCESSES {
                let process = match state.idle.pop() {
                    Some(process) => process,
                    None => Process::start(self.spoken()?, state.started)?,
                };
                state.started = state.started.max(process.number + 1);
                state.busy.push(Busy { number: process.number, lines: process.stop.clone() });
                return Ok((process, limit));
            }
            let left = limit.saturating_sub(began.elapsed());
            if left.is_zero() {
                return Err(Fault::Late(limit));
            }
            state = self.returned.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The command that makes the program speak the protocol.
    fn spoken(&self) -> Result<Command, Fault> {
        let (program, arguments) = self.command.split_first().ok_or(Fault::Ended)?;
        let mut command = Command::new(program);
        command.args(arguments).arg(SPEAK).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.envs(self.tables.iter().map(|tables| (Places::VARIABLE, tables)));
        Ok(command)
    }

    /// Takes back a process that can be asked again, or notes the end of one that cannot.
    fn put_back(&self, number: u64, process: Option<Process>) {
        let mut state = self.lock();
        state.busy.retain(|busy| busy.number != number);
        if !state.is_stopped {
            state.idle.extend(process);
        }
        self.returned.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The reply to a request. If a process has ended since its last reply, another one is asked.
    pub(super) fn ask(&self, request: &Value) -> Result<Fields, Fault> {
        loop {
            let (mut process, limit) = self.take()?;
            let (number, has_answered) = (process.number, process.has_answered);
            let reply = process.ask(request, limit);
            // A process that has broken the protocol may still owe a line: it is killed.
            self.put_back(number, reply.is_ok().then_some(process));
            if !(has_answered && matches!(reply, Err(Fault::Ended))) {
                return reply;
            }
        }
    }

    /// Ends the requests under way, and waits until the processes are killed.
    pub(super) fn stop(&self) {
        let mut state = self.lock();
        state.is_stopped = true;
        state.idle.clear();
        for busy in &state.busy {
            // If there is a line already, the wait is over.
            let _ = busy.lines.try_send(Err(Fault::Stopped));
        }
        let _ = self.returned.wait_timeout_while(state, LAST_TIME, |state| !state.busy.is_empty());
    }
}

/// A process that speaks the protocol. Its standard input closes with this program, so that it ends too.
struct Process {
    number: u64,
    child: Child,
    requests: SyncSender<String>,
    lines: Receiver<Line>,
    /// The other end of `lines`, for a wait that is given up.
    stop: SyncSender<Line>,
    has_answered: bool,
}

/// A line of a program, or why there is none.
type Line = Result<Vec<u8>, Fault>;

impl Process {
    fn start(mut command: Command, number: u64) -> Result<Process, Fault> {
        let (requests, next_request) = sync_channel(1);
        let (next_line, lines) = sync_channel(1);
        let (started, child) = sync_channel(1);
        let stop = next_line.clone();
        // A clock cannot end a write or a read, so another thread does both. It also starts the program: the kernel kills
        // a guarded program with the thread that started it, and no program is left behind if there can be no thread.
        let work = move || match spawn(&mut command) {
            Err(error) => drop(started.send(Err(error))),
            Ok((child, input, output)) => {
                drop(started.send(Ok(child)));
                talk(input, output, &next_request, &next_line);
            }
        };
        thread::Builder::new().spawn(work).map_err(Fault::Unstartable)?;
        let child = child.recv().map_err(|_| Fault::Ended)?.map_err(Fault::Unstartable)?;
        Ok(Process { number, child, requests, lines, stop, has_answered: false })
    }

    fn ask(&mut self, request: &Value, limit: Duration) -> Result<Fields, Fault> {
        self.requests.send(format!("{request}\n")).map_err(|_| Fault::Ended)?;
        // Not disconnected: this side has a sender too.
        let line = self.lines.recv_timeout(limit).unwrap_or(Err(Fault::Late(limit)))?;
        if line.len() as u64 > MAX_LINE_BYTES {
            return Err(Fault::Malformed(format!("a line of more than {MAX_LINE_BYTES} bytes")));
        }
        let reply = serde_json::from_slice(&line);
        self.has_answered = reply.is_ok();
        reply.map_err(|error| Fault::Malformed(format!("a line that is no JSON object: {error}")))
    }
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
    lines: &SyncSender<Line>,
) {
    for request in requests {
        let mut line = Vec::new();
        let read = input
            .write_all(request.as_bytes())
            .and_then(|()| output.by_ref().take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut line));
        let has_ended = !matches!(read, Ok(bytes) if bytes > 0);
        if lines.send(if has_ended { Err(Fault::Ended) } else { Ok(line) }).is_err() || has_ended {
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
