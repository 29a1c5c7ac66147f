//! The files of the page, embedded in the program.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{MethodRouter, get};

use crate::app::etag_matches;
use crate::cache::Answer;
use crate::failure::Failure;

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

// The scripts: their names and texts.
include!(concat!(env!("OUT_DIR"), "/scripts.rs"));

/// The documents, as plain text.
const DOCUMENTS: &[(&str, &str)] = &[
    ("games.md", include_str!("../../docs/games.md")),
    ("json.md", include_str!("../../docs/json.md")),
    ("format.md", include_str!("../../docs/format.md")),
    ("generator.md", include_str!("../../docs/generator.md")),
    ("serve.md", include_str!("../../docs/serve.md")),
    ("stress.md", include_str!("../../docs/stress.md")),
    ("your-own-game.md", include_str!("../../docs/your-own-game.md")),
    ("game-programs.md", include_str!("../../docs/game-programs.md")),
    ("cluster.md", include_str!("../../docs/cluster.md")),
];

/// Every path of the page with its handler, for games of these names.
pub fn routes<S: Clone + Send + Sync + 'static>(names: &[String]) -> Vec<(String, MethodRouter<S>)> {
    let pages = names.iter().map(|name| format!("/{name}")).chain([String::from("/"), String::from("/about")]);
    let pages = pages.map(|path| (path, file(INDEX.media, INDEX.bytes)));
    let files = FILES.iter().map(|found| (format!("/page/{}", found.path), file(found.media, found.bytes)));
    let scripts = SCRIPTS.iter().map(|(name, text)| (format!("/page/{name}"), file(SCRIPT, text.as_bytes())));
    let documents = DOCUMENTS.iter().map(|(name, text)| (format!("/docs/{name}"), file(PLAIN, text.as_bytes())));
    pages.chain(files).chain(scripts).chain(documents).collect()
}

/// The response to a path that is not known: a page for a browser, an error for a program. A path of a page with a slash
/// too many leads to the page.
pub fn not_found(names: &[String], request: &Request) -> Response {
    let path = request.uri().path();
    let wants_page = request
        .headers()
        .get(header::ACCEPT)
        .is_some_and(|accepted| accepted.to_str().is_ok_and(|accepted| accepted.contains("text/html")));
    if !wants_page || path.starts_with("/api") {
        return Failure::new(StatusCode::NOT_FOUND, "nothing is here", "see /api for what is").into_response();
    }
    let trimmed = path.trim_matches('/');
    if path == format!("/{trimmed}/") && (trimmed == "about" || names.iter().any(|name| name == trimmed)) {
        let query = request.uri().query().map_or_else(String::new, |query| format!("?{query}"));
        return Redirect::permanent(&format!("/{trimmed}{query}")).into_response();
    }
    (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, HeaderValue::from_static(INDEX.media))], INDEX.bytes)
        .into_response()
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
