//! Compares the description of the API with the behaviour of the server.

use crate::support::{Server, encode};

/// The path with the example values of its parameters.
fn example(path: &str, operation: &serde_json::Value) -> String {
    let parameters = operation["parameters"].as_array().unwrap();
    let values: Vec<String> = parameters
        .iter()
        .map(|parameter| {
            format!("{}={}", parameter["name"].as_str().unwrap(), encode(parameter["example"].as_str().unwrap()))
        })
        .collect();
    if values.is_empty() { path.to_owned() } else { format!("{path}?{}", values.join("&")) }
}

#[test]
fn every_operation_answers_its_example_as_described() {
    let server = Server::start();
    let description = server.get("/api").json();
    assert_eq!(description["openapi"], "3.1.0");
    let mut operations = 0;
    for (path, methods) in description["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let address = example(path, operation);
            let response = match method.as_str() {
                "get" => server.get(&address),
                _ => {
                    let content = &operation["requestBody"]["content"]["text/plain"];
                    server.post(&address, content["example"].as_str().unwrap())
                }
            };
            assert_eq!(response.status, 200, "{method} {address}: {:?}", response.text());
            let media = operation["responses"]["200"]["content"].as_object().unwrap().keys().next().unwrap();
            assert!(response.headers["content-type"].starts_with(media.as_str()), "{method} {address}");
            operations += 1;
        }
    }
    assert!(operations >= 25, "{operations} operations");
}

#[test]
fn required_parameters_are_required_and_unknown_ones_are_refused() {
    let server = Server::start();
    let description = server.get("/api").json();
    for (path, methods) in description["paths"].as_object().unwrap() {
        let parameters = methods["get"]["parameters"].as_array().unwrap();
        if parameters.is_empty() {
            continue;
        }
        let is_required = parameters.iter().any(|parameter| parameter["required"] == true);
        assert_eq!(server.get(path).status == 400, is_required, "{path}");
        assert_eq!(server.get(&format!("{path}?nonsense=1")).status, 400, "{path}");
        let expected = if methods.get("post").is_none() { 405 } else { 400 };
        assert_eq!(server.post(&format!("{path}?nonsense=1"), "1").status, expected, "{path}");
    }
}

#[test]
fn requests_are_counted_by_path_and_status() {
    let server = Server::start();
    for _ in 0..3 {
        server.ask("dice", "1\n6 6 6 6 6\n1 2 3 4 5\n");
    }
    server.ask("dice", "nonsense");
    assert_eq!(server.metric("tabletop_requests_total{path=\"/api/dice\",status=\"200\"}"), 3.0);
    assert_eq!(server.metric("tabletop_requests_total{path=\"/api/dice\",status=\"400\"}"), 1.0);
    assert_eq!(server.metric("tabletop_request_seconds_count{path=\"/api/dice\"}"), 4.0);
}

#[test]
fn other_origins_are_allowed_only_with_cors() {
    let origin = [("Origin", "https://example.org")];
    let header = "access-control-allow-origin";
    assert!(!Server::start().send("GET", "/healthz", &origin, b"").headers.contains_key(header));
    let tables = crate::support::shipped_tables();
    let server = Server::with(&tables, &["--cors", "https://example.org"]);
    assert_eq!(server.send("GET", "/healthz", &origin, b"").headers[header], "https://example.org");
    let stranger = [("Origin", "https://example.com")];
    assert!(!server.send("GET", "/healthz", &stranger, b"").headers.contains_key(header));
}
