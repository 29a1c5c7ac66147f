//! Threads for what costs more than a lookup: a fixed number, with a bounded queue before them.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::{io, thread};

use tokio::sync::oneshot;

use crate::failure::Failure;

/// Work that looks now and then whether it is still wanted.
pub type Work<T> = Box<dyn FnOnce(&AtomicBool) -> T + Send>;

type Job = Box<dyn FnOnce() + Send>;

/// A number of threads that do one job after another.
pub struct Pool {
    name: &'static str,
    queue: SyncSender<Job>,
    waiting: Arc<AtomicUsize>,
    working: Arc<AtomicUsize>,
}

/// How much a pool has to do.
#[derive(Debug, Clone, Copy)]
pub struct Load {
    /// Jobs in the queue.
    pub waiting: usize,
    /// Jobs under way.
    pub working: usize,
}

impl Pool {
    /// Starts the threads of a pool. Up to `queue` jobs wait for one of them.
    pub fn start(name: &'static str, threads: usize, queue: usize) -> io::Result<Pool> {
        let (sender, receiver) = sync_channel(queue);
        let receiver = Arc::new(Mutex::new(receiver));
        let pool = Pool { name, queue: sender, waiting: Arc::default(), working: Arc::default() };
        for _ in 0..threads {
            let receiver = Arc::clone(&receiver);
            thread::Builder::new().name(name.to_owned()).spawn(move || {
                yield_to_lookups();
                while let Some(job) = next(&receiver) {
                    job();
                }
            })?;
        }
        Ok(pool)
    }

    /// The name of the pool.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// How much the pool has to do.
    pub fn load(&self) -> Load {
        let read = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        Load { waiting: read(&self.waiting), working: read(&self.working) }
    }

    /// Does the work when its turn comes. Who drops the ticket cancels it.
    pub fn submit<T: Send + 'static>(&self, work: Work<T>) -> Result<Ticket<T>, Failure> {
        let (sender, result) = oneshot::channel();
        let cancelled = Arc::new(AtomicBool::new(false));
        let (waiting, working) = (Arc::clone(&self.waiting), Arc::clone(&self.working));
        let seen = Arc::clone(&cancelled);
        let job = move || {
            waiting.fetch_sub(1, Ordering::Relaxed);
            if sender.is_closed() {
                return;
            }
            working.fetch_add(1, Ordering::Relaxed);
            let done = work(&seen);
            working.fetch_sub(1, Ordering::Relaxed);
            // Nobody may be there any more, which is all right.
            let _ = sender.send(done);
        };
        self.waiting.fetch_add(1, Ordering::Relaxed);
        self.queue.try_send(Box::new(job)).map_err(|error| {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            match error {
                TrySendError::Full(_) => Failure::busy("too many long questions are waiting"),
                TrySendError::Disconnected(_) => Failure::busy("the server is ending"),
            }
        })?;
        Ok(Ticket { result, cancelled })
    }
}

/// The next job; `None` when no more can come.
fn next(queue: &Mutex<Receiver<Job>>) -> Option<Job> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// Lets lookups go first where there are not enough processors for both.
fn yield_to_lookups() {
    // Where the priority cannot be set the work is done all the same.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 15);
}

/// A job's result to come.
pub struct Ticket<T> {
    result: oneshot::Receiver<T>,
    cancelled: Arc<AtomicBool>,
}

impl<T> Ticket<T> {
    /// Waits for the result.
    pub async fn wait(mut self) -> Result<T, Failure> {
        (&mut self.result).await.map_err(|_| Failure::busy("the server is ending"))
    }
}

impl<T> Drop for Ticket<T> {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}
