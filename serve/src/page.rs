//! The files of the page, embedded in the program.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use tabletop::game::PROFILES;

use crate::app::etag_matches;
use crate::cache::Answer;

/// A file of the page.
struct File {
    path: &'static str,
    media: &'static str,
    bytes: &'static [u8],
}

macro_rules! files {
    ($($path:literal $media:literal),+ $(,)?) => {
        &[$(File { path: $path, media: $media, bytes: include_bytes!(concat!("../page/", $path)) }),+]
    };
}

const SCRIPT: &str = "text/javascript; charset=utf-8";
const PLAIN: &str = "text/plain; charset=utf-8";

/// The HTML of every page. The script shows the game of the path.
const INDEX: File =
    File { path: "index.html", media: "text/html; charset=utf-8", bytes: include_bytes!("../page/index.html") };

const FILES: &[File] = files![
    "style.css" "text/css; charset=utf-8",
    "icon.svg" "image/svg+xml",
];

const SCRIPTS: &[(&str, &str)] = &[
    ("main.js", include_str!("../page/main.js")),
    ("view.js", include_str!("../page/view.js")),
    ("api.js", include_str!("../page/api.js")),
    ("play.js", include_str!("../page/play.js")),
    ("dice.js", include_str!("../page/dice.js")),
    ("jenga.js", include_str!("../page/jenga.js")),
    ("hopchess.js", include_str!("../page/hopchess.js")),
    ("codenames.js", include_str!("../page/codenames.js")),
    ("balda.js", include_str!("../page/balda.js")),
    ("about.js", include_str!("../page/about.js")),
];

/// The documents, as plain text.
const DOCUMENTS: &[(&str, &str)] = &[
    ("games.md", include_str!("../../docs/games.md")),
    ("json.md", include_str!("../../docs/json.md")),
    ("format.md", include_str!("../../docs/format.md")),
    ("generator.md", include_str!("../../docs/generator.md")),
    ("serve.md", include_str!("../../docs/serve.md")),
    ("stress.md", include_str!("../../docs/stress.md")),
    ("your-own-game.md", include_str!("../../docs/your-own-game.md")),
    ("cluster.md", include_str!("../../docs/cluster.md")),
];

/// Every path of the page with its handler.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Vec<(String, MethodRouter<S>)> {
    let pages = PROFILES.iter().map(|profile| format!("/{}", profile.name)).chain([String::from("/")]);
    let pages = pages.map(|path| (path, file(INDEX.media, INDEX.bytes)));
    let files = FILES.iter().map(|found| (format!("/page/{}", found.path), file(found.media, found.bytes)));
    let scripts = SCRIPTS.iter().map(|(name, text)| (format!("/page/{name}"), file(SCRIPT, text.as_bytes())));
    let documents = DOCUMENTS.iter().map(|(name, text)| (format!("/docs/{name}"), file(PLAIN, text.as_bytes())));
    pages.chain(files).chain(scripts).chain(documents).collect()
}

fn file<S: Clone + Send + Sync + 'static>(media: &'static str, bytes: &'static [u8]) -> MethodRouter<S> {
    let Answer { tag, .. } = Answer::new(bytes.to_vec());
    get(move |request: HeaderMap| async move { respond(&request, &tag, media, bytes) })
}

fn respond(request: &HeaderMap, tag: &HeaderValue, media: &'static str, bytes: &'static [u8]) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(media)),
        // The next version of the program may change the file, so browsers must revalidate it.
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::ETAG, tag.clone()),
    ];
    if etag_matches(request, tag) {
        (StatusCode::NOT_MODIFIED, headers).into_response()
    } else {
        (headers, bytes).into_response()
    }
}
