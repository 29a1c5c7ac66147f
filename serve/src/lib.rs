//! `tabletop serve`: the page and the HTTP API.
//!
//! A lookup is answered at once. Longer work waits in a bounded queue for one of a few threads. Memory, connections and
//! times are limited, so that one client cannot block the others, and clients take turns in a queue.

mod app;
mod budget;
mod cache;
mod client;
mod endpoints;
mod failure;
mod games;
mod host;
mod listen;
mod metrics;
mod openapi;
mod page;
mod pool;
mod router;
mod stream;
mod tables;
mod traffic;
mod write_limit;

use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use axum::http::HeaderValue;
use clap::{CommandFactory, Parser};
use tabletop::door::{Failure, show};
use tabletop::game::{ProgramGame, TestGame, TextGame, become_program, games};
use tabletop::table::Places;
use tabletop::text::visible_path;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::watch;

use app::{App, Pools};
use budget::Budget;
use cache::Cache;
use host::HostName;
use metrics::Metrics;
use pool::Pool;
use tables::Listing;
use traffic::Traffic;

/// Memory for requests and answers in progress, in bytes.
const BUDGET_BYTES: usize = 128 << 20;
/// Memory for cached answers, in bytes.
const CACHE_BYTES: usize = 64 << 20;
/// Threads that wait for the answers of each game program.
const PROGRAM_THREADS: usize = 4;
/// Length of the queue of connections that are not accepted yet.
const WAITING_CONNECTIONS: u32 = 4096;
/// Number of open files reserved for everything but connections.
const OTHER_FILES: u64 = 64;
/// The process ends at most this long after SIGTERM or SIGINT.
const SHUTDOWN_LIMIT: Duration = Duration::from_millis(4500);

/// The name in messages.
const PROGRAM: &str = "tabletop-serve";

/// The page and the HTTP API of tabletop
#[derive(Parser)]
#[command(
    name = "tabletop serve",
    version,
    max_term_width = 80,
    after_help = "\
Examples:
  tabletop serve
  tabletop serve --bind 0.0.0.0:8080 --allow-host games.example.org
  tabletop serve --game ./my_game"
)]
struct Arguments {
    /// Where to listen; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8017")]
    bind: SocketAddr,
    /// The directory of the tables [default: as for tabletop]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// A program that is a game, beside our own games; repeatable
    #[arg(long, value_name = "PROGRAM")]
    game: Vec<PathBuf>,
    /// Lets pages of this origin use the API from a browser; * for all
    #[arg(long, value_name = "ORIGIN")]
    cors: Vec<HeaderValue>,
    /// Threads for what costs more than a lookup [default: one fewer than processors, at most 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    workers: Option<u16>,
    /// Long questions that may wait for a thread
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=1024))]
    queue: u16,
    /// Connections that may be open; the one that has idled longest makes room
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u16).range(16..))]
    connections: u16,
    /// Connections that may be open from one address; raise it behind a proxy
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u16).range(1..))]
    per_address: u16,
    /// A name that the server answers to, besides localhost and addresses; * for all
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<HostName>,
    /// Knows clients by the last address in X-Forwarded-For, where only a proxy can reach the server
    #[arg(long)]
    trust_forwarded: bool,
}

/// The whole command line.
pub fn command_line() -> clap::Command {
    Arguments::command().name(PROGRAM)
}

/// Runs the server with the arguments of this process.
pub fn main() -> ExitCode {
    if let Some(code) = become_program() {
        return code;
    }
    let outcome = match Arguments::try_parse() {
        Ok(arguments) => run(arguments).map(|()| ExitCode::SUCCESS),
        Err(message) => show(&message),
    };
    outcome.unwrap_or_else(|failure| failure.report(PROGRAM))
}

/// Our games, and those of `programs`.
fn open_games(places: &Places, programs: &[PathBuf]) -> Result<Vec<Arc<dyn TestGame>>, Failure> {
    let mut games = games(places);
    for program in programs {
        // The directory of the tables is that of our games.
        let game = ProgramGame::open_guarded(program, None)?;
        let name = game.profile().name;
        if router::is_own(name) {
            let program = visible_path(program);
            let message = format!("{program}: the server has a page /{name} or /api/{name} itself, rename the game");
            return Err(Failure::Usage(message));
        }
        if games.iter().any(|other| other.profile().name == name) {
            return Err(Failure::Usage(format!("two games are called {name}, give one of them another name")));
        }
        games.push(Arc::new(game));
    }
    Ok(games)
}

fn run(arguments: Arguments) -> Result<(), Failure> {
    let places = arguments.tables.as_ref().map_or_else(Places::from_environment, Places::only).in_memory();
    let spare = thread::available_parallelism().map_or(1, |all| all.get().saturating_sub(1));
    let workers = arguments.workers.map_or(spare.clamp(1, 4), usize::from);
    let queue = usize::from(arguments.queue);
    let traffic = Arc::new(Traffic::default());
    let games = open_games(&places, &arguments.game)?;
    let endpoints = endpoints::all(&games);
    let metrics = Arc::new(Metrics::new(endpoints.iter().map(|endpoint| endpoint.path.clone())));
    let app = Arc::new(App {
        games,
        places,
        listing: Listing::default(),
        pools: Pools {
            search: Pool::start("search", workers, queue)?,
            deep: Pool::start("deep", 1, queue)?,
            large: Pool::start("large", 1, queue)?,
            play: Pool::start("play", workers, queue)?,
            programs: Pool::start("programs", PROGRAM_THREADS * arguments.game.len().max(1), queue)?,
        },
        budget: Budget::new(BUDGET_BYTES),
        cache: Cache::new(CACHE_BYTES),
        metrics: Arc::clone(&metrics),
        traffic,
        hosts: arguments.allow_host,
    });
    let router = router::router(Arc::clone(&app), endpoints, &arguments.cors);
    let limits = listen::Limits {
        connections: connection_limit(u64::from(arguments.connections)),
        per_address: usize::from(arguments.per_address),
        trusts_forwarded: arguments.trust_forwarded,
    };
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async move {
        let listener = listen(arguments.bind).map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}, name another address with --bind", arguments.bind))
        })?;
        // Prints the address. The server runs even if standard output is closed.
        let _ = writeln!(io::stdout(), "http://{}/", listener.local_addr()?);
        let (end, ending) = watch::channel(false);
        let ended = Arc::clone(&app);
        tokio::spawn(async move {
            wait_for_signal().await;
            let _ = end.send(true);
            // The time limit or a second signal ends the process, even if requests are still running.
            tokio::select! {
                () = tokio::time::sleep(SHUTDOWN_LIMIT) => {}
                () = wait_for_signal() => {}
            }
            exit(&ended);
        });
        listen::serve(listener, router, limits, metrics, ending).await;
        // Does not wait for searches that still run.
        exit(&app)
    })
}

/// Kills the game programs and ends the process.
fn exit(app: &App) -> ! {
    for game in &app.games {
        game.stop();
    }
    std::process::exit(0)
}

/// Listens with a long queue, so that clients need not retry during a burst of connections.
fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // Allows a restart on the same address right after the server has ended.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(WAITING_CONNECTIONS)
}

/// The wanted number of connections, or fewer if the limit on open files is lower. Raises that limit if possible.
fn connection_limit(wanted: u64) -> usize {
    #[cfg(unix)]
    let wanted = {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        let needed = wanted + OTHER_FILES;
        let allowed = maximum.map_or(needed, |maximum| maximum.min(needed));
        if getrlimit(Resource::Nofile).current.is_some_and(|current| current < allowed) {
            // If this fails, the lower limit is used below.
            let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(allowed), maximum });
        }
        let files = getrlimit(Resource::Nofile).current.unwrap_or(needed);
        wanted.min(files.saturating_sub(OTHER_FILES)).max(1)
    };
    wanted as usize
}

/// Waits for SIGTERM or SIGINT.
async fn wait_for_signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let (Ok(mut terminate), Ok(mut interrupt)) = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
        else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    }
    #[cfg(not(unix))]
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
