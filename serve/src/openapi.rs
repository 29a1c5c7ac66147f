//! The OpenAPI 3.1 description of the API, built from the list of endpoints.

use serde_json::{Map, Value, json};

use tabletop::game::call::{Body, Parameter};

use crate::endpoints::Endpoint;

/// The description as JSON.
pub fn describe(endpoints: &[Endpoint]) -> Vec<u8> {
    let paths: Map<String, Value> = endpoints.iter().map(|endpoint| (endpoint.path.clone(), path(endpoint))).collect();
    let description = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "tabletop",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Exact answers to games: a judge's input in, the JSON of `tabletop GAME --json` out",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" }
        },
        "servers": [{ "url": "/" }],
        "paths": paths,
        "components": { "schemas": { "Error": error_schema() } }
    });
    let mut text = tabletop::text::to_json(&description);
    text.push(b'\n');
    text
}

fn path(endpoint: &Endpoint) -> Value {
    let mut operations = Map::new();
    let all: Vec<Value> = endpoint.parameters.iter().map(parameter).collect();
    operations.insert("get".into(), operation(endpoint, "get", all, None));
    if let Some(Body { most, example, replaces }) = &endpoint.body {
        let others = endpoint.parameters.iter().skip(*replaces);
        let body = json!({
            "required": true,
            "description": format!("The judge's input, at most {most} bytes"),
            "content": { "text/plain": { "schema": { "type": "string", "maxLength": most }, "example": example } }
        });
        operations.insert("post".into(), operation(endpoint, "post", others.map(parameter).collect(), Some(body)));
    }
    Value::Object(operations)
}

fn operation(endpoint: &Endpoint, method: &str, parameters: Vec<Value>, body: Option<Value>) -> Value {
    let media = endpoint.answer.split(';').next().unwrap_or_default();
    let refusal = |description: &str| {
        let schema = json!({ "$ref": "#/components/schemas/Error" });
        json!({ "description": description, "content": { "application/json": { "schema": schema } } })
    };
    let name: String = endpoint.path.split('/').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    let mut responses = json!({ "200": { "description": "The answer", "content": { media: {} } } });
    if !endpoint.parameters.is_empty() {
        responses["400"] = refusal("The input or a parameter is wrong");
    }
    if endpoint.path.starts_with("/api") {
        responses["503"] = refusal("A table is missing or damaged, or too much is asked at once");
    }
    if body.is_some() {
        responses["408"] = refusal("The input does not arrive");
        responses["413"] = refusal("The input is too long");
    }
    let mut operation = json!({
        "operationId": format!("{method}-{name}"),
        "summary": endpoint.summary,
        "parameters": parameters,
        "responses": responses
    });
    if let Some(body) = body {
        operation["requestBody"] = body;
    }
    operation
}

fn parameter(parameter: &Parameter) -> Value {
    json!({
        "name": parameter.name,
        "in": "query",
        "required": parameter.required,
        "description": parameter.about,
        "schema": { "type": "string" },
        "example": parameter.example
    })
}

fn error_schema() -> Value {
    json!({
        "type": "object",
        "required": ["error"],
        "properties": { "error": {
            "type": "object",
            "required": ["what", "remedy"],
            "properties": {
                "line": { "type": "integer", "minimum": 1, "description": "The line of the input, from 1" },
                "what": { "type": "string", "description": "What is wrong" },
                "remedy": { "type": "string", "description": "What to do about it" }
            }
        } }
    })
}
