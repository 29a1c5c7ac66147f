//! The protocol of game programs, spoken by a program of the kit.

use std::path::PathBuf;
use std::sync::OnceLock;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{SHUT_THE_BOX, solved};

/// The directory in which shut the box has been solved.
fn directory() -> PathBuf {
    static DIRECTORY: OnceLock<TempDir> = OnceLock::new();
    solved(SHUT_THE_BOX, &[], &DIRECTORY)
}

/// The replies of shut the box to these requests.
fn replies(requests: &[Value]) -> Vec<Value> {
    let tables = directory().join("tables");
    let arguments = ["speak", "--tables", tables.to_str().unwrap()];
    let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let output = SHUT_THE_BOX.run_with(tempfile::tempdir().unwrap().path(), &arguments, &lines);
    assert_eq!((output.code, output.error.as_str()), (Some(0), ""));
    output.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_program_of_the_kit_describes_itself_and_answers() {
    let found = replies(&[
        json!({ "ask": "describe" }),
        json!({ "ask": "value", "position": "123456789" }),
        json!({ "ask": "explain", "position": "12459" }),
        json!({ "ask": "explain", "position": "9", "form": "text" }),
        json!({ "ask": "smaller", "position": "12" }),
    ]);
    assert_eq!((&found[0]["protocol"], &found[0]["name"]), (&json!(1), &json!("shut-the-box")));
    assert_eq!((&found[0]["starts"], &found[0]["players"]), (&json!(["123456789"]), &json!(1)));
    assert_eq!(found[0]["look"][0], json!({ "glyph": "1", "name": "open", "colour": "green", "shape": "tile" }));
    assert_eq!((&found[0]["sum"], &found[0]["unit"]), (&json!(0), &json!("points, on average")));
    assert!(
        found[0]["examples"].as_array().unwrap().contains(&json!({ "name": "least", "position": "-" })),
        "{}",
        found[0]
    );
    assert_eq!(found[1]["value"], json!(11.157508444202623));
    assert_eq!(found[2]["board"], json!(["12.45...9"]));
    assert_eq!(found[2]["outcomes"][1]["moves"][0]["touch"], json!([[[0, 0], [0, 1]]]));
    let asked = SHUT_THE_BOX.answer(&directory(), &["ask", "12459", "--json"]);
    assert_eq!(found[2], serde_json::from_str::<Value>(&asked).unwrap());
    assert!(found[3]["text"].as_str().unwrap().lines().count() > 3, "{}", found[3]);
    assert_eq!(found[4]["positions"], json!(["-", "1"]));
}

#[test]
fn wrong_requests_and_positions_are_refused_and_the_next_ones_answered() {
    let found = replies(&[
        json!({ "ask": "value", "position": "12x" }),
        json!({ "ask": "weigh", "position": "12" }),
        json!([1]),
        json!({ "ask": "value", "position": "1" }),
    ]);
    for refused in &found[..3] {
        assert!(refused["error"]["what"].is_string() && refused["error"]["remedy"].is_string(), "{refused}");
    }
    assert!(found[3]["value"].is_number(), "{}", found[3]);
}

#[test]
fn samples_are_repeatable_positions_of_the_game() {
    let requests: Vec<Value> = ["tiny", "ordinary", "worst", "edge"]
        .into_iter()
        .flat_map(|kind| (0..20).map(move |seed| json!({ "ask": "sample", "kind": kind, "seed": seed })))
        .collect();
    let found = replies(&requests);
    assert_eq!(found, replies(&requests));
    let asked: Vec<Value> =
        found.iter().map(|sample| json!({ "ask": "value", "position": sample["position"] })).collect();
    assert!(replies(&asked).iter().all(|value| value["value"].is_number()));
    let mut different: Vec<String> = found.iter().map(Value::to_string).collect();
    different.sort();
    different.dedup();
    assert!(different.len() > 20, "{}", different.len());
}
