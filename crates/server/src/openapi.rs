use memoir_model::ErrorCode;
use serde_json::{Map, Value, json};

use crate::surface::{Needs, Operation, Schemas};

/// The OpenAPI document of the surface.
pub(crate) fn document(operations: &[Operation], mut schemas: Schemas) -> Value {
    let error = schemas.replies.subschema_for::<crate::failure::ErrorBody>();
    let mut paths: Map<String, Value> = Map::new();
    for operation in operations {
        let entry = paths.entry(operation.path).or_insert_with(|| json!({}));
        entry[operation.method] = describe(operation, &error);
    }
    let components = Value::Object(schemas.definitions());
    let codes: Vec<String> = ErrorCode::ALL
        .iter()
        .map(|code| format!("| `{}` | {} | {} |", code.as_str(), code.status(), code.remedy()))
        .collect();
    let description = format!(
        "A memory for chat products.\n\nErrors are `{{\"error\":{{\"code\",\"message\",\"remedy\",\"field\"}}}}`:\n\n\
         | code | status | remedy |\n| --- | --- | --- |\n{}",
        codes.join("\n")
    );
    json!({
        "openapi": "3.0.3",
        "info": {
            "title": "Memoir",
            "version": env!("CARGO_PKG_VERSION"),
            "description": description,
            "license": { "name": "Apache-2.0" },
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": { "key": { "type": "http", "scheme": "bearer" } },
        },
    })
}

fn describe(operation: &Operation, error: &schemars::Schema) -> Value {
    let mut parameters: Vec<Value> = path_parameters(operation.path).map(path_parameter).collect();
    parameters.extend(operation.query.iter().flat_map(query_parameters));
    let mut done = json!({ "description": "Done." });
    if operation.status != 204 {
        let content =
            operation.reply.as_ref().map_or_else(|| json!({}), |schema| json!({ "schema": schema }));
        done["content"] = json!({ operation.media_type: content });
        if operation.streams {
            done["content"]["text/event-stream"] = json!({ "schema": { "type": "string" } });
        }
    }
    let mut described = json!({
        "tags": [operation.group],
        "operationId": operation_id(operation),
        "summary": operation.summary,
        "description": format!("Needs {}.", operation.needs.sentence()),
        "parameters": parameters,
        "responses": {
            "default": { "description": "Refused.", "content": { "application/json": { "schema": error } } },
        },
    });
    for status in std::iter::once(operation.status).chain(operation.or_status) {
        described["responses"][status.to_string()] = done.clone();
    }
    if operation.needs != Needs::Nothing {
        described["security"] = json!([{ "key": [] }]);
    }
    if let Some(body) = &operation.body {
        let required = operation.body_required;
        described["requestBody"] =
            json!({ "required": required, "content": { "application/json": { "schema": body } } });
    }
    described
}

/// The names between braces in a path.
pub(crate) fn path_parameters(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
}

fn path_parameter(name: &str) -> Value {
    let (schema, description) = match name {
        "space" => (
            json!({ "type": "string", "pattern": "^(user|group|agent):.+$", "example": "user:alice" }),
            "Whose memory it is: `user:…`, `group:…` or `agent:…`, percent-encoded.",
        ),
        "date" => (
            json!({ "type": "string", "format": "date", "example": "2026-01-07" }),
            "A day on the space's own clock.",
        ),
        _ => (json!({ "type": "string" }), "Its id, percent-encoded."),
    };
    json!({ "name": name, "in": "path", "required": true, "schema": schema, "description": description })
}

fn query_parameters(schema: &schemars::Schema) -> Vec<Value> {
    let properties = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let parameter = |(name, schema): (String, Value)| {
        let required = required.iter().any(|r| r.as_str() == Some(&name));
        json!({ "name": name, "in": "query", "required": required, "schema": schema,
                "description": schema.get("description") })
    };
    properties.into_iter().map(parameter).collect()
}

fn operation_id(operation: &Operation) -> String {
    let words = operation.path.split(['/', '{', '}', '.']).filter(|word| !word.is_empty() && *word != "v1");
    std::iter::once(operation.method).chain(words).collect::<Vec<_>>().join("_")
}
