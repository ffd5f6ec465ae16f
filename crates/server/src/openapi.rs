use memoir_model::ErrorCode;
use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

use crate::surface::{Needs, Operation};

/// The OpenAPI document of the surface.
pub(crate) fn document(operations: &[Operation], mut schemas: SchemaGenerator) -> Value {
    let error = schemas.subschema_for::<crate::failure::ErrorBody>();
    let mut paths: Map<String, Value> = Map::new();
    for operation in operations {
        let entry = paths.entry(operation.path).or_insert_with(|| json!({}));
        entry[operation.method] = describe(operation, &error);
    }
    let components = Value::Object(schemas.take_definitions(true));
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
    let mut parameters: Vec<Value> = path_parameters(operation.path)
        .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }))
        .collect();
    parameters.extend(operation.query.iter().flat_map(query_parameters));
    let content = operation.reply.as_ref().map(|schema| json!({ operation.media_type: { "schema": schema } }));
    let status = operation.status.to_string();
    let mut described = json!({
        "tags": [operation.group],
        "operationId": operation_id(operation),
        "summary": operation.summary,
        "description": format!("Needs {}.", operation.needs.sentence()),
        "parameters": parameters,
        "responses": {
            status: { "description": "Done.", "content": content.unwrap_or_else(|| json!({ operation.media_type: {} })) },
            "default": { "description": "Refused.", "content": { "application/json": { "schema": error } } },
        },
    });
    if operation.needs != Needs::Nothing {
        described["security"] = json!([{ "key": [] }]);
    }
    if let Some(body) = &operation.body {
        described["requestBody"] = json!({ "required": true, "content": { "application/json": { "schema": body } } });
    }
    described
}

/// The names between braces in a path.
pub(crate) fn path_parameters(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
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
