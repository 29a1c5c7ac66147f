//! A fixed number of threads for work that takes longer than a lookup, with a bounded queue.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::{io, thread};

use tokio::sync::oneshot;

use crate::failure::Failure;

/// Work that checks regularly whether it was cancelled.
pub type Work<T> = Box<dyn FnOnce(&AtomicBool) -> T + Send>;

type Job = Box<dyn FnOnce() + Send>;

/// Why a job that was queued does not run.
const ENDING: &str = "the server is ending";

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

    /// Queues the work. Dropping the ticket cancels it. Work that panics fails, and its thread takes the next job.
    pub fn submit<T: Send + 'static>(&self, work: Work<T>) -> Result<Ticket<T>, Failure> {
        let (sender, result) = oneshot::channel();
        let cancelled = Arc::new(AtomicBool::new(false));
        let (waiting, working) = (Counted::one(&self.waiting), Arc::clone(&self.working));
        let seen = Arc::clone(&cancelled);
        let job = move || {
            drop(waiting);
            if sender.is_closed() {
                return;
            }
            let running = Counted::one(&working);
            // What the work has changed is dropped with it, so no one sees a half-changed state.
            let done = catch_unwind(AssertUnwindSafe(|| work(&seen)));
            drop(running);
            // Fails if the client is gone, which is fine.
            let _ = sender.send(done.map_err(|_| Failure::defect()));
        };
        self.queue.try_send(Box::new(job)).map_err(|error| match error {
            TrySendError::Full(_) => Failure::busy("too many long questions are waiting"),
            TrySendError::Disconnected(_) => Failure::busy(ENDING),
        })?;
        Ok(Ticket { result, cancelled })
    }
}

/// Counts a job until it is dropped.
struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn one(counter: &Arc<AtomicUsize>) -> Counted {
        counter.fetch_add(1, Ordering::Relaxed);
        Counted(Arc::clone(counter))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The next job, or `None` if the pool is gone.
fn next(queue: &Mutex<Receiver<Job>>) -> Option<Job> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// Lets this thread run only while a processor has nothing else to do.
fn lower_priority() {
    // A failure only means that the priority stays the same.
    #[cfg(target_os = "linux")]
    {
        use thread_priority::unix::{NormalThreadSchedulePolicy, ThreadSchedulePolicy};
        use thread_priority::{ThreadPriority, thread_native_id, unix::set_thread_priority_and_policy};
        let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
        let _ = set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, idle);
    }
}

/// The future result of a job.
pub struct Ticket<T> {
    result: oneshot::Receiver<Result<T, Failure>>,
    cancelled: Arc<AtomicBool>,
}

impl<T> Future for Ticket<T> {
    type Output = Result<T, Failure>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<T, Failure>> {
        Pin::new(&mut self.result).poll(context).map(|result| result.unwrap_or_else(|_| Err(Failure::busy(ENDING))))
    }
}

impl<T> Drop for Ticket<T> {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;
    use axum::response::IntoResponse;

    use super::*;

    #[tokio::test]
    async fn work_that_panics_fails_and_the_pool_goes_on() {
        let pool = Pool::start("test", 1, 4).unwrap();
        let failing = pool.submit::<u8>(Box::new(|_| panic!("a defect, for the test"))).unwrap();
        let failure = failing.await.unwrap_err();
        assert_eq!(failure.into_response().status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(pool.submit(Box::new(|_| 7)).unwrap().await.unwrap(), 7);
        let Load { waiting, working } = pool.load();
        assert_eq!((waiting, working), (0, 0));
    }

    #[tokio::test]
    async fn refused_work_is_not_counted() {
        let pool = Pool::start("test", 1, 1).unwrap();
        let (release, held) = sync_channel::<()>(0);
        let first = pool.submit(Box::new(move |_| held.recv().is_err())).unwrap();
        while pool.load().working == 0 {
            tokio::task::yield_now().await;
        }
        let second = pool.submit(Box::new(|_| true)).unwrap();
        assert!(pool.submit(Box::new(|_| true)).is_err());
        assert_eq!(pool.load().waiting, 1);
        drop(release);
        assert!(first.await.unwrap() && second.await.unwrap());
    }
}
