use serde_json::Value;
use std::collections::{HashMap, HashSet};

use super::Masker;
use super::unmask::{StreamUnmasker, Writing, unmask};
use crate::{CompletionRequest, Message, Part, ToolCall};

/// What stands for what within one call: the same value has the same placeholder everywhere in it.
#[derive(Clone, Default)]
pub struct Sheet {
    by_value: HashMap<String, String>,
    by_name: HashMap<String, String>,
    next: HashMap<String, usize>,
    /// What looked like a placeholder before there were any.
    taken: HashSet<String>,
}

impl std::fmt::Debug for Sheet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sheet").field("values", &self.by_value.len()).finish_non_exhaustive()
    }
}

impl Masker {
    /// The request without what must not leave, and the sheet by which it comes back into the answer.
    pub fn mask(&self, request: &CompletionRequest) -> (CompletionRequest, Sheet) {
        let mut sheet = Sheet::default();
        let mut masked = request.clone();
        for text in texts(&mut masked) {
            sheet.taken.extend(self.lookalike.find_iter(text).map(|found| found.as_str().to_owned()));
        }
        for message in &mut masked.messages {
            match message {
                Message::System(text) | Message::Tool { text, .. } => self.mask_text(text, &mut sheet),
                Message::User(parts) => {
                    for part in parts {
                        if let Part::Text(text) = part {
                            self.mask_text(text, &mut sheet);
                        }
                    }
                }
                Message::Assistant { text, tool_calls } => {
                    self.mask_text(text, &mut sheet);
                    for call in tool_calls {
                        self.mask_arguments(&mut call.arguments, &mut sheet);
                    }
                }
            }
        }
        (masked, sheet)
    }

    fn mask_text(&self, text: &mut String, sheet: &mut Sheet) {
        let found = self.find(text);
        if found.is_empty() {
            return;
        }
        let mut masked = String::with_capacity(text.len());
        let mut from = 0;
        for (range, kind) in found {
            masked.push_str(&text[from..range.start]);
            masked.push_str(&sheet.placeholder(kind, &text[range.clone()]));
            from = range.end;
        }
        masked.push_str(&text[from..]);
        *text = masked;
    }

    /// Masks inside the values of JSON, so that it stays JSON.
    fn mask_arguments(&self, arguments: &mut String, sheet: &mut Sheet) {
        if self.find(arguments).is_empty() {
            return;
        }
        match serde_json::from_str::<Value>(arguments) {
            Ok(mut value) => {
                self.mask_value(&mut value, sheet);
                *arguments = value.to_string();
            }
            Err(_) => self.mask_text(arguments, sheet),
        }
    }

    fn mask_value(&self, value: &mut Value, sheet: &mut Sheet) {
        match value {
            Value::String(text) => self.mask_text(text, sheet),
            Value::Number(number) => {
                let mut text = number.to_string();
                self.mask_text(&mut text, sheet);
                if text != number.to_string() {
                    *value = text.into();
                }
            }
            Value::Array(values) => values.iter_mut().for_each(|value| self.mask_value(value, sheet)),
            Value::Object(object) => object.values_mut().for_each(|value| self.mask_value(value, sheet)),
            Value::Null | Value::Bool(_) => {}
        }
    }
}

fn texts(request: &mut CompletionRequest) -> Vec<&str> {
    let mut texts = Vec::new();
    for message in &request.messages {
        match message {
            Message::System(text) | Message::Tool { text, .. } => texts.push(text.as_str()),
            Message::User(parts) => texts.extend(parts.iter().filter_map(|part| match part {
                Part::Text(text) => Some(text.as_str()),
                Part::Image(_) => None,
            })),
            Message::Assistant { text, tool_calls } => {
                texts.push(text);
                texts.extend(tool_calls.iter().map(|call| call.arguments.as_str()));
            }
        }
    }
    texts
}

impl Sheet {
    /// What stands for this value from now on.
    fn placeholder(&mut self, kind: &str, value: &str) -> String {
        let name = match self.by_value.get(value) {
            Some(name) => name.clone(),
            None => {
                let name = self.free_name(kind);
                self.by_value.insert(value.to_owned(), name.clone());
                self.by_name.insert(name.clone(), value.to_owned());
                name
            }
        };
        format!("⟦{name}⟧")
    }

    fn free_name(&mut self, kind: &str) -> String {
        let next = self.next.entry(kind.to_owned()).or_default();
        loop {
            *next += 1;
            let name = format!("{kind}-{next}");
            if !self.taken.contains(&name) {
                return name;
            }
        }
    }

    /// Whether nothing was masked.
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// The text with every value back in its place.
    pub fn unmask(&self, text: &str) -> String {
        unmask(&self.by_name, text, Writing::Plain)
    }

    /// The same for text that is JSON.
    pub fn unmask_json(&self, text: &str) -> String {
        unmask(&self.by_name, text, Writing::Json)
    }

    /// The same for JSON that has been read.
    pub(crate) fn unmask_value(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.unmask(text),
            Value::Array(values) => values.iter_mut().for_each(|value| self.unmask_value(value)),
            Value::Object(object) => object.values_mut().for_each(|value| self.unmask_value(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// The same for the arguments of a tool.
    pub(crate) fn unmask_call(&self, call: &mut ToolCall) {
        if self.is_empty() {
            return;
        }
        call.arguments = match serde_json::from_str::<Value>(&call.arguments) {
            Ok(mut value) => {
                self.unmask_value(&mut value);
                value.to_string()
            }
            Err(_) => self.unmask_json(&call.arguments),
        };
    }

    /// Unmasks text that comes in pieces; `json` if it is JSON.
    pub fn in_stream(&self, json: bool) -> StreamUnmasker {
        StreamUnmasker::new(self.by_name.clone(), if json { Writing::Json } else { Writing::Plain })
    }
}

#[cfg(test)]
mod tests;
