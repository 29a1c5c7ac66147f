//! A fixed number of threads for work that takes longer than a lookup, with a bounded queue.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::{io, thread};

use tokio::sync::oneshot;

use crate::failure::Failure;

/// Work that checks regularly whether it was cancelled.
pub type Work<T> = Box<dyn FnOnce(&AtomicBool) -> T + Send>;

type Job = Box<dyn FnOnce() + Send>;

/// A thread pool.
pub struct Pool {
    name: &'static str,
    queue: SyncSender<Job>,
    waiting: Arc<AtomicUsize>,
    working: Arc<AtomicUsize>,
}

/// The load of a pool.
#[derive(Debug, Clone, Copy)]
pub struct Load {
    /// Number of jobs in the queue.
    pub waiting: usize,
    /// Number of running jobs.
    pub working: usize,
}

impl Pool {
    /// Starts the threads of a pool. At most `queue` jobs wait.
    pub fn start(name: &'static str, threads: usize, queue: usize) -> io::Result<Pool> {
        let (sender, receiver) = sync_channel(queue);
        let receiver = Arc::new(Mutex::new(receiver));
        let pool = Pool { name, queue: sender, waiting: Arc::default(), working: Arc::default() };
        for _ in 0..threads {
            let receiver = Arc::clone(&receiver);
            thread::Builder::new().name(name.to_owned()).spawn(move || {
                lower_priority();
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

    /// The current load.
    pub fn load(&self) -> Load {
        let read = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        Load { waiting: read(&self.waiting), working: read(&self.working) }
    }

    /// Queues the work. Dropping the ticket cancels it.
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
            // Fails if the client is gone, which is fine.
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

/// The next job, or `None` if the pool is gone.
fn next(queue: &Mutex<Receiver<Job>>) -> Option<Job> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// Gives lookups a higher priority than this thread.
fn lower_priority() {
    // A failure only means that the priority stays the same.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 15);
}

/// The future result of a job.
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
