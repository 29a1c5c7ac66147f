//! The requests of the HTTP API, answered without a server.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use tabletop::clock::Instant;
use tabletop::game::call::{CallRequest, Cause, Outcome, Parameters, Refusal};
use tabletop::game::{Error, Progress, Role, Run, TestGame, TextGame};
use tabletop::kit::{Rules, Solved};
use tabletop::request::{self, Question, TIME_LIMIT};
use tabletop::table::Places;
use tabletop::text::to_json;

use crate::store::{Range, Store};

/// A request: its address below `/api/`, a line feed, then its body.
struct Request<'a> {
    path: &'a str,
    parameters: Parameters,
    body: &'a [u8],
}

impl<'a> Request<'a> {
    fn read(request: &'a [u8]) -> Result<Request<'a>, Refusal> {
        let end = request.iter().position(|&byte| byte == b'\n').unwrap_or(request.len());
        let (head, body) = (&request[..end], request.get(end + 1..).unwrap_or_default());
        let head = str::from_utf8(head).map_err(|_| Refusal::request("the address is not UTF-8", "send it again"))?;
        let (path, query) = head.split_once('?').unwrap_or((head, ""));
        Ok(Request {
            path,
            parameters: Parameters(form_urlencoded::parse(query.as_bytes()).into_owned().collect()),
            body,
        })
    }

    /// The judge's input: a parameter, or the body.
    fn input(&self) -> Result<&[u8], Refusal> {
        if self.body.is_empty() { self.parameters.text("input").map(str::as_bytes) } else { Ok(self.body) }
    }
}

/// What a request leads to.
#[derive(Debug)]
pub enum Reply {
    /// The answer as JSON.
    Answer(Vec<u8>),
    /// The refusal as JSON.
    Refusal(Vec<u8>),
    /// These bytes are needed first: put them into the store, then ask again.
    Needs(Vec<Range>),
}

/// Opens a game with its tables in these places.
type Open = Box<dyn Fn(&Places) -> Result<Arc<dyn TestGame>, Error> + Send + Sync>;

/// A game of a site. It is opened when it is first asked for.
pub struct Entry {
    name: String,
    open: Open,
    opened: OnceLock<Arc<dyn TestGame>>,
}

impl Entry {
    /// A game of the kit.
    pub fn solved<R: Rules + Send + 'static>(rules: fn() -> R) -> Entry {
        let open =
            move |places: &Places| -> Result<Arc<dyn TestGame>, Error> { Ok(Arc::new(Solved::open(rules(), places)?)) };
        Entry { name: rules().name().to_owned(), open: Box::new(open), opened: OnceLock::new() }
    }

    fn game(&self, places: &Places) -> Result<&Arc<dyn TestGame>, Error> {
        if let Some(game) = self.opened.get() {
            return Ok(game);
        }
        let game = (self.open)(places)?;
        Ok(self.opened.get_or_init(|| game))
    }
}

impl From<Arc<dyn TestGame>> for Entry {
    fn from(game: Arc<dyn TestGame>) -> Entry {
        let name = game.profile().name.to_owned();
        let open = {
            let game = Arc::clone(&game);
            move |_: &Places| Ok(Arc::clone(&game))
        };
        Entry { name, open: Box::new(open), opened: OnceLock::from(game) }
    }
}

/// Nothing sets it: a search that is no longer wanted ends with its worker.
static RUNS: AtomicBool = AtomicBool::new(false);

/// Lists the tables.
pub(crate) type List = Box<dyn Fn() -> Vec<u8> + Send + Sync>;

/// Games, with the tables that have arrived.
pub struct Site {
    /// The bytes of the tables.
    pub store: Arc<Store>,
    places: Places,
    games: Vec<Entry>,
    list: Option<List>,
}

impl Site {
    /// A site of these games, whose tables will arrive in the store.
    pub fn new(store: Store, games: Vec<Entry>) -> Site {
        let store = Arc::new(store);
        let places = Places::ranges("tables", Arc::clone(&store) as _);
        Site { store, places, games, list: None }
    }

    /// Where the tables arrive.
    pub(crate) fn places(&self) -> &Places {
        &self.places
    }

    /// The site with these games and a list of their tables.
    pub(crate) fn with(self, games: Vec<Entry>, list: List) -> Site {
        Site { games, list: Some(list), ..self }
    }
}

impl Site {
    /// Answers a request. `progress` gets JSON objects before the answer.
    pub fn ask(&self, request: &[u8], progress: &(dyn Fn(&[u8]) + Sync)) -> Reply {
        let asked = Instant::now();
        self.store.take_needed();
        match Request::read(request).and_then(|request| self.answer(&request, asked, progress)) {
            Ok(answer) => Reply::Answer(answer),
            Err(refusal) => self.refuse(refusal),
        }
    }

    fn refuse(&self, mut refusal: Refusal) -> Reply {
        let needed = self.store.take_needed();
        if !needed.is_empty() {
            return Reply::Needs(needed);
        }
        if let Cause::Table(error) = &refusal.cause {
            self.store.forget(&error.spec().file_name());
            refusal.remedy = String::from("load the page again");
        }
        Reply::Refusal(refusal.to_json())
    }

    fn answer(&self, request: &Request<'_>, asked: Instant, progress: &(dyn Fn(&[u8]) + Sync)) -> Outcome {
        let (name, rest) = request.path.split_once('/').unwrap_or((request.path, ""));
        let unknown = || Refusal::request("nothing is here", "see /docs/serve.md for what is");
        if let (Some(list), "tables", "") = (&self.list, name, rest) {
            return Ok(list());
        }
        let entry = self.games.iter().find(|entry| entry.name == name).ok_or_else(unknown)?;
        let game = entry.game(&self.places)?;
        let calls = game.calls();
        if !calls.is_empty() {
            let body = (!request.body.is_empty()).then_some(request.body);
            calls.iter().find(|call| call.name == rest).ok_or_else(unknown)?;
            let request = CallRequest { name: rest, parameters: &request.parameters, body, cancelled: &RUNS };
            return game.call(request, progress);
        }
        let text = &(Arc::clone(game) as Arc<dyn TextGame>);
        let watch = |step: Progress| progress(&to_json(&step));
        let run = Run {
            threads: NonZeroUsize::MIN,
            watch: &watch,
            patience: TIME_LIMIT,
            deadline: asked.checked_add(TIME_LIMIT),
            cancelled: None,
            give_way: None,
        };
        match rest {
            "" | "stream" => Question::read(text, request.input()?)?.answer(&run),
            "sample" => request::sample(game, &request.parameters),
            option => match text.profile().options.iter().find(|known| known.name == option).map(|known| known.role) {
                Some(Role::View) => Question::read(text, request.input()?)?.view(option, &run),
                Some(Role::Question) => request::reply(&**text, option, request.parameters.text("value")?),
                _ => Err(unknown()),
            },
        }
    }
}
