//! The router, and the headers of every response.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::app::App;
use crate::endpoints::Endpoint;
use crate::failure::Failure;
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
    let pages = page::routes().into_iter().fold(Router::new(), |router, (path, route)| router.route(&path, route));
    api.merge(pages)
        .fallback(|| async { Failure::new(StatusCode::NOT_FOUND, "nothing is here", "see /api for what is") })
        .method_not_allowed_fallback(|| async {
            Failure::new(StatusCode::METHOD_NOT_ALLOWED, "the method is not known here", "see /api for those that are")
        })
        .layer(from_fn_with_state(Arc::clone(&app), finish))
        .with_state(app)
}

/// Counts a request, and adds the headers of every response.
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
    let mut response = next.run(request).await;
    for (name, value) in FIXED {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    app.metrics.count(path.as_ref().map(MatchedPath::as_str), response.status(), began.elapsed());
    response
}
