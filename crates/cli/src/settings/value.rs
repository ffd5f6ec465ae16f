//! What kinds of value there are and how each is read from text.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use jiff::SignedDuration;
use jiff::civil::Time;
use memoir_model::Zone;
use serde::Serialize;

/// What `store.url` begins with when it names a SQLite file.
pub(crate) const SQLITE_SCHEME: &str = "sqlite:";
/// What `store.url` begins with when it names a PostgreSQL database.
pub(crate) const POSTGRES_SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

/// Units of size, the largest first.
const UNITS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];

/// Which values a setting takes. Bounds are inclusive.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// A path that is not empty.
    Path,
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Integer {
        /// The least allowed.
        min: u64,
        /// The most allowed.
        max: u64,
    },
    /// A size in bytes: `65536`, `512MiB`, `8 MiB`.
    Bytes {
        /// The least allowed.
        min: u64,
        /// The most allowed.
        max: u64,
    },
    /// A length of time with its unit: `500ms`, `5s`, `30m`, `24h`.
    Duration {
        /// The shortest allowed.
        min: Duration,
        /// The longest allowed.
        max: Duration,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// An IANA zone or a fixed offset.
    Zone,
    /// An IP address and a port.
    Address,
    /// A time of day.
    TimeOfDay,
    /// Empty, `sqlite:PATH` or `postgres://…`.
    StoreUrl,
    /// Any text, also none.
    Text,
    /// `http://…` or `https://…`.
    WebUrl,
    /// Words with commas in between; in a file a list.
    Words,
    /// Tables; in a file `[[section.key]]`, elsewhere JSON.
    Tables,
}

/// A value that was read and found allowed. It serialises as the field of `Settings` that it becomes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum Value {
    /// Of [`Kind::StoreUrl`], [`Kind::Zone`], [`Kind::Text`] or [`Kind::WebUrl`].
    Text(String),
    /// Of [`Kind::Words`].
    Words(Vec<String>),
    /// Of [`Kind::Tables`].
    Tables(Vec<serde_json::Map<String, serde_json::Value>>),
    /// Of [`Kind::Path`].
    Path(PathBuf),
    /// Of [`Kind::Bool`].
    Bool(bool),
    /// Of [`Kind::Integer`].
    Integer(u64),
    /// Of [`Kind::Bytes`].
    Bytes(u64),
    /// Of [`Kind::Duration`].
    Duration(Duration),
    /// Of [`Kind::Choice`].
    Choice(&'static str),
    /// Of [`Kind::Address`].
    Address(SocketAddr),
    /// Of [`Kind::TimeOfDay`].
    TimeOfDay(Time),
}

impl Kind {
    /// The value that `text` stands for, if it is allowed.
    pub(crate) fn parse(&self, text: &str) -> Option<Value> {
        let word = text.trim();
        match *self {
            Kind::Path => (!word.is_empty()).then(|| Value::Path(PathBuf::from(text))),
            Kind::Bool => word.parse().ok().map(Value::Bool),
            Kind::Integer { min, max } => {
                word.parse().ok().filter(|n| (min..=max).contains(n)).map(Value::Integer)
            }
            Kind::Bytes { min, max } => {
                parse_bytes(word).filter(|n| (min..=max).contains(n)).map(Value::Bytes)
            }
            Kind::Duration { min, max } => {
                parse_duration(word).filter(|d| (min..=max).contains(d)).map(Value::Duration)
            }
            Kind::Choice(words) => words.iter().find(|w| **w == word).map(|w| Value::Choice(w)),
            // The name comes back as the zone database spells it, whatever case it was written in.
            Kind::Zone => word.parse::<Zone>().ok().map(|zone| Value::Text(zone.to_string())),
            Kind::Address => word.parse().ok().map(Value::Address),
            Kind::TimeOfDay => parse_time_of_day(word).map(Value::TimeOfDay),
            Kind::StoreUrl => is_store_url(text).then(|| Value::Text(text.to_owned())),
            Kind::Text => Some(Value::Text(text.to_owned())),
            Kind::WebUrl => is_web_url(word).then(|| Value::Text(word.to_owned())),
            Kind::Words => {
                let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
                Some(Value::Words(words.map(str::to_owned).collect()))
            }
            Kind::Tables if word.is_empty() => Some(Value::Tables(Vec::new())),
            Kind::Tables => serde_json::from_str(word).ok().map(Value::Tables),
        }
    }

    /// What is allowed, to follow "must be".
    pub(crate) fn allowed(&self) -> String {
        match *self {
            Kind::Path => "a path, in quotes in a file".to_owned(),
            Kind::Bool => "true or false".to_owned(),
            Kind::Integer { min, max } => format!("a whole number from {min} to {max}"),
            Kind::Bytes { min, max } => {
                format!("a size such as 65536, 512KiB, 8MiB or 1GiB, from {} to {}", size(min), size(max))
            }
            Kind::Duration { min, max } => {
                format!("a duration such as 500ms, 5s, 30m or 24h, from {} to {}", length(min), length(max))
            }
            Kind::Choice(words) => format!("one of {}", words.join(", ")),
            Kind::Zone => "an IANA zone such as Asia/Shanghai, or an offset such as +08:00".to_owned(),
            Kind::Address => "an IP address and a port, such as 127.0.0.1:7700 or [::]:7700".to_owned(),
            Kind::TimeOfDay => "a time of day such as 03:00 or 23:30".to_owned(),
            Kind::StoreUrl => {
                "empty, sqlite:PATH such as sqlite:/var/lib/memoir/memoir.db, or postgres://USER:PASSWORD@HOST/DATABASE"
                    .to_owned()
            },
            Kind::Text => "a text, in quotes in a file".to_owned(),
            Kind::WebUrl => "a URL such as https://api.example.com/v1".to_owned(),
            Kind::Words => "words with commas in between, or a list in a file".to_owned(),
            Kind::Tables => "tables in a file, or a JSON list of objects elsewhere".to_owned(),
        }
    }

    /// Whether a file writes it as a string, so that a bare number there is a mistake.
    pub(crate) fn is_text(&self) -> bool {
        matches!(
            self,
            Kind::Path
                | Kind::Choice(_)
                | Kind::Zone
                | Kind::Address
                | Kind::StoreUrl
                | Kind::Text
                | Kind::WebUrl
                | Kind::Words
                | Kind::Tables
        )
    }

    /// `text`, which must be allowed, as a file would write it.
    pub(crate) fn to_toml(self, text: &str) -> String {
        match self.parse(text) {
            Some(Value::Words(words)) => return toml::Value::from(words).to_string(),
            Some(Value::Tables(tables)) if tables.is_empty() => return "[]".to_owned(),
            _ => {}
        }
        let bare = match self {
            Kind::Integer { .. } | Kind::Bool => true,
            Kind::Bytes { .. } => text.bytes().all(|b| b.is_ascii_digit()),
            _ => false,
        };
        if bare { text.to_owned() } else { toml::Value::from(text).to_string() }
    }
}

fn parse_bytes(text: &str) -> Option<u64> {
    let (number, scale) = UNITS
        .iter()
        .find_map(|(unit, scale)| text.strip_suffix(unit).map(|number| (number, *scale)))
        .unwrap_or((text, 1));
    number.trim_end().parse::<u64>().ok()?.checked_mul(scale)
}

fn parse_duration(text: &str) -> Option<Duration> {
    text.parse::<SignedDuration>().ok()?.try_into().ok()
}

fn parse_time_of_day(text: &str) -> Option<Time> {
    // A file may write a bare TOML time, which carries its seconds.
    ["%H:%M", "%H:%M:%S"].iter().find_map(|format| Time::strptime(format, text).ok())
}

fn is_store_url(text: &str) -> bool {
    // `sqlite://` would name a file at the root, and SQLite's own `:memory:` gives every reader a database of its own.
    let is_file = |path: &str| !path.trim().is_empty() && !path.starts_with("//") && !path.starts_with(':');
    text.is_empty() || text.strip_prefix(SQLITE_SCHEME).is_some_and(is_file) || is_postgres(text)
}

fn is_web_url(text: &str) -> bool {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    host.is_some_and(|host| !host.is_empty() && !host.contains(char::is_whitespace) && !host.contains('@'))
}

/// Whether a store's URL names a PostgreSQL database.
pub(crate) fn is_postgres(url: &str) -> bool {
    let host = POSTGRES_SCHEMES.iter().find_map(|scheme| url.strip_prefix(scheme));
    host.is_some_and(|host| !host.is_empty() && !host.contains(char::is_whitespace))
}

/// A store's URL as it may be shown to people: without the password.
pub(crate) fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://").filter(|_| is_postgres(url)) else {
        return url.to_owned();
    };
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, place) = rest.split_at(end);
    let shown = match authority.rsplit_once('@') {
        Some((user, host)) => match user.split_once(':') {
            Some((name, _)) => format!("{name}:***@{host}"),
            None => authority.to_owned(),
        },
        None => authority.to_owned(),
    };
    let place = match place.split_once("password=") {
        Some((before, secret)) => {
            let after = secret.find('&').map_or("", |end| &secret[end..]);
            format!("{before}password=***{after}")
        }
        None => place.to_owned(),
    };
    format!("{scheme}://{shown}{place}")
}

fn size(bytes: u64) -> String {
    match UNITS.iter().find(|(_, scale)| bytes > 0 && bytes.is_multiple_of(*scale)) {
        Some((unit, scale)) => format!("{}{unit}", bytes / scale),
        None => bytes.to_string(),
    }
}

fn length(duration: Duration) -> String {
    SignedDuration::try_from(duration)
        .map_or_else(|_| format!("{duration:?}"), |signed| format!("{signed:#}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANY_SIZE: Kind = Kind::Bytes { min: 0, max: u64::MAX };
    const ANY_LENGTH: Kind = Kind::Duration { min: Duration::ZERO, max: Duration::MAX };

    #[test]
    fn a_size_is_a_number_with_or_without_a_binary_unit() {
        let table = [
            ("0", 0),
            ("65536", 65_536),
            ("1KiB", 1024),
            ("512MiB", 512 << 20),
            ("8 MiB", 8 << 20),
            (" 2GiB ", 2 << 30),
        ];
        for (text, bytes) in table {
            assert_eq!(ANY_SIZE.parse(text), Some(Value::Bytes(bytes)), "{text:?}");
        }
        // A decimal unit is refused and not guessed; so is what does not fit 64 bits.
        for text in ["", "MiB", "8MB", "8mib", "1.5GiB", "-1", "8 MiB 1", "18446744073709551615KiB"] {
            assert_eq!(ANY_SIZE.parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_duration_is_a_number_with_its_unit() {
        let table = [
            ("500ms", Duration::from_millis(500)),
            ("5s", Duration::from_secs(5)),
            ("30m", Duration::from_secs(1800)),
            ("24h", Duration::from_secs(86_400)),
            ("1h30m", Duration::from_secs(5400)),
            ("90 s", Duration::from_secs(90)),
            ("0s", Duration::ZERO),
        ];
        for (text, duration) in table {
            assert_eq!(ANY_LENGTH.parse(text), Some(Value::Duration(duration)), "{text:?}");
        }
        for text in ["", "30", "0", "s", "-5s", "5 parsecs", "1mo"] {
            assert_eq!(ANY_LENGTH.parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_time_of_day_has_hours_and_minutes() {
        for (text, time) in
            [("03:00", (3, 0, 0)), ("23:59", (23, 59, 0)), ("00:00", (0, 0, 0)), ("04:30:15", (4, 30, 15))]
        {
            let time = Time::constant(time.0, time.1, time.2, 0);
            assert_eq!(Kind::TimeOfDay.parse(text), Some(Value::TimeOfDay(time)), "{text:?}");
        }
        for text in ["", "3", "24:00", "03:60", "3am", "03:00 PM"] {
            assert_eq!(Kind::TimeOfDay.parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_zone_is_an_iana_name_or_an_offset() {
        let table = [
            ("Asia/Shanghai", "Asia/Shanghai"),
            ("america/new_york", "America/New_York"),
            ("UTC", "UTC"),
            ("+08:00", "+08:00"),
            ("-03:30", "-03:30"),
        ];
        for (text, zone) in table {
            assert_eq!(Kind::Zone.parse(text), Some(Value::Text(zone.to_owned())), "{text:?}");
        }
        for text in ["", "Mars/Olympus", "8", "+25:00"] {
            assert_eq!(Kind::Zone.parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn an_address_is_an_ip_address_and_a_port() {
        for text in ["127.0.0.1:7700", "0.0.0.0:0", "[::1]:80"] {
            assert!(Kind::Address.parse(text).is_some(), "{text:?}");
        }
        for text in ["", "7700", ":7700", "localhost:7700", "127.0.0.1", "127.0.0.1:65536"] {
            assert_eq!(Kind::Address.parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_store_url_is_empty_or_names_a_file() {
        for text in [
            "",
            "sqlite:memoir.db",
            "sqlite:/var/lib/memoir.db",
            "sqlite:C:\\memoir.db",
            "postgres://localhost/memoir",
            "postgresql://me:secret@db.example:6432/memoir?sslmode=require",
        ] {
            assert!(Kind::StoreUrl.parse(text).is_some(), "{text:?}");
        }
        for text in [
            "memoir.db",
            "sqlite:",
            "sqlite://memoir.db",
            "sqlite::memory:",
            "mysql://host/db",
            "postgres://",
        ] {
            assert_eq!(Kind::StoreUrl.parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn words_and_tables_are_read_as_one_would_write_them() {
        let words = |text: &[&str]| Some(Value::Words(text.iter().map(|word| (*word).to_owned()).collect()));
        assert_eq!(Kind::Words.parse(""), words(&[]));
        assert_eq!(
            Kind::Words.parse("ollama:qwen3:8b, openai:gpt-5 ,"),
            words(&["ollama:qwen3:8b", "openai:gpt-5"])
        );
        assert_eq!(Kind::Words.to_toml("a, b"), r#"["a", "b"]"#);
        assert_eq!(Kind::Tables.parse(""), Some(Value::Tables(vec![])));
        assert!(
            matches!(Kind::Tables.parse(r#"[{"name": "x"}]"#), Some(Value::Tables(tables)) if tables.len() == 1)
        );
        assert_eq!((Kind::Tables.parse("{}"), Kind::Tables.parse("[1]")), (None, None));
        for text in ["https://api.example.com/v1", "http://127.0.0.1:11434/v1"] {
            assert!(Kind::WebUrl.parse(text).is_some(), "{text}");
        }
        for text in ["", "ftp://x", "https://", "https://me:secret@x/v1", "localhost:80"] {
            assert_eq!(Kind::WebUrl.parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_password_of_a_database_is_never_shown() {
        for (url, shown) in [
            ("postgres://me:s3cret@db/memoir", "postgres://me:***@db/memoir"),
            (
                "postgres://me:p@ss:word@db:5432/memoir?sslmode=require",
                "postgres://me:***@db:5432/memoir?sslmode=require",
            ),
            ("postgres://me@db/memoir", "postgres://me@db/memoir"),
            ("postgres://db/memoir?password=s3cret&user=me", "postgres://db/memoir?password=***&user=me"),
            ("sqlite:/var/lib/a:b@c.db", "sqlite:/var/lib/a:b@c.db"),
        ] {
            assert_eq!(without_password(url), shown);
        }
    }

    #[test]
    fn bounds_are_inclusive_and_named() {
        let kind = Kind::Integer { min: 1, max: 64 };
        assert_eq!((kind.parse("0"), kind.parse("65"), kind.parse("-1")), (None, None, None));
        assert_eq!((kind.parse("1"), kind.parse("64")), (Some(Value::Integer(1)), Some(Value::Integer(64))));
        assert_eq!(kind.allowed(), "a whole number from 1 to 64");

        let kind = Kind::Bytes { min: 1000, max: 1 << 30 };
        assert_eq!((kind.parse("999"), kind.parse("2GiB")), (None, None));
        assert_eq!(kind.allowed(), "a size such as 65536, 512KiB, 8MiB or 1GiB, from 1000 to 1GiB");

        let kind = Kind::Duration { min: Duration::from_millis(100), max: Duration::from_hours(1) };
        assert_eq!((kind.parse("99ms"), kind.parse("61m")), (None, None));
        assert_eq!(kind.allowed(), "a duration such as 500ms, 5s, 30m or 24h, from 100ms to 1h");
    }

    #[test]
    fn words_and_switches_are_exact() {
        let kind = Kind::Choice(&["text", "json"]);
        assert_eq!((kind.parse("json"), kind.parse("JSON")), (Some(Value::Choice("json")), None));
        assert_eq!((Kind::Bool.parse("true"), Kind::Bool.parse("yes")), (Some(Value::Bool(true)), None));
        assert_eq!(
            (Kind::Path.parse(" a b"), Kind::Path.parse(" ")),
            (Some(Value::Path(" a b".into())), None)
        );
    }
}
