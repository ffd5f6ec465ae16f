use memoir_model::{Error, Message};
use serde::Serialize;
use serde_json::json;
use std::io::{self, Write};

/// How a command speaks: to people, or to programs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    json: bool,
}

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        Output { json }
    }

    pub(crate) fn is_json(self) -> bool {
        self.json
    }

    /// Prints a result: the value for programs, the text for people.
    pub(crate) fn result(self, value: &impl Serialize, text: impl FnOnce() -> String) -> anyhow::Result<()> {
        Ok(print(&if self.json { serde_json::to_string(value)? } else { text() })?)
    }

    /// A line for people; programs do not see it.
    pub(crate) fn line(self, text: &str) {
        if !self.json {
            drop(print(text));
        }
    }

    /// Says on the error stream why a command failed and what to do about it.
    pub(crate) fn failure(self, error: &anyhow::Error) {
        let known = error.downcast_ref::<Error>();
        let (message, remedy) = (format!("{error:#}"), known.map(|error| error.code().remedy()));
        if self.json {
            let code = known.map_or("failed", |error| error.code().as_str());
            let field = known.and_then(Error::field);
            let error = json!({ "code": code, "message": message, "remedy": remedy, "field": field });
            eprintln!("{}", json!({ "error": error }));
        } else {
            eprintln!("error: {message}");
            if let Some(remedy) = remedy {
                eprintln!("       {remedy}");
            }
        }
    }

    /// A progress bar on the error stream; none for programs or when nobody watches.
    pub(crate) fn progress(self, length: u64, template: &str) -> indicatif::ProgressBar {
        if self.json {
            return indicatif::ProgressBar::hidden();
        }
        let style = indicatif::ProgressStyle::with_template(template);
        indicatif::ProgressBar::new(length)
            .with_style(style.unwrap_or_else(|_| indicatif::ProgressStyle::default_bar()))
    }
}

/// A message on one line, with its own local time.
pub(crate) fn message_line(message: &Message) -> String {
    let offset =
        jiff::tz::Offset::from_seconds(message.local.offset_seconds).unwrap_or(jiff::tz::Offset::UTC);
    let said = message.said_at.to_zoned(jiff::tz::TimeZone::fixed(offset));
    let text: String = message.content.chars().take(60).collect();
    let dots = if message.content.chars().count() > 60 { "…" } else { "" };
    format!("[{}] {} {}: {text}{dots}", message.id, said.strftime("%Y-%m-%d %H:%M %:z"), message.author)
}

/// Prints a line. Whoever reads the output may have seen enough (`| head`), and that is no failure.
fn print(text: &str) -> io::Result<()> {
    unless_closed(writeln!(io::stdout().lock(), "{text}"))
}

/// The same result, but well when the reader of a pipe is gone.
pub(crate) fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
