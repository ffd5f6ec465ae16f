use serde_json::{Map, Number, Value};
use std::iter::Peekable;
use std::str::Chars;

/// How deep values may be inside each other.
const DEEPEST: usize = 64;

/// What was read.
pub(super) struct Read {
    pub(super) value: Value,
    /// Whether nothing was left open at the end.
    pub(super) closed: bool,
}

/// Reads the value that `text` begins with. What follows it is not looked at. None if it is no value, or too deep.
pub(super) fn read(text: &str) -> Option<Read> {
    let mut reader = Reader { rest: text.chars().peekable(), open: false };
    let value = reader.value(DEEPEST)?;
    Some(Read { value, closed: !reader.open })
}

/// The pairs of quotation marks that models use.
const QUOTES: [(char, char); 4] = [('"', '"'), ('\'', '\''), ('“', '”'), ('`', '`')];

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    /// Whether the text ended inside a value.
    open: bool,
}

impl Reader<'_> {
    /// A value; none if there is none here, or if the text ends before it says what it is.
    fn value(&mut self, depth: usize) -> Option<Value> {
        self.skip_blanks();
        let depth = depth.checked_sub(1)?;
        match self.peek()? {
            '{' => self.object(depth),
            '[' => self.array(depth),
            quote if closing(quote).is_some() => Some(Value::String(self.string())),
            _ => self.word(),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        self.skip();
        let mut object = Map::new();
        loop {
            self.skip_separators();
            match self.peek() {
                None => break self.open = true,
                Some('}') => break self.skip(),
                Some(_) => {}
            }
            let key = self.key()?;
            self.skip_blanks();
            match self.peek() {
                Some(':' | '：') => self.skip(),
                None => break self.open = true,
                Some(_) => return None,
            }
            match self.value(depth) {
                Some(value) => drop(object.insert(key, value)),
                None if self.at_end() => break self.open = true,
                None => return None,
            }
        }
        Some(Value::Object(object))
    }

    fn array(&mut self, depth: usize) -> Option<Value> {
        self.skip();
        let mut array = Vec::new();
        loop {
            self.skip_separators();
            match self.peek() {
                None => break self.open = true,
                Some(']') => break self.skip(),
                Some(_) => {}
            }
            match self.value(depth) {
                Some(value) => array.push(value),
                None if self.at_end() => break self.open = true,
                None => return None,
            }
        }
        Some(Value::Array(array))
    }

    fn key(&mut self) -> Option<String> {
        if closing(self.peek()?).is_some() {
            return Some(self.string());
        }
        let key = self.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$'));
        (!key.is_empty()).then_some(key)
    }

    fn string(&mut self) -> String {
        let mut text = String::new();
        let Some(end) = self.rest.next().and_then(closing) else { return text };
        loop {
            match self.rest.next() {
                None => {
                    self.open = true;
                    return text;
                }
                Some('\\') => text.extend(self.escaped()),
                Some(c) if c == end => return text,
                Some(c) => text.push(c),
            }
        }
    }

    fn escaped(&mut self) -> Option<char> {
        Some(match self.rest.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => return self.code_point(),
            other => other,
        })
    }

    fn code_point(&mut self) -> Option<char> {
        let high = self.code_unit()?;
        if !(0xd800..0xdc00).contains(&high) {
            return char::from_u32(high);
        }
        if self.rest.next() != Some('\\') || self.rest.next() != Some('u') {
            return None;
        }
        let low = self.code_unit()?;
        char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + low.checked_sub(0xdc00)?)
    }

    fn code_unit(&mut self) -> Option<u32> {
        (0..4).try_fold(0, |unit, _| Some(unit * 16 + self.rest.next()?.to_digit(16)?))
    }

    /// A number, or one of the few words that are values.
    fn word(&mut self) -> Option<Value> {
        let word = self.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
        match word.as_str() {
            "true" | "True" => Some(Value::Bool(true)),
            "false" | "False" => Some(Value::Bool(false)),
            "null" | "None" | "undefined" | "NaN" => Some(Value::Null),
            number => number.parse::<Number>().ok().map(Value::Number),
        }
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(c) = self.rest.next_if(|c| wanted(*c)) {
            taken.push(c);
        }
        taken
    }

    fn skip_separators(&mut self) {
        self.skip_blanks();
        while self.rest.next_if(|c| matches!(c, ',' | '，')).is_some() {
            self.skip_blanks();
        }
    }

    /// White space and comments.
    fn skip_blanks(&mut self) {
        loop {
            while self.rest.next_if(|c| c.is_whitespace()).is_some() {}
            let mut ahead = self.rest.clone();
            match (ahead.next(), ahead.next()) {
                (Some('/'), Some('/')) => while self.rest.next_if(|c| *c != '\n').is_some() {},
                (Some('/'), Some('*')) => {
                    self.rest = ahead;
                    let mut before = ' ';
                    for c in self.rest.by_ref() {
                        if (before, c) == ('*', '/') {
                            break;
                        }
                        before = c;
                    }
                }
                _ => return,
            }
        }
    }

    fn skip(&mut self) {
        self.rest.next();
    }

    fn peek(&mut self) -> Option<char> {
        self.rest.peek().copied()
    }

    fn at_end(&mut self) -> bool {
        self.peek().is_none()
    }
}

fn closing(opening: char) -> Option<char> {
    QUOTES.iter().find(|(open, _)| *open == opening).map(|(_, close)| *close)
}
