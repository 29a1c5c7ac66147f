//! Connections: how many there may be, how long they may idle, and how they end.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio_io_timeout::TimeoutStream;

use crate::budget::Holding;
use crate::metrics::Metrics;

/// The head of a request must come within this time, on a new connection and on one that is kept open.
const HEAD_TIME: Duration = Duration::from_secs(20);
/// A client that takes nothing of an answer for this time is given up.
const WRITE_TIME: Duration = Duration::from_secs(15);
/// The longest head of a request in bytes, its address included.
const HEAD_BYTES: usize = 1 << 16;
/// After an error of accepting, such as too many open files, the next attempt waits for this time.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);
/// From the signal to end, answers that are under way have this time.
const GRACE: Duration = Duration::from_secs(4);

/// The open connections.
struct Connections {
    most: usize,
    open: Mutex<HashMap<u64, Open>>,
    next: AtomicU64,
    began: Instant,
    metrics: Arc<Metrics>,
}

struct Open {
    task: AbortHandle,
    activity: Arc<Activity>,
}

/// What a connection is doing.
struct Activity {
    /// Requests whose answers are not sent yet.
    requests: AtomicUsize,
    /// When the last one came, in microseconds since the server began.
    last: AtomicU64,
}

/// Serves until `ending` says so, then lets what is under way finish.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    most: usize,
    metrics: Arc<Metrics>,
    mut ending: watch::Receiver<bool>,
) {
    let connections =
        Arc::new(Connections { most, open: Mutex::default(), next: AtomicU64::new(0), began: Instant::now(), metrics });
    loop {
        let stream = tokio::select! {
            _ = ending.wait_for(|ending| *ending) => break,
            accepted = listener.accept() => accepted,
        };
        match stream {
            Ok((stream, _)) => connections.admit(stream, app.clone(), ending.clone()),
            Err(error) => {
                if !is_of_one_connection(&error) {
                    connections.make_room();
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }
    drop(listener);
    let deadline = Instant::now() + GRACE;
    while !connections.lock().is_empty() && Instant::now() < deadline {
        tokio::time::sleep(ACCEPT_PAUSE).await;
    }
}

/// Whether an error of accepting says nothing about the next connection.
fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

impl Connections {
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> u64 {
        self.began.elapsed().as_micros() as u64
    }

    /// Starts to serve a connection; where there are too many, the one that has idled longest ends.
    fn admit(self: &Arc<Self>, stream: TcpStream, app: Router, ending: watch::Receiver<bool>) {
        if self.lock().len() >= self.most && !self.make_room() {
            return;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let activity = Arc::new(Activity { requests: AtomicUsize::new(0), last: AtomicU64::new(self.now()) });
        let connections = Arc::clone(self);
        let seen = Arc::clone(&activity);
        // The entry is made before the task can end and remove it.
        let mut open = self.lock();
        let task = tokio::spawn(async move {
            let _entry = Entry { number, connections: Arc::clone(&connections) };
            connect(stream, app, &connections, seen, ending).await;
        });
        open.insert(number, Open { task: task.abort_handle(), activity });
        self.metrics.connections.store(open.len() as u64, Ordering::Relaxed);
    }

    /// Ends the connection without a request that has idled longest; `false` if every one has a request.
    fn make_room(&self) -> bool {
        let mut open = self.lock();
        let idle = open.iter().filter(|(_, open)| open.activity.requests.load(Ordering::Relaxed) == 0);
        let oldest = idle.min_by_key(|(_, open)| open.activity.last.load(Ordering::Relaxed)).map(|(&number, _)| number);
        let Some(ended) = oldest.and_then(|number| open.remove(&number)) else { return false };
        ended.task.abort();
        self.metrics.evicted.fetch_add(1, Ordering::Relaxed);
        true
    }
}

/// An entry in the list of connections, removed when the connection ends for whatever reason.
struct Entry {
    number: u64,
    connections: Arc<Connections>,
}

impl Drop for Entry {
    fn drop(&mut self) {
        let mut open = self.connections.lock();
        open.remove(&self.number);
        self.connections.metrics.connections.store(open.len() as u64, Ordering::Relaxed);
    }
}

/// A request under way, until its answer is sent.
struct UnderWay(Arc<Activity>);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.requests.fetch_sub(1, Ordering::Relaxed);
    }
}

async fn connect(
    stream: TcpStream,
    app: Router,
    connections: &Connections,
    activity: Arc<Activity>,
    mut ending: watch::Receiver<bool>,
) {
    // Answers are written at once and should leave at once.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(WRITE_TIME));
    let stream = Box::pin(stream);
    let app = TowerToHyperService::new(app);
    let service = service_fn(|request: Request<Incoming>| {
        activity.requests.fetch_add(1, Ordering::Relaxed);
        activity.last.store(connections.now(), Ordering::Relaxed);
        let under_way = UnderWay(Arc::clone(&activity));
        let answer = hyper::service::Service::call(&app, request);
        async move {
            let response: Response<Body> = answer.await?;
            Ok::<_, Infallible>(response.map(|body| Holding::body(body, under_way)))
        }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(HEAD_BYTES);
    let connection = builder.serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = ending.wait_for(|ending| *ending) => connection.as_mut().graceful_shutdown(),
    }
    // What the client does wrong ends its own connection and nothing else.
    let _ = connection.await;
}
