//! The router, and the headers of every response.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::app::App;
use crate::endpoints::{self, Endpoint};
use crate::failure::Failure;
use crate::host;
use crate::listen::HEAD_BYTES;
use crate::page;

/// The page may load scripts, styles and data only from this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The router of all paths. Pages of `origins` may use the API from a browser.
pub fn router(app: Arc<App>, endpoints: Vec<Endpoint>, origins: &[HeaderValue]) -> Router {
    let mut api = Router::new();
    for endpoint in endpoints {
        api = api.route(&endpoint.path, endpoint.route);
    }
    if !origins.is_empty() {
        let any = origins.iter().any(|origin| origin == "*");
        let allowed = if any { AllowOrigin::any() } else { AllowOrigin::list(origins.iter().cloned()) };
        api = api.layer(CorsLayer::new().allow_origin(allowed).allow_methods([Method::GET, Method::POST]));
    }
    let names: Vec<String> = app.games.iter().map(|game| game.profile().name.to_owned()).collect();
    let pages =
        page::routes(&names).into_iter().fold(Router::new(), |router, (path, route)| router.route(&path, route));
    api.merge(pages)
        .fallback(|request: Request| async move { page::not_found(&names, &request) })
        .method_not_allowed_fallback(|| async {
            Failure::new(StatusCode::METHOD_NOT_ALLOWED, "the method is not known here", "see /api for those that are")
        })
        .layer(from_fn_with_state(Arc::clone(&app), finish))
        .with_state(app)
}

/// Whether a game of this name would have the path of something else.
pub fn is_own(name: &str) -> bool {
    let pages = page::routes::<()>(&[]).into_iter().map(|(path, _)| path);
    let own: Vec<String> = endpoints::all(&[]).into_iter().map(|endpoint| endpoint.path).chain(pages).collect();
    [format!("/{name}"), format!("/api/{name}")].iter().any(|path| own.contains(path))
}

/// Checks and counts a request, and adds the headers of every response.
async fn finish(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    const FIXED: [(HeaderName, &str); 4] = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ];
    let began = Instant::now();
    app.traffic.count();
    let path = request.extensions().get::<MatchedPath>().cloned();
    let mut response = match check(&app, &request) {
        Ok(()) => next.run(request).await,
        Err(failure) => failure.into_response(),
    };
    for (name, value) in FIXED {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    app.metrics.count(path.as_ref().map(MatchedPath::as_str), response.status(), began.elapsed());
    response
}

/// Refuses a request to a foreign name, or one with a head that is too long.
fn check(app: &App, request: &Request) -> Result<(), Failure> {
    if head_bytes(request) > HEAD_BYTES {
        let remedy =
            format!("send at most {HEAD_BYTES} bytes of address and header fields, and a long input as the body");
        return Err(Failure::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "the head is too long", remedy));
    }
    host::check(&app.hosts, request.uri(), request.headers())
}

/// The bytes of `METHOD TARGET HTTP/1.1`, of the lines `NAME: VALUE` and of the empty line.
fn head_bytes(request: &Request) -> usize {
    let target = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    let fields = request.headers().iter().map(|(name, value)| name.as_str().len() + ": \r\n".len() + value.len());
    request.method().as_str().len() + target + "  HTTP/1.1\r\n\r\n".len() + fields.sum::<usize>()
}
