use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::fmt;
use std::sync::Arc;

/// What JSON is asked for: its schema, and a check that an answer fits.
#[derive(Clone)]
pub struct Shape {
    name: Arc<str>,
    schema: Arc<Value>,
    strict: bool,
    fits: fn(&Value) -> bool,
}

impl Shape {
    /// The shape of a type. An answer fits if it can be read as one.
    pub fn of<T: JsonSchema + DeserializeOwned>() -> Self {
        let schema = SchemaGenerator::default().into_root_schema_for::<T>();
        let name: String =
            T::schema_name().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        Self::new(&name, schema.to_value(), |value| T::deserialize(value).is_ok())
    }

    /// A shape that only its asker knows. Any object fits.
    pub fn untyped(name: &str, schema: Value) -> Self {
        Self::new(name, schema, Value::is_object)
    }

    fn new(name: &str, mut schema: Value, fits: fn(&Value) -> bool) -> Self {
        let strict = close(&mut schema);
        Shape { name: name.into(), schema: schema.into(), strict, fits }
    }

    /// Whether a value fits.
    pub fn fits(&self, value: &Value) -> bool {
        (self.fits)(value)
    }

    /// As `response_format` wants it.
    pub(crate) fn response_format(&self) -> Value {
        json!({
            "type": "json_schema",
            "json_schema": {"name": &*self.name, "strict": self.strict, "schema": &*self.schema},
        })
    }

    /// What the prompt says where the server takes no schema.
    pub(crate) fn instruction(&self) -> String {
        format!(
            "Answer with one JSON value and nothing else, no code fence. 只输出一个 JSON 值，不要输出其他内容。\n\
             JSON schema: {}",
            self.schema
        )
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Shape").field(&self.name).finish()
    }
}

/// What a server that is strict about schemas does not know.
const UNKNOWN_TO_STRICT: [&str; 4] = ["$schema", "title", "default", "format"];

/// Makes a schema strict: objects have all of their properties and no others. Returns whether that was possible; a map
/// with free keys cannot be strict.
fn close(schema: &mut Value) -> bool {
    match schema {
        Value::Object(object) => close_object(object),
        Value::Array(schemas) => close_all(schemas.iter_mut()),
        _ => true,
    }
}

/// Every one is closed, also after one that cannot be.
fn close_all<'a>(schemas: impl Iterator<Item = &'a mut Value>) -> bool {
    let open = schemas.map(close).filter(|strict| !strict).count();
    open == 0
}

fn close_object(object: &mut Map<String, Value>) -> bool {
    let mut strict = !object.contains_key("oneOf");
    for word in UNKNOWN_TO_STRICT {
        object.remove(word);
    }
    for word in ["properties", "$defs"] {
        // The keys in here are names, not words of the schema language.
        if let Some(Value::Object(inner)) = object.get_mut(word) {
            strict &= close_all(inner.values_mut());
        }
    }
    for word in ["items", "anyOf", "oneOf", "allOf", "prefixItems"] {
        if let Some(inner) = object.get_mut(word) {
            strict &= close(inner);
        }
    }
    if let Some(Value::Object(properties)) = object.get("properties") {
        let names: Vec<Value> = properties.keys().cloned().map(Value::from).collect();
        object.insert("required".into(), names.into());
        object.insert("additionalProperties".into(), false.into());
    } else if object.get("type").is_some_and(|kind| kind == "object") {
        strict = false;
    }
    strict
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use std::collections::HashMap;

    #[derive(JsonSchema, Deserialize)]
    #[expect(dead_code, reason = "only its shape matters")]
    struct Facts {
        facts: Vec<Fact>,
        #[serde(default)]
        title: Option<String>,
    }

    #[derive(JsonSchema, Deserialize)]
    #[expect(dead_code, reason = "only its shape matters")]
    struct Fact {
        text: String,
        confidence: f32,
    }

    #[test]
    fn a_type_becomes_a_strict_schema() {
        let expected = json!({
            "type": "json_schema",
            "json_schema": {"name": "Facts", "strict": true, "schema": {
                "type": "object",
                "additionalProperties": false,
                "required": ["facts", "title"],
                "properties": {
                    "facts": {"type": "array", "items": {"$ref": "#/$defs/Fact"}},
                    "title": {"type": ["string", "null"]},
                },
                "$defs": {"Fact": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["confidence", "text"],
                    "properties": {"text": {"type": "string"}, "confidence": {"type": "number"}},
                }},
            }},
        });
        assert_eq!(Shape::of::<Facts>().response_format(), expected);
    }

    #[test]
    fn a_value_fits_if_it_can_be_read() {
        let shape = Shape::of::<Facts>();
        assert!(shape.fits(&json!({"facts": [{"text": "a", "confidence": 1}]})));
        assert!(!shape.fits(&json!({"facts": [{"text": "a"}]})));
        assert!(!shape.fits(&json!({"unasked": []})));
    }

    #[test]
    fn free_keys_are_not_strict() {
        let format = Shape::of::<HashMap<String, u32>>().response_format();
        assert_eq!(format["json_schema"]["strict"], false);
    }
}
