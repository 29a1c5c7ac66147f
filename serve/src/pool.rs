//! A fixed number of threads for work that takes longer than a lookup, with a bounded queue in which clients take turns.
//!
//! The next job is one of the client with the fewest running jobs, and among those of the client that has waited longest
//! since its last turn. So no client waits for all jobs of another, and none waits forever. If the queue is full, the
//! client with the most waiting jobs loses its newest one to a client with fewer.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::{io, thread};

use tokio::sync::oneshot;

use crate::client::Client;
use crate::failure::Failure;

/// Work that checks regularly whether it was cancelled.
pub type Work<T> = Box<dyn FnOnce(&AtomicBool) -> T + Send>;

/// A thread pool. Its threads run until the process ends.
pub struct Pool {
    name: &'static str,
    shared: Arc<Shared>,
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
        let queue = Mutex::new(Queue { most: queue, clients: Vec::new() });
        let shared = Arc::new(Shared { queue, arrived: Condvar::new() });
        for _ in 0..threads {
            let shared = Arc::clone(&shared);
            thread::Builder::new().name(name.to_owned()).spawn(move || {
                lower_priority();
                loop {
                    let (job, turn) = shared.next();
                    (job.run)(turn);
                }
            })?;
        }
        Ok(Pool { name, shared })
    }

    /// The name of the pool.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The current load.
    pub fn load(&self) -> Load {
        let queue = self.shared.lock();
        Load { waiting: queue.waiting(), working: queue.clients.iter().map(|line| line.running).sum() }
    }

    /// Queues the work for the client of the current request. Dropping the ticket cancels it. Work that panics fails, and
    /// its thread takes the next job.
    pub fn submit<T: Send + 'static>(&self, work: Work<T>) -> Result<Ticket<T>, Failure> {
        let (sender, result) = oneshot::channel();
        let cancelled = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&cancelled);
        let run = move |turn: Turn| {
            // What the work has changed is dropped with it, so no one sees a half-changed state.
            let done = catch_unwind(AssertUnwindSafe(|| work(&seen)));
            drop(turn);
            // Fails if the client is gone, which is fine.
            let _ = sender.send(done.map_err(|_| Failure::defect()));
        };
        let job = Job { run: Box::new(run), cancelled: Arc::clone(&cancelled) };
        self.shared.lock().push(Client::current(), job)?;
        self.shared.arrived.notify_one();
        Ok(Ticket { result, cancelled })
    }
}

struct Job {
    run: Box<dyn FnOnce(Turn) + Send>,
    cancelled: Arc<AtomicBool>,
}

struct Shared {
    queue: Mutex<Queue>,
    /// Is notified of every new job.
    arrived: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next job.
    fn next(self: &Arc<Self>) -> (Job, Turn) {
        let mut queue = self.lock();
        loop {
            if let Some((client, job)) = queue.pop() {
                return (job, Turn { client, shared: Arc::clone(self) });
            }
            queue = self.arrived.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A running job of a client. Dropping it ends the turn.
struct Turn {
    client: Client,
    shared: Arc<Shared>,
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.shared.lock().end_turn(self.client);
    }
}

/// The jobs of a client.
struct Line {
    client: Client,
    running: usize,
    /// The jobs that wait, oldest first.
    waiting: VecDeque<Job>,
}

struct Queue {
    /// At most this many jobs wait.
    most: usize,
    /// The clients with jobs. The one whose last turn ended longest ago is first.
    clients: Vec<Line>,
}

impl Queue {
    fn waiting(&self) -> usize {
        self.clients.iter().map(|line| line.waiting.len()).sum()
    }

    /// Removes the jobs whose clients are gone.
    fn forget_cancelled(&mut self) {
        for line in &mut self.clients {
            line.waiting.retain(|job| !job.cancelled.load(Ordering::Relaxed));
        }
        self.clients.retain(|line| line.running > 0 || !line.waiting.is_empty());
    }

    /// Adds a job, or refuses it if the queue is full and no client has more waiting jobs than this one would have.
    fn push(&mut self, client: Client, job: Job) -> Result<(), Failure> {
        self.forget_cancelled();
        let own = self.clients.iter().position(|line| line.client == client).unwrap_or_else(|| {
            self.clients.push(Line { client, running: 0, waiting: VecDeque::new() });
            self.clients.len() - 1
        });
        if self.waiting() >= self.most {
            let would_have = self.clients[own].waiting.len() + 1;
            let longest = self.clients.iter_mut().max_by_key(|line| line.waiting.len());
            let Some(longest) = longest.filter(|line| line.waiting.len() > would_have) else {
                return Err(Failure::busy("too many long questions are waiting"));
            };
            // Dropping the job fails its ticket.
            longest.waiting.pop_back();
        }
        self.clients[own].waiting.push_back(job);
        Ok(())
    }

    /// Takes the next job and begins its turn.
    fn pop(&mut self) -> Option<(Client, Job)> {
        self.forget_cancelled();
        let with_jobs = self.clients.iter_mut().filter(|line| !line.waiting.is_empty());
        // Of several, this is the first.
        let line = with_jobs.min_by_key(|line| line.running)?;
        line.running += 1;
        Some((line.client, line.waiting.pop_front()?))
    }

    /// Ends a turn of a client, who now comes after all others.
    fn end_turn(&mut self, client: Client) {
        if let Some(place) = self.clients.iter().position(|line| line.client == client) {
            let mut line = self.clients.remove(place);
            line.running -= 1;
            self.clients.push(line);
        }
    }
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
        let lost = |_| Err(Failure::busy("too many long questions of this address are waiting"));
        Pin::new(&mut self.result).poll(context).map(|result| result.unwrap_or_else(lost))
    }
}

impl<T> Drop for Ticket<T> {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, SyncSender, channel, sync_channel};

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

    /// A pool with one thread, which is busy with a job of client 1 until the sender is dropped.
    async fn busy_pool(queue: usize) -> (Pool, SyncSender<()>, Ticket<bool>) {
        let pool = Pool::start("test", 1, queue).unwrap();
        let (release, held) = sync_channel::<()>(0);
        let running = client(1).scope(async { pool.submit(Box::new(move |_| held.recv().is_err())) }).await.unwrap();
        while pool.load().working == 0 {
            tokio::task::yield_now().await;
        }
        (pool, release, running)
    }

    fn client(number: u8) -> Client {
        Client::at([192, 0, 2, number].into())
    }

    /// Queues a job of a client that reports the client's number.
    async fn submit(pool: &Pool, number: u8, report: &Sender<u8>) -> Result<Ticket<()>, Failure> {
        let report = report.clone();
        client(number).scope(async { pool.submit(Box::new(move |_| report.send(number).unwrap())) }).await
    }

    #[tokio::test]
    async fn refused_and_cancelled_work_is_not_counted() {
        let (pool, release, running) = busy_pool(1).await;
        let (report, _reports) = channel();
        let second = submit(&pool, 1, &report).await.unwrap();
        assert!(submit(&pool, 1, &report).await.is_err());
        assert!(submit(&pool, 2, &report).await.is_err(), "each has one at most");
        assert_eq!(pool.load().waiting, 1);
        drop(second);
        let third = submit(&pool, 2, &report).await.unwrap();
        assert_eq!(pool.load().waiting, 1);
        drop(release);
        assert!(running.await.unwrap());
        third.await.unwrap();
    }

    #[tokio::test]
    async fn clients_take_turns() {
        let (pool, release, _running) = busy_pool(16).await;
        let (report, reports) = channel();
        let mut tickets = Vec::new();
        for number in [1, 1, 1, 2, 2, 3] {
            tickets.push(submit(&pool, number, &report).await.unwrap());
        }
        drop(release);
        for ticket in tickets {
            ticket.await.unwrap();
        }
        drop(report);
        assert_eq!(reports.into_iter().collect::<Vec<_>>(), [2, 3, 1, 2, 1, 1]);
    }

    #[tokio::test]
    async fn who_fills_the_queue_loses_only_own_jobs() {
        let (pool, release, _running) = busy_pool(4).await;
        let (report, reports) = channel();
        let mut first = Vec::new();
        for _ in 0..4 {
            first.push(submit(&pool, 1, &report).await.unwrap());
        }
        let mut second = Vec::new();
        for _ in 0..2 {
            second.push(submit(&pool, 2, &report).await.unwrap());
        }
        assert!(submit(&pool, 2, &report).await.is_err(), "both have two");
        for lost in first.split_off(2) {
            assert_eq!(lost.await.unwrap_err().into_response().status(), StatusCode::SERVICE_UNAVAILABLE);
        }
        drop(release);
        for ticket in first.into_iter().chain(second) {
            ticket.await.unwrap();
        }
        drop(report);
        assert_eq!(reports.into_iter().collect::<Vec<_>>(), [2, 1, 2, 1]);
    }
}
