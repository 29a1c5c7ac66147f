//! The files of the page as the server sends them. `serve/tests/browser` tests them in a browser.

use tabletop::game::PROFILES;

use crate::support::Server;

#[test]
fn every_game_has_a_page_and_all_its_files_are_served() {
    let server = Server::start();
    let names: Vec<&str> = PROFILES.iter().map(|profile| profile.name).collect();
    let list = format!("\nconst GAMES = [{}];\n", names.join(", "));
    assert!(server.get("/page/main.js").text().contains(&list), "the page shows other games");
    let mut pages: Vec<String> = PROFILES.iter().map(|profile| format!("/{}", profile.name)).collect();
    pages.extend(["/", "/about"].map(String::from));
    for page in pages {
        let response = server.get(&page);
        assert_eq!(response.status, 200, "{page}");
        assert_eq!(response.headers["content-type"], "text/html; charset=utf-8");
        let policy = &response.headers["content-security-policy"];
        assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{policy}");
        assert!(!response.text().contains("<script>") && !response.text().contains("style="), "inline code");
        for name in response.text().split('"').filter(|part| part.starts_with("/page/")) {
            assert_eq!(server.get(name).status, 200, "{name}");
        }
    }
    let imports = |name: &str| {
        let script = server.get(&format!("/page/{name}"));
        let parts =
            script.text().split('"').filter_map(|part| part.strip_prefix("./").filter(|name| name.ends_with("js")));
        parts.map(String::from).collect::<Vec<String>>()
    };
    let mut names = imports("main.js");
    names.extend(names.clone().iter().flat_map(|name| imports(name)));
    for name in names {
        let file = server.get(&format!("/page/{name}"));
        assert_eq!(file.headers["content-type"], "text/javascript; charset=utf-8", "{name}");
        assert!(!file.text().contains("innerHTML"), "{name} writes markup");
        let again = server.send("GET", &format!("/page/{name}"), &[("If-None-Match", &file.headers["etag"])], b"");
        assert_eq!(again.status, 304, "{name}");
    }
}

#[test]
fn the_documents_linked_from_the_page_are_served() {
    let server = Server::start();
    let about = server.get("/page/about.js");
    let names: Vec<&str> = about.text().split('"').filter(|part| part.ends_with(".md")).collect();
    assert_eq!(names.len(), 9);
    for name in names {
        let document = server.get(&format!("/docs/{name}"));
        assert_eq!(document.headers["content-type"], "text/plain; charset=utf-8", "{name}");
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name);
        assert_eq!(document.text(), std::fs::read_to_string(file).unwrap(), "{name}");
    }
}

#[test]
fn a_browser_gets_a_page_for_a_wrong_address_and_a_program_an_error() {
    let server = Server::start();
    let browser = [("Accept", "text/html,*/*;q=0.8")];
    let wrong = server.send("GET", "/nowhere", &browser, b"");
    assert_eq!((wrong.status, wrong.headers["content-type"].as_str()), (404, "text/html; charset=utf-8"));
    let slash = server.send("GET", "/dice/?input=1", &browser, b"");
    assert_eq!((slash.status, slash.headers["location"].as_str()), (308, "/dice?input=1"));
    for (path, accept) in [("/nowhere", "*/*"), ("/api/nowhere", "text/html")] {
        let answer = server.send("GET", path, &[("Accept", accept)], b"");
        assert_eq!((answer.status, answer.headers["content-type"].as_str()), (404, "application/json"), "{path}");
    }
}

#[test]
fn paths_outside_of_the_page_are_not_found() {
    let server = Server::start();
    for path in [
        "/page/../Cargo.toml",
        "/page/%2e%2e/%2e%2e/etc/passwd",
        "/page//etc/passwd",
        "/page/",
        "//etc/passwd",
        "/..",
        "/api/../../x",
        "/page/main.js%00",
    ] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
}
