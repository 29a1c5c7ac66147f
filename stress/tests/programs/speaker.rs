//! A game that is a program: the remainder of a number by 3. The name of its file chooses how it misbehaves.

use std::env;
use std::fs;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::exit;
use std::thread::sleep;

use serde_json::{Value, json};

/// Answers requests until the end of the input.
pub fn speak() {
    let program = env::args_os().next().unwrap_or_default();
    let manner = Path::new(&program).file_name().unwrap_or_default().to_string_lossy().into_owned();
    for line in io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line.expect("a line")).expect("a request");
        let is_description = request["ask"] == "describe";
        let reply = match &*manner {
            "dies" if !is_description => exit(3),
            "garbage" if !is_description => String::from("[1, 2"),
            "array" if !is_description => String::from("[1]"),
            "number" if request["ask"] == "explain" => String::from("5"),
            "lines" if request["ask"] == "sample" => json!({ "position": "1\n2" }).to_string(),
            "lines" if request["ask"] == "smaller" => json!({ "positions": ["1\n2", "40", ""] }).to_string(),
            // The file tells the test that the question has arrived.
            "slow" if request["ask"] == "sample" => {
                fs::write(format!("{}-asked", Path::new(&program).display()), "").expect("a file");
                sleep(super::FOREVER);
                return;
            }
            "huge" if !is_description => "7".repeat(5 << 20),
            "no-name" => json!({ "protocol": 1, "name": "No Name", "about": "", "starts": ["1"] }).to_string(),
            _ if is_description && manner.starts_with("called-") => {
                json!({ "protocol": 1, "name": manner["called-".len()..], "about": "", "starts": ["1"] }).to_string()
            }
            "new" => json!({ "protocol": 2, "name": "new", "about": "", "starts": ["1"] }).to_string(),
            _ => reply(&request).to_string(),
        };
        println!("{reply}");
        io::stdout().flush().expect("the door reads");
        // The next request needs another process.
        if manner == "tires" {
            return;
        }
        // A long request fills the pipe.
        if manner == "deaf" {
            sleep(super::FOREVER);
        }
    }
}

fn reply(request: &Value) -> Value {
    let position = request["position"].as_str().unwrap_or("0");
    match (request["ask"].as_str(), position.parse::<u64>()) {
        (Some("describe"), _) => {
            json!({ "protocol": 1, "name": "remainder", "about": "A number by 3", "starts": ["10"], "more": true })
        }
        (Some("sample"), _) => json!({ "position": (request["seed"].as_u64().expect("a seed") % 1000).to_string() }),
        (_, Err(_)) => json!({ "error": { "what": "this is no number", "remedy": "write a number" } }),
        (Some("value"), Ok(number)) => json!({ "value": number % 3, "fraction": format!("{}", number % 3) }),
        (Some("explain"), Ok(number)) => json!({ "value": number % 3, "text": format!("{}\n  by 3\n", number % 3) }),
        (Some("smaller"), Ok(number)) => {
            json!({ "positions": (0..number).map(|number| number.to_string()).collect::<Vec<_>>() })
        }
        _ => json!({ "error": { "what": "not understood", "remedy": "ask something else" } }),
    }
}
