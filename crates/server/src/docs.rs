use maud::{DOCTYPE, Markup, PreEscaped, html};
use memoir_model::ErrorCode;
use serde_json::Value;

use crate::surface::Operation;

const STYLE: &str = "
:root{--ink:#1d2530;--soft:#5b6675;--line:#e1e5ea;--ground:#fff;--tint:#f5f7f9;--accent:#0b6e5f}
@media(prefers-color-scheme:dark){:root{--ink:#e6eaef;--soft:#9aa5b3;--line:#2c343e;--ground:#14181d;--tint:#1c2229;--accent:#5cc9b6}}
*{box-sizing:border-box}body{margin:0;color:var(--ink);background:var(--ground);font:16px/1.55 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1.25rem 4rem}h1{font-size:1.9rem;margin:0 0 .25rem}
h2{margin:2.5rem 0 .75rem;font-size:1.2rem;border-bottom:1px solid var(--line);padding-bottom:.35rem}
p{margin:.4rem 0;color:var(--soft)}a{color:var(--accent)}
details{border:1px solid var(--line);border-radius:.5rem;margin:.5rem 0;background:var(--tint)}
summary{cursor:pointer;padding:.6rem .8rem;display:flex;gap:.75rem;flex-wrap:wrap;align-items:baseline}
summary b{font:600 .8rem ui-monospace,monospace;color:var(--accent);min-width:4rem;text-transform:uppercase}
summary code{font-size:.92rem;word-break:break-all}summary span{color:var(--soft);font-size:.92rem}
.body{padding:.2rem .9rem .9rem;border-top:1px solid var(--line);overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.92rem}td,th{text-align:left;padding:.3rem .6rem .3rem 0;vertical-align:top;border-bottom:1px solid var(--line)}
pre{background:var(--ground);border:1px solid var(--line);border-radius:.4rem;padding:.7rem;overflow-x:auto;font-size:.85rem}
h3{font-size:.9rem;margin:.9rem 0 .3rem}";

/// The documentation page, drawn from the OpenAPI document. It loads nothing from anywhere.
pub(crate) fn page(operations: &[Operation], document: &Value) -> Markup {
    let mut groups: Vec<&str> = operations.iter().map(|operation| operation.group).collect();
    groups.dedup();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Memoir API" }
                style { (PreEscaped(STYLE)) }
            }
            body { main {
                h1 { "Memoir API" }
                p { "Version " (document["info"]["version"].as_str().unwrap_or_default()) ". The same as a document for tools: " a href="/openapi.json" { "openapi.json" } "." }
                p { "Send a key as " code { "Authorization: Bearer KEY" } ". A server without keys answers on loopback only." }
                @for group in &groups {
                    h2 { (group) }
                    @for operation in operations.iter().filter(|operation| operation.group == *group) {
                        (call(operation, document))
                    }
                }
                h2 { "errors" }
                table {
                    tr { th { "code" } th { "status" } th { "what to do" } }
                    @for code in ErrorCode::ALL {
                        tr { td { code { (code.as_str()) } } td { (code.status()) } td { (code.remedy()) } }
                    }
                }
            } }
        }
    }
}

fn call(operation: &Operation, document: &Value) -> Markup {
    let described = &document["paths"][operation.path][operation.method];
    let parameters = described["parameters"].as_array().cloned().unwrap_or_default();
    html! {
        details {
            summary { b { (operation.method) } code { (operation.path) } span { (operation.summary) } }
            div class="body" {
                p { "Needs " (operation.needs.sentence()) "." }
                @if !parameters.is_empty() {
                    h3 { "Parameters" }
                    table {
                        @for parameter in &parameters {
                            tr {
                                td { code { (parameter["name"].as_str().unwrap_or_default()) } }
                                td { (parameter["in"].as_str().unwrap_or_default()) }
                                td { (parameter["description"].as_str().unwrap_or_default()) }
                            }
                        }
                    }
                }
                @if let Some(schema) = described["requestBody"]["content"]["application/json"].get("schema") {
                    h3 { "Body" } (fields(schema, document))
                }
                @if let Some(schema) = described["responses"][operation.status.to_string()]["content"]["application/json"].get("schema") {
                    h3 { "Reply " (operation.status) } (fields(schema, document))
                }
            }
        }
    }
}

/// The fields of an object, one line each.
fn fields(schema: &Value, document: &Value) -> Markup {
    let schema = resolve(schema, document);
    if let Some(shapes) = schema["anyOf"].as_array() {
        return html! {
            @for shape in shapes {
                p { (shape["description"].as_str().or_else(|| resolve(shape, document)["description"].as_str()).unwrap_or_default()) }
                (fields(shape, document))
            }
        };
    }
    let properties = schema["properties"].as_object().cloned().unwrap_or_default();
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    html! {
        table {
            @for (name, field) in &properties {
                tr {
                    td { code { (name) } @if required.iter().any(|r| r == name) { " *" } }
                    td { (kind(field)) }
                    td { (field["description"].as_str().or_else(|| resolve(field, document)["description"].as_str()).unwrap_or_default()) }
                }
            }
        }
    }
}

fn kind(field: &Value) -> String {
    if let Some(reference) = field["$ref"].as_str().or_else(|| field["allOf"][0]["$ref"].as_str()) {
        return reference.rsplit('/').next().unwrap_or_default().to_owned();
    }
    match field["type"].as_str() {
        Some("array") => format!("list of {}", kind(&field["items"])),
        Some(kind) => kind.to_owned(),
        None => "any".to_owned(),
    }
}

fn resolve<'a>(schema: &'a Value, document: &'a Value) -> &'a Value {
    let reference = schema["$ref"].as_str().or_else(|| schema["allOf"][0]["$ref"].as_str());
    match reference.and_then(|reference| reference.rsplit('/').next()) {
        Some(name) => &document["components"]["schemas"][name],
        None => schema,
    }
}
